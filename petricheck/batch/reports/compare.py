"""Two runs compared: which verdicts changed, what became faster or slower, and what differs else.

Cells are matched by their keys: set, question and name of the configuration. Only verdicts and
failures make a run worse: times are noisy, so they are told and not judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import exp, log
from statistics import fmean
from typing import TypeAlias

from petricheck.batch.cells import CellRecord, Key
from petricheck.batch.reports.layouts import Block, Listing, ReportTable
from petricheck.batch.reports.measures import grouped, spent
from petricheck.batch.reports.tables import machine, outcome_text, seconds
from petricheck.support.errors import QueryError
from petricheck.support.words import counted, natural_key

FLOOR = 0.1
"""Seconds; a shorter time counts as this one, and two of them are not compared."""

NOTABLE = 1.5
"""A cell that takes so many times as long, or as short, is told."""

SHOWN = 5
"""So many of the cells that became much faster are told, and as many that became slower."""

KINDS: Mapping[str, Callable[[CellRecord, CellRecord], object]] = {
    "wrong now": lambda before, after: after.wrong and not before.wrong,
    "contradicting": lambda b, a: b.right and a.right and b.outcome.value != a.outcome.value,
    "lost": lambda before, after: before.right and not after.right,
    "failing now": lambda before, after: after.outcome.error and not before.outcome.error,
    "wrong still": lambda _, after: after.wrong,
    "right now": lambda before, after: before.wrong and after.right,
    "wrong no longer": lambda before, _: before.wrong,
    "solved now": lambda before, after: after.right and not before.right,
    "failing no longer": lambda before, after: before.outcome.error and not after.outcome.error,
}
"""What may have come of a cell, the gravest first, and when it is so if nothing before is."""

MEANINGS: Mapping[str, str] = {
    "wrong now": "the verdict contradicts what is known, and did not before",
    "contradicting": "the two verdicts differ, and nobody knows the right one",
    "lost": "solved before, without a verdict now",
    "failing now": "an error, and was none before",
    "wrong still": "the verdict contradicts what is known, as before",
    "right now": "the verdict was wrong",
    "wrong no longer": "the verdict was wrong, now there is none",
    "solved now": "without a verdict before",
    "failing no longer": "an error before, undecided now",
}

WORSE = frozenset({"wrong now", "contradicting", "lost", "failing now"})

Pair: TypeAlias = tuple[CellRecord, CellRecord]
"""A cell in the first run and in the second."""

_KEY = ("set", "question", "configuration")
_QUESTIONS = 20
"""So many of the questions that are in one run alone are named."""


def compare(
    before: Iterable[CellRecord], after: Iterable[CellRecord], names: tuple[str, str]
) -> tuple[tuple[Block, ...], bool]:
    """Return the second run, seen from the first, both by their records and with their names.

    With it comes whether a verdict was lost or became doubtful, or a cell fails that did not.
    QueryError where no cell is in both.
    """
    first = {record.cell.key: record for record in before}
    second = {record.cell.key: record for record in after}
    pairs = [(first[key], second[key]) for key in sorted(first.keys() & second.keys(), key=_order)]
    if not pairs:
        raise QueryError(f"{names[0]} and {names[1]} have no cell in common{_why(first, second)}")
    changed = grouped(pairs, lambda pair: change(*pair))
    changes = {kind: changed[kind] for kind in KINDS if kind in changed}
    worse = not WORSE.isdisjoint(changes)
    kinds = ", ".join(f"{len(cells)} {kind}" for kind, cells in changes.items())
    blocks = (
        f"{names[0]} (before) and {names[1]} (after): {counted(len(pairs), 'cell')} in both.",
        f"{'Worse' if worse else 'Not worse'}: {kinds or 'no verdict changed'}.",
        *_differences(pairs, first.values(), second.values()),
        *_changes(changes),
        *_times(pairs),
        *_alone(names[0], first.keys() - second.keys()),
        *_alone(names[1], second.keys() - first.keys()),
    )
    return blocks, worse


_REMEDIES: Mapping[int, tuple[str, str]] = {
    0: (
        "folder",
        "the folder's name is part of a cell, with folders above it where a batch has two of one "
        "name; give both batches the same PATHs",
    ),
    2: ("configuration", "give the configurations the same name with --config"),
}
"""By the place in a cell's key what differs, and what to do."""


def _why(first: Iterable[Key], second: Iterable[Key]) -> str:
    """Return the part of the keys by which cells differ that are the same otherwise."""
    for number, (part, remedy) in _REMEDIES.items():
        before, after = (
            {key[:number] + key[number + 1 :]: key[number] for key in keys}
            for keys in (first, second)
        )
        if shared := before.keys() & after.keys():
            rest = min(shared)
            values = f"{before[rest]!r} in the one and {after[rest]!r} in the other"
            return f": {' '.join(rest)} has the {part} {values}; {remedy}"
    return "; they ask different questions"


def change(before: CellRecord, after: CellRecord) -> str | None:
    """Return the change of the cell, one of `KINDS`; None where nothing relevant changed."""
    return next((kind for kind, holds in KINDS.items() if holds(before, after)), None)


def _changes(changes: Mapping[str, Sequence[Pair]]) -> Iterator[Block]:
    if changes:
        rows = tuple(
            (kind, *after.cell.key, _reason(before), _reason(after))
            for kind, cells in changes.items()
            for before, after in cells
        )
        yield ReportTable("Changes", ("change", *_KEY, "before", "after"), rows, texts=6, groups=1)
        yield "\n".join(f"{kind}: {MEANINGS[kind]}." for kind in changes)


def _reason(record: CellRecord) -> str:
    text = outcome_text(record)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _times(pairs: Sequence[Pair]) -> Iterator[Block]:
    """Yield the times of each configuration on cells solved in both runs, and large changes."""
    of_each = grouped(pairs, lambda pair: pair[0].cell.configuration.name)
    heads = ("configuration", "solved in both", "before, s", "after, s", "compared", "ratio")
    rows = ((name, *_pace(of_each[name])) for name in sorted(of_each, key=natural_key))
    yield ReportTable("Times", heads, tuple(rows))
    yield (
        "CPU seconds of the cells solved in both. ratio: geometric mean of after by before,"
        f" over the cells that take {FLOOR:g} s or longer in a run; below 1 is faster."
    )
    ratios = [(r, n) for n, pair in enumerate(pairs) if (r := ratio(*pair)) is not None]
    slower = [(*pairs[n], r) for r, n in sorted(ratios, reverse=True)[:SHOWN] if r >= NOTABLE]
    faster = [(*pairs[n], r) for r, n in sorted(ratios)[:SHOWN] if r <= 1 / NOTABLE]
    for title, cells in (("Slowed down most", slower), ("Sped up most", faster)):
        if cells:
            heads = (*_KEY, "before, s", "after, s", "ratio")
            rows = ((*b.cell.key, _time(b), _time(a), f"{r:.2f}") for b, a, r in cells)
            yield ReportTable(title, heads, tuple(rows), texts=3)


def _pace(pairs: Sequence[Pair]) -> tuple[str, ...]:
    solved = [pair for pair in pairs if all(record.right for record in pair)]
    ratios = [r for pair in solved if (r := ratio(*pair)) is not None]
    before, after = (_time(*(pair[side] for pair in solved)) for side in (0, 1))
    mean = f"{exp(fmean(map(log, ratios))):.2f}" if ratios else ""
    return (str(len(solved)), before, after, str(len(ratios)), mean)


def _time(*records: CellRecord) -> str:
    return seconds(sum(spent(record) or 0.0 for record in records))


def ratio(before: CellRecord, after: CellRecord) -> float | None:
    """Return time after by time before; None unless both are solved and one takes long enough."""
    times = [spent(record) for record in (before, after) if record.right]
    measured = [time for time in times if time is not None]
    if len(measured) < 2 or max(measured) < FLOOR:
        return None
    return max(measured[1], FLOOR) / max(measured[0], FLOOR)


def _alone(name: str, keys: Iterable[Key]) -> Iterator[Listing]:
    """Yield the cells that are in one run alone, question by question."""
    ordered = sorted(keys, key=_order)
    questions = grouped(ordered, lambda key: f"{key[0]}/{key[1]}".lstrip("/"))
    points = [f"{name} ({', '.join(key[2] for key in of_it)})" for name, of_it in questions.items()]
    more = len(points) - _QUESTIONS
    points[_QUESTIONS:] = [f"and {more} more questions"] if more > 0 else []
    if points:
        yield Listing(f"Only in {name}: {counted(len(ordered), 'cell')}", tuple(points))


def _order(key: Key) -> tuple[object, ...]:
    return tuple(map(natural_key, key))


_DIFFERENT: Mapping[str, Callable[[CellRecord], object]] = {
    "the net is another": lambda record: record.net_sha256,
    "the question is another": lambda record: _words(record),
    "another verdict is expected": lambda record: record.cell.question.expected,
    "the configuration of that name is another": lambda r: r.cell.configuration.definition,
    "other limits": lambda record: record.cell.limits,
}
"""What ought to be the same of a cell in both runs."""


def _differences(
    pairs: Sequence[Pair], before: Iterable[CellRecord], after: Iterable[CellRecord]
) -> Iterator[Listing]:
    counts = {what: sum(of(b) != of(a) for b, a in pairs) for what, of in _DIFFERENT.items()}
    points = [f"{counted(n, 'cell')} of both: {what}" for what, n in counts.items() if n]
    first, second = _surroundings(before), _surroundings(after)
    for what in sorted(first.keys() | second.keys()):
        old, new = first.get(what, "none"), second.get(what, "none")
        points += [f"{what}: {old} before, {new} after"] if old != new else []
    if points:
        yield Listing("The runs differ in more than their results", tuple(points))


def _words(record: CellRecord) -> tuple[str, ...]:
    question = record.cell.question
    properties = question.properties.name if question.properties else ""
    return question.kind, question.text, question.initial, properties


def _surroundings(records: Iterable[CellRecord]) -> Mapping[str, str]:
    """Return the machines and versions, each as a text that lists them."""
    values: dict[str, set[str]] = {}
    for host in {r.outcome.host for r in records if r.outcome.host is not None}:
        for what, text in (("machine", machine(host)), *host.versions):
            values.setdefault(what, set()).add(text)
    return {what: " and ".join(sorted(texts)) for what, texts in values.items()}
