"""Two runs compared: which verdicts changed, what became faster or slower, and what differs else.

Cells are matched by their keys: set, question and name of the configuration. Only verdicts and
failures make a run worse: times are noisy, so they are told and not judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from statistics import fmean

from petricheck.batch.cells import Key, Record
from petricheck.batch.reports.layouts import Block, Listing, Prose, Style, Table, columns
from petricheck.batch.reports.layouts import render as lay_out
from petricheck.batch.reports.results import grouped
from petricheck.batch.reports.scores import spent
from petricheck.batch.reports.tables import outcome_text, seconds
from petricheck.words import counted, natural_key

FLOOR = 0.1
"""Seconds; a shorter time counts as this one, and two of them are not compared."""

NOTABLE = 1.5
"""A cell that takes so many times as long, or as short, is told."""

SHOWN = 5
"""So many of the cells that became much faster are told, and as many that became slower."""

KINDS: Mapping[str, str] = {
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
"""What may have come of a cell, and what that means; the gravest first."""

WORSE = frozenset({"wrong now", "contradicting", "lost", "failing now"})


_KEY = ("set", "question", "configuration")
_TIMES = ("before, s", "after, s", "ratio")


@dataclass(frozen=True, slots=True)
class Change:
    """What came of a cell, one of `KINDS`."""

    kind: str
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
    pairs = [(first[key], second[key]) for key in sorted(first.keys() & second.keys(), key=_order)]
    changes = [Change(kind, *pair) for pair in pairs if (kind := change(*pair)) is not None]
    gravest = list(KINDS)
    ratios = sorted(
        ((r, n) for n, pair in enumerate(pairs) if (r := _ratio(*pair)) is not None), reverse=True
    )
    return Comparison(
        len(pairs),
        tuple(sorted(changes, key=lambda change: gravest.index(change.kind))),
        tuple(_paces(pairs)),
        tuple(pairs[n] for ratio, n in ratios[:SHOWN] if ratio >= NOTABLE),
        tuple(pairs[n] for ratio, n in ratios[::-1][:SHOWN] if ratio <= 1 / NOTABLE),
        tuple(sorted(first.keys() - second.keys(), key=_order)),
        tuple(sorted(second.keys() - first.keys(), key=_order)),
        tuple(_differences(pairs, first.values(), second.values())),
    )


def change(before: Record, after: Record) -> str | None:
    """What came of the cell, one of `KINDS`; None where nothing did that matters."""
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


def _blocks(runs: Comparison, names: tuple[str, str]) -> Iterable[Block]:
    counts = Counter(change.kind for change in runs.changes)
    changed = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if counts[kind])
    common = counted(runs.common, "cell")
    yield Prose(f"{names[0]} (before) and {names[1]} (after): {common} in both.")
    yield Prose(f"{'Worse' if runs.worse else 'Not worse'}: {changed or 'no verdict changed'}.")
    if runs.warnings:
        yield Listing("The runs differ in more than their results", runs.warnings)
    if runs.changes:
        heads = columns(["change", *_KEY, "before", "after"])
        rows = ((c.kind, *c.after.cell.key, _cut(c.before), _cut(c.after)) for c in runs.changes)
        yield Table("Changes", heads, tuple(rows), groups=1)
        yield Prose("\n".join(f"{kind}: {KINDS[kind]}." for kind in KINDS if counts[kind]))
    if runs.paces:
        numbers = ("solved in both", "before, s", "after, s", "compared", "ratio")
        heads = columns(["configuration"], numbers)
        yield Table("Times", heads, tuple(map(_pace_row, runs.paces)))
        yield Prose(
            f"CPU seconds of the cells solved in both. ratio: geometric mean of after by before,"
            f" over the cells that take {FLOOR:g} s or longer in a run; below 1 is faster."
        )
    for title, pairs in (("Slowed down most", runs.slower), ("Sped up most", runs.faster)):
        if pairs:
            yield Table(title, columns(_KEY, _TIMES), tuple(_pair_row(*pair) for pair in pairs))
    for name, keys in ((names[0], runs.only_before), (names[1], runs.only_after)):
        if keys:
            yield Listing(f"Only in {name}: {counted(len(keys), 'cell')}", _few(keys))


def _cut(record: Record) -> str:
    said = outcome_text(record)
    return said if len(said) <= 60 else f"{said[:59]}…"


def _pace_row(pace: Pace) -> tuple[str, ...]:
    times = seconds(pace.before), seconds(pace.after)
    ratio = "" if pace.ratio is None else f"{pace.ratio:.2f}"
    return (pace.configuration, str(pace.solved), *times, str(pace.compared), ratio)


def _pair_row(one: Record, other: Record) -> tuple[str, ...]:
    times = seconds(spent(one) or 0.0), seconds(spent(other) or 0.0)
    return (*one.cell.key, *times, f"{_ratio(one, other) or 1.0:.2f}")


def _few(keys: Sequence[Key]) -> tuple[str, ...]:
    """The cells question by question; the first of them, and how many more there are."""
    questions = grouped(keys, lambda key: f"{key[0]}/{key[1]}".lstrip("/"))
    points = [f"{name} ({', '.join(key[2] for key in of_it)})" for name, of_it in questions.items()]
    more = [f"and {len(points) - 20} more questions"] if len(points) > 20 else []
    return (*points[:20], *more)


def _paces(pairs: Sequence[tuple[Record, Record]]) -> Iterator[Pace]:
    of_each = grouped(pairs, lambda pair: pair[0].cell.configuration.name)
    for name in sorted(of_each, key=natural_key):
        solved = [(one, other) for one, other in of_each[name] if one.right and other.right]
        ratios = [ratio for pair in solved if (ratio := _ratio(*pair)) is not None]
        before, after = (sum(spent(pair[side]) or 0.0 for pair in solved) for side in (0, 1))
        mean = exp(fmean(map(log, ratios))) if ratios else None
        yield Pace(name, len(solved), len(ratios), before, after, mean)


def _ratio(before: Record, after: Record) -> float | None:
    """Time after by time before; None unless both are solved and one takes long enough to tell."""
    times = [spent(record) for record in (before, after) if record.right]
    known = [time for time in times if time is not None]
    if len(known) < 2 or max(known) < FLOOR:
        return None
    return max(known[1], FLOOR) / max(known[0], FLOOR)


def _order(key: Key) -> tuple[object, ...]:
    return tuple(map(natural_key, key))


_DIFFERENT: Mapping[str, Callable[[Record], object]] = {
    "the net is another": lambda record: record.net_sha256,
    "the question is another": lambda record: _asked(record),
    "another verdict is expected": lambda record: record.cell.question.expected,
    "the configuration of that name is another": lambda r: r.cell.configuration.definition,
    "other limits": lambda record: record.cell.limits,
}
"""What ought to be the same of a cell in both runs."""


def _differences(
    pairs: Sequence[tuple[Record, Record]], before: Iterable[Record], after: Iterable[Record]
) -> Iterator[str]:
    """What ought to be the same in both runs and is not, a line for each."""
    for what, of in _DIFFERENT.items():
        if number := sum(of(one) != of(other) for one, other in pairs):
            yield f"{counted(number, 'cell')} of both: {what}"
    first, second = _surroundings(before), _surroundings(after)
    for what in sorted(first.keys() | second.keys()):
        old, new = first.get(what, "none"), second.get(what, "none")
        if old != new:
            yield f"{what}: {old} before, {new} after"


def _asked(record: Record) -> tuple[str, str, str]:
    question = record.cell.question
    return question.kind, question.text, question.properties.name if question.properties else ""


def _surroundings(records: Iterable[Record]) -> Mapping[str, str]:
    """Machines and versions, each as a text that lists what there is."""
    known: dict[str, dict[str, None]] = {}
    for host in dict.fromkeys(r.outcome.host for r in records if r.outcome.host is not None):
        machine = f"{host.name} ({host.system}, {host.cores} cores, {host.memory >> 30} GiB)"
        for what, text in (("machine", machine), *host.versions):
            known.setdefault(what, {})[text] = None
    return {what: " and ".join(sorted(texts)) for what, texts in known.items()}
