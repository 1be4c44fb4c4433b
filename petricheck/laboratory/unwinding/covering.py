"""Close and ForceCover, and when a label entails another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Protocol

from petricheck.budget import Budget
from petricheck.laboratory.unwinding.labels import Interpolants
from petricheck.laboratory.unwinding.tree import Unwinding
from petricheck.presburger.formulas import Formula, Negation
from petricheck.presburger.solver import Model, Solver
from petricheck.problem import Net


class Entailment:
    """When a label entails another.

    It does *part by part* where each part of the other follows from a single one of its own. Where
    that fails a solver may be asked about the conjunction; its answers are remembered.

    Args:
        net: the net.
        solver: whether one is asked.
    """

    def __init__(self, net: Net, solver: bool) -> None:
        self._solver = Solver(natural=net.places) if solver else None
        self._known: dict[tuple[frozenset[Formula], Formula], bool] = {}

    def covering(self, tree: Unwinding, vertex: int, budget: Budget) -> Iterator[int]:
        """Vertices before it, not covered, whose labels the vertex's entails."""
        yield from tree.within(vertex)
        if self._solver is not None:
            for other in range(vertex):
                entailed = tree.same_location(vertex, other) and self.implied(
                    tree.stated(vertex), tree.stated(other), budget
                )
                if entailed and not tree.covered(other):
                    yield other

    def implied(self, label: frozenset[Formula], others: Iterable[Formula], budget: Budget) -> bool:
        """Whether the conjuncts of a label are known to imply each of the formulas."""
        return all(self._implies(label, other, budget) for other in others)

    def _implies(self, label: frozenset[Formula], other: Formula, budget: Budget) -> bool:
        if other in label or self._solver is None:
            return other in label
        if (label, other) not in self._known:
            against = (*sorted(label, key=repr), Negation(other))
            self._known[label, other] = self.model(against, budget) is None
        return self._known[label, other]

    def model(self, formulas: Sequence[Formula], budget: Budget) -> Model | None:
        """A marking that satisfies all the formulas, by the solver."""
        assert self._solver is not None
        self._solver.budget = budget
        return self._solver.check(formulas)


class Carrier(Protocol):
    """What knows interpolants for ForceCover."""

    def carry(
        self, tree: Unwinding, vertex: int, other: int, budget: Budget
    ) -> Interpolants | None:
        """Interpolants after which the vertex's label entails the other's, or None.

        They begin with the label of the nearest common ancestor, to which they add nothing.
        """


def close(tree: Unwinding, vertex: int, entailment: Entailment, budget: Budget) -> None:
    """Close: cover the vertex by an earlier one where that is possible."""
    if not tree.covered(vertex):
        by = next(entailment.covering(tree, vertex, budget), None)
        if by is not None:
            tree.cover(vertex, by)


def force(tree: Unwinding, vertex: int, most: int, carrier: Carrier, budget: Budget) -> bool:
    """ForceCover: strengthen labels so that one of a few expanded vertices covers this one.

    Tried are the ancestors, from the nearest on, then the other vertices, the latest first.

    Args:
        tree: the unwinding.
        vertex: is not covered.
        most: how many vertices are tried.
        carrier: knows interpolants.
        budget: limits.

    Returns:
        Whether the vertex is covered now by one of them.
    """
    for other in islice(_candidates(tree, vertex), most):
        interpolants = carrier.carry(tree, vertex, other, budget)
        if interpolants is not None:
            tree.strengthen(interpolants)
            if not tree.covered(vertex) and not tree.covered(other):
                tree.cover(vertex, other)
                return True
            if tree.covered(vertex):
                return False
    return False


def _candidates(tree: Unwinding, vertex: int) -> Iterator[int]:
    ancestors = tree.path(vertex)[-2::-1]
    others = (number for number in range(vertex - 1, -1, -1) if number not in ancestors)
    for number in chain(ancestors, others):
        expanded = tree.vertices[number].children is not None
        if expanded and tree.same_location(vertex, number) and not tree.covered(number):
            yield number
