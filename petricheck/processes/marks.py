"""Programs that bear a mark in their environment, so that none gets away (Linux)."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from petricheck.processes.system import open_files, point_to_null, signals_waiting
from petricheck.processes.tree import send_signal


@contextmanager
def none_left(name: str, value: str) -> Iterator[None]:
    """A time at whose end all programs with this mark are killed, even if this process is first.

    A process of its own waits for that, since nobody can tell how this one ends.

    Args:
        name: of the variable in their environment.
        value: how its value begins.
    """
    reader, writer = os.pipe()
    with signals_waiting():
        guard = os.fork()
        if not guard:
            try:
                os.setsid()
                point_to_null(open_files() - {reader})
                os.read(reader, 1)  # It ends when the last process with the other end has ended.
                kill_marked(name, value)
            finally:
                os._exit(0)
    os.close(reader)
    try:
        yield
    finally:
        os.close(writer)
        with suppress(ChildProcessError):
            os.waitpid(guard, 0)


def kill_marked(name: str, value: str) -> None:
    """Kill all programs that were started with this variable, as its value begins."""
    mark = f"{name}={value}".encode()
    killed = True
    while killed:
        killed = False
        for environment in Path("/proc").glob("[0-9]*/environ"):
            with suppress(OSError):
                variables = environment.read_bytes().split(b"\0")
                if any(variable.startswith(mark) for variable in variables):
                    send_signal(int(environment.parent.name), signal.SIGKILL)
                    killed = True
