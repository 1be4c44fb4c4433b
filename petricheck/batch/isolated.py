"""A cell in a process of its own, held to its limits with all that it starts.

It is forked, so that it begins at once with all imports done, and nothing left over from other
cells. It adopts what its programs leave, so that all is below it when it is killed.
"""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import platform
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial

from petricheck.batch.cells import Cell, CellOutcome, Host
from petricheck.batch.solve import decide, deciding, filing
from petricheck.formats.language.grammar import read_formula
from petricheck.model.net import make_net
from petricheck.support.errors import Ending
from petricheck.support.processes.child import Failed, Finished, Task
from petricheck.support.processes.limits import TaskStage
from petricheck.support.processes.system import (
    adopt_orphans,
    be_called,
    be_killed_first,
    point_to_null,
)
from petricheck.support.processes.tree import kill_marked, none_left
from petricheck.support.version import installed

MARK = "PETRICHECK_CELL"
"""In the environment of all programs that a cell starts, so that they are found in any case."""

PROCESS_NAME = "petricheck-cell"
"""Of the processes of a cell, for those who list processes."""

PACKAGES = ("petricheck", "highspy", "numpy", "python-flint", "sympy", "z3-solver")
"""What decides; its versions are told."""

BACKENDS = ("flint", "highspy", "numpy", "z3")
"""Packages that engines import when they need them."""

NOT_OF_CELLS = (
    "__main__", "batch", "commands", "evidence.standalone", "formats.exports", "formats.libraries",
    "laboratory", "model.drawing", "reports",
)  # fmt: skip
"""Modules and packages of petricheck that cells do not use."""

_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


@contextmanager
def ready_to_fork() -> Iterator[tuple[str, Host]]:
    """Yield while cells can be forked from this process; end what they started after that.

    Yields how the mark of what they start begins; and this machine.
    """
    mark = secrets.token_hex(8)
    with none_left(MARK, mark):
        _preload()
        gc.collect()
        gc.freeze()  # So no collection of garbage touches, and copies, what forks share.
        try:
            yield mark, _host()
        finally:
            gc.unfreeze()


def _preload() -> None:
    """Import what engines import lazily; what fails here fails again in the cell that needs it.

    Libraries that are loaded start no threads: CPU time would count their spinning, and they do not
    survive a fork. Programs that engines start get the environment as it was.
    """
    before = dict(os.environ)
    os.environ.update(_ONE_THREAD)
    path = sys.modules["petricheck"].__path__
    modules = (module.name for module in pkgutil.walk_packages(path, "petricheck."))
    others = tuple(f"petricheck.{name}." for name in NOT_OF_CELLS)
    of_cells = (name for name in modules if not f"{name}.".startswith(others))
    for name in (*BACKENDS, *of_cells):
        with suppress(Exception):
            importlib.import_module(name)
    read_formula(make_net("", {}, {}), "true")  # This makes the tables of the grammar.
    for name in _ONE_THREAD:
        del os.environ[name]
    os.environ.update(before)


def _host() -> Host:
    return Host(
        platform.node(),
        f"{platform.system()} {platform.release()} {platform.machine()}",
        os.cpu_count() or 1,
        os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"),
        (("Python", platform.python_version()), *installed(PACKAGES).items()),
    )


def isolated(cell: Cell, mark: str) -> Task[CellOutcome]:
    """Return the task of deciding a cell; its name begins with the mark of its programs."""
    name = f"{mark}-{secrets.token_hex(8)}"
    return Task(name, partial(_decide, cell, name), filing("reading the question"))


def outcome_of(cell: Cell, ended: Finished[CellOutcome] | Failed) -> CellOutcome:
    """Return the outcome of an ended cell; kills processes that it left if it died.

    OSError where it never had a process.
    """
    usage = ended.usage
    target = usage.stage.subject
    decides = usage.stage == deciding(cell.limits, target)
    if isinstance(ended, Finished):
        outcome = ended.result
    elif not ended.began:
        raise OSError(ended.reason)
    else:
        kill_marked(MARK, ended.name)
        outcome = replace(_failure(ended, of_engine=decides), target=target)
    if decides:  # No engine tells the time where it fails.
        outcome = replace(outcome, seconds=usage.seconds, cpu_seconds=usage.cpu_seconds)
    return replace(outcome, memory=usage.memory)


def _failure(failed: Failed, *, of_engine: bool) -> CellOutcome:
    match failed.ending:
        case Ending.TIME if of_engine:
            return CellOutcome("timeout", reason=failed.reason)
        case Ending.MEMORY:
            return CellOutcome("memory", reason=failed.reason)
        case ending:
            kind = "Overrun" if ending is Ending.TIME else "Crash"
            return CellOutcome("error", reason=failed.reason, error=kind)


def _decide(cell: Cell, name: str, begin: Callable[[TaskStage], None]) -> CellOutcome:
    """Decide the cell in its process, detached from the terminal and files of its parent."""
    os.setsid()
    be_called(PROCESS_NAME)
    be_killed_first()
    adopt_orphans()
    point_to_null((0, 1, 2))
    os.environ[MARK] = name
    return decide(cell, begin)
