"""Walks along solutions of the state equation: traces, and proofs where there is no solution.

A rational solution of least Σ x says how often each transition might fire between a marking and a
cube of the target. Where some of these could not fire although no firing took a token, it is solved
again with those that supply them, as in relaxed plans (Hoffmann, Nebel: The FF planning system,
2001). Walks fire the transitions in random order, each as often as that; last those after which
others could never fire. Where a walk is stuck, the equation is solved again from there, or with one
more firing of a transition that puts tokens where they are lacking. The first solutions begin at
the initial marking; where there is none, a half-space proves that. Of later ones half begin where
some random firings led.

Several targets of a net share one program, and every walk tests all of them.

Limits: of a target with many cubes one is taken at a time; congruences are not in the program; a
solution does not see the order in which tokens come and go.
"""

from __future__ import annotations

import random
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice

import numpy as np
from numpy.typing import NDArray

from petricheck.arithmetic.formulas.cubes import cubes
from petricheck.arithmetic.formulas.formulas import Cube
from petricheck.arithmetic.programs.warm_programs import PrimalPoint, Ray
from petricheck.engines import IsOpen, all_open
from petricheck.evidence.answer import Answer, Reachable, Unknown, Unreachable, measure
from petricheck.explicit.kernel.arrays import Integers
from petricheck.explicit.kernel.targets import Witness, named_trace
from petricheck.explicit.kernel.tour import Passage, Tour
from petricheck.model.net import Net, Transition
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.compiled import status
from petricheck.support.plugins import option
from petricheck.support.words import counted
from petricheck.symbolic.facts.equation import Clash, EquationProgram
from petricheck.symbolic.facts.proved import Facts


class Producers:
    """The transitions that put tokens on each place, as firings may need some in addition."""

    def __init__(self, net: Net, transitions: Iterable[Transition]) -> None:
        self._net = net
        self._numbers = [net.transition_numbers[transition.name] for transition in transitions]
        self._producers: dict[int, list[int]] = defaultdict(list)
        for number in self._numbers:
            for place, change in net.transitions[number].effect:
                if change > 0:
                    self._producers[place].append(number)

    def missing(self, marking: NDArray[np.int64], counts: NDArray[np.int64]) -> tuple[int, ...]:
        """Return transitions outside of `counts` that these firings need, whatever their order.

        As if no firing took a token. Where several transitions mark a place, it is one that can
        fire after few others outside of `counts`.
        """
        needed = np.flatnonzero(counts).tolist()
        _, are_stuck = self._suppliers(marking, counts, needed)
        if not are_stuck:
            return ()
        suppliers, _ = self._suppliers(marking, counts, self._numbers)
        pending, missing = needed, dict[int, None]()
        while pending:
            for place, _ in self._net.transitions[pending.pop()].pre:
                number = suppliers.get(place, -1)
                if number >= 0 and number not in missing and not counts[number]:
                    missing[number] = None
                    pending.append(number)
        return tuple(missing)

    def _suppliers(
        self, marking: NDArray[np.int64], counts: NDArray[np.int64], numbers: Iterable[int]
    ) -> tuple[Mapping[int, int], bool]:
        """Return by place which of these transitions first marks it; whether some cannot fire."""
        marked, suppliers = set(np.flatnonzero(marking).tolist()), dict[int, int]()
        waiting: dict[int, list[int]] = defaultdict(list)
        unread, enabled = [*numbers], deque[int]()
        while True:
            while unread:
                number = unread.pop()
                inputs = self._net.transitions[number].pre
                empty = next((place for place, _ in inputs if place not in marked), None)
                if empty is not None:
                    waiting[empty].append(number)
                elif counts[number]:  # Those of the solution fire before all others.
                    enabled.appendleft(number)
                else:
                    enabled.append(number)
            if not enabled:
                return suppliers, bool(waiting)
            number = enabled.popleft()
            for place, change in self._net.transitions[number].effect:
                if change > 0 and place not in marked:
                    marked.add(place)
                    suppliers[place] = number
                    unread += waiting.pop(place, ())

    def lacking(self, marking: NDArray[np.int64], counts: NDArray[np.int64]) -> tuple[int, ...]:
        """Return transitions outside of `counts` that put tokens where these firings lack some."""
        inputs = (self._net.transitions[n].pre for n in np.flatnonzero(counts).tolist())
        places = {p for pre in inputs for p, weight in pre if marking[p] < weight}
        numbers = (n for place in sorted(places) for n in self._producers[place] if not counts[n])
        return tuple(dict.fromkeys(numbers))


_CUBES = 32
"""Most cubes of a target that are aimed at."""

_WALKS = 8
"""Walks along one solution."""

_PLANS, _MORE = 4, 5
"""Solutions for one target in the first round; how often their number doubles."""

_SECONDS = 5.0
"""For one linear program."""


@dataclass(frozen=True)
class ParikhWalk:
    """Walk along solutions of the state equation, from ever more markings."""

    unit = "linear program"
    paper = "Hoffmann, Nebel 2001; Wimmel, Wolf 2012; Thierry-Mieg 2021"

    seed: int = option(0, "seed; the same seed walks the same way")

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Walk until a marking is in the target."""
        for _, answer in self.solve_together([problem], budget):
            return answer
        reason = "floating point finds no solution of the state equation in the target"
        return Unknown(reason, "the engine state_equation may prove that")

    def solve_together(
        self, problems: Sequence[Problem], budget: Budget, is_open: IsOpen = all_open
    ) -> Iterator[tuple[int, Reachable | Unreachable]]:
        """Walk towards each target in turn, and test all of them."""
        budget.report(status())
        search = _ParikhSearch(problems, self.seed, budget, is_open)
        yield from search.run()


class _ParikhSearch:
    """One search for several targets."""

    def __init__(
        self, problems: Sequence[Problem], seed: int, budget: Budget, is_open: IsOpen
    ) -> None:
        self._budget, self._is_open = budget, is_open
        self._net, self._random = problems[0].net, random.Random(seed)
        self._tour = Tour(self._net, [problem.target for problem in problems], seed)
        self._facts = Facts(self._net)
        self._program = EquationProgram(self._net, self._facts.unblocked)
        self._producers = Producers(self._net, self._facts.unblocked)
        self._statistics, self._programs = measure("parikh_walk"), 0
        self._cubes = [tuple(islice(cubes(p.target, budget), _CUBES + 1)) for p in problems]
        self._closed: set[int] = set()  # targets that the equation excludes

    def run(self) -> Iterator[tuple[int, Reachable | Unreachable]]:
        """Yield numbers of problems with their answers."""
        yield from self._answers(self._tour.wander(1, 1))
        for number, choices in enumerate(self._cubes):
            if not choices:
                yield from self._refute(number, None)
        for turn in count():
            aims = [n for n in self._tour.open if n not in self._closed and self._is_open(n)]
            if not aims:
                return
            self._random.shuffle(aims)
            for number in aims:
                self._budget.check()
                self._budget.report(f"{counted(len(self._tour.open), 'target')} open")
                if number in self._tour.open and self._is_open(number):
                    yield from self._attempt(number, turn)

    def _attempt(self, number: int, turn: int) -> Iterator[tuple[int, Reachable | Unreachable]]:
        """Walk towards one target, from the initial marking or where a random walk ends."""
        choices = self._cubes[number]
        cube = choices[turn] if turn < len(choices) else self._random.choice(choices)
        self._tour.go_to(self._tour.start)
        if turn % 2:
            firings = 4 ** self._random.randint(1, 5)
            yield from self._answers(self._tour.wander(firings, firings))
        clash = self._aim(cube)
        point, fired = self._tour.position, self._tour.counts
        least = fired.copy()
        for plan in range(_PLANS << min(turn, _MORE)):
            if number not in self._tour.open:
                return
            solution = clash or self._solve(least)
            if not isinstance(solution, PrimalPoint):
                if solution is not None and not turn and not plan and len(choices) == 1:
                    yield from self._refute(number, solution)
                return
            counts = self._program.firings(solution) - fired
            missing = self._producers.missing(point.marking, counts)
            if missing:
                least[[*missing]] += 1
            else:
                for _ in range(_WALKS):
                    remaining = counts.copy()
                    self._tour.go_to(point)
                    yield from self._answers(self._tour.follow(remaining))
                    if number not in self._tour.open:
                        return
                if self._tour.position.firings > point.firings:
                    point, fired = self._tour.position, self._tour.counts
                    least = fired.copy()
                    continue
                lacking = self._producers.lacking(point.marking, remaining)
                if not lacking:
                    return
                least[self._random.choice(lacking)] += 1

    def _aim(self, cube: Cube) -> Clash | None:
        """Aim the walk at this cube; return a clash that excludes it, if there is one."""
        self._program.undo(0)
        return next(filter(None, map(self._program.add, cube)), None)

    def _solve(self, least: Integers) -> PrimalPoint | Ray | None:
        """Return a solution that fires each transition at least so often, or why there is none."""
        self._budget.check()
        self._programs += 1
        self._program.require(least)
        return self._program.solve(min(_SECONDS, self._budget.remaining))

    def _refute(self, number: int, reason: Clash | Ray | None) -> Iterator[tuple[int, Unreachable]]:
        """Yield a proof for a target of a single cube, or of none, if there is one."""
        self._closed.add(number)
        facts, choices = self._facts.for_another_target(), self._cubes[number]
        clash = self._program.clash(reason) if isinstance(reason, Ray) else reason
        if clash is not None:
            facts.add(0, clash.about(len(choices[0])))
        if clash is not None or not choices or facts.refute(choices[0], self._budget, 0):
            yield number, Unreachable(facts.certificate(), self._statistics(self._programs))

    def _answers(self, passage: Passage | None) -> Iterator[tuple[int, Reachable]]:
        """Yield traces to the targets that a walk passed, the last first: these show the most."""
        for fired, number in reversed(passage.stops if passage else ()):
            assert passage is not None
            trace = named_trace(Witness(number, passage.trace[:fired]), self._net)
            yield number, Reachable(trace, self._statistics(self._programs))
