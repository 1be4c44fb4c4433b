"""Scatter plots: two configurations, cell by cell (as Figs. 4 and 5 of Leroux et al. 2016)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from petricheck.batch.cells import Record
from petricheck.batch.reports.plots import figures
from petricheck.batch.reports.plots.figures import BLUE, INK, ORANGE, RED, SHADE, SHORTEST, Plot
from petricheck.batch.reports.results import Results
from petricheck.batch.reports.scores import spent, time_limit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Border: TypeAlias = Literal["timeout", "no verdict"]
"""Where a cell without a verdict stands: its time ran out, or anything else."""

LOOKS: dict[str, dict[str, Any]] = {
    "neither": {"marker": "x", "color": SHADE, "linewidths": 0.9},
    "unreachable": {"marker": "o", "facecolor": BLUE, "edgecolor": "white", "linewidths": 0.3},
    "other": {"marker": "s", "facecolor": SHADE, "edgecolor": "white", "linewidths": 0.3},
    "reachable": {"marker": "^", "facecolor": ORANGE, "edgecolor": INK, "linewidths": 0.4},
    "wrong": {"marker": "P", "facecolor": RED, "edgecolor": INK, "linewidths": 0.6},
}
"""What the points look like; the gravest are drawn last."""


@dataclass(frozen=True, slots=True)
class Point:
    """A question under two configurations.

    Attributes:
        across: seconds under the first, or the border.
        up: seconds under the second, or the border.
        verdict: that one of them found; wrong where one was wrong or they contradict each other,
            neither where none has one, other of questions that have answers of other kinds.
    """

    across: float | Border
    up: float | Border
    verdict: str


def points(results: Results, first: str, second: str) -> tuple[Point, ...]:
    """The questions that were asked under both configurations."""
    of = {record.cell.key: record for record in results.records}
    pairs = ((record, of.get((*key[:2], second))) for key, record in of.items() if key[2] == first)
    return tuple(
        Point(_position(one), _position(other), _verdict(one, other))
        for one, other in pairs
        if other is not None
    )


def scatter_plot(
    results: Results, first: str, second: str, number: int, note: str = ""
) -> Plot | None:
    """The plot of this number; None where no question was asked under both configurations.

    `note` is added to its own.
    """
    shown = points(results, first, second)
    if not shown:
        return None
    limit = max(time_limit(r.cell.limits) for r in results.records)
    across, up = figures.shorten(first), figures.shorten(second)
    meaning = f"Below the diagonal {up} is faster; dotted: ten times. On the border: no verdict."
    return figures.plot(
        f"scatter-{number}-{figures.slug(first)}-{figures.slug(second)}",
        f"CPU seconds of {across} and {up}",
        f"{meaning} {note}".strip(),
        (4.3, 4.5),
        lambda axes: _draw(axes, shown, (across, up), limit),
    )


def _verdict(one: Record, other: Record) -> str:
    """What the two found together, one of `LOOKS`."""
    values = {one.outcome.value, other.outcome.value} - {None}
    if not values:
        return "neither"
    if one.wrong or other.wrong or len(values) > 1:
        return "wrong"
    if not one.cell.question.has_target:
        return "other"
    return "reachable" if values == {True} else "unreachable"


def _position(record: Record) -> float | Border:
    match record.outcome.status:
        case "decided":
            return max(spent(record) or 0.0, SHORTEST)
        case "timeout":
            return "timeout"
        case _:
            return "no verdict"


def _draw(axes: Axes, shown: Sequence[Point], names: tuple[str, str], limit: float) -> None:
    ends = [end for point in shown for end in (point.across, point.up)]
    low, high = figures.span((end for end in ends if not isinstance(end, str)), limit)
    step = (high / low) ** 0.075
    # A border further out, where there is something to see on it.
    borders = {"timeout": high * step}
    if "no verdict" in ends:
        borders["no verdict"] = high * step**2
    entries = []
    for verdict, looks in LOOKS.items():
        of_it = [point for point in shown if point.verdict == verdict]
        xs, ys = (
            [borders[end] if isinstance(end, str) else end for end in side]
            for side in ([p.across for p in of_it], [p.up for p in of_it])
        )
        size = 34 if verdict == "wrong" else 20 if len(shown) <= 200 else 12
        handle = axes.scatter(xs, ys, s=size, alpha=0.85, clip_on=False, zorder=3, **looks)
        entries += [(handle, f"{verdict} ({len(of_it)})")] if of_it else []
    _lines(axes, low, high, borders)
    for axis, name in ((axes.xaxis, names[0]), (axes.yaxis, names[1])):
        figures.seconds_axis(axis, low, high)
        axis.set_label_text(f"{name}, CPU seconds")
    place = {"loc": "outside lower center", "ncols": len(entries)}
    figures.legend(axes, entries, handletextpad=0.1, columnspacing=1.2, **place)


def _lines(axes: Axes, low: float, high: float, borders: dict[str, float]) -> None:
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
