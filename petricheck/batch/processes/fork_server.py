"""Forks one process per cell; the arguments of its `main` are FD and perhaps IDLE.

It imports what solving needs, once, and then only waits; so the process of a cell starts at once,
with its imports done and nothing left over from other cells.

FD is one end of a pipe. Cells come in one at a time, each is answered by its outcome. When the
other end is closed, a running cell is killed and the server ends; also when nothing came in for
IDLE seconds, or by SIGTERM.
"""

from __future__ import annotations

import gc
import importlib
import os
import platform
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from multiprocessing.connection import Connection
from typing import NoReturn

from petricheck.batch.cells import Host
from petricheck.batch.processes.supervise import supervise
from petricheck.batch.processes.tree import kill_descendants
from petricheck.plugins import members
from petricheck.processes import adopt_orphans

BACKENDS = ("flint", "highspy", "numpy", "psutil", "z3")
ROOMS = (
    "abstraction", "analyses", "audit", "audit.shapes", "covering", "engines", "formats", "guides",
    "heuristics", "interpolation", "notations",
    "presburger", "properties", "queries", "reductions", "search", "state_equation", "state_space",
)  # fmt: skip
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

PACKAGES = ("petricheck", "highspy", "numpy", "python-flint", "sympy", "z3-solver")
"""What decides; its versions are told."""


def serve(channel: Connection, idle: float | None) -> None:
    """Answer cells until the channel is closed, or idle for too long."""
    adopt_orphans()
    with _one_thread():
        preload()
    here = host()
    gc.collect()
    gc.freeze()
    with suppress(EOFError, OSError):
        while channel.poll(idle):
            channel.send(replace(supervise(channel.recv(), channel), host=here))


def preload() -> None:
    """Import what engines import lazily; what fails here fails again in the cell that needs it."""
    names = [f"petricheck.{family}.{name}" for family in ROOMS for name in members(family)]
    for name in (*BACKENDS, *names):
        with suppress(Exception):
            importlib.import_module(name)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Libraries that are loaded meanwhile start no threads.

    CPU time would count the others' spinning, and threads do not survive a fork. Programs that
    engines start get the environment as it was.
    """
    before = dict(os.environ)
    os.environ.update(_ONE_THREAD)
    try:
        yield
    finally:
        for name in _ONE_THREAD:
            del os.environ[name]
        os.environ.update(before)


def host() -> Host:
    """This machine, and what is installed here."""
    import psutil

    versions = [("Python", platform.python_version())]
    for package in PACKAGES:
        with suppress(PackageNotFoundError):
            versions.append((package, version(package)))
    return Host(
        platform.node(),
        f"{platform.system()} {platform.release()} {platform.machine()}",
        os.cpu_count() or 1,
        int(psutil.virtual_memory().total),
        tuple(versions),
    )


def main() -> None:
    """The process."""
    descriptor, *idle = sys.argv[1:]
    signal.signal(signal.SIGTERM, _quit)
    try:
        serve(Connection(int(descriptor)), float(idle[0]) if idle else None)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        kill_descendants()  # of a cell that was being killed when the signal came


def _quit(*_: object) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(0)
