"""What plots are drawn on: figures as SVG and PDF, colours and marks, texts that mean nothing.

The only module that sets up matplotlib, which is imported late because it takes long, and is
installed with the extra `plots` only.
"""

from __future__ import annotations

import io
import math
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from petricheck.words import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

INK, SHADE, FAINT = "#222222", "#777777", "#dddddd"
BLUE, ORANGE, RED = "#0072b2", "#e69f00", "#d55e00"
COLOURS = (BLUE, RED, "#009e73", "#cc79a7", "#56b4e9", ORANGE, INK, "#8c6d31")
"""Colours that the colour-blind tell apart (after Okabe and Ito), for lines on white."""

DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.2)), (0, (6, 1.5, 1, 1.5)))
MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")

SHORTEST = 0.001
"""Seconds; shorter times are drawn as this one."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A plot that is still to be drawn.

    Attributes:
        title: one line.
        draw: draws on an empty figure.
        width: inches.
        height: inches.
        note: what the reader has to know; may be empty.
    """

    title: str
    draw: Callable[[Figure], None]
    width: float
    height: float
    note: str = ""


def missing() -> str | None:
    """What to say where nothing can be drawn; None where it can be."""
    if find_spec("matplotlib") is not None:
        return None
    return "matplotlib is not installed; plots need: pip install 'petricheck[plots]'"


def drawn(name: str, drawing: Drawing) -> tuple[str, bytes]:
    """The drawing as SVG and as PDF; the name makes the ids in it."""
    from matplotlib.figure import Figure

    with _style(name):
        figure = Figure(figsize=(drawing.width, drawing.height), layout="constrained")
        drawing.draw(figure)
        svg, pdf = io.StringIO(), io.BytesIO()
        nothing = {"Creator": None, "Date": None, "Format": None, "Type": None}
        figure.savefig(svg, format="svg", metadata=nothing)
        nothing = {"CreationDate": None, "Creator": None, "Producer": None}
        figure.savefig(pdf, format="pdf", metadata=nothing)
    return svg.getvalue(), pdf.getvalue()


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


def seconds_axis(axis: Axis, high: float) -> None:
    """Powers of ten, written out, and no tick beyond `high`."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    class Ticks(LogLocator):
        def tick_values(self, low: float, _: float) -> Any:
            return [tick for tick in super().tick_values(low, high) if tick <= high]

    axis.set_major_locator(Ticks(numticks=99))
    axis.set_minor_locator(Ticks(subs=tuple(range(2, 10)), numticks=99))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


def counting_axis(axis: Axis, ticks: int) -> None:
    """Round whole numbers, about so many of them."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(ticks, integer=True, steps=[1, 2, 5, 10]))


def tidy(axes: Axes) -> None:
    """A light grid below the data, and no frame where it says nothing."""
    axes.grid(True, color=FAINT, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def legend(figure: Figure, entries: Iterable[tuple[Any, str]], **place: Any) -> None:
    """A legend outside of the axes; a label may be any text."""
    handles, labels = zip(*entries, strict=True)
    # Labels are set afterwards: one that begins with an underscore would be left out.
    shown = figure.legend(handles, ["…"] * len(handles), frameon=False, **place)
    for text, label in zip(shown.get_texts(), labels, strict=True):
        text.set_text(label)


@contextmanager
def _style(name: str) -> Iterator[None]:
    """Settings of our own, whatever the user's are, for as long as it takes to draw."""
    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({
            "axes.edgecolor": SHADE, "axes.labelcolor": INK, "axes.labelsize": 9,
            "axes.linewidth": 0.7, "axes.titlesize": 9, "font.family": "DejaVu Sans",
            "font.size": 8, "hatch.linewidth": 0.6, "legend.fontsize": 8, "pdf.fonttype": 42,
            "svg.fonttype": "path", "svg.hashsalt": name, "text.color": INK,
            "text.parse_math": False, "xtick.color": INK, "ytick.color": INK,
            "xtick.labelsize": 8, "ytick.labelsize": 8,
        })  # fmt: skip
        yield
