"""The tables of a batch, made from its records alone.

One row a question, in the shape of the paper's Table 2: for each configuration N, which is
refinements or what another engine counts, and seconds, beside the paper's own figures for the same
column. One row a set and configuration, with its score. Bounded nets, unbounded ones and those of
which it is not known stay apart in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from petricheck.analyses import UNKNOWN
from petricheck.batch.cells import Cell, Limits, Record
from petricheck.batch.questions.index import Question
from petricheck.batch.reports import published
from petricheck.batch.reports.layouts import Block, Column, Listing, Prose, Strong, Style, Table
from petricheck.batch.reports.layouts import render as lay_out
from petricheck.batch.reports.results import BOUNDEDNESS, Results, arrange, disputes, natural
from petricheck.batch.reports.scores import DEFINITIONS, Score, score, time_limit
from petricheck.budget import MEBIBYTE
from petricheck.engines import unit

NETS = {True: "bounded", False: "unbounded", None: "not known"}
NO_SET = "(no set)"
SECTIONS = {
    True: "Bounded nets",
    False: "Unbounded nets",
    None: "Nets not known to be bounded or unbounded",
}
LETTERS = {"reachable": "R", "unreachable": "U", "unknown": "?"}


def render(records: Iterable[Record], style: Style, planned: Sequence[Cell] = ()) -> str:
    """The `overview` of the records.

    Args:
        records: at most one for each key, in any order.
        style: of the text.
        planned: all cells that there will be, where that is known.
    """
    results = arrange(records, planned)
    return lay_out(overview(results), style)


def overview(results: Results) -> tuple[Block, ...]:
    """What a bench shows: the questions, totals, and a line for each oddity."""
    return (
        legend(results),
        *questions(results),
        totals(results),
        *published.differences(results),
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


def sets(results: Results) -> Table:
    """The score of each set and configuration; over all sets as well where there are several."""
    spaces: list[tuple[str, str | None, bool | None]] = [
        (name or NO_SET, name, bounded) for name in results.collections for bounded in BOUNDEDNESS
    ]
    if len(results.collections) > 1:
        spaces += [("all sets", None, bounded) for bounded in BOUNDEDNESS]
    rows = []
    for title, collection, bounded in spaces:
        inside = [r for r in results.records if _inside(r.cell.question, collection, bounded)]
        for column in results.configurations:
            if of_it := [r for r in inside if r.cell.configuration.name == column.name]:
                rows.append((title, NETS[bounded], column.name, *_scored(score(of_it))))
    heads = ("cells", "solved", "correct", "wrong", "unknown", "timeout", "memory", "error")
    names = tuple(Column(head, align="left") for head in ("set", "nets", "configuration"))
    numbers = tuple(Column(head) for head in (*heads, "median, s", "PAR2, s"))
    return Table("Sets and configurations", (*names, *numbers), tuple(rows), groups=2)


def questions(results: Results) -> tuple[Table, ...]:
    """One table for each set and boundedness."""
    tables = []
    for collection in results.collections:
        for bounded in BOUNDEDNESS:
            rows = [q for q in results.questions if _inside(q, collection, bounded)]
            if rows:
                several = len(results.collections) > 1
                title = f"{collection or NO_SET}: {NETS[bounded]}" if several else SECTIONS[bounded]
                tables.append(_questions(results, rows, title))
    return tuple(tables)


def every_question(results: Results) -> Table:
    """All questions in one table, for programs."""
    whole = _questions(results, results.questions, "Questions")
    heads = ("set", "nets", "question", "row", "expected")
    names = tuple(Column(head, align="left") for head in heads)
    rows = tuple(
        (question.collection, NETS[question.bounded], *row)
        for question, row in zip(results.questions, whole.rows, strict=True)
    )
    return Table(whole.title, (*names, *whole.columns[3:]), rows)


def totals(results: Results) -> Table:
    """One column a configuration."""
    columns = [results.of(configuration) for configuration in results.configurations]
    scores = [score(records) for records in columns]
    rows: list[tuple[str, ...]] = [
        ("solved", *(f"{s.solved}/{s.cells}" for s in scores)),
        ("wrong", *(_wrong(s) for s in scores)),
        ("errors", *(str(s.error) for s in scores)),
        ("timeouts", *(str(s.timeout) for s in scores)),
        ("memory outs", *(str(s.memory) for s in scores)),
        ("seconds, solved", *(seconds(_spent(records)) for records in columns)),
        ("peak memory, MiB", *(_peak(records) for records in columns)),
    ]
    in_paper = [published.solved(results, c) for c in results.configurations]
    if any(in_paper):
        rows.insert(1, ("solved in the paper", *in_paper))
    heads = (Column("", align="left"), *(Column(c.name) for c in results.configurations))
    return Table("Totals", heads, tuple(rows))


def oddities(results: Results) -> tuple[Listing, ...]:
    """What is disputed; what was wrong, failed, or undecided with time left, with the cells."""
    where: dict[str, list[str]] = {}
    for record in results.records:
        if not record.right and record.outcome.status != "timeout":
            name = _named(results, record.cell.question)
            said = " ".join(told(record).split())
            where.setdefault(said, []).append(f"{name} ({record.cell.configuration.name})")
    listings = {
        "Disputed: verdicts that contradict each other": tuple(
            f"{_named(results, group[0].cell.question)}: {_sides(group)}"
            for group in disputes(results.records)
        ),
        "Wrong, failed, or undecided for another reason than time": tuple(
            f"{_few(cells)}: {said}" for said, cells in where.items()
        ),
    }
    return tuple(Listing(title, points) for title, points in listings.items() if points)


def told(record: Record) -> str:
    """What came of a cell, in a few words."""
    question, outcome = record.cell.question, record.outcome
    match outcome.status:
        case "decided":
            wrong = f" WRONG, {question.expected_text} is expected" if record.wrong else ""
            parts = [f"{outcome.verdict}{wrong}"]
            if outcome.iterations and (noun := unit(outcome.engine)):
                plural = "" if outcome.iterations == 1 else "s"
                parts.append(f"{outcome.iterations} {noun}{plural}")
            if outcome.cpu_seconds is not None:
                parts.append(f"{outcome.cpu_seconds:.2f} s")
            return ", ".join(parts)
        case "error":
            return f"error, {outcome.error}: {outcome.reason}"
        case _:
            return f"{outcome.told}, {outcome.reason.partition(chr(10))[0]}"


def legend(results: Results) -> Prose:
    """What the figures of `questions` mean."""
    limits = dict.fromkeys(_within(record.cell.limits) for record in results.records)
    within = " or ".join(sorted(limits, key=natural)) or "its limit"
    text = (
        "N: refinements, or what another engine counts. "
        "sec: CPU seconds from the parsed problem to the audited answer.\n"
        f"*: no answer within {within}. ?: gave up."
    )
    if any(question.analysed for question in results.questions):
        text += " Of a question such as --bound N is the answer, as far as it is proved."
    if published.columns(results, results.questions):
        text += f" {published.LEGEND}"
    return Prose(text)


def _within(limits: Limits) -> str:
    """The limit on time that a cell on one core reaches first."""
    first = time_limit(limits)
    return f"{first:g} s" if first == limits.seconds else f"{first:g} s of CPU"


def unfinished(results: Results) -> tuple[Prose, ...]:
    """How many cells are missing, where some are known to be."""
    if not results.missing:
        return ()
    total = results.missing + len(results.records)
    return (Prose(f"Not finished: {len(results.records)} of {total} cells are done."),)


def seconds(value: float) -> str:
    """Three digits or so."""
    digits = 3 if value < 1 else 2 if value < 10 else 1
    return f"{value:.{digits}f}"


def _inside(question: Question, collection: str | None, bounded: bool | None) -> bool:
    return collection in (None, question.collection) and question.bounded is bounded


def _scored(value: Score) -> tuple[str, ...]:
    return (
        str(value.cells),
        str(value.solved),
        f"{value.correct}/{value.known}",
        _wrong(value),
        str(value.unknown),
        str(value.timeout),
        str(value.memory),
        str(value.error),
        "" if value.median is None else seconds(value.median),
        "" if value.par2 is None else seconds(value.par2),
    )


def _wrong(value: Score) -> str:
    return Strong(value.wrong) if value.wrong else "0"


def _questions(results: Results, rows: Sequence[Question], title: str) -> Table:
    """The paper's figures stand beside each column that has some anywhere, its Fast at the end."""
    compared = published.columns(results, rows)
    heads = [Column(head, align="left") for head in ("question", "row", "")]
    for column in results.configurations:
        parts = ("N", "sec", "paper") if column.name in compared else ("N", "sec")
        heads += [Column(part, column.name) for part in parts]
    if compared:
        heads.append(Column("Fast"))
    return Table(title, tuple(heads), tuple(_row(results, q, compared) for q in rows))


def _row(results: Results, question: Question, compared: frozenset[str]) -> tuple[str, ...]:
    row = [
        question.name,
        published.row(question),
        LETTERS.get(question.expected_text, question.expected_text),
    ]
    for column in results.configurations:
        row += _cell(results.cell(question, column))
        row += [published.cell(question, column)] if column.name in compared else []
    return (*row, published.fast(question)) if compared else tuple(row)


def _cell(record: Record | None) -> tuple[str, str]:
    if record is None:
        return ("", "")
    outcome = record.outcome
    time = "" if outcome.cpu_seconds is None else seconds(outcome.cpu_seconds)
    known = "" if outcome.verdict == UNKNOWN else f" {outcome.verdict}"
    match outcome.status:
        case "decided" if record.wrong:
            return (Strong("WRONG"), time)
        case "decided" if record.cell.question.analysed:
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


def _spent(records: Iterable[Record]) -> float:
    return sum(record.outcome.cpu_seconds or 0.0 for record in records if record.right)


def _peak(records: Iterable[Record]) -> str:
    peak = max((record.outcome.memory or 0 for record in records), default=0)
    return f"{peak / MEBIBYTE:.0f}" if peak else ""


def _named(results: Results, question: Question) -> str:
    """The question's name, with its set where there are several."""
    several = len(results.collections) > 1
    return f"{question.collection}/{question.name}" if several else question.name


def _sides(records: Iterable[Record]) -> str:
    return ", ".join(f"{r.outcome.verdict} ({r.cell.configuration.name})" for r in records)


def _few(cells: Sequence[str]) -> str:
    """The first of them, and how many more there are."""
    more = len(cells) - _SHOWN
    return ", ".join(cells[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


_SHOWN = 20
