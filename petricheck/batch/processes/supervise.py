"""One cell in a process of its own, with hard limits on all processes that it starts.

An engine knows its limits of wall time and memory, and gives up by itself; for this it gets a
little more than the limit before it is killed. Whichever way a cell ends, none of its processes is
left when its outcome is known.
"""

from __future__ import annotations

import math
import os
import signal
import time
from dataclasses import replace
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import NoReturn

from petricheck.batch.cells import Cell, Outcome
from petricheck.batch.processes.solve import Answered, Started, decide
from petricheck.batch.processes.tree import Tree, be_killed_first
from petricheck.budget import MEBIBYTE
from petricheck.processes import die_with, ended

READING = 60.0
"""Seconds that reading a question may take, before the clock of the cell starts."""

WRITING = 60.0
"""Seconds that an answer's evidence may take to be written, after the clock has stopped."""

GRACE = 1.0
"""Seconds beyond a limit after which an engine is killed."""

OVERSHOOT = 1.1
"""An engine that uses so many times its memory is killed at once."""

TICKS = (0.02, 0.05)
"""Seconds between two looks at the processes: in the first second, and later."""

RELUCTANCE = 10
"""Where looking is slow, so many times its CPU time passes before the next look; fewer where memory
would be past its limit by then."""


def supervise(cell: Cell, channel: Connection) -> Outcome:
    """Decide the cell; this process must have no other children.

    Args:
        cell: the cell.
        channel: whoever waits for the outcome; says nothing meanwhile.

    Raises:
        EOFError: nobody waits any more; the cell has been killed.
    """
    reader, writer = Pipe(duplex=False)
    parent = os.getpid()
    process = os.fork()
    if process == 0:
        # Else the other end would not see that the server has died.
        channel.close()
        reader.close()
        _live(cell, writer, parent)
    writer.close()
    tree = Tree(process)
    watch = _Watch(cell, tree)
    try:
        outcome = _await(watch, reader, channel)
    finally:
        # Also after an outcome: a process that has answered must not linger.
        tree.kill()
        reader.close()
    if outcome is None:
        assert tree.status is not None
        death = ended(os.waitstatus_to_exitcode(tree.status))
        outcome = Outcome("error", reason=f"the process {death}", error="Crash")
    return watch.complete(outcome)


class _Watch:
    """Knows how far a cell is, and which limit holds."""

    def __init__(self, cell: Cell, tree: Tree) -> None:
        self._limits = cell.limits
        self._tree = tree
        self._began = self._next_look = time.monotonic()
        self._deadline = self._began + READING
        self._overrun = _overrun("reading the question", READING)
        self._started: Started | None = None
        self._clock = self._began
        self._stopped: float | None = None
        self._large_since: float | None = None
        self._seen, self._seen_at = 0, self._began
        self._plan()

    @property
    def pause(self) -> float:
        """Seconds until `look` is due."""
        return max(0.0, min(self._next_look, self._deadline) - time.monotonic())

    def hear(self, message: Started | Answered) -> None:
        """Take note of how far the cell is."""
        now = time.monotonic()
        match message:
            case Started():
                self._started, self._clock = message, now
                self._deadline = now + self._limits.seconds + GRACE
                reason = f"killed {GRACE:g} s after the time limit of {self._limits.seconds:g} s"
                self._overrun = Outcome("timeout", reason=reason)
            case Answered():
                self._stopped = now
                self._deadline = now + WRITING
                self._overrun = _overrun("writing the evidence", WRITING)

    def look(self) -> Outcome | None:
        """The outcome where a limit is broken."""
        now = time.monotonic()
        if now >= self._deadline:
            return self._overrun
        if now < self._next_look:
            return None
        cost = time.thread_time()
        memory = self._limits.memory
        usage = self._tree.look(memory * MEBIBYTE if memory is not None else math.inf)
        self._plan(time.thread_time() - cost, self._headway(usage.memory, now))
        if memory is not None and self._too_large(usage.memory / (memory * MEBIBYTE), now):
            return Outcome("memory", reason=f"killed at the memory limit of {memory} MiB")
        seconds = self._limits.cpu_seconds
        if seconds is not None and self._cpu_seconds(usage.cpu_seconds) >= seconds:
            return Outcome("timeout", reason=f"killed at the CPU limit of {seconds:g} s")
        return None

    def complete(self, outcome: Outcome) -> Outcome:
        """The outcome with what was measured here, where the cell did not say it."""
        outcome = replace(outcome, memory=self._tree.peak)
        if self._started is None:
            return outcome
        cpu, seconds = outcome.cpu_seconds, outcome.seconds
        if cpu is None:
            cpu = self._cpu_seconds(self._tree.ended_cpu_seconds)
        if seconds is None:
            seconds = (self._stopped or time.monotonic()) - self._clock
        return replace(outcome, cpu_seconds=cpu, seconds=seconds, target=self._started.target)

    def _cpu_seconds(self, total: float) -> float:
        """Since the clock started."""
        return 0.0 if self._started is None else max(0.0, total - self._started.cpu_seconds)

    def _too_large(self, part: float, now: float) -> bool:
        if part <= 1.0:
            self._large_since = None
            return False
        self._large_since = self._large_since or now
        return part > OVERSHOOT or now - self._large_since >= GRACE

    def _headway(self, memory: int, now: float) -> float:
        """Seconds until memory is killed for, if it grows as it did since the look before."""
        grown, passed = memory - self._seen, now - self._seen_at
        self._seen, self._seen_at = memory, now
        if self._limits.memory is None or grown <= 0:
            return math.inf
        end = self._limits.memory * MEBIBYTE * OVERSHOOT
        return max(0.0, end - memory) * passed / grown

    def _plan(self, cost: float = 0.0, headway: float = math.inf) -> None:
        now = time.monotonic()
        first, later = TICKS
        tick = first if now - self._began < 1.0 else later
        self._next_look = now + max(min(max(tick, RELUCTANCE * cost), headway / 2), cost)


def _await(watch: _Watch, reader: Connection, channel: Connection) -> Outcome | None:
    """The outcome of the cell, or of breaking its limits; None where its process ended.

    Raises:
        EOFError: nobody waits any more.
    """
    while True:
        ready = wait([reader, channel], watch.pause)
        if channel in ready:
            raise EOFError
        if reader in ready:
            try:
                message = reader.recv()
            except (EOFError, OSError):
                return None
            if isinstance(message, Outcome):
                return message
            watch.hear(message)
        broken = watch.look()
        if broken is not None:
            return broken


def _live(cell: Cell, writer: Connection, parent: int) -> NoReturn:
    """The life of the forked process, which never returns."""
    try:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        die_with(parent)
        be_killed_first()
        writer.send(decide(cell, writer.send))
    finally:
        os._exit(1)


def _overrun(what: str, seconds: float) -> Outcome:
    return Outcome("error", reason=f"{what} took more than {seconds:g} s", error="Overrun")
