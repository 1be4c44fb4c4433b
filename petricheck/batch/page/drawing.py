"""A net as a picture: places are circles, transitions bars, arcs curves that run downwards.

What is drawn are numbers: the page makes lines of them, and can so show any marking of the net.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TypeAlias

from petricheck.batch.page.layout import Arc, Layout, components, lay_out
from petricheck.problem import Net

NODES = 100
"""Places and transitions of the largest nets that are drawn."""

RADIUS, BAR = 13.0, (30.0, 7.0)
"""Of a place; width and height of a transition."""

RISE, GAP, LETTER, LETTERS, MARGIN = 54.0, 12.0, 6.1, 14, 14.0
"""Between ranks, between neighbours, width and number of letters of a name, around it all."""

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
        middle: where the weight is written.
    """

    source: int
    target: int
    weight: int
    both: bool
    path: str
    middle: Point


@dataclass(frozen=True, slots=True)
class Drawing:
    """A net's picture, in pixels from the upper left corner.

    Attributes:
        width: of the picture.
        height: of the picture.
        nodes: centres of the places and then the transitions, in the net's order.
        curves: its arcs.
    """

    width: float
    height: float
    nodes: tuple[Point, ...]
    curves: tuple[Curve, ...]


def draw(net: Net) -> Drawing:
    """The picture of a net of at most `NODES` nodes."""
    edges = tuple(_edges(net))
    arcs = [(source, target) for source, target, _, _ in edges]
    names = [*net.places, *(transition.name for transition in net.transitions)]
    rooms = [_room(name, n < len(net.places)) for n, name in enumerate(names)]
    centres: dict[int, Point] = {}
    paths: dict[Arc, list[Point]] = {}
    left, top, right, bottom = MARGIN, MARGIN, 0.0, 0.0
    for part in components(len(names), arcs):
        order = _from_the_start(net, part)
        width, height, placed = _placed(order, rooms, arcs)
        if left > MARGIN and left + width > WIDTH:
            left, top = MARGIN, bottom + MARGIN
        _shift(placed, (left, top + RADIUS), order, centres, paths)
        left += width + 2 * MARGIN
        right, bottom = max(right, left - MARGIN), max(bottom, top + height + 2 * RADIUS)
    curves = _curves(edges, centres, paths, len(net.places))
    nodes = tuple(centres[n] for n in range(len(names)))
    return Drawing(right, bottom + MARGIN, nodes, curves)


def _edges(net: Net) -> Iterator[tuple[int, int, int, bool]]:
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


def _room(name: str, place: bool) -> tuple[float, float]:
    half = RADIUS if place else BAR[0] / 2
    return half + GAP / 2, half + GAP / 2 + 3 + LETTER * min(len(name), LETTERS)


def _from_the_start(net: Net, part: Sequence[int]) -> list[int]:
    """Marked places first, then transitions that need nothing, then the rest."""

    def late(node: int) -> int:
        if node < len(net.places):
            return 0 if net.initial[node] else 2
        return 2 if net.transitions[node - len(net.places)].pre else 1

    return sorted(part, key=lambda node: (late(node), node))


def _placed(
    order: Sequence[int], rooms: Sequence[Point], arcs: Sequence[Arc]
) -> tuple[float, float, tuple[Layout, list[Arc], float]]:
    """Width and height of one connected part, and where its things are."""
    local = {node: n for n, node in enumerate(order)}
    inner = [arc for arc in arcs if arc[0] in local]
    mine = [rooms[node] for node in order]
    layout = lay_out(mine, [(local[a], local[b]) for a, b in inner])
    spans = [(x - room[0], x + room[1]) for (x, _), room in zip(layout.nodes, mine, strict=True)]
    spans += [(x - GAP, x + GAP) for bends in layout.bends for x in bends]
    least = min(low for low, _ in spans)
    height = RISE * max(rank for _, rank in layout.nodes)
    return max(high for _, high in spans) - least, height, (layout, inner, least)


def _shift(
    placed: tuple[Layout, list[Arc], float],
    corner: Point,
    order: Sequence[int],
    centres: dict[int, Point],
    paths: dict[Arc, list[Point]],
) -> None:
    """Enter the part's centres and the points that its arcs pass, from the corner on."""
    layout, arcs, least = placed
    left, top = corner[0] - least, corner[1]
    for node, (x, rank) in zip(order, layout.nodes, strict=True):
        centres[node] = (left + x, top + RISE * rank)
    for (source, target), bends in zip(arcs, layout.bends, strict=True):
        y = centres[source][1]
        step = RISE if centres[target][1] > y else -RISE
        points = [(left + x, y + step * n) for n, x in enumerate(bends, start=1)]
        paths[source, target] = points


def _curves(
    edges: Sequence[tuple[int, int, int, bool]],
    centres: dict[int, Point],
    paths: dict[Arc, list[Point]],
    places: int,
) -> tuple[Curve, ...]:
    ports = _ports(edges, centres, paths, places)
    curves = []
    for number, (source, target, weight, both) in enumerate(edges):
        points = [ports[number, source], *paths[source, target], ports[number, target]]
        middle = _middle(points)
        curves.append(Curve(source, target, weight, both, _smooth(points), middle))
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
    found = {}
    for (node, side), comers in sides.items():
        x, y = centres[node]
        widest = RADIUS * 0.8 if node < places else BAR[0] / 2 - 3
        step = min(9.0, 2 * widest / (len(comers) - 1)) if len(comers) > 1 else 0.0
        for n, (_, number) in enumerate(sorted(comers)):
            dx = step * (n - (len(comers) - 1) / 2)
            dy = sqrt(RADIUS**2 - dx**2) if node < places else BAR[1] / 2
            found[number, node] = (x + dx, y + side * dy)
    return found


def _smooth(points: Iterable[Point]) -> str:
    """The points joined by curves that are vertical in each of them."""
    (x, y), *others = points
    path = f"M{x:.0f} {y:.0f}"
    for a, b in others:
        path += f"C{x:.0f} {(y + b) / 2:.0f} {a:.0f} {(y + b) / 2:.0f} {a:.0f} {b:.0f}"
        x, y = a, b
    return path


def _middle(points: Sequence[Point]) -> Point:
    half = (len(points) - 1) // 2
    (x, y), (a, b) = points[half], points[half + 1]
    return (x + a) / 2, (y + b) / 2
