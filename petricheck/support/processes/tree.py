"""Processes with all that they started: listed, measured and killed together (Linux)."""

from __future__ import annotations

import math
import os
import signal
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from petricheck.support.budget import resident_memory
from petricheck.support.processes.system import open_files, point_to_null, signals_waiting

_CLOCK_TICKS = os.sysconf("SC_CLK_TCK")
"""What the kernel counts CPU time in, so many a second."""

_PATIENCE = 1.0
"""Seconds in which a process that was killed should have ended."""

_TICK = 0.02
"""Seconds between two looks: a process may fill a gigabyte in one."""

_PAUSES = 10
"""Where looking is slow, so many times its duration passes before the next look."""


def family(process: int) -> list[int]:
    """Return the process, its children, and theirs; parents come before children."""
    members = [process]
    for parent in members:
        with suppress(OSError):
            for thread in os.listdir(f"/proc/{parent}/task"):
                children = Path(f"/proc/{parent}/task/{thread}/children").read_bytes()
                members += map(int, children.split())
    return members


def memory(processes: Sequence[int], enough: float = 0.0) -> int:
    """Return bytes of physical memory that they hold together; one that has ended holds nothing.

    A sum up to `enough` may count what they share several times, which is quicker.
    """
    quick = sum(map(resident_memory, processes))
    return quick if quick <= enough or len(processes) == 1 else sum(map(_proportional, processes))


class MemoryMeter:
    """A meter of the memory of processes, which measures more often near the limit.

    Attributes:
        limit: bytes, or infinity.
        next_look: when the next look is due, by `time.monotonic`.
        is_broken: whether more than the limit was seen, for longer or by more than is tolerated.
    """

    def __init__(self, limit: float, overshoot: float = 1.0, grace: float = 0.0) -> None:
        """Store the limits; the first look is due.

        Args:
            limit: bytes, or infinity.
            overshoot: what holds more than so many times the limit is tolerated for no moment.
            grace: seconds for which more than the limit is tolerated.
        """
        self.limit, self._most, self._grace = limit, limit * overshoot, grace
        self.is_broken = False
        self._large_since = math.inf
        self._last_size = 0
        self.next_look = self._last_time = time.monotonic()

    def look(self, processes: Sequence[int], enough: float = math.inf) -> int:
        """Return the bytes that they occupy together; up to `enough` as `memory` estimates."""
        began = time.monotonic()
        held = memory(processes, min(enough, self.limit))
        now = time.monotonic()
        self._large_since = min(self._large_since, now) if held > self.limit else math.inf
        self.is_broken = held > self._most or now - self._large_since >= self._grace
        grown, passed = held - self._last_size, now - self._last_time
        headway = (self._most - held) * passed / grown if grown > 0 else math.inf
        pause = min(max(_TICK, _PAUSES * (now - began)), headway / 2)
        self.next_look = now + max(pause, now - began)
        self._last_size, self._last_time = held, now
        return held


def cpu_seconds(processes: Sequence[int]) -> float:
    """Return the CPU time that they and their ended children have used."""
    return sum(map(_cpu_seconds, processes))


def kill_family(process: int) -> set[int]:
    """Kill the process with all below it; return those below it, which end soon."""
    send_signal(process, signal.SIGSTOP)  # so that no child is born while they are listed
    killed: set[int] = set()
    while members := set(family(process)[1:]) - killed:
        for member in members:
            send_signal(member, signal.SIGKILL)
        killed |= members
    send_signal(process, signal.SIGKILL)
    return killed


def wait_for_ends(killed: Iterable[int]) -> None:
    """Wait until they hold no memory any more, but not for ever."""
    deadline = time.monotonic() + _PATIENCE
    while any(map(resident_memory, killed)) and time.monotonic() < deadline:
        time.sleep(0.001)


@contextmanager
def none_left(name: str, value: str) -> Iterator[None]:
    """Kill the programs that `kill_marked` does when the block ends, or this process dies.

    A process of its own waits for that, since nobody can tell how this one ends.
    """
    reader, writer = os.pipe()
    with signals_waiting():
        guard = os.fork()
        if not guard:
            try:
                os.setsid()
                point_to_null(open_files() - {reader})
                os.read(reader, 1)  # It ends when the last process with the other end has ended.
                kill_marked(name, value)
            finally:
                os._exit(0)
    os.close(reader)
    try:
        yield
    finally:
        os.close(writer)
        with suppress(ChildProcessError):
            os.waitpid(guard, 0)


def kill_marked(name: str, value: str) -> None:
    """Kill all programs that were started with this variable, as its value begins."""
    mark = f"{name}={value}".encode()
    killed = True
    while killed:
        killed = False
        for environment in Path("/proc").glob("[0-9]*/environ"):
            with suppress(OSError):
                variables = environment.read_bytes().split(b"\0")
                if any(variable.startswith(mark) for variable in variables):
                    send_signal(int(environment.parent.name), signal.SIGKILL)
                    killed = True


def send_signal(process: int, number: signal.Signals) -> None:
    """Send a signal to a process of ours, if it is there."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(process, number)


def _proportional(process: int) -> int:
    """Return the bytes of a process, with its part of shared ones; 0 where it has ended."""
    with suppress(OSError, IndexError, ValueError):
        for line in Path(f"/proc/{process}/smaps_rollup").read_bytes().splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) << 10
    return 0


def _cpu_seconds(process: int) -> float:
    with suppress(OSError):
        # The name in parentheses, which comes second, may hold anything.
        fields = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
        return sum(map(int, fields[11:15])) / _CLOCK_TICKS
    return 0.0
