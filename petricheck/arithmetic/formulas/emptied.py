"""Names whose value a formula forces to be 0."""

from __future__ import annotations

from petricheck.arithmetic.formulas.formulas import (
    Disjunction,
    Equality,
    Formula,
    Inequality,
    conjuncts,
    normal,
    substitute,
    tighten,
)
from petricheck.arithmetic.formulas.terms import constant


def emptied(formula: Formula) -> frozenset[str]:
    """Return names that are 0 in every solution over the naturals, by single literals.

    A literal that follows once others are 0 counts too. So do those of a deadlock's clauses that
    have only one disjunct left.
    """
    if isinstance(formula, Disjunction):
        return frozenset()  # Early, since it may have many operands.
    names: set[str] = set()
    simplified = tighten(normal(formula))
    while added := {n for part in conjuncts(simplified) for n in empties(part)}:
        names |= added
        simplified = without(simplified, added)
    return frozenset(names)


def without(formula: Formula, names: set[str] | frozenset[str]) -> Formula:
    """Return the formula over the other names, where these names are 0."""
    return tighten(normal(substitute(formula, dict.fromkeys(names, constant(0)))))


def empties(literal: Formula) -> tuple[str, ...]:
    """Return the names that are 0 where this literal holds; their coefficients are positive."""
    match literal:
        case Inequality(term) | Equality(term):
            values = [value for _, value in term.coefficients]
            return term.variables if term.constant >= 0 and min(values, default=0) > 0 else ()
        case _:
            return ()
