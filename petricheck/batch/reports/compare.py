"""Two runs compared: which verdicts changed, what became faster or slower, and what differs else.

Cells are matched by their keys: set, question and name of the configuration. Only verdicts and
failures make a run worse: times are noisy, so they are told and not judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from statistics import fmean
from typing import Literal, TypeAlias

from petricheck.batch.cells import Key, Record
from petricheck.batch.reports.differences import cells, differences
from petricheck.batch.reports.layouts import Block, Column, Listing, Prose, Style, Table
from petricheck.batch.reports.layouts import render as lay_out
from petricheck.batch.reports.results import natural
from petricheck.batch.reports.scores import spent
from petricheck.batch.reports.tables import seconds, told

FLOOR = 0.1
"""Seconds; a shorter time counts as this one, and two of them are not compared."""

NOTABLE = 1.5
"""A cell that takes so many times as long, or as short, is told."""

SHOWN = 5
"""So many of the cells that became much faster are told, and as many that became slower."""

Kind: TypeAlias = Literal[
    "wrong now", "contradicting", "lost", "failing now", "wrong still",
    "right now", "wrong no longer", "solved now", "failing no longer",
]  # fmt: skip
"""What may have come of a cell; the gravest first."""

KINDS: Mapping[Kind, str] = {
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
WORSE: frozenset[Kind] = frozenset({"wrong now", "contradicting", "lost", "failing now"})


@dataclass(frozen=True, slots=True)
class Change:
    """What came of a cell."""

    kind: Kind
    before: Record
    after: Record


@dataclass(frozen=True, slots=True)
class Pace:
    """The times of a configuration over the cells that it solves in both runs.

    Attributes:
        configuration: its name.
        solved: how many those are.
        compared: how many of them take `FLOOR` seconds or longer in a run.
        before: CPU seconds of all of them together.
        after: the same in the second run.
        ratio: geometric mean of time after by time before, over the compared cells, where a time
            below `FLOOR` counts as that; below 1 is faster. None where there are none.
    """

    configuration: str
    solved: int
    compared: int
    before: float
    after: float
    ratio: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs.

    Attributes:
        common: how many cells there are in both.
        changes: the gravest first.
        paces: one for each configuration in both.
        slower: pairs (before, after) of the cells that slowed down most, with `NOTABLE` or more.
        faster: the same of those that sped up.
        only_before: cells that are in the first run alone.
        only_after: in the second alone.
        warnings: what else differs, so that the runs compare badly.
    """

    common: int
    changes: tuple[Change, ...]
    paces: tuple[Pace, ...]
    slower: tuple[tuple[Record, Record], ...]
    faster: tuple[tuple[Record, Record], ...]
    only_before: tuple[Key, ...]
    only_after: tuple[Key, ...]
    warnings: tuple[str, ...]

    @property
    def worse(self) -> bool:
        """Whether a verdict was lost or became doubtful, or a cell fails that did not."""
        return any(change.kind in WORSE for change in self.changes)


def compare(before: Iterable[Record], after: Iterable[Record]) -> Comparison:
    """The second run, seen from the first."""
    first = {record.cell.key: record for record in before}
    second = {record.cell.key: record for record in after}
    keys = sorted(first.keys() & second.keys(), key=_order)
    pairs = [(first[key], second[key]) for key in keys]
    changes = [
        Change(kind, one, other) for one, other in pairs if (kind := change(one, other)) is not None
    ]
    gravest = list(KINDS)
    ratios = sorted(
        ((r, n) for n, pair in enumerate(pairs) if (r := _ratio(*pair)) is not None), reverse=True
    )
    slower = [pairs[n] for ratio, n in ratios[:SHOWN] if ratio >= NOTABLE]
    faster = [pairs[n] for ratio, n in ratios[::-1][:SHOWN] if ratio <= 1 / NOTABLE]
    return Comparison(
        len(pairs),
        tuple(sorted(changes, key=lambda found: gravest.index(found.kind))),
        _paces(pairs),
        tuple(slower),
        tuple(faster),
        tuple(sorted(first.keys() - second.keys(), key=_order)),
        tuple(sorted(second.keys() - first.keys(), key=_order)),
        differences(pairs, first.values(), second.values()),
    )


def change(before: Record, after: Record) -> Kind | None:
    """What came of the cell; None where nothing did that matters."""
    values = {record.outcome.value for record in (before, after)} - {None}
    failed, fails = (record.outcome.status == "error" for record in (before, after))
    if after.wrong:
        return "wrong still" if before.wrong else "wrong now"
    if before.wrong:
        return "right now" if after.right else "failing now" if fails else "wrong no longer"
    if len(values) > 1:
        return "contradicting"
    match before.right, after.right:
        case True, False:
            return "lost"
        case False, True:
            return "solved now"
        case False, False if failed != fails:
            return "failing now" if fails else "failing no longer"
    return None


def render(comparison: Comparison, style: Style, names: tuple[str, str]) -> str:
    """The comparison; the runs are called by their names."""
    return lay_out(_blocks(comparison, names), style)


def _blocks(found: Comparison, names: tuple[str, str]) -> Iterable[Block]:
    counts = Counter(change.kind for change in found.changes)
    told_counts = [f"{counts[kind]} {kind}" for kind in KINDS if counts[kind]]
    changed = ", ".join(told_counts) or "no verdict changed"
    yield Prose(f"{names[0]} (before) and {names[1]} (after): {cells(found.common)} in both.")
    yield Prose(f"{'Worse' if found.worse else 'Not worse'}: {changed}.")
    if found.warnings:
        yield Listing("The runs differ in more than their results", found.warnings)
    if found.changes:
        yield _changes(found.changes)
        meanings = (f"{kind}: {KINDS[kind]}." for kind in KINDS if counts[kind])
        yield Prose("\n".join(meanings))
    if found.paces:
        yield _pace_table(found.paces)
        yield Prose(
            f"CPU seconds of the cells solved in both. ratio: geometric mean of after by before,"
            f" over the cells that take {FLOOR:g} s or longer in a run; below 1 is faster."
        )
    for title, pairs in (("Slowed down most", found.slower), ("Sped up most", found.faster)):
        if pairs:
            yield _pairs(title, pairs)
    for title, keys in ((names[0], found.only_before), (names[1], found.only_after)):
        if keys:
            yield Listing(f"Only in {title}: {cells(len(keys))}", _few(keys))


def _changes(changes: Sequence[Change]) -> Table:
    heads = ("change", "set", "question", "configuration", "before", "after")
    rows = tuple((c.kind, *c.after.cell.key, _told(c.before), _told(c.after)) for c in changes)
    return Table("Changes", tuple(Column(h, align="left") for h in heads), rows, groups=1)


def _told(record: Record) -> str:
    said = " ".join(told(record).split())
    return said if len(said) <= 60 else f"{said[:59]}…"


def _pace_table(paces: Sequence[Pace]) -> Table:
    heads = ("solved in both", "before, s", "after, s", "compared", "ratio")
    columns = (Column("configuration", align="left"), *(Column(head) for head in heads))
    rows = (
        (
            pace.configuration, str(pace.solved), seconds(pace.before), seconds(pace.after),
            str(pace.compared), "" if pace.ratio is None else f"{pace.ratio:.2f}",
        )
        for pace in paces
    )  # fmt: skip
    return Table("Times", columns, tuple(rows))


def _pairs(title: str, pairs: Sequence[tuple[Record, Record]]) -> Table:
    names = (Column(head, align="left") for head in ("set", "question", "configuration"))
    rows = (
        (*one.cell.key, seconds(spent(one) or 0.0), seconds(spent(other) or 0.0),
         f"{_ratio(one, other) or 1.0:.2f}")
        for one, other in pairs
    )  # fmt: skip
    return Table(title, (*names, *map(Column, ("before, s", "after, s", "ratio"))), tuple(rows))


def _few(keys: Sequence[Key]) -> tuple[str, ...]:
    """The cells question by question; the first of them, and how many more there are."""
    configurations: dict[str, list[str]] = {}
    for collection, question, configuration in keys:
        name = f"{collection}/{question}" if collection else question
        configurations.setdefault(name, []).append(configuration)
    points = [f"{name} ({', '.join(columns)})" for name, columns in configurations.items()]
    more = [f"and {len(points) - 20} more questions"] if len(points) > 20 else []
    return (*points[:20], *more)


def _paces(pairs: Sequence[tuple[Record, Record]]) -> tuple[Pace, ...]:
    names = dict.fromkeys(one.cell.configuration.name for one, _ in pairs)
    return tuple(
        _pace(name, [pair for pair in pairs if pair[0].cell.configuration.name == name])
        for name in sorted(names, key=natural)
    )


def _pace(name: str, pairs: Sequence[tuple[Record, Record]]) -> Pace:
    solved = [(one, other) for one, other in pairs if one.right and other.right]
    ratios = [ratio for pair in solved if (ratio := _ratio(*pair)) is not None]
    before, after = (sum(spent(r) or 0.0 for r in side) for side in zip(*solved, strict=True)) \
        if solved else (0.0, 0.0)  # fmt: skip
    mean = exp(fmean(map(log, ratios))) if ratios else None
    return Pace(name, len(solved), len(ratios), before, after, mean)


def _ratio(before: Record, after: Record) -> float | None:
    """Time after by time before; None unless both are solved and one takes long enough to tell."""
    times = [spent(record) for record in (before, after) if record.right]
    known = [time for time in times if time is not None]
    if len(known) < 2 or max(known) < FLOOR:
        return None
    return max(known[1], FLOOR) / max(known[0], FLOOR)


def _order(key: Key) -> tuple[object, ...]:
    return tuple(map(natural, key))
