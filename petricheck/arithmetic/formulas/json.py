"""Integers, sums and formulas as JSON, and a reader that refuses anything else.

`docs/evidence-formats.md` describes the format. A `JsonForm` writes and reads values of one type;
forms of larger values are composed of smaller ones. What could not be read back is not written but
raises `QueryError`: integers of more than `BITS` bits, and formulas nested deeper than `DEPTH`.
What has not the form that is read raises `EvidenceError`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar

from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
)
from petricheck.arithmetic.formulas.terms import Term
from petricheck.support.errors import EvidenceError, QueryError

LONG = 8192
"""Bits from which on an integer is written in hexadecimal."""
BITS = 1 << 20
"""Bits that an integer may have: arithmetic on longer ones takes seconds for a single step."""
DEPTH = 256
"""Levels of formulas that are written and read; questions nest less."""

Value = TypeVar("Value")
Other = TypeVar("Other")


def write_integer(value: int) -> int | str:
    """Return a number, or a string in hexadecimal where it has more than `LONG` bits."""
    if value.bit_length() > BITS:
        raise QueryError(f"evidence with numbers of more than {BITS} bits is not written")
    return value if value.bit_length() <= LONG else hex(value)


def write_facts(facts: Any) -> Any:
    """Return facts, such as the details of an answer, with long integers as text."""
    match facts:
        case bool() | None | str():
            return facts
        case int():
            return write_integer(facts)
        case Mapping():
            return {key: write_facts(value) for key, value in facts.items()}
        case _:
            return [write_facts(value) for value in facts]


def write_sum(coefficients: tuple[tuple[str, int], ...]) -> dict[str, int | str]:
    """Return the coefficients by place."""
    return {name: write_integer(value) for name, value in coefficients}


def write_formula(formula: Formula, depth: int = DEPTH) -> dict[str, Any]:
    """Return the formula as an object."""
    if depth == 0:
        raise QueryError(f"evidence with formulas nested deeper than {DEPTH} is not written")
    match formula:
        case Negation(operand):
            return {"not": write_formula(operand, depth - 1)}
        case Conjunction(operands) | Disjunction(operands):
            word = "and" if isinstance(formula, Conjunction) else "or"
            return {word: [write_formula(operand, depth - 1) for operand in operands]}
        case Inequality(term):
            relation = {"at most": write_integer(-term.constant)}
        case Equality(term):
            relation = {"equals": write_integer(-term.constant)}
        case Congruence(term, modulus):
            residue = write_integer(-term.constant)
            relation = {"residue": residue, "modulus": write_integer(modulus)}
    return {"sum": write_sum(term.coefficients), **relation}


def parse(data: bytes, most: int) -> Any:
    """Return the JSON value of at most so many bytes, without fractions and repeated keys."""
    if len(data) > most:
        raise EvidenceError(f"larger than {most} bytes")
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
    entries = dict(pairs)
    if len(entries) != len(pairs):
        raise EvidenceError("an object repeats a key")
    return entries


def _no_fraction(text: str) -> Any:
    raise EvidenceError(f"{text[:20]} is not an integer")


def read_formula(value: Any, depth: int = DEPTH) -> Formula:
    """Return the inverse of `write_formula`."""
    if depth == 0:
        raise EvidenceError(f"a formula is nested deeper than {DEPTH}")
    match value:
        case {"and": operands} | {"or": operands} if len(value) == 1:
            join = Conjunction if "and" in value else Disjunction
            return join(tuple([read_formula(part, depth - 1) for part in read_list(operands)]))
        case {"not": operand} if len(value) == 1:
            return Negation(read_formula(operand, depth - 1))
        case {"sum": places, "at most": bound} if len(value) == 2:
            return Inequality(_read_term(places, bound))
        case {"sum": places, "equals": number} if len(value) == 2:
            return Equality(_read_term(places, number))
        case {"sum": places, "residue": residue, "modulus": modulus} if len(value) == 3:
            if (read := read_integer(modulus)) < 1:
                raise EvidenceError("a modulus is below 1")
            return Congruence(_read_term(places, residue), read)
        case _:
            raise EvidenceError(
                "a formula is neither and, or, not nor an atom, alone in its object"
            )


def _read_term(places: Any, right: Any) -> Term:
    """Return the sum less the number that it is compared with."""
    return Term(read_sum(places), -read_integer(right))


def read_sum(value: Any) -> tuple[tuple[str, int], ...]:
    """Return the inverse of `write_sum`, sorted; it never writes a coefficient 0."""
    if not isinstance(value, dict):
        raise EvidenceError("a sum is not an object of coefficients by place")
    # No name is repeated, so nothing has to be added up.
    read = [(name, read_integer(number)) for name, number in value.items()]
    if not all(number for _, number in read):
        raise EvidenceError("a sum has a coefficient that is 0")
    return tuple(sorted(read))


def read_integer(value: Any) -> int:
    """Return the inverse of `write_integer`."""
    if type(value) is int:  # The values of JSON are of no subclass but bool.
        return value
    if not isinstance(value, str) or not re.fullmatch("-?0x[0-9a-f]+", value):
        raise EvidenceError("something else stands where an integer belongs")
    read = int(value, 16)
    if read.bit_length() > BITS:
        raise EvidenceError(f"a number has more than {BITS} bits")
    return read


def read_digest(value: Any) -> str | None:
    """Return a checksum, or null."""
    if value is not None and not re.fullmatch("[0-9a-f]{64}", read_text(value)):
        raise EvidenceError('"sha256" is not 64 hexadecimal digits')
    return None if value is None else read_text(value)


def read_text(value: Any) -> str:
    """Return a string."""
    return _of_type(str, value, "a text")


def read_items(value: Any, read: Callable[[Any], Value]) -> tuple[Value, ...]:
    """Return every item of a list, read."""
    return tuple(map(read, read_list(value)))


def read_list(value: Any) -> list[Any]:
    """Return a list."""
    return _of_type(list, value, "a list")


def read_object(value: Any) -> dict[str, Any]:
    """Return an object."""
    return _of_type(dict, value, "an object")


def _of_type(kind: type[Value], value: Any, noun: str) -> Value:
    if not isinstance(value, kind):
        raise EvidenceError(f"something else stands where {noun} belongs")
    return value


def require_keys(value: Any, *expected: str) -> None:
    """Raise EvidenceError unless the value is an object with exactly these keys."""
    if not isinstance(value, dict) or value.keys() != set(expected):
        raise EvidenceError(f"an object must have exactly the keys {', '.join(expected)}")


@dataclass(frozen=True, slots=True)
class JsonForm(Generic[Value]):
    """The JSON form of values of one type; `read` is the inverse of `write`."""

    write: Callable[[Value], Any]
    read: Callable[[Any], Value]


INTEGER = JsonForm(write_integer, read_integer)
TEXT: JsonForm[str] = JsonForm(str, read_text)
SUM = JsonForm(write_sum, read_sum)
FORMULA: JsonForm[Formula] = JsonForm(write_formula, read_formula)


def items(form: JsonForm[Value]) -> JsonForm[tuple[Value, ...]]:
    """Return the form of lists of any length."""
    return JsonForm(
        lambda values: [*map(form.write, values)], lambda value: read_items(value, form.read)
    )


def pair(
    first: JsonForm[Value], second: JsonForm[Other], meaning: str = "a pair"
) -> JsonForm[tuple[Value, Other]]:
    """Return the form of lists of two; `meaning` is their name in error messages."""

    def read(value: Any) -> tuple[Value, Other]:
        if len(read_list(value)) != 2:
            raise EvidenceError(f"something else stands where {meaning} belongs")
        return first.read(value[0]), second.read(value[1])

    return JsonForm(lambda values: [first.write(values[0]), second.write(values[1])], read)


def record(make: Callable[..., Value], forms: Mapping[str, JsonForm[Any]]) -> JsonForm[Value]:
    """Return the form of objects with a key for each field of the dataclass, in their order."""
    names = [field.name for field in fields(make)]  # type: ignore[arg-type]

    def write(value: Value) -> dict[str, Any]:
        entries = zip(forms.items(), names, strict=True)
        return {key: form.write(getattr(value, name)) for (key, form), name in entries}

    def read(value: Any) -> Value:
        require_keys(value, *forms)
        return make(*(form.read(value[key]) for key, form in forms.items()))

    return JsonForm(write, read)
