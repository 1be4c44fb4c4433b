"""Table 2 of Leroux, Rümmer and Subotić (2016): what the paper reports, beside what we measure.

The file `paper.json` has an entry for each row: the columns' refinements and seconds, null for the
paper's timeout of an hour, and the last column as printed. The paper prints no nets for its rows
but Fig. 6, and no targets; nets that were never published in text are ours, as their `source` says.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from petricheck.batch.cells import Record
from petricheck.batch.configurations import Configuration
from petricheck.batch.questions.index import Question
from petricheck.batch.reports.layouts import Listing
from petricheck.batch.reports.results import Results

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


def published(question: Question) -> Published | None:
    """The row that the question names, where the paper has it with the verdict expected."""
    if not isinstance(question.expected, bool):
        return None
    return table().get(f"{question.row} {'R' if question.expected else 'U'}")


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


def figure(question: Question, configuration: Configuration) -> Figure | None:
    """What the paper reports for the cell; None for its timeout, or where it reports nothing."""
    row = published(question)
    if row is None or not configuration.column:
        return None
    return row.figures[PAPER_COLUMNS.index(configuration.column)]


def row_name(question: Question) -> str:
    """The paper's name of the row, and whether the net is ours."""
    ours = question.row and question.source.startswith("ours")
    return f"{question.row} (ours)" if ours else question.row


def compared(results: Results, questions: Sequence[Question]) -> frozenset[str]:
    """The names of the configurations that the paper has figures for."""
    if not any(map(published, questions)):
        return frozenset()
    return frozenset(c.name for c in results.configurations if c.column)


def solved(results: Results, configuration: Configuration) -> str:
    """How many rows the paper's column decides."""
    rows = [question for question in results.questions if published(question) is not None]
    if not rows or not configuration.column:
        return ""
    return f"{sum(figure(row, configuration) is not None for row in rows)}/{len(rows)}"


def differences(results: Results) -> tuple[Listing, ...]:
    """Where the paper's columns decide what ours do not, or need fewer refinements."""
    undecided, slower = [], []
    for configuration in results.configurations:
        pairs = list(_pairs(results, configuration))
        lost = [_name(record) for record, _ in pairs if not record.right]
        more = [
            f"{_name(record)} {record.outcome.iterations} against {figure.refinements}"
            for record, figure in pairs
            if record.right and (record.outcome.iterations or 0) > figure.refinements
        ]
        undecided += [f"{configuration.name}: {', '.join(lost)}"] if lost else []
        slower += [f"{configuration.name}: {', '.join(more)}"] if more else []
    listings = {
        "Decided in the paper and not here": undecided,
        "More refinements than in the paper": slower,
    }
    return tuple(Listing(title, tuple(points)) for title, points in listings.items() if points)


def _pairs(results: Results, configuration: Configuration) -> Iterator[tuple[Record, Figure]]:
    """The cells that the paper decides, with its figures."""
    for record in results.of(configuration):
        if (known := figure(record.cell.question, configuration)) is not None:
            yield record, known


def _name(record: Record) -> str:
    question = record.cell.question
    return f"{row_name(question)} {question.expected_text[0].upper()}"
