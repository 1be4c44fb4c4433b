"""Explicit search: breadth-first over all reachable markings.

A marking in the target gives a shortest trace. Where no marking is left, the net is bounded and
the target unreachable. Two short proofs are tried first: a listing of all markings if they are
few, and a listing of their projections onto some of the places, which also proves some unbounded
nets. Then the compiled loops explore, and the table of all markings is the proof.

Limits: unbounded nets end where the memory is full, unless a projection proves them; a table that
is too large to be stored ends in "certificate too large".

A net without some of its places can do everything that the whole net does, on the remaining
places. So a finite set of projected markings, closed under firing in the projected net and without
the target, is an inductive invariant of the whole net. The places are found by refinement: start
with those of the target. Where the projected net reaches the target, or more markings than can be
listed, replay its trace in the whole net, and add the places that disable a transition.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from petricheck.arithmetic.formulas.formulas import variables
from petricheck.engines import IsOpen, all_open
from petricheck.evidence.answer import (
    Answer,
    Reachable,
    Statistics,
    Trace,
    Unknown,
    Unreachable,
    measure,
)
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.explicit.kernel.explore import Exploration
from petricheck.explicit.kernel.packing import markings_certificate
from petricheck.explicit.kernel.targets import fits_loops, named_trace
from petricheck.explicit.search.exploration import PlainExploration, listing
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.support.budget import MEBIBYTE, Budget
from petricheck.support.compiled import is_compiled
from petricheck.support.errors import BudgetExhausted, Ending, noting
from petricheck.support.plugins import option
from petricheck.support.words import counted


def projected(problem: Problem, most: int, work: int, budget: Budget) -> Certificate | None:
    """Return a listing over some of the places; None if there is none within the limits.

    At most `most` markings are listed, and `work` are explored, over all attempts together.
    """
    net = problem.net
    places = {net.place_numbers[name] for name in variables(problem.target)}
    while work > 0:
        budget.check()
        part = Problem(net.without(set(range(len(net.places))) - places), problem.target)
        exploration = PlainExploration(part, budget)
        exploration.run(most)
        markings = exploration.visited.markings
        work -= len(markings)
        if exploration.goal is None and exploration.exhausted and len(markings) <= most:
            return listing(part, markings)
        number = len(markings) - 1 if exploration.goal is None else exploration.goal
        missing = blocking(net, exploration.trace(number))
        if not missing:
            return None
        places |= missing
        budget.report(f"a proof on {len(places)} of {counted(len(net.places), 'place')} is tried")
    return None


def blocking(net: Net, trace: Trace) -> set[int]:
    """Return the places that lack tokens where the trace first fails to fire; empty if it fires."""
    marking = net.initial
    for name, times in trace.steps:
        transition = net.transitions[net.transition_numbers[name]]
        for _ in range(times):
            lacking = {place for place, weight in transition.pre if marking[place] < weight}
            if lacking:
                return lacking
            marking = transition.fire(marking)
    return set()


FIRST = 2_000
"""Markings explored before a projection is tried."""

PROJECTIONS = 10_000
"""Markings that the projection may explore."""

_CHECK_INTERVAL = 100_000
"""Markings that an exploration for many targets adds between two checks of the budget."""

_SHORT = 200
"""Up to so many markings each of several targets gets a listing; beyond they share a table."""

_OVERHEAD = 400
"""Bytes that a marking in plain Python takes, about, besides 8 for each place."""

AUDIT_STEPS = 5_000_000
"""Most markings times places times transitions of a listing: the steps of its audit."""


@dataclass(frozen=True)
class Explicit:
    """Explore all reachable markings, breadth first, and prove that the target is not among them.

    The table of all markings is the proof, or a listing of few.
    """

    rank = 50

    markings: int = option(0, "most markings to explore; 0 for as many as fit the memory")
    memory: int = option(0, "most memory for them, in MiB; 0 for a part of what there is")
    listed: int = option(10_000, "most markings that a certificate may list")

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Explore until a marking is in the target or no marking is left."""
        statistics = measure("explicit")
        exploration = PlainExploration(problem, budget)
        visited = exploration.visited

        def progress() -> str:
            return f"after {counted(len(visited), 'marking')}"

        with noting(progress):
            exploration.run(min(FIRST, self._most))
            if exploration.goal is None and not self._lists(problem.net, exploration):
                certificate = projected(
                    problem, self._most_listed(problem.net), PROJECTIONS, budget
                )
                if certificate is not None:
                    return Unreachable(certificate, statistics(0, len(visited)))
        if exploration.goal is None and not exploration.exhausted:
            if fits_loops(problem) and is_compiled():
                return self._solve_compiled(problem, budget)
            limit = self._memory(budget) // (_OVERHEAD + 8 * len(problem.net.places))
            with noting(progress):
                exploration.run(min(self._most, limit))
        cost = statistics(0, len(visited))
        if exploration.goal is not None:
            return Reachable(exploration.trace(exploration.goal), cost)
        if not exploration.exhausted:
            return self._unfinished(cost)
        if self._lists(problem.net, exploration):
            return Unreachable(listing(problem, visited.markings), cost)
        table = markings_certificate(problem.net.places, visited.markings)
        return Unreachable(table, cost) if table else _without_proof(cost)

    def solve_together(
        self, problems: Sequence[Problem], budget: Budget, is_open: IsOpen = all_open
    ) -> Iterator[tuple[int, Reachable | Unreachable]]:
        """Explore once for all targets; prove those that are open at the end."""
        yield from self._answers(problems, self._exploration(problems, budget), budget, is_open)

    def _exploration(self, problems: Sequence[Problem], budget: Budget) -> Exploration:
        targets = [problem.target for problem in problems]
        return Exploration(problems[0].net, targets, self._memory(budget))

    @property
    def _most(self) -> float:
        return self.markings or inf

    def _memory(self, budget: Budget) -> int:
        """-"""
        return self.memory * MEBIBYTE or budget.memory_left

    def _answers(
        self,
        problems: Sequence[Problem],
        exploration: Exploration,
        budget: Budget,
        is_open: IsOpen = all_open,
    ) -> Iterator[tuple[int, Reachable | Unreachable]]:
        """-"""
        statistics = measure("explicit")
        while any(map(is_open, exploration.open)) and not exploration.exhausted:
            budget.check()
            budget.report(
                f"{counted(exploration.size, 'marking')},"
                f" {counted(len(exploration.open), 'target')} open"
            )
            if exploration.full:
                full = f"{counted(exploration.size, 'marking')} fill the memory that they may take"
                raise BudgetExhausted(full, Ending.MEMORY)
            if exploration.overflowed or exploration.size > self._most:
                return
            for witness in exploration.run(int(min(_CHECK_INTERVAL, exploration.pace, self._most))):
                trace = named_trace(witness, problems[0].net)
                yield witness.target, Reachable(trace, statistics(0, exploration.size))
        if not exploration.exhausted:
            return
        short = exploration.size <= min(_SHORT, self._most_listed(problems[0].net))
        markings, table = (exploration.markings, None) if short else ([], exploration.table)
        for number in filter(is_open, exploration.open):
            certificate = listing(problems[number], markings) if short else table
            if certificate is not None:
                yield number, Unreachable(certificate, statistics(0, exploration.size))

    def _solve_compiled(self, problem: Problem, budget: Budget) -> Answer:
        exploration = self._exploration([problem], budget)
        statistics = measure("explicit")
        with noting(lambda: f"after {counted(exploration.size, 'marking')}"):
            for _, answer in self._answers([problem], exploration, budget):
                return answer
        cost = statistics(0, exploration.size)
        if exploration.exhausted:
            return _without_proof(cost)
        return self._unfinished(cost)

    def _unfinished(self, cost: Statistics) -> Unknown:
        """Return that there are more markings; the option is named only where it is the limit."""
        hint = _MORE if cost.states >= self._most else "another engine may decide it"
        return Unknown(_TOO_MANY.format(cost.states), hint, cost)

    def _lists(self, net: Net, exploration: PlainExploration) -> bool:
        """Return whether all markings were explored, and are few enough for a listing."""
        return exploration.exhausted and len(exploration.visited) <= self._most_listed(net)

    def _most_listed(self, net: Net) -> int:
        """Return the number of markings that a certificate may list if its audit is to be short."""
        work = max(1, len(net.places)) * max(1, len(net.transitions))
        return min(self.listed, max(1, AUDIT_STEPS // work))


def _without_proof(cost: Statistics) -> Unknown:
    return Unknown(_TOO_LARGE.format(cost.states), "another engine may prove it", cost)


_TOO_LARGE = "certificate too large: none of {} markings is in the target, but no proof fits a file"
_TOO_MANY = "{} markings were visited, and there are more"
_MORE = "raise the option markings, or try another engine"
