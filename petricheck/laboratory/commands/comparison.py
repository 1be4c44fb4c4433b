"""Engines compared, in the shape of Table 2 of Beyer, Lee and Wendler (2022).

The tables are made from the records of a batch alone, one column a configuration. A *proof* is the
verdict unreachable, an *alarm* the verdict reachable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from petricheck.batch.cells import CellRecord
from petricheck.batch.configurations import Configuration
from petricheck.batch.questions.index import BatchQuestion
from petricheck.batch.reports import tables
from petricheck.batch.reports.layouts import Block, Listing, ReportTable, Strong
from petricheck.batch.reports.measures import Results, arrange, grouped, spent
from petricheck.batch.reports.plots import Plot, iterations, quantile_plot, scatter_plots
from petricheck.engines import unit
from petricheck.laboratory.commands.table2 import questions
from petricheck.support.words import counted

MEANING = (
    "proof: the verdict unreachable. alarm: reachable. correct: the verdict is the expected one."
    " other verdicts: the right one is not known.\n"
    "timeouts, out of memory: a limit was hit, also where a solver noticed it."
    " other inconclusive: gave up before, or failed."
    " seconds: CPU seconds of the correct results."
    " interpolation: of these, for trying and refuting error paths."
)
"""Explains the rows of `verdicts`."""


def comparison(results: Results) -> tuple[Block, ...]:
    """Return tables of verdicts and of questions that one engine decides, and of all questions."""
    return (
        *tables.unfinished(results),
        verdicts(results),
        MEANING,
        *decided_alone(results),
        *questions(results),
        tables.legend(results),
        *abstractions(results),
        *tables.oddities(results),
    )


def verdicts(results: Results) -> ReportTable:
    """Return the rows of the paper's table; each cell of a configuration counts in one of them."""
    columns = [results.of(configuration) for configuration in results.configurations]
    rows = []
    for title, condition in _ROWS.items():
        counts = [sum(map(condition, records)) for records in columns]
        if any(counts) or title not in _RARE:
            wrong = title.startswith("wrong")
            entries = (Strong(count) if count and wrong else str(count) for count in counts)
            rows.append((title, *entries))
    correct = [[r for r in records if r.correct] for records in columns]
    times = (sum(spent(r) or 0.0 for r in records) for records in correct)
    refuting = [sum(r.outcome.interpolation or 0.0 for r in records) for records in correct]
    rows.append(("seconds", *map(tables.seconds, times)))
    if any(refuting):
        rows.append(("  interpolation", *(tables.seconds(t) if t else "" for t in refuting)))
    title = f"Results of {counted(len(results.questions), 'question')}"
    heads = ("", *(configuration.name for configuration in results.configurations))
    return ReportTable(title, heads, tuple(rows))


def decided_alone(results: Results) -> tuple[Listing, ...]:
    """List questions that only one engine decides, under any of its options.

    Without a second engine there is no list.
    """
    names: dict[str, list[str]] = {_engine(column): [] for column in results.configurations}
    if len(names) < 2:
        return ()
    for question in results.questions:
        cells = (results.cell(question, column) for column in results.configurations)
        engines = {_engine(r.cell.configuration) for r in cells if r is not None and r.right}
        if len(engines) == 1:
            names[engines.pop()].append(_name(question))
    points = (
        f"{engine}: {', '.join(questions) or 'nothing'}" for engine, questions in names.items()
    )
    return (Listing("Decided by one engine alone, under any options", tuple(points)),)


def abstractions(results: Results) -> tuple[ReportTable, ...]:
    """Return what McMillan (2006) lists beside times, of engines that refute error paths."""
    columns = [
        column
        for column in results.configurations
        if any(record.outcome.predicates is not None for record in results.of(column))
    ]
    rows = tuple(
        (_name(question), *texts)
        for question in results.questions
        if any(texts := [text for c in columns for text in _abstraction(results.cell(question, c))])
    )
    heads = (head for c in columns for head in (f"{c.name} predicates", "interpolation", "states"))
    table = ReportTable("Predicates, seconds of interpolation", ("question", *heads), rows)
    return (table,) if columns else ()


def _abstraction(record: CellRecord | None) -> tuple[str, str, str]:
    if record is None or record.outcome.predicates is None:
        return ("", "", "")
    outcome = record.outcome
    time = "" if outcome.interpolation is None else tables.seconds(outcome.interpolation)
    return (str(outcome.predicates), time, str(outcome.states))


def _name(question: BatchQuestion) -> str:
    return f"{question.collection}/{question.name}".lstrip("/")


def draw_engines(results: Results) -> tuple[Plot, ...]:
    """Draw quantiles of proofs and of alarms, and each configuration against another one."""
    verdicts = [r for r in results.records if r.cell.question.has_target]
    quantiles = []
    for value, title in ((False, "Proofs"), (True, "Alarms")):
        records = [r for r in verdicts if r.cell.question.expected is value]
        if records:
            part = arrange(records, [r.cell for r in records])
            name = f"quantile-{title.lower()}"
            quantiles.append(quantile_plot(part, name, f"{title} within a time"))
    return (*quantiles, *scatter_plots(results, _pairs(results.configurations)))


def draw_iterations(results: Results) -> Iterator[Plot]:
    """Draw how often configurations iterate, in pairs whose engines count the same."""
    for noun, group in grouped(results.configurations, lambda c: unit(c.engine)).items():
        if noun:
            yield from scatter_plots(results, _pairs(group), measure=iterations(noun))


def _pairs(configurations: Sequence[Configuration]) -> Iterator[tuple[str, str]]:
    """Yield each configuration with an earlier one: the first of its engine, or else of all."""
    for number, configuration in enumerate(configurations[1:], 1):
        earlier = configurations[:number]
        same = (c for c in earlier if c.engine == configuration.engine)
        yield configuration.name, next(same, earlier[0]).name


def _engine(configuration: Configuration) -> str:
    """Return the name of the engine; of another tool, the configuration's."""
    return configuration.engine or configuration.name


def _answers(record: CellRecord, value: bool) -> bool:
    """Return whether this is the verdict on one target."""
    return record.outcome.value is value and record.cell.question.has_target


def _timed_out(record: CellRecord) -> bool:
    """Return whether time ran out, also where a solver with all the remaining time gave up."""
    outcome, limit = record.outcome, record.cell.limits.seconds
    gave_up = outcome.status == "unknown" and (outcome.seconds or 0.0) >= limit
    return gave_up or outcome.status == "timeout"


_RARE = ("other verdicts", "wrong answers")
"""Rows that are left out where their counts are 0."""

_ROWS: dict[str, Callable[[CellRecord], bool]] = {
    "correct results": lambda r: r.correct,
    "  proofs": lambda r: r.correct and _answers(r, False),
    "  alarms": lambda r: r.correct and _answers(r, True),
    "wrong proofs": lambda r: r.wrong and _answers(r, False),
    "wrong alarms": lambda r: r.wrong and _answers(r, True),
    "wrong answers": lambda r: r.wrong and not r.cell.question.has_target,
    "other verdicts": lambda r: r.right and not r.correct,
    "timeouts": _timed_out,
    "out of memory": lambda r: r.outcome.status == "memory",
    "other inconclusive": lambda r: r.outcome.status in ("unknown", "error") and not _timed_out(r),
}
"""The paper's rows; rows of answers that are no verdicts on one target, and of questions whose
answer is not known."""
