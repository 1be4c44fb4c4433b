"""Interpolants that a guide proposes, as in the CEGAR loop (`abstraction.refine`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petricheck.abstraction.graph import AbstractPath
from petricheck.abstraction.refine import Genuine, refine
from petricheck.abstraction.targets import Met, TargetTest
from petricheck.budget import Budget
from petricheck.guides import Guide
from petricheck.heuristics import Heuristic
from petricheck.laboratory.unwinding.labels import Interpolants
from petricheck.laboratory.unwinding.replay import entailing, excluding
from petricheck.laboratory.unwinding.tree import Unwinding
from petricheck.problem import Problem


@dataclass(frozen=True, slots=True)
class ByGuide:
    """Predicates of a guide, put in place.

    Attributes:
        problem: the question.
        test: whether labels may meet its target.
        guide: chooses interpolants.
        heuristics: advise the guide.
        reuse: whether known predicates are tried before the guide is asked.
    """

    problem: Problem
    test: TargetTest
    guide: Guide
    heuristics: Sequence[Heuristic]
    reuse: bool

    def meets(self, tree: Unwinding, vertex: int, _budget: Budget) -> Met | None:
        """See `unwind.Interpolation`."""
        self.test.prepare(tree.domain)
        return self.test.meets(tree.known(vertex))

    def refine(
        self, tree: Unwinding, vertex: int, met: Met, budget: Budget
    ) -> Genuine | Interpolants | None:
        """See `unwind.Interpolation`."""
        interpolants = excluding(tree, vertex, self.test, met) if self.reuse else None
        if interpolants is not None:
            return interpolants
        path = AbstractPath(tree.actions(tree.path(vertex)), met)
        for proposal in refine(self.problem, path, self.heuristics, self.guide, budget):
            if isinstance(proposal, Genuine):
                return proposal
            self.test.learn(proposal.separators)
            tree.learn(proposal.predicates)
            self.test.prepare(tree.domain)
            interpolants = excluding(tree, vertex, self.test, met)
            if interpolants is not None:
                return interpolants
        return None

    def carry(
        self, tree: Unwinding, vertex: int, other: int, _budget: Budget
    ) -> Interpolants | None:
        """Those that are made of known predicates."""
        return entailing(tree, vertex, other)
