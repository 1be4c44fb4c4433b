"""Random walks, uniform ones and such that lean towards the target: traces, no proofs of absence.

A leaning step compares a few random enabled transitions by the distance of the target formula, as
`search.distance` measures it, fires the best, and repeats it while that leads downhill; now and
then it fires anything. A uniform step fires any enabled transition; compiled, a hundred of them
take the time of a leaning one. Some leaning steps come first, since they decide small questions
before anything is compiled, unless the target is wide; then the two kinds take turns, uniform ones
about a third of the time. A walk that is stuck or has become too long starts over; leaning walks
are allowed to become longer and longer (Luby's sequence), uniform ones are long and short in turn.
Nothing is remembered between walks, so memory stays flat.

Limits: the distance sees neither guards nor effects, so a way that leads uphill first is found by
luck alone; equal steps are taken again and again. Numbers beyond 2^40 have leaning walks only.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import ClassVar

from petricheck.answer import Answer, Reachable, Statistics, Trace, Unknown, joined, measure
from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted
from petricheck.kernel.compiled import how
from petricheck.kernel.walk import Walk
from petricheck.plugins import option
from petricheck.presburger.formulas import atoms
from petricheck.problem import Problem
from petricheck.search.frontier import luby
from petricheck.search.walker import Walker

_CHECKED = 256
"""How many leaning steps are taken between two looks at the budget."""

_FIRST = 8_192
"""How many are taken before anything is compiled."""

_TURN = 4_096
"""How many are taken in a turn afterwards."""

_ATOMS = 128
"""Of a target with more atoms than these, leaning steps take long: uniform ones come first, and
fewer leaning ones are taken in a turn.
"""

_LENGTHS = (16, 256, 4096)
"""Uniform walks are so many times longer than the shortest leaning ones, in turn."""

_HABITS = ((1, 0.0), (2, 0.1), (3, 0.05), (8, 0.02))
"""(transitions compared, probability of a surprise), in turn: from aimless to greedy."""


@dataclass(frozen=True)
class RandomWalk:
    """Walk at random, uniformly and with a bias towards the target, and start over and over."""

    unit: ClassVar[str] = "restart"
    rank: ClassVar[int] = 15

    seed: int = option(0, "seed; the same seed walks the same way")
    steps: int = option(1_000_000_000, "how many steps to take before giving up")
    length: int = option(64, "steps of the shortest walks")

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Walk until a marking is in the target or enough steps were taken.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        measured = measure("random_walk")
        leaning = _Leaning(problem, self.seed, self.length, budget)
        width = sum(1 for _ in atoms(problem.target))
        first = _FIRST if width <= _ATOMS else 0
        turn = _TURN * _ATOMS // max(_ATOMS, width) + 1
        uniform = _Uniform(problem, self.seed, self.length, budget)

        def statistics() -> Statistics:
            restarts = leaning.restarts + uniform.restarts
            return measured(restarts, leaning.taken + uniform.taken)

        if leaning.stuck:
            return Unknown("the initial marking enables nothing", "", statistics())
        trace = leaning.run(min(first, self.steps))
        while trace is None:
            left = self.steps - leaning.taken - uniform.taken
            if left <= 0:
                walked = statistics()
                reason = f"{walked.states} steps with {walked.iterations} restarts"
                hint = "allow more with the option steps"
                return Unknown(f"{reason} did not meet the target", hint, walked)
            trace = uniform.run(left)
            left = self.steps - leaning.taken - uniform.taken
            if trace is None:
                trace = leaning.run(min(turn, left))
        return Reachable(trace, statistics())

    def solve_together(
        self, problems: Sequence[Problem], budget: Budget
    ) -> Iterator[tuple[int, Reachable]]:
        """Walk uniformly, watched by all targets, until each is met or enough steps were taken.

        Raises:
            BudgetExhausted: time or memory ran out, with some targets open, or numbers are too
                large.
        """
        statistics = measure("random_walk")
        net = problems[0].net
        walk = Walk(net, [problem.target for problem in problems], self.seed)
        budget.report(how())
        for turn in count():
            for met in walk.run(walk.pace, self.length * _LENGTHS[turn % len(_LENGTHS)]):
                trace = joined(((number, 1) for number in met.trace), net.actions)
                yield met.target, Reachable(trace, statistics(walk.restarts, walk.firings))
            if not walk.open or walk.stuck or walk.firings >= self.steps:
                return
            budget.report(f"{walk.firings} steps, {len(walk.open)} targets open")
            budget.check()


class _Leaning:
    """Walks that lean towards the target, in integers of any size.

    Attributes:
        taken: how many steps.
        restarts: how often a walk started over.
    """

    def __init__(self, problem: Problem, seed: int, length: int, budget: Budget) -> None:
        self._actions, self._length, self._budget = problem.net.actions, length, budget
        self._chance = random.Random(seed)
        self._walker = Walker(problem)
        self.taken = self.restarts = 0

    @property
    def stuck(self) -> bool:
        """Whether the initial marking enables nothing, and the target does not hold in it."""
        walker = self._walker
        return walker.stuck and not walker.steps and walker.distance > 0

    def run(self, steps: int) -> Trace | None:
        """A trace into the target, unless so many steps miss it.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        walker = self._walker
        for step in range(steps):
            if not walker.distance:
                break
            restarts = self.restarts
            longest = self._length * luby(restarts // len(_HABITS) + 1)
            if walker.stuck or len(walker.steps) >= longest:
                self.restarts += 1
                walker.restart()
            if step % _CHECKED == 0:
                self._budget.report(f"{self.restarts} restarts, {self.taken} leaning steps")
                self._budget.check()
            walker.step(self._chance, *_HABITS[self.restarts % len(_HABITS)])
            self.taken += 1
        return None if walker.distance else joined(walker.steps, self._actions)


class _Uniform:
    """Uniform walks of the kernel, made when they are first asked for.

    Attributes:
        taken: how many steps.
        restarts: how often a walk started over.
    """

    def __init__(self, problem: Problem, seed: int, length: int, budget: Budget) -> None:
        self._problem, self._seed, self._length, self._budget = problem, seed, length, budget
        self._walk: Walk | None = None
        self._turns = self.taken = self.restarts = 0

    def run(self, steps: int) -> Trace | None:
        """A trace into the target, unless one turn of at most so many steps misses it.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        if not self._turns:
            self._walk = self._made()
        self._turns += 1
        if self._walk is None:
            return None
        length = self._length * _LENGTHS[self._turns % len(_LENGTHS)]
        met = self._walk.run(min(steps, self._walk.pace), length)
        self.taken, self.restarts = self._walk.firings, self._walk.restarts
        self._budget.report(f"{self.restarts} restarts, {self.taken} uniform steps")
        self._budget.check()
        actions = self._problem.net.actions
        return joined(((n, 1) for n in met[0].trace), actions) if met else None

    def _made(self) -> Walk | None:
        """The walk; None where the numbers are too large for it."""
        try:
            walk = Walk(self._problem.net, [self._problem.target], self._seed)
        except BudgetExhausted:
            return None
        self._budget.report(how())
        return walk if walk.open else None
