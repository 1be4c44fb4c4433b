"""The rows of the table of cells, as they stand in the page without any script."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from petricheck.batch.cells import Record
from petricheck.batch.reports.page.netfiles import NetFile
from petricheck.batch.reports.page.summary import state
from petricheck.words import printable


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table.

    Attributes:
        title: heads it.
        kind: text or number.
        key: class of its entries.
    """

    title: str
    kind: str
    key: str


COLUMNS = (
    Column("Question", "text", "question"),
    Column("Collection", "text", "collection"),
    Column("Net", "text", "net"),
    Column("Configuration", "text", "configuration"),
    Column("Expected", "text", "expected"),
    Column("Outcome", "text", "outcome"),
    Column("Engine", "text", "engine"),
    Column("Iterations", "number", "iterations"),
    Column("States", "number", "states"),
    Column("Wall s", "number", "seconds"),
    Column("CPU s", "number", "cpu"),
    Column("MiB", "number", "memory"),
)

MARKS = {"correct": "✓", "solved": "✓", "wrong": "✗", "error": "!"}
"""Seen without colours."""


@dataclass(frozen=True, slots=True)
class Row:
    """A cell's row.

    Attributes:
        state: of the cell.
        mark: in front of the outcome.
        net: number of its net.
        entries: text by column.
    """

    state: str
    mark: str
    net: int
    entries: tuple[str, ...]


def rows(records: Iterable[Record], nets: Mapping[str, NetFile]) -> tuple[Row, ...]:
    """A row for each record, in their order."""
    numbers = {sha256: number for number, sha256 in enumerate(nets)}
    return tuple(_row(record, numbers[record.net_sha256]) for record in records)


def _row(record: Record, net: int) -> Row:
    question, outcome = record.cell.question, record.outcome
    known = state(record)
    entries = (
        question.name,
        question.collection,
        record.net,
        record.cell.configuration.name,
        "" if question.expected is None else question.expected_text,
        outcome.told,
        outcome.engine,
        _number(outcome.iterations),
        _number(outcome.states),
        _seconds(outcome.seconds),
        _seconds(outcome.cpu_seconds),
        "" if outcome.memory is None else f"{outcome.memory / 2**20:.0f}",
    )
    return Row(known, MARKS.get(known, "–"), net, tuple(map(printable, entries)))


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
