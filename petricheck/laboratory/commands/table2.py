"""Table 2 of Leroux, Rümmer and Subotić (2016): the paper's figures and ours.

The file `table2.json` has an entry for each row: the columns' refinements and seconds, null for the
paper's timeout of an hour, and the last column as printed. The paper prints the net of Fig. 6 only,
and no targets. The other nets are ours, as their `source` states.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from petricheck.batch.cells import CellRecord, fields
from petricheck.batch.configurations import Configuration
from petricheck.batch.questions.index import BatchQuestion
from petricheck.batch.reports import tables
from petricheck.batch.reports.layouts import Block, Listing, ReportTable
from petricheck.batch.reports.measures import Results
from petricheck.engines import unit
from petricheck.support.version import __version__

LEGEND = (
    "paper: N/sec in Table 2 of Leroux et al. 2016, * after an hour; Fast is its last column. "
    "(ours): the net is ours; the paper does not print its own."
)


@cache
def table() -> Mapping[str, Mapping[str, Any]]:
    """Return the entries by row, whose name is followed by U for unreachable or R for reachable."""
    entries: dict[str, dict[str, Any]] = json.loads(
        Path(__file__).with_suffix(".json").read_text("utf-8")
    )
    return entries


def paper_row(question: BatchQuestion) -> Mapping[str, Any] | None:
    """Return the question's row, where the paper has it with the expected verdict."""
    if not isinstance(question.expected, bool):
        return None
    return table().get(f"{question.row} {'R' if question.expected else 'U'}")


def paper_figure(question: BatchQuestion, configuration: Configuration) -> tuple[int, float] | None:
    """Return the paper's refinements and seconds; None for a timeout, or where it has none."""
    row = paper_row(question)
    if row is None or not configuration.column or row[configuration.column] is None:
        return None
    refinements, seconds = row[configuration.column]
    return refinements, seconds


def overview(results: Results) -> tuple[Block, ...]:
    """Return the questions with the paper's rows, totals, and where the paper does better."""
    legend = tables.legend(results)
    return (
        f"{legend} {LEGEND}" if _has_figures(results, results.questions) else legend,
        *questions(results),
        _totals(results),
        *_differences(results),
        *tables.oddities(results),
    )


def questions(results: Results) -> tuple[ReportTable, ...]:
    """Return the tables of questions, with the paper's figures next to the columns that it has."""
    tables_with_rows = zip(tables.questions(results), tables.sections(results), strict=True)
    return tuple(_with_paper(results, table, rows) for table, (_, rows) in tables_with_rows)


def _with_paper(results: Results, table: ReportTable, rows: Sequence[BatchQuestion]) -> ReportTable:
    columns = [(1, "row", [_row_name(question) for question in rows])]
    if _has_figures(results, rows):
        for number, column in enumerate(results.configurations):
            if column.column:
                columns.append((4 + 2 * number, "paper", [_figure_text(q, column) for q in rows]))
        fast = ["" if row is None else str(row["fast"]) for row in map(paper_row, rows)]
        columns.append((len(table.heads), "Fast", fast))
    lines = [[*line] for line in (table.heads, *table.rows)]
    for position, head, entries in reversed(columns):
        for line, entry in zip(lines, (head, *entries), strict=True):
            line.insert(position, entry)
    heads, *rows_of_text = map(tuple, lines)
    return replace(table, heads=heads, rows=tuple(rows_of_text), texts=table.texts + 1)


def _figure_text(question: BatchQuestion, configuration: Configuration) -> str:
    if paper_row(question) is None:
        return ""
    figure = paper_figure(question, configuration)
    return "*" if figure is None else f"{figure[0]}/{figure[1]:g}"


def _has_figures(results: Results, rows: Iterable[BatchQuestion]) -> bool:
    """Return whether the paper has figures for some of the cells."""
    return any(map(paper_row, rows)) and any(column.column for column in results.configurations)


def _totals(results: Results) -> ReportTable:
    """Return the totals, with a row for the paper's."""
    totals = tables.totals(results)
    rows = [question for question in results.questions if paper_row(question) is not None]
    if not _has_figures(results, rows):
        return totals
    solved = (
        f"{sum(paper_figure(row, c) is not None for row in rows)}/{len(rows)}" if c.column else ""
        for c in results.configurations
    )
    return replace(
        totals, rows=(totals.rows[0], ("solved in the paper", *solved), *totals.rows[1:])
    )


def _differences(results: Results) -> Iterator[Listing]:
    """List rows that the paper's columns decide and ours do not, or with fewer refinements."""
    undecided, slower = [], []
    for configuration in results.configurations:
        cells = [
            (record, figure[0])
            for record in results.of(configuration)
            if (figure := paper_figure(record.cell.question, configuration)) is not None
        ]
        open_rows = [_name(record) for record, _ in cells if not record.right]
        more = [
            f"{_name(record)} {record.outcome.iterations} against {refinements}"
            for record, refinements in cells
            if record.right and (record.outcome.iterations or 0) > refinements
        ]
        undecided += [f"{configuration.name}: {', '.join(open_rows)}"] if open_rows else []
        slower += [f"{configuration.name}: {', '.join(more)}"] if more else []
    if undecided:
        yield Listing("Decided in the paper and not here", tuple(undecided))
    if slower:
        yield Listing("More refinements than in the paper", tuple(slower))


def document(results: Results) -> str:
    """Return the records as JSON, each with the paper's figures for it."""
    records = [fields(record) | _paper_fields(record) for record in results.records]
    content = {"format": 3, "petricheck": __version__, "records": records}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _paper_fields(record: CellRecord) -> dict[str, Any]:
    question = record.cell.question
    paper = paper_figure(question, record.cell.configuration)
    return {"row": question.row, "unit": unit(record.outcome.engine), "paper": paper}


def _row_name(question: BatchQuestion) -> str:
    """Return the paper's name of the row, and whether the net is ours."""
    is_ours = question.row and question.source.startswith("ours")
    return f"{question.row} (ours)" if is_ours else question.row


def _name(record: CellRecord) -> str:
    question = record.cell.question
    return f"{_row_name(question)} {question.expected_text[0].upper()}"
