"""A net as an SVG picture, for a file, a page or a notebook.

Places are circles, transitions bars, arcs curves between the ranks of `layout`. Lines and letters
have the colour of the text around the picture, so that it suits light and dark. Places and
transitions have classes and numbers, for styles and scripts of a page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import sqrt
from typing import Any, TypeAlias

from petricheck.model.drawing.graph import Drawn, DrawnPlace, DrawnTransition, Graph, Inscription
from petricheck.model.drawing.layout import coordinates, ranks_of
from petricheck.model.drawing.marks import (
    LETTER,
    LINE,
    MARGIN,
    MIDDLE,
    Point,
    arrow_of,
    framed,
    shortened,
    text,
    title,
)
from petricheck.support.words import counted, number_text, printable

NODES = 100
"""Limit of the places and transitions of a net that is drawn."""

RADIUS, BAR = 13.0, (30.0, 7.0)
"""Radius of a place; width and height of a transition."""

RISE, GAP, LETTERS = 54.0, 12.0, 14
"""Distance of ranks; distance of neighbours; letters of a name."""

NOTE = 11.5
"""Distance of the lines of text at a node."""

STEP, CAPTION = 16.0, 120
"""Distance of the lines of a caption; letters of a line."""

WIDTH = 1200.0
"""Width of a row of unconnected parts."""

DOTS: tuple[tuple[Point, ...], ...] = (
    (),
    ((0, 0),),
    ((-4, 0), (4, 0)),
    ((0, -4), (-4, 3.5), (4, 3.5)),
    ((-4, -4), (4, -4), (-4, 4), (4, 4)),
)
"""Positions of few tokens in their place; more tokens are drawn as a number."""


@dataclass(frozen=True, slots=True)
class Curve:
    """An arc of the net, or two opposite arcs with the same inscription.

    Source and target are indices of nodes, places first; the ends are points of these nodes.
    """

    source: int
    target: int
    inscription: Inscription
    both: bool
    ends: tuple[Point, Point] = ((0.0, 0.0), (0.0, 0.0))


@dataclass(frozen=True, slots=True)
class Drawing:
    """A net's picture, in pixels from the upper left corner.

    `nodes` are the centres of the places, then of the transitions, in the net's order.
    """

    width: float
    height: float
    nodes: tuple[Point, ...]
    curves: tuple[Curve, ...]


Edge: TypeAlias = tuple[int, int, Inscription, bool]
"""The first attributes of a `Curve`."""


def draw(net: Graph) -> Drawing:
    """Return the picture of a net of at most `NODES` nodes."""
    edges = tuple(_edges(net))
    neighbours: defaultdict[int, list[int]] = defaultdict(list)
    for source, target, _, _ in edges:
        neighbours[source].append(target)
        neighbours[target].append(source)
    notes, places = [*map(_notes, net.places + net.transitions)], len(net.places)
    gap = GAP + max((_width_of_label(inscription) for _, _, inscription, _ in edges), default=0.0)
    rise = RISE + NOTE * any(len(lines) > 1 for lines in notes)
    sizes = [RADIUS if n < places else BAR[0] / 2 for n in range(len(notes))]
    extents = [
        (size + gap / 2, size + gap / 2 + 3 + max(map(_width, lines)))
        for size, lines in zip(sizes, notes, strict=True)
    ]
    centres: dict[int, Point] = {}
    left, top, right, bottom = MARGIN, MARGIN, 0.0, 0.0
    for start in sorted(range(len(notes)), key=lambda node: (_order_key(net, node), node)):
        if start in centres:
            continue
        ranks = ranks_of(start, neighbours)
        x = coordinates(ranks, neighbours, extents)
        least, most = min(x[n] - extents[n][0] for n in x), max(x[n] + extents[n][1] for n in x)
        if left > MARGIN and left + most - least > WIDTH:
            left, top = MARGIN, bottom + MARGIN
        for number, row in enumerate(ranks):
            y = top + RADIUS + rise * number
            centres |= {node: (left + x[node] - least, y) for node in row}
        left += most - least + 2 * MARGIN
        right, bottom = max(right, left - MARGIN), max(bottom, y + RADIUS)
    nodes = tuple(centres[n] for n in range(len(notes)))
    return Drawing(right, bottom + MARGIN, nodes, tuple(_curves(edges, nodes, places)))


def _edges(net: Graph) -> Iterator[Edge]:
    for number, transition in enumerate(net.transitions, start=len(net.places)):
        post = dict(transition.post)
        for place, inscription in transition.pre:
            is_symmetric = post.get(place) == inscription
            if is_symmetric:
                del post[place]
            yield place, number, inscription, is_symmetric
        for place, inscription in post.items():
            yield number, place, inscription, False


def _notes(node: DrawnPlace | DrawnTransition) -> list[str]:
    """Return the lines of text at a node: its name; sort and tokens of a coloured place; guard."""
    if isinstance(node, DrawnPlace):
        return [node.name, node.sort, node.held] if node.sort else [node.name]
    return [node.name, *([f"[{node.guard}]"] if node.guard else [])]


def _title(node: DrawnPlace | DrawnTransition) -> str:
    return f"{node.name} – {node.id}" if node.id else node.name


def _width(line: str) -> float:
    return LETTER * min(len(line), LETTERS)


def _width_of_label(inscription: Inscription) -> float:
    if isinstance(inscription, str):
        return _width(inscription)
    return _width(f"{inscription:x}") if inscription > 1 else 0.0


def _order_key(net: Graph, node: int) -> int:
    """Return a key that sorts first marked places, then transitions without input, then others."""
    if node < len(net.places):
        return 0 if net.places[node].tokens else 2
    return 2 if net.transitions[node - len(net.places)].pre else 1


def _curves(edges: Sequence[Edge], nodes: Sequence[Point], places: int) -> Iterator[Curve]:
    """Yield the edges with their ends, which lie side by side where they touch a node."""
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


def to_svg(net: Drawn, marking: Any = None, caption: Sequence[str] = ()) -> str:
    """Return the picture of a net with a marking, by default the initial one, and text below.

    It is empty above `NODES` nodes.
    """
    if net.nodes > NODES:
        return ""
    graph = net.graph(marking)
    drawing = draw(graph)
    arrow = arrow_of(drawing)
    below = tuple(shortened(line, CAPTION) for line in caption)
    body = "".join((
        *_arcs(graph, drawing, arrow),
        *_places(graph, drawing),
        *_bars(graph, drawing),
        *_captions(below, drawing.height),
    ))  # fmt: skip
    width = max(drawing.width, *(2 * MARGIN + LETTER * len(line) for line in ("", *below)))
    return framed(width, drawing.height + STEP * len(below), arrow, body)


def _captions(lines: Sequence[str], top: float) -> Iterator[str]:
    for number, line in enumerate(lines):
        indent = LETTER * (len(line) - len(line.lstrip()))
        yield text(MARGIN + indent, top + STEP * number + NOTE, line.lstrip(), 'class="caption"')


def _arcs(net: Graph, drawing: Drawing, arrow: str) -> Iterator[str]:
    yield '<g fill="none" stroke="currentColor" stroke-opacity="0.6">'
    for curve in drawing.curves:
        start = f' marker-start="url(#{arrow})"' if curve.both else ""
        transition = max(curve.source, curve.target) - len(net.places)
        yield (
            f'<path class="arc" data-t="{transition}" d="{_path(curve)}" '
            f'marker-end="url(#{arrow})"{start}/>'
        )
    yield "</g>"
    for curve in drawing.curves:
        if curve.inscription != 1:
            x, y = _label(curve, len(net.places))
            yield _inscribed(x + 4, y + 3, curve.inscription)


def _path(curve: Curve) -> str:
    """Return the path of a curve that is vertical at both ends."""
    (x, y), (a, b) = curve.ends
    half = (y + b) / 2
    return f"M{x:.0f} {y:.0f}C{x:.0f} {half:.0f} {a:.0f} {half:.0f} {a:.0f} {b:.0f}"


def _label(curve: Curve, places: int) -> Point:
    """Return a point of the curve near its transition, where inscriptions do not overlap."""
    (x, y), (a, b) = curve.ends if curve.source >= places else curve.ends[::-1]
    part = 0.36
    across = part**2 * (3 - 2 * part)
    along = 1.5 * part * (1 - part) + part**3
    return x + (a - x) * across, y + (b - y) * along


def _places(net: Graph, drawing: Drawing) -> Iterator[str]:
    for number, (place, (x, y)) in enumerate(zip(net.places, drawing.nodes, strict=False)):
        name = _title(place)
        sort = f" of {place.sort}" if place.sort else ""
        suffix = f": {place.held}" if place.held else ""
        description = title(f"{name}: {counted(place.tokens, 'token')}{sort}{suffix}")
        circle = f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{RADIUS:.0f}" fill="none" {LINE}/>'
        tokens = f'<g class="held">{"".join(_tokens(place.tokens, (round(x), round(y))))}</g>'
        content = "".join((description, circle, tokens, *_labels(place, x, y)))
        data = f'data-p="{number}" data-n="{number_text(place.tokens)}"'
        if place.sort:
            data += f' data-c="{escape(printable(place.held))}"'
        yield f'<g class="place" {data}>{content}</g>'


_BOLD = 'font-weight="bold"'
_NOTE = 'font-style="italic" fill-opacity="0.75"'


def _tokens(count: int, centre: Point) -> Iterator[str]:
    x, y = centre
    if count < len(DOTS):
        for dx, dy in DOTS[count]:
            yield f'<circle cx="{x + dx:g}" cy="{y + dy:g}" r="2.7"/>'
    else:
        yield text(x, y + 3.6, _short_number(count), MIDDLE)


def _bars(net: Graph, drawing: Drawing) -> Iterator[str]:
    width, height = BAR
    centres = zip(net.transitions, drawing.nodes[len(net.places) :], strict=True)
    for number, (transition, (x, y)) in enumerate(centres):
        bar = (
            f'<rect x="{x - width / 2:.1f}" y="{y - height / 2:.1f}" width="{width:g}" '
            f'height="{height:g}" rx="1"/>'
        )
        description = title(" ".join((_title(transition), *_notes(transition)[1:])))
        content = "".join((description, bar, *_labels(transition, x, y)))
        yield f'<g class="transition" data-t="{number}">{content}</g>'


def _labels(node: DrawnPlace | DrawnTransition, x: float, y: float) -> Iterator[str]:
    for number, line in enumerate(_notes(node)):
        style = ("", _NOTE, f'{_NOTE} class="colours"')[number]
        yield text(x + 18, y + 3.5 + NOTE * number, shortened(line, LETTERS), style)


def _inscribed(x: float, y: float, inscription: Inscription) -> str:
    if isinstance(inscription, int):
        return text(x, y, _short_number(inscription), _BOLD)
    return f"<g>{title(inscription)}{text(x, y, shortened(inscription, LETTERS), '')}</g>"


def _short_number(number: int) -> str:
    """Return the number in few letters: of a long one, its first digits and its exponent."""
    digits = number_text(number)
    if len(digits) <= 4:
        return digits
    return "huge" if digits.startswith("0x") else f"{digits[0]}.{digits[1]}e{len(digits) - 1}"
