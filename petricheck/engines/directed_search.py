"""Directed search: exact markings, the most promising first. Finds traces; proves no absence.

Blondin, Haase, Offtermatt: Directed reachability for infinite-state systems (2021): best-first
search and A*, with the state equation over the rationals as the distance to the target. Deviations:

- a firing that follows the linear program's plan inherits what is left of it, so that programs are
  solved only where the search leaves the plan (`search.state_equation`);
- a transition that the plan wants several times is also fired several times at once;
- the search restarts after ever longer runs, in random order, and takes turns between A* and greedy
  search, each with and without a penalty for plans that cannot start (`Firing.blocked`). A run that
  has taken a wrong turn meets all orders of the steps behind it; a new one often just avoids it.

Limits, the weightiest first: the distance ignores guards, so places that are only tested mislead
it; distance and pruning are floating point, so even an exhausted search proves nothing; markings
are kept whole; A* does not reopen markings, so traces need not be shortest.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import count, cycle
from typing import ClassVar

from petricheck.answer import Answer, Reachable, Trace, Unknown, joined, measure
from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted
from petricheck.plugins import option
from petricheck.problem import Problem
from petricheck.search.frontier import Met, Option, Queue, Rank, Steps, luby
from petricheck.search.guidance import Guidance
from petricheck.search.markings import Array, Firing
from petricheck.search.state_equation import NOWHERE, Estimate

_RUN = 250
"""How many markings the shortest run may meet."""

_NEAR = 1e-6
"""Differences between distances below this are noise."""

_ROUNDS = 16
"""How many options are tried between two looks at the budget."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """How one run ranks markings.

    Attributes:
        depth: weight of the firings behind a marking: 1 for A*, 0 for greedy search.
        blocked: weight of planned firings that cannot start.
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

    unit: ClassVar[str] = "linear program"
    rank: ClassVar[int] = 10

    strategy: str = option(
        "restarts", "restarts (random, A* and greedy in turn), astar or greedy (one run)", _TURNS
    )
    nodes: int = option(2_000_000, "how many markings to meet before giving up")
    seed: int = option(0, "seed of the random order after restarts")

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Search until a marking is in the target, none is left, or enough were met.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        guidance = Guidance(problem, budget)
        firing = Firing(problem)
        statistics, total = measure("directed_search"), 0
        for run, turn in zip(count(), cycle(_TURNS[self.strategy])):
            room = self.nodes - total
            if self.strategy == "restarts":
                room = min(room, _RUN * luby(run // len(_TURNS["restarts"]) + 1))
            order = random.Random(f"{self.seed} {run}") if run else None
            search = _Run(firing, guidance, turn, order, budget)
            try:
                ended = search.run(room)
            except BudgetExhausted as error:
                error.add_note(f"after {total + len(search.met)} markings")
                raise
            total += len(search.met)
            cost = statistics(guidance.programs, total)
            match ended:
                case _Found(steps):
                    return Reachable(_named(problem, steps), cost)
                case _Exhausted():
                    return Unknown(_NOTHING_LEFT, _HINT, cost)
                case _Full() if total >= self.nodes:
                    reason = f"{total} markings were met, none of them in the target"
                    return Unknown(reason, "allow more with the option nodes", cost)
        raise AssertionError("runs never end by themselves")


_NOTHING_LEFT = "the search space is exhausted, as far as floating point can tell"
_HINT = "the target is likely unreachable; another engine may prove it"


def _named(problem: Problem, steps: Steps) -> Trace:
    return joined(steps, problem.net.actions)


@dataclass(frozen=True, slots=True)
class _Found:
    """The run met the target after these firings."""

    steps: Steps


@dataclass(frozen=True, slots=True)
class _Exhausted:
    """Nothing is left to try."""


@dataclass(frozen=True, slots=True)
class _Full:
    """As many markings were met as allowed."""


class _Run:
    """One search from the initial marking.

    Options wait in the queue unfired, ranked by what the dual solution promises for them. Fired,
    a marking is judged anew; if it is worse than promised, it waits for its turn once more.
    """

    def __init__(
        self,
        firing: Firing,
        guidance: Guidance,
        turn: _Turn,
        order: random.Random | None,
        budget: Budget,
    ) -> None:
        self.met = Met(firing.pack(firing.initial))
        self._firing = firing
        self._guidance = guidance
        self._turn = turn
        self._order = order
        self._budget = budget
        self._queue = Queue()
        self._estimates: dict[int, Estimate] = {}
        self._penalties: dict[int, float] = {}
        self._nearest = float("inf")

    def run(self, room: int) -> _Found | _Exhausted | _Full:
        """Search until the target or the end, or until `room` markings were met."""
        if self._guidance.meets(self._firing.initial, 0.0):
            return _Found([])
        estimate = self._guidance.estimate(self._firing.initial)
        if estimate is NOWHERE:
            return _Exhausted()
        self._judge(0, self._firing.initial, estimate)
        self._expand(0, self._firing.initial)
        for tried in count():
            if tried % _ROUNDS == 0:
                self._budget.report(f"{len(self.met)} markings, distance {self._nearest:g}")
                self._budget.check()
            if not len(self._queue):
                return _Exhausted()
            if len(self.met) >= room:
                return _Full()
            found = self._try(*self._queue.pop())
            if found is not None:
                return _Found(self.met.steps(found))
        raise AssertionError("counting never ends")

    def _try(self, rank: Rank, option: Option) -> int | None:
        """Fire, judge and expand; the number of a marking in the target."""
        if option.transition < 0:
            self._expand(option.node, self._firing.unpack(self.met.key(option.node)))
            return None
        before = self._firing.unpack(self.met.key(option.node))
        marking = self._firing.fire(before, option.transition, option.times)
        if marking is None:
            return None
        node = self.met.add(self._firing.pack(marking), option)
        if node is None:
            return None
        estimate = self._guidance.after(
            self._estimates[option.node], option.transition, option.times
        )
        if estimate is None:
            estimate = self._guidance.estimate(marking)
        if self._guidance.meets(marking, estimate.distance):
            return node
        if estimate is NOWHERE:
            return None
        self._judge(node, marking, estimate)
        if self._rank(node, estimate.distance) > rank[0] + _NEAR:
            self._queue.push((self._rank(node, estimate.distance), False), Option(node, -1, 0))
        else:
            self._expand(node, marking)
        return None

    def _judge(self, node: int, marking: Array, estimate: Estimate) -> None:
        self._estimates[node] = estimate
        self._nearest = min(self._nearest, estimate.distance)
        weight = self._turn.blocked
        blocked = self._firing.blocked(marking, estimate.plan) if weight else 0.0
        self._penalties[node] = weight * blocked

    def _rank(self, node: int, distance: float, further: int = 0) -> float:
        depth = self.met.depth(node) + further
        return round(self._turn.depth * depth + distance + self._penalties[node], 6)

    def _expand(self, node: int, marking: Array) -> None:
        """Queue every firing: promised what the dual solution says, the planned ones first."""
        estimate = self._estimates[node]
        enabled: list[int] = self._firing.enabled(marking).tolist()
        if self._order is not None:
            self._order.shuffle(enabled)
        gains = self._guidance.gains(estimate, marking, enabled)
        for transition, gain in zip(enabled, gains, strict=True):
            planned = estimate.plan.get(transition, 0.0)
            most = self._firing.most(marking, transition) if planned >= 2 else 1
            for times in _repeats(planned, most):
                distance = max(0.0, estimate.distance - times * gain)
                rank = self._rank(node, distance, times), planned <= _NEAR
                self._queue.push(rank, Option(node, transition, times))


def _repeats(planned: float, most: int | None) -> list[int]:
    """How often to fire at once: 1, powers of two, and all that the plan wants and guards allow."""
    wanted = int(planned + _NEAR)
    top = wanted if most is None else min(wanted, most)
    repeats = [1]
    while repeats[-1] * 2 < top:
        repeats.append(repeats[-1] * 2)
    return [*repeats, top] if top > 1 else repeats
