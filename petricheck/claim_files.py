"""Files that hold the claims which answer one question, each with its evidence, as JSON.

Keys, in this order: `format` ("petricheck claims"), `version` (1), `petricheck` (the version that
wrote it), `net` (its name), `sha256` (of the net's file, or null), `analysis` (a member of the
analyses), `question` (its text), `finding` (what the claims amount to, as `analyses.Finding.facts`
has it) and `claims`, a list of

- `{"trace": […], "stops": [[n, formula], …]}`: after n steps of the trace the formula holds;
- `{"excluded": formula, …}` with the keys of a certificate: no reachable marking satisfies it;
- `{"unbounded": [{place: weight}, …], "stages": [{"stem": […], "loop": […]}, …]}`: the sums exceed
  every number, since the loops can be repeated, as `claims.Pumped` explains.

Traces, formulas and certificates are those of `certificates.json`. Nothing that is read is trusted.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from petricheck.answer import Unreachable
from petricheck.certificates import SIZE, check_evidence_file
from petricheck.certificates.json import (
    evidence_fields,
    own_version,
    read_certificate,
    read_digest,
    read_trace,
    write_trace,
)
from petricheck.claims import Claim, Excluded, Pumped, Reached, Stage
from petricheck.errors import EvidenceError, InputError, QueryError
from petricheck.files import write_file
from petricheck.presburger.json import (
    parse,
    read_formula,
    read_integer,
    read_items,
    read_list,
    read_sum,
    read_text,
    require_keys,
    write_formula,
    write_integer,
    write_sum,
)
from petricheck.presburger.terms import Term

FORMAT = "petricheck claims"
VERSION = 1

_HEAD = ("format", "version", "petricheck", "net", "sha256", "analysis", "question", "finding")
_BEGINNING = re.compile(rb'\s*\{\s*"format"\s*:\s*"petricheck claims"')
_LONGEST_BEGINNING = 1000


@dataclass(frozen=True, slots=True)
class Claimed:
    """What a file says.

    Attributes:
        net: name of the net.
        sha256: of the net's file, in lower-case hexadecimal; None where not said.
        analysis: the kind of question.
        question: its text.
        finding: what the claims are said to amount to: JSON, long integers as text.
        claims: with their evidence.
    """

    net: str
    sha256: str | None
    analysis: str
    question: str
    finding: Any
    claims: tuple[Claim, ...]


def holds_claims(path: str) -> bool:
    """Whether this is a .json file that begins like one of these; its first key is the format."""
    if os.path.splitext(path)[1].lower() != ".json":
        return False
    try:
        with open(path, "rb") as file:
            return _BEGINNING.match(file.read(_LONGEST_BEGINNING)) is not None
    except OSError:  # Who reads it says why.
        return False


def write_claims(path: str, claimed: Claimed) -> None:
    """Write the file; it appears whole or not at all.

    Raises:
        QueryError: a formula is nested too deeply, or a number or the file too large, to be read
            back.
        InputError: the file cannot be written.
    """
    data = claims_data(claimed)
    check_evidence_file(path)
    write_file(path, data)


def claims_data(claimed: Claimed) -> bytes:
    """What a file holds, with a claim to a line.

    Raises:
        QueryError: a formula is nested too deeply, or a number or the whole too large, to be read
            back.
    """
    fields = {
        "format": FORMAT,
        "version": VERSION,
        "petricheck": own_version(),
        "net": claimed.net,
        "sha256": claimed.sha256,
        "analysis": claimed.analysis,
        "question": claimed.question,
        "finding": claimed.finding,
    }
    head = "".join(f"{json.dumps(key)}: {json.dumps(value)},\n" for key, value in fields.items())
    lines = ",\n".join(json.dumps(claim_fields(claim)) for claim in claimed.claims)
    data = f'{{\n{head}"claims": [\n{lines}\n]\n}}\n'.encode("ascii")
    if len(data) > SIZE:
        raise QueryError(
            f"the evidence is not written: it has {len(data)} bytes, and at most {SIZE} are "
            "read back"
        )
    return data


def read_claims(path: str) -> Claimed:
    """What the file says; nothing of it is checked against any net.

    Raises:
        InputError: the file cannot be read.
        EvidenceError: the file is not as this module's description says, or too large.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(SIZE + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from error
    try:
        return _claimed(parse(data, SIZE))
    except EvidenceError as error:
        raise EvidenceError(f"{path}: {error}") from None


def claim_fields(claim: Claim) -> dict[str, Any]:
    """A claim as an object."""
    match claim:
        case Reached(trace, stops):
            written = [[write_integer(after), write_formula(formula)] for after, formula in stops]
            return {"trace": write_trace(trace), "stops": written}
        case Excluded(formula, certificate):
            evidence = evidence_fields(Unreachable(certificate))
            return {"excluded": write_formula(formula), **evidence}
        case Pumped(sums, stages):
            return {
                "unbounded": [write_sum(term.coefficients) for term in sums],
                "stages": [
                    {"stem": write_trace(stage.stem), "loop": write_trace(stage.loop)}
                    for stage in stages
                ],
            }


def plain(facts: Any) -> Any:
    """Facts as they stand in files and in what `--json` prints: long integers as text."""
    match facts:
        case bool() | None | str():
            return facts
        case int():
            return write_integer(facts)
        case Mapping():
            return {key: plain(value) for key, value in facts.items()}
        case _:
            return [plain(value) for value in facts]


def _claimed(value: Any) -> Claimed:
    require_keys(value, *_HEAD, "claims")
    if value["format"] != FORMAT:
        raise EvidenceError(f'the "format" is not "{FORMAT}"')
    if value["version"] != VERSION or value["version"] is True:
        raise EvidenceError(f'the "version" is not {VERSION}')
    read_text(value["petricheck"])
    return Claimed(
        read_text(value["net"]),
        read_digest(value["sha256"]),
        read_text(value["analysis"]),
        read_text(value["question"]),
        value["finding"],
        read_items(value["claims"], _claim),
    )


def _claim(value: Any) -> Claim:
    match value:
        case {"trace": steps, "stops": stops}:
            require_keys(value, "trace", "stops")
            return Reached(read_trace(steps), read_items(stops, _stop))
        case {"unbounded": sums, "stages": stages}:
            require_keys(value, "unbounded", "stages")
            terms = read_items(sums, lambda weights: Term(read_sum(weights), 0))
            return Pumped(terms, read_items(stages, _stage))
        case {"excluded": formula}:
            return Excluded(read_formula(formula), read_certificate(value, ("excluded",)))
        case _:
            raise EvidenceError("a claim has neither trace and stops, nor excluded, nor unbounded")


def _stop(value: Any) -> tuple[int, Any]:
    if len(read_list(value)) != 2:
        raise EvidenceError("a stop is not [after how many steps, formula]")
    return read_integer(value[0]), read_formula(value[1])


def _stage(value: Any) -> Stage:
    require_keys(value, "stem", "loop")
    return Stage(read_trace(value["stem"]), read_trace(value["loop"]))
