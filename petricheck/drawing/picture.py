"""A net as a picture: places are circles, transitions bars, arcs curves that run downwards.

What is drawn are numbers, of which `svg` makes lines.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import TypeAlias

from petricheck.drawing.drawable import Drawable
from petricheck.drawing.layout import Arc, Extent, components, lay_out

NODES = 100
"""Places and transitions of the largest nets that are drawn."""

RADIUS, BAR = 13.0, (30.0, 7.0)
"""Of a place; width and height of a transition."""

RISE, GAP, LETTER, LETTERS, LINE, MARGIN = 54.0, 12.0, 6.1, 14, 11.0, 14.0
"""Between ranks, between neighbours, width, number and height of letters, around it all."""

WIDTH = 1200.0
"""Unconnected parts are put beside each other up to this width."""

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Curve:
    """An arc of the net, or two that differ by their direction only.

    Attributes:
        source: number of the node; places come first.
        target: number of the node.
        weight: of the arc.
        both: whether the arc back, of the same weight, is shown by the same curve.
        path: as SVG writes it.
        label: where the weight is written.
    """

    source: int
    target: int
    weight: int
    both: bool
    path: str
    label: Point


@dataclass(frozen=True, slots=True)
class Drawing:
    """A net's picture, in pixels from the upper left corner.

    Attributes:
        width: of the picture.
        height: of the picture.
        lying: whether arcs run to the right, bars stand, and names are below.
        nodes: centres of the places and then the transitions, in the net's order.
        curves: its arcs.
    """

    width: float
    height: float
    lying: bool
    nodes: tuple[Point, ...]
    curves: tuple[Curve, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """A connected part, from its own corner on.

    Attributes:
        width: how far it goes across.
        height: how far it goes along.
        centres: of its nodes.
        paths: points that its arcs pass between their ends.
    """

    width: float
    height: float
    centres: dict[int, Point]
    paths: dict[Arc, list[Point]]


def draw(net: Drawable) -> Drawing:
    """The picture of a net of at most `NODES` nodes; what would be long and thin lies on its side.

    While it is made, arcs run downwards: the first coordinate is across, the second along.
    """
    standing = _drawn(net, lying=False)
    return standing if standing.height <= 1.3 * standing.width else _drawn(net, lying=True)


def _drawn(net: Drawable, lying: bool) -> Drawing:
    edges = tuple(_edges(net))
    arcs = [(source, target) for source, target, _, _ in edges]
    names = [*net.places, *(transition.name for transition in net.transitions)]
    widths = [LETTER * min(len(name), LETTERS) for name in names]
    gap = GAP + max((_figures(weight) for _, _, weight, _ in edges), default=0.0)
    extents = [_extent(width, n < len(net.places), lying, gap) for n, width in enumerate(widths)]
    rise = max(RISE, max(widths, default=0.0) + GAP) if lying else RISE
    centres: dict[int, Point] = {}
    paths: dict[Arc, list[Point]] = {}
    left, top, right, bottom = MARGIN, MARGIN, 0.0, 0.0
    for part in components(len(names), arcs):
        placed = _placed(net, part, extents, arcs, rise)
        if left > MARGIN and left + placed.width > WIDTH:
            left, top = MARGIN, bottom + MARGIN
        x, y = left, top + RADIUS
        centres |= {node: (x + a, y + b) for node, (a, b) in placed.centres.items()}
        paths |= {arc: [(x + a, y + b) for a, b in way] for arc, way in placed.paths.items()}
        left += placed.width + 2 * MARGIN
        right, bottom = max(right, left - MARGIN), max(bottom, top + placed.height + 2 * RADIUS)
    curves = _curves(edges, centres, paths, len(net.places), lying)
    nodes = tuple(_turned(centres[n], lying) for n in range(len(names)))
    last = max(widths, default=0.0) / 2 if lying else 0.0
    width, height = _turned((right, bottom + max(MARGIN, last)), lying)
    return Drawing(width, height, lying, nodes, curves)


def _turned(point: Point, lying: bool) -> Point:
    return (point[1], point[0]) if lying else point


def _edges(net: Drawable) -> Iterator[tuple[int, int, int, bool]]:
    """(source, target, weight, whether the arc back is meant too)."""
    for number, transition in enumerate(net.transitions, start=len(net.places)):
        post = dict(transition.post)
        for place, weight in transition.pre:
            both = post.get(place) == weight
            if both:
                del post[place]
            yield place, number, weight, both
        for place, weight in post.items():
            yield number, place, weight, False


def _figures(weight: int) -> float:
    """How wide a weight is that is written at its arc."""
    return LETTER * min(len(f"{weight:x}"), LETTERS) if weight > 1 else 0.0


def _extent(name: float, place: bool, lying: bool, gap: float) -> Extent:
    """Room across for a node whose name is so wide; beside it, or below where arcs run across."""
    half = (RADIUS if place else BAR[0] / 2) + gap / 2
    return half, half + (LINE if lying else 3 + name)


def _from_the_start(net: Drawable, part: Sequence[int]) -> tuple[list[int], int]:
    """Marked places first, or else what needs nothing; and how many these are."""

    def late(node: int) -> int:
        if node < len(net.places):
            return 0 if net.initial[node] else 2
        return 2 if net.transitions[node - len(net.places)].pre else 1

    order = sorted(part, key=lambda node: (late(node), node))
    return order, max(1, [late(node) for node in order].count(0))


def _placed(
    net: Drawable, part: Sequence[int], extents: Sequence[Extent], arcs: Sequence[Arc], rise: float
) -> _Part:
    """The part laid out."""
    order, starts = _from_the_start(net, part)
    local = {node: n for n, node in enumerate(order)}
    inner = [arc for arc in arcs if arc[0] in local]
    mine = [extents[node] for node in order]
    layout = lay_out(mine, [(local[a], local[b]) for a, b in inner], starts)
    spans = [(x - a, x + b) for (x, _), (a, b) in zip(layout.nodes, mine, strict=True)]
    spans += [(x - GAP, x + GAP) for bends in layout.bends for x in bends]
    least = min(low for low, _ in spans)
    nodes = zip(order, layout.nodes, strict=True)
    centres = {node: (x - least, rise * rank) for node, (x, rank) in nodes}
    paths: dict[Arc, list[Point]] = {}
    for (source, target), bends in zip(inner, layout.bends, strict=True):
        y = centres[source][1]
        step = rise if centres[target][1] > y else -rise
        paths[source, target] = [(x - least, y + step * n) for n, x in enumerate(bends, start=1)]
    width, height = max(high for _, high in spans) - least, max(y for _, y in centres.values())
    return _Part(width, height, centres, paths)


def _curves(
    edges: Sequence[tuple[int, int, int, bool]],
    centres: dict[int, Point],
    paths: dict[Arc, list[Point]],
    places: int,
    lying: bool,
) -> tuple[Curve, ...]:
    ports = _ports(edges, centres, paths, places)
    curves = []
    for number, (source, target, weight, both) in enumerate(edges):
        points = [ports[number, source], *paths[source, target], ports[number, target]]
        label = _turned(_beside(points, source >= places), lying)
        curves.append(Curve(source, target, weight, both, _smooth(points, lying), label))
    return tuple(curves)


def _ports(
    edges: Sequence[tuple[int, int, int, bool]],
    centres: dict[int, Point],
    paths: dict[Arc, list[Point]],
    places: int,
) -> dict[tuple[int, int], Point]:
    """Where each edge touches its nodes: side by side, in the order they come from."""
    sides: defaultdict[tuple[int, int], list[tuple[float, int]]] = defaultdict(list)
    for number, (source, target, _, _) in enumerate(edges):
        way = [centres[source], *paths[source, target], centres[target]]
        for node, seen in ((source, way[1]), (target, way[-2])):
            side = 1 if seen[1] > centres[node][1] else -1
            sides[node, side].append((seen[0], number))
    ports = {}
    for (node, side), touching in sides.items():
        x, y = centres[node]
        widest = RADIUS * 0.8 if node < places else BAR[0] / 2 - 3
        step = min(9.0, 2 * widest / (len(touching) - 1)) if len(touching) > 1 else 0.0
        for n, (_, number) in enumerate(sorted(touching)):
            dx = step * (n - (len(touching) - 1) / 2)
            dy = sqrt(RADIUS**2 - dx**2) if node < places else BAR[1] / 2
            ports[number, node] = (x + dx, y + side * dy)
    return ports


def _smooth(points: Sequence[Point], lying: bool) -> str:
    """The points joined by curves that run along in each of them."""

    def shown(*some: Point) -> str:
        turned = (_turned(point, lying) for point in some)
        return " ".join(f"{x:.0f} {y:.0f}" for x, y in turned)

    path = f"M{shown(points[0])}"
    for (x, y), (a, b) in pairwise(points):
        half = (y + b) / 2
        path += f"C{shown((x, half), (a, half), (a, b))}"
    return path


def _beside(points: Sequence[Point], forwards: bool) -> Point:
    """A point of the curve near the end where the transition is, where weights do not meet."""
    (x, y), (a, b) = points[:2] if forwards else points[:-3:-1]
    part = 0.36
    across = part**2 * (3 - 2 * part)
    along = 1.5 * part * (1 - part) + part**3
    return x + (a - x) * across, y + (b - y) * along
