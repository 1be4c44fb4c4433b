"""The plots of a batch, made from its records alone: same records, same bytes.

A quantile plot shows how many cells each configuration solves within a time (cactus plot), a
scatter plot compares two configurations cell by cell, by CPU time or by another `Measure`.
All marks differ in shapes or dashes as well as in colours, for those who see no colours. matplotlib
is imported late, because it takes long, and is installed with the extra `plots` only.
"""

from __future__ import annotations

import io
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle
from math import sqrt
from typing import TYPE_CHECKING, Any, TypeAlias

from petricheck.batch.cells import CellRecord
from petricheck.batch.reports.measures import Results, spent, time_limit
from petricheck.support import extras
from petricheck.support.words import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

PAIRS = 6
"""So many configurations at most are compared with the default one, or else the first."""

LINES = 12
"""More configurations than these cannot be told apart; those that solve most are drawn."""

INK, SHADE, FAINT = "#222222", "#777777", "#dddddd"
BLUE, ORANGE, RED = "#0072b2", "#e69f00", "#d55e00"

COLOURS = (BLUE, RED, "#009e73", "#cc79a7", "#56b4e9", ORANGE, INK, "#8c6d31")
"""Colours that the colour-blind tell apart (after Okabe and Ito), for lines on white."""

DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.2)))
MARKS = ("o", "s", "^", "D", "v", "P", "X")
"""Their numbers have no common divisors, so that two lines of a colour differ in all else."""

LOOKS: Mapping[str, dict[str, Any]] = {
    "neither": {"marker": "x", "color": SHADE, "linewidths": 0.9},
    "unreachable": {"marker": "o", "facecolor": BLUE, "edgecolor": "white", "linewidths": 0.3},
    "other": {"marker": "s", "facecolor": SHADE, "edgecolor": "white", "linewidths": 0.3},
    "reachable": {"marker": "^", "facecolor": ORANGE, "edgecolor": INK, "linewidths": 0.4},
    "wrong": {"marker": "P", "facecolor": RED, "edgecolor": INK, "linewidths": 0.6},
}
"""What points look like, by the verdict; the gravest are drawn last."""

POWERS = tuple(10.0**exponent for exponent in range(-9, 9))
"""Seconds at which axes begin and have ticks."""

SHORTEST = 0.001
"""Seconds; shorter times are drawn as this one."""

ZERO = 0.5
"""A count of 0 is drawn as this one."""

Point: TypeAlias = tuple[float | None, float | None, str]
"""A question under two configurations: its place across and up, None without a verdict, and one of
`LOOKS`."""

Span: TypeAlias = tuple[float, float]
"""Begin and end of a logarithmic axis."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot: an SVG file, which refers to nothing outside, with a title on one line.

    `name` is that of its file, without a suffix: letters, digits and hyphens; unique among the
    plots. `note` is what the reader has to know, such as what is left out; it may be empty.
    """

    name: str
    title: str
    svg: str = field(repr=False)
    note: str = ""


@dataclass(frozen=True, slots=True)
class Measure:
    """What a scatter plot compares.

    Attributes:
        name: what the axes say, a noun in the plural.
        better: what is said of a configuration with less.
        value: of a cell with a verdict; above 0, since axes are logarithmic.
        span: of the axes, for the records and the values of all points.
        kind: begins the names of plots.
    """

    name: str
    better: str
    value: Callable[[CellRecord], float]
    span: Callable[[Sequence[CellRecord], Iterable[float]], Span]
    kind: str


def _seconds(record: CellRecord) -> float:
    return max(spent(record) or 0.0, SHORTEST)


def _limit(records: Sequence[CellRecord]) -> float:
    return max(time_limit(record.cell.limits) for record in records)


def _span(records: Sequence[CellRecord], times: Iterable[float]) -> Span:
    """Return the span of a logarithmic axis of seconds, which has the time limit."""
    limit = _limit(records)
    values = [*times, limit]
    return max(p for p in POWERS if p <= min(*values, limit / 10)), max(values)


CPU_TIME = Measure("CPU seconds", "is faster", _seconds, _span, "scatter")


def iterations(noun: str) -> Measure:
    """Return the measure of how many of these, a noun in the singular, an engine counts."""
    return Measure(
        f"{noun}s",
        "needs fewer",
        lambda record: record.outcome.iterations or ZERO,
        lambda _, counts: (ZERO, max(10.0, *counts)),
        slug(f"{noun}s"),
    )


def missing() -> str | None:
    """Return the reason why nothing can be drawn; None where it can be."""
    return None if extras.is_installed("matplotlib") else extras.missing("matplotlib", "plots")


def draw(results: Results) -> tuple[Plot, ...]:
    """Return all plots of the records; none without a record. Nothing may be `missing`.

    The default configuration, or else the first, is compared with those others that solve most.
    """
    if not results.records:
        return ()
    names = [configuration.name for configuration in results.configurations]
    base = "default" if "default" in names else names[0]
    others = [c for c in results.configurations if c.name != base]
    best = sorted(others, key=lambda c: -sum(r.right for r in results.of(c)))[:PAIRS]
    note = f"Of {len(others)} other configurations the {PAIRS} that solve most are compared."
    pairs = [(c.name, base) for c in others if c in best]
    return (
        quantile_plot(results, "quantile", "Cells solved within a time"),
        *scatter_plots(results, pairs, note if len(others) > PAIRS else ""),
    )


def quantile_plot(results: Results, name: str, title: str) -> Plot:
    """Return how many cells each configuration solves within a time, for at least one record."""
    cells = {c.name: results.of(c) for c in results.configurations}
    times = {c: sorted(_seconds(r) for r in records if r.right) for c, records in cells.items()}
    best = sorted(times, key=lambda c: (-len(times[c]), sum(times[c])))[:LINES]
    low, high = _span(results.records, (time for c in best for time in times[c]))
    limit = _limit(results.records)
    labels = [f"{shorten(c)} ({len(times[c])}/{len(cells[c])})" for c in best]

    def paint(axes: Axes) -> None:
        lines = _lines(axes, {c: times[c] for c in times if c in best}, low, high)
        _quantile_axes(axes, len(times[best[0]]), low, high, limit)
        place = {"loc": "outside right upper", "alignment": "left"}
        _legend(axes, [lines[c] for c in best], labels, title="solved / cells", **place)

    note = "A solved cell has a verdict that nothing is known to contradict."
    if len(times) > LINES:
        note += f" The {LINES} configurations that solve most, of {len(times)}."
    return Plot(name, title, _figure(name, (6.6, max(3.4, 0.9 + 0.2 * len(best))), paint), note)


def _lines(
    axes: Axes, times: Mapping[str, Sequence[float]], low: float, high: float
) -> dict[str, Any]:
    lines = {}
    looks = zip(cycle(COLOURS), cycle(DASHES), cycle(MARKS), strict=False)
    shared: dict[str, Any] = {"drawstyle": "steps-post", "linewidth": 1.3, "markersize": 4.5}
    for number, (name, (colour, dashes, mark)) in enumerate(zip(times, looks, strict=False)):
        across, up = [low, *times[name], high], [*range(len(times[name]) + 1), len(times[name])]
        own = {"color": colour, "linestyle": dashes, "marker": mark}
        place = (0.03 + 0.02 * (number % 8), 0.2)  # so that marks of two lines differ
        (lines[name],) = axes.plot(across, up, markevery=place, clip_on=False, **own, **shared)
    return lines


def _quantile_axes(axes: Axes, most: int, low: float, high: float, limit: float) -> None:
    if high > limit:
        axes.axvline(limit, color=SHADE, linewidth=0.7)
    axes.set(xscale="log", xlim=(low, high), ylim=(0, max(1, most) * 1.03))
    axes.set(xlabel=f"CPU seconds, up to {limit:g}", ylabel="cells solved")
    axes.locator_params(axis="y", nbins=9, integer=True, steps=[1, 2, 5, 10])
    _ticks(axes.xaxis, low, high)


def scatter_plots(
    results: Results, pairs: Iterable[tuple[str, str]], note: str = "", measure: Measure = CPU_TIME
) -> tuple[Plot, ...]:
    """Return a plot of each pair, with the questions under both; append the note to its text.

    The first of a pair has the horizontal axis, the second, to compare with, the vertical one.
    """
    plots = []
    for number, (first, second) in enumerate(pairs, 1):
        markers = points(results, first, second, measure)
        if not markers:
            continue
        name = f"{measure.kind}-{number}-{slug(first)}-{slug(second)}"
        across, up = shorten(first), shorten(second)
        span = measure.span(results.records, (v for x, y, _ in markers for v in (x, y) if v))
        labels = (f"{across}, {measure.name}", f"{up}, {measure.name}")
        svg = _figure(name, (4.3, 4.5), partial(_scatter, markers, labels, *span))
        title = f"{measure.name[0].upper()}{measure.name[1:]} of {across} and {up}"
        own = f"Below the diagonal {up} {measure.better}; dotted: ten times. {_MARKS}"
        plots.append(Plot(name, title, svg, f"{own} {note}".strip()))
    return tuple(plots)


_MARKS = "On the border: no verdict. A larger mark is several questions."


def points(
    results: Results, first: str, second: str, measure: Measure = CPU_TIME
) -> tuple[Point, ...]:
    """Return the questions with results under both configurations."""

    def place(record: CellRecord) -> float | None:
        return measure.value(record) if record.outcome.status == "decided" else None

    return tuple(
        (place(one), place(other), _verdict(one, other))
        for one in results.records
        if one.cell.configuration.name == first
        and (other := results.cells.get((*one.cell.key[:2], second))) is not None
    )


def _verdict(one: CellRecord, other: CellRecord) -> str:
    """Return the common verdict, one of `LOOKS`: wrong also where they contradict each other,
    neither where none has a verdict, other for questions with other kinds of answers.
    """
    values = {one.outcome.value, other.outcome.value} - {None}
    if not values:
        return "neither"
    if one.wrong or other.wrong or len(values) > 1:
        return "wrong"
    if not one.cell.question.has_target:
        return "other"
    return "reachable" if values == {True} else "unreachable"


def _scatter(
    markers: Sequence[Point], labels: tuple[str, str], low: float, high: float, axes: Axes
) -> None:
    border, outer = (high * (high / low) ** share for share in (0.1, 0.135))
    axes.set(xscale="log", yscale="log", xlim=(low, outer), ylim=(low, outer), box_aspect=1)
    places = [(x or border, y or border, verdict) for x, y, verdict in markers]
    marks = {}
    for verdict, looks in LOOKS.items():
        if ends := Counter(place[:2] for place in places if place[2] == verdict):
            xs, ys = zip(*ends, strict=True)
            size = 34 if verdict == "wrong" else 20 if len(markers) <= 200 else 12
            areas = [size * sqrt(number) for number in ends.values()]
            collection = axes.scatter(xs, ys, areas, alpha=0.85, clip_on=False, zorder=3, **looks)
            marks[f"{verdict} ({ends.total()})"] = collection
    _guides(axes, low, high, border, outer)
    for axis, label in zip((axes.xaxis, axes.yaxis), labels, strict=True):
        _ticks(axis, low, high)
        axis.set_label_text(label)
    place = {"loc": "outside lower center", "ncols": len(marks)}
    _legend(axes, marks.values(), marks, handletextpad=0.1, columnspacing=1.2, **place)


def _guides(axes: Axes, low: float, high: float, border: float, outer: float) -> None:
    """Draw the diagonal, ten times faster and slower, and the border without a verdict."""
    thin: dict[str, Any] = {"color": SHADE, "linewidth": 0.9, "zorder": 2}
    axes.plot([low, high], [low, high], **thin)
    short, long = [low, max(low, high / 10)], [min(10 * low, high), high]
    for ends in ((short, long), (long, short)):
        axes.plot(*ends, linestyle=(0, (1, 2)), **thin)
    axes.plot([low, border, border], [border, border, low], linestyle=(0, (4, 2)), **thin)
    text: dict[str, Any] = {"textcoords": "offset points", "color": SHADE, "fontsize": 7}
    axes.annotate("no verdict", (outer, border), (3, 0), va="center", **text)
    axes.annotate("no verdict", (border, outer), (0, 3), ha="center", va="bottom", **text)


def shorten(name: str, length: int = 28) -> str:
    """Return the name on one line, cut in the middle where it is long."""
    text = printable(name)
    half = (length - 1) // 2
    return text if len(text) <= length else f"{text[:half]}…{text[-half:]}"


def slug(name: str) -> str:
    """Return the name as a part of a file's name: lower case letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:24].strip("-") or "x"


def _figure(name: str, size: tuple[float, float], paint: Callable[[Axes], None]) -> str:
    """Return the SVG (size in inches, ids made of the name) of `paint` on axes with light grid."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE | {"svg.hashsalt": name})
        figure = Figure(figsize=size, layout="constrained")
        axes = figure.add_subplot()
        axes.spines[["top", "right"]].set_visible(False)
        paint(axes)
        svg = io.StringIO()
        nothing = {"Creator": None, "Date": None, "Format": None, "Type": None}
        figure.savefig(svg, format="svg", metadata=nothing)
    return svg.getvalue()


def _ticks(axis: Axis, low: float, high: float) -> None:
    """Label powers of ten in full, with no tick beyond `high`."""
    from matplotlib.ticker import NullFormatter

    powers = [power for power in POWERS if low <= power <= high]
    axis.set_ticks(powers, [f"{power:g}" for power in powers])
    between = (power * digit for power in powers for digit in range(2, 10))
    axis.set_ticks([time for time in between if time <= high], minor=True)
    axis.set_minor_formatter(NullFormatter())


def _legend(axes: Axes, handles: Iterable[Any], labels: Iterable[str], **place: Any) -> None:
    """Draw a legend outside of the axes; a label may be any text."""
    # Labels are set afterwards: one that begins with an underscore would be left out.
    handles = [*handles]
    legend = axes.figure.legend(handles, ["…"] * len(handles), frameon=False, **place)
    for text, label in zip(legend.get_texts(), labels, strict=True):
        text.set_text(label)


_STYLE: dict[Any, Any] = {
    "axes.axisbelow": True, "axes.edgecolor": SHADE, "axes.grid": True, "axes.labelcolor": INK,
    "axes.labelsize": 9, "axes.linewidth": 0.7, "axes.titlesize": 9, "font.family": "DejaVu Sans",
    "font.size": 8, "grid.color": FAINT, "grid.linewidth": 0.5, "legend.fontsize": 8,
    "svg.fonttype": "path", "text.color": INK, "text.parse_math": False,
    "xtick.color": INK, "ytick.color": INK, "xtick.labelsize": 8, "ytick.labelsize": 8,
}  # fmt: skip
