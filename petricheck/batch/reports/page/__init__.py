"""A batch as one HTML page: summary, plots, a table of all cells, their evidence, and the nets.

All of it is plain HTML; what is told of a cell when it is opened stands in templates, which its
script copies. Plots are images within the page, so that nothing in them can reach out of them.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from petricheck.batch.cells import STATES, Record
from petricheck.batch.configurations import Configuration
from petricheck.batch.reports.measures import grouped
from petricheck.batch.reports.page.details import (
    answer_facts,
    draw_nets,
    expected_answer,
    explain_evidence,
    net_sizes,
    read_nets,
    run_facts,
)
from petricheck.batch.reports.plots import Plot
from petricheck.batch.reports.tables import limits_text, machine
from petricheck.budget import MEBIBYTE
from petricheck.page.document import Fact, document, printed
from petricheck.problem import Net
from petricheck.words import counted, printable

MARKS = dict.fromkeys(STATES, "–") | {"correct": "✓", "solved": "✓", "wrong": "✗", "error": "!"}
"""Of cells by state, seen without colours."""


def render_page(
    title: str, records: Sequence[Record], plots: Sequence[Plot], files: Path = Path()
) -> str:
    """The page; the records' nets and evidence are read from a folder.

    A file that is missing or refused costs what it would have told, and is told itself.
    """
    nets = read_nets(records, files)
    evidence = explain_evidence(records, nets, files)
    net_numbers = {sha256: number for number, sha256 in enumerate(nets)}
    numbers = {name: number for number, name in enumerate(evidence)}
    details = []
    for record in records:
        sha256, (_, target) = record.net_sha256, evidence[record.evidence]
        facts = answer_facts(record, net_numbers[sha256], nets[sha256], target)
        own = (net_numbers[sha256], numbers[record.evidence])
        details.append((*own, printed(facts), printed(run_facts(record))))
    values = {
        "title": title,
        "records": records,
        "finished": sorted(record.finished for record in records),
        "states": STATES,
        "marks": MARKS,
        "columns": COLUMNS,
        "texts": TEXTS,
        "printable": printable,
        "counted": counted,
        "summary": list(_summary(records)),
        "circumstances": printed(circumstances(records)),
        "pictures": [(plot, b64encode(plot.svg.encode()).decode()) for plot in plots],
        "matrix": _matrix(records),
        "details": details,
        "evidence": [Markup(text) for text, _ in evidence.values()],
        "nets": list(_nets(records, nets)),
    }
    return document(__name__, "batch", values)


def _summary(
    records: Sequence[Record],
) -> Iterator[tuple[Configuration, Sequence[Record], Mapping[str, int]]]:
    """The records of each configuration, and how many there are of each state."""
    for own in grouped(records, lambda record: record.cell.configuration.name).values():
        yield own[0].cell.configuration, own, Counter(record.state for record in own)


def _matrix(records: Sequence[Record]) -> list[tuple[str, str, str, Mapping[str, int]]]:
    """Of each question its collection, its name, how outcomes differ, cells by configuration."""
    questions = grouped(enumerate(records), lambda cell: cell[1].cell.key[:2])
    return [
        (
            printable(collection),
            printable(name),
            _difference([record for _, record in cells]),
            {record.cell.configuration.name: number for number, record in cells},
        )
        for (collection, name), cells in questions.items()
    ]


def _nets(
    records: Sequence[Record], nets: Mapping[str, Net | str]
) -> Iterator[tuple[str, str, str, int, Markup]]:
    """Of each net its hash, the names of its file, its sizes, how many cells ask, a picture."""
    pictures = draw_nets(nets.values())
    for sha256, own in grouped(records, lambda record: record.net_sha256).items():
        names = ", ".join(dict.fromkeys(printable(record.net) for record in own))
        yield sha256, names, net_sizes(nets[sha256]), len(own), next(pictures)


def _difference(records: Iterable[Record]) -> str:
    """Whether verdicts contradict each other, or else outcomes differ; a class of the style."""
    outcomes = [record.outcome for record in records]
    if len({outcome.value for outcome in outcomes} - {None}) > 1:
        return "contradict"
    return "differ" if len({outcome.headline for outcome in outcomes}) > 1 else ""


def circumstances(records: Sequence[Record]) -> Iterator[Fact]:
    """A line for all limits, for each machine, and for what is installed there."""
    limits = Counter(record.cell.limits for record in records)
    texts = [f"{limits_text(limit)}{_share(n, limits)}" for limit, n in limits.items()]
    if texts:
        yield Fact("Limits", "; ".join(texts))
    hosts = Counter(record.outcome.host for record in records)
    for host, number in hosts.items():
        if host is None:
            yield Fact("Machine", "not recorded", counted(number, "cell"))
        else:
            versions = ", ".join(map(" ".join, host.versions))
            yield Fact("Machine", f"{machine(host)}{_share(number, hosts)}", versions)


def _share(number: int, counts: Mapping[Any, int]) -> str:
    """How many cells are meant, where that is not all of them."""
    return "" if len(counts) == 1 else f" ({counted(number, 'cell')})"


def _number(value: float | None, form: str = "") -> str:
    return "" if value is None else format(value, form)


COLUMNS: Mapping[str, tuple[str, Callable[[Record], str]]] = {
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
    "MiB": ("memory", lambda r: _number(r.outcome.memory and r.outcome.memory / MEBIBYTE, ".0f")),
}
"""Columns of the table of cells: the class of their entries, and what stands there of a cell."""

TEXTS = 7
"""So many of them are texts; the others are numbers."""
