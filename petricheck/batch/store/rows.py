"""Rows of a batch's table, and what they say: a record as plain values, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

from petricheck.analyses import UNKNOWN, Value
from petricheck.batch.cells import Cell, Host, Limits, Outcome, Record, Status
from petricheck.batch.configurations import Configuration
from petricheck.batch.questions.index import (
    Bound,
    OfFile,
    Question,
    Target,
    Words,
    answers_to,
)
from petricheck.errors import QueryError

COLUMNS: Mapping[str, str] = {
    "collection": "TEXT NOT NULL",
    "question": "TEXT NOT NULL",
    "configuration": "TEXT NOT NULL",
    "definition": "TEXT NOT NULL",
    "status": "TEXT NOT NULL",
    "verdict": "TEXT NOT NULL",
    "expected": "TEXT NOT NULL",
    "engine": "TEXT NOT NULL",
    "audit": "TEXT NOT NULL",
    "reason": "TEXT NOT NULL",
    "error": "TEXT NOT NULL",
    "iterations": "INTEGER",
    "states": "INTEGER",
    "seconds": "REAL",
    "cpu_seconds": "REAL",
    "memory": "INTEGER",
    "attempts": "INTEGER NOT NULL",
    "net": "TEXT NOT NULL",
    "net_sha256": "TEXT NOT NULL",
    "bounded": "INTEGER",
    "target": "TEXT NOT NULL",
    "evidence": "TEXT",
    "finished": "TEXT NOT NULL",
    "host": "TEXT",
    "asked": "TEXT NOT NULL",
    "configured": "TEXT NOT NULL",
    "limits": "TEXT NOT NULL",
}
"""Columns of the table, in the order in which they are shown."""

PLANNED: Mapping[str, str] = {
    name: COLUMNS[name]
    for name in ("collection", "question", "configuration", "asked", "configured", "limits")
}
"""Columns of the table `planned`, in the order in which cells were planned."""

NESTED = ("host", "asked", "configured", "limits")
"""The columns that hold JSON."""

Row = dict[str, Any]


def row_of(record: Record, folder: Path) -> Row:
    """The record as a row; paths are relative to the store's folder, so that it can be moved."""
    question, outcome = record.cell.question, record.outcome
    own = {name: getattr(outcome, name) for name in _OUTCOME}
    return (
        own
        | row_of_cell(record.cell, folder)
        | {
            "definition": storable(record.cell.configuration.definition),
            "expected": question.expected_text,
            "verdict": storable(outcome.verdict),
            "engine": storable(outcome.engine),
            "audit": storable(outcome.audit),
            "reason": storable(outcome.reason),
            "error": storable(outcome.error),
            "target": storable(outcome.target),
            "net": storable(record.net),
            "net_sha256": record.net_sha256,
            "bounded": question.bounded,
            "evidence": None if record.evidence is None else _inside(record.evidence, folder),
            "finished": record.finished,
            "host": None if outcome.host is None else json.dumps(asdict(outcome.host)),
        }
    )


def row_of_cell(cell: Cell, folder: Path) -> Row:
    """A cell that is planned, as a row."""
    question, configuration = cell.question, cell.configuration
    return {
        "collection": question.collection,
        "question": question.name,
        "configuration": configuration.name,
        "asked": json.dumps(_question_fields(question, folder)),
        "configured": json.dumps(asdict(configuration)),
        "limits": json.dumps(asdict(cell.limits)),
    }


def record_of(row: Row, folder: Path) -> Record:
    """The record that a row holds.

    Raises:
        ValueError, TypeError, KeyError: the row makes no sense.
        QueryError: its question has no such answer.
    """
    host = None if row["host"] is None else json.loads(row["host"])
    if host is not None:
        host = Host(**host | {"versions": _pairs(host["versions"])})
    cell = cell_of(row, folder)
    kind, target = cell.question.kind, cell.question.target
    value = _answer(kind, target, row["verdict"]) if row["status"] == "decided" else None
    outcome = Outcome(**{name: row[name] for name in _OUTCOME}, value=value, host=host)
    _require_sense(outcome, cell.question)
    evidence = None if row["evidence"] is None else folder / row["evidence"]
    return Record(cell, outcome, row["net"], row["net_sha256"], evidence, row["finished"])


def cell_of(row: Row, folder: Path) -> Cell:
    """The cell that a row holds.

    Raises:
        ValueError, TypeError, KeyError: the row makes no sense.
        QueryError: its question has no such answer as is expected.
    """
    configured = json.loads(row["configured"])
    configuration = Configuration(**configured | {"options": _pairs(configured["options"])})
    question = _question(json.loads(row["asked"]), folder)
    return Cell(question, configuration, Limits(**json.loads(row["limits"])))


def storable(text: str) -> str:
    """The text, without the halves of characters that file names and programs' words may hold."""
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


_OUTCOME = tuple(
    name for name in Outcome.__slots__ if name in COLUMNS and name not in ("host", "evidence")
)
"""Columns that are fields of the outcome, as they are."""


def _require_sense(outcome: Outcome, question: Question) -> None:
    decided, proved = outcome.value is not None, outcome.verdict != UNKNOWN
    sensible = decided == (outcome.status == "decided") and (question.analysed or decided == proved)
    if outcome.status not in get_args(Status) or not sensible:
        raise ValueError(f"status {outcome.status!r} with verdict {outcome.verdict!r}")


def _inside(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()


def _question_fields(question: Question, folder: Path) -> Row:
    fields = asdict(question)
    fields |= {"net": _inside(question.net, folder), "expected": question.expected_text}
    match question.target:
        case OfFile(file, name):
            fields["target"] = {"file": _inside(file, folder), "id": name}
        case Words(kind, text):
            fields["target"] = {"kind": kind, "text": text}
    return fields


def _question(fields: Row, folder: Path) -> Question:
    witness, target = fields["witness"], _target(fields["target"], folder)
    return Question(
        **fields
        | {
            "net": folder / fields["net"],
            "target": target,
            "expected": _answer(fields["kind"], target, fields["expected"]),
            "witness": None if witness is None else tuple(witness),
        }
    )


def _answer(kind: str, target: Target, text: str) -> Value | None:
    """The answer that the text means to such a question."""
    answers = answers_to(kind, target)
    try:
        return answers.read(text)
    except QueryError as error:
        complaint = f"as the answer to a question of kind {kind!r} {error.message}, not {text!r}"
        raise QueryError(complaint) from None


def _target(fields: Any, folder: Path) -> Target:
    match fields:
        case {"file": str(file), "id": str(name)}:
            return OfFile(folder / file, name)
        case {"kind": str(kind), "text": str(text)}:
            return Words(kind, text)
        case bounds:
            return tuple(Bound(**bound) for bound in bounds)


def _pairs(lists: Sequence[Sequence[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((first, second) for first, second in lists)
