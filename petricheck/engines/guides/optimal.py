"""The cheapest sequence over all directions, by one linear program.

Instead of searching a lattice of finitely many templates, the program minimises

    Σ_i Σ_v weight_v · max(0, c_i·v) + ε·(|c_k|_1 + |d_k − c_k|_1 + |c_{k-1} − d_k|_1 + …)

over all Farkas sequences of the path: the search of Leroux et al. 2016, section 7.3, over the
infinite family of linear templates, solved in one step.

Where several rows of the goal fail, such as p ≥ 1 and q ≥ 1 of a guard, the cheapest half-space
excludes all of them together. With `each`, a half-space for each row that fails alone is returned:
they make the disjunction p ≤ 0 or q ≤ 0, since an abstract state is a conjunction, and the graph
the disjunction of its states.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from petricheck.engines.guides import Choice, Guide, PathPart, part
from petricheck.engines.heuristics import Displacement
from petricheck.support.budget import Budget
from petricheck.support.plugins import option
from petricheck.symbolic.interpolation.chain import free_chain, product
from petricheck.symbolic.interpolation.path import PathQuestion, relevant_places


@dataclass(frozen=True)
class Optimal(Guide):
    """One linear program over all directions (the default)."""

    part: str = part(PathPart.PREFIX)  # the whole path where some action is accelerated
    sparsity: float = option(1.0, "cost of a coefficient of 1")
    each: bool = option(False, "a half-space for each row of the goal that fails alone")

    def interpolate(
        self, question: PathQuestion, displacements: Sequence[Displacement], budget: Budget
    ) -> Choice | None:
        """Return a sequence of least cost, or the predicates of one for each row that fails."""
        rows = [replace(question, goal=(row,)) for row in question.goal] if self.each else []
        choices = [c for row in rows if (c := self._cheapest(row, displacements, budget))]
        if len(choices) > 1:
            return Choice(tuple(dict.fromkeys(p for choice in choices for p in choice.predicates)))
        return self._cheapest(question, displacements, budget)

    def _cheapest(
        self, question: PathQuestion, displacements: Sequence[Displacement], budget: Budget
    ) -> Choice | None:
        """-"""
        places = relevant_places(question, (d.vector for d in displacements))
        chain = free_chain(question, places, self.sparsity)
        for cut in chain.cuts:
            for displacement in displacements:
                growth = product(cut, displacement.vector)
                if growth:
                    growth[chain.program.column(cost=displacement.weight)] = -1.0
                    chain.program.row(growth, upper=0.0)
        sequence = chain.solve(budget.remaining)
        return None if sequence is None else Choice(sequence.half_spaces, sequence)
