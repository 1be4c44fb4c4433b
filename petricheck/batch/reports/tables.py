"""The tables of a batch, made from its records alone.

One row a question: for each configuration N, which is refinements or what another engine counts,
and seconds. One row a set and configuration, with its score. Bounded nets, unbounded ones and those
of which it is not known stay apart in both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from petricheck.batch.cells import CellLimits, CellRecord, Host
from petricheck.batch.questions.index import BatchQuestion
from petricheck.batch.reports.layouts import Block, Listing, ReportTable, Strong
from petricheck.batch.reports.measures import (
    BOUNDEDNESS,
    PENALTY,
    Results,
    disputes,
    grouped,
    median_time,
    par2,
    time_limit,
)
from petricheck.engines import unit
from petricheck.questions import UNKNOWN
from petricheck.support.budget import MEBIBYTE
from petricheck.support.words import counted, listed, natural_key

NETS = {True: "bounded", False: "unbounded", None: "not known"}
NO_SET = "(no set)"
SECTIONS = {
    True: "Bounded nets",
    False: "Unbounded nets",
    None: "Nets not known to be bounded or unbounded",
}
LETTERS = {"reachable": "R", "unreachable": "U", "unknown": "?"}

DEFINITIONS = (
    "solved: cells with a verdict that nothing is known to contradict."
    " correct: those whose verdict is the expected one, of the cells where one is known.\n"
    "wrong: the verdict contradicts the expected one. violated: a property does not hold."
    " unknown: gave up."
    " timeout, memory: a limit was hit. error: the cell failed.\n"
    "median: of the CPU seconds of the solved cells."
    f" PAR{PENALTY}: mean over all cells of the CPU seconds, where a cell that is not solved counts"
    f" as {PENALTY} times its limit, the smaller one of CPU and wall time."
)
"""What the numbers of a score mean, for people."""

_COUNTS = (
    *("cells", "solved", "correct", "wrong", "violated"),
    *("unknown", "timeout", "memory", "error"),
)
_SHOWN = 20
"""So many of the cells of a kind are named."""


def report(results: Results) -> tuple[Block, ...]:
    """Return all tables: sets first, then the questions."""
    return (
        *unfinished(results),
        sets(results),
        DEFINITIONS,
        *questions(results),
        legend(results),
        totals(results),
        *oddities(results),
    )


def configurations(results: Results) -> ReportTable:
    """Count the endings of the cells of each configuration."""
    heads = _heads(results)
    rows = ((c.name, *_counts(results.of(c), heads).values()) for c in results.configurations)
    return ReportTable("Configurations", ("configuration", *heads), tuple(rows))


def _heads(results: Results) -> tuple[str, ...]:
    """Return the names of the counts; that of violated properties only where some are asked."""
    asked = any(question.is_property for question in results.questions)
    return tuple(name for name in _COUNTS if asked or name != "violated")


def sets(results: Results) -> ReportTable:
    """Return the score of each set and configuration, and over all sets if there are several."""
    spaces = [(name or NO_SET, {name}) for name in results.collections]
    spaces += [("all sets", set(results.collections))] if len(spaces) > 1 else []
    rows = [
        (title, NETS[bounded], column.name, *_score(inside, _heads(results)))
        for title, collections in spaces
        for bounded in BOUNDEDNESS
        for column in results.configurations
        if (inside := [r for r in results.of(column) if _inside(r, collections, bounded)])
    ]
    times = ("median, s", f"PAR{PENALTY}, s")
    heads = ("set", "nets", "configuration", *_heads(results), *times)
    return ReportTable("Sets and configurations", heads, tuple(rows), texts=3, groups=2)


def sections(results: Results) -> Iterator[tuple[str, tuple[BatchQuestion, ...]]]:
    """Yield the questions of each set and boundedness, with a title."""
    several = len(results.collections) > 1
    for name in results.collections:
        for bounded in BOUNDEDNESS:
            rows = [q for q in results.questions if (q.collection, q.bounded) == (name, bounded)]
            if rows:
                title = f"{name or NO_SET}: {NETS[bounded]}" if several else SECTIONS[bounded]
                yield title, tuple(rows)


def questions(results: Results) -> tuple[ReportTable, ...]:
    """Return one table for each set and boundedness."""
    heads = [head for column in results.configurations for head in (f"{column.name} N", "sec")]
    return tuple(
        ReportTable(
            title,
            ("question", "", *heads),
            tuple((question.name, *_row(results, question)) for question in rows),
            texts=2,
        )
        for title, rows in sections(results)
    )


def every_question(results: Results) -> ReportTable:
    """Return all questions in one table, for programs."""
    parts = [f"{column.name} {part}" for column in results.configurations for part in ("N", "sec")]
    rows = tuple(
        (question.collection, NETS[question.bounded], question.name, *_row(results, question))
        for question in results.questions
    )
    return ReportTable("Questions", ("set", "nets", "question", "expected", *parts), rows, texts=4)


def totals(results: Results) -> ReportTable:
    """Return one column a configuration."""
    columns = {c.name: _totals(results.of(c)) for c in results.configurations}
    rows = ((title, *(column[title] for column in columns.values())) for title in _totals(()))
    return ReportTable("Totals", ("", *columns), tuple(rows))


def oddities(results: Results) -> tuple[Listing, ...]:
    """List disputed, wrong and failed cells, and cells undecided with time left."""
    odd = (r for r in results.records if not r.right and r.outcome.status != "timeout")
    listings = {
        "Disputed: verdicts that contradict each other": tuple(
            f"{_name(results, group[0].cell.question)}: "
            + ", ".join(f"{r.headline} ({r.cell.configuration.name})" for r in group)
            for group in disputes(results.records)
        ),
        "Wrong, failed, or undecided for another reason than time": tuple(
            f"{listed(records, _SHOWN, partial(_cell_name, results))}: {text}"
            for text, records in grouped(odd, outcome_text).items()
        ),
    }
    return tuple(Listing(title, points) for title, points in listings.items() if points)


def outcome_text(record: CellRecord) -> str:
    """Return the outcome of a cell in a few words on a line."""
    question, outcome = record.cell.question, record.outcome
    match outcome.status:
        case "decided":
            expected = question.reading(question.expected, question.expected_text)
            wrong = f" WRONG, {expected} is expected" if record.wrong else ""
            parts = [f"{record.headline}{wrong}"]
            if outcome.iterations and (noun := unit(outcome.engine)):
                parts.append(counted(outcome.iterations, noun))
            if outcome.cpu_seconds is not None:
                parts.append(f"{outcome.cpu_seconds:.2f} s")
        case "error":
            parts = ["error", f"{outcome.error}: {outcome.reason}"]
        case _:
            parts = [outcome.headline, outcome.reason.partition("\n")[0]]
    return " ".join(", ".join(parts).split())


def legend(results: Results) -> str:
    """Return the meaning of the figures of `questions`."""
    limits = dict.fromkeys(_within(record.cell.limits) for record in results.records)
    within = " or ".join(sorted(limits, key=natural_key)) or "its limit"
    text = (
        "N: refinements, or what another engine counts. "
        "sec: CPU seconds from the parsed problem to the audited answer.\n"
        f"*: no answer within {within}. ?: gave up."
    )
    if any(not question.has_target for question in results.questions):
        text += " Of a question such as --bound N is the answer, as far as it is proved."
    return text


def unfinished(results: Results) -> tuple[str, ...]:
    """Return a line with the number of cells that are done, where some are missing."""
    if not results.missing:
        return ()
    total = results.missing + len(results.records)
    return (f"Not finished: {len(results.records)} of {total} cells are done.",)


def seconds(value: float) -> str:
    """Return about three digits."""
    return f"{value:.{3 if value < 1 else 2 if value < 10 else 1}f}"


def machine(host: Host) -> str:
    """Return a text about the machine that decided a cell."""
    memory = f"{host.memory / 2**30:.1f} GiB"
    return f"{host.name}, {host.system}, {counted(host.cores, 'core')}, {memory}"


def _within(limits: CellLimits) -> str:
    """Return the limit on time that a cell on one core reaches first."""
    first = time_limit(limits)
    return f"{first:g} s" if first == limits.seconds else f"{first:g} s of CPU"


def _inside(record: CellRecord, collections: set[str], bounded: bool | None) -> bool:
    question = record.cell.question
    return question.collection in collections and question.bounded is bounded


def _counts(records: Sequence[CellRecord], heads: Sequence[str] = _COUNTS) -> dict[str, str]:
    states = Counter(record.state for record in records)
    solved = sum(record.right for record in records)
    violated = [record for record in records if record.holds is False]
    states.update(cells=len(records), violated=len(violated))
    states["solved"] = solved
    grave = {"wrong": states["wrong"], "violated": any(record.fails for record in violated)}
    return {
        head: Strong(str(states[head])) if grave.get(head) else str(states[head]) for head in heads
    }


def _score(records: Sequence[CellRecord], heads: Sequence[str]) -> tuple[str, ...]:
    counts = _counts(records, heads)
    with_expectation = sum(record.cell.question.expected is not None for record in records)
    counts["correct"] += f"/{with_expectation}"
    times = (median_time(records), par2(records))
    return (*counts.values(), *("" if time is None else seconds(time) for time in times))


def _totals(records: Sequence[CellRecord]) -> Mapping[str, str]:
    counts = _counts(records)
    peak = max((record.outcome.memory or 0 for record in records), default=0)
    return {
        "solved": f"{counts['solved']}/{counts['cells']}",
        "wrong": counts["wrong"],
        "errors": counts["error"],
        "timeouts": counts["timeout"],
        "memory outs": counts["memory"],
        "seconds, solved": seconds(sum(r.outcome.cpu_seconds or 0.0 for r in records if r.right)),
        "peak memory, MiB": f"{peak / MEBIBYTE:.0f}" if peak else "",
    }


def _row(results: Results, question: BatchQuestion) -> Iterator[str]:
    """Yield the answer that is expected, and what each configuration made of the question."""
    expected = question.reading(question.expected, question.expected_text)
    yield LETTERS.get(expected, expected)
    for column in results.configurations:
        yield from _cell(results.cell(question, column))


def _cell(record: CellRecord | None) -> tuple[str, str]:
    if record is None:
        return ("", "")
    outcome = record.outcome
    time = "" if outcome.cpu_seconds is None else seconds(outcome.cpu_seconds)
    verdict = "" if outcome.verdict == UNKNOWN else f" {outcome.verdict}"
    match outcome.status:
        case "decided" if record.wrong:
            return (Strong("WRONG"), time)
        case "decided" if record.holds is not None:
            return (Strong(record.headline) if record.fails else record.headline, time)
        case "decided" if not record.cell.question.has_target:
            return (outcome.verdict, time)
        case "decided":
            return ("" if outcome.iterations is None else str(outcome.iterations), time)
        case "timeout":
            return (f"*{verdict}", "*")
        case "unknown":
            return (f"?{verdict}", time)
        case "memory":
            return ("memory", time)
        case "error":
            return ("error", "")


def _cell_name(results: Results, record: CellRecord) -> str:
    return f"{_name(results, record.cell.question)} ({record.cell.configuration.name})"


def _name(results: Results, question: BatchQuestion) -> str:
    """Return the question's name, with its set where there are several."""
    alone = len(results.collections) < 2
    return question.name if alone else f"{question.collection}/{question.name}"
