"""A cell in processes of its own: one that decides it, and above that one that watches its limits.

They are forked, so that they begin at once with all imports done, and nothing left over from other
cells. An engine knows its limits on wall time and memory, and gives up by itself; for this it gets
a little more than the limit before it is killed.
"""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import platform
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import petricheck
from petricheck.batch.cells import Cell, Host, Limits, Outcome
from petricheck.batch.solve import Answered, Started, decide
from petricheck.errors import Ending
from petricheck.processes.child import Failed, Finished, Task
from petricheck.processes.limited import Stage, run_limited
from petricheck.processes.system import be_called
from petricheck.processes.tree import ended_cpu_seconds, kill_marked

READING = 60.0
"""Seconds that reading a question may take, before the clock of the cell starts."""

WRITING = 60.0
"""Seconds that an answer's evidence may take to be written, after the clock has stopped."""

GRACE = 1.0
"""Seconds beyond a limit after which an engine is killed."""

SLACK = 60.0
"""Seconds beyond all limits of a cell after which the process that watches them counts as lost."""

MARK = "PETRICHECK_CELL"
"""In the environment of all programs that a cell starts, so that they are found in any case."""

PROCESS_NAME = "petricheck-cell"
"""Of the processes of a cell, for those who list processes."""

PACKAGES = ("petricheck", "highspy", "numpy", "python-flint", "sympy", "z3-solver")
"""What decides; its versions are told."""

BACKENDS = ("flint", "highspy", "numpy", "z3")
"""Packages that engines import when they need them."""

NOT_OF_CELLS = ("__main__", "batch", "cli", "interop", "laboratory", "page", "standalone")
"""Modules and rooms of petricheck that cells do not use."""

_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def preload() -> None:
    """Import what engines import lazily; what fails here fails again in the cell that needs it.

    Libraries that are loaded start no threads: CPU time would count their spinning, and they do not
    survive a fork. Programs that engines start get the environment as it was.
    """
    before = dict(os.environ)
    os.environ.update(_ONE_THREAD)
    modules = (found.name for found in pkgutil.walk_packages(petricheck.__path__, "petricheck."))
    of_cells = (name for name in modules if name.split(".")[1] not in NOT_OF_CELLS)
    for name in (*BACKENDS, *of_cells):
        with suppress(Exception):
            importlib.import_module(name)
    for name in _ONE_THREAD:
        del os.environ[name]
    os.environ.update(before)


@contextmanager
def sharing_memory() -> Iterator[None]:
    """A time in which no collection of garbage touches, and so copies, what forks share."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def host() -> Host:
    """This machine, and what is installed here."""
    versions = [("Python", platform.python_version())]
    for package in PACKAGES:
        with suppress(PackageNotFoundError):
            versions.append((package, version(package)))
    return Host(
        platform.node(),
        f"{platform.system()} {platform.release()} {platform.machine()}",
        os.cpu_count() or 1,
        os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"),
        tuple(versions),
    )


def isolated(cell: Cell) -> Task[Outcome]:
    """The task of deciding a cell, whose limits hold; its name is like no other."""
    name = secrets.token_hex(16)
    seconds = READING + cell.limits.seconds + GRACE + WRITING + SLACK
    return Task(name, lambda _: decide_within_limits(cell, name), seconds)


def remove_remains(failed: Failed) -> None:
    """Kill what an isolated task left behind whose process died.

    Raises:
        OSError: it never had a process.
    """
    if not failed.began:
        raise OSError(failed.reason)
    kill_marked(MARK, failed.name)


def decide_within_limits(cell: Cell, mark: str = "") -> Outcome:
    """Decide a cell in a process below this one, which must have no others."""
    be_called(PROCESS_NAME)
    os.environ[MARK] = mark
    target = ""

    def following(news: Started | Answered) -> Stage:
        nonlocal target
        if isinstance(news, Answered):
            return Stage(WRITING, f"writing the evidence took more than {WRITING:g} s")
        target = news.target
        return deciding

    deciding = _deciding(cell.limits)
    reading = Stage(READING, f"reading the question took more than {READING:g} s")
    outcome, usage = run_limited(Task("cell", partial(_measured, cell)), reading, following)
    match outcome:
        case Finished(_, decided):
            return replace(decided, memory=usage.memory, target=target)
        case Failed(_, reason, ending):
            failed = _failed(reason, ending, of_engine=usage.stage is deciding)
            if usage.stage is deciding:
                failed = replace(failed, seconds=usage.seconds, cpu_seconds=usage.cpu_seconds)
            return replace(failed, memory=usage.memory, target=target)


def _deciding(limits: Limits) -> Stage:
    overrun = f"killed {GRACE:g} s after the time limit of {limits.seconds:g} s"
    return Stage(limits.seconds + GRACE, overrun, limits.cpu_seconds, limits.memory)


def _failed(reason: str, ending: Ending, *, of_engine: bool) -> Outcome:
    match ending:
        case Ending.TIME:
            return Outcome(
                "timeout" if of_engine else "error",
                reason=reason,
                error="" if of_engine else "Overrun",
            )
        case Ending.MEMORY:
            return Outcome("memory", reason=reason)
        case _:
            return Outcome("error", reason=reason, error="Crash")


def _measured(cell: Cell, send: Callable[[Any], None]) -> Outcome:
    """Decide the cell; with the time from its beginning to its answer, where no engine tells it."""
    times: list[tuple[float, float]] = []

    def tell(news: Started | Answered) -> None:
        times.append(_now())
        send(news)

    outcome = decide(cell, tell)
    if not times or outcome.seconds is not None:
        return outcome
    (began, cpu_before), (ended, cpu_after) = times[0], [*times, _now()][1]
    return replace(outcome, seconds=ended - began, cpu_seconds=cpu_after - cpu_before)


def _now() -> tuple[float, float]:
    """The clock, and the CPU time of this process and of those below it that have ended."""
    return time.monotonic(), time.process_time() + ended_cpu_seconds()
