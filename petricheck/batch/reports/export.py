"""A batch for programs: as JSON Lines and as CSV, one line a cell, and as one JSON document.

Lines have every field, sorted by the cells' keys. Fields that hold several values (`host`, `asked`,
`configured`, `limits`) are objects; in CSV their JSON text. What nobody knows is null; in CSV
empty.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import petricheck
from petricheck.batch.cells import FIELDS, Cell, Record, fields
from petricheck.batch.reports.paper import figure
from petricheck.batch.reports.results import arrange
from petricheck.engines import unit


def as_json_lines(records: Iterable[Record]) -> str:
    """One JSON object a line."""
    return "".join(f"{_json(line)}\n" for line in _lines(records))


def as_csv(records: Iterable[Record]) -> str:
    """A head and one row a cell."""
    text = io.StringIO()
    # All fields quoted, since a carriage return alone would not be.
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(FIELDS)
    for line in _lines(records):
        writer.writerow(map(_text, line.values()))
    return text.getvalue()


def as_document(records: Iterable[Record], planned: Sequence[Cell] = ()) -> str:
    """The records in the order of tables, each with the paper's figures for it."""
    results = arrange(records, planned)
    known = [fields(record) | _beside(record) for record in results.records]
    document = {"format": 3, "petricheck": petricheck.__version__, "records": known}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _beside(record: Record) -> dict[str, Any]:
    paper = figure(record.cell.question, record.cell.configuration)
    return {
        "row": record.cell.question.row,
        "unit": unit(record.outcome.engine),
        "paper": None if paper is None else [paper.refinements, paper.seconds],
    }


def _lines(records: Iterable[Record]) -> Iterator[dict[str, Any]]:
    return map(fields, sorted(records, key=lambda record: record.cell.key))


def _text(value: Any) -> str:
    return value or "" if value is None or isinstance(value, str) else _json(value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
