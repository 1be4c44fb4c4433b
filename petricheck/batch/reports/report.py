"""The report of a batch: tables, plots and a page, as files in a folder.

    index.html                 everything, to look at
    tables.md                  the tables
    tables.csv                 the scores of sets and configurations
    questions.csv              one row a question
    cells.csv, cells.jsonl     one row a cell, with all that is known
    plots/*.svg                where matplotlib is installed

Each file is replaced at once, so whoever reads meanwhile reads a whole one. Rows of cells have all
fields and are sorted by the cells' keys. Fields that hold several values (`host`, `asked`,
`configured`, `limits`) are objects; in CSV their JSON text. What nobody knows is null; in CSV
empty.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from petricheck.batch.cells import FIELDS, CellRecord, fields
from petricheck.batch.reports import tables
from petricheck.batch.reports.layouts import ReportTable, escape_markdown, render, to_csv
from petricheck.batch.reports.measures import Results
from petricheck.batch.reports.page import render_page
from petricheck.batch.reports.plots import Plot, draw, missing
from petricheck.support.outputs import make_folder, write_file

_OURS = re.compile(r"(quantile|scatter-\d+-[a-z0-9-]+)\.svg")
"""Names of the plots of any report."""


def write_report(
    results: Results, folder: Path, files: Path = Path(), title: str = "Batch"
) -> tuple[Path, ...]:
    """Write the report, over an older one if need be; other files in the folder stay.

    `files` is the folder that has the records' nets and evidence, under the store's names. The
    title of the page is on one line. Return what was written; the page comes last.
    """
    paths = []
    for name, content in _files(results, files, title):
        make_folder((folder / name).parent)
        write_file(folder / name, content)
        paths.append(folder / name)
    for path in (folder / "plots").glob("*"):
        if _OURS.fullmatch(path.name) and path not in paths:
            path.unlink(missing_ok=True)
    return tuple(paths)


def as_json_lines(records: Iterable[CellRecord]) -> str:
    """Return one JSON object a line."""
    return "".join(f"{_json(line)}\n" for line in _lines(records))


def as_csv(records: Iterable[CellRecord]) -> str:
    """Return a head and one row a cell."""
    rows = (tuple(map(_text, line.values())) for line in _lines(records))
    return to_csv(ReportTable("Cells", tuple(FIELDS), tuple(rows)))


def _files(results: Results, files: Path, title: str) -> Iterator[tuple[str, str]]:
    plots = () if missing() else draw(results)
    yield "tables.md", _markdown(results, title, plots)
    yield "tables.csv", to_csv(tables.sets(results))
    yield "questions.csv", to_csv(tables.every_question(results))
    yield "cells.csv", as_csv(results.records)
    yield "cells.jsonl", as_json_lines(results.records)
    for plot in plots:
        yield f"plots/{plot.name}.svg", plot.svg
    yield "index.html", render_page(title, results.records, plots, files)


def _markdown(results: Results, title: str, plots: Sequence[Plot]) -> str:
    parts = [f"# {escape_markdown(title)}\n", render(tables.report(results), "markdown")]
    if lack := missing():
        parts.append(f"No plots: {escape_markdown(lack)}\n")
    for plot in plots:
        caption, note = escape_markdown(plot.title), escape_markdown(plot.note)
        parts.append(f"### {caption}\n\n![{caption}](plots/{plot.name}.svg)\n\n{note}\n")
    return "\n".join(parts)


def _lines(records: Iterable[CellRecord]) -> Iterator[dict[str, Any]]:
    return map(fields, sorted(records, key=lambda record: record.cell.key))


def _text(value: Any) -> str:
    return value or "" if value is None or isinstance(value, str) else _json(value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
