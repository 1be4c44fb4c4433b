"""Computations that begin one after the other, a few running at a time."""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from petricheck.budget import Budget, Event, Turn
from petricheck.errors import Ending
from petricheck.race._entrants import Entrant, Failed, Outcome, Result
from petricheck.race._memory import Guard
from petricheck.race._runner import Runner, end, readable


@dataclass(frozen=True, slots=True)
class Timed(Entrant[Result]):
    """An entrant that is killed so many seconds after it began; with infinity it never is."""

    seconds: float = math.inf


Deadlines: TypeAlias = dict[Runner[Result], float]
"""Those that run, and when each is killed by `time.monotonic`."""


def queue(
    entrants: Iterable[Timed[Result]], *, jobs: int, budget: Budget
) -> Generator[Outcome[Result], None, None]:
    """The outcomes of all as they come; close the iterator (or exhaust it) to end those that run.

    Args:
        entrants: in the order in which they begin; the next one is taken when there is room for it.
        jobs: how many run at a time.
        budget: limit on the memory of the whole family; told the events of all, who starts and
            who ends, each with the entrant's name as its engine.
    """
    waiting = iter(entrants)
    running: Deadlines[Result] = {}
    guard = Guard(budget)
    try:
        while True:
            yield from _begin(waiting, running, jobs, budget)
            if not running:
                return
            for runner, outcome in _ended(running, guard):
                del running[runner]
                budget.watch(Event("", runner.entrant.name, Turn.ENDS))
                yield outcome
    finally:
        end(tuple(running))


def _begin(
    waiting: Iterator[Timed[Result]], running: Deadlines[Result], jobs: int, budget: Budget
) -> Iterator[Failed]:
    """Let as many run as may; what went wrong with those that cannot."""
    while len(running) < jobs and (entrant := next(waiting, None)) is not None:
        runner = Runner(entrant, budget)
        running[runner] = time.monotonic() + entrant.seconds
        if failed := runner.resume():
            del running[runner]
            yield failed


def _ended(
    running: Deadlines[Result], guard: Guard
) -> Iterator[tuple[Runner[Result], Outcome[Result]]]:
    """Those that have ended, by themselves or for their memory or time; waits a moment for them."""
    for runner in readable(tuple(running), guard.tick):
        if (outcome := runner.receive()) is not None:
            yield runner, outcome
    yield from guard.look(tuple(running))
    now = time.monotonic()
    for runner in [runner for runner, deadline in running.items() if deadline <= now]:
        runner.kill()
        yield runner, Failed(runner.entrant.name, "it did not end at its time limit", Ending.TIME)
