"""`petricheck bench INDEX...`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from petricheck.cli.options import Seconds, check_output
from petricheck.cli.outcomes import Status, leave
from petricheck.cli.terminal import complain, progress, say
from petricheck.errors import QueryError

if TYPE_CHECKING:
    from petricheck.batch.index import Question


@click.command()
@click.argument("indexes", metavar="INDEX...", nargs=-1, required=True)
@click.option(
    "--config",
    "configurations",
    metavar="NAME[=ENGINE:FIELD=VALUE,...]",
    multiple=True,
    help="A column; may be repeated. Built in, and all run by default: none, abs1, abs2, abs3,"
    " all, optimal, default.",
)
@click.option(
    "--timeout",
    metavar="S",
    type=Seconds(),
    default=60.0,
    show_default=True,
    help="Limit on each cell, in seconds; it is killed if it overruns.",
)
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many cells run at once.",
)
@click.option("--json", "json_file", metavar="FILE", help="Write all figures to FILE.")
@click.option("--markdown", "markdown_file", metavar="FILE", help="Write the tables to FILE.")
@click.option("--only", metavar="GLOB", default="*", help="Only questions whose name matches.")
def command(
    indexes: tuple[str, ...],
    configurations: tuple[str, ...],
    timeout: float,
    jobs: int,
    json_file: str | None,
    markdown_file: str | None,
    only: str,
) -> None:
    """Measure configurations on the questions of indexes: JSON files, or folders of them."""
    from petricheck.batch.bench import Record, exit_status, parse_configurations, run
    from petricheck.batch._bench_tables import Report, render, render_json

    columns = parse_configurations(configurations)
    for path in filter(None, (json_file, markdown_file)):
        check_output(path)
    rows = _questions(indexes, only)
    records: list[Record] = []
    interrupted = False
    with progress(verbose=False) as report:
        try:
            for record in run(rows, columns, timeout, jobs, report):
                records.append(record)
        except KeyboardInterrupt:
            interrupted = True
    measured = Report(rows, columns, timeout, records)
    say(render(measured, "text").rstrip("\n"))
    if json_file is not None:
        Path(json_file).write_text(render_json(measured), encoding="utf-8")
    if markdown_file is not None:
        Path(markdown_file).write_text(render(measured, "markdown"), encoding="utf-8")
    if interrupted:
        complain(f"interrupted after {len(records)} of {len(rows) * len(columns)} cells")
        leave(Status.INTERRUPTED)
    leave(Status(exit_status(records)))


def _questions(indexes: tuple[str, ...], only: str) -> tuple[Question, ...]:
    """The questions that are asked; complains about entries that ask none.

    Raises:
        InputError: an index was refused.
        QueryError: no question is left.
    """
    from petricheck.batch.bench import select
    from petricheck.batch.index import read_index

    read = [read_index(Path(path)) for path in indexes]
    skipped = sum(len(index.skipped) for index in read)
    if skipped:
        complain(f"{skipped} entries have no target of their own and are left out")
    questions = select((question for index in read for question in index.questions), only)
    if not questions:
        raise QueryError(f"no question has a name that matches {only!r}")
    return questions
