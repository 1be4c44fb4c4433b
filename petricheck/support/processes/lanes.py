"""The number of computations that run at a time, so that other programs have their part.

Two races on two processors are fastest if each computes one thing at a time; one race alone, if it
computes two. So a race begins with one, takes another lane where a processor was idle for a moment,
and gives one back where more processes are ready to run than there are processors.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from pathlib import Path

PERIOD = 0.1
"""Seconds between two looks at the machine, at least."""

_IDLE = 0.7
"""A lane is taken where so much of a processor was idle."""

_CROWDED = 5
"""A lane is given back after so many looks in a row at more than the processors can run."""

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(eq=False)
class Lanes:
    """The number of computations that run at a time.

    Attributes:
        most: never more.
    """

    most: int
    _count: int = field(default=1, init=False)
    _crowded: int = field(default=0, init=False)
    _idle: float | None = field(default=None, init=False)
    _last_look: float = field(default=0.0, init=False)

    def __call__(self) -> int:
        """Return the present number; `most` where the system has no data about its processors."""
        now = time.monotonic()
        if now - self._last_look < PERIOD:
            return self._count
        state = _processors()
        if state is None:
            return self.most
        idle, running = state
        # This process is one of those that run, since it looks.
        self._crowded = self._crowded + 1 if running - 1 > (os.cpu_count() or 1) else 0
        if self._idle is not None and idle - self._idle > _IDLE * (now - self._last_look):
            self._count = min(self.most, self._count + 1)
        elif self._crowded >= _CROWDED:
            self._count, self._crowded = max(1, self._count - 1), 0
        self._idle, self._last_look = idle, now
        return self._count


def _processors() -> tuple[float, int] | None:
    """Return (idle seconds of all processors since the machine started, running tasks)."""
    try:
        lines = Path("/proc/stat").read_text().splitlines()
    except OSError:
        return None
    running = next((int(line.split()[1]) for line in lines if line.startswith("procs_running")), 0)
    return int(lines[0].split()[4]) / _TICKS, running
