"""What a page shows of all cells: how each configuration did, the cells, and where they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from petricheck.batch.cells import STATES, Host, Limits, Record
from petricheck.batch.configurations import Configuration
from petricheck.batch.questions.index import Question
from petricheck.batch.reports.results import grouped
from petricheck.batch.reports.scores import Score, score
from petricheck.page.facts import Fact
from petricheck.words import counted, printable

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
    groups = grouped(records, lambda record: record.cell.configuration.name).values()
    return tuple(
        Line(own[0].cell.configuration, score(own), sum(r.outcome.cpu_seconds or 0.0 for r in own))
        for own in groups
    )


def rows(records: Sequence[Record], nets: Mapping[str, int]) -> tuple[Row, ...]:
    """A row for each record, in their order; `nets` are numbers by hash."""
    return tuple(
        Row(
            number,
            record,
            nets[record.net_sha256],
            tuple(printable(entry(record)) for _, entry in COLUMNS.values()),
        )
        for number, record in enumerate(records)
    )


def comparisons(rows: Sequence[Row]) -> tuple[Comparison, ...]:
    """One for each question, in the order of their first cells."""
    columns = dict.fromkeys(row.record.cell.configuration.name for row in rows)
    questions = grouped(rows, lambda row: row.record.cell.key[:2])
    return tuple(
        Comparison(
            printable(collection),
            printable(name),
            _difference(of_it),
            tuple(map({row.record.cell.key[2]: row for row in of_it}.get, columns)),
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


def expected_answer(question: Question) -> str:
    """The answer that is known; empty where none is."""
    return "" if question.expected is None else question.expected_text


def machine_text(host: Host) -> str:
    """Where a cell was decided."""
    memory = f"{host.memory / 2**30:.1f} GiB"
    return f"{host.name}, {host.system}, {counted(host.cores, 'core')}, {memory}"


def _share(number: int, counts: Counter[Limits] | Counter[Host | None]) -> str:
    """How many cells are meant, where that is not all of them."""
    return "" if len(counts) == 1 else f" ({counted(number, 'cell')})"


def _difference(rows: Iterable[Row]) -> str:
    outcomes = [row.record.outcome for row in rows]
    if len({outcome.value for outcome in outcomes} - {None}) > 1:
        return "contradict"
    return "differ" if len({outcome.headline for outcome in outcomes}) > 1 else ""


def _number(value: float | None, form: str = "") -> str:
    return "" if value is None else format(value, form)


COLUMNS: dict[str, tuple[str, Callable[[Record], str]]] = {
    "Question": ("question", lambda r: r.cell.question.name),
    "Collection": ("collection", lambda r: r.cell.question.collection),
    "Net": ("net", lambda r: r.net),
    "Configuration": ("configuration", lambda r: r.cell.configuration.name),
    "Expected": ("expected", lambda r: expected_answer(r.cell.question)),
    "Outcome": ("outcome", lambda r: r.outcome.headline),
    "Engine": ("engine", lambda r: r.outcome.engine),
    "Iterations": ("iterations", lambda r: _number(r.outcome.iterations)),
    "States": ("states", lambda r: _number(r.outcome.states)),
    "Wall s": ("seconds", lambda r: _number(r.outcome.seconds, ".3f")),
    "CPU s": ("cpu", lambda r: _number(r.outcome.cpu_seconds, ".3f")),
    "MiB": ("memory", lambda r: _number(r.outcome.memory and r.outcome.memory / 2**20, ".0f")),
}
"""Columns of the table of cells: the class of their entries, and what stands there of a cell."""

NUMBERS = 7
"""So many of them are texts; the others are numbers."""
