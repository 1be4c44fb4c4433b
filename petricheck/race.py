"""Several computations in processes of their own, a few running at a time. Knows no nets.

All entrants make progress: those that wait are stopped (SIGSTOP) and take turns with those that
run. The parent watches the clock, and the memory of the whole family. Whichever way a race ends,
nothing of it is left behind: entrants are killed when the race is closed, and by the kernel where
the parent dies first (Linux).

The parent never waits for the rest of a message, since its sender may be stopped, or may die.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import select
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, TypeAlias, TypeVar

from petricheck.budget import MEBIBYTE, Budget
from petricheck.errors import BudgetExhausted

Result = TypeVar("Result")

TICK = 0.05
"""Seconds between two looks at the clock."""

MEMORY_TICK = 0.01
"""Seconds between two looks at the memory: a process may fill 1 GiB in a second."""

_ENDING = {signal.SIGINT, signal.SIGTERM, signal.SIGALRM}
_HEADER = 8
"""Bytes that hold the length of a message."""


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
        budget: limits for the whole family; receives the progress of all, and who starts,
            waits and goes on, each after the entrant's name.

    Raises:
        BudgetExhausted: the time is over.
    """
    runners = [_Runner(entrant, budget) for entrant in entrants]
    waiting = deque(runners)
    running: list[_Runner[Result]] = []
    guard = _Guard(budget)
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                runner = waiting.popleft()
                if failed := runner.resume():
                    yield failed
                else:
                    running.append(runner)
            for runner in _readable(runners, min(guard.tick, budget.remaining)):
                outcome = runner.receive()
                if outcome is not None:
                    (running if runner in running else waiting).remove(runner)
                    yield outcome
            for runner, failed in guard.look(runners):
                (running if runner in running else waiting).remove(runner)
                yield failed
            if budget.remaining == 0.0:
                raise BudgetExhausted(f"the time limit of {budget.seconds:g} s is reached")
            _rotate(running, waiting, turn)
    finally:
        _end(runners)


class _Runner(Generic[Result]):
    """An entrant with its process, which starts at its first turn.

    Attributes:
        process: its id; None before it starts and after it ended.
        inbox: what it sends, as long as there is a process.
    """

    def __init__(self, entrant: Entrant[Result], budget: Budget) -> None:
        self.entrant = entrant
        self.turn_began = 0.0
        self.process: int | None = None
        self.inbox: _Inbox | None = None
        self._budget = budget

    def report(self, text: str) -> None:
        """Pass on a line of progress."""
        self._budget.report(f"{self.entrant.name}: {text}")

    def resume(self) -> Failed | None:
        """Let the process go on, or start it; what went wrong."""
        self.turn_began = time.monotonic()
        if self.process is not None:
            self._signal(signal.SIGCONT)
            self.report("goes on")
            return None
        try:
            self._start()
        except OSError as error:
            return Failed(self.entrant.name, f"no process could be started: {error.strerror}")
        self.report("starts")
        return None

    def _start(self) -> None:
        parent = os.getpid()
        # Undisturbed, so that no process is there without being known.
        with _undisturbed():
            reader, writer = os.pipe()
            try:
                self.process = os.fork()
            except OSError:
                os.close(reader)
                os.close(writer)
                raise
            if self.process == 0:
                _live(self.entrant, writer, parent)
            os.close(writer)
            self.inbox = _Inbox(reader)

    def pause(self) -> None:
        """Stop the process until its next turn."""
        self._signal(signal.SIGSTOP)
        self.report("waits")

    def receive(self) -> Outcome[Result] | None:
        """Pass on the messages that have arrived; the outcome where it is among them."""
        assert self.inbox is not None
        try:
            for kind, content in self.inbox.messages():
                if kind == "progress":
                    self.report(content)
                    continue
                self.kill()
                if kind == "failed":
                    return Failed(self.entrant.name, content)
                return Finished(self.entrant.name, content)
        except EOFError:
            return Failed(self.entrant.name, f"its process {self.kill()}")
        except (MemoryError, RecursionError, pickle.UnpicklingError) as error:
            self.kill()
            return Failed(self.entrant.name, f"its result cannot be read: {type(error).__name__}")
        return None

    def signal_end(self) -> None:
        """Kill the process without waiting for its end."""
        self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.kill(self.process, number)

    def kill(self) -> str:
        """End the process, if it is there; how it ended."""
        if self.process is None:
            return "was never started"
        self.signal_end()
        status = None
        # Where the parent ignores SIGCHLD, nobody is told how a child ended.
        with suppress(ChildProcessError):
            status = os.waitpid(self.process, 0)[1]
        self.process = None
        if self.inbox is not None:
            self.inbox.close()
            self.inbox = None
        if status is None:
            return "ended"
        code = os.waitstatus_to_exitcode(status)
        return f"ended with status {code}" if code >= 0 else f"was killed by signal {-code}"


class _Inbox:
    """Messages from a process, put together piece by piece.

    Attributes:
        reader: the descriptor that is read.
    """

    def __init__(self, reader: int) -> None:
        os.set_blocking(reader, False)
        self.reader = reader
        self._bytes = bytearray()

    def messages(self) -> Iterator[tuple[str, Any]]:
        """The messages that are complete after reading what is there.

        Raises:
            EOFError: the sender is gone.
        """
        try:
            piece = os.read(self.reader, 1 << 20)
        except BlockingIOError:
            return
        if not piece:
            raise EOFError
        self._bytes += piece
        while len(self._bytes) >= _HEADER:
            end = _HEADER + int.from_bytes(self._bytes[:_HEADER], "big")
            if len(self._bytes) < end:
                return
            message = pickle.loads(self._bytes[_HEADER:end])
            del self._bytes[:end]
            yield message

    def close(self) -> None:
        """Read no more."""
        os.close(self.reader)


def _send(writer: int, kind: str, content: object) -> None:
    message = pickle.dumps((kind, content), pickle.HIGHEST_PROTOCOL)
    rest = memoryview(len(message).to_bytes(_HEADER, "big") + message)
    while rest:
        rest = rest[os.write(writer, rest) :]


def _readable(runners: Sequence[_Runner[Result]], seconds: float) -> list[_Runner[Result]]:
    """Who has sent something, or died; those that wait for their turn may have, too."""
    by_reader = {runner.inbox.reader: runner for runner in runners if runner.inbox is not None}
    poll = select.poll()
    for reader in by_reader:
        poll.register(reader, select.POLLIN)
    return [by_reader[reader] for reader, _ in poll.poll(seconds * 1000)]


class _Guard:
    """Keeps the family within its memory.

    Attributes:
        tick: seconds between two looks, and so the longest wait for messages.
    """

    def __init__(self, budget: Budget) -> None:
        self._limit = budget.memory
        self.tick = TICK if budget.memory is None else MEMORY_TICK
        self._next = 0.0

    def look(self, runners: Sequence[_Runner[Result]]) -> Iterator[tuple[_Runner[Result], Failed]]:
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
            reason = f"the memory limit of {self._limit} MiB is reached"
            yield largest, Failed(largest.entrant.name, reason)
        self._next = time.monotonic() + self.tick


def _family(
    runners: Sequence[_Runner[Result]], measure: Callable[[int], int]
) -> tuple[int, dict[_Runner[Result], int]]:
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


def _rotate(running: list[_Runner[Result]], waiting: deque[_Runner[Result]], turn: float) -> None:
    """Make room for waiting entrants where a turn is over."""
    now = time.monotonic()
    overdue = [runner for runner in running if now - runner.turn_began >= turn]
    for runner in overdue[: len(waiting)]:
        runner.pause()
        running.remove(runner)
        waiting.append(runner)


def _end(runners: Sequence[_Runner[Result]]) -> None:
    """Kill all, and once more where an interruption came in between."""
    try:
        _kill(runners)
    except KeyboardInterrupt:
        _kill(runners)
        raise


def _kill(runners: Sequence[_Runner[Result]]) -> None:
    with _undisturbed():
        for runner in runners:
            runner.signal_end()
        for runner in runners:
            runner.kill()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """What may interrupt comes later."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _live(entrant: Entrant[Any], writer: int, parent: int) -> NoReturn:
    """The life of a forked process, which never returns and flushes nothing of its parent's."""
    try:
        _die_with(parent)
        # The parent ends the race where the terminal interrupts them all.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
        try:
            result = entrant.run(lambda text: _send(writer, "progress", text))
            _send(writer, "finished", result)
        except MemoryError:
            _send(writer, "failed", "memory ran out")
        except Exception as error:
            notes = "".join(f", {note}" for note in getattr(error, "__notes__", ()))
            _send(writer, "failed", f"{error}{notes}" or type(error).__name__)
    finally:
        os._exit(0)


def _die_with(parent: int) -> None:
    """Ask the kernel to kill this process when its parent dies; at once if it is dead already."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        os._exit(0)
