"""Whether formulas hold of a walk's values, and how far they are from that."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

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
from petricheck.model.coloured.solutions import every, some

Values: TypeAlias = Sequence[int]
"""What the names of formulas stand for, by their numbers."""

Distance: TypeAlias = Callable[[Values], int]
"""Returns about how many tokens, by place, are missing or too many."""


def truth(formula: Formula, numbers: Mapping[str, int]) -> Callable[[Values], bool]:
    """Return whether the formula holds, as a function of the values; names have these numbers."""
    match formula:
        case Negation(operand):
            holds = truth(operand, numbers)
            return lambda values: not holds(values)
        case Conjunction(operands):
            return every([truth(operand, numbers) for operand in operands])
        case Disjunction(operands):
            return some([truth(operand, numbers) for operand in operands])
    value = _value(formula.term, numbers)
    match formula:
        case Inequality():
            return lambda values: value(values) <= 0
        case Equality():
            return lambda values: value(values) == 0
        case Congruence(modulus=modulus):
            return lambda values: value(values) % modulus == 0


def distance_to(target: Formula, numbers: Mapping[str, int]) -> Distance:
    """Return the distance to a target in normal form; places have these numbers in the values.

    The least of alternatives counts, and what has to hold together is added up. What is no place,
    and a congruence, does not count.
    """
    match target:
        case Conjunction(operands):
            parts = [distance_to(operand, numbers) for operand in operands]
            return lambda values: sum([part(values) for part in parts])
        case Disjunction(operands):
            parts = [distance_to(operand, numbers) for operand in operands]
            return lambda values: min([part(values) for part in parts], default=1)
        case Inequality(term) if _is_of_places(term, numbers):
            value = _value(term, numbers)
            return lambda values: max(0, value(values))
        case Equality(term) if _is_of_places(term, numbers):
            value = _value(term, numbers)
            return lambda values: abs(value(values))
    return lambda values: 0


def _is_of_places(term: Term, numbers: Mapping[str, int]) -> bool:
    return all(name in numbers for name, _ in term.coefficients)


def _value(term: Term, numbers: Mapping[str, int]) -> Distance:
    pairs, constant = [(numbers[name], k) for name, k in term.coefficients], term.constant
    match pairs:
        case [(one, k)]:
            return lambda values: k * values[one] + constant
        case [(one, k), (other, m)]:
            return lambda values: k * values[one] + m * values[other] + constant
    return lambda values: sum([k * values[number] for number, k in pairs], constant)
