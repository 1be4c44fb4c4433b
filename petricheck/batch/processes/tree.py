"""The processes below this one: found, measured and ended together, whatever they do.

On Linux this process should adopt the orphans among them (`processes.adopt_orphans`), so that none
gets away by losing its parent.
"""

from __future__ import annotations

import math
import os
import resource
import signal
import sys
import time
from contextlib import suppress
from dataclasses import dataclass

import psutil

_KIBIBYTE = 1024


def be_killed_first() -> None:
    """Where memory runs out, the kernel shall take this process before others (Linux)."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")


@dataclass(frozen=True, slots=True)
class Usage:
    """What processes use together.

    Attributes:
        memory: resident bytes now; what they share is counted once.
        cpu_seconds: so far, of those that have ended as well.
    """

    memory: int
    cpu_seconds: float


class Tree:
    """A child of this process and all that it starts; there must be no other children.

    Attributes:
        root: the child's process id.
        status: how the child ended, as `os.wait4` tells; None before.
        peak: the most resident bytes that were seen.
    """

    def __init__(self, root: int) -> None:
        self.root = root
        self.status: int | None = None
        self.peak = 0
        self._before = _ended_cpu_seconds()

    @property
    def ended_cpu_seconds(self) -> float:
        """Of the processes that have ended, and so of all once they are killed."""
        return _ended_cpu_seconds() - self._before

    def look(self, limit: float = math.inf) -> Usage:
        """Measure; memory above the limit or the peak is measured well, and less is overrated."""
        self._reap()
        # Parents come before their children: one that is reaped meanwhile is missed, not doubled.
        cpu = self.ended_cpu_seconds
        sizes: dict[psutil.Process, int] = {}
        for process in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                sizes[process] = int(process.memory_info().rss)
                times = process.cpu_times()
                cpu += times.user + times.system
                cpu += getattr(times, "children_user", 0.0) + getattr(times, "children_system", 0.0)
        memory = sum(sizes.values())
        if memory > min(self.peak, limit) and len(sizes) > 1:
            memory = sum(_share(process, size) for process, size in sizes.items())
        self.peak = max(self.peak, memory)
        return Usage(memory, cpu)

    def kill(self) -> None:
        """End all of them; returns when none is left."""
        self._kill_root()
        while self._reap():
            kill_descendants()
            time.sleep(0.001)

    def _kill_root(self) -> None:
        if self.status is None:
            # The whole group at one blow, so that no fork gets away; before it has one, itself.
            for kill in (os.killpg, os.kill):
                with suppress(ProcessLookupError, PermissionError):
                    kill(self.root, signal.SIGKILL)
            self._note(*os.wait4(self.root, 0))

    def _reap(self) -> bool:
        """Take leave of those that have ended; whether others are left."""
        with suppress(ChildProcessError):
            while True:
                ended, status, usage = os.wait4(-1, os.WNOHANG)
                if ended == 0:
                    return True
                self._note(ended, status, usage)
        return False

    def _note(self, ended: int, status: int, usage: resource.struct_rusage) -> None:
        unit = 1 if sys.platform == "darwin" else _KIBIBYTE
        self.peak = max(self.peak, usage.ru_maxrss * unit)
        if ended == self.root:
            self.status = status


def kill_descendants() -> None:
    """Kill every process below this one that is there now."""
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            process.kill()


def kill_marked(name: str, value: str) -> None:
    """Kill every process that was started with this in its environment."""
    found = True
    while found:
        found = False
        for process in psutil.process_iter():
            with suppress(psutil.Error, OSError):
                if process.environ().get(name) == value:
                    process.kill()
                    found = True


def _share(process: psutil.Process, size: int) -> int:
    """Resident bytes with the process's part of what it shares; its size where nobody knows."""
    with suppress(psutil.Error, AttributeError):
        return int(process.memory_full_info().pss)
    return size


def _ended_cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
