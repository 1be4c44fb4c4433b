"""Several computations in processes of their own, a few running at a time.

In a race all make progress: those that wait are stopped (SIGSTOP) and take turns with those that
run. Each turn of a task may be longer than the one before, so that short ones come first and long
ones have their time in the end. Otherwise tasks begin one after the other, and run to their end.
Whichever way they end, nothing of them is left behind.
"""

from __future__ import annotations

import math
import os
import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, Generic

from petricheck.support.budget import MEBIBYTE, Budget, Event, Turn, memory_limit
from petricheck.support.errors import Ending
from petricheck.support.processes.child import (
    Child,
    Failed,
    Outcome,
    PartialResult,
    Result,
    Task,
    kill_all,
    wait_for_news,
)
from petricheck.support.processes.tree import MemoryMeter, family, memory

_TICK = 0.05
"""Seconds between two looks at the clock."""

_IDLE = 4.0
"""A turn ends without the CPU seconds that it should have where it takes so many times as long."""


def run_parallel(
    tasks: Iterable[Task[Result] | None],
    *,
    jobs: int | Callable[[], int],
    budget: Budget,
    turn: float = math.inf,
    growth: float = 1.0,
) -> Generator[Outcome[Result] | PartialResult[Any], None, None]:
    """Yield outcomes, and parts of them, as they come; close the iterator to end the other tasks.

    In a race the caller has an outcome before another task begins, since it may end the race;
    otherwise the next one begins first.

    Args:
        tasks: in the order in which they begin; one is taken when there is room for it. None where
            the next one is not known before an outcome of those that run.
        jobs: how many run at a time, now.
        budget: limits on all together and this process; it is told the news of all, which are
            events, and who starts, waits and goes on, with the task's name as the engine of those
            that name none.
        turn: CPU seconds after which one that waits takes over, so that other programs do not
            shorten turns; finite for a race.
        growth: each turn of a task is so many times as long as the one before.

    Raises:
        BudgetExhausted: the time is over.
    """
    lanes = jobs if callable(jobs) else lambda: jobs
    group = _Group(tasks, lanes, budget, turn, growth)
    try:
        ended: list[Outcome[Result] | PartialResult[Any]] = []
        while True:
            if math.isfinite(turn):
                yield from ended
                ended = []
            failed = group.begin()
            yield from (*ended, *failed)
            if not group.children and not failed:
                return
            ended = group.wait()
            if budget.remaining == 0.0:
                yield from ended
                raise budget.overrun
    finally:
        kill_all(tuple(group.children))


class _Group(Generic[Result]):
    """Tasks, of which some have begun.

    Attributes:
        children: those that have a process.
    """

    def __init__(
        self,
        tasks: Iterable[Task[Result] | None],
        jobs: Callable[[], int],
        budget: Budget,
        turn: float,
        growth: float,
    ) -> None:
        self.children: list[Child[Result]] = []
        self._tasks = iter(tasks)
        self._running: dict[Child[Result], tuple[float, float]] = {}  # since when; CPU seconds then
        self._waiting: deque[Child[Result]] = deque()
        self._turns: Counter[Child[Result]] = Counter()
        self._jobs, self._budget, self._turn, self._growth = jobs, budget, turn, growth
        limit = math.inf if budget.memory is None else budget.memory * MEBIBYTE
        self._meter = MemoryMeter(limit)

    def begin(self) -> list[Failed]:
        """Start as many as may run, new ones first; return those that got no process."""
        now = time.monotonic()
        overdue = [child for child in self._running if self._is_overdue(child, now)]
        free = max(-len(overdue), self._jobs() - len(self._running))
        fresh = filter(None, islice(self._tasks, free + len(overdue)))
        entering = [Child(task, partial(self._pass_on, task.name)) for task in fresh]
        while self._waiting and len(entering) < free + len(overdue):
            entering.append(self._waiting.popleft())
        for child in overdue[: max(0, len(entering) - free)]:
            child.signal(signal.SIGSTOP)
            self._wait(child)
        return [failed for child in entering if (failed := self._go_on(child)) is not None]

    def _is_overdue(self, child: Child[Result], now: float) -> bool:
        """Return whether its turn is over, in CPU seconds; one that waits has so many more."""
        length = self._turn * child.task.share * self._growth ** self._turns[child]
        since, cpu_before = self._running[child]
        passed = now - since
        return passed >= length and (
            passed >= _IDLE * length or child.cpu_seconds - cpu_before >= length
        )

    def _wait(self, child: Child[Result]) -> None:
        """End its turn."""
        del self._running[child]
        self._turns[child] += 1
        self._waiting.append(child)
        self._tell(child, Turn.WAITS)

    def _go_on(self, child: Child[Result]) -> Failed | None:
        if child.process is None:
            self.children.append(child)  # Before: an interruption may come as soon as it is there.
            try:
                child.start()
            except OSError as error:
                self.children.remove(child)
                reason = f"no process could be started: {error.strerror}"
                return Failed(child.task.name, reason, began=False)
            self._tell(child, Turn.STARTS)
        else:
            child.go_on()
            self._tell(child, Turn.GOES_ON)
        self._running[child] = time.monotonic(), child.cpu_seconds
        return None

    def _pass_on(self, name: str, event: Event) -> None:
        """Forward an event of a task, with its name unless the event has one."""
        self._budget.watch(event if event.engine else replace(event, engine=name))

    def _tell(self, child: Child[Result], turn: Turn) -> None:
        self._budget.of(child.task.name).watch(Event("", turn=turn))

    def wait(self) -> list[Outcome[Result] | PartialResult[Any]]:
        """Wait a moment; return parts, and outcomes of tasks that have ended."""
        outcomes: list[Outcome[Result] | PartialResult[Any]] = []
        moments = [_TICK, self._budget.remaining]
        if self._budget.memory is not None:
            moments.append(max(0.0, self._meter.next_look - time.monotonic()))
        wait_for_news(self.children, min(moments))
        for child in (*self.children,):
            outcome = child.outcome()
            outcomes += child.parts
            child.parts = []
            if outcome is not None:
                outcomes.append(outcome)
                self._forget(child)
            elif child.pauses and child in self._running:
                self._wait(child)
        for child in self._too_large():
            outcomes.append(child.fail(memory_limit(self._budget.memory or 0), Ending.MEMORY))
            self._forget(child)
        return outcomes

    def _forget(self, child: Child[Result]) -> None:
        self.children.remove(child)
        self._running.pop(child, None)
        if child in self._waiting:
            self._waiting.remove(child)

    def _too_large(self) -> Iterator[Child[Result]]:
        """Yield the largest tasks until the others fit into the memory."""
        if self._budget.memory is None or time.monotonic() < self._meter.next_look:
            return
        families = {child: family(child.process) for child in self.children if child.process}
        everybody = [os.getpid(), *(process for below in families.values() for process in below)]
        excess = self._meter.look(everybody) - self._meter.limit
        sizes = {child: memory(below) for child, below in families.items()} if excess > 0 else {}
        for child in sorted(sizes, key=sizes.__getitem__, reverse=True):
            if excess > 0:
                excess -= sizes[child]
                yield child
