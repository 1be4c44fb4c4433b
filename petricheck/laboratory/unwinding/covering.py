"""Entailment of labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from petricheck.arithmetic.formulas.formulas import Formula, Negation
from petricheck.arithmetic.solvers.solver import Model, Solver
from petricheck.laboratory.unwinding.tree import Unwinding
from petricheck.model.net import Net
from petricheck.support.budget import Budget


class Entailment:
    """A solver that decides when a label entails another.

    A label entails another *part by part* where each part of the other follows from a single one of
    its own. Where that fails, a solver may check the conjunction; its answers are cached.

    Args:
        net: the net.
        solver: whether a solver is used.
    """

    def __init__(self, net: Net, solver: bool) -> None:
        self._solver = Solver(natural=net.places) if solver else None
        self._implications: dict[tuple[frozenset[Formula], Formula], bool] = {}

    def covering(self, tree: Unwinding, vertex: int, budget: Budget) -> Iterator[int]:
        """Yield earlier uncovered vertices whose labels the vertex's label entails."""
        yield from tree.weaker(vertex)
        if self._solver is not None:
            for other in range(vertex):
                implied = tree.same_location(vertex, other) and self.implied(
                    tree.conjunct_set(vertex), tree.conjunct_set(other), budget
                )
                if implied and not tree.covered(other):
                    yield other

    def implied(self, label: frozenset[Formula], others: Iterable[Formula], budget: Budget) -> bool:
        """Return whether the conjuncts of a label are shown to imply each of the formulas."""
        return all(self._implies(label, other, budget) for other in others)

    def _implies(self, label: frozenset[Formula], other: Formula, budget: Budget) -> bool:
        if other in label or self._solver is None:
            return other in label
        if (label, other) not in self._implications:
            formulas = (*sorted(label, key=repr), Negation(other))
            self._implications[label, other] = self.model(formulas, budget) is None
        return self._implications[label, other]

    def model(self, formulas: Sequence[Formula], budget: Budget) -> Model | None:
        """Return a marking that satisfies all the formulas, None if there is none."""
        assert self._solver is not None
        self._solver.budget = budget
        return self._solver.check(formulas)
