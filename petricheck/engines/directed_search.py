"""Directed search: exact markings, the most promising first. Finds traces; proves no absence.

Blondin, Haase, Offtermatt: Directed reachability for infinite-state systems (2021): best-first
search and A*, with the state equation over the rationals as the distance to the target. Deviations:

- a firing that follows the linear program's plan inherits the remaining plan, so that programs are
  solved only where the search leaves the plan (`search.state_equation`);
- a transition that the plan fires several times is also fired several times at once;
- the search restarts after ever longer runs, in random order, and takes turns between A* and greedy
  search, each with and without a penalty for plans that cannot start (`FiringRule.blocked`). After
  a wrong step a run tries all orders of the later steps; a new run often avoids that step.

Limits, the weightiest first: the distance ignores guards, so places that are only tested mislead
it; distance and pruning are floating point, so even an exhausted search proves nothing; markings
are stored whole; targets of many cubes, such as deadlocks, and numbers beyond 10^15 are not
searched for; A* does not reopen markings, so traces need not be shortest.

The distance to the target is that to the nearest of its cubes, each of which has a linear program.
For a marking a few of them are solved, in the order of the lower bounds that their last dual
solutions give.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count, cycle
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from petricheck.arithmetic.formulas.cubes import listed_cubes
from petricheck.arithmetic.formulas.formulas import Cube, evaluate, variables
from petricheck.evidence.answer import Answer, Reachable, Unknown, joined, measure
from petricheck.explicit.search import luby
from petricheck.explicit.search.firing import Array, FiringRule
from petricheck.explicit.search.state_equation import NOWHERE, DistanceProgram, Estimate
from petricheck.explicit.search.visited import Visited
from petricheck.model.problem import Problem
from petricheck.model.weights import weights_of
from petricheck.support.budget import Budget
from petricheck.support.errors import Ending, noting
from petricheck.support.plugins import option
from petricheck.support.words import counted

_PROGRAMS = 3
"""Programs solved for each marking after the first, at most."""


class Guidance:
    """Estimates of distances, for a problem whose target is the union of the cubes."""

    def __init__(self, problem: Problem, cubes: Sequence[Cube], budget: Budget) -> None:
        self.programs = 0
        self._budget, self._target = budget, problem.target
        self._columns = [(n, problem.net.place_numbers[n]) for n in variables(problem.target)]
        self._effects = weights_of(problem.net).effects
        self._owners = self._effects.owners
        self._equations = [DistanceProgram(problem.net, cube) for cube in cubes]
        self._first = True

    def estimate(self, marking: Array) -> Estimate:
        """Return the estimate for a marking; `NOWHERE` if the search should abandon it."""
        if self._first:
            self._first = False
            return self._first_estimate(marking)
        best = NOWHERE
        for number, equation in enumerate(sorted(self._equations, key=lambda e: e.bound(marking))):
            if best is not NOWHERE and (
                number >= _PROGRAMS or equation.bound(marking) >= best.distance
            ):
                break
            best = min(best, self._solve(equation, marking), key=attrgetter("distance"))
        return best

    def _first_estimate(self, marking: Array) -> Estimate:
        """Return the best estimate of all cubes; drop those that are unreachable."""
        answers = [(equation, self._solve(equation, marking)) for equation in self._equations]
        self._equations = [equation for equation, answer in answers if answer is not NOWHERE]
        estimates = (answer for _, answer in answers)
        return min(estimates, key=attrgetter("distance"), default=NOWHERE)

    def _solve(self, equation: DistanceProgram, marking: Array) -> Estimate:
        self._budget.check()
        self.programs += 1
        estimate = equation.estimate(marking, self._budget.remaining)
        if estimate is None:
            self._budget.check()
            return Estimate(max(0.0, equation.bound(marking)), {}, np.zeros(len(marking)))
        return estimate

    def gains(self, estimate: Estimate, enabled: list[int]) -> list[float]:
        """Return, for each of these transitions, how much a firing lowers the distance at most."""
        products = estimate.slopes[self._effects.indices] * self._effects.values
        all_gains = np.bincount(self._owners, products, self._effects.size)
        return list(all_gains[enabled])

    def is_goal(self, marking: Array) -> bool:
        """Return whether the marking is in the target, exactly."""
        return evaluate(self._target, {name: int(marking[n]) for name, n in self._columns})


_RUN = 250
"""Most markings of the shortest run."""

_CUBES = 32
"""Targets of more cubes are not searched for."""

_TOLERANCE = 1e-6
"""Differences between distances below this are noise."""

_CHECK_INTERVAL = 16
"""Options that are tried between two checks of the budget."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """The way in which one run ranks markings.

    `depth` is the weight of the firings behind a marking, 1 for A*, 0 for greedy search; `blocked`
    that of planned firings that cannot start.
    """

    depth: float
    blocked: float


_TURNS: dict[str, tuple[_Turn, ...]] = {
    "restarts": (_Turn(1, 0), _Turn(0, 0), _Turn(1, 1), _Turn(0, 1)),
    "astar": (_Turn(1, 0),),
    "greedy": (_Turn(0, 0),),
}


@dataclass(frozen=True)
class DirectedSearch:
    """Search for a trace, best first, with the state equation as the distance to the target."""

    unit = "linear program"
    rank = 10

    strategy: str = option(
        "restarts", "restarts (random, A* and greedy in turn), astar or greedy (one run)", _TURNS
    )
    nodes: int = option(2_000_000, "how many markings to meet before giving up")
    seed: int = option(0, "seed of the random order after restarts")

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Search until a marking is in the target, none is left, or the limit is reached."""
        statistics, total = measure("directed_search"), 0
        cubes = listed_cubes(problem.target, budget, most=_CUBES)
        if cubes is None:
            return Unknown(_MANY, _OTHERS, statistics(0), ending=Ending.NOT_APPLICABLE)
        firing, guidance = FiringRule(problem), Guidance(problem, cubes, budget)
        for number, turn in zip(count(), cycle(_TURNS[self.strategy])):
            markings = self.nodes - total
            if self.strategy == "restarts":
                markings = min(markings, _RUN * luby(number // len(_TURNS["restarts"]) + 1))
            order = random.Random(f"{self.seed} {number}") if number else None
            run = _Run(firing, guidance, turn, order, budget)
            with noting(partial(_progress, total, run.visited)):
                goal = run.goal(markings)
            total += len(run.visited)
            cost = statistics(guidance.programs, total)
            if goal is not None:
                return Reachable(joined(run.visited.steps(goal), problem.net.actions), cost)
            if run.exhausted:
                return Unknown(_NOTHING_LEFT, _HINT, cost)
            if total >= self.nodes:
                reason = f"{total} markings were visited, none of them in the target"
                return Unknown(reason, "allow more with the option nodes", cost)
        raise AssertionError("runs never end by themselves")


def _progress(before: int, visited: Visited[bytes]) -> str:
    return f"after {counted(before + len(visited), 'marking')}"


_NOTHING_LEFT = "the search space is exhausted, as far as floating point can tell"
_MANY = "the target is a disjunction of too many conjunctions"
_OTHERS = "the engines best_first and random_walk look for any target"
_HINT = "the target is likely unreachable; another engine may prove it"


class _Option(NamedTuple):
    """A firing that may be tried, the least first; of equally good ones the newest first.

    Attributes:
        rank: a lower bound on the distance with penalties, and whether it leaves the plan.
        age: a number that falls from one option to the next.
        node: number of a marking.
        transition: number of the transition to fire there; −1 to expand the marking itself.
        times: how often it fires in a row.
    """

    rank: tuple[float, bool]
    age: int
    node: int
    transition: int
    times: int


class _Run:
    """One search from the initial marking.

    An option is ranked, before it fires, by the estimate that the dual solution gives. After it has
    fired, the new marking gets its own estimate. If that is worse, the marking waits in the queue.
    """

    def __init__(
        self,
        firing: FiringRule,
        guidance: Guidance,
        turn: _Turn,
        order: random.Random | None,
        budget: Budget,
    ) -> None:
        self.visited = Visited(firing.pack(firing.initial))
        self.exhausted = False
        self._firing, self._guidance, self._turn = firing, guidance, turn
        self._order, self._budget = order, budget
        self._options: list[_Option] = []
        self._ages = count(0, -1)
        self._depths = [0]
        self._estimates: dict[int, Estimate] = {}
        self._penalties: dict[int, float] = {}
        self._nearest = float("inf")

    def goal(self, limit: int) -> int | None:
        """Return the number of a marking in the target; None if none of `limit` markings is."""
        initial = self._firing.initial
        if self._guidance.is_goal(initial):
            return 0
        estimate = self._guidance.estimate(initial)
        if estimate is not NOWHERE:
            self._judge(0, initial, estimate)
            self._expand(0, initial)
        for number in count():
            if number % _CHECK_INTERVAL == 0:
                self._budget.report(
                    f"{counted(len(self.visited), 'marking')}, distance {self._nearest:g}"
                )
                self._budget.check()
            if not self._options:
                self.exhausted = True
                return None
            if len(self.visited) >= limit:
                return None
            if (goal := self._try(heapq.heappop(self._options))) is not None:
                return goal
        raise AssertionError("counting never ends")

    def _try(self, option: _Option) -> int | None:
        """Fire the option; return the number of its marking if that is in the target."""
        source, transition, times = option.node, option.transition, option.times
        before = self._firing.unpack(self.visited.markings[source])
        if transition < 0:
            self._expand(source, before)
            return None
        marking = self._firing.fire(before, transition, times)
        if marking is None:
            return None
        node = self.visited.add(self._firing.pack(marking), source, transition, times)
        if node is None:
            return None
        self._depths.append(self._depths[source] + times)
        if self._guidance.is_goal(marking):
            return node
        estimate = self._estimates[source].after(transition, times)
        if estimate is None:
            estimate = self._guidance.estimate(marking)
        if estimate is NOWHERE:
            return None
        self._judge(node, marking, estimate)
        rank = self._rank(node, estimate.distance)
        if rank > option.rank[0] + _TOLERANCE:
            self._push((rank, False), node, -1, 0)
        else:
            self._expand(node, marking)
        return None

    def _push(self, rank: tuple[float, bool], node: int, transition: int, times: int) -> None:
        heapq.heappush(self._options, _Option(rank, next(self._ages), node, transition, times))

    def _judge(self, node: int, marking: Array, estimate: Estimate) -> None:
        self._estimates[node] = estimate
        self._nearest = min(self._nearest, estimate.distance)
        weight = self._turn.blocked
        blocked = self._firing.blocked(marking, estimate.plan) if weight else 0.0
        self._penalties[node] = weight * blocked

    def _rank(self, node: int, distance: float, further: int = 0) -> float:
        depth = self._depths[node] + further
        return round(self._turn.depth * depth + distance + self._penalties[node], 6)

    def _expand(self, node: int, marking: Array) -> None:
        """Queue every enabled firing, each with the estimate of the dual solution."""
        estimate = self._estimates[node]
        enabled = self._firing.enabled(marking)
        if self._order is not None:
            self._order.shuffle(enabled)
        gains = self._guidance.gains(estimate, enabled)
        for transition, gain in zip(enabled, gains, strict=True):
            planned = estimate.plan.get(transition, 0.0)
            most = self._firing.most(marking, transition) if planned >= 2 else 1
            for times in _repeats(planned, most):
                distance = max(0.0, estimate.distance - times * gain)
                rank = self._rank(node, distance, times), planned <= _TOLERANCE
                self._push(rank, node, transition, times)


def _repeats(planned: float, most: int | None) -> list[int]:
    """Return numbers of firings: 1, powers of two, and the most that plan and guards allow."""
    times = int(planned + _TOLERANCE)
    top = times if most is None else min(times, most)
    repeats = [1]
    while repeats[-1] * 2 < top:
        repeats.append(repeats[-1] * 2)
    return [*repeats, top] if top > 1 else repeats
