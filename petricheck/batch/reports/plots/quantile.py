"""Quantile plots: how many cells each configuration solves within a time (cactus plots)."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from petricheck.batch.reports.plots.paper import (
    COLOURS,
    DASHES,
    MARKS,
    SHADE,
    SHORTEST,
    Drawing,
    counting_axis,
    legend,
    seconds_axis,
    shorten,
    span,
    tidy,
)
from petricheck.batch.reports.results import Results
from petricheck.batch.reports.scores import spent, time_limit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LINES = 12
"""More configurations than these cannot be told apart; those that solve most are drawn."""


@dataclass(frozen=True, slots=True)
class Line:
    """What a configuration solves.

    Attributes:
        name: of the configuration.
        place: its number among the configurations.
        times: seconds of the solved cells, the shortest first.
        cells: how many cells there are.
    """

    name: str
    place: int
    times: tuple[float, ...]
    cells: int


def lines(results: Results) -> tuple[Line, ...]:
    """The configurations, those that solve most first, the faster one where they solve as many."""
    found = []
    for place, configuration in enumerate(results.configurations):
        records = results.of(configuration)
        times = (spent(record) for record in records if record.right)
        shown = tuple(sorted(max(time or 0.0, SHORTEST) for time in times))
        found.append(Line(configuration.name, place, shown, len(records)))
    return tuple(sorted(found, key=lambda line: (-len(line.times), sum(line.times))))


def drawing(results: Results) -> Drawing:
    """The plot; there is at least one record."""
    found = lines(results)
    limit = max(time_limit(record.cell.limits) for record in results.records)
    note = "A solved cell has a verdict that nothing is known to contradict."
    if len(found) > LINES:
        note += f" The {LINES} configurations that solve most, of {len(found)}."
    title = "Cells solved within a time"
    height = max(3.4, 0.9 + 0.2 * min(len(found), LINES))
    return Drawing(title, lambda f: _draw(f, found[:LINES], limit), 6.6, height, note)


def _draw(figure: Figure, shown: tuple[Line, ...], limit: float) -> None:
    axes = figure.add_subplot()
    tidy(axes)
    low, high = span((time for line in shown for time in line.times), limit)
    most = max(len(line.times) for line in shown)
    places = sorted(line.place for line in shown)
    entries = []
    for line in shown:
        looks = places.index(line.place)
        xs = [low, *line.times, high]
        ys = [0, *range(1, len(line.times) + 1), len(line.times)]
        (handle,) = axes.plot(
            xs,
            ys,
            drawstyle="steps-post",
            color=COLOURS[looks % len(COLOURS)],
            linestyle=DASHES[(looks + looks // len(COLOURS)) % len(DASHES)],
            marker=MARKS[(looks + 3 * (looks // len(MARKS))) % len(MARKS)],
            markevery=_marked(xs, low, high, looks),
            markersize=4.5,
            linewidth=1.3,
            clip_on=False,
        )
        entries.append((handle, f"{shorten(line.name)} ({len(line.times)}/{line.cells})"))
    if high > limit:
        axes.axvline(limit, color=SHADE, linewidth=0.7)
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    axes.set_ylim(0, max(1, most) * 1.03)
    counting_axis(axes.yaxis, 9)
    seconds_axis(axes.xaxis, low, high)
    axes.set_xlabel(f"CPU seconds, up to {limit:g}")
    axes.set_ylabel("cells solved")
    if not most:
        axes.text(0.5, 0.5, "no cell is solved", transform=axes.transAxes, ha="center", color=SHADE)
    legend(figure, entries, loc="outside right upper", title="solved / cells",
           alignment="left")  # fmt: skip


def _marked(xs: list[float], low: float, high: float, looks: int) -> list[int]:
    """Points at about even distances on the axis, shifted so that marks of two lines differ."""
    width = log(high / low)
    wanted = [(n + 0.2 + 0.6 * (looks % 8) / 8) / _MARKS for n in range(_MARKS)]
    marked: list[int] = []
    for number, x in enumerate(xs):
        if wanted and width and log(x / low) / width >= wanted[0]:
            marked.append(number)
            wanted = [w for w in wanted if w > log(x / low) / width]
    return marked or [len(xs) - 1]


_MARKS = 6
