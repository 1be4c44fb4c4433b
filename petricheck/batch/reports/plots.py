"""The plots of a batch, made from its records alone: same records, same bytes.

A quantile plot shows how many cells each configuration solves within a time (cactus plot), a
scatter plot compares two configurations cell by cell (as Figs. 4 and 5 of Leroux et al. 2016).
Every kind of mark has a shape or dashes of its own besides its colour, so that plots can be read in
grey and by people who do not tell all colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from petricheck.batch.cells import Record
from petricheck.batch.reports import figures
from petricheck.batch.reports.figures import BLUE, INK, ORANGE, RED, SHADE, SHORTEST, Plot
from petricheck.batch.reports.measures import Results, score, spent, time_limit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAIRS = 6
"""So many configurations at most are compared with the default one, or else the first."""

LINES = 12
"""More configurations than these cannot be told apart; those that solve most are drawn."""

COLOURS = (BLUE, RED, "#009e73", "#cc79a7", "#56b4e9", ORANGE, INK, "#8c6d31")
"""Colours that the colour-blind tell apart (after Okabe and Ito), for lines on white."""

DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.2)), (0, (6, 1.5, 1, 1.5)))
MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")

LOOKS: Mapping[str, dict[str, Any]] = {
    "neither": {"marker": "x", "color": SHADE, "linewidths": 0.9},
    "unreachable": {"marker": "o", "facecolor": BLUE, "edgecolor": "white", "linewidths": 0.3},
    "other": {"marker": "s", "facecolor": SHADE, "edgecolor": "white", "linewidths": 0.3},
    "reachable": {"marker": "^", "facecolor": ORANGE, "edgecolor": INK, "linewidths": 0.4},
    "wrong": {"marker": "P", "facecolor": RED, "edgecolor": INK, "linewidths": 0.6},
}
"""What points look like, by the verdict; the gravest are drawn last."""

Place: TypeAlias = float | Literal["timeout", "no verdict"]
"""Seconds; or the border where a cell without a verdict stands: its time ran out, or anything
else."""

Point: TypeAlias = tuple[Place, Place, str]
"""A question under two configurations: across, up, and one of `LOOKS`."""


def draw(results: Results) -> tuple[Plot, ...]:
    """All plots that the records give rise to; none without a record. Only where none is `missing`.

    The default configuration, or else the first, is compared with those others that solve most.
    """
    if not results.records:
        return ()
    names = [configuration.name for configuration in results.configurations]
    base = "default" if "default" in names else names[0]
    others = [c for c in results.configurations if c.name != base]
    best = sorted(others, key=lambda c: -score(results.of(c)).solved)[:PAIRS]
    note = f"Of {len(others)} other configurations the {PAIRS} that solve most are compared."
    pairs = [(base, c.name) for c in others if c in best]
    return (
        quantile_plot(results, "quantile", "Cells solved within a time"),
        *scatter_plots(results, pairs, note if len(others) > PAIRS else ""),
    )


def quantile_plot(results: Results, name: str, title: str) -> Plot:
    """How many cells each configuration solves within a time; there is at least one record."""
    times = {
        c.name: sorted(max(spent(r) or 0.0, SHORTEST) for r in results.of(c) if r.right)
        for c in results.configurations
    }
    best = sorted(times, key=lambda name: (-len(times[name]), sum(times[name])))[:LINES]
    cells = {c.name: len(results.of(c)) for c in results.configurations}
    limit = _limit(results.records)

    def lines(axes: Axes) -> None:
        low, high = figures.span((time for name in best for time in times[name]), limit)
        entries = []
        for name in best:
            solved = len(times[name])
            looks = _line_looks([name for name in times if name in best].index(name))
            across, up = [low, *times[name], high], [*range(solved + 1), solved]
            (line,) = axes.plot(across, up, drawstyle="steps-post", clip_on=False, **looks)
            entries.append((line, f"{figures.shorten(name)} ({solved}/{cells[name]})"))
        _quantile_axes(axes, low, high, limit, len(times[best[0]]))
        place = "outside right upper"
        figures.legend(axes, entries, loc=place, title="solved / cells", alignment="left")

    note = "A solved cell has a verdict that nothing is known to contradict."
    if len(times) > LINES:
        note += f" The {LINES} configurations that solve most, of {len(times)}."
    size = (6.6, max(3.4, 0.9 + 0.2 * len(best)))
    return Plot(name, title, figures.figure(name, size, lines), note)


def _line_looks(number: int) -> dict[str, Any]:
    return {
        "color": COLOURS[number % len(COLOURS)],
        "linestyle": DASHES[(number + number // len(COLOURS)) % len(DASHES)],
        "linewidth": 1.3,
        "marker": MARKS[(number + 3 * (number // len(MARKS))) % len(MARKS)],
        "markersize": 4.5,
        "markevery": (0.03 + 0.02 * (number % 8), 0.2),  # so that marks of two lines differ
    }


def _quantile_axes(axes: Axes, low: float, high: float, limit: float, most: int) -> None:
    from matplotlib.ticker import MaxNLocator

    if high > limit:
        axes.axvline(limit, color=SHADE, linewidth=0.7)
    axes.set(xscale="log", xlim=(low, high), ylim=(0, max(1, most) * 1.03))
    axes.set(xlabel=f"CPU seconds, up to {limit:g}", ylabel="cells solved")
    axes.yaxis.set_major_locator(MaxNLocator(9, integer=True, steps=[1, 2, 5, 10]))
    figures.seconds_axis(axes.xaxis, low, high)
    if not most:
        axes.text(0.5, 0.5, "no cell is solved", transform=axes.transAxes, ha="center", color=SHADE)


def scatter_plots(
    results: Results, pairs: Iterable[tuple[str, str]], note: str = ""
) -> tuple[Plot, ...]:
    """The configurations of each pair cell by cell, where a question was asked under both.

    Args:
        results: the records.
        pairs: names of configurations.
        note: added to what each plot says of itself.
    """
    plots = []
    for number, (first, second) in enumerate(pairs, 1):
        if shown := points(results, first, second):
            name = f"scatter-{number}-{figures.slug(first)}-{figures.slug(second)}"
            plots.append(_scatter_plot(name, shown, first, second, _limit(results.records), note))
    return tuple(plots)


def points(results: Results, first: str, second: str) -> tuple[Point, ...]:
    """The questions that were asked under both configurations."""
    of = {record.cell.key: record for record in results.records}
    pairs = ((record, of.get((*key[:2], second))) for key, record in of.items() if key[2] == first)
    return tuple(
        (_place(one), _place(other), _verdict(one, other))
        for one, other in pairs
        if other is not None
    )


def _scatter_plot(
    name: str, shown: Sequence[Point], first: str, second: str, limit: float, note: str
) -> Plot:
    across, up = figures.shorten(first), figures.shorten(second)

    def draw(axes: Axes) -> None:
        ends = [place for x, y, _ in shown for place in (x, y)]
        low, high = figures.span((end for end in ends if not isinstance(end, str)), limit)
        step = (high / low) ** 0.075
        # A border further out, where there is something to see on it.
        borders = {"timeout": high * step}
        if "no verdict" in ends:
            borders["no verdict"] = high * step**2
        entries = _marks(axes, shown, borders)
        _scatter_lines(axes, low, high, borders)
        for axis, label in ((axes.xaxis, across), (axes.yaxis, up)):
            figures.seconds_axis(axis, low, high)
            axis.set_label_text(f"{label}, CPU seconds")
        place = {"loc": "outside lower center", "ncols": len(entries)}
        figures.legend(axes, entries, handletextpad=0.1, columnspacing=1.2, **place)

    meaning = f"Below the diagonal {up} is faster; dotted: ten times. On the border: no verdict."
    title = f"CPU seconds of {across} and {up}"
    return Plot(name, title, figures.figure(name, (4.3, 4.5), draw), f"{meaning} {note}".strip())


def _marks(
    axes: Axes, shown: Sequence[Point], borders: Mapping[str, float]
) -> list[tuple[Any, str]]:
    """Draw the points; what the legend says of them."""
    entries = []
    for verdict, looks in LOOKS.items():
        places = [point[:2] for point in shown if point[2] == verdict]
        if places:
            at = [[borders[x] if isinstance(x, str) else x for x in place] for place in places]
            size = 34 if verdict == "wrong" else 20 if len(shown) <= 200 else 12
            xs, ys = zip(*at, strict=True)
            marks = axes.scatter(xs, ys, s=size, alpha=0.85, clip_on=False, zorder=3, **looks)
            entries.append((marks, f"{verdict} ({len(at)})"))
    return entries


def _scatter_lines(axes: Axes, low: float, high: float, borders: Mapping[str, float]) -> None:
    """The diagonal, ten times faster and slower, the borders; and a square frame around them."""
    outer = max(borders.values()) * (high / low) ** 0.035
    axes.set(xscale="log", yscale="log", xlim=(low, outer), ylim=(low, outer), box_aspect=1)
    thin: dict[str, Any] = {"color": SHADE, "zorder": 2}
    axes.plot([low, high], [low, high], linewidth=0.9, **thin)
    if high > 10 * low:
        short, long = [low, high / 10], [low * 10, high]
        axes.plot(short, long, linewidth=0.9, linestyle=(0, (1, 2)), **thin)
        axes.plot(long, short, linewidth=0.9, linestyle=(0, (1, 2)), **thin)
    text: dict[str, Any] = {"textcoords": "offset points", "color": SHADE, "fontsize": 7}
    for name, at in borders.items():
        axes.plot([low, at, at], [at, at, low], linewidth=0.7, linestyle=(0, (4, 2)), **thin)
        axes.annotate(name, (outer, at), (3, 0), va="center", **text)
        axes.annotate(name, (at, outer), (0, 3), ha="center", va="bottom", rotation=90, **text)


def _limit(records: Sequence[Record]) -> float:
    return max(time_limit(record.cell.limits) for record in records)


def _verdict(one: Record, other: Record) -> str:
    """What the two came to together, one of `LOOKS`: wrong also where they contradict each other,
    neither where none has a verdict, other of questions that have answers of other kinds."""
    values = {one.outcome.value, other.outcome.value} - {None}
    if not values:
        return "neither"
    if one.wrong or other.wrong or len(values) > 1:
        return "wrong"
    if not one.cell.question.has_target:
        return "other"
    return "reachable" if values == {True} else "unreachable"


def _place(record: Record) -> Place:
    match record.outcome.status:
        case "decided":
            return max(spent(record) or 0.0, SHORTEST)
        case "timeout":
            return "timeout"
        case _:
            return "no verdict"
