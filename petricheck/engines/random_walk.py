"""Random walks that lean towards the target. They find traces; they prove no absence.

A step compares a few random enabled transitions by the distance of the target formula, as
`search.distance` measures it, fires the best, and repeats it while that leads downhill; now and
then it fires anything.
A walk that is stuck or has become too long starts over, and walks are allowed to become longer and
longer (Luby's sequence). Nothing is remembered between walks, so memory stays flat.

Limits: the distance sees neither guards nor effects, so a way that leads uphill first is found by
luck alone; equal steps are taken again and again.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import ClassVar

from petricheck.answer import Answer, Reachable, Statistics, Unknown, joined
from petricheck.budget import Budget
from petricheck.kernel.compiled import how, pace
from petricheck.kernel.walk import Walk
from petricheck.problem import Problem
from petricheck.search.frontier import luby
from petricheck.search.walker import Walker

_CHECKED = 256
"""How many steps are taken between two looks at the budget."""

_LENGTH = 2_000
"""Steps of the shortest walks that many targets watch."""

_HABITS = ((1, 0.0), (2, 0.1), (3, 0.05), (8, 0.02))
"""(transitions compared, probability of a surprise), in turn: from aimless to greedy."""


@dataclass(frozen=True)
class RandomWalk:
    """Walk at random, with a bias towards the target, and start over again and again."""

    unit: ClassVar[str] = "restart"
    rank: ClassVar[int] = 60

    seed: int = field(default=0, metadata={"help": "seed; the same seed walks the same way"})
    steps: int = field(
        default=10_000_000, metadata={"help": "how many steps to take before giving up"}
    )
    length: int = field(default=64, metadata={"help": "steps of the shortest walks"})

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Walk until a marking is in the target or enough steps were taken.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        started = time.monotonic()
        chance = random.Random(self.seed)
        walker = Walker(problem)
        taken = walks = 0

        def statistics() -> Statistics:
            return Statistics("random_walk", walks, taken, time.monotonic() - started)

        while walker.distance:
            if walker.stuck and not walker.steps:
                return Unknown("the initial marking enables nothing", "", statistics())
            if taken >= self.steps:
                reason = f"{taken} steps with {walks} restarts did not meet the target"
                return Unknown(reason, "allow more with the option steps", statistics())
            if walker.stuck or len(walker.steps) >= self.length * luby(walks // len(_HABITS) + 1):
                walks += 1
                walker.restart()
            if taken % _CHECKED == 0:
                budget.report(f"{walks} restarts, {taken} steps")
                budget.check()
            walker.step(chance, *_HABITS[walks % len(_HABITS)])
            taken += 1
        return Reachable(joined(walker.steps, problem.net.actions), statistics())

    def solve_together(
        self, problems: Sequence[Problem], budget: Budget
    ) -> Iterator[tuple[int, Reachable]]:
        """Walk without aim, watched by all targets, until each is met.

        Raises:
            BudgetExhausted: time or memory ran out, with some targets open.
        """
        started = time.monotonic()
        net = problems[0].net
        walk = Walk(net, [problem.target for problem in problems], self.seed)
        budget.report(how())
        for turn in count(1):
            if not walk.open or (walk.stuck and turn > 1):
                return
            budget.check()
            budget.report(f"{walk.firings} steps, {len(walk.open)} targets open")
            for met in walk.run(pace(), _LENGTH * luby(turn)):
                seconds = time.monotonic() - started
                statistics = Statistics("random_walk", walk.restarts, walk.firings, seconds)
                trace = joined(((number, 1) for number in met.trace), net.actions)
                yield met.target, Reachable(trace, statistics)
