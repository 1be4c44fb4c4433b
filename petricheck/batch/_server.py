"""The process that forks one process per cell: `python -m petricheck.batch._server FD`.

It imports what solving needs, once, and then only waits; so the process of a cell starts at once,
with its imports done and nothing left over from other cells. It kills a cell that overruns, and
the kernel tells it what the cell has used, whichever way the cell ended.

FD is one end of a pipe. Cells come in one at a time, each is answered by a measurement. When the
other end is closed, a running cell is killed and the server ends.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import NoReturn, TypeAlias

from petricheck.batch._cell import Cell, Measurement, measure
from petricheck.plugins import members

READING = 60.0
"""Seconds that reading a question may take, before the clock of the cell starts."""

GRACE = 1.0
"""Seconds beyond its limit after which a cell is killed."""

BACKENDS = ("flint", "highspy", "numpy", "psutil", "z3")
ROOMS = (
    "abstraction", "covering", "engines", "formats", "guides", "heuristics", "interpolation",
    "presburger", "queries", "reductions", "search", "state_equation", "state_space",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Overrun:
    """The cell had to be killed, while reading or after the clock had started."""

    reading: bool


@dataclass(frozen=True, slots=True)
class _Death:
    """The cell ended without a measurement."""


@dataclass(frozen=True, slots=True)
class _Abandoned:
    """Nobody waits for the cell any more."""


_End: TypeAlias = Measurement | _Overrun | _Death | _Abandoned


def serve(channel: Connection) -> None:
    """Answer cells until the channel is closed."""
    preload()
    gc.freeze()
    with suppress(EOFError):
        while True:
            channel.send(supervise(channel.recv(), channel))


def preload() -> None:
    """Import what engines import lazily; what fails here fails again in the cell that needs it."""
    names = [f"petricheck.{family}.{name}" for family in ROOMS for name in members(family)]
    for name in (*BACKENDS, *names):
        with suppress(Exception):
            importlib.import_module(name)


def supervise(cell: Cell, channel: Connection) -> Measurement:
    """Decide the cell in a process of its own, which is killed where it overruns.

    Raises:
        EOFError: the channel was closed meanwhile; the cell has been killed.
    """
    reader, writer = Pipe(duplex=False)
    process = os.fork()
    if process == 0:
        # Else the other end would not see that this process has died.
        channel.close()
        _work(cell, writer)
    writer.close()
    begun = time.monotonic()
    try:
        end = _await(reader, channel, cell.seconds)
    finally:
        # Also after a measurement: a process that has answered must not linger.
        os.kill(process, signal.SIGKILL)
        _, status, usage = os.wait4(process, 0)
        reader.close()
    memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    cpu, wall = usage.ru_utime + usage.ru_stime, time.monotonic() - begun
    match end:
        case Measurement():
            return replace(end, memory=memory)
        case _Overrun(reading=True):
            reason = f"reading the question took more than {READING:g} s"
            return Measurement("error", reason=reason, error="Overrun", memory=memory)
        case _Overrun():
            reason = f"killed {GRACE:g} s after the limit of {cell.seconds:g} s"
            return Measurement(
                "timeout", reason=reason, cpu_seconds=cpu, seconds=wall, memory=memory
            )
        case _Death():
            return Measurement("error", reason=_death(status), error="Crash", memory=memory)
        case _Abandoned():
            raise EOFError


def _work(cell: Cell, writer: Connection) -> NoReturn:
    """The life of the forked process, which never returns."""
    try:
        writer.send(measure(cell, lambda: writer.send(None)))
    finally:
        os._exit(1)


def _await(reader: Connection, channel: Connection, seconds: float) -> _End:
    """How a cell ends that sends None when its clock starts, and then its measurement."""
    started = False
    deadline = time.monotonic() + READING
    while True:
        ready = wait([reader, channel], max(0.0, deadline - time.monotonic()))
        if channel in ready:
            return _Abandoned()
        if not ready:
            return _Overrun(reading=not started)
        try:
            message = reader.recv()
        except (EOFError, OSError):
            return _Death()
        if isinstance(message, Measurement):
            return message
        started = True
        deadline = time.monotonic() + seconds + GRACE


def _death(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"the process ended with status {code}"
    return f"the process was killed by {signal.Signals(-code).name}"


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))
