"""Limits on one run, and the one channel for its progress."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from petricheck.errors import BudgetExhausted

MEBIBYTE = 1 << 20

LONGEST = 2**31 - 1
"""Milliseconds that every solver can count."""


def _silent(_: str) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long, how much, and whom to tell.

    Attributes:
        seconds: wall-clock limit, or None.
        memory: limit on this process's resident memory in MiB, or None.
        report: receives one short line of progress whenever there is news; must not raise.
        started: `time.monotonic()` at the start.
    """

    seconds: float | None = None
    memory: int | None = None
    report: Callable[[str], None] = _silent
    started: float = field(default_factory=time.monotonic)

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.started

    @property
    def remaining(self) -> float:
        """Seconds left, never negative; infinite without a limit."""
        return math.inf if self.seconds is None else max(0.0, self.seconds - self.elapsed)

    @property
    def overrun(self) -> str:
        """What is said where the time is over; without a limit it never is."""
        return f"the time limit of {self.seconds or 0.0:g} s is reached"

    def check(self) -> None:
        """Raise where a limit is reached; cheap enough for every round of a loop.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        if self.remaining == 0.0:
            raise BudgetExhausted(self.overrun)
        if self.memory is not None and resident_memory() > self.memory * MEBIBYTE:
            raise BudgetExhausted(f"the memory limit of {self.memory} MiB is reached")


def resident_memory() -> int:
    """Bytes of physical memory that this process holds now."""
    import psutil

    return int(psutil.Process().memory_info().rss)


def milliseconds(seconds: float) -> int:
    """A limit as solvers count it: at least one, and at most what a signed 32-bit integer holds.

    24 days are as good as none; solvers refuse more, or take it for little.
    """
    return max(1, int(min(seconds * 1000, LONGEST)))
