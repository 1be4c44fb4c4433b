"""Several computations in processes of their own, a few running at a time. Knows no nets.

All entrants of a race make progress: those that wait are stopped (SIGSTOP) and take turns with
those that run. Those in a queue begin one after the other, and then run to their end. The parent
watches the clock, and the memory of the whole family. Whichever way they end, nothing of them is
left behind.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Sequence

from petricheck.budget import Budget
from petricheck.race._entrants import Entrant, Failed, Finished, Outcome, Result
from petricheck.race._memory import Guard
from petricheck.race._queue import Timed, queue
from petricheck.race._runner import Runner, end, readable

__all__ = ["Entrant", "Failed", "Finished", "Outcome", "Timed", "queue", "race"]


def race(
    entrants: Sequence[Entrant[Result]], *, jobs: int, turn: float, budget: Budget
) -> Generator[Outcome[Result], None, None]:
    """Outcomes as they come; close the iterator (or exhaust it) to end the race.

    Args:
        entrants: in the order in which they get their first turn.
        jobs: how many run at a time.
        turn: seconds until a waiting entrant takes over.
        budget: limits for the whole family; told the events of all, and who starts, waits and
            goes on, each with the entrant's name as its engine.

    Raises:
        BudgetExhausted: the time is over.
    """
    runners = [Runner(entrant, budget) for entrant in entrants]
    waiting = deque(runners)
    running: list[Runner[Result]] = []
    guard = Guard(budget)
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                runner = waiting.popleft()
                if failed := runner.resume():
                    yield failed
                else:
                    running.append(runner)
            for runner in readable(runners, min(guard.tick, budget.remaining)):
                outcome = runner.receive()
                if outcome is not None:
                    (running if runner in running else waiting).remove(runner)
                    yield outcome
            for runner, failed in guard.look(runners):
                (running if runner in running else waiting).remove(runner)
                yield failed
            if budget.remaining == 0.0:
                raise budget.overrun
            _rotate(running, waiting, turn)
    finally:
        end(runners)


def _rotate(running: list[Runner[Result]], waiting: deque[Runner[Result]], turn: float) -> None:
    """Make room for waiting entrants where a turn is over."""
    now = time.monotonic()
    overdue = [runner for runner in running if now - runner.turn_began >= turn]
    for runner in overdue[: len(waiting)]:
        runner.pause()
        running.remove(runner)
        waiting.append(runner)
