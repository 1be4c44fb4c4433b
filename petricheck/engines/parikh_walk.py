"""Walks along solutions of the state equation: traces, and proofs where it has none.

A rational solution of least Σ x says how often each transition might fire between a marking and a
cube of the target. Walks fire them in any order, each as often as that; where they are stuck, the
equation is solved again from there, or with another transition that marks what is lacking. The
first solutions begin at the initial marking, and where there is none, a half-space proves that;
later ones begin where some random firings led.

Several targets of a net share one program, and all watch every walk.

Limits: literals on several places are not in the program; of a target with many cubes one is taken
at a time; a solution knows nothing of the order in which tokens come and go.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from petricheck.answer import Answer, Reachable, Unknown, Unreachable, measure
from petricheck.budget import Budget
from petricheck.engines import IsOpen, all_open
from petricheck.facts.known import Facts
from petricheck.kernel.compiled import how
from petricheck.kernel.targets import Witness, named
from petricheck.kernel.tour import Passed, Tour
from petricheck.plugins import option
from petricheck.presburger.cubes import cubes
from petricheck.presburger.formulas import Cube
from petricheck.problem import Problem
from petricheck.search.parikh import ParikhVectors

_CUBES = 32
"""Of a target so many cubes are aimed at."""

_WALKS = 8
"""Walks along one solution."""

_PLANS, _MORE = 4, 5
"""Solutions for one target in the first round; how often their number doubles."""

_SECONDS = 5.0
"""For one linear program."""


@dataclass(frozen=True)
class ParikhWalk:
    """Walk along solutions of the state equation, from ever more markings."""

    unit: ClassVar[str] = "linear program"
    paper: ClassVar[str] = "Wimmel, Wolf 2012; Thierry-Mieg 2021"

    seed: int = option(0, "seed; the same seed walks the same way")

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Walk until a marking is in the target.

        Raises:
            BudgetExhausted: time or memory ran out, or numbers are too large.
        """
        for _, answer in self.solve_together([problem], budget):
            return answer
        reason = "floating point finds no solution of the state equation in the target"
        return Unknown(reason, "the engine state_equation may prove that")

    def solve_together(
        self, problems: Sequence[Problem], budget: Budget, is_open: IsOpen = all_open
    ) -> Iterator[tuple[int, Reachable | Unreachable]]:
        """Walk towards each target in turn, watched by all.

        Raises:
            BudgetExhausted: time or memory ran out, with some targets open, or numbers are too
                large.
        """
        budget.report(how())
        search = _Search(problems, self.seed, budget, is_open)
        yield from search.run()


class _Search:
    """One run."""

    def __init__(
        self, problems: Sequence[Problem], seed: int, budget: Budget, is_open: IsOpen
    ) -> None:
        self._budget, self._is_open = budget, is_open
        self._net, self._random = problems[0].net, random.Random(seed)
        self._tour = Tour(self._net, [problem.target for problem in problems], seed)
        self._vectors = ParikhVectors(self._net)
        self._statistics, self._programs = measure("parikh_walk"), 0
        self._cubes = [tuple(islice(cubes(p.target, budget), _CUBES + 1)) for p in problems]
        self._closed: set[int] = set()  # those that the equation excludes

    def run(self) -> Iterator[tuple[int, Reachable | Unreachable]]:
        """Answers, as soon as they are there."""
        yield from self._answers(self._tour.wander(1, 1))
        for number, some in enumerate(self._cubes):
            if not some:
                yield from self._refute(number, ())
        for turn in count():
            aims = [n for n in self._tour.open if n not in self._closed and self._is_open(n)]
            if not aims:
                return
            self._random.shuffle(aims)
            for number in aims:
                self._budget.check()
                self._budget.report(f"{len(self._tour.open)} targets open")
                if number in self._tour.open and self._is_open(number):
                    yield from self._attempt(number, turn)

    def _attempt(self, number: int, turn: int) -> Iterator[tuple[int, Reachable | Unreachable]]:
        """One target, from the initial marking or from where a walk leads."""
        choices = self._cubes[number]
        cube = choices[turn] if turn < len(choices) else self._random.choice(choices)
        self._tour.go_to(self._tour.start)
        if turn:
            firings = 4 ** self._random.randint(1, 5)
            yield from self._answers(self._tour.wander(firings, firings))
        point = self._tour.here
        for plan in range(_PLANS << min(turn, _MORE)):
            if number not in self._tour.open:
                break
            counts = self._solution(point.marking, cube)
            if counts is None:
                break
            if not len(counts):
                if not turn and not plan and len(choices) == 1:
                    yield from self._refute(number, cube)
                break
            missing = self._vectors.missing(point.marking, counts, cube)
            if not missing:
                for _ in range(_WALKS):
                    left = counts.copy()
                    self._tour.go_to(point)
                    yield from self._answers(self._tour.follow(left))
                    if number not in self._tour.open:
                        break
                if self._tour.here.firings > point.firings:
                    point = self._tour.here
                    self._vectors.demand_nothing()
                    continue
                missing = self._lacking(point.marking, left, cube)
            if not missing:
                break
            self._vectors.demand(self._random.choice(missing))
        self._vectors.demand_nothing()

    def _solution(self, marking: NDArray[np.int64], cube: Cube) -> NDArray[np.int64] | None:
        self._budget.check()
        self._programs += 1
        return self._vectors.solve(marking, cube, min(_SECONDS, self._budget.remaining))

    def _lacking(
        self, marking: NDArray[np.int64], left: NDArray[np.int64], cube: Cube
    ) -> tuple[int, ...]:
        """Transitions that put tokens where firings that are left lack them."""
        inputs = (self._net.transitions[n].pre for n in np.flatnonzero(left).tolist())
        places = {p for pre in inputs for p, weight in pre if marking[p] < weight}
        return self._vectors.feeding(sorted(places), left)

    def _refute(self, number: int, cube: Cube) -> Iterator[tuple[int, Unreachable]]:
        """A proof for a target of this only cube, or of none."""
        self._closed.add(number)
        facts = Facts(self._net)
        if not self._cubes[number] or facts.refute(cube, self._budget, 0):
            yield number, Unreachable(facts.certificate(), self._statistics(self._programs))

    def _answers(self, passed: Passed | None) -> Iterator[tuple[int, Reachable]]:
        """The targets that a walk passed, the last ones first: their traces show the most."""
        for fired, number in reversed(passed.stops if passed else ()):
            assert passed is not None
            trace = named(Witness(number, passed.trace[:fired]), self._net)
            yield number, Reachable(trace, self._statistics(self._programs))
