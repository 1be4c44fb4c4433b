"""The figures of the paper's Table 2 beside ours, and where they differ.

The paper prints no nets for its rows but Fig. 6, and no targets; nets that were never published in
text are ours, which their `source` says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from petricheck.batch.configurations import Configuration
from petricheck.batch.questions.index import Question
from petricheck.batch.reports.layouts import Listing
from petricheck.batch.reports.results import Results, figure
from petricheck.batch.reports.table2 import published

LEGEND = (
    "paper: N/sec in Table 2 of Leroux et al. 2016, * after an hour; Fast is its last column. "
    "(ours): the net is ours, the paper's was never published."
)


def columns(results: Results, questions: Sequence[Question]) -> frozenset[str]:
    """The configurations that the paper has figures for."""
    if not any(map(published, questions)):
        return frozenset()
    return frozenset(c.name for c in results.configurations if c.column)


def row(question: Question) -> str:
    """The paper's name of the row, and whether the net is ours."""
    ours = question.row and question.source.startswith("ours")
    return f"{question.row} (ours)" if ours else question.row


def cell(question: Question, configuration: Configuration) -> str:
    """The paper's figures for the cell."""
    if published(question) is None:
        return ""
    paper = figure(question, configuration)
    return "*" if paper is None else f"{paper.refinements}/{paper.seconds:g}"


def fast(question: Question) -> str:
    """The paper's last column."""
    printed = published(question)
    return "" if printed is None else printed.fast


def solved(results: Results, configuration: Configuration) -> str:
    """How many rows the paper's column decides."""
    rows = [question for question in results.questions if published(question) is not None]
    if not rows or not configuration.column:
        return ""
    return f"{sum(figure(q, configuration) is not None for q in rows)}/{len(rows)}"


def differences(results: Results) -> tuple[Listing, ...]:
    """Where the paper's columns decide what ours do not, or need fewer refinements."""
    listings = {
        "Decided in the paper and not here": tuple(_undecided(results)),
        "More refinements than in the paper": tuple(_slower(results)),
    }
    return tuple(Listing(title, points) for title, points in listings.items() if points)


def _undecided(results: Results) -> Iterator[str]:
    for configuration in results.configurations:
        missing = [
            _named(question)
            for question in results.questions
            if figure(question, configuration) is not None
            and (record := results.cell(question, configuration)) is not None
            and not record.right
        ]
        if missing:
            yield f"{configuration.name}: {', '.join(missing)}"


def _slower(results: Results) -> Iterator[str]:
    for configuration in results.configurations:
        more = []
        for question in results.questions:
            paper, record = figure(question, configuration), results.cell(question, configuration)
            if paper is None or record is None or not record.right:
                continue
            found = record.outcome.iterations or 0
            if found > paper.refinements:
                more.append(f"{_named(question)} {found} against {paper.refinements}")
        if more:
            yield f"{configuration.name}: {', '.join(more)}"


def _named(question: Question) -> str:
    return f"{row(question)} {question.expected_text[0].upper()}"
