"""Random walks, uniform ones and ones that lean towards the target: traces, no proofs of absence.

A uniform step fires any enabled transition. A leaning step draws a few transitions and fires the
one that leads nearest to the target by its formula (the near-sighted distance of
`kernel.loops.distances`); now and then it fires any. In small nets some leaning steps come first,
in plain Python: they decide small questions before compiled code is loaded. Then the two kinds
take turns, with short walks and long ones, and with walks by plans. A plan is a list of firings
that would lead into the target if no firing took tokens (`kernel.loops.plans`). It is fired as far
as possible; then the next plan is made from there. A walk that is stuck or too long starts over.
No markings are stored, so memory stays constant.

Limits: the distance sees neither guards nor effects, so a way that leads away from the target
first is taken by luck only; plans see guards, but not what firings take from one another; the same
markings are visited again and again; numbers beyond 2^40 are not searched.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from petricheck.engines import IsOpen, all_open
from petricheck.evidence.answer import Answer, Reachable, Unknown, measure
from petricheck.explicit.kernel.targets import Witness, named_trace
from petricheck.explicit.kernel.walk import Walk
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.compiled import pace, status
from petricheck.support.plugins import option
from petricheck.support.words import counted

_UNIFORM = ((16, 1), (256, 1), (4096, 1))
"""Walks in turn: (length as a multiple of the shortest, transitions drawn for a step)."""

_LEANING = ((1, 2), (16, 1), (16, 3), (256, 1), (4, 8), (4096, 1), (64, 4))
"""The same where walks may lean towards a target."""

_SMALL = 5_000
"""Most arcs to transitions of a net in which plain Python takes hardly any time."""

_PURSUITS = (64, 1024, 16)
"""Lengths of walks by plans in turn, as multiples of the shortest."""

_PURSUED, _LONGER = 16, 6
"""Targets that are pursued in a turn; how often the runs of a walk double from turn to turn."""

_SLOWER = 8
"""A turn of leaning steps has so many times fewer steps."""


@dataclass(frozen=True)
class RandomWalk:
    """Walk at random, uniformly and with a bias towards the target, and start over and over."""

    unit = "restart"
    rank = 15

    seed: int = option(0, "seed; the same seed walks the same way")
    steps: int = option(1_000_000_000, "how many steps to take before giving up")
    length: int = option(64, "steps of the shortest walks")

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Walk until a marking is in the target or enough steps were taken."""
        statistics = measure("random_walk")
        small = sum(len(transition.pre) for transition in problem.net.transitions) <= _SMALL
        walk = Walk(problem.net, [problem.target], self.seed, leans=True, plain=small)
        first = min(walk.leaning_pace, self.steps) if small else 0
        for witness in walk.run(first, self.length, candidates=3):
            cost = statistics(walk.restarts, walk.firings)
            return Reachable(named_trace(witness, problem.net), cost)
        walk.plain = False
        for _, answer in self._answers([problem], walk, budget):
            return answer
        cost = statistics(walk.restarts, walk.firings)
        if walk.stuck:
            return Unknown("the initial marking enables nothing", "", cost)
        reason = f"{walk.firings} steps with {walk.restarts} restarts did not meet the target"
        return Unknown(reason, "allow more with the option steps", cost)

    def solve_together(
        self, problems: Sequence[Problem], budget: Budget, is_open: IsOpen = all_open
    ) -> Iterator[tuple[int, Reachable]]:
        """Walk and test all targets, until each is reached or enough steps were taken."""
        walk = Walk(problems[0].net, [problem.target for problem in problems], self.seed)
        yield from self._answers(problems, walk, budget, is_open)

    def _answers(
        self,
        problems: Sequence[Problem],
        walk: Walk,
        budget: Budget,
        is_open: IsOpen = all_open,
    ) -> Iterator[tuple[int, Reachable]]:
        """-"""
        statistics, net = measure("random_walk"), problems[0].net
        budget.report(status())
        for witnesses in self._runs(walk, is_open):
            for witness in witnesses:
                cost = statistics(walk.restarts, walk.firings)
                yield witness.target, Reachable(named_trace(witness, net), cost)
            if not any(map(is_open, walk.open)) or walk.stuck or walk.firings >= self.steps:
                return
            budget.report(
                f"{counted(walk.firings, 'step')}, {counted(len(walk.open), 'target')} open"
            )
            budget.check()

    def _runs(self, walk: Walk, is_open: IsOpen) -> Iterator[tuple[Witness, ...]]:
        """Yield the witnesses of runs of all kinds in turn, without end; each takes a moment.

        From turn to turn more runs continue one kind of walk: those by plans, and such as in a wide
        net do not come to their length in a run.
        """
        for turn in count():
            longer = 1 << min(turn, _LONGER)
            for factor, candidates in _LEANING if walk.leans else _UNIFORM:
                length = self.length * factor
                for _ in range(min(longer, 1 + length // walk.pace)):
                    steps = walk.pace if candidates == 1 else walk.pace // _SLOWER
                    yield walk.run(min(steps, self.steps - walk.firings), length, candidates)
            length = self.length * _PURSUITS[turn % len(_PURSUITS)]
            targets = [target for target in walk.open if is_open(target)]
            first = turn * _PURSUED % max(1, len(targets))
            for target in (*targets[first:], *targets[:first])[:_PURSUED]:
                walk.start_over()
                for _ in range(longer):
                    if target not in walk.open or not is_open(target):
                        break
                    yield walk.pursue(target, min(pace(), self.steps - walk.firings), length)
