"""The memory of a race: its processes and their parent together."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from petricheck.budget import MEBIBYTE, Budget, memory_limit
from petricheck.errors import Ending
from petricheck.race._entrants import Failed, Result
from petricheck.race._runner import Runner

_TICK = 0.05
"""Seconds between two looks at the clock."""

_MEMORY_TICK = 0.01
"""Seconds between two looks at the memory: a process may fill 1 GiB in a second."""


class Guard:
    """Keeps the family within its memory.

    Attributes:
        tick: seconds between two looks, and so the longest wait for messages.
    """

    def __init__(self, budget: Budget) -> None:
        self._limit = budget.memory
        self.tick = _TICK if budget.memory is None else _MEMORY_TICK
        self._next = 0.0

    def look(self, runners: Sequence[Runner[Result]]) -> Iterator[tuple[Runner[Result], Failed]]:
        """Kill the largest processes until the rest fits."""
        if self._limit is None or time.monotonic() < self._next:
            return
        own, sizes = _family(runners, _resident)
        if own + sum(sizes.values()) > self._limit * MEBIBYTE:
            own, sizes = _family(runners, _proportional)
        while own + sum(sizes.values()) > self._limit * MEBIBYTE and sizes:
            largest = max(sizes, key=lambda runner: sizes[runner])
            del sizes[largest]
            largest.kill()
            name = largest.entrant.name
            yield largest, Failed(name, memory_limit(self._limit), Ending.MEMORY)
        self._next = time.monotonic() + self.tick


def _family(
    runners: Sequence[Runner[Result]], measure: Callable[[int], int]
) -> tuple[int, dict[Runner[Result], int]]:
    """Bytes of this process, and of each that runs or waits."""
    alive = [(runner, runner.process) for runner in runners if runner.process is not None]
    return measure(os.getpid()), {runner: measure(process) for runner, process in alive}


def _resident(process: int) -> int:
    """Bytes that the process holds; what it shares with others is counted for each of them."""
    import psutil

    with suppress(psutil.Error):
        return int(psutil.Process(process).memory_info().rss)
    return 0


def _proportional(process: int) -> int:
    """Bytes that the process holds, with its part of what it shares; slower than `_resident`."""
    import psutil

    with suppress(psutil.Error, AttributeError):
        return int(psutil.Process(process).memory_full_info().pss)
    return _resident(process)
