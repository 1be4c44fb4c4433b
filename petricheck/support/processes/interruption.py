"""Signals that interrupt a command, at moments when nothing is lost."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from types import FrameType

from petricheck.support.processes import supervision
from petricheck.support.processes.system import INTERRUPTING

_MOMENT = 0.005
"""Seconds until an interruption is tried again."""

_UNDISTURBED = ("z3.", "petricheck.support.processes.supervision.")
"""Modules in the midst of which nothing is interrupted."""


@contextmanager
def terminable() -> Iterator[None]:
    """Let SIGTERM interrupt like SIGINT, and lose neither."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    interrupt = partial(_interrupt, count(1))
    before = [
        (number, signal.signal(number, interrupt))
        for number in INTERRUPTING
        if signal.getsignal(number) is not signal.SIG_IGN
    ]
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before:
            # The supervisor ends a command that does not end now by itself.
            signal.signal(number, signal.SIG_IGN if supervision.is_supervised() else handler)


def _interrupt(interruptions: Iterator[int], _: int, frame: FrameType | None) -> None:
    """Interrupt, but in the midst of z3, or of a message to the supervisor, a moment later.

    There the exception would be ignored (in a finalizer), replaced by another (by ctypes), or leave
    half a message; where an answer is being told, it would be lost. A terminal interrupts the
    supervisor and this process, and the supervisor passes it on: so the first one counts. When all
    is told, there is nothing to interrupt.
    """
    if supervision.all_is_told():
        return
    if supervision.is_undisturbed():
        signal.setitimer(signal.ITIMER_REAL, _MOMENT)
        return
    while frame is not None:
        if f"{frame.f_globals.get('__name__', '')}.".startswith(_UNDISTURBED):
            signal.setitimer(signal.ITIMER_REAL, _MOMENT)
            return
        frame = frame.f_back
    if next(interruptions) == 1 or not supervision.is_supervised():
        raise KeyboardInterrupt
