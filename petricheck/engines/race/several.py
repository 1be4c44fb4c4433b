"""Several questions about one net: cheap attempts at all of them first, then a race.

First a few engines try the net as it is, so that easy questions are decided at once. Then the net
is reduced once for all questions, within a part of the time. After that these race in processes of
their own, with turns that grow:

- each engine that searches for several targets at once, on the net that is reduced for all;
- groups of questions, each question on nets that are reduced for it alone, where all engines try
  one after the other, within slices that grow.

So short rounds over all questions come first, and long slices for hard questions last. Time that
decided questions do not need is used for the others.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any

from petricheck.engines import IsOpen, all_open, isolated
from petricheck.engines.race.agenda import Agenda
from petricheck.engines.race.attempts import Attempt
from petricheck.engines.race.members import GROWTH, conclude, decide, search, share
from petricheck.engines.reductions import REDUCTIONS, Reduced, reduce_for_all
from petricheck.explicit.kernel.compiled import is_compiled, prepare
from petricheck.model.net import Net
from petricheck.support import plugins
from petricheck.support.budget import Budget, Event, Turn
from petricheck.support.errors import BudgetExhausted
from petricheck.support.processes.child import Failed, PartialResult, Task
from petricheck.support.processes.lanes import Lanes
from petricheck.support.processes.parallel import run_parallel
from petricheck.support.words import counted

LARGE = 5_000
"""Places and transitions of a net for which nothing is tried in this process."""

_LARGE_NET = 12.0
"""In a large net the engines that try first have so many times their seconds."""

_REDUCTION = 8
"""The reduction for all questions has at most one part in so many of the remaining time."""

_OVERRUN = 4.0
"""A task that pauses by itself is stopped where its turn takes so many times its seconds."""

_GROUPS = 8
_ARCS = 1 << 18
"""Most groups of questions, each with a process; fewer where the copies of the net together would
have more arcs than this."""


@dataclass(frozen=True)
class Several:
    """Decides several questions about one net.

    Attributes:
        first: engines that try all questions before the net is reduced, with their seconds; they
            share their search.
        together: engines that look for several targets at once, with the seconds of their first
            turns.
        alone: engines that try each question alone, in this order, with the CPU seconds of their
            first attempts.
        jobs: how many processes compute at a time at most.
        reductions: whether the net is reduced.
    """

    first: Sequence[Attempt]
    together: Sequence[Attempt]
    alone: Sequence[Attempt]
    jobs: int
    reductions: bool

    def results(
        self, agenda: Agenda[Any], budget: Budget, is_open: IsOpen = all_open
    ) -> Iterator[tuple[int, Any]]:
        """Yield numbers of questions with their results, as they are decided, each once.

        A question that `is_open` calls closed is not tried any longer.
        """
        remaining = set(agenda.open)
        with suppress(BudgetExhausted, MemoryError), closing(self._run(agenda, budget)) as results:
            for number, result in results:
                if number in remaining:
                    remaining.remove(number)
                    agenda.close(number)
                    yield number, result
                    for other in [other for other in remaining if not is_open(other)]:
                        remaining.remove(other)
                        agenda.close(other)
                if not remaining:
                    return

    def _run(self, agenda: Agenda[Any], budget: Budget) -> Generator[tuple[int, Any], None, None]:
        """Yield results of the engines; a question may occur several times."""
        if is_large(agenda.net):
            prepare()
        else:
            for attempt in self.first:
                yield from self._try(attempt, agenda, budget)
        tasks = self._tasks(agenda, budget)
        race = run_parallel(tasks, jobs=Lanes(self.jobs), budget=budget, turn=1.0, growth=GROWTH)
        with closing(race) as outcomes:
            for outcome in outcomes:
                match outcome:
                    case PartialResult():
                        yield from outcome.content
                    case Failed(name, reason, fault=fault):
                        turn = Turn.FAILED if fault else Turn.GAVE_UP
                        budget.watch(Event(reason, name, turn))

    def _try(
        self, attempt: Attempt, agenda: Agenda[Any], budget: Budget
    ) -> Iterator[tuple[int, Any]]:
        """Yield results of an engine on the unreduced net, in this process, in half of the time."""
        limits = budget.of(attempt.engine).part(2, attempt.seconds)
        limits.watch(Event(counted(len(agenda.open), "question"), turn=Turn.STARTS))
        unreduced = Reduced(agenda.problems[0], (), ())
        with isolated(attempt.engine, budget.watch), suppress(BudgetExhausted):
            for number, result, _ in share(agenda, attempt.engine, limits, budget, unreduced):
                yield number, result
        limits.watch(Event("", turn=Turn.WAITS))

    def _tasks(self, agenda: Agenda[Any], budget: Budget) -> Iterator[Task[None]]:
        """Yield the tasks of the race; the net is reduced when the first of them needs that."""
        reduced = Reduced(agenda.problems[0], (), ())
        if is_large(agenda.net):
            # Modules that are loaded before the fork are not loaded again in every process.
            is_compiled()
            for attempt in (*self.first, *self.together, *self.alone):
                plugins.member("engines", attempt.engine)
            for attempt in self.first:
                limit = _LARGE_NET * attempt.seconds
                yield self._searching(agenda, attempt.engine, limit, attempt.seconds, reduced)
        if self.reductions:
            targets = [agenda.problems[number].target for number in agenda.open]
            with isolated(REDUCTIONS, budget.watch), suppress(BudgetExhausted):
                reduced = reduce_for_all(agenda.net, targets, budget.part(_REDUCTION))
            yield Task(REDUCTIONS, partial(conclude, agenda, reduced), share=inf)
        for attempt in self.together:
            yield self._searching(agenda, attempt.engine, inf, attempt.seconds, reduced)
        groups = max(self.jobs, min(_GROUPS, _ARCS // (1 + _arcs(agenda.net))))
        numbers = agenda.open
        for start in range(min(groups, len(numbers))):
            yield self._alone(agenda, numbers[start::groups], self.alone, reduced, self.reductions)

    def _searching(
        self, agenda: Agenda[Any], name: str, limit: float, turn: float, net: Reduced
    ) -> Task[None]:
        """Return the task of one engine that searches for all targets, in CPU seconds."""
        if not shares(name):
            first = (Attempt(name, turn / len(agenda.problems)),)
            return self._alone(agenda, agenda.open, first, net, reductions=False)
        return Task(name, partial(search, agenda, name, limit, net), share=turn)

    def _alone(
        self,
        agenda: Agenda[Any],
        numbers: Sequence[int],
        attempts: Sequence[Attempt],
        net: Reduced,
        reductions: bool,
    ) -> Task[None]:
        """Return the task that tries some questions one after the other."""
        run = partial(decide, agenda, numbers, attempts, net, reductions=reductions)
        several = counted(len(numbers), "question")
        name = attempts[0].engine if len(attempts) == 1 else several
        seconds = len(numbers) * sum(attempt.seconds for attempt in attempts)
        return Task(name, run, share=_OVERRUN * seconds)


def shares(name: str) -> bool:
    """Return whether the engine of this name searches for several targets at once."""
    return hasattr(plugins.member("engines", name), "solve_together")


def is_large(net: Net) -> bool:
    """Return whether a single step in this process could take longer than every limit."""
    return len(net.places) + len(net.transitions) > LARGE


def _arcs(net: Net) -> int:
    return sum(len(t.pre) + len(t.post) for t in net.transitions)
