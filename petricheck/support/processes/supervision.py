"""A command in a process of its own, and a supervisor that ends it when a limit is reached.

`supervise` forks. The child runs the command. The parent, the *supervisor*, waits: it looks at the
clock, at the child's memory and at signals, and so depends on nothing that the command does, be it
a long step of a solver, the reading of a pipe or a loop that looks at no clock.

What the command tells when it is ended is prepared before. The child *keeps* pieces of output under
keys, one `Piece` for each way to be ended, and *settles* a key when it has told the same by itself.
It writes to the standard output in *turns*: the supervisor grants one, and no limit ends anything
until it is over, so that no line is cut off and none is told twice. When the last piece is settled
in a turn, *all is told*: nothing more is, whatever ends the command then.

A signal is passed on to the child, which ends by itself, but not in the midst of what it does
*undisturbed*. Where that takes too long, the supervisor tells what was prepared.

Where nobody called `supervise`, as in tests and in programs that call the command as a function,
nothing is ended from outside, and all calls of the child's side do nothing.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from petricheck.support.processes.messages import Inbox, send
from petricheck.support.processes.supervisor import Piece, Supervisor
from petricheck.support.processes.system import die_with, open_standard_streams

FALLBACK = ""
"""The key of what is told where nothing else is kept."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(slots=True)
class _Link:
    """The link of this process to its supervisor.

    Attributes:
        writer: takes reports.
        grants: a byte is read from it before a turn.
        began: when the command did, by `time.monotonic`.
        process: the id of the process; those that it forks have no supervisor.
        lock: held while a report is written.
        turns: how many turns are begun, one within the other.
        undisturbed: the same of what no signal interrupts.
        kept: the keys that are not settled; all but the fallback.
        all_told: whether the last of them was settled in a turn.
    """

    writer: int
    grants: int
    began: float
    process: int = field(default_factory=os.getpid)
    lock: threading.Lock = field(default_factory=threading.Lock)
    turns: int = 0
    undisturbed: int = 0
    unsettled: set[str] = field(default_factory=set)
    all_told: bool = False


_links: list[_Link] = []
"""The link of this process, once it is supervised; of a fork also that of its parent.

Global, since there is one for the whole process, as there is one standard output.
"""


def supervise() -> None:
    """Fork; the child goes on, and the caller's process supervises it and ends after it."""
    began = time.monotonic()
    open_standard_streams()
    # Whoever starts a command may have it ignore signals, as `nohup` does.
    signals = tuple(n for n in _SIGNALS if signal.getsignal(n) is not signal.SIG_IGN)
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, (*signals, signal.SIGCHLD))
    reports, writer = os.pipe()
    grants, granting = os.pipe()
    parent, child = os.getpid(), os.fork()
    if child:
        os.close(writer)
        os.close(grants)
        status = 1
        try:
            status = Supervisor(child, Inbox(reports), granting, signals).run(mask)
        finally:
            os._exit(status)
    os.close(reports)
    os.close(granting)
    die_with(parent)
    for number in signals:
        # Until the command is ready to be interrupted there is nothing to lose: it just ends.
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    _links.append(_Link(writer, grants, began))


def _supervised() -> _Link | None:
    """Return the link to the supervisor that watches this very process."""
    return next((link for link in _links if link.process == os.getpid()), None)


def is_supervised() -> bool:
    """Return whether a supervisor watches this very process."""
    return _supervised() is not None


def began() -> float:
    """Return the time of the call of `supervise`, by `time.monotonic()`: limits count from then.

    Without a supervisor there is no such moment, and this is now.
    """
    link = _supervised()
    return time.monotonic() if link is None else link.began


def limit(deadline: float | None, mebibytes: int | None) -> None:
    """Set the limits at which the supervisor ends the command; None for no limit.

    The deadline is by `time.monotonic()`, the memory that of the command and its processes.
    """
    _report("limit", (deadline, mebibytes))


def ask_for_patience(seconds: float) -> None:
    """Ask for so much time after a first signal, for the command to end in an orderly way."""
    _report("patience", seconds)


def keep(key: str, pieces: Mapping[str, Piece]) -> None:
    """Prepare the output for an end of the command, in place of what was stored under this key.

    Args:
        key: `FALLBACK`, or any other; they are told in the order in which they were first kept.
        pieces: by the word of the `support.errors.Ending`.
    """
    if (link := _supervised()) is None:
        return
    if key:
        link.unsettled.add(key)
        link.all_told = False
    _report("keep", (key, pieces))


def settle(key: str | None) -> None:
    """Remove the entry of this key; all entries but the fallback where it is None."""
    if (link := _supervised()) is None:
        return
    _report("settle", key)
    before = bool(link.unsettled)
    link.unsettled.difference_update((key,) if key is not None else tuple(link.unsettled))
    if before and not link.unsettled and link.turns:
        link.all_told = True


def all_is_told() -> bool:
    """Return whether the last piece was settled in a turn: the command is about to end."""
    return (link := _supervised()) is not None and link.all_told


def note_drawing(lines: int) -> None:
    """Report the number of lines of progress on the terminal, to be removed in the end."""
    _report("drawing", lines)


def note_part(path: str, begun: bool) -> None:
    """Report that an incomplete file was begun, or that it is there no more."""
    _report("part", (path, begun))


def finish(status: int) -> None:
    """Report that all output is written, and the exit status: only cleaning up remains."""
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    # A plain number: to read an enumeration, the supervisor would import the whole command.
    _report("finish", int(status))


@contextmanager
def undisturbed() -> Iterator[None]:
    """Keep signals from interrupting the command in the block, if a supervisor can end it."""
    link = _supervised()
    if link is None:
        yield
        return
    link.undisturbed += 1
    try:
        yield
    finally:
        link.undisturbed -= 1


def is_undisturbed() -> bool:
    """Return whether a signal has to wait."""
    return (link := _supervised()) is not None and link.undisturbed > 0


@contextmanager
def turn() -> Iterator[None]:
    """Keep the command from being ended in the block, which writes output; may be nested."""
    link = _supervised()
    if link is None:
        yield
        return
    link.turns += 1
    if link.turns == 1:
        _report("turn", True)
        os.read(link.grants, 1)
    try:
        yield
    finally:
        link.turns -= 1
        if link.turns == 0:
            _report("turn", False)


def _report(kind: str, content: Any) -> None:
    """Send a message to the supervisor, where there is one; its children have none."""
    if (link := _supervised()) is not None:
        with link.lock:
            send(link.writer, kind, content)
