"""A computation in a process of its own, which sends its news and its result through a pipe."""

from __future__ import annotations

import math
import os
import pickle
import select
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, TypeAlias, TypeVar

from petricheck.errors import BudgetExhausted, Ending
from petricheck.processes.messages import Inbox, send
from petricheck.processes.system import (
    INTERRUPTING,
    die_with,
    how_ended,
    open_files,
    point_to_null,
    signals_waiting,
)
from petricheck.processes.tree import kill_family, wait_for_ends

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Task(Generic[Result]):
    """A computation.

    Attributes:
        name: tells it from others.
        run: gets a function that sends its news, and has no other way to the outside.
        seconds: it is killed so many after it began.
    """

    name: str
    run: Callable[[Callable[[Any], None]], Result]
    seconds: float = math.inf


@dataclass(frozen=True, slots=True)
class Finished(Generic[Result]):
    """A task that returned."""

    name: str
    result: Result


@dataclass(frozen=True, slots=True)
class Failed:
    """A task that raised, died, or was killed for a limit.

    Attributes:
        name: the task's.
        reason: what happened.
        ending: the same in a word.
        began: whether there was a process for it.
    """

    name: str
    reason: str
    ending: Ending = Ending.FAILED
    began: bool = True


Outcome: TypeAlias = Finished[Result] | Failed


class Child(Generic[Result]):
    """A task with its process; the kernel kills it where this process dies first (Linux).

    Attributes:
        task: what it computes.
        process: the id of its process; None before it is started and after it was ended.
    """

    def __init__(self, task: Task[Result], watch: Callable[[Any], None]) -> None:
        """A child that is not started yet.

        Args:
            task: what it computes.
            watch: receives its news.
        """
        self.task = task
        self.process: int | None = None
        self._watch = watch
        self._inbox: Inbox | None = None

    def start(self) -> None:
        """Fork the process.

        Raises:
            OSError: no process can be had.
        """
        parent = os.getpid()
        # Signals wait, so that no process is there without being known.
        with signals_waiting():
            reader, writer = os.pipe()
            try:
                self.process = os.fork()
            except OSError:
                os.close(reader)
                os.close(writer)
                raise
            if self.process == 0:
                _live(self.task, writer, parent)
            os.close(writer)
            self._inbox = Inbox(reader)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process, if it is there."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.kill(self.process, number)

    def receive(self) -> Outcome[Result] | None:
        """Pass on the news that have arrived; the outcome where it is among them."""
        assert self._inbox is not None
        try:
            for kind, content in self._inbox.messages():
                if kind == "news":
                    self._watch(content)
                    continue
                self.kill()
                if kind == "failed":
                    return Failed(self.task.name, *content)
                return Finished(self.task.name, content)
        except EOFError:
            return Failed(self.task.name, f"its process {self._death()}")
        except (MemoryError, RecursionError, pickle.UnpicklingError) as error:
            self.kill()
            return Failed(self.task.name, f"its result cannot be read: {type(error).__name__}")
        return None

    def kill(self) -> None:
        """End the process with all that it started, if it is there."""
        if self.process is not None:
            below = kill_family(self.process)
            self._death()
            wait_for_ends(below)

    def _death(self) -> str:
        """Wait for the end of the process; how it ended."""
        assert self.process is not None and self._inbox is not None
        how = "ended"
        # Where this process ignores SIGCHLD, nobody is told how a child ended.
        with suppress(ChildProcessError):
            how = how_ended(os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1]))
        self._inbox.close()
        self.process = self._inbox = None
        return how


def speaking(children: Sequence[Child[Result]], seconds: float) -> list[Child[Result]]:
    """Those that have sent something, or died; waits for them so long at most."""
    by_reader = {child._inbox.reader: child for child in children if child._inbox is not None}
    poll = select.poll()
    for reader in by_reader:
        poll.register(reader, select.POLLIN)
    return [by_reader[reader] for reader, _ in poll.poll(math.ceil(seconds * 1000))]


def kill_all(children: Sequence[Child[Result]]) -> None:
    """Kill all, and once more where an interruption came in between."""
    try:
        _kill_all(children)
    except KeyboardInterrupt:
        _kill_all(children)
        raise


def _kill_all(children: Sequence[Child[Result]]) -> None:
    with signals_waiting():
        started = [child.process for child in children if child.process is not None]
        below = [process for child in started for process in kill_family(child)]
        for child in children:
            child.kill()
        wait_for_ends(below)


def _live(task: Task[Any], writer: int, parent: int) -> NoReturn:
    """The life of a forked process, which never returns and flushes nothing of its parent's."""
    try:
        die_with(parent)
        # The parent ends its children where the terminal interrupts them all.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTING)
        # A pipe of a sibling would hide its end as long as it is open here.
        point_to_null(open_files() - {0, 1, 2, writer})
        try:
            send(writer, "finished", task.run(lambda news: send(writer, "news", news)))
        except MemoryError:
            send(writer, "failed", ("memory ran out", Ending.MEMORY))
        except Exception as error:
            notes = "".join(f", {note}" for note in getattr(error, "__notes__", ()))
            ending = error.ending if isinstance(error, BudgetExhausted) else Ending.FAILED
            send(writer, "failed", (f"{error}{notes}" or type(error).__name__, ending))
    finally:
        os._exit(0)
