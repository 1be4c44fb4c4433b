"""`petricheck bench INDEX...`: a batch, shown as a paper's table.

Under the configurations of Leroux, Rümmer and Subotić (2016), or of engines side by side as in
Beyer, Lee and Wendler (2022).
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from petricheck.cli.batching import (
    ask,
    cell_options,
    conduct,
    executor,
    resource_options,
)
from petricheck.cli.options import check_apart, check_output
from petricheck.cli.outcomes import Status, leave
from petricheck.cli.terminal import complain, say
from petricheck.errors import QueryError

if TYPE_CHECKING:
    from petricheck.batch.cells import Cell, Record
    from petricheck.batch.configurations import Configuration
    from petricheck.batch.reports.plots import Plot
    from petricheck.batch.store import Store


@click.command()
@click.argument("indexes", metavar="INDEX...", nargs=-1)
@click.option(
    "--engines",
    metavar="ENGINE[:FIELD=VALUE,...],...",
    help="Compare these engines instead, a column each, beside those of --config.",
)
@cell_options("Without any, and without --engines, all that are built in.")
@resource_options(
    cpu_time="Limit on the CPU time of each cell, in seconds.",
    memory="Limit on the resident memory of all processes of a cell together.",
)
@click.option("--json", "json_file", metavar="FILE", help="Write all figures to FILE.")
@click.option("--markdown", "markdown_file", metavar="FILE", help="Write the tables to FILE.")
@click.option("--plots", metavar="DIR", help="Write plots of CPU time to DIR, as SVG.")
@click.option("--out", metavar="DIR", help="Keep the results in a new folder, as batch does.")
@click.option("--resume", is_flag=True, help="Go on with what the folder of --out holds.")
@click.option("--kernel", is_flag=True, help="Measure the compiled kernel instead, and no INDEX.")
@click.option("--prover", is_flag=True, help="Measure the interpolating prover instead.")
@click.option("--seed", metavar="N", type=int, default=1, help="Of the problems for --prover.")
@click.pass_context
def command(
    context: click.Context,
    indexes: tuple[str, ...],
    engines: str | None,
    configurations: tuple[str, ...],
    timeout: float,
    jobs: int,
    only: str,
    cpu_time: float | None,
    memory: int | None,
    json_file: str | None,
    markdown_file: str | None,
    plots: str | None,
    out: str | None,
    resume: bool,
    kernel: bool,
    prover: bool,
    seed: int,
) -> None:
    """Measure configurations, in the shape of a paper's table.

    An INDEX is a JSON file or a folder of them, or whatever 'petricheck batch' takes. Exit status 5
    where a verdict contradicts the index or another's, else that of the gravest error (4, 3 or 2).
    """
    if kernel:
        _measure_kernel(context)
        return
    if prover:
        _measure_prover(context, seed)
        return
    if not indexes:
        raise click.UsageError("Missing argument 'INDEX...'.")
    if resume and out is None:
        raise QueryError("--resume goes on with a folder: name it with --out")
    from petricheck.batch.cells import Limits
    from petricheck.batch.reports import comparison, tables
    from petricheck.batch.reports.measurements import render_json
    from petricheck.batch.reports.plots import draw, draw_engines, missing
    from petricheck.batch.reports.results import exit_status
    from petricheck.batch.run import plan
    from petricheck.files import make_folder, write_file

    columns = _columns(engines, configurations)
    outputs = [path for path in (json_file, markdown_file) if path is not None]
    for path in outputs:
        check_output(path)
    check_apart(indexes, outputs)
    cells = plan(ask(indexes, None, only), columns, Limits(timeout, cpu_time, memory))
    if plots is not None:
        if lack := missing():
            raise QueryError(lack)
        make_folder(Path(plots))
    with _store(out, resume) as store:
        interrupted = conduct(cells, store, executor(jobs))
        records = _asked(store.records(), cells)
    render = tables.render if engines is None else comparison.render
    say(render(records, "text", cells).rstrip("\n"))
    if json_file is not None:
        write_file(Path(json_file), render_json(records, cells))
    if markdown_file is not None:
        write_file(Path(markdown_file), render(records, "markdown", cells))
    if plots is not None:
        _write_plots((draw if engines is None else draw_engines)(records, cells), Path(plots))
    if interrupted:
        complain(f"interrupted after {len(records)} of {len(cells)} cells")
        leave(Status.INTERRUPTED)
    leave(Status(exit_status(records)))


def _columns(engines: str | None, configurations: Sequence[str]) -> tuple[Configuration, ...]:
    """The engines, then the configurations; all that are built in where none is named.

    Raises:
        QueryError: one is not known, or two have the same name.
    """
    from petricheck.batch.configurations import (
        CONFIGURATIONS,
        distinct,
        parse_configurations,
        parse_engines,
    )

    if engines is None:
        return parse_configurations(configurations, CONFIGURATIONS)
    return distinct((*parse_engines(engines), *parse_configurations(configurations, ())))


def _asked(records: Sequence[Record], cells: Sequence[Cell]) -> tuple[Record, ...]:
    """The records of the cells: a folder that is gone on with may hold others."""
    keys = {cell.key for cell in cells}
    return tuple(record for record in records if record.cell.key in keys)


def _write_plots(plots: Iterable[Plot], folder: Path) -> None:
    """One file a plot; others in the folder stay.

    Raises:
        InputError: a file cannot be written.
    """
    from petricheck.files import write_file

    for plot in plots:
        write_file(folder / f"{plot.name}.svg", f"{plot.svg}\n")


def _measure_kernel(context: click.Context) -> None:
    """Print the rows as they come.

    Raises:
        QueryError: another option or an INDEX is given.
    """
    if _given(context) - {"kernel"}:
        raise QueryError("--kernel measures nets of its own: give it neither INDEX nor option")
    from petricheck.cli.kernel_bench import rows
    from petricheck.kernel.compiled import how

    for row in rows():
        what, net, amount, seconds, rate = row.cells
        say(f"{what:24}  {seconds:>11}  {rate:>9}  {amount:>20}  {net}".rstrip())
    say(how())


def _measure_prover(context: click.Context, seed: int) -> None:
    """Print the rows as they come.

    Raises:
        QueryError: another option or an INDEX is given.
    """
    if _given(context) - {"prover", "seed"}:
        raise QueryError("--prover measures problems of its own: give it nothing else but --seed")
    from petricheck.cli.prover_bench import rows

    for row in rows(seed):
        say(row.line)


def _given(context: click.Context) -> set[str]:
    """The parameters that were given on the command line."""
    source = context.get_parameter_source
    return {name for name in context.params if source(name) == ParameterSource.COMMANDLINE}


@contextlib.contextmanager
def _store(out: str | None, resume: bool) -> Iterator[Store]:
    """The store in the folder that is named, or in one that is removed in the end."""
    from petricheck.batch.store import Store

    if out is not None:
        with (Store.resume if resume else Store.create)(Path(out)) as store:
            yield store
        return
    with (
        tempfile.TemporaryDirectory(prefix="petricheck-bench-") as name,
        Store.create(Path(name)) as store,
    ):
        yield store
