"""Formulas about one marking, joined by connectives of limited depth.

Other parts of the program process formulas recursively; hence `MAX_DEPTH`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Conjunction,
    Disjunction,
    Formula,
    Negation,
    at_least,
    at_most,
    conjunction,
    different,
    disjunction,
    equal,
)
from petricheck.arithmetic.formulas.terms import Term
from petricheck.support.errors import QueryError
from petricheck.support.words import MAX_DIGITS

MAX_DEPTH = 100
"""How deep connectives may nest; a connective directly within its like is no nesting."""

Sign: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">="]
"""What two terms may be compared by."""

_LIMIT = 10**MAX_DIGITS


@dataclass(frozen=True, slots=True)
class StateFormula:
    """A formula about one marking, and how deep its connectives nest."""

    formula: Formula
    depth: int


def every(states: Sequence[StateFormula]) -> StateFormula:
    """Return the conjunction of these, one or more; QueryError where it nests too deep."""
    depth = 1 + max(state.depth - isinstance(state.formula, Conjunction) for state in states)
    return _bounded(conjunction(state.formula for state in states), depth)


def some(states: Sequence[StateFormula]) -> StateFormula:
    """Return the disjunction of these, one or more; QueryError where it nests too deep."""
    depth = 1 + max(state.depth - isinstance(state.formula, Disjunction) for state in states)
    return _bounded(disjunction(state.formula for state in states), depth)


def opposite(state: StateFormula) -> StateFormula:
    """Return the negation; QueryError where it nests too deep."""
    match state.formula:
        case Negation(operand):
            return StateFormula(operand, state.depth - 1)
        case Conjunction(()):
            return StateFormula(FALSE, 0)
        case Disjunction(()):
            return StateFormula(TRUE, 0)
    return _bounded(Negation(state.formula), state.depth + 1)


def _bounded(formula: Formula, depth: int) -> StateFormula:
    if depth > MAX_DEPTH:
        raise QueryError(f"connectives nest deeper than {MAX_DEPTH} levels")
    return StateFormula(formula, depth)


def compared(left: Term, sign: Sign, right: Term) -> StateFormula:
    """Return `left sign right`."""
    match sign:
        case "=":
            return StateFormula(equal(left, right), 0)
        case "!=":
            return StateFormula(different(left, right), 1)
        case "<":
            return StateFormula(at_most(left + 1, right), 0)
        case "<=":
            return StateFormula(at_most(left, right), 0)
        case ">":
            return StateFormula(at_least(left - 1, right), 0)
        case ">=":
            return StateFormula(at_least(left, right), 0)


def product(left: Term, right: Term) -> Term:
    """Return left · right; QueryError where neither is a number, or one is too long."""
    if left.coefficients and right.coefficients:
        raise QueryError("two places are multiplied here; only products with a number are linear")
    term, factor = (left, right) if left.coefficients else (right, left)
    scaled = term * factor.constant
    if any(abs(n) >= _LIMIT for n in (scaled.constant, *(n for _, n in scaled.coefficients))):
        raise QueryError(f"this product has more than {MAX_DIGITS} digits")
    return scaled
