"""What becomes of processes: their streams, who dies with a parent, and how one has ended."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from contextlib import suppress

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans() -> None:
    """Become the parent of processes below this one that lose theirs (Linux)."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with(parent: int) -> None:
    """Be killed when the parent dies (Linux); at once if it is dead already."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def open_standard_streams() -> None:
    """Have /dev/null in the place of standard streams that are closed.

    Else the next file that is opened would get their number, and what is written for people.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # It gets the lowest number that is free.
            stream = open(number, "w" if number else "r", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)


def ended(code: int) -> str:
    """How a process ended, by its exit code; that of a killed one is below zero."""
    if code >= 0:
        return f"ended with status {code}"
    names = {int(known): known.name for known in signal.Signals}
    return f"was killed by {names.get(-code, f'signal {-code}')}"


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
