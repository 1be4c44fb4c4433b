"""Compilation in a process beside, once for all processes that call loops.

Nobody has to wait for it. Whoever ends it loses only the loop that is being compiled; it dies with
the process that has begun it, and whoever needs the loops next begins it again.
"""

from __future__ import annotations

import fcntl
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NoReturn, TypeAlias

from petricheck.processes.system import (
    INTERRUPTING,
    die_with,
    open_files,
    point_to_null,
    signals_waiting,
)

Work: TypeAlias = Callable[[], object]
"""Compiles the loops."""

_TICK = 0.02
"""Seconds between two looks at what is compiled."""

_DONE = "all"
"""The file that says that all is compiled."""

_begun: dict[Path, float] = {}
"""The folders for which this process has begun to compile, or waits, and since when."""


def is_done(folder: Path) -> bool:
    """Whether all loops are compiled."""
    return (folder / _DONE).exists()


def under_way() -> str:
    """One line for those who watch, where this process lets loops be compiled; or empty."""
    for folder, since in _begun.items():
        if not is_done(folder):
            seconds = time.monotonic() - since
            return f"compiling loops beside, once, kept in {folder.parent} ({seconds:.0f} s)"
    return ""


def begin(folder: Path, work: Work) -> None:
    """Let loops be compiled beside, unless they are already, and go on at once.

    Args:
        folder: where compiled loops are kept.
        work: compiles them.
    """
    if not is_done(folder):
        _begun.setdefault(folder, time.monotonic())
        with suppress(OSError):
            _start(folder, work)


def wait(folder: Path, work: Work, look: Callable[[], None] = lambda: None) -> None:
    """Wait until all loops are compiled; where nothing comes of it, it returns as well.

    Args:
        folder: where compiled loops are kept.
        work: compiles them.
        look: is called again and again; what it raises ends the wait.
    """
    process = None
    _begun.setdefault(folder, time.monotonic())
    while not is_done(folder):
        try:
            if process is None:
                process = _start(folder, work)
            elif os.waitpid(process, os.WNOHANG)[0]:
                return
        except BlockingIOError:
            pass  # Another process compiles.
        except OSError:
            return
        look()
        time.sleep(_TICK)


def _start(folder: Path, work: Work) -> int:
    """Fork a process that compiles.

    Raises:
        BlockingIOError: there is one.
        OSError: none can be had.
    """
    lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o666)
    try:
        # It is let go when all have ended who share the descriptor: here the child.
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        parent = os.getpid()
        with signals_waiting():
            process = os.fork()
            if process == 0:
                _live(parent, lock, folder, work)
        return process
    finally:
        os.close(lock)


def _live(parent: int, lock: int, folder: Path, work: Work) -> NoReturn:
    """The life of the forked process, which never returns and says nothing."""
    try:
        die_with(parent)
        for number in INTERRUPTING:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTING)
        point_to_null(open_files() - {lock})
        work()
        (folder / _DONE).touch()
    finally:
        os._exit(0)
