"""Cells and their outcomes as JSON, and back."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from petricheck.batch.cells import Cell, Record, plain


def cell_text(cell: Cell) -> str:
    """The cell as JSON."""
    return json.dumps(plain(cell))


def record_text(record: Record) -> str:
    """What came of a cell as JSON, without the cell."""
    return json.dumps({name: value for name, value in plain(record).items() if name != "cell"})


def read_cell(text: str) -> Cell:
    """The cell of that text.

    Raises:
        ValueError: it makes no sense.
    """
    return msgspec.convert(_cell_fields(text), Cell, dec_hook=_path)


def read_record(cell: str, done: str) -> Record:
    """The record of these texts.

    Raises:
        ValueError: they make no sense.
    """
    fields = json.loads(done)
    fields["outcome"]["value"] = _number(fields["outcome"]["value"])
    record = msgspec.convert({"cell": _cell_fields(cell), **fields}, Record, dec_hook=_path)
    if (record.outcome.value is None) is (record.outcome.status == "decided"):
        raise ValueError(f"status {record.outcome.status!r} with value {record.outcome.value!r}")
    return record


def _cell_fields(text: str) -> Any:
    fields = json.loads(text)
    if "question" in fields:
        fields["question"]["expected"] = _number(fields["question"]["expected"])
    return fields


def _number(value: Any) -> Any:
    """The value, where it is a number in hexadecimal that number."""
    return (
        int(value, 16) if isinstance(value, str) and value.lstrip("-").startswith("0x") else value
    )


def _path(kind: type, value: Any) -> Any:
    return kind(value)
