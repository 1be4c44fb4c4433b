"""A computation in a process below this one, held to hard limits with all that it starts.

Whoever computes may know its limits and give up by itself; for this it gets a little more than the
limit on memory before it is killed. Whichever way it ends, none of its processes is left.
"""

from __future__ import annotations

import math
import os
import resource
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NoReturn

from petricheck.budget import MEBIBYTE
from petricheck.errors import Ending
from petricheck.processes.child import Child, Failed, Outcome, Result, Task, speaking
from petricheck.processes.system import adopt_orphans, be_killed_first, die_with, point_to_null
from petricheck.processes.tree import cpu_seconds, family, kill_children, memory

GRACE = 1.0
"""Seconds for which more memory than allowed may be used."""

OVERSHOOT = 1.1
"""Whatever uses so many times its memory is killed at once."""

TICKS = (0.02, 0.05)
"""Seconds between two looks at the processes: in the first second, and later."""

RELUCTANCE = 10
"""Where looking is slow, so many times its CPU time passes before the next look; fewer where memory
would be past its limit by then."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of a computation, with limits on all its processes together.

    Attributes:
        seconds: wall time from the beginning of the stage.
        overrun: what is said where that is over.
        cpu_seconds: CPU time from the beginning of the stage, or None.
        memory: resident memory in MiB, or None.
    """

    seconds: float
    overrun: str
    cpu_seconds: float | None = None
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """What a computation has used, with all that it started.

    Attributes:
        stage: the last one that began.
        seconds: wall time of that stage.
        cpu_seconds: CPU time of that stage.
        memory: the most resident bytes that were seen at any time; what is shared counts once.
    """

    stage: Stage
    seconds: float
    cpu_seconds: float
    memory: int


def run_limited(
    task: Task[Result], stage: Stage, following: Callable[[Any], Stage]
) -> tuple[Outcome[Result], Usage]:
    """Run a task; this process becomes the parent of all that it starts, and must have no others.

    Args:
        task: it runs in a session of its own, and sees neither terminal nor files of this process.
        stage: its first.
        following: the stage that a piece of its news begins.

    Returns:
        The outcome, and what was used until then.

    Raises:
        OSError: no process can be had.
    """
    _end_with_parent()
    adopt_orphans()
    point_to_null((0, 1, 2))
    meter = _Meter(stage)
    run = partial(_apart, task.run)
    child = Child(replace(task, run=run), lambda news: meter.begin(following(news)))
    try:
        child.start()
        outcome: Outcome[Result] | None = None
        while outcome is None:
            if speaking([child], meter.pause):
                outcome = child.receive()
            if outcome is None and (failure := meter.look()):
                outcome = Failed(task.name, *failure)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        kill_children()
    return outcome, meter.usage()


def _end_with_parent() -> None:
    """End by an exception, and so with all that was started, when the parent dies."""

    def end(*_: object) -> NoReturn:
        raise SystemExit(1)

    signal.signal(signal.SIGTERM, end)
    die_with(os.getppid(), signal.SIGTERM)


def _apart(run: Callable[[Any], Result], send: Any) -> Result:
    os.setsid()
    be_killed_first()
    return run(send)


class _Meter:
    """Knows the stage, what is used, and which limit is broken."""

    def __init__(self, stage: Stage) -> None:
        self._began = time.monotonic()
        self._peak = 0
        self._large_since: float | None = None
        self._seen, self._seen_at = 0, self._began
        self.begin(stage)
        self._plan()

    def begin(self, stage: Stage) -> None:
        """A stage begins now."""
        self._stage = stage
        self._stage_began, self._stage_cpu = time.monotonic(), _cpu_seconds(_below())

    @property
    def pause(self) -> float:
        """Seconds until `look` is due."""
        deadline = self._stage_began + self._stage.seconds
        return max(0.0, min(self._next_look, deadline) - time.monotonic())

    def look(self) -> tuple[str, Ending] | None:
        """What is said where a limit is broken."""
        now, stage = time.monotonic(), self._stage
        if now >= self._stage_began + stage.seconds:
            return stage.overrun, Ending.TIME
        if now < self._next_look:
            return None
        cost = time.thread_time()
        processes = _below()
        limit = math.inf if stage.memory is None else stage.memory * MEBIBYTE
        held = memory(processes, min(self._peak, limit))
        self._peak = max(self._peak, held)
        used = _cpu_seconds(processes) - self._stage_cpu
        self._plan(time.thread_time() - cost, self._headway(held, limit, now))
        if self._is_too_large(held / limit, now):
            return f"killed at the memory limit of {stage.memory} MiB", Ending.MEMORY
        if stage.cpu_seconds is not None and used >= stage.cpu_seconds:
            return f"killed at the CPU limit of {stage.cpu_seconds:g} s", Ending.TIME
        return None

    def usage(self) -> Usage:
        """What was used; all processes must have ended."""
        cpu = max(0.0, _cpu_seconds(()) - self._stage_cpu)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10
        seconds = time.monotonic() - self._stage_began
        return Usage(self._stage, seconds, cpu, max(self._peak, peak))

    def _is_too_large(self, part: float, now: float) -> bool:
        if part <= 1.0:
            self._large_since = None
            return False
        self._large_since = self._large_since or now
        return part > OVERSHOOT or now - self._large_since >= GRACE

    def _headway(self, held: int, limit: float, now: float) -> float:
        """Seconds until memory is killed for, if it grows as it did since the look before."""
        grown, passed = held - self._seen, now - self._seen_at
        self._seen, self._seen_at = held, now
        if grown <= 0:
            return math.inf
        return max(0.0, limit * OVERSHOOT - held) * passed / grown

    def _plan(self, cost: float = 0.0, headway: float = math.inf) -> None:
        now = time.monotonic()
        first, later = TICKS
        tick = first if now - self._began < 1.0 else later
        self._next_look = now + max(min(max(tick, RELUCTANCE * cost), headway / 2), cost)


def _below() -> list[int]:
    """The processes below this one."""
    return family(os.getpid())[1:]


def _cpu_seconds(processes: list[int] | tuple[()]) -> float:
    """Of these that are below this one, and of those that have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime + cpu_seconds(processes)
