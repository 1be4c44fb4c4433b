"""Hard limits on a process with all that it starts, for one stage of its computation after another.

Whoever computes may know its limits and give up by itself; for this it gets a little more memory
for a moment.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from petricheck.support.budget import MEBIBYTE
from petricheck.support.errors import Ending
from petricheck.support.processes.tree import MemoryMeter, cpu_seconds, family

GRACE = 1.0
"""Seconds for which more memory than allowed may be used."""

OVERSHOOT = 1.1
"""Whatever uses so many times its memory is killed at once."""


@dataclass(frozen=True, slots=True)
class TaskStage:
    """A part of a computation, with limits on all its processes together.

    Attributes:
        seconds: wall time from the beginning of the stage.
        overrun: what is said where that is over.
        cpu_seconds: CPU time from the beginning of the stage, or None.
        cpu_overrun: what is said where that is used up; a share names no limit that a user set.
        memory: resident memory in MiB, infinite where it is measured alone; None where it is not.
        subject: what is known of the computation when the stage begins.
    """

    seconds: float = math.inf
    overrun: str = "it did not end at its time limit"
    cpu_seconds: float | None = None
    cpu_overrun: str = "its share of the time is used up"
    memory: float | None = None
    subject: str = ""


UNLIMITED = TaskStage()
"""A stage that may take for ever."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The resources that a computation and all its processes have used.

    Attributes:
        stage: the last one that began.
        seconds: wall time of that stage.
        cpu_seconds: CPU time of that stage.
        memory: the most resident bytes that were seen at any time; what is shared counts once.
    """

    stage: TaskStage
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    memory: int = 0


NOTHING = Usage(UNLIMITED)
"""What is used where nothing began."""


class Watch:
    """The stage of a process, its beginning, and the most memory that was measured."""

    def __init__(self, stage: TaskStage) -> None:
        """Watch a process that begins now, with this stage."""
        self._peak = 0
        self.begin(stage, 0.0)

    def begin(self, stage: TaskStage, cpu_before: float) -> None:
        """Begin a stage, before which so much CPU time was used."""
        self._stage, self._began, self._cpu_before = stage, time.monotonic(), cpu_before
        limit = math.inf if stage.memory is None else stage.memory * MEBIBYTE
        self._meter = MemoryMeter(limit, OVERSHOOT, GRACE)

    @property
    def next_look(self) -> float:
        """The time by `time.monotonic` at which `broken` has to be called again."""
        end = self._began + self._stage.seconds
        return end if self._stage.memory is None else min(end, self._meter.next_look)

    def broken(self, process: int) -> tuple[str, Ending] | None:
        """Return the reason and the ending where the process breaks a limit; else None."""
        now, stage = time.monotonic(), self._stage
        if now >= self._began + stage.seconds:
            return stage.overrun, Ending.TIME
        if now < self.next_look:
            return None
        processes = family(process)
        self._peak = max(self._peak, self._meter.look(processes, self._peak))
        if self._meter.is_broken:
            return f"killed at the memory limit of {stage.memory} MiB", Ending.MEMORY
        used = cpu_seconds(processes) - self._cpu_before
        if stage.cpu_seconds is not None and used >= stage.cpu_seconds:
            return stage.cpu_overrun, Ending.TIME
        return None

    def usage(self, process: int) -> Usage:
        """Return the resources used until now."""
        cpu = cpu_seconds(family(process)) - self._cpu_before
        return Usage(self._stage, time.monotonic() - self._began, max(0.0, cpu), self._peak)
