"""Close and ForceCover, and when a label entails another.

A label entails another *bound by bound* where each atom of the other follows from a single one of
its own. Where that fails a solver may be asked about the conjunction; its answers are remembered.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Protocol

from petricheck.abstraction.targets import state_atoms
from petricheck.budget import Budget
from petricheck.presburger.formulas import Congruence, Formula, Inequality, Negation, at_least
from petricheck.presburger.solver import Solver
from petricheck.presburger.terms import variable
from petricheck.unwinding.measures import Measures
from petricheck.unwinding.refinement import strengthen
from petricheck.unwinding.replay import entailing
from petricheck.unwinding.tree import Unwinding


class Entailment(Protocol):
    """How earlier vertices are found that may cover a vertex."""

    def covering(self, tree: Unwinding, vertex: int, budget: Budget) -> Iterator[int]:
        """Vertices before it, not covered, whose labels the vertex's entails."""


class ByBounds:
    """Bound by bound."""

    def covering(self, tree: Unwinding, vertex: int, budget: Budget) -> Iterator[int]:
        """Those that the rows of the labels show."""
        return tree.within(vertex)


class BySolver:
    """Bound by bound, then by an incremental solver."""

    def __init__(self, places: tuple[str, ...]) -> None:
        self._solver = Solver()
        for place in places:
            self._solver.add(at_least(variable(place), 0))
        self._known: dict[tuple[frozenset[Formula], Formula], bool] = {}

    def covering(self, tree: Unwinding, vertex: int, budget: Budget) -> Iterator[int]:
        """Those that the rows of the labels show, then all others that the solver confirms."""
        yield from tree.within(vertex)
        mine = frozenset(state_atoms(tree.domain, tree.row(vertex)))
        for other in range(vertex):
            if not tree.covered(other) and tree.same_location(vertex, other):
                atoms = state_atoms(tree.domain, tree.row(other))
                if all(self._entails(mine, atom, budget) for atom in atoms):
                    yield other

    def _entails(
        self, label: frozenset[Formula], atom: Inequality | Congruence, budget: Budget
    ) -> bool:
        if atom in label:
            return True
        if (label, atom) not in self._known:
            budget.check()
            self._solver.seconds = budget.remaining
            refuted = self._solver.check((*sorted(label, key=repr), Negation(atom))) is None
            self._known[label, atom] = refuted
        return self._known[label, atom]


def close(
    tree: Unwinding, vertex: int, entailment: Entailment, measures: Measures, budget: Budget
) -> None:
    """Close: cover the vertex by an earlier one where that is possible."""
    if not tree.covered(vertex):
        with measures.closing():
            by = next(entailment.covering(tree, vertex, budget), None)
            if by is not None:
                tree.cover(vertex, by)


def force(tree: Unwinding, vertex: int, most: int, measures: Measures) -> None:
    """ForceCover: strengthen labels so that one of a few expanded vertices covers this one.

    Tried are the ancestors, from the nearest on, then the other vertices, the latest first.
    """
    with measures.closing():
        for tried, other in enumerate(_candidates(tree, vertex)):
            if tried == most or tree.covered(vertex):
                return
            found = entailing(tree, vertex, other)
            if found is not None:
                strengthen(tree, found)
                if not tree.covered(vertex) and not tree.covered(other):
                    tree.cover(vertex, other)
                    measures.forced += 1


def _candidates(tree: Unwinding, vertex: int) -> Iterator[int]:
    ancestors = tree.path(vertex)[-2::-1]
    others = (number for number in range(vertex - 1, -1, -1) if number not in ancestors)
    for number in chain(ancestors, others):
        expanded = tree.vertices[number].children is not None
        if expanded and tree.same_location(vertex, number) and not tree.covered(number):
            yield number
