"""A batch as JSON Lines and as CSV: one line a cell, every field, sorted by the cells' keys.

Fields that hold several values (`host`, `asked`, `configured`, `limits`) are objects; in CSV their
JSON text. What nobody knows is null; in CSV empty.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from typing import Any

from petricheck.batch.cells import FIELDS, Record, fields


def as_json_lines(records: Iterable[Record]) -> str:
    """One JSON object a line."""
    return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in _lines(records))


def as_csv(records: Iterable[Record]) -> str:
    """A head and one row a cell."""
    text = io.StringIO()
    # All fields quoted, since a carriage return alone would not be.
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(FIELDS)
    for line in _lines(records):
        writer.writerow(map(_plain, line.values()))
    return text.getvalue()


def _lines(records: Iterable[Record]) -> Iterator[dict[str, Any]]:
    return map(fields, sorted(records, key=lambda record: record.cell.key))


def _plain(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)
