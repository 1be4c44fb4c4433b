"""What the processes of a race do: for all questions with one engine, or for some with many."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from math import inf
from typing import Any, TypeAlias

from petricheck.engines import Checked, Sharing, isolated
from petricheck.engines.race.agenda import Agenda
from petricheck.engines.race.attempts import Attempt
from petricheck.engines.race.record import End, refused
from petricheck.engines.race.variants import Variants
from petricheck.engines.reductions import REDUCTIONS, Reduced, reduce, reduce_for_all
from petricheck.evidence.answer import Answer, Reachable
from petricheck.support import plugins
from petricheck.support.budget import Budget, Event, Turn
from petricheck.support.errors import BudgetExhausted, Ending, NotLifted, Refused
from petricheck.support.processes.child import PartialResult, Pause

GROWTH = 2.0
"""Each slice of a question is so many times as long as the one before."""

Report: TypeAlias = Callable[[Any], None]
"""Receives parts, each a list of pairs (number, result or `Ends`); events, and pauses."""


@dataclass(frozen=True, slots=True)
class Ends:
    """How engines ended on a question that they will not decide, by name."""

    ends: dict[str, End]


def search(
    agenda: Agenda[Any], name: str, seconds: float, reduced: Reduced, report: Report
) -> None:
    """Search for all open targets with one engine that shares its search.

    Args:
        agenda: the questions.
        name: of the engine.
        seconds: CPU time that it has.
        reduced: the net, reduced for all of them.
        report: receives the results.
    """
    sender = _Sender(report)
    budget = _computing(agenda, seconds, sender.watch)
    try:
        for number, result, at_once in share(agenda, name, budget, budget, reduced):
            sender.send(number, result, at_once=at_once)
    except BudgetExhausted as error:
        if error.ending is not Ending.TIME:  # Its seconds are over, which is no end of the engine.
            raise
    finally:
        sender.flush()


def share(
    agenda: Agenda[Checked], name: str, limits: Budget, budget: Budget, reduced: Reduced
) -> Iterator[tuple[int, Checked | Ends, bool]]:
    """Run the engine in this process, with limits for it, and others that include audits.

    Yields:
        The number of a question, its result, and whether that is urgent: a trace, or a failure.
    """
    engine = plugins.build("engines", name)
    assert isinstance(engine, Sharing)
    numbers = agenda.open
    ways = [reduced.about(agenda.problems[number].target) for number in numbers]

    def is_open(position: int) -> bool:
        return agenda.is_open(numbers[position])

    problems = [way.problem for way in ways]
    for position, answer in engine.solve_together(problems, limits, is_open):
        number = numbers[position]
        if agenda.is_open(number):
            with isolated(name, budget.watch), budget.tolerate_overruns(), suppress(NotLifted):
                try:
                    result = agenda.result(number, ways[position], answer, budget)
                    yield number, result, isinstance(answer, Reachable)
                except Refused as refusal:
                    yield number, Ends({name: refused(refusal)}), True


def reduce_once(
    agenda: Agenda[Any], numbers: Sequence[int], seconds: float, report: Report
) -> None:
    """Report the net reduced for some questions, then those answers that need no engine.

    Args:
        agenda: the questions.
        numbers: which of them; for one there are more rewrites.
        seconds: CPU time for the rewrites.
        report: receives the reduction and the results.
    """
    limits = _computing(agenda, seconds, report)
    targets = [agenda.problems[number].target for number in numbers]
    if len(numbers) == 1:
        reduced = reduce(agenda.problems[numbers[0]], limits)
    else:
        reduced = reduce_for_all(agenda.net, targets, limits)
    report(PartialResult("", reduced))
    budget = _computing(agenda, inf, report)
    for number, target in zip(numbers, targets, strict=True):
        way = reduced.about(target)
        answer = way.decided()
        if answer is not None and agenda.is_open(number):
            with isolated(REDUCTIONS, report), suppress(NotLifted, Refused, BudgetExhausted):
                report(PartialResult("", [(number, agenda.result(number, way, answer, budget))]))


def decide(
    agenda: Agenda[Any],
    numbers: Sequence[int],
    attempts: Sequence[Attempt],
    reduced: Reduced,
    report: Report,
    *,
    reductions: bool = False,
) -> None:
    """Decide some questions one after the other, and again for longer, with these engines.

    It pauses when each question has had its slice.

    Args:
        agenda: the questions.
        numbers: which of them.
        attempts: the engines, with the CPU seconds of their first attempts at each question.
        reduced: the net, reduced for all of them.
        report: receives the results.
        reductions: whether the net is reduced further for each.
    """
    alone = len(agenda.open) == 1
    budget = _computing(agenda, inf, report if alone else partial(_report_briefly, report))
    questions = {
        n: Variants(problem, reduced.about(problem.target), reductions, agenda.records[n], budget)
        for n in numbers
        for problem in [agenda.problems[n]]
    }
    for turn in count():
        longer = [replace(a, seconds=a.seconds * GROWTH**turn) for a in attempts]
        longer = [attempt for attempt in longer if attempt.seconds >= attempt.patience]
        slice_ = sum(attempt.seconds for attempt in longer)
        for number, question in tuple(questions.items()):
            if agenda.is_open(number):
                _attempt(agenda, number, question, longer, budget.within(slice_), report)
            if agenda.is_open(number) and question.is_given_up(attempts):
                report(PartialResult("", [(number, Ends(question.ends))]))
                del questions[number]
            elif not agenda.is_open(number):
                del questions[number]
        if not questions:
            return
        report(Pause.UNTIL_NEXT_TURN)


def _report_briefly(report: Report, event: Event) -> None:
    """Report a failure; of other events the text, without the engine, since questions are many."""
    if event.turn is Turn.FAILED:
        report(event)
    elif event.turn is None:
        report(Event(event.text))


def _attempt(
    agenda: Agenda[Any],
    number: int,
    question: Variants,
    attempts: Sequence[Attempt],
    budget: Budget,
    report: Report,
) -> None:
    """Run the engines on a question for one slice of time."""

    def judge(way: Reduced, answer: Answer, budget: Budget) -> bool:
        report(PartialResult("", [(number, agenda.result(number, way, answer, budget))]))
        agenda.close(number)
        return True

    with suppress(BudgetExhausted):
        question.attempt(attempts, budget, judge)


@dataclass(eq=False)
class _Sender:
    """A sender of results; those with the same evidence go together, so that it is sent once."""

    report: Report
    waiting: list[tuple[int, Any]] = field(default_factory=list)

    def send(self, number: int, result: object, *, at_once: bool) -> None:
        """Send a result at once, or let it wait for others."""
        self.waiting.append((number, result))
        if at_once:
            self.flush()

    def flush(self) -> None:
        """Send the results that wait."""
        if self.waiting:
            self.report(PartialResult("", self.waiting))
            self.waiting = []

    def watch(self, event: Event) -> None:
        """Send the results that wait, then an event."""
        self.flush()
        self.report(event)


def _computing(agenda: Agenda[Any], seconds: float, watch: Callable[[Any], None]) -> Budget:
    """Return a limit on the CPU time of this process, which does not compute all the time."""
    clock, limit = time.process_time, None if seconds == inf else seconds
    return Budget(limit, None, watch, clock(), inf, clock, agenda.space)
