"""The report of a batch: tables, plots and a page, as files in a folder.

    index.html                 everything, to look at
    tables.md                  the tables
    tables.csv                 the scores of sets and configurations
    questions.csv              one row a question
    cells.csv, cells.jsonl     one row a cell, with all that is known
    plots/*.svg, plots/*.pdf   where matplotlib is installed

Each file is replaced at once, so whoever reads meanwhile reads a whole one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from petricheck.batch.cells import Cell, Record
from petricheck.batch.reports import tables
from petricheck.batch.reports.export import as_csv, as_json_lines
from petricheck.batch.reports.layouts import Block, escape_markdown, render, to_csv
from petricheck.batch.reports.page import render_page
from petricheck.batch.reports.plots import Plot, draw, missing
from petricheck.batch.reports.results import Results, arrange
from petricheck.files import make_folder, write_file

_OURS = re.compile(r"(quantile|scatter-\d+-[a-z0-9-]+)\.(svg|pdf)")
"""Names of the plots of any report."""


def write_report(
    records: Sequence[Record],
    folder: Path,
    files: Path = Path(),
    title: str = "Batch",
    planned: Sequence[Cell] = (),
) -> tuple[Path, ...]:
    """Write the report, over an older one if need be; other files in the folder stay.

    Args:
        records: at most one for each key, in any order.
        folder: for the report; made if need be.
        files: the folder that has the records' nets and evidence, under the store's names.
        title: of the page, on one line.
        planned: all cells that there will be, where that is known: they give the order of the
            configurations, and the report tells how many are missing.

    Returns:
        What was written; the page comes last.

    Raises:
        InputError: the folder or a file cannot be written.
    """
    results = arrange(records, planned)
    make_folder(folder / "plots")
    written = []
    for name, content in _files(results, files, title):
        write_file(folder / name, content)
        written.append(folder / name)
    _tidy(folder / "plots", {path.name for path in written})
    return tuple(written)


def _files(results: Results, files: Path, title: str) -> Iterator[tuple[str, str | bytes]]:
    """Names and contents, one after the other."""
    plots = () if missing() else draw(results.records, results.planned)
    blocks = tables.report(results)
    yield "tables.md", _markdown(title, blocks, plots)
    yield "tables.csv", to_csv(tables.sets(results))
    yield "questions.csv", to_csv(tables.every_question(results))
    yield "cells.csv", as_csv(results.records)
    yield "cells.jsonl", as_json_lines(results.records)
    for plot in plots:
        yield f"plots/{plot.name}.svg", plot.svg
        yield f"plots/{plot.name}.pdf", plot.pdf
    yield "index.html", render_page(title, results.records, plots, files)


def _markdown(title: str, blocks: Sequence[Block], plots: Sequence[Plot]) -> str:
    parts = [f"# {escape_markdown(title)}\n", render(blocks, "markdown")]
    if lack := missing():
        parts.append(f"No plots: {escape_markdown(lack)}\n")
    for plot in plots:
        caption, note = escape_markdown(plot.title), escape_markdown(plot.note)
        parts.append(f"### {caption}\n\n![{caption}](plots/{plot.name}.svg)\n\n{note}\n")
    return "\n".join(parts)


def _tidy(folder: Path, kept: set[str]) -> None:
    """Remove the plots of an older report that are not among those of this one."""
    for path in folder.iterdir():
        if _OURS.fullmatch(path.name) and path.name not in kept:
            path.unlink(missing_ok=True)
