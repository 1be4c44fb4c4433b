"""A net as a picture: places are circles, transitions bars, arcs curves between ranks.

What is drawn are numbers, of which `svg` makes lines.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, TypeAlias

from petricheck.drawing.layout import coordinates, ranks_of

if TYPE_CHECKING:
    from petricheck.problem import Net

NODES = 100
"""Places and transitions of the largest nets that are drawn."""

RADIUS, BAR = 13.0, (30.0, 7.0)
"""Of a place; width and height of a transition."""

RISE, GAP, LETTER, LETTERS, MARGIN = 54.0, 12.0, 6.1, 14, 14.0
"""Between ranks, between neighbours, width and number of letters, around it all."""

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
        ends: of the curve, at the source and at the target.
    """

    source: int
    target: int
    weight: int
    both: bool
    ends: tuple[Point, Point] = ((0.0, 0.0), (0.0, 0.0))


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


Edge: TypeAlias = tuple[int, int, int, bool]
"""As the first attributes of a `Curve`."""


def draw(net: Net) -> Drawing:
    """The picture of a net of at most `NODES` nodes."""
    edges = tuple(_edges(net))
    neighbours: defaultdict[int, list[int]] = defaultdict(list)
    for source, target, _, _ in edges:
        neighbours[source].append(target)
        neighbours[target].append(source)
    names, places = (*net.places, *net.actions), len(net.places)
    gap = GAP + max((_width(f"{weight:x}") for _, _, weight, _ in edges if weight > 1), default=0.0)
    sizes = [RADIUS if n < places else BAR[0] / 2 for n in range(len(names))]
    extents = [
        (size + gap / 2, size + gap / 2 + 3 + _width(name))
        for size, name in zip(sizes, names, strict=True)
    ]
    centres: dict[int, Point] = {}
    left, top, right, bottom = MARGIN, MARGIN, 0.0, 0.0
    for start in sorted(range(len(names)), key=lambda node: (_lateness(net, node), node)):
        if start in centres:
            continue
        ranks = ranks_of(start, neighbours)
        x = coordinates(ranks, neighbours, extents)
        least, most = min(x[n] - extents[n][0] for n in x), max(x[n] + extents[n][1] for n in x)
        if left > MARGIN and left + most - least > WIDTH:
            left, top = MARGIN, bottom + MARGIN
        for number, row in enumerate(ranks):
            y = top + RADIUS + RISE * number
            centres |= {node: (left + x[node] - least, y) for node in row}
        left += most - least + 2 * MARGIN
        right, bottom = max(right, left - MARGIN), max(bottom, y + RADIUS)
    nodes = tuple(centres[n] for n in range(len(names)))
    return Drawing(right, bottom + MARGIN, nodes, tuple(_curves(edges, nodes, places)))


def _edges(net: Net) -> Iterator[Edge]:
    for number, transition in enumerate(net.transitions, start=len(net.places)):
        post = dict(transition.post)
        for place, weight in transition.pre:
            both = post.get(place) == weight
            if both:
                del post[place]
            yield place, number, weight, both
        for place, weight in post.items():
            yield number, place, weight, False


def _width(text: str) -> float:
    return LETTER * min(len(text), LETTERS)


def _lateness(net: Net, node: int) -> int:
    """Pictures begin with a marked place, or else with what needs nothing."""
    if node < len(net.places):
        return 0 if net.initial[node] else 2
    return 2 if net.transitions[node - len(net.places)].pre else 1


def _curves(edges: Sequence[Edge], nodes: Sequence[Point], places: int) -> Iterator[Curve]:
    """Edges touch their nodes side by side, in the order they come from."""
    sides: defaultdict[tuple[int, bool], list[tuple[float, int]]] = defaultdict(list)
    for number, (source, target, _, _) in enumerate(edges):
        for node, other in ((source, target), (target, source)):
            sides[node, nodes[other][1] > nodes[node][1]].append((nodes[other][0], number))
    ports: dict[tuple[int, int], Point] = {}
    for (node, below), touching in sides.items():
        x, y = nodes[node]
        widest = RADIUS * 0.8 if node < places else BAR[0] / 2 - 3
        step = min(9.0, 2 * widest / (len(touching) - 1)) if len(touching) > 1 else 0.0
        for n, (_, number) in enumerate(sorted(touching)):
            dx = step * (n - (len(touching) - 1) / 2)
            dy = sqrt(RADIUS**2 - dx**2) if node < places else BAR[1] / 2
            ports[number, node] = (x + dx, y + dy if below else y - dy)
    for number, edge in enumerate(edges):
        yield Curve(*edge, (ports[number, edge[0]], ports[number, edge[1]]))
