"""Shortest traces among few markings, in plain Python, so that small questions load nothing large.

Limits: the answer is never "unreachable", also where these are all markings: that is left to
`explicit`, or to proofs that say more than a list of markings; large nets are left to others.
"""

from __future__ import annotations

from dataclasses import dataclass

from petricheck.evidence.answer import Answer, Reachable, Unknown, measure
from petricheck.explicit.search.exploration import PlainExploration
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.plugins import option
from petricheck.support.words import counted

_LARGE = 1_000
"""Places and transitions of a net of which few markings say little, and take long."""


@dataclass(frozen=True)
class FewMarkings:
    """Explore few markings breadth first, and look for the target among them."""

    markings: int = option(100, "how many markings to explore")

    def unfit(self, problem: Problem) -> str:
        """Return that the net is large, if it is."""
        nodes = len(problem.net.places) + len(problem.net.transitions)
        return "the net is large" if nodes > _LARGE else ""

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Explore until a marking is in the target or there are more than that."""
        statistics = measure("few_markings")
        exploration = PlainExploration(problem, budget)
        exploration.run(self.markings)
        explored = len(exploration.visited)
        cost = statistics(0, explored)
        if exploration.goal is None:
            return Unknown(f"the target is not among {counted(explored, 'marking')}", "", cost)
        return Reachable(exploration.trace(exploration.goal), cost)
