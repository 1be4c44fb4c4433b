"""Questions about one net: cheap attempts at all of them first, then a race.

First a few engines try the net as it is, so that easy questions are decided at once, in this
process. Then the net is reduced once for all questions that are open. After that there race, in
processes of their own, `jobs` at a time, with turns that grow:

- for one question, each engine that has not ended;
- for several, each engine that searches for several targets at once, and groups of questions, each
  question on nets that are reduced further for it alone, where all engines try one after the other,
  within slices that grow.

So short rounds over all questions come first, and long slices for hard questions last. Time that
decided questions do not need is used for the others. In a large net a single step could take longer
than every limit: there the engines that try first have processes too.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Any

from petricheck.engines import Checked, IsOpen, all_open, isolated
from petricheck.engines.race.agenda import Agenda
from petricheck.engines.race.attempts import Attempt, try_in_turn
from petricheck.engines.race.tasks import GROWTH, Ends, conclude, decide, search, share
from petricheck.engines.reductions import REDUCTIONS, Reduced, reduce, reduce_for_all
from petricheck.evidence.answer import Reachable, Unreachable
from petricheck.model.net import Net
from petricheck.support import plugins
from petricheck.support.budget import Budget, Event, Turn
from petricheck.support.compiled import is_compiled, prepare
from petricheck.support.errors import BudgetExhausted
from petricheck.support.processes.child import Failed, PartialResult, Task
from petricheck.support.processes.lanes import Lanes
from petricheck.support.processes.parallel import run_parallel
from petricheck.support.words import counted

SLICES = 16
"""An engine with a patience races for one question for at least so many times its patience."""

LARGE = 5_000
"""Places and transitions of a net for which nothing is tried in this process."""

_LARGE_NET = 12.0
"""In a large net the engines that try first have so many times their seconds."""

_REDUCTION = 8
"""The reduction has at most one part in so many of the remaining time."""

_ALONE = 3.0
"""The turns of an engine that has a process for one question are so many times as long."""

_OVERRUN = 4.0
"""A task that pauses by itself is stopped where its turn takes so many times its seconds."""

_GROUPS = 8
_ARCS = 1 << 18
"""Most groups of questions, each with a process; fewer where the copies of the net together would
have more arcs than this."""


@dataclass(frozen=True)
class Race:
    """Decides questions about one net.

    Attributes:
        sweep: engines that try all questions before the net is reduced, with their seconds.
        together: engines that look for several targets at once, with the seconds of their first
            turns.
        members: returns for a number of questions the engines that try each alone, in this order,
            with the CPU seconds of their first attempts at one of several; to know all loads them.
        jobs: how many processes compute at a time at most.
        turn: seconds of a first turn.
        reductions: whether the net is reduced.
    """

    sweep: Sequence[Attempt]
    together: Sequence[Attempt]
    members: Callable[[int], Sequence[Attempt]]
    jobs: int
    turn: float
    reductions: bool

    def results(
        self, agenda: Agenda[Any], budget: Budget, is_open: IsOpen = all_open
    ) -> Generator[tuple[int, Any], None, None]:
        """Yield numbers of questions with their results, as they are decided, each once.

        A question that `is_open` calls closed is not tried any longer.

        Raises:
            BudgetExhausted: time or memory ran out, and some questions are open.
        """
        remaining = set(agenda.open)
        with closing(self._run(agenda, budget)) as results:
            for number, result in results:
                if isinstance(result, Ends):
                    agenda.records[number].ends |= result.ends
                elif number in remaining:
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
            # Modules that are loaded before the fork are not loaded again in every process.
            is_compiled()
            for attempt in (*self.sweep, *self.together, *self.members(len(agenda.open))):
                plugins.member("engines", attempt.engine)
        else:
            for attempt in self.sweep:
                yield from self._try(attempt, agenda, budget)
        prepare()
        tasks, lanes = self._tasks(agenda, budget), Lanes(self.jobs)
        race = run_parallel(tasks, jobs=lanes, budget=budget, turn=self.turn, growth=GROWTH)
        with closing(race) as outcomes:
            for outcome in outcomes:
                match outcome:
                    case PartialResult():
                        yield from outcome.content
                    case Failed(name, reason, ending, fault=fault):
                        turn = Turn.FAILED if fault else Turn.GAVE_UP
                        budget.watch(Event(reason, name, turn, ending))

    def _try(
        self, attempt: Attempt, agenda: Agenda[Any], budget: Budget
    ) -> Iterator[tuple[int, Any]]:
        """Yield results of an engine on the net as it is, in this process.

        An engine that looks for one target at a time tries only where one is open.
        """
        name, numbers = attempt.engine, agenda.open
        if len(numbers) == 1:
            (number,) = numbers
            problem, record = agenda.problems[number], agenda.records[number]
            accept = partial(_checked, agenda, number, budget)
            if (result := try_in_turn(problem, [attempt], budget, record, accept)) is not None:
                yield number, result
        elif shares(name):
            limits = budget.of(name).part(2, attempt.seconds)
            limits.watch(Event(counted(len(numbers), "question"), turn=Turn.STARTS))
            unreduced = Reduced(agenda.problems[0], (), ())
            with isolated(name, budget.watch), suppress(BudgetExhausted):
                for number, result, _ in share(agenda, name, limits, budget, unreduced):
                    yield number, result
            limits.watch(Event("", turn=Turn.WAITS))

    def _tasks(self, agenda: Agenda[Any], budget: Budget) -> Iterator[Task[None]]:
        """Yield the tasks of the race; the net is reduced when the first of them needs that."""
        reduced, numbers = Reduced(agenda.problems[0], (), ()), agenda.open
        if is_large(agenda.net):
            for attempt in self.sweep:
                if shares(attempt.engine):
                    yield _searching(agenda, attempt, _LARGE_NET * attempt.seconds, reduced)
        if self.reductions:
            with isolated(REDUCTIONS, budget.watch), suppress(BudgetExhausted):
                reduced = _reduced(agenda, budget.part(_REDUCTION))
            yield Task(REDUCTIONS, partial(conclude, agenda, reduced), share=inf)
        if len(numbers) == 1:
            for attempt in self.members(1):
                able = budget.remaining >= SLICES * attempt.patience
                if able and attempt.engine not in agenda.records[numbers[0]].ends:
                    alone = [replace(attempt, seconds=inf, patience=0.0)]
                    run = partial(decide, agenda, numbers, alone, reduced)
                    yield Task(attempt.engine, run, share=_ALONE)
            return
        for attempt in self.together:
            if shares(attempt.engine):
                yield _searching(agenda, attempt, inf, reduced)
            else:
                slices = [replace(attempt, seconds=attempt.seconds / len(numbers))]
                yield _trying(agenda, numbers, slices, reduced, attempt.engine)
        members = self.members(len(numbers))
        groups = max(self.jobs, min(_GROUPS, _ARCS // (1 + _arcs(agenda.net))))
        for start in range(min(groups, len(numbers))):
            group = numbers[start::groups]
            name = counted(len(group), "question")
            yield _trying(agenda, group, members, reduced, name, reductions=self.reductions)


def _checked(
    agenda: Agenda[Checked], number: int, budget: Budget, answer: Reachable | Unreachable
) -> Checked:
    return agenda.check(number, answer, budget)


def _reduced(agenda: Agenda[Any], budget: Budget) -> Reduced:
    """Return the net reduced for all open questions: by all rewrites where there is one."""
    match [*agenda.targets]:
        case [number]:
            return reduce(agenda.problems[number], budget)
    return reduce_for_all(agenda.net, agenda.targets.values(), budget)


def _searching(agenda: Agenda[Any], attempt: Attempt, limit: float, net: Reduced) -> Task[None]:
    """Return the task of one engine that searches for all targets, in CPU seconds."""
    run = partial(search, agenda, attempt.engine, limit, net)
    return Task(attempt.engine, run, share=attempt.seconds)


def _trying(
    agenda: Agenda[Any],
    numbers: Sequence[int],
    attempts: Sequence[Attempt],
    net: Reduced,
    name: str,
    *,
    reductions: bool = False,
) -> Task[None]:
    """Return the task that tries some questions one after the other."""
    run = partial(decide, agenda, numbers, attempts, net, reductions=reductions)
    seconds = len(numbers) * sum(a.seconds for a in attempts if a.seconds >= a.patience)
    return Task(name, run, share=_OVERRUN * seconds)


def shares(name: str) -> bool:
    """Return whether the engine of this name searches for several targets at once."""
    return hasattr(plugins.member("engines", name), "solve_together")


def is_large(net: Net) -> bool:
    """Return whether a single step in this process could take longer than every limit."""
    return len(net.places) + len(net.transitions) > LARGE


def _arcs(net: Net) -> int:
    return sum(len(t.pre) + len(t.post) for t in net.transitions)
