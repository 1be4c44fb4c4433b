"""Evidence as one JSON object.

Keys, in this order: `format` ("petricheck evidence"), `version` (1), `petricheck` (the version that
wrote it), `net` (its name), `sha256` (of the PNML file, or null), `target` (a formula), `verdict`,
and `trace` (verdict "reachable"), or `invariant` and `hints`, or `state equation`, or `markings`
(verdict "unreachable").

- A formula is `{"and": […]}`, `{"or": […]}`, `{"not": …}`, or an atom: with c·m for the places in
  `sum`, `{"sum": {place: c}, "at most": b}` says c·m ≤ b, `{"sum": …, "equals": b}` c·m = b, and
  `{"sum": …, "residue": r, "modulus": q}` c·m ≡ r (mod q).
- A trace is a list of `[transition, how often]`.
- Hints are null or `{"successors": [[…], …], "separators": [{"cube": …, "direction": {place: c},
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
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from petricheck.answer import Reachable, Trace, Unreachable
from petricheck.certificates import SIZE, Evidence
from petricheck.errors import EvidenceError
from petricheck.notations import notation_of, notations
from petricheck.presburger.json import (
    LONG,
    parse,
    read_formula,
    read_integer,
    read_items,
    read_text,
    require_keys,
    write_formula,
    write_integer,
)
from petricheck.problem import Problem

__all__ = ["LONG", "Json"]

FORMAT = "petricheck evidence"
VERSION = 1


@dataclass(frozen=True, slots=True)
class Json:
    """Everything there is to say; what carries hints can be verified without a solver."""

    extensions: ClassVar[tuple[str, ...]] = (".json",)

    def write(self, problem: Problem, sha256: str | None, answer: Reachable | Unreachable) -> bytes:
        """The file, one key to a line.

        Raises:
            QueryError: a formula is nested too deeply to be read back.
        """
        fields: dict[str, Any] = {
            "format": FORMAT,
            "version": VERSION,
            "petricheck": own_version(),
            "net": problem.net.name,
            "sha256": sha256,
            "target": write_formula(problem.target),
        }
        fields["verdict"] = "reachable" if isinstance(answer, Reachable) else "unreachable"
        fields |= evidence_fields(answer)
        lines = ",\n".join(f'"{key}": {json.dumps(value)}' for key, value in fields.items())
        return f"{{\n{lines}\n}}\n".encode("ascii")

    def read(self, data: bytes, path: str) -> Evidence:
        """What the file claims.

        Raises:
            EvidenceError: the file is not as this module's description says.
        """
        try:
            return _evidence(parse(data, SIZE))
        except EvidenceError as error:
            raise EvidenceError(f"{path}: {error}") from None


def evidence_fields(answer: Reachable | Unreachable) -> dict[str, Any]:
    """The keys that hold the evidence itself, with their values."""
    match answer:
        case Reachable(trace):
            return {"trace": write_trace(trace)}
        case Unreachable(certificate):
            return notation_of(certificate).write(certificate)


def write_trace(trace: Trace) -> list[list[int | str]]:
    """A trace as a list."""
    return [[name, write_integer(times)] for name, times in trace.steps]


def own_version() -> str:
    """As installed; asked of the installation, since this layer knows nothing above it."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("petricheck")
    except PackageNotFoundError:
        return "not installed"


def _evidence(value: Any) -> Evidence:
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise EvidenceError(f'the "format" is not "{FORMAT}"')
    if value.get("version") != VERSION or value["version"] is True:
        raise EvidenceError(f'the "version" is not {VERSION}')
    head = ("format", "version", "petricheck", "net", "sha256", "target", "verdict")
    match value.get("verdict"):
        case "reachable":
            require_keys(value, *head, "trace")
            answer: Reachable | Unreachable = Reachable(read_trace(value["trace"]))
        case "unreachable":
            answer = Unreachable(read_certificate(value, head))
        case _:
            raise EvidenceError('the "verdict" is neither "reachable" nor "unreachable"')
    read_text(value["petricheck"])
    read_text(value["net"])
    target = None if value["target"] is None else read_formula(value["target"])
    return Evidence(read_digest(value["sha256"]), target, answer)


def read_certificate(value: dict[str, Any], head: Sequence[str]) -> object:
    """The certificate among the keys of an object, which are these and the certificate's.

    Raises:
        EvidenceError: there is none, or another key.
    """
    for notation in notations():
        if notation.keys[0] in value:
            fields = {key: value[key] for key in value if key not in head}
            require_keys(value, *head, *(key for key in notation.keys if key in value))
            return notation.read(fields)
    known = " or ".join(f'"{notation.keys[0]}"' for notation in notations())
    raise EvidenceError(f"there is no {known}")


def read_digest(value: Any) -> str | None:
    """A checksum, or null; EvidenceError where it is neither."""
    if value is not None and not re.fullmatch("[0-9a-f]{64}", read_text(value)):
        raise EvidenceError('"sha256" is not 64 hexadecimal digits')
    return None if value is None else read_text(value)


def read_trace(value: Any) -> Trace:
    """The inverse of `write_trace`; EvidenceError where it is none."""
    return Trace(read_items(value, _step))


def _step(value: Any) -> tuple[str, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise EvidenceError("a step of the trace is not [transition, how often]")
    return read_text(value[0]), read_integer(value[1])
