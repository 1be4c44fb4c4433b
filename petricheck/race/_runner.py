"""The process of an entrant: started at its first turn, stopped between turns, killed in the end.

The kernel kills it where the parent dies first (Linux).
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Generic, NoReturn

from petricheck.budget import Budget, Event, Turn
from petricheck.errors import BudgetExhausted, Ending
from petricheck.processes import die_with, ended
from petricheck.processes.messages import Inbox, send
from petricheck.race._entrants import Entrant, Failed, Finished, Outcome, Result

_ENDING = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM}


class Runner(Generic[Result]):
    """An entrant with its process, which starts at its first turn.

    Attributes:
        turn_began: when it last began to run, by `time.monotonic`.
        process: its id; None before it starts and after it ended.
        inbox: what it sends, as long as there is a process.
    """

    def __init__(self, entrant: Entrant[Result], budget: Budget) -> None:
        self.entrant = entrant
        self.turn_began = 0.0
        self.process: int | None = None
        self.inbox: Inbox | None = None
        self._budget = budget.of(entrant.name)

    def _tell(self, turn: Turn) -> None:
        self._budget.watch(Event("", turn=turn))

    def resume(self) -> Failed | None:
        """Let the process go on, or start it; what went wrong."""
        self.turn_began = time.monotonic()
        if self.process is not None:
            self._signal(signal.SIGCONT)
            self._tell(Turn.GOES_ON)
            return None
        try:
            self._start()
        except OSError as error:
            return Failed(self.entrant.name, f"no process could be started: {error.strerror}")
        self._tell(Turn.STARTS)
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
            self.inbox = Inbox(reader)

    def pause(self) -> None:
        """Stop the process until its next turn."""
        self._signal(signal.SIGSTOP)
        self._tell(Turn.WAITS)

    def receive(self) -> Outcome[Result] | None:
        """Pass on the messages that have arrived; the outcome where it is among them."""
        assert self.inbox is not None
        try:
            for kind, content in self.inbox.messages():
                if kind == "progress":
                    self._budget.watch(content)
                    continue
                self.kill()
                if kind == "failed":
                    return Failed(self.entrant.name, *content)
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
        return ended(os.waitstatus_to_exitcode(status))


def readable(runners: Sequence[Runner[Result]], seconds: float) -> list[Runner[Result]]:
    """Who has sent something, or died; those that wait for their turn may have, too."""
    by_reader = {runner.inbox.reader: runner for runner in runners if runner.inbox is not None}
    poll = select.poll()
    for reader in by_reader:
        poll.register(reader, select.POLLIN)
    return [by_reader[reader] for reader, _ in poll.poll(seconds * 1000)]


def end(runners: Sequence[Runner[Result]]) -> None:
    """Kill all, and once more where an interruption came in between."""
    try:
        _kill(runners)
    except KeyboardInterrupt:
        _kill(runners)
        raise


def _kill(runners: Sequence[Runner[Result]]) -> None:
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
        die_with(parent)
        # The parent ends the race where the terminal interrupts them all.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
        try:
            result = entrant.run(lambda event: send(writer, "progress", event))
            send(writer, "finished", result)
        except MemoryError:
            send(writer, "failed", ("memory ran out", Ending.MEMORY))
        except Exception as error:
            notes = "".join(f", {note}" for note in getattr(error, "__notes__", ()))
            ending = error.ending if isinstance(error, BudgetExhausted) else Ending.FAILED
            send(writer, "failed", (f"{error}{notes}" or type(error).__name__, ending))
    finally:
        os._exit(0)
