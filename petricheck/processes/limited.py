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
from petricheck.processes.tree import (
    MemoryMeter,
    cpu_seconds,
    ended_cpu_seconds,
    family,
    kill_children,
)

GRACE = 1.0
"""Seconds for which more memory than allowed may be used."""

OVERSHOOT = 1.1
"""Whatever uses so many times its memory is killed at once."""


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
    watch = _Watch(stage)
    run = partial(_apart, task.run)
    child = Child(replace(task, run=run), lambda news: watch.begin(following(news)))
    try:
        child.start()
        outcome: Outcome[Result] | None = None
        while outcome is None:
            if speaking([child], watch.pause):
                outcome = child.receive()
            if outcome is None and (failure := watch.look()):
                outcome = Failed(task.name, *failure)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        kill_children()
    return outcome, watch.usage()


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


class _Watch:
    """Knows the stage, what is used, and which limit is broken."""

    def __init__(self, stage: Stage) -> None:
        self._peak = 0
        self.begin(stage)

    def begin(self, stage: Stage) -> None:
        """A stage begins now."""
        self._stage, self._began = stage, time.monotonic()
        self._cpu_before = ended_cpu_seconds() + cpu_seconds(_below())
        self._large_since: float | None = None
        limit = math.inf if stage.memory is None else stage.memory * MEBIBYTE
        self._meter = MemoryMeter(limit, OVERSHOOT)

    @property
    def pause(self) -> float:
        """Seconds until `look` is due."""
        due = min(self._meter.next_look, self._began + self._stage.seconds)
        return max(0.0, due - time.monotonic())

    def look(self) -> tuple[str, Ending] | None:
        """What is said where a limit is broken."""
        now, stage = time.monotonic(), self._stage
        if now >= self._began + stage.seconds:
            return stage.overrun, Ending.TIME
        if now < self._meter.next_look:
            return None
        processes = _below()
        held = self._meter.look(processes, self._peak)
        self._peak = max(self._peak, held)
        if self._is_too_large(held, now):
            return f"killed at the memory limit of {stage.memory} MiB", Ending.MEMORY
        used = ended_cpu_seconds() + cpu_seconds(processes) - self._cpu_before
        if stage.cpu_seconds is not None and used >= stage.cpu_seconds:
            return f"killed at the CPU limit of {stage.cpu_seconds:g} s", Ending.TIME
        return None

    def usage(self) -> Usage:
        """What was used; all processes must have ended."""
        cpu = max(0.0, ended_cpu_seconds() - self._cpu_before)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10
        return Usage(self._stage, time.monotonic() - self._began, cpu, max(self._peak, peak))

    def _is_too_large(self, held: int, now: float) -> bool:
        if held <= self._meter.limit:
            self._large_since = None
            return False
        self._large_since = self._large_since or now
        return held > self._meter.limit * OVERSHOOT or now - self._large_since >= GRACE


def _below() -> list[int]:
    """The processes below this one."""
    return family(os.getpid())[1:]
