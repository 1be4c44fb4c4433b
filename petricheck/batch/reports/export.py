"""A batch as JSON Lines and as CSV: one line a cell, every column, sorted by the cells' keys.

The keys are the columns of the store in their order, then `correct` and `wrong`. Those that hold
several values (`host`, `asked`, `configured`, `limits`) are objects; in CSV their JSON text. What
nobody knows is null; in CSV empty.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from petricheck.batch.cells import Record
from petricheck.batch.store.rows import COLUMNS, NESTED, row_of

KEYS = (*COLUMNS, "correct", "wrong")
"""Of every line, in this order."""


def as_json_lines(records: Sequence[Record], folder: Path) -> str:
    """One JSON object a line; paths are relative to the store's folder."""
    lines = (json.dumps(fields, ensure_ascii=False) for fields in _lines(records, folder))
    return "".join(f"{line}\n" for line in lines)


def as_csv(records: Sequence[Record], folder: Path) -> str:
    """A head and one row a cell; paths are relative to the store's folder."""
    text = io.StringIO()
    # All fields, since a carriage return alone would not be quoted.
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(KEYS)
    for fields in _lines(records, folder):
        writer.writerow(_plain(fields[key]) for key in KEYS)
    return text.getvalue()


def _lines(records: Iterable[Record], folder: Path) -> Iterator[dict[str, Any]]:
    for record in sorted(records, key=lambda record: record.cell.key):
        row = row_of(record, folder)
        row |= {name: json.loads(row[name]) for name in NESTED if row[name] is not None}
        row |= {"correct": record.correct, "wrong": record.wrong}
        yield {key: row[key] for key in KEYS}


def _plain(value: Any) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case _:
            return json.dumps(value, ensure_ascii=False)
