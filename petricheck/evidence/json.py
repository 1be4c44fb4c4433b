"""Evidence as one JSON object, in version 2; files of version 1 are read as well.

Keys, in this order: `format` ("petricheck evidence"), `version` (2), `petricheck` (the version that
wrote it), `net` (its name), `sha256` (of the net's file, or null), `question`, `answer` (true for
reachable or yes, false, a number, "unbounded", or null where it is open), `details` (facts, whose
keys depend on the kind of question) and `claims`. `petricheck/schemas/evidence.json` is a JSON
Schema of it.

- A question is `{"kind": …, "text": …, "target": …}`: a member of the kinds of questions, its words
  as the command line takes them, and the formula whose reachability it asks for, or null where it
  asks for something else. The text is empty where the kind has no words, and may be so where the
  kind is "formula".
- A claim is one of `{"trace": […], "stops": [[n, formula], …]}`: after n steps of the trace the
  formula holds; `{"excluded": formula, …}` with the keys of a certificate: no reachable marking
  satisfies it; `{"unbounded": [{place: weight}, …], "stages": [{"stem": […], "loop": […]}, …]}`:
  the sums exceed every number, since the loops can be repeated, as `claims.Pumped` explains. In
  place of a formula "target" may stand, which is that of the question.
- A formula is `{"and": […]}`, `{"or": […]}`, `{"not": …}`, or an atom: with c·m for the places in
  `sum`, `{"sum": {place: c}, "at most": b}` says c·m ≤ b, `{"sum": …, "equals": b}` c·m = b, and
  `{"sum": …, "residue": r, "modulus": q}` c·m ≡ r (mod q).
- A trace is a list of `[transition, how often]`.
- The keys of a certificate are `invariant` and `hints`, or `state equation`, or `markings`. Hints
  are null or `{"successors": [[…], …], "separators": [{"cube": …, "direction": {place: c},
  "modulus": …, "multipliers": […], "scale": …}, …]}`, as `petricheck.answer.Hints` explains, or
  `{"sums": [[[conjunct, how often], …], …]}`, as `petricheck.answer.CoverHints` explains.
- Beside hints there may be `origins`, `[{"direction": {place: c}, "suggested by": [name, …]}, …]`:
  what came up with the sums of the invariant, for readers only.
- A state equation is `{"traps": [[place, …], …], "siphon": [place, …]}`, as
  `petricheck.answer.StateEquationCertificate` explains.
- Markings are `{"layout": [[place, bits], …], "count": …, "rows": …}`: the rows that
  `petricheck.marking_table.MarkingTable` explains, first the first bytes of all of them, then the
  second ones, and so on; compressed by zlib, in base64. With `"counted": {place: {place: weight}}`
  further places count in the numbers of some.

Integers of more than `LONG` bits are strings in hexadecimal, "0x1f" or "-0x1f", since JSON readers
differ on long numbers. The reader refuses anything else, with what is wrong: unknown and repeated
keys, fractions, too deep nesting, integers of more than `BITS` bits.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, ClassVar

from petricheck.errors import EvidenceError
from petricheck.evidence import SIZE, Evidence
from petricheck.evidence._claims import read_claim, write_claim
from petricheck.evidence._version_1 import CLAIMS, read_claims, read_verdict
from petricheck.presburger.formulas import Formula
from petricheck.presburger.json import (
    parse,
    read_digest,
    read_formula,
    read_items,
    read_text,
    require_keys,
    write_formula,
)
from petricheck.problem import Net

__all__ = ["Json", "write_claim"]

FORMAT = "petricheck evidence"
VERSION = 2


@dataclass(frozen=True, slots=True)
class Json:
    """Everything there is to say; what carries hints can be verified without a solver."""

    extensions: ClassVar[tuple[str, ...]] = (".json",)

    def write(self, net: Net, evidence: Evidence) -> bytes:
        """The file, one key to a line, and one claim.

        Raises:
            QueryError: a formula is nested too deeply, or a number too long, to be read back.
        """
        target = evidence.target
        written = None if target is None else write_formula(target)
        fields = {
            "format": FORMAT,
            "version": VERSION,
            "petricheck": _own_version(),
            "net": net.name,
            "sha256": evidence.sha256,
            "question": {"kind": evidence.kind, "text": evidence.text, "target": written},
            "answer": evidence.said["answer"],
            "details": evidence.said["details"],
        }
        head = "".join(f'"{key}": {json.dumps(value)},\n' for key, value in fields.items())
        claims = ",\n".join(json.dumps(write_claim(claim, target)) for claim in evidence.claims)
        return f'{{\n{head}"claims": [\n{claims}\n]\n}}\n'.encode("ascii")

    def read(self, data: bytes, target: Formula | None = None) -> Evidence:
        """What the file says; where it is of version 1 and names no target, about this one.

        Raises:
            EvidenceError: the file is not as this module's description says.
        """
        value = parse(data, SIZE)
        form, version = (
            (value.get("format"), value.get("version")) if isinstance(value, dict) else (None, None)
        )
        if form not in (FORMAT, CLAIMS):
            raise EvidenceError(f'the "format" is not "{FORMAT}"')
        if type(version) is not int or version not in ((1, VERSION) if form == FORMAT else (1,)):
            raise EvidenceError(f'the "version" is neither 1 nor {VERSION}')
        if form == CLAIMS:
            return read_claims(value)
        return read_verdict(value, target) if version == 1 else _read(value)


def _read(value: dict[str, Any]) -> Evidence:
    head = ("format", "version", "petricheck", "net", "sha256", "question")
    require_keys(value, *head, "answer", "details", "claims")
    read_text(value["petricheck"])
    read_text(value["net"])
    question = value["question"]
    require_keys(question, "kind", "text", "target")
    target = None if question["target"] is None else read_formula(question["target"])
    return Evidence(
        read_digest(value["sha256"]),
        read_text(question["kind"]),
        read_text(question["text"]),
        target,
        {"answer": value["answer"], "details": value["details"]},
        read_items(value["claims"], lambda claim: read_claim(claim, target)),
    )


def _own_version() -> str:
    """As installed; asked of the installation, since this layer knows nothing above it."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("petricheck")
    except PackageNotFoundError:
        return "not installed"
