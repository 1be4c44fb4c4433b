"""`petricheck bench INDEX...`: a batch under the paper's configurations, shown as its table."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click
from click.core import ParameterSource

from petricheck.cli.batching import ask, cell_options, conduct, executor, require_programs
from petricheck.cli.options import check_apart, check_output
from petricheck.cli.outcomes import Status, leave
from petricheck.cli.terminal import complain, say
from petricheck.errors import QueryError


@click.command()
@click.argument("indexes", metavar="INDEX...", nargs=-1)
@cell_options("Without any, all that are built in.")
@click.option("--json", "json_file", metavar="FILE", help="Write all figures to FILE.")
@click.option("--markdown", "markdown_file", metavar="FILE", help="Write the tables to FILE.")
@click.option("--out", metavar="DIR", help="Keep the results in a new folder, as batch does.")
@click.option("--kernel", is_flag=True, help="Measure the compiled kernel instead, and no INDEX.")
@click.pass_context
def command(
    context: click.Context,
    indexes: tuple[str, ...],
    configurations: tuple[str, ...],
    timeout: float,
    jobs: int,
    only: str,
    json_file: str | None,
    markdown_file: str | None,
    out: str | None,
    kernel: bool,
) -> None:
    """Measure configurations on the questions of indexes, in the shape of the paper's table.

    An INDEX is a JSON file or a folder of them, or whatever 'petricheck batch' takes. Exit status 5
    where a verdict contradicts the index or another's, else that of the gravest error (4, 3 or 2).
    """
    if kernel:
        _measure_kernel(context)
        return
    if not indexes:
        raise click.UsageError("Missing argument 'INDEX...'.")
    from petricheck.batch.cells import Limits
    from petricheck.batch.configurations import CONFIGURATIONS, parse_configurations
    from petricheck.batch.reports.measurements import render_json
    from petricheck.batch.reports.results import exit_status
    from petricheck.batch.reports.tables import render
    from petricheck.batch.run import plan
    from petricheck.batch.store import Store
    from petricheck.files import write_file

    columns = parse_configurations(configurations, CONFIGURATIONS)
    require_programs(columns)
    outputs = [path for path in (json_file, markdown_file) if path is not None]
    for path in outputs:
        check_output(path)
    check_apart(indexes, outputs)
    cells = plan(ask(indexes, None, only), columns, Limits(timeout))
    with _folder(out) as folder, Store.create(folder) as store:
        interrupted = conduct(cells, store, executor(jobs))
        records = store.records()
    say(render(records, "text", cells).rstrip("\n"))
    if json_file is not None:
        write_file(Path(json_file), render_json(records, cells))
    if markdown_file is not None:
        write_file(Path(markdown_file), render(records, "markdown", cells))
    if interrupted:
        complain(f"interrupted after {len(records)} of {len(cells)} cells")
        leave(Status.INTERRUPTED)
    leave(Status(exit_status(records)))


def _measure_kernel(context: click.Context) -> None:
    """Print the rows as they come.

    Raises:
        QueryError: another option or an INDEX is given.
    """
    for name in context.params:
        if name != "kernel" and context.get_parameter_source(name) == ParameterSource.COMMANDLINE:
            raise QueryError("--kernel measures nets of its own: give it neither INDEX nor option")
    from petricheck.cli.kernel_bench import rows
    from petricheck.kernel.compiled import how

    for row in rows():
        what, net, amount, seconds, rate = row.cells
        say(f"{what:24}  {seconds:>11}  {rate:>9}  {amount:>20}  {net}".rstrip())
    say(how())


@contextlib.contextmanager
def _folder(out: str | None) -> Iterator[Path]:
    """The folder that is named, or one that is removed in the end."""
    if out is not None:
        yield Path(out)
        return
    with tempfile.TemporaryDirectory(prefix="petricheck-bench-") as name:
        yield Path(name)
