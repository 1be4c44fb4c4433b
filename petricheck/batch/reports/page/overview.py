"""What a page shows of all cells: how each configuration did, the cells, and where they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from petricheck.batch.cells import STATES, Host, Limits, Record
from petricheck.batch.configurations import Configuration
from petricheck.batch.reports.scores import Score, score
from petricheck.page.facts import Fact
from petricheck.words import counted, printable

COLUMNS = {
    "Question": "question",
    "Collection": "collection",
    "Net": "net",
    "Configuration": "configuration",
    "Expected": "expected",
    "Outcome": "outcome",
    "Engine": "engine",
    "Iterations": "iterations",
    "States": "states",
    "Wall s": "seconds",
    "CPU s": "cpu",
    "MiB": "memory",
}
"""Columns of the table of cells, with the classes of their entries."""

NUMBERS = 7
"""So many of them are texts; the others are numbers."""

MARKS = dict.fromkeys(STATES, "–") | {"correct": "✓", "solved": "✓", "wrong": "✗", "error": "!"}
"""Of cells by state, seen without colours."""


@dataclass(frozen=True, slots=True)
class Line:
    """How a configuration did.

    Attributes:
        configuration: the configuration.
        score: of its cells.
        seconds: CPU time of the cells together, as far as it was taken.
    """

    configuration: Configuration
    score: Score
    seconds: float


@dataclass(frozen=True, slots=True)
class Row:
    """What is shown of a cell.

    Attributes:
        number: of the cell.
        record: what is known of it.
        net: number of its net.
        entries: a text for each of `COLUMNS`.
    """

    number: int
    record: Record
    net: int
    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the configurations made of a question.

    Attributes:
        collection: that it is from.
        question: its name.
        difference: "contradict" where verdicts do, "differ" where other outcomes do; else empty.
        rows: by configuration; None where there is no cell.
    """

    collection: str
    question: str
    difference: str
    rows: tuple[Row | None, ...]


def lines(records: Sequence[Record]) -> tuple[Line, ...]:
    """A line for each configuration, in the order of their first cells."""
    groups: dict[str, list[Record]] = {}
    for record in records:
        groups.setdefault(record.cell.configuration.name, []).append(record)
    return tuple(
        Line(
            group[0].cell.configuration,
            score(group),
            sum(r.outcome.cpu_seconds or 0 for r in group),
        )
        for group in groups.values()
    )


def rows(records: Sequence[Record], nets: Mapping[str, int]) -> tuple[Row, ...]:
    """A row for each record, in their order; `nets` are numbers by hash."""
    return tuple(_row(n, record, nets[record.net_sha256]) for n, record in enumerate(records))


def comparisons(rows: Sequence[Row]) -> tuple[Comparison, ...]:
    """One for each question, in the order of their first cells."""
    columns = dict.fromkeys(row.record.cell.configuration.name for row in rows)
    questions: dict[tuple[str, str], dict[str, Row]] = {}
    for row in rows:
        collection, name, configuration = row.record.cell.key
        questions.setdefault((collection, name), {})[configuration] = row
    return tuple(
        Comparison(
            printable(collection),
            printable(name),
            _difference(of_it.values()),
            tuple(of_it.get(column) for column in columns),
        )
        for (collection, name), of_it in questions.items()
    )


def circumstances(records: Sequence[Record]) -> Iterator[Fact]:
    """A line for all limits, for each machine, and for what is installed there."""
    if not records:
        return
    limits = Counter(record.cell.limits for record in records)
    texts = (f"{limits_text(limit)}{_share(n, limits)}" for limit, n in limits.items())
    yield Fact("Limits", "; ".join(texts))
    hosts = Counter(record.outcome.host for record in records)
    for host, number in hosts.items():
        if host is None:
            yield Fact("Machine", "not recorded", counted(number, "cell"))
        else:
            versions = ", ".join(" ".join(version) for version in host.versions)
            yield Fact("Machine", f"{machine_text(host)}{_share(number, hosts)}", versions)


def limits_text(limits: Limits) -> str:
    """The limits of a cell."""
    parts = [f"{limits.seconds:g} s"]
    parts += [] if limits.cpu_seconds is None else [f"{limits.cpu_seconds:g} s of CPU"]
    parts += [] if limits.memory is None else [f"{limits.memory} MiB"]
    return ", ".join(parts)


def machine_text(host: Host) -> str:
    """Where a cell was decided."""
    memory = f"{host.memory / 2**30:.1f} GiB"
    return f"{host.name}, {host.system}, {counted(host.cores, 'core')}, {memory}"


def _share(number: int, counts: Counter[Limits] | Counter[Host | None]) -> str:
    """How many cells are meant, where that is not all of them."""
    return "" if len(counts) == 1 else f" ({counted(number, 'cell')})"


def _line(records: Sequence[Record]) -> Line:
    seconds = sum(record.outcome.cpu_seconds or 0.0 for record in records)
    return Line(records[0].cell.configuration, score(records), seconds)


def _difference(rows: Iterable[Row]) -> str:
    outcomes = [row.record.outcome for row in rows]
    if len({outcome.value for outcome in outcomes} - {None}) > 1:
        return "contradict"
    return "differ" if len({outcome.headline for outcome in outcomes}) > 1 else ""


def _row(number: int, record: Record, net: int) -> Row:
    question, outcome = record.cell.question, record.outcome
    entries = (
        question.name,
        question.collection,
        record.net,
        record.cell.configuration.name,
        "" if question.expected is None else question.expected_text,
        outcome.headline,
        outcome.engine,
        _number(outcome.iterations),
        _number(outcome.states),
        _number(outcome.seconds, ".3f"),
        _number(outcome.cpu_seconds, ".3f"),
        _number(outcome.memory and outcome.memory / 2**20, ".0f"),
    )
    return Row(number, record, net, tuple(map(printable, entries)))


def _number(value: float | None, form: str = "") -> str:
    return "" if value is None else format(value, form)
