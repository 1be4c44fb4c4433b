"""Cells and their outcomes as JSON, and back."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import msgspec

from petricheck.batch.cells import Cell, Record, plain
from petricheck.batch.questions.index import answers_to


def cell_text(cell: Cell) -> str:
    """The cell as JSON."""
    return json.dumps(plain(cell))


def record_text(record: Record) -> str:
    """What came of a cell as JSON, without the cell."""
    fields = plain(record)
    del fields["cell"]
    try:
        return json.dumps(fields)
    except ValueError:  # Python prints no number of over 4300 digits; the verdict has it
        fields["outcome"]["value"] = None
        return json.dumps(fields)


def read_cell(text: str) -> Cell:
    """The cell of that text.

    Raises:
        ValueError: it makes no sense.
    """
    return msgspec.convert(json.loads(text), Cell, dec_hook=_path)


def read_record(cell: str, done: str) -> Record:
    """The record of these texts.

    Raises:
        ValueError: they make no sense.
        QueryError: the question has no such answer.
    """
    fields = {"cell": json.loads(cell), **json.loads(done)}
    record = msgspec.convert(fields, Record, dec_hook=_path)
    question, outcome = record.cell.question, record.outcome
    if outcome.status == "decided" and outcome.value is None:
        value = answers_to(question.kind, question.text).read(outcome.verdict)
        record = replace(record, outcome=replace(outcome, value=value))
    if (record.outcome.value is None) is (outcome.status == "decided"):
        raise ValueError(f"status {outcome.status!r} with verdict {outcome.verdict!r}")
    return record


def _path(kind: type, value: Any) -> Any:
    return kind(value)
