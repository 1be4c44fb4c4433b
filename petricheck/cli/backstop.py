"""The end of a command that outlasts its time limit, whatever it is doing.

Loops look at their budget, but reading and solvers cannot always: a pipe that nobody writes into,
a step of z3 on very long numbers. So a thread waits beside them, and a moment after the limit it
tells that the answer is unknown and ends the process.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import TypeAlias

from petricheck.answer import Unknown
from petricheck.budget import Budget
from petricheck.cli.outcomes import Status
from petricheck.cli.terminal import progress

GRACE = 0.5
"""Seconds after the limit for whatever looks at its budget; it can say more of what it did."""

TellLate: TypeAlias = Callable[[Unknown], None]
"""Prints an answer that comes late; called in another thread, just before the process ends."""


@contextmanager
def limited(
    seconds: float | None,
    memory: int | None,
    tell: TellLate,
    *,
    verbose: bool = False,
    patience: float = 0.0,
) -> Iterator[Budget]:
    """A budget, whose time is kept within even by what does not look at it.

    Leaving takes the right to speak from the thread, so that nothing is told twice. Without a
    limit on time there is no thread.

    Args:
        seconds: the limit on time, or None.
        memory: the limit on memory in MiB, or None.
        tell: how to tell that the limit ended the process.
        verbose: how progress is shown.
        patience: seconds more than `GRACE` for what does not look at the budget.
    """
    with progress(verbose=verbose) as shown:
        budget = Budget(seconds, memory, shown.tell)

        def late() -> None:
            shown.clear()
            over = budget.overrun
            tell(Unknown(str(over), "allow more time", ending=over.ending))

        with (
            nullcontext() if seconds is None else _ended(budget.remaining + GRACE + patience, late)
        ):
            yield budget


@contextmanager
def _ended(seconds: float, late: Callable[[], None]) -> Iterator[None]:
    """After so many seconds within, `late` is called and the process ended."""
    turn = threading.Lock()
    thread = threading.Timer(min(seconds, threading.TIMEOUT_MAX), _end, (turn, late))
    thread.daemon = True
    thread.start()
    try:
        yield
    finally:
        turn.acquire()  # Where the thread has it, this process ends here.
        thread.cancel()


def _end(turn: threading.Lock, late: Callable[[], None]) -> None:
    if not turn.acquire(blocking=False):
        return
    try:
        _kill_children()
        late()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(Status.UNKNOWN)


def _kill_children() -> None:
    """Linux kills them with this process; elsewhere nobody would."""
    import psutil

    with suppress(psutil.Error):
        for child in psutil.Process().children(recursive=True):
            child.kill()
