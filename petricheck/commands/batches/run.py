"""Shared parts of the commands for batches: options, questions, and the run itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import click

from petricheck.commands.batches.display import overview
from petricheck.commands.shell.options import (
    Callback,
    jobs_option,
    memory_option,
    require_proc,
    seconds_option,
    together,
)
from petricheck.commands.shell.terminal import complain
from petricheck.support import plugins
from petricheck.support.errors import QueryError
from petricheck.support.processes import supervision

if TYPE_CHECKING:
    from petricheck.batch.cells import Cell
    from petricheck.batch.executors import Executor
    from petricheck.batch.questions.index import BatchQuestion
    from petricheck.batch.questions.sources import Request
    from petricheck.batch.store import Store


def cell_options(default: str) -> Callable[[Callback], Callback]:
    """Return --config, limits, --jobs and --only; `default` describes a run without --config."""
    return together(
        configuration_option(default),
        unit_limit_options("cell"),
        jobs_option(default=1, show_default=True),
        click.option(
            "--only", metavar="GLOB", default="*", help="Only questions whose name matches GLOB."
        ),
    )


def configuration_option(default: str) -> Callable[[Callback], Callback]:
    """Return --config; `default` describes a run without it."""
    text = (
        "A configuration: none, abs1, abs2, abs3, all, letter, abstract, optimal, default, or one "
        f"of your own, NAME=ENGINE:FIELD=VALUE,...; may be repeated. {default}"
    )
    return click.option("--config", "configurations", metavar="NAME", multiple=True, help=text)


def unit_limit_options(unit: str) -> Callable[[Callback], Callback]:
    """Return --timeout, --cpu-time and --memory for each unit, such as a cell."""
    return together(
        wall_time_option(f"Time limit in seconds, for each {unit}."),
        seconds_option(
            "--cpu-time", f"Limit in seconds on the CPU time of each {unit}.", callback=require_proc
        ),
        memory_option(f"Memory limit in MiB, for all processes of a {unit} together."),
    )


def wall_time_option(text: str) -> Callable[[Callback], Callback]:
    """Return --timeout, with its help."""
    return seconds_option("--timeout", text, default=60.0, show_default=True)


def select_questions(
    paths: Sequence[str], request: Request = None, pattern: str = "*"
) -> tuple[BatchQuestion, ...]:
    """Return the questions of the paths whose name matches a shell pattern; report skipped paths.

    InputError where a path was refused; QueryError where two have the same name, or none is left.
    """
    from petricheck.batch.questions.sources import read_sources

    sources = read_sources(paths, request)
    for skipped in sources.skipped:
        complain(f"left out {skipped.path}: {skipped.reason}")
    chosen = tuple(q for q in sources.questions if fnmatchcase(q.name, pattern))
    if not chosen:
        raise QueryError(f"no question has a name that matches {pattern!r}")
    return chosen


def executor(jobs: int, dask: str | None = None) -> Executor:
    """Return an executor that uses local processes, or the Dask cluster at an address."""
    name, values = ("local", {}) if dask is None else ("dask", {"address": dask})
    built: Executor = plugins.build("batch.executors", name, values | {"jobs": str(jobs)})
    return built


_PATIENCE = 5.0
"""Seconds to end the processes of cells and to tell of the others, on a busy machine."""


def run_cells(cells: Sequence[Cell], store: Store, executor: Executor) -> bool:
    """Run the cells and show the progress; return whether that was interrupted."""
    from petricheck.batch.run import ended_below, run

    supervision.ask_for_patience(_PATIENCE)
    planned = {cell.key: cell for cell in cells}
    done = [
        record
        for record in store.records()
        if (cell := planned.get(record.cell.key)) and not ended_below(record, cell)
    ]
    try:
        with overview(len(cells), done) as view:
            for record in run(cells, store, executor, view.begin):
                view.end(record)
    except KeyboardInterrupt:
        return True
    return False
