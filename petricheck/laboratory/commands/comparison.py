"""Engines side by side, in the shape of Table 2 of Beyer, Lee and Wendler (2022).

Made from the records of a batch alone, one column a configuration. A *proof* is the verdict
unreachable, an *alarm* the verdict reachable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from petricheck.batch.cells import Record
from petricheck.batch.configurations import Configuration
from petricheck.batch.reports import tables
from petricheck.batch.reports.layouts import Block, Listing, Strong, Table
from petricheck.batch.reports.measures import Results, arrange, spent
from petricheck.batch.reports.plots import Plot, quantile_plot, scatter_plots
from petricheck.laboratory.commands.table2 import questions
from petricheck.words import counted

MEANING = (
    "proof: the verdict unreachable. alarm: reachable. correct: the verdict is the expected one."
    " other verdicts: nobody knows the right one.\n"
    "timeouts, out of memory: a limit was hit, also where a solver noticed it."
    " other inconclusive: gave up before, or failed."
    " seconds: CPU seconds of the correct results."
)
"""What the rows of `verdicts` mean, for people."""


def comparison(results: Results) -> tuple[Block, ...]:
    """Return tables of what was decided and by whom alone, and each question with its times."""
    return (
        *tables.unfinished(results),
        verdicts(results),
        MEANING,
        *alone(results),
        *questions(results),
        tables.legend(results),
        *tables.oddities(results),
    )


def verdicts(results: Results) -> Table:
    """The rows of the paper's table; each cell of a configuration is counted in one of them."""
    columns = [results.of(configuration) for configuration in results.configurations]
    rows = []
    for title, holds in _ROWS.items():
        counts = [sum(map(holds, records)) for records in columns]
        if any(counts) or title not in _RARE:
            wrong = title.startswith("wrong")
            shown = (Strong(count) if count and wrong else str(count) for count in counts)
            rows.append((title, *shown))
    times = (sum(spent(r) or 0.0 for r in records if r.correct) for records in columns)
    title = f"Results of {counted(len(results.questions), 'question')}"
    seconds = ("seconds", *map(tables.seconds, times))
    heads = ("", *(configuration.name for configuration in results.configurations))
    return Table(title, heads, (*rows, seconds))


def alone(results: Results) -> tuple[Listing, ...]:
    """List what only one engine decides, under any of its options; needs two engines."""
    decided: dict[str, list[str]] = {_engine(column): [] for column in results.configurations}
    if len(decided) < 2:
        return ()
    for question in results.questions:
        cells = (results.cell(question, column) for column in results.configurations)
        by = {_engine(r.cell.configuration) for r in cells if r is not None and r.right}
        if len(by) == 1:
            decided[by.pop()].append(f"{question.collection}/{question.name}".lstrip("/"))
    points = (f"{engine}: {', '.join(names) or 'nothing'}" for engine, names in decided.items())
    return (Listing("Decided by one engine alone, under whatever options", tuple(points)),)


def draw_engines(results: Results) -> tuple[Plot, ...]:
    """Quantiles of proofs and of alarms, and each configuration beside another one.

    That is the first one of its engine, or else the first of all.
    """
    verdicts = [r for r in results.records if r.cell.question.has_target]
    quantiles = []
    for value, title in ((False, "Proofs"), (True, "Alarms")):
        of_it = [r for r in verdicts if r.cell.question.expected is value]
        if of_it:
            configurations_of_it = arrange(of_it, [r.cell for r in of_it])
            name = f"quantile-{title.lower()}"
            quantiles.append(quantile_plot(configurations_of_it, name, f"{title} within a time"))
    return (*quantiles, *scatter_plots(results, _beside(results.configurations)))


def _beside(configurations: tuple[Configuration, ...]) -> Iterator[tuple[str, str]]:
    for number, configuration in enumerate(configurations[1:], 1):
        before = configurations[:number]
        same = (c for c in before if c.engine == configuration.engine)
        yield next(same, before[0]).name, configuration.name


def _engine(configuration: Configuration) -> str:
    """The name of the engine; of another tool, the configuration's."""
    return configuration.engine or configuration.name


def _answers(record: Record, value: bool) -> bool:
    """Whether this is the verdict on one target."""
    return record.outcome.value is value and record.cell.question.has_target


def _late(record: Record) -> bool:
    """Whether time ran out: a solver that was given all that was left says it gave up."""
    outcome, limit = record.outcome, record.cell.limits.seconds
    gave_up = outcome.status == "unknown" and (outcome.seconds or 0.0) >= limit
    return gave_up or outcome.status == "timeout"


_RARE = ("other verdicts", "wrong answers")
"""Rows that are left out where nothing is counted in them."""

_ROWS: dict[str, Callable[[Record], bool]] = {
    "correct results": lambda r: r.correct,
    "  proofs": lambda r: r.correct and _answers(r, False),
    "  alarms": lambda r: r.correct and _answers(r, True),
    "wrong proofs": lambda r: r.wrong and _answers(r, False),
    "wrong alarms": lambda r: r.wrong and _answers(r, True),
    "wrong answers": lambda r: r.wrong and not r.cell.question.has_target,
    "other verdicts": lambda r: r.right and not r.correct,
    "timeouts": _late,
    "out of memory": lambda r: r.outcome.status == "memory",
    "other inconclusive": lambda r: r.outcome.status in ("unknown", "error") and not _late(r),
}
"""The paper's rows, and those for answers that are no verdicts on one target, and for questions
whose answer nobody knows."""
