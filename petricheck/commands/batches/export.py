"""`petricheck batch export DIR`."""

from __future__ import annotations

from pathlib import Path

import click

from petricheck.support.errors import QueryError
from petricheck.support.outputs import check_apart, check_output, make_folder, write_file


@click.command()
@click.argument("folder", metavar="DIR")
@click.option("--jsonl", metavar="FILE", help="Write JSON Lines to FILE; - is the standard output.")
@click.option("--csv", metavar="FILE", help="Write CSV to FILE; - is the standard output.")
@click.option(
    "--evidence",
    metavar="FOLDER",
    help="Write evidence and nets to FOLDER, named by their SHA-256.",
)
def command(folder: str, jsonl: str | None, csv: str | None, evidence: str | None) -> None:
    """Write the results of a batch as JSON Lines or CSV, or its evidence as files."""
    from petricheck.batch.reports.report import as_csv, as_json_lines
    from petricheck.batch.store import Store

    tables = [
        (path, write) for path, write in ((jsonl, as_json_lines), (csv, as_csv)) if path is not None
    ]
    if not tables and evidence is None:
        raise QueryError("say what to write: --jsonl FILE, --csv FILE or --evidence FOLDER")
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
