"""`petricheck bench PATH...`: a batch, printed as a table of a paper.

The configurations are those of Leroux, Rümmer and Subotić (2016), or engines that are compared as
in Beyer, Lee and Wendler (2022).
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from petricheck.commands.batches.run import cell_options, executor, run_cells, select_questions
from petricheck.commands.shell.command_group import CommandGroup
from petricheck.commands.shell.exit_status import Status, exit_with
from petricheck.commands.shell.options import json_option
from petricheck.commands.shell.terminal import complain, say
from petricheck.support.errors import QueryError
from petricheck.support.outputs import check_apart, check_output

if TYPE_CHECKING:
    from petricheck.batch.cells import Cell, CellRecord
    from petricheck.batch.store import Store


@click.command(
    cls=CommandGroup,
    modules={
        "kernel": "petricheck.laboratory.commands.bench_kernel",
        "prover": "petricheck.laboratory.commands.bench_prover",
    },
)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "--engine",
    "engines",
    metavar="NAME",
    multiple=True,
    help="An engine to compare; see 'petricheck engines'; may be repeated.",
)
@cell_options("Without any, and without --engine: all of these.")
@json_option
@click.option("--markdown", metavar="FILE", help="Write the tables to FILE as well.")
@click.option(
    "--plots", metavar="DIR", help="Plots of CPU time and of iterations go to DIR, as SVG."
)
@click.option("--out", metavar="DIR", help="Store the results in a new folder, as batch does.")
@click.option("--resume", is_flag=True, help="Continue the batch in the folder of --out.")
def command(
    paths: tuple[str, ...],
    engines: tuple[str, ...],
    configurations: tuple[str, ...],
    timeout: float,
    jobs: int,
    only: str,
    cpu_time: float | None,
    memory: int | None,
    as_json: bool,
    markdown: str | None,
    plots: str | None,
    out: str | None,
    resume: bool,
) -> None:
    """Measure configurations, and print a paper's table.

    A PATH is whatever 'petricheck batch' takes. Exit status 5 if a verdict contradicts the index or
    another verdict, else that of the gravest error (4, 3 or 2).
    """
    if resume and out is None:
        raise QueryError("--resume continues the batch in a folder: name it with --out")
    from petricheck.batch.cells import CellLimits
    from petricheck.batch.configurations import CONFIGURATIONS, parse_configurations
    from petricheck.batch.reports.layouts import render
    from petricheck.batch.reports.measures import arrange, exit_status
    from petricheck.batch.reports.plots import draw, missing
    from petricheck.batch.run import plan
    from petricheck.laboratory.commands import comparison, table2
    from petricheck.support.outputs import make_folder, write_file

    columns = parse_configurations(configurations, CONFIGURATIONS, engines)
    if markdown is not None:
        check_output(markdown)
        check_apart(paths, [markdown])
    cells = plan(
        select_questions(paths, None, only), columns, CellLimits(timeout, cpu_time, memory)
    )
    if plots is not None:
        if missing_package := missing():
            raise QueryError(missing_package)
        make_folder(Path(plots))
    with _store(out, resume) as store:
        interrupted = run_cells(cells, store, executor(jobs))
        records = _records_of(store.records(), cells)
    results = arrange(records, cells)
    blocks = (comparison.comparison if engines else table2.overview)(results)
    say((table2.document(results) if as_json else render(blocks, "text")).rstrip("\n"))
    if markdown is not None:
        write_file(Path(markdown), render(blocks, "markdown"))
    if plots is not None:
        drawn = (comparison.draw_engines if engines else draw)(results)
        for plot in (*drawn, *comparison.draw_iterations(results)):
            write_file(Path(plots) / f"{plot.name}.svg", f"{plot.svg}\n")
    if interrupted:
        complain(f"interrupted after {len(records)} of {len(cells)} cells")
        exit_with(Status.INTERRUPTED)
    exit_with(Status(exit_status(records)))


def _records_of(records: Sequence[CellRecord], cells: Sequence[Cell]) -> tuple[CellRecord, ...]:
    """Return the records of the cells; a folder with earlier results may have others."""
    keys = {cell.key for cell in cells}
    return tuple(record for record in records if record.cell.key in keys)


@contextlib.contextmanager
def _store(out: str | None, resume: bool) -> Iterator[Store]:
    """Open the store in the folder `out`, or in a temporary one."""
    from petricheck.batch.store import Store

    opening = Store.resume if resume else Store.create
    temporary = tempfile.TemporaryDirectory(prefix="petricheck-bench-")
    with (
        contextlib.nullcontext(out) if out else temporary as folder,
        opening(Path(folder)) as store,
    ):
        yield store
