"""Questions about one net: cheap attempts on the net as it is, then a race on a smaller one.

One question about a net of moderate size is tried by a few engines in this process, since most are
decided before a process would have begun. All else is done in processes of their own, `jobs` at a
time, with turns that grow, so that a step that takes long delays nobody and every limit holds:

- for several questions, or in a large net, engines on the net as it is that search for all targets
  at once;
- the reduction of the net, once for all questions that are open by then, and when it is done:
- for one question, each engine that has not ended;
- for several, each engine that searches for several targets at once, and groups of questions, each
  question on nets that are reduced further for it alone, where all engines try one after the other,
  within slices that grow.

So short rounds over all questions come first, and long slices for hard questions last. Time that
decided questions do not need is used for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Any

from petricheck.engines import Checked, IsOpen, all_open
from petricheck.engines.race.agenda import Agenda
from petricheck.engines.race.attempts import Attempt, try_in_turn
from petricheck.engines.race.tasks import GROWTH, Ends, decide, reduce_once, search
from petricheck.engines.reductions import REDUCTIONS, Reduced
from petricheck.evidence.answer import Reachable, Unreachable
from petricheck.model.net import Net
from petricheck.support import plugins
from petricheck.support.budget import Budget, Event, Turn
from petricheck.support.compiled import load, prepare
from petricheck.support.processes.child import Failed, PartialResult, Task
from petricheck.support.processes.lanes import Lanes
from petricheck.support.processes.limits import TaskStage
from petricheck.support.processes.parallel import run_parallel
from petricheck.support.words import counted

SLICES = 16
"""An engine with a patience races for one question for at least so many times its patience."""

LARGE = 5_000
"""Places and transitions of a net in which a single step could take longer than every limit."""

_MODERATE = 600
_MOST = 8.0
"""The first turns of the engines that try first are longer in nets of more places and transitions
than this, in proportion, but at most so many times."""

_TWICE = 1 + GROWTH
"""The engines that try first have a second turn, and then no other."""

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
        sweep: engines that try one question on the net as it is, with their seconds.
        sweep_together: engines that try all questions at once on the net as it is, with the seconds
            of their first turns.
        together: engines that look for several targets at once, with the seconds of their first
            turns.
        members: returns for a number of questions the engines that try each alone, in this order,
            with the CPU seconds of their first attempts at one of several; to know all loads them.
        jobs: how many processes compute at a time at most.
        turn: seconds of a first turn.
        reductions: whether the net is reduced.
    """

    sweep: Sequence[Attempt]
    sweep_together: Sequence[Attempt]
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
        if not _needs_processes(agenda):
            yield from self._try(agenda, budget)
        prepare()
        unreduced, reduced = Reduced(agenda.problems[0], (), ()), list[Reduced]()
        tasks, lanes = self._tasks(agenda, budget, unreduced, reduced), Lanes(self.jobs)
        race = run_parallel(tasks, jobs=lanes, budget=budget, turn=self.turn, growth=GROWTH)
        with closing(race) as outcomes:
            for outcome in outcomes:
                match outcome:
                    case PartialResult(content=Reduced() as way):
                        reduced.append(way if way.steps else unreduced)
                    case PartialResult():
                        yield from outcome.content
                    case Failed(name, reason, ending, fault=fault):
                        turn = Turn.FAILED if fault else Turn.GAVE_UP
                        budget.watch(Event(reason, name, turn, ending))
                        if name == REDUCTIONS:
                            reduced.append(unreduced)

    def _try(self, agenda: Agenda[Any], budget: Budget) -> Iterator[tuple[int, Any]]:
        """Yield the result of the only question, if an engine has one soon, in this process."""
        (number,) = agenda.open
        problem, record = agenda.problems[number], agenda.records[number]
        accept = partial(_checked, agenda, number, budget)
        if (result := try_in_turn(problem, self.sweep, budget, record, accept)) is not None:
            yield number, result

    def _tasks(
        self, agenda: Agenda[Any], budget: Budget, unreduced: Reduced, reduced: Sequence[Reduced]
    ) -> Iterator[Task[None] | None]:
        """Yield the tasks of the race, and None while the `reduced` net is awaited.

        Code that is loaded before a process begins is not loaded again there.
        """
        if _needs_processes(agenda):
            load()
            yield from self._first_tasks(agenda, unreduced)
        numbers, way = agenda.open, unreduced
        if not numbers:  # Their results are on the way.
            return
        if self.reductions:
            limit = budget.part(_REDUCTION).remaining
            run = partial(reduce_once, agenda, numbers, limit)
            yield Task(REDUCTIONS, run, TaskStage(cpu_seconds=_OVERRUN * limit, memory=inf), inf)
        members = self.members(len(numbers))
        if self.reductions:
            while not reduced:
                yield None
            way = reduced[0]
        if len(numbers) > 1:
            yield from self._tasks_of_several(agenda, numbers, members, way)
            return
        for attempt in members:
            able = budget.remaining >= SLICES * attempt.patience
            if able and attempt.engine not in agenda.records[numbers[0]].ends:
                alone = [replace(attempt, seconds=inf, patience=0.0)]
                run = partial(decide, agenda, numbers, alone, way)
                yield Task(attempt.engine, run, share=_ALONE)

    def _first_tasks(self, agenda: Agenda[Any], unreduced: Reduced) -> Iterator[Task[None]]:
        """Yield the tasks of the engines that try first; fewer questions need less time."""
        factor = min(_MOST, max(1.0, _nodes(agenda.net) / _MODERATE))
        for attempt in self.sweep_together:
            if shares(attempt.engine):
                longest = factor * len(agenda.open) / len(agenda.problems)
                longer = replace(attempt, seconds=max(1.0, longest) * attempt.seconds)
                yield _searching(agenda, longer, _TWICE * longer.seconds, unreduced)

    def _tasks_of_several(
        self, agenda: Agenda[Any], numbers: Sequence[int], members: Sequence[Attempt], way: Reduced
    ) -> Iterator[Task[None]]:
        for attempt in self.together:
            if shares(attempt.engine):
                yield _searching(agenda, attempt, inf, way)
            else:
                slices = [replace(attempt, seconds=attempt.seconds / len(numbers))]
                yield _trying(agenda, numbers, slices, way, attempt.engine)
        numbers = [number for number in numbers if agenda.is_open(number)]
        groups = max(self.jobs, min(_GROUPS, _ARCS // (1 + _arcs(agenda.net))))
        for start in range(min(groups, len(numbers))):
            group = numbers[start::groups]
            name = counted(len(group), "question")
            yield _trying(agenda, group, members, way, name, reductions=self.reductions)


def _checked(
    agenda: Agenda[Checked], number: int, budget: Budget, answer: Reachable | Unreachable
) -> Checked:
    return agenda.check(number, answer, budget)


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


def _needs_processes(agenda: Agenda[Any]) -> bool:
    """Return whether nothing is tried in this process."""
    return len(agenda.open) > 1 or _nodes(agenda.net) > LARGE


def _nodes(net: Net) -> int:
    return len(net.places) + len(net.transitions)


def _arcs(net: Net) -> int:
    return sum(len(t.pre) + len(t.post) for t in net.transitions)
