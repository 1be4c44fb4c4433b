"""Table 2 of Leroux, Rümmer and Subotić (2016): the paper's figures and ours.

The file `table2.json` has an entry for each row: the columns' refinements and seconds, null for the
paper's timeout of an hour, and the last column as printed. The paper prints no nets for its rows
but Fig. 6, and no targets; nets that were never published in text are ours, as their `source` says.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
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


@cache
def table() -> Mapping[str, Mapping[str, Any]]:
    """The entries by row, whose name is followed by U for unreachable or R for reachable."""
    entries: dict[str, dict[str, Any]] = json.loads(
        Path(__file__).with_suffix(".json").read_text("utf-8")
    )
    return entries


def published(question: Question) -> Mapping[str, Any] | None:
    """The row that the question names, where the paper has it with the verdict expected."""
    if not isinstance(question.expected, bool):
        return None
    return table().get(f"{question.row} {'R' if question.expected else 'U'}")


def figure(question: Question, configuration: Configuration) -> tuple[int, float] | None:
    """The paper's refinements and seconds; None for its timeout, or where it reports nothing."""
    row = published(question)
    if row is None or not configuration.column or row[configuration.column] is None:
        return None
    refinements, seconds = row[configuration.column]
    return refinements, seconds


def overview(results: Results) -> tuple[Block, ...]:
    """The questions beside the paper's rows, totals, and where the paper does better."""
    ours = tables.legend(results)
    return (
        f"{ours} {LEGEND}" if _compared(results, results.questions) else ours,
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
    added = [(1, "row", [_row_name(question) for question in rows])]
    if _compared(results, rows):
        for number, column in enumerate(results.configurations):
            if column.column:
                added.append((4 + 2 * number, "paper", [_shown(q, column) for q in rows]))
        fast = ["" if row is None else str(row["fast"]) for row in map(published, rows)]
        added.append((len(ours.heads), "Fast", fast))
    lines = [[*line] for line in (ours.heads, *ours.rows)]
    for place, head, entries in reversed(added):
        for line, entry in zip(lines, (head, *entries), strict=True):
            line.insert(place, entry)
    heads, *rows_of_text = map(tuple, lines)
    return replace(ours, heads=heads, rows=tuple(rows_of_text), texts=ours.texts + 1)


def _shown(question: Question, configuration: Configuration) -> str:
    if published(question) is None:
        return ""
    reported = figure(question, configuration)
    return "*" if reported is None else f"{reported[0]}/{reported[1]:g}"


def _compared(results: Results, rows: Iterable[Question]) -> bool:
    """Whether the paper has figures for some of the cells."""
    return any(map(published, rows)) and any(column.column for column in results.configurations)


def _totals(results: Results) -> Table:
    """Return how many rows the paper's columns decide, and below how many ours do."""
    ours = tables.totals(results)
    rows = [question for question in results.questions if published(question) is not None]
    if not _compared(results, rows):
        return ours
    solved = (
        f"{sum(figure(row, c) is not None for row in rows)}/{len(rows)}" if c.column else ""
        for c in results.configurations
    )
    return replace(ours, rows=(ours.rows[0], ("solved in the paper", *solved), *ours.rows[1:]))


def _differences(results: Results) -> Iterator[Listing]:
    """List rows that the paper's columns decide and ours do not, or with fewer refinements."""
    undecided, slower = [], []
    for configuration in results.configurations:
        cells = [
            (record, reported[0])
            for record in results.of(configuration)
            if (reported := figure(record.cell.question, configuration)) is not None
        ]
        lost = [_name(record) for record, _ in cells if not record.right]
        more = [
            f"{_name(record)} {record.outcome.iterations} against {refinements}"
            for record, refinements in cells
            if record.right and (record.outcome.iterations or 0) > refinements
        ]
        undecided += [f"{configuration.name}: {', '.join(lost)}"] if lost else []
        slower += [f"{configuration.name}: {', '.join(more)}"] if more else []
    if undecided:
        yield Listing("Decided in the paper and not here", tuple(undecided))
    if slower:
        yield Listing("More refinements than in the paper", tuple(slower))


def document(results: Results) -> str:
    """The records as JSON, each with the paper's figures for it."""
    records = [fields(record) | _published(record) for record in results.records]
    whole = {"format": 3, "petricheck": petricheck.__version__, "records": records}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _published(record: Record) -> dict[str, Any]:
    question = record.cell.question
    paper = figure(question, record.cell.configuration)
    return {"row": question.row, "unit": unit(record.outcome.engine), "paper": paper}


def _row_name(question: Question) -> str:
    """The paper's name of the row, and whether the net is ours."""
    ours = question.row and question.source.startswith("ours")
    return f"{question.row} (ours)" if ours else question.row


def _name(record: Record) -> str:
    question = record.cell.question
    return f"{_row_name(question)} {question.expected_text[0].upper()}"
