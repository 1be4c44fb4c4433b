"""Minimal markings of targets, and the clauses that exclude what is above a marking."""

from __future__ import annotations

from collections.abc import Iterator

from petricheck.arithmetic.formulas.cubes import cubes
from petricheck.arithmetic.formulas.formulas import (
    Cube,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    at_most,
    atoms,
    normal,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.audit.invariants.upward import Demand, Row, least
from petricheck.model.net import Net
from petricheck.support.budget import Budget
from petricheck.symbolic.linear import direction_of

LARGEST = 10_000
"""Targets with more minimal markings are refused."""


def is_upward_closed(target: Formula) -> bool:
    """Return whether each atom of the negation normal form is Σ c·p ≥ k, c ≥ 0, or constant."""
    return all(
        (isinstance(atom, Inequality) or not atom.term.coefficients)
        and all(value < 0 for _, value in atom.term.coefficients)
        for atom in atoms(normal(target))
    )


def minimal_markings(net: Net, target: Formula, budget: Budget) -> tuple[Row, ...] | None:
    """Return markings whose upward closures together are an upward-closed target.

    All minimal ones are among them. Another target is included in these closures. None where there
    are too many.
    """
    minimal: dict[frozenset[tuple[int, int]], Row] = {}
    for cube in cubes(target, budget):
        rows = least(_demands(net, cube), LARGEST, {}, budget)
        minimal |= {frozenset(row.items()): row for row in rows or ()}
        if rows is None or len(minimal) > LARGEST:
            return None
    return tuple(minimal.values())


def _demands(net: Net, cube: Cube) -> Iterator[Demand]:
    """Yield what the atoms demand of the places that more tokens are good for."""
    for atom in cube:
        for term in (atom.term, -atom.term) if isinstance(atom, Equality) else (atom.term,):
            if isinstance(atom, Inequality | Equality) and term.constant > 0:
                weights = direction_of(net, -term)
                yield tuple((place, w) for place, w in weights if w > 0), term.constant


def not_covered(net: Net, row: Row) -> Formula:
    """Return the formula that a marking is not above the row: a clause, or a single atom."""
    return Disjunction(
        tuple(at_most(variable(net.places[place]), tokens - 1) for place, tokens in row.items())
    )
