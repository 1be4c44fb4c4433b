"""Evidence as one JSON object.

Keys, in this order: `format` ("petricheck evidence"), `version` (1), `petricheck` (the version that
wrote it), `net` (its name), `sha256` (of the PNML file, or null), `target` (a formula), `verdict`,
and `trace` (verdict "reachable"), or `invariant` and `hints`, or `state equation` (verdict
"unreachable").

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

Integers of more than `LONG` bits are strings in hexadecimal, "0x1f" or "-0x1f", since JSON readers
differ on long numbers. The reader refuses anything else, with what is wrong: unknown and repeated
keys, fractions, too deep nesting.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from petricheck.answer import (
    Certificate,
    CoverHints,
    Hints,
    Origin,
    Reachable,
    Separator,
    StateEquationCertificate,
    Trace,
    Unreachable,
)
from petricheck.certificates import SIZE, Evidence
from petricheck.errors import EvidenceError, QueryError
from petricheck.presburger.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
)
from petricheck.presburger.terms import Term, linear
from petricheck.problem import Problem

FORMAT = "petricheck evidence"
VERSION = 1
LONG = 8192
"""Bits from which on an integer is written in hexadecimal."""
DEPTH = 256
"""Levels of formulas that are written and read; questions nest less."""

Value = TypeVar("Value")


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
            "petricheck": _own_version(),
            "net": problem.net.name,
            "sha256": sha256,
            "target": _write_formula(problem.target),
        }
        match answer:
            case Reachable(Trace(steps)):
                fields["verdict"] = "reachable"
                fields["trace"] = [[name, _write_integer(times)] for name, times in steps]
            case Unreachable(Certificate(invariant, hints, origins)):
                fields["verdict"] = "unreachable"
                fields["invariant"] = _write_formula(invariant)
                fields["hints"] = None if hints is None else _write_hints(hints)
                if origins:
                    fields["origins"] = [_write_origin(origin) for origin in origins]
            case Unreachable(StateEquationCertificate(traps, siphon)):
                fields["verdict"] = "unreachable"
                fields["state equation"] = {"traps": traps, "siphon": siphon}
        lines = ",\n".join(f'"{key}": {json.dumps(value)}' for key, value in fields.items())
        return f"{{\n{lines}\n}}\n".encode("ascii")

    def read(self, data: bytes, path: str) -> Evidence:
        """What the file claims.

        Raises:
            EvidenceError: the file is not as this module's description says.
        """
        try:
            return _evidence(_parse(data))
        except EvidenceError as error:
            raise EvidenceError(f"{path}: {error}") from None


def _own_version() -> str:
    """As installed; asked of the installation, since this layer knows nothing above it."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("petricheck")
    except PackageNotFoundError:
        return "not installed"


def _write_integer(value: int) -> int | str:
    return value if value.bit_length() <= LONG else hex(value)


def _write_sum(coefficients: tuple[tuple[str, int], ...]) -> dict[str, int | str]:
    return {name: _write_integer(value) for name, value in coefficients}


def _write_formula(formula: Formula, depth: int = DEPTH) -> dict[str, Any]:
    if depth == 0:
        raise QueryError(f"evidence with formulas nested deeper than {DEPTH} is not written")
    match formula:
        case Inequality(term):
            return _write_atom(term, "at most")
        case Equality(term):
            return _write_atom(term, "equals")
        case Congruence(term, modulus):
            return {**_write_atom(term, "residue"), "modulus": _write_integer(modulus)}
        case Negation(operand):
            return {"not": _write_formula(operand, depth - 1)}
        case Conjunction(operands):
            return {"and": [_write_formula(operand, depth - 1) for operand in operands]}
        case Disjunction(operands):
            return {"or": [_write_formula(operand, depth - 1) for operand in operands]}


def _write_atom(term: Term, relation: str) -> dict[str, Any]:
    return {"sum": _write_sum(term.coefficients), relation: _write_integer(-term.constant)}


def _write_hints(hints: Hints | CoverHints) -> dict[str, Any]:
    if isinstance(hints, CoverHints):
        sums = [[[number, _write_integer(n)] for number, n in terms] for terms in hints.sums]
        return {"sums": sums}
    return {
        "successors": hints.successors,
        "separators": [
            {
                "cube": separator.cube,
                "direction": _write_sum(separator.direction),
                "modulus": _write_integer(separator.modulus),
                "multipliers": [_write_integer(value) for value in separator.multipliers],
                "scale": _write_integer(separator.scale),
            }
            for separator in hints.separators
        ],
    }


def _write_origin(origin: Origin) -> dict[str, Any]:
    return {"direction": _write_sum(origin.direction), "suggested by": origin.suggested_by}


def _parse(data: bytes) -> Any:
    if len(data) > SIZE:
        raise EvidenceError(f"larger than {SIZE} bytes")
    try:
        return json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_unrepeated,
            parse_float=_no_fraction,
            parse_constant=_no_fraction,
        )
    except json.JSONDecodeError as error:
        raise EvidenceError(f"no JSON: line {error.lineno}: {error.msg}") from None
    except UnicodeDecodeError:
        raise EvidenceError("no JSON: not UTF-8") from None
    except RecursionError:
        raise EvidenceError("too deeply nested") from None
    except ValueError:
        raise EvidenceError("a number with too many digits; write it as a string 0x…") from None


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise EvidenceError("an object repeats a key")
    return found


def _no_fraction(text: str) -> Any:
    raise EvidenceError(f"{text[:20]} is not an integer")


def _evidence(value: Any) -> Evidence:
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise EvidenceError(f'the "format" is not "{FORMAT}"')
    if value.get("version") != VERSION or value["version"] is True:
        raise EvidenceError(f'the "version" is not {VERSION}')
    head = ("format", "version", "petricheck", "net", "sha256", "target", "verdict")
    match value.get("verdict"):
        case "reachable":
            _keys(value, *head, "trace")
            answer: Reachable | Unreachable = Reachable(Trace(_items(value["trace"], _step)))
        case "unreachable":
            answer = Unreachable(_certificate(value, head))
        case _:
            raise EvidenceError('the "verdict" is neither "reachable" nor "unreachable"')
    _text(value["petricheck"])
    _text(value["net"])
    target = None if value["target"] is None else _formula(value["target"])
    return Evidence(_digest(value["sha256"]), target, answer)


def _certificate(
    value: dict[str, Any], head: Sequence[str]
) -> Certificate | StateEquationCertificate:
    if "state equation" in value:
        _keys(value, *head, "state equation")
        return _state_equation(value["state equation"])
    _keys(value, *head, "invariant", "hints", *(["origins"] if "origins" in value else []))
    hints = None if value["hints"] is None else _hints(value["hints"])
    origins = _items(value.get("origins", []), _origin)
    return Certificate(_formula(value["invariant"]), hints, origins)


def _state_equation(value: Any) -> StateEquationCertificate:
    _keys(value, "traps", "siphon")
    traps = _items(value["traps"], lambda trap: _items(trap, _text))
    return StateEquationCertificate(traps, _items(value["siphon"], _text))


def _digest(value: Any) -> str | None:
    if value is not None and not re.fullmatch("[0-9a-f]{64}", _text(value)):
        raise EvidenceError('"sha256" is not 64 hexadecimal digits')
    return None if value is None else _text(value)


def _step(value: Any) -> tuple[str, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise EvidenceError("a step of the trace is not [transition, how often]")
    return _text(value[0]), _integer(value[1])


def _hints(value: Any) -> Hints | CoverHints:
    if isinstance(value, dict) and "sums" in value:
        _keys(value, "sums")
        return CoverHints(_items(value["sums"], lambda terms: _items(terms, _share)))
    _keys(value, "successors", "separators")
    return Hints(
        _items(value["successors"], lambda row: _items(row, _integer)),
        _items(value["separators"], _separator),
    )


def _share(value: Any) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise EvidenceError("a part of a sum is not [conjunct, how often]")
    return _integer(value[0]), _integer(value[1])


def _separator(value: Any) -> Separator:
    _keys(value, "cube", "direction", "modulus", "multipliers", "scale")
    return Separator(
        _integer(value["cube"]),
        _sum(value["direction"]).coefficients,
        _integer(value["modulus"]),
        _items(value["multipliers"], _integer),
        _integer(value["scale"]),
    )


def _origin(value: Any) -> Origin:
    _keys(value, "direction", "suggested by")
    return Origin(_sum(value["direction"]).coefficients, _items(value["suggested by"], _text))


def _formula(value: Any, depth: int = DEPTH) -> Formula:
    if depth == 0:
        raise EvidenceError(f"a formula is nested deeper than {DEPTH}")
    match value:
        case {"and": operands}:
            _keys(value, "and")
            return Conjunction(tuple([_formula(part, depth - 1) for part in _list(operands)]))
        case {"or": operands}:
            _keys(value, "or")
            return Disjunction(tuple([_formula(part, depth - 1) for part in _list(operands)]))
        case {"not": operand}:
            _keys(value, "not")
            return Negation(_formula(operand, depth - 1))
        case {"sum": places, "at most": bound}:
            _keys(value, "sum", "at most")
            return Inequality(_sum(places) - _integer(bound))
        case {"sum": places, "equals": number}:
            _keys(value, "sum", "equals")
            return Equality(_sum(places) - _integer(number))
        case {"sum": places, "residue": residue, "modulus": modulus}:
            _keys(value, "sum", "residue", "modulus")
            if (read := _integer(modulus)) < 1:
                raise EvidenceError("a modulus is below 1")
            return Congruence(_sum(places) - _integer(residue), read)
        case _:
            raise EvidenceError("a formula is neither and, or, not nor an atom")


def _sum(value: Any) -> Term:
    if not isinstance(value, dict):
        raise EvidenceError("a sum is not an object of coefficients by place")
    return linear((name, _integer(number)) for name, number in value.items())


def _integer(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and re.fullmatch("-?0x[0-9a-f]+", value):
        return int(value, 16)
    raise EvidenceError("something else stands where an integer belongs")


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise EvidenceError("something else stands where a text belongs")
    return value


def _items(value: Any, read: Callable[[Any], Value]) -> tuple[Value, ...]:
    return tuple(read(item) for item in _list(value))


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise EvidenceError("something else stands where a list belongs")
    return value


def _keys(value: Any, *expected: str) -> None:
    if not isinstance(value, dict) or value.keys() != set(expected):
        raise EvidenceError(f"an object must have exactly the keys {', '.join(expected)}")
