"""Questions by configurations: what each made of each question, and where they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petricheck.analyses import Value
from petricheck.batch.cells import Record
from petricheck.batch.reports.page.rows import MARKS
from petricheck.batch.reports.page.summary import state
from petricheck.words import printable


@dataclass(frozen=True, slots=True)
class Entry:
    """What one configuration made of a question.

    Attributes:
        number: of the cell.
        state: of the cell.
        mark: in front of the outcome.
        value: the answer; None where there is none.
        outcome: the verdict, or why there is none.
        seconds: CPU time as text; empty where it is not known.
    """

    number: int
    state: str
    mark: str
    value: Value | None
    outcome: str
    seconds: str


@dataclass(frozen=True, slots=True)
class Line:
    """A question's row.

    Attributes:
        collection: that it is from.
        question: its name.
        difference: "contradict" where verdicts do, "differ" where other outcomes do; else empty.
        entries: by configuration; None where there is no cell.
    """

    collection: str
    question: str
    difference: str
    entries: tuple[Entry | None, ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """All questions.

    Attributes:
        configurations: their names, which head the columns.
        lines: a row for each question, in the order of their first cells.
    """

    configurations: tuple[str, ...]
    lines: tuple[Line, ...]

    @property
    def differing(self) -> int:
        """Of how many questions the outcomes are not all the same."""
        return sum(line.difference != "" for line in self.lines)


def matrix(records: Sequence[Record]) -> Matrix:
    """The matrix of all cells."""
    columns = tuple(dict.fromkeys(record.cell.configuration.name for record in records))
    found: dict[tuple[str, str], dict[str, Entry]] = {}
    for number, record in enumerate(records):
        question = record.cell.question
        entries = found.setdefault((question.collection, question.name), {})
        entries[record.cell.configuration.name] = _entry(number, record)
    lines = (
        Line(printable(collection), printable(name), _difference(entries), _row(entries, columns))
        for (collection, name), entries in found.items()
    )
    return Matrix(tuple(map(printable, columns)), tuple(lines))


def _row(entries: dict[str, Entry], columns: Sequence[str]) -> tuple[Entry | None, ...]:
    return tuple(entries.get(column) for column in columns)


def _entry(number: int, record: Record) -> Entry:
    outcome, known = record.outcome, state(record)
    seconds = "" if outcome.cpu_seconds is None else f"{outcome.cpu_seconds:.2f}"
    mark, told = MARKS.get(known, "–"), printable(outcome.told)
    return Entry(number, known, mark, outcome.value, told, seconds)


def _difference(entries: dict[str, Entry]) -> str:
    if len({entry.value for entry in entries.values()} - {None}) > 1:
        return "contradict"
    return "differ" if len({entry.outcome for entry in entries.values()}) > 1 else ""
