"""Compilation in a background process, once for all processes that call loops.

No caller has to wait for it. If it is killed, only the loop being compiled is lost. It dies with
the process that started it, and the next process that needs the loops starts it again.
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

from petricheck.support.processes.system import (
    INTERRUPTING,
    die_with,
    open_files,
    point_to_null,
    signals_waiting,
)

Work: TypeAlias = Callable[[], object]
"""Compiles the loops."""

_TICK = 0.02
"""Seconds between two checks of the progress."""

_DONE = "all"
"""The file that exists once all loops are compiled."""

_start_times: dict[Path, float] = {}
"""The folders for which this process started a compilation or waits, with the start times; of the
process, since its searches do not know which of them was the first.
"""


def is_done(folder: Path) -> bool:
    """Return whether all loops are compiled."""
    return (folder / _DONE).exists()


def progress_line() -> str:
    """Describe in one line the compilation that this process started; empty without one."""
    for folder, since in _start_times.items():
        if not is_done(folder):
            seconds = time.monotonic() - since
            return f"compiling loops beside, once, kept in {folder.parent} ({seconds:.0f} s)"
    return ""


def begin(folder: Path, work: Work) -> None:
    """Start to compile the loops into the folder, in another process, unless they are compiled."""
    if not is_done(folder):
        _start_times.setdefault(folder, time.monotonic())
        with suppress(OSError):
            _start(folder, work)


def wait(folder: Path, work: Work, poll: Callable[[], None] = lambda: None) -> None:
    """Wait until all loops are compiled, or the compilation has failed.

    `poll` is called again and again; an error that it raises ends the wait.
    """
    process = None
    _start_times.setdefault(folder, time.monotonic())
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
        poll()
        time.sleep(_TICK)


def _start(folder: Path, work: Work) -> int:
    """Fork a process that compiles; return its id.

    Raises:
        BlockingIOError: another process compiles.
        OSError: no process can be started.
    """
    lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o666)
    try:
        # The lock is released when all processes that share the descriptor have ended: the child.
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        parent = os.getpid()
        with signals_waiting():
            process = os.fork()
            if process == 0:
                _run_child(parent, lock, folder, work)
        return process
    finally:
        os.close(lock)


def _run_child(parent: int, lock: int, folder: Path, work: Work) -> NoReturn:
    """Run the forked process, without output; never returns."""
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
