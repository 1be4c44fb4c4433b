"""Compilation in a process beside, once for all processes that wait for one of the loops.

It takes nobody's turn: those who wait compute nothing. Whoever ends it loses only the loop that is
being compiled; it dies with the process that has begun it, and then one of those that wait begins
it again.
"""

from __future__ import annotations

import fcntl
import os
import signal
import time
from collections.abc import Callable, Iterable
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

Work: TypeAlias = Callable[[], Iterable[Iterable[str]]]
"""Compiles loops; tells now and then the names of all that are compiled."""

_TICK = 0.02
"""Seconds between two looks at what is compiled."""

ALL = "all"
"""Stands for all loops."""


def begin(folder: Path, work: Work) -> None:
    """Let loops be compiled beside, unless they are already, and go on at once.

    Args:
        folder: where compiled loops are kept.
        work: compiles them.
    """
    if not (folder / ALL).exists():
        with suppress(OSError):
            _start(folder, work)


def wait_for(name: str, folder: Path, work: Work) -> None:
    """Wait until the loop of this name is compiled; see `begin`.

    Where nothing comes of it, it returns as well.
    """
    process = None
    while not any((folder / done).exists() for done in (name, ALL)):
        try:
            if process is None:
                process = _start(folder, work)
            elif os.waitpid(process, os.WNOHANG)[0]:
                return
        except BlockingIOError:
            pass  # Another process compiles.
        except OSError:
            return
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
        for names in work():
            for name in names:
                (folder / name).touch()
        (folder / ALL).touch()
    finally:
        os._exit(0)
