"""Targets that are upward-closed, as their minimal markings."""

from __future__ import annotations

from petricheck.arithmetic.formulas.cubes import cubes
from petricheck.arithmetic.formulas.formulas import Formula, Inequality, atoms, normal
from petricheck.evidence.audit.invariants.upward import Row, least
from petricheck.model.net import Net
from petricheck.support.budget import Budget
from petricheck.symbolic.linear import direction_of

LARGEST = 10_000
"""Targets with more minimal markings are refused."""

NOT_CLOSED = "the target is not upward-closed"


def is_upward_closed(target: Formula) -> bool:
    """Return whether each atom of the negation normal form is Σ c·p ≥ k, c ≥ 0, or constant."""
    return all(
        (isinstance(atom, Inequality) or not atom.term.coefficients)
        and all(value < 0 for _, value in atom.term.coefficients)
        for atom in atoms(normal(target))
    )


def minimal_markings(net: Net, target: Formula, budget: Budget) -> tuple[Row, ...] | None:
    """Return markings whose upward closures together are an upward-closed target.

    All minimal ones are among them. None where there are too many.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    minimal: dict[frozenset[tuple[int, int]], Row] = {}
    for cube in cubes(target, budget):
        demands = [(direction_of(net, -a.term), a.term.constant) for a in cube]
        rows = least(demands, LARGEST, {}, budget)
        minimal |= {frozenset(row.items()): row for row in rows or ()}
        if rows is None or len(minimal) > LARGEST:
            return None
    return tuple(minimal.values())
