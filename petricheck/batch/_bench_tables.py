"""Records of the bench as text, Markdown and JSON, in the shape of the paper's Table 2.

Rows are questions, bounded and unbounded nets apart; each configuration has refinements N and
seconds, beside the paper's own figures for the same column. Cells that hold no figures: * where
the time ran out, ? where the engine gave up, error, WRONG where the verdict contradicts what is
known; empty where nothing was measured.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from typing import Any, Literal, TypeAlias

import petricheck
from petricheck.batch.bench import Configuration, Record, figure, outcome
from petricheck.batch.index import Question
from petricheck.budget import MEBIBYTE

Style: TypeAlias = Literal["text", "markdown"]

SECTIONS: tuple[tuple[bool | None, str], ...] = (
    (True, "Bounded nets"),
    (False, "Unbounded nets"),
    (None, "Nets not known to be bounded or unbounded"),
)
LETTERS = {"reachable": "R", "unreachable": "U", "unknown": "?"}
PACKAGES = ("highspy", "numpy", "python-flint", "z3-solver")

_Rows: TypeAlias = list[list[str]]


@dataclass(frozen=True)
class Report:
    """What a bench has measured, and of what.

    Attributes:
        questions: the rows, in order.
        configurations: the columns, in order.
        timeout: seconds that each cell had.
        records: at most one for each cell, in any order; fewer where the bench was interrupted.
    """

    questions: Sequence[Question]
    configurations: Sequence[Configuration]
    timeout: float
    records: Sequence[Record]

    @property
    def cells(self) -> Mapping[tuple[Question, str], Record]:
        """The records by question and name of the configuration."""
        return {(record.question, record.configuration.name): record for record in self.records}

    @property
    def ordered(self) -> tuple[Record, ...]:
        """The records row by row."""
        cells = self.cells
        keys = (
            (question, column.name) for question in self.questions for column in self.configurations
        )
        return tuple(cells[key] for key in keys if key in cells)


def render(report: Report, style: Style) -> str:
    """The whole report: a table for each section, totals, and a line for each oddity."""
    layout, heading, prose = _LAYOUTS[style]
    parts = [prose(_legend(report))]
    for bounded, title in SECTIONS:
        rows = [q for q in report.questions if q.bounded is bounded]
        if rows:
            parts.append(heading(title) + layout(_section(report, rows), 3))
    parts.append(heading("Totals") + layout(_totals(report), 1))
    oddities = _oddities(report.ordered)
    if oddities:
        title = "Wrong, failed, or undecided for another reason than time"
        parts.append(heading(title) + "\n".join(f"- {prose(line)}" for line in oddities))
    return "\n\n".join(parts) + "\n"


def render_json(report: Report) -> str:
    """Every record with all its figures, and what is needed to repeat the run; no paths."""
    document = {
        "format": 1,
        "petricheck": petricheck.__version__,
        "versions": {"python": platform.python_version()}
        | {package: metadata.version(package) for package in PACKAGES},
        "timeout": report.timeout,
        "configurations": [
            {"name": c.name, "engine": c.engine, "options": dict(c.options)}
            for c in report.configurations
        ],
        "records": [_fields(record) for record in report.ordered],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _fields(record: Record) -> dict[str, Any]:
    question = record.question
    paper = figure(question, record.configuration)
    return {
        "question": question.name,
        "row": question.row,
        "net": question.net.name,
        "bounded": question.bounded,
        "configuration": record.configuration.name,
        "expected": question.expected,
        "wrong": record.wrong,
        **asdict(record.measurement),
        "paper": None if paper is None else [paper.refinements, paper.seconds],
    }


def _legend(report: Report) -> str:
    return (
        "N: refinements. sec: CPU seconds from the parsed problem to the audited answer.\n"
        f"*: no answer within {report.timeout:g} s. ?: gave up."
        " paper: N/sec in Table 2 of Leroux et al. 2016, * after an hour."
    )


def _section(report: Report, questions: Sequence[Question]) -> _Rows:
    """Head and rows; the paper's figures beside each column that has some anywhere."""
    cells = report.cells
    compared = {
        c.name for c in report.configurations if c.column and any(q.paper for q in questions)
    }
    head = ["question", "row", ""]
    for column in report.configurations:
        head += [f"{column.name} N", "sec", *(["paper"] if column.name in compared else [])]
    rows = [head]
    for question in questions:
        row = [question.name, question.row, LETTERS[question.expected]]
        for column in report.configurations:
            row += _cell(cells.get((question, column.name)))
            row += [_published(question, column)] if column.name in compared else []
        rows.append(row)
    return rows


def _cell(record: Record | None) -> list[str]:
    if record is None:
        return ["", ""]
    measurement = record.measurement
    seconds = "" if measurement.cpu_seconds is None else _seconds(measurement.cpu_seconds)
    match measurement.status:
        case "decided":
            return ["WRONG" if record.wrong else str(measurement.refinements), seconds]
        case "timeout":
            return ["*", "*"]
        case "unknown":
            return ["?", seconds]
        case "error":
            return ["error", ""]


def _published(question: Question, configuration: Configuration) -> str:
    if question.paper is None:
        return ""
    paper = figure(question, configuration)
    return "*" if paper is None else f"{paper.refinements}/{paper.seconds:g}"


def _seconds(value: float) -> str:
    """Three digits or so."""
    digits = 3 if value < 1 else 2 if value < 10 else 1
    return f"{value:.{digits}f}"


def _totals(report: Report) -> _Rows:
    columns = [
        (column, [r for r in report.records if r.configuration.name == column.name])
        for column in report.configurations
    ]
    return [
        ["", *(column.name for column, _ in columns)],
        ["solved", *(f"{sum(r.right for r in rs)}/{len(rs)}" for _, rs in columns)],
        ["solved in the paper", *(_solved_in_paper(report, column) for column, _ in columns)],
        ["wrong", *(str(sum(r.wrong for r in rs)) for _, rs in columns)],
        ["errors", *(str(_count(rs, "error")) for _, rs in columns)],
        ["timeouts", *(str(_count(rs, "timeout")) for _, rs in columns)],
        ["seconds, solved", *(_seconds(_spent(rs)) for _, rs in columns)],
        ["peak memory, MiB", *(_peak(rs) for _, rs in columns)],
    ]


def _count(records: Iterable[Record], status: str) -> int:
    return sum(record.measurement.status == status for record in records)


def _spent(records: Iterable[Record]) -> float:
    return sum(record.measurement.cpu_seconds or 0.0 for record in records if record.right)


def _peak(records: Iterable[Record]) -> str:
    peak = max((record.measurement.memory or 0 for record in records), default=0)
    return f"{peak / MEBIBYTE:.0f}" if peak else ""


def _solved_in_paper(report: Report, configuration: Configuration) -> str:
    rows = [question for question in report.questions if question.paper is not None]
    if not rows or not configuration.column:
        return ""
    return f"{sum(figure(q, configuration) is not None for q in rows)}/{len(rows)}"


def _oddities(records: Iterable[Record]) -> tuple[str, ...]:
    """What was wrong, failed, or undecided with time left, each with the cells it came of."""
    cells: dict[str, list[str]] = {}
    for record in records:
        if not record.right and record.measurement.status != "timeout":
            said = " ".join(outcome(record).split())
            cells.setdefault(said, []).append(
                f"{record.question.name} ({record.configuration.name})"
            )
    return tuple(f"{', '.join(where)}: {said}" for said, where in cells.items())


def _as_text(rows: _Rows, left: int) -> str:
    """Aligned columns, the first `left` of them to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            text.ljust(width) if number < left else text.rjust(width)
            for number, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _as_markdown(rows: _Rows, left: int) -> str:
    rule = [":---" if number < left else "---:" for number in range(len(rows[0]))]
    shown = [[_escaped(text) for text in row] for row in rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in (shown[0], rule, *shown[1:]))


def _escaped(text: str) -> str:
    if text == "WRONG":
        return "**WRONG**"
    for character in r"\|*<[`":
        text = text.replace(character, "\\" + character)
    return text


_LAYOUTS: dict[
    Style, tuple[Callable[[_Rows, int], str], Callable[[str], str], Callable[[str], str]]
] = {
    "text": (_as_text, lambda title: f"{title}\n", str),
    "markdown": (_as_markdown, lambda title: f"### {title}\n\n", _escaped),
}
"""Tables, headings and prose of each style."""
