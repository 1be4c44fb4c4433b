"""Services of the operating system: signals at a parent's death, delayed signals, closed files."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

INTERRUPTING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM)
"""The signals that people and clocks send to a program."""

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans() -> None:
    """Become the parent of processes below this one that lose theirs (Linux)."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with(parent: int) -> None:
    """Request to be killed when the parent dies (Linux); end at once if it is dead already."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def be_killed_first() -> None:
    """Ask the kernel to kill this process before others if memory runs out (Linux)."""
    _note("oom_score_adj", "1000")


def be_called(name: str) -> None:
    """Set the name in lists of processes (Linux); at most 15 characters."""
    _note("comm", name)


def open_standard_streams() -> None:
    """Open /dev/null in the place of standard streams that are closed.

    Else the next file that is opened would get their number, and what is written for people.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # It gets the lowest number that is free.
            stream = open(number, "w" if number else "r", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)


def open_files() -> set[int]:
    """Return the descriptors of this process, also where no folder of the system lists them."""
    for folder in ("/proc/self/fd", "/dev/fd"):
        with suppress(OSError):
            return set(map(int, os.listdir(folder)))
    return set(filter(_is_open, range(min(os.sysconf("SC_OPEN_MAX"), _MOST_FILES))))


_MOST_FILES = 4096


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def point_to_null(descriptors: Iterable[int]) -> None:
    """Redirect files that are open to /dev/null.

    Closed, their numbers would be given to other files, which their owners here might then close.
    """
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(null, descriptor)


@contextmanager
def signals_waiting() -> Iterator[None]:
    """Delay interrupting signals until the block ends."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTING)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def how_ended(code: int) -> str:
    """Describe how a process ended, by its exit code; that of a killed one is below zero."""
    if code >= 0:
        return f"ended with status {code}"
    names = {int(number): number.name for number in signal.Signals}
    return f"was killed by {names.get(-code, f'signal {-code}')}"


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _note(file: str, text: str) -> None:
    with suppress(OSError):
        Path("/proc/self", file).write_text(text)
