"""Histograms: how many iterations the solved cells took, one panel a configuration."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from petricheck.batch.reports.plots.canvas import (
    BLUE,
    INK,
    ORANGE,
    SHADE,
    Drawing,
    counting_axis,
    legend,
    shorten,
    tidy,
)
from petricheck.batch.reports.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANELS = 12
"""More configurations than these get no panel."""

SINGLE = 12
"""Up to so many iterations every number has a bar of its own; else bars double in width."""

Bin = tuple[int, int]
"""The smallest and the greatest number that a bar counts."""


@dataclass(frozen=True, slots=True)
class Panel:
    """The bars of a configuration.

    Attributes:
        name: of the configuration.
        unreachable: for each bin, how many cells have this verdict and so many iterations.
        reachable: the same.
    """

    name: str
    unreachable: tuple[int, ...]
    reachable: tuple[int, ...]

    @property
    def total(self) -> int:
        """How many cells there are in it."""
        return sum(self.unreachable) + sum(self.reachable)


def bins(numbers: Sequence[int]) -> tuple[Bin, ...]:
    """Few bars that hold all numbers: from the least number on, single ones or doubling."""
    low, high = min(numbers, default=0), max(numbers, default=0)
    if high - low < SINGLE:
        return tuple((n, n) for n in range(low, high + 1))
    exponents = range(max(1, low.bit_length()) - 1, high.bit_length())
    zero = [(0, 0)] if low == 0 else []
    return (*zero, *((2**exponent, 2 ** (exponent + 1) - 1) for exponent in exponents))


def panels(results: Results) -> tuple[tuple[Bin, ...], tuple[Panel, ...]]:
    """The bars of all configurations, over common bins."""
    counted = [
        (record, number)
        for record in results.records
        if record.right and (number := record.outcome.iterations) is not None
    ]
    shared = bins([number for _, number in counted])

    def bars(name: str, value: bool) -> tuple[int, ...]:
        own = [
            number
            for record, number in counted
            if record.cell.configuration.name == name and record.outcome.value is value
        ]
        return tuple(sum(low <= number <= high for number in own) for low, high in shared)

    names = [configuration.name for configuration in results.configurations]
    return shared, tuple(Panel(name, bars(name, False), bars(name, True)) for name in names)


def drawing(results: Results) -> Drawing | None:
    """The plot; None where no solved cell has a number of iterations."""
    shared, known = panels(results)
    shown = [panel for panel in known if panel.total]
    if not shown:
        return None
    empty = [shorten(panel.name) for panel in known if not panel.total]
    note = "Solved cells by iterations: refinements, or what another engine counts."
    if empty:
        note += f" Nothing to show of {', '.join(empty)}."
    if len(shown) > PANELS:
        note += f" The first {PANELS} configurations of {len(shown)}."
    shown = shown[:PANELS]
    rows = 2 if len(shown) == 4 else math.ceil(len(shown) / 4)
    columns = math.ceil(len(shown) / rows)
    height = 0.9 + rows * (1.9 if columns < 3 else 1.6)
    return Drawing(
        "Refinements of the solved cells",
        lambda figure: _draw(figure, shared, shown, rows, columns),
        3.9 if columns == 1 else 6.6,
        height,
        note,
    )


def _draw(
    figure: Figure, shared: Sequence[Bin], shown: Sequence[Panel], rows: int, columns: int
) -> None:
    from matplotlib.patches import Patch

    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for number, axes in enumerate(grid.flat):
        if number < len(shown):
            _bars(axes, shared, shown[number], columns)
            axes.tick_params(labelbottom=number + columns >= len(shown))
        else:
            axes.set_visible(False)
    figure.supxlabel("iterations", fontsize=9)
    figure.supylabel("cells solved", fontsize=9)
    entries = [
        (Patch(facecolor=BLUE, edgecolor=INK, linewidth=0.5), "unreachable"),
        (Patch(facecolor=ORANGE, edgecolor=INK, linewidth=0.5, hatch="////"), "reachable"),
    ]
    legend(figure, entries, loc="outside upper center", ncols=2)


def _bars(axes: Axes, shared: Sequence[Bin], panel: Panel, columns: int) -> None:
    tidy(axes)
    axes.grid(False, axis="x")
    places = range(len(shared))
    looks: dict[str, Any] = {"width": 0.86, "edgecolor": INK, "linewidth": 0.5}
    axes.bar(places, panel.unreachable, color=BLUE, **looks)
    axes.bar(places, panel.reachable, bottom=panel.unreachable, color=ORANGE, hatch="////", **looks)
    axes.set_title(f"{shorten(panel.name)} ({panel.total})", fontsize=9)
    labels = [str(low) if low == high else f"{low}–{high}" for low, high in shared]
    width = max(len(labels), _FEWEST)
    crowded = (max(map(len, labels)) + 1) * width > _LETTERS // columns
    every = math.ceil(2 * len(labels) * columns / _LETTERS) if crowded else 1
    axes.set_xticks(list(places)[::every], labels[::every], rotation=90 if crowded else 0)
    middle = (len(labels) - 1) / 2
    axes.set_xlim(middle - width / 2, middle + width / 2)
    axes.tick_params(axis="x", length=0)
    counting_axis(axes.yaxis, 5)
    axes.spines["left"].set_color(SHADE)


_LETTERS = 80
"""So many fit below all panels of a row."""

_FEWEST = 6
"""With fewer bars than these there is room beside them."""
