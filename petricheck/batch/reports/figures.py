"""What plots are drawn with: a figure as SVG, axes of seconds, texts that mean nothing.

The only module that sets up matplotlib, which is imported late because it takes long, and is
installed with the extra `plots` only.
"""

from __future__ import annotations

import io
import math
import re
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from petricheck.words import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

INK, SHADE, FAINT = "#222222", "#777777", "#dddddd"
BLUE, ORANGE, RED = "#0072b2", "#e69f00", "#d55e00"

SHORTEST = 0.001
"""Seconds; shorter times are drawn as this one."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot.

    Attributes:
        name: of its file, without a suffix: letters, digits and hyphens; unique among the plots.
        title: one line.
        svg: an SVG file, which refers to nothing outside.
        note: what the reader has to know, such as what is left out; may be empty.
    """

    name: str
    title: str
    svg: str = field(repr=False)
    note: str = ""


def missing() -> str | None:
    """What to say where nothing can be drawn; None where it can be."""
    if find_spec("matplotlib") is not None:
        return None
    return "matplotlib is not installed; plots need: pip install 'petricheck[plots]'"


def figure(name: str, size: tuple[float, float], draw: Callable[[Axes], None]) -> str:
    """The SVG of what is drawn on axes with a light grid, whatever settings the user has.

    Args:
        name: of the plot; makes the ids in the file.
        size: inches across and up.
        draw: draws on the axes.
    """
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE | {"svg.hashsalt": name})
        drawn = Figure(figsize=size, layout="constrained")
        axes = drawn.add_subplot()
        axes.spines[["top", "right"]].set_visible(False)
        draw(axes)
        svg = io.StringIO()
        nothing = {"Creator": None, "Date": None, "Format": None, "Type": None}
        drawn.savefig(svg, format="svg", metadata=nothing)
    return svg.getvalue()


def shorten(name: str, length: int = 28) -> str:
    """The name on one line, cut in the middle where it is long."""
    shown = printable(name)
    half = (length - 1) // 2
    return shown if len(shown) <= length else f"{shown[:half]}…{shown[-half:]}"


def slug(name: str) -> str:
    """The name as a part of a file's name: lower case letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:24].strip("-") or "x"


def span(times: Iterable[float], limit: float) -> tuple[float, float]:
    """Where a logarithmic axis of seconds begins, a power of ten, and ends."""
    shown = [max(time, SHORTEST) for time in times]
    low = min([*shown, limit / 10])
    return 10.0 ** math.floor(math.log10(low) + 1e-9), max([*shown, limit])


def seconds_axis(axis: Axis, low: float, high: float) -> None:
    """Powers of ten from `low` on, itself one, written out, and no tick beyond `high`."""
    from matplotlib.ticker import NullFormatter

    first, last = (math.floor(math.log10(end) + 1e-9) for end in (low, high))
    powers = [10.0**exponent for exponent in range(first, last + 1)]
    between = [power * digit for power in powers for digit in range(2, 10)]
    axis.set_ticks(powers, [f"{power:g}" for power in powers])
    axis.set_ticks([time for time in between if time <= high], minor=True)
    axis.set_minor_formatter(NullFormatter())


def legend(axes: Axes, entries: Iterable[tuple[Any, str]], **place: Any) -> None:
    """A legend outside of the axes; a label may be any text."""
    handles, labels = zip(*entries, strict=True)
    # Labels are set afterwards: one that begins with an underscore would be left out.
    shown = axes.figure.legend(handles, ["…"] * len(handles), frameon=False, **place)
    for text, label in zip(shown.get_texts(), labels, strict=True):
        text.set_text(label)


_STYLE: dict[Any, Any] = {
    "axes.axisbelow": True, "axes.edgecolor": SHADE, "axes.grid": True, "axes.labelcolor": INK,
    "axes.labelsize": 9, "axes.linewidth": 0.7, "axes.titlesize": 9, "font.family": "DejaVu Sans",
    "font.size": 8, "grid.color": FAINT, "grid.linewidth": 0.5, "legend.fontsize": 8,
    "svg.fonttype": "path", "text.color": INK, "text.parse_math": False,
    "xtick.color": INK, "ytick.color": INK, "xtick.labelsize": 8, "ytick.labelsize": 8,
}  # fmt: skip
