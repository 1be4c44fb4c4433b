"""Table 2 of Leroux, Rümmer and Subotić (2016): what the paper reports, beside what we measure.

The file `table2.json` has an entry for each row: the columns' refinements and seconds, null for the
paper's timeout of an hour, and the last column as printed. The paper prints no nets for its rows
but Fig. 6, and no targets; nets that were never published in text are ours, as their `source` says.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import petricheck
from petricheck.batch.cells import Record, fields
from petricheck.batch.configurations import Configuration
from petricheck.batch.questions.index import Question
from petricheck.batch.reports import tables
from petricheck.batch.reports.layouts import Block, Listing, Table
from petricheck.batch.reports.measures import Results
from petricheck.engines import unit

PAPER_COLUMNS = ("none", "abs1", "abs2", "abs3", "all")
"""The columns of Table 2 that have refinements and seconds."""

LEGEND = (
    "paper: N/sec in Table 2 of Leroux et al. 2016, * after an hour; Fast is its last column. "
    "(ours): the net is ours, the paper's was never published."
)


@dataclass(frozen=True, slots=True)
class Figure:
    """What the paper reports for one row and configuration."""

    refinements: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.refinements}/{self.seconds:g}"


@dataclass(frozen=True, slots=True)
class Published:
    """A row of the paper's Table 2.

    Attributes:
        figures: one for each of `PAPER_COLUMNS`; None is the paper's timeout.
        fast: the last column as printed.
    """

    figures: tuple[Figure | None, ...]
    fast: str


@cache
def table() -> Mapping[str, Published]:
    """The rows by their names, each followed by U for unreachable or R for reachable."""
    entries = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    return {
        name: Published(
            tuple(None if entry[c] is None else Figure(*entry[c]) for c in PAPER_COLUMNS),
            entry["fast"],
        )
        for name, entry in entries.items()
    }


def published(question: Question) -> Published | None:
    """The row that the question names, where the paper has it with the verdict expected."""
    if not isinstance(question.expected, bool):
        return None
    return table().get(f"{question.row} {'R' if question.expected else 'U'}")


def figure(question: Question, configuration: Configuration) -> Figure | None:
    """What the paper reports for the cell; None for its timeout, or where it reports nothing."""
    row = published(question)
    if row is None or not configuration.column:
        return None
    return row.figures[PAPER_COLUMNS.index(configuration.column)]


def overview(results: Results) -> tuple[Block, ...]:
    """The questions beside the paper's rows, totals, and where the paper does better."""
    return (
        _legend(results),
        *questions(results),
        _totals(results),
        *_differences(results),
        *tables.oddities(results),
    )


def questions(results: Results) -> tuple[Table, ...]:
    """The tables of questions, each with the paper's figures beside the columns it has."""
    shown = zip(tables.questions(results), tables.sections(results), strict=True)
    return tuple(_beside(results, table, rows) for table, (_, rows) in shown)


def _beside(results: Results, ours: Table, rows: Sequence[Question]) -> Table:
    if _compared(results, rows):
        fast = ("" if row is None else row.fast for row in map(published, rows))
        ours = _inserted(ours, len(ours.heads), "Fast", fast)
        for number, column in reversed([*enumerate(results.configurations)]):
            if column.column:
                figures = (str(figure(q, column) or "*") if published(q) else "" for q in rows)
                ours = _inserted(ours, 4 + 2 * number, "paper", figures)
    return replace(_inserted(ours, 1, "row", map(_row_name, rows)), texts=ours.texts + 1)


def _inserted(ours: Table, at: int, head: str, entries: Iterable[str]) -> Table:
    """The table with a further column."""
    heads, *rows = (
        (*row[:at], entry, *row[at:])
        for row, entry in zip((ours.heads, *ours.rows), (head, *entries), strict=True)
    )
    return replace(ours, heads=heads, rows=tuple(rows))


def _compared(results: Results, rows: Sequence[Question]) -> bool:
    """Whether the paper has figures for some of the cells."""
    return any(map(published, rows)) and any(column.column for column in results.configurations)


def _legend(results: Results) -> str:
    ours = tables.legend(results)
    return f"{ours} {LEGEND}" if _compared(results, results.questions) else ours


def _totals(results: Results) -> Table:
    """How many rows the paper's columns decide stands below how many ours do."""
    ours = tables.totals(results)
    rows = [question for question in results.questions if published(question) is not None]
    if not _compared(results, rows):
        return ours
    solved = (
        f"{sum(figure(row, c) is not None for row in rows)}/{len(rows)}" if c.column else ""
        for c in results.configurations
    )
    in_paper = ("solved in the paper", *solved)
    return replace(ours, rows=(ours.rows[0], in_paper, *ours.rows[1:]))


def _differences(results: Results) -> Iterator[Listing]:
    """Where the paper's columns decide what ours do not, or need fewer refinements."""
    undecided, slower = [], []
    for configuration in results.configurations:
        cells = [
            (record, known)
            for record in results.of(configuration)
            if (known := figure(record.cell.question, configuration)) is not None
        ]
        lost = [_name(record) for record, _ in cells if not record.right]
        more = [
            f"{_name(record)} {record.outcome.iterations} against {known.refinements}"
            for record, known in cells
            if record.right and (record.outcome.iterations or 0) > known.refinements
        ]
        undecided += [f"{configuration.name}: {', '.join(lost)}"] if lost else []
        slower += [f"{configuration.name}: {', '.join(more)}"] if more else []
    if undecided:
        yield Listing("Decided in the paper and not here", tuple(undecided))
    if slower:
        yield Listing("More refinements than in the paper", tuple(slower))


def document(results: Results) -> str:
    """The records as JSON, each with the paper's figures for it."""
    known = [fields(record) | _published(record) for record in results.records]
    whole = {"format": 3, "petricheck": petricheck.__version__, "records": known}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _published(record: Record) -> dict[str, Any]:
    paper = figure(record.cell.question, record.cell.configuration)
    return {
        "row": record.cell.question.row,
        "unit": unit(record.outcome.engine),
        "paper": None if paper is None else [paper.refinements, paper.seconds],
    }


def _row_name(question: Question) -> str:
    """The paper's name of the row, and whether the net is ours."""
    ours = question.row and question.source.startswith("ours")
    return f"{question.row} (ours)" if ours else question.row


def _name(record: Record) -> str:
    question = record.cell.question
    return f"{_row_name(question)} {question.expected_text[0].upper()}"
