"""Several computations in processes of their own, a few running at a time. Knows no nets.

All entrants make progress: those that wait are stopped (SIGSTOP) and take turns with those that
run. The parent watches the clock, and the memory of the whole family. Whichever way a race ends,
nothing of it is left behind: entrants are killed when the race is closed, and by the kernel where
the parent dies first (Linux).
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, NoReturn, TypeAlias, TypeVar

from petricheck.budget import MEBIBYTE, Budget
from petricheck.errors import BudgetExhausted

Result = TypeVar("Result")

TICK = 0.05
"""Seconds between two looks at clock and memory."""


@dataclass(frozen=True, slots=True)
class Entrant(Generic[Result]):
    """A computation; it gets a channel for its progress, and no other way to the outside."""

    name: str
    run: Callable[[Callable[[str], None]], Result]


@dataclass(frozen=True, slots=True)
class Finished(Generic[Result]):
    """An entrant that returned."""

    name: str
    result: Result


@dataclass(frozen=True, slots=True)
class Failed:
    """An entrant that raised, died, or was killed for its memory."""

    name: str
    reason: str


Outcome: TypeAlias = Finished[Result] | Failed


def race(
    entrants: Sequence[Entrant[Result]], *, jobs: int, turn: float, budget: Budget
) -> Generator[Outcome[Result], None, None]:
    """Outcomes as they come; close the iterator (or exhaust it) to end the race.

    Args:
        entrants: in the order in which they get their first turn.
        jobs: how many run at a time.
        turn: seconds until a waiting entrant takes over.
        budget: limits for the whole family; receives the progress of all.

    Raises:
        BudgetExhausted: the time is over.
    """
    waiting = deque(_Runner(entrant) for entrant in entrants)
    running: list[_Runner[Result]] = []
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                runner = waiting.popleft()
                runner.resume()
                running.append(runner)
            for runner in _ready(running, min(TICK, budget.remaining)):
                outcome = runner.receive(budget)
                if outcome is not None:
                    running.remove(runner)
                    yield outcome
            yield from _evict(running, waiting, budget)
            if budget.remaining == 0.0:
                raise BudgetExhausted(f"the time limit of {budget.seconds:g} s is reached")
            _rotate(running, waiting, turn)
    finally:
        for runner in (*running, *waiting):
            runner.kill()


class _Runner(Generic[Result]):
    """An entrant with its process, which starts at its first turn."""

    def __init__(self, entrant: Entrant[Result]) -> None:
        self.entrant = entrant
        self.turn_began = 0.0
        self.process: int | None = None
        self.reader: Connection | None = None

    def resume(self) -> None:
        """Start the process, or let it go on."""
        self.turn_began = time.monotonic()
        if self.process is not None:
            os.kill(self.process, signal.SIGCONT)
            return
        self.reader, writer = multiprocessing.Pipe(duplex=False)
        parent = os.getpid()
        sys.stdout.flush()
        sys.stderr.flush()
        self.process = os.fork()
        if self.process == 0:
            self.reader.close()
            _live(self.entrant, writer, parent)
        writer.close()

    def pause(self) -> None:
        """Stop the process until its next turn."""
        if self.process is not None:
            os.kill(self.process, signal.SIGSTOP)

    def receive(self, budget: Budget) -> Outcome[Result] | None:
        """Pass on one message; the outcome where it is the last."""
        assert self.reader is not None
        try:
            kind, content = self.reader.recv()
        except (EOFError, OSError):
            return Failed(self.entrant.name, f"its process {self.kill()}")
        if kind == "progress":
            budget.report(f"{self.entrant.name}: {content}")
            return None
        self.kill()
        if kind == "failed":
            return Failed(self.entrant.name, content)
        return Finished(self.entrant.name, content)

    def memory(self) -> int:
        """Resident bytes of the process."""
        import psutil

        if self.process is None:
            return 0
        with suppress(psutil.Error):
            return int(psutil.Process(self.process).memory_info().rss)
        return 0

    def kill(self) -> str:
        """End the process, if it is there; how it ended."""
        if self.process is None:
            return "was never started"
        os.kill(self.process, signal.SIGKILL)
        _, status = os.waitpid(self.process, 0)
        self.process = None
        if self.reader is not None:
            self.reader.close()
        code = os.waitstatus_to_exitcode(status)
        return f"ended with status {code}" if code >= 0 else f"was killed by signal {-code}"


def _ready(running: Sequence[_Runner[Result]], seconds: float) -> list[_Runner[Result]]:
    by_reader = {runner.reader: runner for runner in running if runner.reader is not None}
    return [by_reader[reader] for reader in wait(list(by_reader), seconds)]  # type: ignore[index]


def _evict(
    running: list[_Runner[Result]], waiting: deque[_Runner[Result]], budget: Budget
) -> Iterator[Failed]:
    """Kill the largest processes until the family fits into its memory."""
    if budget.memory is None:
        return
    import psutil

    own = int(psutil.Process().memory_info().rss)
    sizes = {runner: runner.memory() for runner in (*running, *waiting)}
    while own + sum(sizes.values()) > budget.memory * MEBIBYTE and any(sizes.values()):
        largest = max(sizes, key=lambda runner: sizes[runner])
        del sizes[largest]
        largest.kill()
        (running if largest in running else waiting).remove(largest)
        yield Failed(largest.entrant.name, f"the memory limit of {budget.memory} MiB is reached")


def _rotate(running: list[_Runner[Result]], waiting: deque[_Runner[Result]], turn: float) -> None:
    """Let waiting entrants take the places of those whose turn is over."""
    now = time.monotonic()
    for runner in list(running):
        if waiting and now - runner.turn_began >= turn:
            runner.pause()
            running.remove(runner)
            waiting.append(runner)
            successor = waiting.popleft()
            successor.resume()
            running.append(successor)


def _live(entrant: Entrant[Any], writer: Connection, parent: int) -> NoReturn:
    """The life of a forked process, which never returns."""
    try:
        _die_with(parent)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        try:
            result = entrant.run(lambda text: writer.send(("progress", text)))
            writer.send(("finished", result))
        except MemoryError:
            writer.send(("failed", "memory ran out"))
        except Exception as error:
            notes = "".join(f", {note}" for note in getattr(error, "__notes__", ()))
            writer.send(("failed", f"{error}{notes}" or type(error).__name__))
    finally:
        os._exit(0)


def _die_with(parent: int) -> None:
    """Ask the kernel to kill this process when its parent dies; at once if it is dead already."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        os._exit(0)
