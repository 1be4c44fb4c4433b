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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import ClassVar

from petricheck.answer import Answer, Reachable, Statistics, Unknown, joined, measure
from petricheck.budget import Budget
from petricheck.kernel.compiled import how
from petricheck.kernel.targets import Witness, fits_loops, named
from petricheck.kernel.walk import Walk
from petricheck.plugins import option
from petricheck.presburger.formulas import atoms
from petricheck.problem import Problem
from petricheck.search.walks import LeaningWalk

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
        measured, net = measure("random_walk"), problem.net
        leaning = LeaningWalk(problem, self.seed, self.length)
        restarts = firings = 0

        def statistics() -> Statistics:
            return measured(leaning.restarts + restarts, leaning.taken + firings)

        if not leaning.enabled and leaning.distance:
            return Unknown("the initial marking enables nothing", "", statistics())
        width = sum(1 for _ in atoms(problem.target))
        first = _FIRST if width <= _ATOMS else 0
        turn = _TURN * _ATOMS // max(_ATOMS, width) + 1
        uniform = self._turns([problem], budget) if fits_loops(problem) else iter(())
        leaning.run(min(first, self.steps), budget)
        while leaning.distance and leaning.taken + firings < self.steps:
            for walk, witnesses in islice(uniform, 1):
                restarts, firings = walk.restarts, walk.firings
                for witness in witnesses:
                    return Reachable(named(witness, net), statistics())
            leaning.run(min(turn, self.steps - leaning.taken - firings), budget)
        if not leaning.distance:
            return Reachable(joined(leaning.steps, net.actions), statistics())
        walked = statistics()
        reason = f"{walked.states} steps with {walked.iterations} restarts did not meet the target"
        return Unknown(reason, "allow more with the option steps", walked)

    def solve_together(
        self, problems: Sequence[Problem], budget: Budget
    ) -> Iterator[tuple[int, Reachable]]:
        """Walk uniformly, watched by all targets, until each is met or enough steps were taken.

        Raises:
            BudgetExhausted: time or memory ran out, with some targets open, or numbers are too
                large.
        """
        statistics = measure("random_walk")
        for walk, witnesses in self._turns(problems, budget):
            for witness in witnesses:
                trace = named(witness, problems[0].net)
                yield witness.target, Reachable(trace, statistics(walk.restarts, walk.firings))
            if walk.firings >= self.steps:
                return

    def _turns(
        self, problems: Sequence[Problem], budget: Budget
    ) -> Iterator[tuple[Walk, tuple[Witness, ...]]]:
        """Uniform walks that all targets watch, for some hundredths of a second at a time.

        Raises:
            BudgetExhausted: as by `solve_together`.
        """
        walk = Walk(problems[0].net, [problem.target for problem in problems], self.seed)
        budget.report(how())
        for factor in cycle(_LENGTHS):
            yield walk, walk.run(min(walk.pace, self.steps), self.length * factor)
            if not walk.open or walk.stuck:
                return
            budget.report(f"{walk.firings} steps, {len(walk.open)} targets open")
            budget.check()
