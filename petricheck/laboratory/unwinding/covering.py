"""When a label entails another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from petricheck.budget import Budget
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
