"""Quantile plots: how many cells each configuration solves within a time (cactus plots)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from petricheck.batch.reports.plots import figures
from petricheck.batch.reports.plots.figures import BLUE, INK, ORANGE, RED, SHADE, SHORTEST, Plot
from petricheck.batch.reports.results import Results
from petricheck.batch.reports.scores import spent, time_limit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = (BLUE, RED, "#009e73", "#cc79a7", "#56b4e9", ORANGE, INK, "#8c6d31")
"""Colours that the colour-blind tell apart (after Okabe and Ito), for lines on white."""

DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.2)), (0, (6, 1.5, 1, 1.5)))
MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")

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
    drawn = []
    for place, configuration in enumerate(results.configurations):
        records = results.of(configuration)
        times = (max(spent(record) or 0.0, SHORTEST) for record in records if record.right)
        drawn.append(Line(configuration.name, place, tuple(sorted(times)), len(records)))
    return tuple(sorted(drawn, key=lambda line: (-len(line.times), sum(line.times))))


def quantile_plot(results: Results, name: str, title: str) -> Plot:
    """The plot; there is at least one record."""
    known = lines(results)
    limit = max(time_limit(record.cell.limits) for record in results.records)
    note = "A solved cell has a verdict that nothing is known to contradict."
    if len(known) > LINES:
        note += f" The {LINES} configurations that solve most, of {len(known)}."
    height = max(3.4, 0.9 + 0.2 * min(len(known), LINES))
    return figures.plot(
        name, title, note, (6.6, height), lambda axes: _draw(axes, known[:LINES], limit)
    )


def _draw(axes: Axes, shown: Sequence[Line], limit: float) -> None:
    from matplotlib.ticker import MaxNLocator

    low, high = figures.span((time for line in shown for time in line.times), limit)
    most = max(len(line.times) for line in shown)
    places = sorted(line.place for line in shown)
    entries = []
    for line in shown:
        looks = places.index(line.place)
        (handle,) = axes.plot(
            [low, *line.times, high],
            [0, *range(1, len(line.times) + 1), len(line.times)],
            drawstyle="steps-post",
            color=COLOURS[looks % len(COLOURS)],
            linestyle=DASHES[(looks + looks // len(COLOURS)) % len(DASHES)],
            marker=MARKS[(looks + 3 * (looks // len(MARKS))) % len(MARKS)],
            markevery=(0.03 + 0.02 * (looks % 8), 0.2),  # so that marks of two lines differ
            markersize=4.5,
            linewidth=1.3,
            clip_on=False,
        )
        entries.append((handle, f"{figures.shorten(line.name)} ({len(line.times)}/{line.cells})"))
    if high > limit:
        axes.axvline(limit, color=SHADE, linewidth=0.7)
    axes.set(xscale="log", xlim=(low, high), ylim=(0, max(1, most) * 1.03))
    axes.set(xlabel=f"CPU seconds, up to {limit:g}", ylabel="cells solved")
    axes.yaxis.set_major_locator(MaxNLocator(9, integer=True, steps=[1, 2, 5, 10]))
    figures.seconds_axis(axes.xaxis, low, high)
    if not most:
        axes.text(0.5, 0.5, "no cell is solved", transform=axes.transAxes, ha="center", color=SHADE)
    place = "outside right upper"
    figures.legend(axes, entries, loc=place, title="solved / cells", alignment="left")
