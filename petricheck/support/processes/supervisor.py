"""The supervisor's side of `supervision`: a loop that waits for reports, signals and limits."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from petricheck.support.budget import MEBIBYTE
from petricheck.support.processes.messages import Inbox, write_all
from petricheck.support.processes.system import how_ended
from petricheck.support.processes.tree import MemoryMeter, family, kill_family

GRACE = 0.5
"""Seconds after a limit on time in which the command may end by itself: it can say more."""

PATIENCE = 0.8
"""Seconds after a signal in which the command may end by itself, unless it needs more."""

_SLACK = 1.05
"""Times the limit on memory: the command looks at it too, and can say more."""

_MEMORY_GRACE, _OVERSHOOT = 0.1, 1.5
"""Seconds for which more may be held, up to so many times the limit: a race ends only its largest
engine, but a table of markings grows in steps."""

_EXIT_TIME = 0.2
"""Seconds in which the command may exit by itself when all is told."""

_READING_TIME = 0.5
"""Seconds in which somebody has to read what is told after an interruption."""

UNKNOWN, INTERRUPTED, UNREAD = 1, 130, 141
"""Exit statuses: nothing is known, a signal ended it, and nobody reads the output."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Output that was prepared.

    Attributes:
        output: for the standard output.
        errors: for the standard error.
        status: how the command ends with it; of several pieces the highest counts.
    """

    output: bytes
    errors: bytes
    status: int


class Supervisor:
    """A process that waits for the end of a command, or brings it about."""

    def __init__(self, child: int, inbox: Inbox, granting: int, signals: Sequence[int]) -> None:
        """Store the child, the inbox of its reports, and the stream of bytes that grant turns."""
        self._child, self._inbox, self._granting = child, inbox, granting
        self._signals = signals
        self._deadline: float | None = None
        self._memory: MemoryMeter | None = None
        self._patience = PATIENCE
        self._in_turn, self._grants = False, True
        self._drawing = 0
        self._parts: set[str] = set()
        self._pieces: dict[str, Mapping[str, Piece]] = {}
        self._prepared = False
        self._interrupted: float | None = None
        self._finished: int | None = None

    def run(self, mask: Iterable[int]) -> int:
        """Return the exit status of the command when it has ended; block signals of the mask.

        The end of a process is seen even so.
        """
        news, wake = os.pipe()
        os.set_blocking(news, False)
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake)
        for number in (*self._signals, signal.SIGCHLD):
            signal.signal(number, lambda *_: None)
        signal.pthread_sigmask(signal.SIG_SETMASK, {*mask} - {signal.SIGCHLD})
        poll = select.poll()
        poll.register(news, select.POLLIN)
        poll.register(self._inbox.reader, select.POLLIN)
        while True:
            ready = dict(poll.poll(self._wait() * 1000))
            if self._inbox.reader in ready and not self._read():
                poll.unregister(self._inbox.reader)
            if news in ready:
                self._take_signals(os.read(news, 64))
            if (status := self._ended()) is not None:
                return status
            if (ending := self._due()) is not None:
                return self._end(ending)

    @property
    def _moments(self) -> dict[str, float]:
        """The times at which to look, by the word of the ending that may result."""
        moments = {}
        if self._interrupted is not None:
            moments["interrupted"] = self._interrupted + self._patience
        if self._deadline is not None and not self._in_turn:
            moments["time"] = self._deadline + GRACE
        if self._memory is not None and not self._in_turn:
            moments["memory"] = self._memory.next_look
        return moments

    def _wait(self) -> float:
        """Return seconds until something is to be looked at; an hour at most, lest it overflow."""
        now = time.monotonic()
        return max(0.0, min((now + 3600.0, *self._moments.values())) - now)

    def _due(self) -> str | None:
        """Return the word of the ending that is due; None where there is none."""
        now = time.monotonic()
        for ending, moment in self._moments.items():
            if now >= moment and (ending != "memory" or self._is_too_large()):
                return ending
        return None

    def _is_too_large(self) -> bool:
        assert self._memory is not None
        self._memory.look(family(self._child))
        return self._memory.is_broken

    # Reports

    def _read(self) -> bool:
        """Process the reports of the command; return whether more may come."""
        try:
            for kind, content in self._inbox.messages():
                self._take(kind, content)
        except EOFError:
            return False
        return True

    def _take(self, kind: str, content: Any) -> None:
        match kind, content:
            case "limit", (deadline, mebibytes):
                self._deadline, self._memory = deadline, None
                if mebibytes is not None:
                    limit = mebibytes * MEBIBYTE * _SLACK
                    self._memory = MemoryMeter(limit, _OVERSHOOT, _MEMORY_GRACE)
            case "patience", float(seconds):
                self._patience = seconds
            case "keep", (key, pieces):
                self._prepared = True
                self._pieces[key] = pieces
            case "settle", None:
                self._pieces = {key: value for key, value in self._pieces.items() if not key}
            case "settle", str(key):
                self._pieces.pop(key, None)
                if self._in_turn and not any(self._pieces):
                    self._pieces.clear()  # All is told.
            case "drawing", int(lines):
                self._drawing = lines
            case "part", (path, begun):
                (self._parts.add if begun else self._parts.discard)(path)
            case "turn", True if self._grants:
                self._in_turn = True
                with suppress(BrokenPipeError):
                    os.write(self._granting, b"\n")
            case "turn", False:
                self._in_turn = False
                if self._deadline is not None and not any(self._pieces):
                    # All is told, however long a reader took: it may leave by itself.
                    self._deadline = max(self._deadline, time.monotonic())
            case "finish", int(status):
                self._finished, self._memory = status, None
                self._deadline = time.monotonic() + _EXIT_TIME - GRACE

    def _take_signals(self, numbers: bytes) -> None:
        """Forward an interruption; a second one waits no longer."""
        for number in numbers:
            if number in self._signals:
                again = self._interrupted is not None
                self._interrupted = time.monotonic() - (self._patience if again else 0.0)
                with suppress(ProcessLookupError):
                    os.kill(self._child, number)

    # The end

    def _ended(self) -> int | None:
        """Return the exit status if the process has ended by itself; else None."""
        process, status = os.waitpid(self._child, os.WNOHANG)
        if not process:
            return None
        self._read_rest()
        code = os.waitstatus_to_exitcode(status)
        if code >= 0:
            return code
        if self._interrupted is not None or -code in self._signals:  # A terminal tells both.
            return self._tell("interrupted")
        _write(2, f"petricheck: its process {how_ended(code)}\n".encode())
        return self._tell("failed")

    def _end(self, ending: str) -> int:
        """End the command, and write the output that it prepared for this ending."""
        kill_family(self._child)
        self._read_rest()
        status = self._tell(ending)
        self._wait_for_death()
        return status

    def _wait_for_death(self) -> None:
        """Wait for the child's end, as the system may need seconds to take its memory back."""
        deadline = time.monotonic() + _EXIT_TIME
        while not os.waitpid(self._child, os.WNOHANG)[0] and time.monotonic() < deadline:
            time.sleep(0.01)

    def _read_rest(self) -> None:
        """Take what was reported before the process ended, but for a turn that it never had."""
        self._grants = False
        while select.select([self._inbox.reader], [], [], 0)[0] and self._read():
            pass

    def _tell(self, ending: str) -> int:
        """Write the prepared output; return the exit status."""
        # From here on a signal just ends this process: it may wait for a reader.
        for number in self._signals:
            signal.signal(number, signal.SIG_DFL)
        if ending == "interrupted":
            signal.signal(signal.SIGALRM, lambda *_: os._exit(INTERRUPTED))
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
            signal.setitimer(signal.ITIMER_REAL, _READING_TIME)
        for path in self._parts:
            with suppress(OSError):
                os.unlink(path)
        if self._drawing:
            up = f"\x1b[{self._drawing - 1}A" if self._drawing > 1 else ""
            _write(2, f"\r{up}\x1b[J".encode())
        if self._finished is not None:
            return self._finished
        if self._in_turn:
            self._pieces.clear()  # A line that was cut off stays the last one.
        if ending == "interrupted" and not self._prepared:
            _write(2, b"petricheck: interrupted\n")  # The command was not ready to say so.
        fallback = self._pieces.pop("", {})
        pieces = [by_ending[ending] for by_ending in self._pieces.values() if ending in by_ending]
        pieces = pieces or [piece for word, piece in fallback.items() if word == ending]
        for piece in pieces:
            _write(2, piece.errors)
            if not _write(1, piece.output):
                return UNREAD
        otherwise = INTERRUPTED if ending == "interrupted" else UNKNOWN
        return max((piece.status for piece in pieces), default=otherwise)


def _write(descriptor: int, data: bytes) -> bool:
    """Write all data; return whether there is a reader."""
    try:
        write_all(descriptor, data)
    except OSError:
        return False
    return True
