"""Several targets of a net that was reduced for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from petricheck.answer import Answer, Reachable, Unknown, Unreachable
from petricheck.budget import Budget
from petricheck.engines import Sharing
from petricheck.engines._course import refused
from petricheck.problem import Problem
from petricheck.reductions import Reduced, common


class Deciding(Sharing, Protocol):
    """What decides: alone, together or side by side."""

    @property
    def jobs(self) -> int:
        """How many engines run at a time."""

    def with_one_job(self) -> Deciding:
        """The same, with one engine at a time."""


@dataclass(frozen=True, slots=True)
class OnCommonNet:
    """An engine for several targets of a net.

    Attributes:
        portfolio: decides each.
        common: the net's reduction for all of them.
    """

    portfolio: Deciding
    common: Reduced

    @property
    def jobs(self) -> int:
        """How many engines run at a time."""
        return self.portfolio.jobs

    def with_one_job(self) -> OnCommonNet:
        """The same, with one engine at a time."""
        return replace(self, portfolio=self.portfolio.with_one_job())

    def solve_together(
        self, problems: Sequence[Problem], budget: Budget
    ) -> Iterator[tuple[int, Reachable | Unreachable]]:
        """What the engines find on the reduced net, as far as it can be lifted."""
        reduced = [self.common.about(problem.target) for problem in problems]
        numbers = []
        for number, each in enumerate(reduced):
            answer = each.decided()
            lifted = None if answer is None else each.lift(answer)
            if isinstance(lifted, Reachable | Unreachable):
                yield number, lifted
            else:
                numbers.append(number)
        smaller = [reduced[number].problem for number in numbers]
        for found, answer in self.portfolio.solve_together(smaller, budget):
            lifted = reduced[numbers[found]].lift(answer)
            if isinstance(lifted, Reachable | Unreachable):
                yield numbers[found], lifted

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Decide it on the reduced net; on the net itself where the evidence cannot be lifted."""
        reduced = self.common.about(problem.target).then(budget, common())
        answer = reduced.decided() or self.portfolio.solve(reduced.problem, budget)
        lifted = reduced.lift(answer)
        if isinstance(lifted, Unknown) or (lifted and not refused(problem, lifted, budget)):
            return lifted
        return self.portfolio.solve(problem, budget)
