"""The tables of a batch, made from its records alone.

One row a question, in the shape of the paper's Table 2: for each configuration N, which is
refinements or what another engine counts, and seconds, beside the paper's own figures for the same
column. One row a set and configuration, with its score. Bounded nets, unbounded ones and those of
which it is not known stay apart in both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from petricheck.batch.cells import Cell, Limits, Record
from petricheck.batch.questions.index import Question
from petricheck.batch.reports import paper
from petricheck.batch.reports.layouts import Block, Listing, Prose, Strong, Style, Table, columns
from petricheck.batch.reports.layouts import render as lay_out
from petricheck.batch.reports.results import BOUNDEDNESS, Results, arrange, disputes, grouped
from petricheck.batch.reports.scores import DEFINITIONS, Score, score, time_limit
from petricheck.budget import MEBIBYTE
from petricheck.engines import unit
from petricheck.questions import UNKNOWN
from petricheck.words import counted, natural_key

NETS = {True: "bounded", False: "unbounded", None: "not known"}
NO_SET = "(no set)"
SECTIONS = {
    True: "Bounded nets",
    False: "Unbounded nets",
    None: "Nets not known to be bounded or unbounded",
}
LETTERS = {"reachable": "R", "unreachable": "U", "unknown": "?"}

_COUNTS = ("cells", "solved", "correct", "wrong", "unknown", "timeout", "memory", "error")
_SHOWN = 20
"""So many of the cells of a kind are named."""


def render(records: Iterable[Record], style: Style, planned: Sequence[Cell] = ()) -> str:
    """The `overview` of the records; `planned` are all cells, where that is known."""
    return lay_out(overview(arrange(records, planned)), style)


def overview(results: Results) -> tuple[Block, ...]:
    """What a bench shows: the questions, totals, and a line for each oddity."""
    return (
        legend(results),
        *questions(results),
        totals(results),
        *paper.differences(results),
        *oddities(results),
    )


def report(results: Results) -> tuple[Block, ...]:
    """All there is to tell: sets first, then the questions."""
    return (
        *unfinished(results),
        sets(results),
        Prose(DEFINITIONS),
        *questions(results),
        legend(results),
        totals(results),
        *oddities(results),
    )


def configurations(results: Results) -> Table:
    """How many cells of each configuration ended how."""
    scores = ((column.name, score(results.of(column))) for column in results.configurations)
    rows = ((name, *(str(_count(known, part)) for part in _COUNTS)) for name, known in scores)
    return Table("Configurations", columns(["configuration"], _COUNTS), tuple(rows))


def sets(results: Results) -> Table:
    """The score of each set and configuration; over all sets as well where there are several."""
    spaces: list[tuple[str, str | None]] = [(name or NO_SET, name) for name in results.collections]
    if len(spaces) > 1:
        spaces.append(("all sets", None))
    rows = []
    for title, collection in spaces:
        for bounded in BOUNDEDNESS:
            for column in results.configurations:
                inside = [r for r in results.of(column) if _inside(r, collection, bounded)]
                if inside:
                    rows.append((title, NETS[bounded], column.name, *_scored(score(inside))))
    heads = columns(["set", "nets", "configuration"], [*_COUNTS, "median, s", "PAR2, s"])
    return Table("Sets and configurations", heads, tuple(rows), groups=2)


def questions(results: Results) -> tuple[Table, ...]:
    """One table for each set and boundedness."""
    several = len(results.collections) > 1
    tables = []
    for name in results.collections:
        for bounded in BOUNDEDNESS:
            rows = [q for q in results.questions if (q.collection, q.bounded) == (name, bounded)]
            title = f"{name or NO_SET}: {NETS[bounded]}" if several else SECTIONS[bounded]
            tables += [_questions(results, rows, title)] if rows else []
    return tuple(tables)


def every_question(results: Results) -> Table:
    """All questions in one table, for programs."""
    whole = _questions(results, results.questions, "Questions")
    names = columns(["set", "nets", "question", "row", "expected"])
    rows = tuple(
        (question.collection, NETS[question.bounded], *row)
        for question, row in zip(results.questions, whole.rows, strict=True)
    )
    return Table(whole.title, (*names, *whole.columns[3:]), rows)


def totals(results: Results) -> Table:
    """One column a configuration."""
    in_paper = [paper.solved(results, c) for c in results.configurations]
    rows: dict[str, Callable[[Sequence[Record], Score], str]] = {
        "solved": lambda _, s: f"{s.solved}/{s.cells}",
        "wrong": lambda _, s: _wrong(s),
        "errors": lambda _, s: str(s.counts["error"]),
        "timeouts": lambda _, s: str(s.counts["timeout"]),
        "memory outs": lambda _, s: str(s.counts["memory"]),
        "seconds, solved": lambda records, _: seconds(
            sum(record.outcome.cpu_seconds or 0.0 for record in records if record.right)
        ),
        "peak memory, MiB": lambda records, _: _peak(records),
    }
    measured = [(records, score(records)) for records in map(results.of, results.configurations)]
    shown = [(title, *(tell(*known) for known in measured)) for title, tell in rows.items()]
    if any(in_paper):
        shown.insert(1, ("solved in the paper", *in_paper))
    return by_configuration(results, "Totals", shown)


def by_configuration(results: Results, title: str, rows: Iterable[tuple[str, ...]]) -> Table:
    """A table of what is told of each configuration, in a column each."""
    return Table(title, columns([""], [c.name for c in results.configurations]), tuple(rows))


def oddities(results: Results) -> tuple[Listing, ...]:
    """What is disputed; what was wrong, failed, or undecided with time left, with the cells."""
    odd = (r for r in results.records if not r.right and r.outcome.status != "timeout")
    listings = {
        "Disputed: verdicts that contradict each other": tuple(
            f"{_name(results, group[0].cell.question)}: "
            + ", ".join(f"{r.outcome.verdict} ({r.cell.configuration.name})" for r in group)
            for group in disputes(results.records)
        ),
        "Wrong, failed, or undecided for another reason than time": tuple(
            f"{_few(results, records)}: {said}"
            for said, records in grouped(odd, outcome_text).items()
        ),
    }
    return tuple(Listing(title, points) for title, points in listings.items() if points)


def outcome_text(record: Record) -> str:
    """What came of a cell, in a few words on a line."""
    question, outcome = record.cell.question, record.outcome
    match outcome.status:
        case "decided":
            wrong = f" WRONG, {question.expected_text} is expected" if record.wrong else ""
            parts = [f"{outcome.verdict}{wrong}"]
            if outcome.iterations and (noun := unit(outcome.engine)):
                parts.append(counted(outcome.iterations, noun))
            if outcome.cpu_seconds is not None:
                parts.append(f"{outcome.cpu_seconds:.2f} s")
        case "error":
            parts = ["error", f"{outcome.error}: {outcome.reason}"]
        case _:
            parts = [outcome.headline, outcome.reason.partition("\n")[0]]
    return " ".join(", ".join(parts).split())


def legend(results: Results) -> Prose:
    """What the figures of `questions` mean."""
    limits = dict.fromkeys(_within(record.cell.limits) for record in results.records)
    within = " or ".join(sorted(limits, key=natural_key)) or "its limit"
    text = (
        "N: refinements, or what another engine counts. "
        "sec: CPU seconds from the parsed problem to the audited answer.\n"
        f"*: no answer within {within}. ?: gave up."
    )
    if any(not question.has_target for question in results.questions):
        text += " Of a question such as --bound N is the answer, as far as it is proved."
    if paper.compared(results, results.questions):
        text += f" {paper.LEGEND}"
    return Prose(text)


def unfinished(results: Results) -> tuple[Prose, ...]:
    """How many cells are missing, where some are known to be."""
    if not results.missing:
        return ()
    total = results.missing + len(results.records)
    return (Prose(f"Not finished: {len(results.records)} of {total} cells are done."),)


def seconds(value: float) -> str:
    """Three digits or so."""
    return f"{value:.{3 if value < 1 else 2 if value < 10 else 1}f}"


def _within(limits: Limits) -> str:
    """The limit on time that a cell on one core reaches first."""
    first = time_limit(limits)
    return f"{first:g} s" if first == limits.seconds else f"{first:g} s of CPU"


def _inside(record: Record, collection: str | None, bounded: bool | None) -> bool:
    question = record.cell.question
    return collection in (None, question.collection) and question.bounded is bounded


def _count(score: Score, part: str) -> int:
    sums = {"cells": score.cells, "solved": score.solved}
    return sums[part] if part in sums else score.counts[part]


def _scored(score: Score) -> tuple[str, ...]:
    counts = {part: str(_count(score, part)) for part in _COUNTS}
    counts |= {"correct": f"{score.counts['correct']}/{score.known}", "wrong": _wrong(score)}
    times = ("" if time is None else seconds(time) for time in (score.median, score.par2))
    return (*counts.values(), *times)


def _wrong(score: Score) -> str:
    wrong = str(score.counts["wrong"])
    return wrong if wrong == "0" else Strong(wrong)


def _questions(results: Results, rows: Sequence[Question], title: str) -> Table:
    """The paper's figures stand beside each column that has some anywhere, its Fast at the end."""
    compared = paper.compared(results, rows)
    heads = [*columns(["question", "row", ""])]
    for column in results.configurations:
        parts = ("N", "sec", "paper") if column.name in compared else ("N", "sec")
        heads += columns([], parts, over=column.name)
    heads += columns([], ["Fast"] if compared else [])
    return Table(title, tuple(heads), tuple(_row(results, q, compared) for q in rows))


def _row(results: Results, question: Question, compared: frozenset[str]) -> tuple[str, ...]:
    published, expected = paper.published(question), question.expected_text
    row = [question.name, paper.row_name(question), LETTERS.get(expected, expected)]
    for column in results.configurations:
        row += _cell(results.cell(question, column))
        if column.name in compared:
            row.append(str(paper.figure(question, column) or "*") if published else "")
    return (*row, published.fast if published else "") if compared else tuple(row)


def _cell(record: Record | None) -> tuple[str, str]:
    if record is None:
        return ("", "")
    outcome = record.outcome
    time = "" if outcome.cpu_seconds is None else seconds(outcome.cpu_seconds)
    known = "" if outcome.verdict == UNKNOWN else f" {outcome.verdict}"
    match outcome.status:
        case "decided" if record.wrong:
            return (Strong("WRONG"), time)
        case "decided" if not record.cell.question.has_target:
            return (outcome.verdict, time)
        case "decided":
            return ("" if outcome.iterations is None else str(outcome.iterations), time)
        case "timeout":
            return (f"*{known}", "*")
        case "unknown":
            return (f"?{known}", time)
        case "memory":
            return ("memory", time)
        case "error":
            return ("error", "")


def _peak(records: Iterable[Record]) -> str:
    peak = max((record.outcome.memory or 0 for record in records), default=0)
    return f"{peak / MEBIBYTE:.0f}" if peak else ""


def _name(results: Results, question: Question) -> str:
    """The question's name, with its set where there are several."""
    alone = len(results.collections) < 2
    return question.name if alone else f"{question.collection}/{question.name}"


def _few(results: Results, records: Sequence[Record]) -> str:
    """The first of the cells, and how many more there are."""
    more = len(records) - _SHOWN
    cells = (
        f"{_name(results, r.cell.question)} ({r.cell.configuration.name})" for r in records[:_SHOWN]
    )
    return ", ".join(cells) + (f" and {more} more" if more > 0 else "")
