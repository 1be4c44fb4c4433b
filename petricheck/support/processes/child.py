"""A computation in a process of its own, which sends messages and its result through a pipe."""

from __future__ import annotations

import math
import os
import pickle
import select
import signal
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Generic, NoReturn, TypeAlias, TypeVar

from petricheck.support.errors import (
    BudgetExhausted,
    Ending,
    described,
    is_fault,
    show_traceback,
)
from petricheck.support.processes.limits import NOTHING, UNLIMITED, TaskStage, Usage, Watch
from petricheck.support.processes.messages import Inbox, send
from petricheck.support.processes.system import (
    INTERRUPTING,
    die_with,
    how_ended,
    open_files,
    point_to_null,
    signals_waiting,
)
from petricheck.support.processes.tree import (
    cpu_seconds,
    family,
    kill_family,
    send_signal,
    wait_for_ends,
)

Result = TypeVar("Result")


class Pause(Enum):
    """The event of a task that has finished its turn and waits for the next one."""

    UNTIL_NEXT_TURN = "until the next turn"


@dataclass(frozen=True, slots=True)
class PartialResult(Generic[Result]):
    """A part of what the task of this name computes, which it sends before its end."""

    name: str
    content: Result


@dataclass(frozen=True, slots=True)
class Task(Generic[Result]):
    """A computation.

    Attributes:
        name: tells it from others.
        run: gets a function that sends its news, and has no other way to the outside; news that are
            a stage begin it, and with a pause it waits for its next turn.
        stage: its first; it is killed where a limit of a stage is broken.
        share: its turns are so many times as long as those of others.
    """

    name: str
    run: Callable[[Callable[[Any], None]], Result]
    stage: TaskStage = UNLIMITED
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Finished(Generic[Result]):
    """The end of the task of this name that returned a result."""

    name: str
    result: Result
    usage: Usage = field(default=NOTHING, compare=False)


@dataclass(frozen=True, slots=True)
class Failed:
    """The end of the task of this name that raised, died, or was killed for a limit.

    Attributes:
        ending: the reason in a word.
        fault: whether it raised an error that nobody raises on purpose.
        began: whether there was a process for it.
    """

    name: str
    reason: str
    ending: Ending = Ending.FAILED
    fault: bool = False
    began: bool = True
    usage: Usage = field(default=NOTHING, compare=False)


Outcome: TypeAlias = Finished[Result] | Failed


class Child(Generic[Result]):
    """A task with its process; the kernel kills it where this process dies first (Linux).

    Attributes:
        task: what it computes.
        process: the id of its process; None before it is started and after it was ended.
        inbox: what it sends, once it is started.
        watch: knows its limits, once it is started.
        parts: what it has computed by now, until somebody takes it.
        pauses: whether it waits for its next turn by itself.
    """

    def __init__(self, task: Task[Result], tell: Callable[[Any], None]) -> None:
        """Make a child that is not started yet; `tell` gets its messages."""
        self.task = task
        self.process: int | None = None
        self.parts: list[PartialResult[Any]] = []
        self.pauses = False
        self._tell = tell

    def start(self) -> None:
        """Fork the process.

        Raises:
            OSError: no process can be had.
        """
        parent = os.getpid()
        # Signals wait, so that no process is there without being known.
        with signals_waiting():
            reader, writer = os.pipe()
            turns, self._turn = os.pipe()
            self.inbox, self.watch = Inbox(reader), Watch(self.task.stage)
            try:
                self.process = os.fork()
                if self.process == 0:
                    _live(self.task, writer, turns, parent)
            except OSError:
                self._close()
                raise
            finally:
                os.close(writer)
                os.close(turns)

    @property
    def cpu_seconds(self) -> float:
        """The CPU time that the process and all below it have used."""
        return 0.0 if self.process is None else cpu_seconds(family(self.process))

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process, if it is there."""
        if self.process is not None:
            send_signal(self.process, number)

    def go_on(self) -> None:
        """Start its next turn, whether it was stopped or pauses."""
        self.signal(signal.SIGCONT)
        if self.pauses:
            self.pauses = False
            with suppress(BrokenPipeError):  # It has died meanwhile.
                os.write(self._turn, b"!")

    def outcome(self) -> Outcome[Result] | None:
        """Return the outcome, if it has ended or breaks a limit now; pass on its messages."""
        assert self.process is not None
        try:
            for kind, content in self.inbox.messages():
                match kind, content:
                    case "news", TaskStage():
                        self.watch.begin(content, cpu_seconds(family(self.process)))
                    case "news", Pause():
                        self.pauses = True
                    case "news", PartialResult():
                        self.parts.append(content)
                    case "news", _:
                        self._tell(content)
                    case "failed", (reason, ending, fault):
                        return self.fail(reason, ending, fault=fault)
                    case _:
                        return Finished(self.task.name, content, self._end()[1])
        except EOFError:
            ending, usage = self._end(killed=False)
            return Failed(self.task.name, f"its process {ending}", usage=usage)
        except (MemoryError, RecursionError, pickle.UnpicklingError) as error:
            return self.fail(f"its result cannot be read: {type(error).__name__}")
        broken = self.watch.broken(self.process)
        return self.fail(*broken) if broken else None

    def fail(self, reason: str, ending: Ending = Ending.FAILED, *, fault: bool = False) -> Failed:
        """End the process with all that it started; return the outcome, for this reason."""
        return Failed(self.task.name, reason, ending, fault, usage=self._end()[1])

    def kill(self) -> None:
        """End the process with all that it started, if it is there."""
        if self.process is not None:
            self._end()

    def _end(self, *, killed: bool = True) -> tuple[str, Usage]:
        """Kill the process, or wait for its end; return how it ended, and its usage."""
        assert self.process is not None
        usage = self.watch.usage(self.process)
        below = kill_family(self.process) if killed else ()
        ending = "ended"
        # Where this process ignores SIGCHLD, nobody is told how a child ended.
        with suppress(ChildProcessError):
            _, status, used = os.wait4(self.process, 0)
            ending = how_ended(os.waitstatus_to_exitcode(status))
            usage = replace(usage, memory=max(usage.memory, used.ru_maxrss << 10))
        self._close()
        self.process = None
        wait_for_ends(below)
        return ending, usage

    def _close(self) -> None:
        self.inbox.close()
        os.close(self._turn)


def wait_for_news(children: Iterable[Child[Any]], seconds: float) -> None:
    """Wait so long at most until one has sent something, or died, or has limits to be looked at."""
    poll = select.poll()
    end = time.monotonic() + min(seconds, 3600.0)  # lest it overflow
    for child in children:
        poll.register(child.inbox.reader, select.POLLIN)
        end = min(end, child.watch.next_look)
    poll.poll(math.ceil(max(0.0, end - time.monotonic()) * 1000))


def kill_all(children: Sequence[Child[Any]]) -> None:
    """Kill all, and once more where an interruption came in between."""
    try:
        _kill_all(children)
    except KeyboardInterrupt:
        _kill_all(children)
        raise


def _kill_all(children: Sequence[Child[Any]]) -> None:
    with signals_waiting():
        started = [child.process for child in children if child.process is not None]
        below = [process for child in started for process in kill_family(child)]
        for child in children:
            child.kill()
        wait_for_ends(below)


def _live(task: Task[Any], writer: int, turns: int, parent: int) -> NoReturn:
    """Run in the forked process; never return, and flush nothing of the parent's."""
    try:
        die_with(parent)
        # The parent ends its children where the terminal interrupts them all.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTING)

        def tell(news: Any) -> None:
            send(writer, "news", news)
            if isinstance(news, Pause):
                os.read(turns, 1)

        try:
            # A pipe of a sibling would hide its end as long as it is open here.
            point_to_null(open_files() - {0, 1, 2, writer, turns})
            send(writer, "finished", task.run(tell))
        except MemoryError:
            send(writer, "failed", ("memory ran out", Ending.MEMORY, False))
        except Exception as error:
            show_traceback(error)
            notes = "".join(f", {note}" for note in getattr(error, "__notes__", ()))
            ending = error.ending if isinstance(error, BudgetExhausted) else Ending.FAILED
            send(writer, "failed", (f"{described(error)}{notes}", ending, is_fault(error)))
        while os.getppid() == parent:  # It kills this process, and so all that it has started.
            time.sleep(1.0)
    finally:
        os._exit(0)
