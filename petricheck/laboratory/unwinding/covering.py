"""Close and ForceCover, and when a label entails another.

A label entails another *bound by bound* where each atom of the other follows from a single one of
its own. Where that fails a solver may be asked about the conjunction; its answers are remembered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Protocol

from petricheck.abstraction.targets import state_atoms
from petricheck.budget import Budget
from petricheck.laboratory.unwinding.measures import Measures
from petricheck.laboratory.unwinding.refinement import strengthen
from petricheck.laboratory.unwinding.replay import Interpolants, between, entailing, learn
from petricheck.laboratory.unwinding.tree import Unwinding
from petricheck.presburger.formulas import (
    Formula,
    Negation,
    at_least,
    conjunction,
    disjunction,
    negate,
    substitute,
)
from petricheck.presburger.solver import Solver
from petricheck.presburger.terms import variable


@dataclass(frozen=True, slots=True)
class Forcing:
    """How vertices are covered by force.

    Attributes:
        most: how many vertices are tried to cover one.
        learning: whether new half-spaces are learnt where those that are known do not do.
    """

    most: int
    learning: bool = False


class Entailment(Protocol):
    """When a label entails another."""

    def covering(self, tree: Unwinding, vertex: int, budget: Budget) -> Iterator[int]:
        """Vertices before it, not covered, whose labels the vertex's entails."""

    def after(self, tree: Unwinding, path: Sequence[int], other: int, budget: Budget) -> bool:
        """Whether the label of a path's start entails another vertex's at its end."""


class ByBounds:
    """Bound by bound."""

    def covering(self, tree: Unwinding, vertex: int, budget: Budget) -> Iterator[int]:
        """Those that the rows of the labels show."""
        return tree.within(vertex)

    def after(self, tree: Unwinding, path: Sequence[int], other: int, budget: Budget) -> bool:
        """No: what single bounds show is carried without asking."""
        return False


class BySolver:
    """Bound by bound, then by an incremental solver."""

    def __init__(self, places: tuple[str, ...]) -> None:
        self._solver = Solver(natural=places)
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

    def after(self, tree: Unwinding, path: Sequence[int], other: int, budget: Budget) -> bool:
        """Whether the solver refutes a firing of the path from the label to outside of the other's.

        That is Γ of the paper's ForceCover, with labels for formulas of the program.
        """
        label = frozenset(state_atoms(tree.domain, tree.row(path[0])))
        values = {place: variable(place) for place in tree.net.places}
        enabled: list[Formula] = []
        for number in path[1:]:
            firing = tree.net.transitions[tree.vertices[number].transition]
            enabled += [at_least(values[tree.net.places[p]], weight) for p, weight in firing.pre]
            values |= {
                tree.net.places[p]: values[tree.net.places[p]] + change
                for p, change in firing.effect
            }
        wanted = conjunction(state_atoms(tree.domain, tree.row(other)))
        goal = disjunction((negate(conjunction(enabled)), substitute(wanted, values)))
        return self._entails(label, goal, budget)

    def _entails(self, label: frozenset[Formula], atom: Formula, budget: Budget) -> bool:
        if atom in label:
            return True
        if (label, atom) not in self._known:
            budget.check()
            self._solver.budget = budget
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


def force(
    tree: Unwinding,
    vertex: int,
    forcing: Forcing,
    entailment: Entailment,
    measures: Measures,
    budget: Budget,
) -> None:
    """ForceCover: strengthen labels so that one of a few expanded vertices covers this one.

    Tried are the ancestors, from the nearest on, then the other vertices, the latest first.
    """
    with measures.closing():
        for other in islice(_candidates(tree, vertex), forcing.most):
            if tree.covered(vertex):
                return
            interpolants = entailing(tree, vertex, other)
            if interpolants is None and forcing.learning:
                interpolants = _learnt(tree, vertex, other, entailment, budget)
            if interpolants is not None:
                strengthen(tree, interpolants)
                if not tree.covered(vertex) and not tree.covered(other):
                    tree.cover(vertex, other)
                    measures.forced += 1


def _learnt(
    tree: Unwinding, vertex: int, other: int, entailment: Entailment, budget: Budget
) -> Interpolants | None:
    """Interpolants of new half-spaces, where the ancestor's label implies the other's.

    Where only several of its bounds together do, the marking that the path leads to satisfies the
    other's label, so that the initial marking suffices.
    """
    if learn(tree, vertex, other):
        return entailing(tree, vertex, other)
    implied = entailment.after(tree, between(tree, vertex, other), other, budget)
    if implied and learn(tree, vertex, other, initially=True):
        return entailing(tree, vertex, other, initially=True)
    return None


def _candidates(tree: Unwinding, vertex: int) -> Iterator[int]:
    ancestors = tree.path(vertex)[-2::-1]
    others = (number for number in range(vertex - 1, -1, -1) if number not in ancestors)
    for number in chain(ancestors, others):
        expanded = tree.vertices[number].children is not None
        if expanded and tree.same_location(vertex, number) and not tree.covered(number):
            yield number
