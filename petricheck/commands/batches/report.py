"""`petricheck batch` with `report DIR`, `compare DIR1 DIR2` or `export DIR`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from petricheck.commands.shell.exit_status import Status, exit_with
from petricheck.commands.shell.terminal import complain, say
from petricheck.support.errors import InputError, QueryError
from petricheck.support.outputs import check_apart, check_output, make_folder, write_file

if TYPE_CHECKING:
    from petricheck.batch.cells import CellRecord


@click.command()
@click.argument("folder", metavar="DIR")
@click.option("--out", metavar="FOLDER", help="Where to write it; without this option, DIR/report.")
def report(folder: str, out: str | None) -> None:
    """Write tables, plots and a page about a batch, even while it runs."""
    from petricheck.batch.reports.layouts import render
    from petricheck.batch.reports.measures import arrange
    from petricheck.batch.reports.plots import missing
    from petricheck.batch.reports.report import write_report
    from petricheck.batch.reports.tables import sets, unfinished
    from petricheck.batch.store import Store

    target = Path(folder) / "report" if out is None else Path(out)
    title = f"Batch {Path(folder).resolve().name}"
    with Store.read(Path(folder)) as store:
        records, planned = store.records(), store.planned()
        if not records:
            raise InputError("no cell is recorded yet", path=folder)
        results = arrange(records, planned)
        with store.unpacked() as files:
            written = write_report(results, target, files, title)
    say(render([sets(results), *unfinished(results)], "text"))
    say(f"{len(records)} cells; {len(written)} files, to look at: {written[-1]}")
    if lack := missing():
        complain(f"no plots: {lack}")


@click.command()
@click.argument("before", metavar="DIR1")
@click.argument("after", metavar="DIR2")
@click.option(
    "--check",
    is_flag=True,
    help="Exit with status 5 if DIR2 contradicts DIR1, or has new wrong verdicts, lost verdicts or"
    " failing cells. Times do not count.",
)
@click.option("--markdown", metavar="FILE", help="Write the comparison to FILE as well.")
def compare(before: str, after: str, check: bool, markdown: str | None) -> None:
    """Print what got better or worse from one batch to another."""
    from petricheck.batch.reports import compare as comparing
    from petricheck.batch.reports.layouts import render

    if markdown is not None:
        check_output(markdown)
    blocks, worse = comparing.compare(_records(before), _records(after), (before, after))
    say(render(blocks, "text").rstrip("\n"))
    if markdown is not None:
        write_file(Path(markdown), render(blocks, "markdown"))
    if check and worse:
        exit_with(Status.CONTRADICTED)


def _records(folder: str) -> tuple[CellRecord, ...]:
    """Return all records that are done by now; InputError where the folder contains no batch."""
    from petricheck.batch.store import Store

    with Store.read(Path(folder)) as store:
        return store.records()


@click.command()
@click.argument("folder", metavar="DIR")
@click.option("--jsonl", metavar="FILE", help="Write JSON Lines to FILE; - is the standard output.")
@click.option("--csv", metavar="FILE", help="Write CSV to FILE; - is the standard output.")
@click.option(
    "--evidence",
    metavar="FOLDER",
    help="Write evidence and nets to FOLDER, named by their SHA-256.",
)
@click.option(
    "--junit", metavar="FILE", help="Write JUnit's XML to FILE; - is the standard output."
)
@click.option(
    "--all-decided",
    is_flag=True,
    help="In --junit, cells that are not decided are errors; without this option, skipped.",
)
def export(
    folder: str,
    jsonl: str | None,
    csv: str | None,
    evidence: str | None,
    junit: str | None,
    all_decided: bool,
) -> None:
    """Write the results of a batch as JSON Lines, CSV or JUnit's XML, or its evidence."""
    from petricheck.batch.reports.junit import as_junit
    from petricheck.batch.reports.report import as_csv, as_json_lines
    from petricheck.batch.store import Store

    forms: tuple[tuple[str | None, Callable[[Sequence[CellRecord]], str]], ...] = (
        (jsonl, as_json_lines),
        (csv, as_csv),
        (junit, partial(as_junit, all_decided=all_decided)),
    )
    tables = [(path, write) for path, write in forms if path is not None]
    if not tables and evidence is None:
        options = "--jsonl FILE, --csv FILE, --junit FILE or --evidence FOLDER"
        raise QueryError(f"say what to write: {options}")
    if all_decided and junit is None:
        raise click.UsageError("--all-decided goes with --junit")
    outputs = [path for path, _ in tables if path != "-"]
    for path in outputs:
        check_output(path)
    check_apart([], outputs)
    with Store.read(Path(folder)) as store:
        records = store.records()
        if evidence is not None:
            make_folder(Path(evidence))
            store.unpack(Path(evidence))
    for path, write in tables:
        text = write(records)
        if path == "-":
            click.echo(text.encode("utf-8", "replace"), nl=False)
        else:
            write_file(Path(path), text)
