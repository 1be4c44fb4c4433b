"""Graphs of markings: their drawn parts, as SVG pictures and for Graphviz.

Markings are boxes, firings arrows with the names of transitions. In SVG, the ranks of `layout` are
the distances from the initial marking along arrows in either direction, so that every arrow joins
boxes of one rank or of two neighbouring ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from textwrap import wrap

from petricheck.model.drawing.forms import quoted
from petricheck.model.drawing.layout import coordinates, ranks_of
from petricheck.model.drawing.marks import (
    LETTER,
    MARGIN,
    MIDDLE,
    Area,
    Point,
    arrow_of,
    framed,
    freest,
    shortened,
    text,
    title,
)
from petricheck.support.words import printable


class Role(Enum):
    """The role of a marking that is drawn in a special way.

    `meaning` stands in the legend, `look` are attributes of its box in SVG, `plain` those of other
    boxes, `dot` is the style of its box for Graphviz.
    """

    INITIAL = "initial marking", 'stroke-width="2.8"', 'stroke-width="1.2"', "bold"
    DEAD = "enables nothing", 'stroke-dasharray="4 3"', "", "dashed"
    TARGET = "in the target", 'fill-opacity="0.18"', 'fill-opacity="0"', "filled"

    def __init__(self, meaning: str, look: str, plain: str, dot: str) -> None:
        self.meaning, self.look, self.plain, self.dot = meaning, look, plain, dot


@dataclass(frozen=True, slots=True)
class DrawnState:
    """A marking: its marked places as a text, and its roles."""

    label: str
    roles: frozenset[Role] = frozenset()


@dataclass(frozen=True, slots=True)
class StateArc:
    """Firings from one marking to another, with the names of the transitions."""

    source: int
    target: int
    names: tuple[str, ...]

    @property
    def label(self) -> str:
        """The names, separated by commas."""
        return ", ".join(map(printable, self.names))


@dataclass(frozen=True, slots=True)
class StateGraph:
    """A graph of markings, all of which can be reached from the first, the initial one.

    There is at most one arc for each ordered pair. The note, for the reader, may be empty.
    """

    states: tuple[DrawnState, ...]
    arcs: tuple[StateArc, ...]
    note: str = ""

    @property
    def roles(self) -> tuple[Role, ...]:
        """The roles of its markings."""
        return tuple(role for role in Role if any(role in state.roles for state in self.states))


def to_dot(graph: StateGraph) -> str:
    """Return the graph for Graphviz, which lays it out."""
    legend = (f"{role.dot}: {role.meaning}" for role in graph.roles)
    lines = [f"  label={quoted(*legend, graph.note)};", "  node [shape=box];"]
    for number, state in enumerate(graph.states):
        style = ",".join(("rounded", *(role.dot for role in Role if role in state.roles)))
        lines.append(f"  m{number} [label={quoted(state.label)}, style={quoted(style)}];")
    for arc in graph.arcs:
        lines.append(f"  m{arc.source} -> m{arc.target} [label={quoted(arc.label)}];")
    return "\n".join(("digraph markings {", *lines, "}", ""))


STATES, ARCS = 60, 120
"""Limits of the markings and of the arrows of a graph that is drawn as SVG."""

LETTERS, LINES, NAME = 22, 4, 24
"""Letters of a line in a box; lines in a box; letters at an arrow."""

LINE, PAD, GAP, RISE = 13.0, 7.0, 30.0, 66.0
"""Height of a line; inner border of a box; distance of boxes of a rank; distance of ranks."""

BOW, STEEP, LOOP = (20.0, 56.0), 16.0, 26.0
"""Least and greatest depth of an arrow between boxes of one rank, in pixels; pixels of horizontal
distance for one more pixel of depth; and the width of an arrow from a box to itself.
"""

PARTS = (0.5, 0.36, 0.64, 0.28, 0.72, 0.2, 0.8)
"""Positions of a name along its arrow, best first: the name stands at the first where it covers
nothing else. The first position, halfway, is not used if there is an arrow back.
"""


@dataclass(frozen=True, slots=True)
class BezierCurve:
    """A cubic Bézier curve: its ends and its two control points."""

    start: Point
    control_start: Point
    control_end: Point
    end: Point

    def at(self, parameter: float) -> Point:
        """Return the point of the curve at a parameter between 0 and 1."""
        remaining = 1 - parameter
        weights = (
            remaining**3,
            3 * remaining**2 * parameter,
            3 * remaining * parameter**2,
            parameter**3,
        )
        points = (self.start, self.control_start, self.control_end, self.end)
        x, y = (sum(w * p[n] for w, p in zip(weights, points, strict=True)) for n in (0, 1))
        return x, y


@dataclass(frozen=True, slots=True)
class StateDrawing:
    """The picture of a graph, in pixels from the upper left corner.

    Each marking has a box, each arc a curve, and a point where the names of its transitions begin.
    """

    width: float
    height: float
    boxes: tuple[Area, ...]
    curves: tuple[BezierCurve, ...]
    labels: tuple[Point, ...]


def draw(graph: StateGraph) -> StateDrawing:
    """Return the picture of a graph of at most `STATES` markings."""
    ranks, boxes = _placed(graph)
    rank = {state: number for number, row in enumerate(ranks) for state in row}
    curves = tuple(_curves(graph.arcs, boxes, rank))
    ends = {(arc.source, arc.target) for arc in graph.arcs}
    obstacles = list(boxes)
    labels: list[Point] = []
    for arc, curve in zip(graph.arcs, curves, strict=True):
        back = arc.source != arc.target and (arc.target, arc.source) in ends
        positions = [(x + 4, y + 3) for x, y in map(curve.at, PARTS[back:])]
        areas = [(x, y - 9, x + _width(arc.label, NAME), y + 3) for x, y in positions]
        best = freest(areas, obstacles)
        labels.append(positions[best])
        obstacles.append(areas[best])
    right = max(right for _, _, right, _ in obstacles)
    bottom = max(chain((area[3] for area in obstacles), (curve.at(0.5)[1] for curve in curves)))
    return StateDrawing(right + MARGIN, bottom + MARGIN, boxes, curves, tuple(labels))


def _placed(graph: StateGraph) -> tuple[list[list[int]], tuple[Area, ...]]:
    """Return the markings by rank, and their boxes."""
    neighbours: defaultdict[int, list[int]] = defaultdict(list)
    loops: dict[int, float] = {}
    for arc in graph.arcs:
        if arc.source == arc.target:
            loops[arc.source] = LOOP + _width(arc.label, NAME)
        else:
            neighbours[arc.source].append(arc.target)
            neighbours[arc.target].append(arc.source)
    lines = [_lines(state) for state in graph.states]
    wide = [2 * PAD + max(_width(line, LETTERS) for line in of) for of in lines]
    high = [2 * PAD + LINE * len(of) for of in lines]
    extents = {n: (w / 2 + GAP / 2, w / 2 + GAP / 2 + loops.get(n, 0)) for n, w in enumerate(wide)}
    ranks = ranks_of(0, neighbours)
    x, y = coordinates(ranks, neighbours, extents), MARGIN
    left = min(x[n] - wide[n] / 2 for n in x) - MARGIN
    boxes: dict[int, Area] = {}
    for row in ranks:
        tallest = max(high[n] for n in row)
        for n in row:
            middle, top = x[n] - left, y + (tallest - high[n]) / 2
            boxes[n] = middle - wide[n] / 2, top, middle + wide[n] / 2, top + high[n]
        y += tallest + RISE
    return ranks, tuple(boxes[n] for n in range(len(boxes)))


def _curves(
    arcs: Sequence[StateArc], boxes: Sequence[Area], rank: dict[int, int]
) -> Iterator[BezierCurve]:
    """Yield the curves of the arcs, whose ends lie side by side where they touch a box."""
    centres = [(left + right) / 2 for left, _, right, _ in boxes]
    sides: defaultdict[tuple[int, bool], list[tuple[float, int]]] = defaultdict(list)
    for number, arc in enumerate(arcs):
        for state, other in ((arc.source, arc.target), (arc.target, arc.source)):
            if state != other:
                sides[state, rank[other] >= rank[state]].append((centres[other], number))
    ports: dict[tuple[int, int], Point] = {}
    for (state, below), touching in sides.items():
        left, top, right, bottom = boxes[state]
        step = min(16.0, (right - left - 2 * PAD) / max(1, len(touching) - 1))
        for n, (_, number) in enumerate(sorted(touching)):
            offset = step * (n - (len(touching) - 1) / 2)
            ports[number, state] = centres[state] + offset, bottom if below else top
    for number, arc in enumerate(arcs):
        if arc.source == arc.target:
            _, top, right, bottom = boxes[arc.source]
            side, y = right + LOOP, (top + bottom) / 2
            yield BezierCurve((right, y - 5), (side, y - 16), (side, y + 16), (right, y + 5))
            continue
        (x, y), (a, b) = ports[number, arc.source], ports[number, arc.target]
        if rank[arc.source] == rank[arc.target]:
            turn = max(y, b) + min(BOW[0] + abs(a - x) / STEEP, BOW[1])
        else:
            turn = (y + b) / 2
        yield BezierCurve((x, y), (x, turn), (a, turn), (a, b))


def _lines(state: DrawnState) -> list[str]:
    label = printable(state.label).replace(" + ", "\xa0+ ")  # no line begins with +
    lines = wrap(label, LETTERS, break_long_words=False, break_on_hyphens=False)
    lines = [shortened(line.replace("\xa0", " "), LETTERS) for line in lines]
    return lines if len(lines) <= LINES else [*lines[: LINES - 1], "…"]


def _width(line: str, letters: int) -> float:
    return LETTER * min(len(line), letters)


def to_svg(graph: StateGraph) -> str:
    """Return the picture with its legend; empty above `STATES` markings or `ARCS` arrows."""
    if len(graph.states) > STATES or len(graph.arcs) > ARCS:
        return ""
    drawing = draw(graph)
    arrow = arrow_of(drawing)
    legend = tuple(_legend(graph, drawing.height))
    body = "".join((*_arrows(graph, drawing, arrow), *_boxes(graph, drawing), *legend))
    told = [graph.note, *(f"{role.meaning}    " for role in graph.roles)]
    width = max(drawing.width, *(2 * MARGIN + LETTER * len(line) for line in told))
    return framed(width, drawing.height + LINE * len(legend) + PAD, arrow, body)


def _arrows(graph: StateGraph, drawing: StateDrawing, arrow: str) -> Iterator[str]:
    yield '<g fill="none" stroke="currentColor" stroke-opacity="0.6">'
    for curve in drawing.curves:
        points = (curve.start, curve.control_start, curve.control_end, curve.end)
        start, *remaining = (f"{x:.0f} {y:.0f}" for x, y in points)
        yield f'<path d="M{start}C{" ".join(remaining)}" marker-end="url(#{arrow})"/>'
    yield "</g>"
    for arc, (x, y) in zip(graph.arcs, drawing.labels, strict=True):
        yield f"<g>{title(arc.label)}{text(x, y, shortened(arc.label, NAME), _NAME)}</g>"


def _boxes(graph: StateGraph, drawing: StateDrawing) -> Iterator[str]:
    for state, (left, top, right, bottom) in zip(graph.states, drawing.boxes, strict=True):
        box = _box((left, top, right, bottom), state.roles)
        lines = "".join(
            text((left + right) / 2, top + PAD + LINE * n + 9.5, line, MIDDLE)
            for n, line in enumerate(_lines(state))
        )
        yield f'<g class="state">{title(state.label)}{box}{lines}</g>'


def _box(area: Area, roles: frozenset[Role]) -> str:
    left, top, right, bottom = area
    look = " ".join(role.look if role in roles else role.plain for role in Role)
    return (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" '
        f'height="{bottom - top:.1f}" rx="6" stroke="currentColor" {look}/>'
    )


def _legend(graph: StateGraph, top: float) -> Iterator[str]:
    for n, role in enumerate(graph.roles):
        y = top + LINE * n
        box = _box((MARGIN, y, MARGIN + 18, y + LINE - 4), frozenset({role}))
        yield f"<g>{box}{text(MARGIN + 26, y + 8, role.meaning, '')}</g>"
    if graph.note:
        yield text(MARGIN, top + LINE * len(graph.roles) + 8, graph.note, "")


_NAME = 'font-style="italic"'
