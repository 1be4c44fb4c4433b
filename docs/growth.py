"""Measures how time grows with the parametric families; writes growth.svg, prints the table.

    python docs/growth.py > table.md

Each question is asked of the default engine several times, after the smallest of its family has
been asked once unmeasured, so that no figure holds an import.
"""

from __future__ import annotations

import math
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "nets"))

from families import FAMILIES, Member  # noqa: E402

from petricheck.arithmetic.formulas.formulas import conjunction  # noqa: E402
from petricheck.arithmetic.formulas.terms import variable  # noqa: E402
from petricheck.batch.questions.index import COMPARISONS  # noqa: E402
from petricheck.evidence.answer import Reachable, Unreachable  # noqa: E402
from petricheck.model.problem import Problem, make_problem  # noqa: E402
from petricheck.questions import Finding, check  # noqa: E402
from petricheck.support.budget import Budget  # noqa: E402

REACHABLE, UNREACHABLE = "reachable", "unreachable"
LIMIT = 60.0
"""Seconds of wall time for one question."""
RUNS = 3
FLAT_BELOW = 0.02
"""Seconds; below, a figure says more of the machine than of the size."""


@dataclass(frozen=True, slots=True)
class Series:
    """One question of one family, at growing sizes."""

    label: str
    family: str
    verdict: str
    unit: str
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """One size; seconds are None where there is no answer within the limit."""

    size: int
    verdict: str
    engine: str
    seconds: float | None


TOKENS = (10, 100, 1_000, 10_000)
COPIES = (1, 2, 4, 8, 16)
SERIES = (
    Series("Kanban, unreachable", "kanban", UNREACHABLE, "cards", TOKENS),
    Series("Kanban, reachable", "kanban", REACHABLE, "cards", TOKENS),
    Series("FMS, unreachable", "fms", UNREACHABLE, "pallets", TOKENS),
    Series("FMS, reachable", "fms", REACHABLE, "pallets", TOKENS),
    Series("Manufacturing, unreachable", "manufacturing", UNREACHABLE, "pieces", (3, 5, 8)),
    Series("Manufacturing, reachable", "manufacturing", REACHABLE, "pieces", (9, 10, 20, 50)),
    Series("Mesh, unreachable", "mesh", UNREACHABLE, "copies", COPIES),
    Series("Mesh, reachable", "mesh", REACHABLE, "copies", COPIES),
)

# --- measuring


def problem_of(member: Member) -> Problem:
    """The question of a member of a family."""
    atoms = (COMPARISONS[compare](variable(p), n) for p, compare, n in member.fields["target"])
    return make_problem(member.net, conjunction(atoms))


def member_of(series: Series, size: int) -> Member:
    """The question of this size."""
    (chosen,) = (m for m in FAMILIES[series.family](size) if m.fields["expected"] == series.verdict)
    return chosen


def measure(series: Series) -> list[Point]:
    """Every size of a series; the smallest is asked once more at first, unmeasured."""
    ask(series, series.sizes[0])
    return [point(series, size) for size in series.sizes]


def ask(series: Series, size: int) -> Finding:
    """Put one question to the default engine."""
    return check(problem_of(member_of(series, size)), budget=Budget(seconds=LIMIT))


def point(series: Series, size: int) -> Point:
    """The median of the runs; a run without an answer makes a point without one."""
    seconds: list[float] = []
    for _ in range(RUNS):
        result = ask(series, size)
        match result.answer:
            case Reachable() | Unreachable():
                verdict = REACHABLE if isinstance(result.answer, Reachable) else UNREACHABLE
            case _:
                return Point(size, "no answer", "", None)
        if verdict != series.verdict:
            raise AssertionError(f"{series.label}, {size}: {verdict}")
        seconds.append(result.cpu_seconds)
    return Point(size, verdict, result.answer.statistics.engine, statistics.median(seconds))


def growth(points: Sequence[Point]) -> str:
    """The slope of log time over log size by least squares, in words where there is none."""
    slow = [(p.size, p.seconds) for p in points if p.seconds is not None and p.seconds > FLAT_BELOW]
    if len(slow) < 2:
        times = [p.seconds for p in points if p.seconds is not None]
        if slow or len(times) < len(points):
            return "too few points"
        return "flat" if max(times) < 2 * min(times) else "below 20 ms"
    sizes, seconds = ([math.log(value) for value in column] for column in zip(*slow, strict=True))
    return f"{statistics.linear_regression(sizes, seconds).slope:.1f}"


# --- the table


def table(measured: dict[Series, list[Point]]) -> Iterator[str]:
    """Lines of Markdown: one row a point, the exponent in the first row of each series."""
    yield "| Question | Size | Verdict | Engine | Solver time | Exponent |"
    yield "|---|---:|---|---|---:|---|"
    for series, points in measured.items():
        for first, p in zip([True] + [False] * len(points), points, strict=False):
            label, slope = (
                (f"{series.label} ({series.unit})", growth(points)) if first else ("", "")
            )
            size = f"{p.size:,}"
            if p.seconds is None:
                yield f"| {label} | {size} | no answer within {LIMIT:g} s | | | {slope} |"
            else:
                time = shown_time(p.seconds)
                yield f"| {label} | {size} | {p.verdict} | `{p.engine}` | {time} | {slope} |"


def shown_time(seconds: float) -> str:
    """Two digits that count."""
    return f"{seconds * 1000:.2g} ms" if seconds < 0.0995 else f"{seconds:.2g} s"


# --- the plot

WIDTH, HEIGHT = 760, 640
PANEL_WIDTH, PANEL_HEIGHT = 290, 210
LEFT, TOP, GAP_X, GAP_Y = 70, 84, 80, 76
FASTEST, SLOWEST = 0.0001, 100.0
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #222 }
.paper { fill: #fff } .title { font-weight: 600 } .small { font-size: 11px }
.grid { stroke: #ddd } .frame { stroke: #888; fill: none }
.unreachable { stroke: #0b62b0 } .reachable { stroke: #b5480a }
text.unreachable { fill: #0b62b0; stroke: none } text.reachable { fill: #b5480a; stroke: none }
polyline { fill: none; stroke-width: 2 } polyline.reachable { stroke-dasharray: 6 3 }
circle.unreachable { fill: #0b62b0 } circle.reachable { fill: #b5480a }
circle.open.reachable, circle.open.unreachable { fill: none; stroke-width: 2 }
.limit { stroke: #888; stroke-dasharray: 2 4 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6e6e6 } .paper { fill: #16181c } .grid { stroke: #34383f }
  .unreachable { stroke: #6cb6ff } .reachable { stroke: #ffa35c }
  text.unreachable { fill: #6cb6ff } text.reachable { fill: #ffa35c }
  circle.unreachable { fill: #6cb6ff } circle.reachable { fill: #ffa35c }
}
"""


@dataclass(frozen=True, slots=True)
class Panel:
    """The place of one family, and its sizes from one power of ten to another."""

    left: float
    top: float
    first: int
    last: int

    def x(self, size: float) -> float:
        """Where a size stands."""
        return self.left + PANEL_WIDTH * (math.log10(size) - self.first) / (self.last - self.first)

    def y(self, seconds: float) -> float:
        """Where a time stands."""
        share = math.log(seconds / FASTEST) / math.log(SLOWEST / FASTEST)
        return self.top + PANEL_HEIGHT * (1 - share)


def plot(measured: dict[Series, list[Point]]) -> Iterator[str]:
    """Lines of SVG: a panel for each family, both axes logarithmic."""
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
    yield "<title>Solver time over size, by family</title>"
    yield f"<style>{STYLE}</style>"
    yield f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}"/>'
    yield from legend()
    for number, family in enumerate(dict.fromkeys(series.family for series in measured)):
        drawn = [series for series in measured if series.family == family]
        sizes = [size for series in drawn for size in series.sizes]
        panel = Panel(
            LEFT + (number % 2) * (PANEL_WIDTH + GAP_X),
            TOP + (number // 2) * (PANEL_HEIGHT + GAP_Y),
            math.floor(math.log10(min(sizes))),
            math.ceil(math.log10(max(sizes))),
        )
        yield from axes(panel, drawn[0])
        for series in drawn:
            yield from line(panel, series, measured[series])
    yield "</svg>"


def legend() -> Iterator[str]:
    """What lines and marks stand for."""
    yield text(LEFT, 24, "Solver time over size, both axes logarithmic", "title")
    for x, verdict in ((LEFT, UNREACHABLE), (LEFT + 150, REACHABLE)):
        yield f'<polyline class="{verdict}" points="{x},44 {x + 36},44"/>'
        yield f'<circle class="{verdict}" cx="{x + 18}" cy="44" r="4"/>'
        yield text(x + 44, 48, verdict, verdict)
    yield f'<circle class="open reachable" cx="{LEFT + 302}" cy="44" r="5"/>'
    yield text(LEFT + 314, 48, f"no answer within {LIMIT:g} s (dotted line)")


def axes(panel: Panel, series: Series) -> Iterator[str]:
    """Grid, ticks and names of a panel."""
    right, bottom = panel.left + PANEL_WIDTH, panel.top + PANEL_HEIGHT
    for power in range(panel.first, panel.last + 1):
        x = panel.x(10**power)
        yield segment("grid", (x, panel.top), (x, bottom))
        yield text(x, bottom + 16, f"{10**power:,}", "small", "middle")
    for seconds in (0.0001, 0.001, 0.01, 0.1, 1.0, 10.0, 100.0):
        y = panel.y(seconds)
        tick = f"{seconds * 1000:g} ms" if seconds < 1 else f"{seconds:g} s"
        yield segment("grid", (panel.left, y), (right, y))
        yield text(panel.left - 6, y + 4, tick, "small", "end")
    yield segment("limit", (panel.left, panel.y(LIMIT)), (right, panel.y(LIMIT)))
    yield (
        f'<rect class="frame" x="{panel.left}" y="{panel.top}" '
        f'width="{PANEL_WIDTH}" height="{PANEL_HEIGHT}"/>'
    )
    yield text(panel.left, panel.top - 8, series.label.partition(",")[0], "title")
    yield text(panel.left + PANEL_WIDTH / 2, bottom + 32, series.unit, "small", "middle")


def line(panel: Panel, series: Series, points: Sequence[Point]) -> Iterator[str]:
    """One series; its name stands above the end, or below the start of the faster question."""
    kind = series.verdict
    solved = [(panel.x(p.size), panel.y(p.seconds)) for p in points if p.seconds is not None]
    yield f'<polyline class="{kind}" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in solved)}"/>'
    for x, y in solved:
        yield f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
    for p in points:
        if p.seconds is None:
            at = f'cx="{panel.x(p.size):.1f}" cy="{panel.y(LIMIT):.1f}"'
            yield f'<circle class="open {kind}" {at} r="5"/>'
    if solved:
        slope = growth(points)
        name = f"{kind}, exponent {slope}" if slope[-1].isdigit() else f"{kind}, {slope}"
        if kind == REACHABLE:
            (x, y), anchor, down = solved[-1], "end", -10
            x = max(x - 4, panel.left + 7 * len(name))
        else:
            (x, y), anchor, down = solved[0], "start", 20
            x += 6
        yield text(x, y + down, name, f"small {kind}", anchor)


def segment(kind: str, start: tuple[float, float], end: tuple[float, float]) -> str:
    """A straight line."""
    (a, b), (c, d) = start, end
    return f'<line class="{kind}" x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}"/>'


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    """Words at a place."""
    place = f'x="{x:.1f}" y="{y:.1f}"'
    return f'<text class="{kind}" {place} text-anchor="{anchor}">{escape(words)}</text>'


def main() -> None:
    """Measure all; the table goes to standard output as it is complete."""
    measured = {series: measure(series) for series in SERIES}
    (HERE / "growth.svg").write_text("\n".join(plot(measured)) + "\n", encoding="utf-8")
    sys.stdout.write("\n".join(table(measured)) + "\n")


if __name__ == "__main__":
    main()
