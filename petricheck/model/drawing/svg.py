"""A net as an SVG picture, for a file, a page or a notebook.

Places are circles, transitions bars, arcs curves between the ranks of `layout`, which begin at the
nodes that are marked initially or have no arcs to them. Lines and letters have the colour of the
text around the picture, so that it suits light and dark. Places and transitions have classes and
numbers, for styles and scripts of a page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from itertools import pairwise
from math import sqrt
from textwrap import wrap
from typing import Any, Literal, TypeAlias

from petricheck.model.drawing.graph import (
    Drawn,
    DrawnPlace,
    DrawnTransition,
    Graph,
    Inscription,
    notes,
)
from petricheck.model.drawing.layout import coordinates, flow
from petricheck.model.drawing.marks import (
    LETTER,
    LINE,
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
from petricheck.support.words import counted, number_text, printable

NODES = 100
"""Limit of the places and transitions of a net that is drawn."""

RADIUS, BAR = 13.0, (30.0, 7.0)
"""Radius of a place; width and height of a transition."""

RISE, GAP, BEND, LETTERS = 54.0, 12.0, 5.0, 18
"""Distance of ranks; distance of neighbours; half the width of a bend; letters of a name."""

PARTS = (0.36, 0.5, 0.24, 0.64, 0.14, 0.76)
"""Positions of an inscription along the last or first piece of its arc, at the transition; it
stands at the first where it covers nothing else."""

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


Form: TypeAlias = Literal["arc", "both", "inhibitor", "reset"]
"""Form of an arc; `both` are two opposite arcs with the same inscription, or a read arc."""

CIRCLE = 6.6
"""Diameter of the head of an inhibitor arc, with its line."""

HEADS: Mapping[Form, tuple[str, str]] = {
    "inhibitor": (
        '<circle cx="3.3" cy="0" r="2.7" fill="none" stroke="currentColor"/>',
        "small circle: fires only while the place has fewer tokens than the arc's weight",
    ),
    "reset": (
        '<path d="M-6.5-2.8 0 0-6.5 2.8zM-11-2.8-4.5 0-11 2.8z"/>',
        "double arrowhead: empties the place",
    ),
}
"""Shape and meaning of the heads of arcs that not all nets have."""


@dataclass(frozen=True, slots=True)
class Curve:
    """An arc of the net.

    Source and target are indices of nodes, places first; its points are one at each of these and
    the bends between.
    """

    source: int
    target: int
    inscription: Inscription
    form: Form
    points: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Drawing:
    """A net's picture, in pixels from the upper left corner.

    `nodes` are the centres of the places, then of the transitions, in the net's order; at `labels`
    begin the inscriptions of the curves.
    """

    width: float
    height: float
    nodes: tuple[Point, ...]
    curves: tuple[Curve, ...]
    labels: tuple[Point, ...]


Edge: TypeAlias = tuple[int, int, Inscription, Form]
"""The first attributes of a `Curve`."""


def draw(net: Graph, initial: Graph | None = None) -> Drawing:
    """Return the picture of a net of at most `NODES` nodes, with the marking that is shown.

    Where the initial marking is another one, the layout begins at that of `initial`.
    """
    edges, places = tuple(_edges(net)), len(net.places)
    texts = [*map(notes, net.places + net.transitions)]
    first = sorted(range(len(texts)), key=partial(_order_key, initial or net))
    gap = GAP + max((_width_of_label(inscription) for _, _, inscription, _ in edges), default=0.0)
    rise = RISE + NOTE * any(len(lines) > 1 for lines in texts)
    sizes = [RADIUS if n < places else BAR[0] / 2 for n in range(len(texts))]
    extents = {
        n: (size + gap / 2, size + gap / 2 + 3 + max(map(_width, lines)))
        for n, (size, lines) in enumerate(zip(sizes, texts, strict=True))
    }
    centres: dict[int, Point] = {}
    lines = dict[int, list[Point]]()
    left, top, right, bottom = MARGIN, MARGIN, 0.0, 0.0
    for nodes, arcs in _connected(first, edges):
        lowest = {node: int(node >= places) for node in nodes}
        sources = {node for node in nodes if _order_key(initial or net, node)[0] < 3}
        flowing = flow(nodes, arcs, lowest, sources)
        wide = dict.fromkeys(flowing.neighbours, (BEND, BEND)) | {n: extents[n] for n in nodes}
        x = coordinates(flowing.ranks, flowing.neighbours, wide)
        least, most = min(x[n] - wide[n][0] for n in x), max(x[n] + wide[n][1] for n in x)
        if left > MARGIN and left + most - least > WIDTH:
            left, top = MARGIN, bottom + MARGIN
        at: dict[int, Point] = {}
        for number, row in enumerate(flowing.ranks):
            y = top + RADIUS + rise * number
            at |= {node: (left + x[node] - least, y) for node in row}
        centres |= {node: at[node] for node in nodes}
        lines |= {arc: [at[bend] for bend in flowing.bends[arc]] for arc in arcs}
        left += most - least + 2 * MARGIN
        right, bottom = max(right, left - MARGIN), max(bottom, y + RADIUS)
    centre = tuple(centres[n] for n in range(len(texts)))
    curves = tuple(_curves(edges, centre, [lines[n] for n in range(len(edges))], places))
    labels = tuple(_inscription_places(curves, tuple(_areas(texts, centre, places)), places))
    return Drawing(right, bottom + MARGIN, centre, curves, labels)


def _connected(
    first: Sequence[int], edges: Sequence[Edge]
) -> Iterator[tuple[list[int], dict[int, tuple[int, int]]]]:
    """Yield the unconnected parts, each with its nodes in this order and its arcs by number."""
    touching: defaultdict[int, list[int]] = defaultdict(list)
    for number, (source, target, _, _) in enumerate(edges):
        touching[source].append(number)
        touching[target].append(number)
    seen: set[int] = set()
    for start in first:
        if start in seen:
            continue
        part, pending = {start}, [start]
        while pending:
            ends = {n for arc in touching[pending.pop()] for n in edges[arc][:2]} - part
            part |= ends
            pending += ends
        seen |= part
        numbers = sorted({arc for node in part for arc in touching[node]})
        yield [n for n in first if n in part], {arc: edges[arc][:2] for arc in numbers}


def _edges(net: Graph) -> Iterator[Edge]:
    for number, transition in enumerate(net.transitions, start=len(net.places)):
        post = dict(transition.post)
        for place, inscription in transition.pre:
            is_symmetric = post.get(place) == inscription
            if is_symmetric:
                del post[place]
            yield place, number, inscription, "both" if is_symmetric else "arc"
        for place, inscription in post.items():
            yield number, place, inscription, "arc"
        for place, inscription in transition.inhibitors:
            yield place, number, inscription, "inhibitor"
        for place in transition.resets:
            yield place, number, 1, "reset"


def _title(node: DrawnPlace | DrawnTransition) -> str:
    return f"{node.name} – {node.id}" if node.id else node.name


def _width(line: str) -> float:
    return LETTER * min(len(line), LETTERS)


def _width_of_label(inscription: Inscription) -> float:
    if isinstance(inscription, str):
        return _width(inscription)
    return _width(number_text(inscription)) if inscription > 1 else 0.0


def _order_key(net: Graph, node: int) -> tuple[int, int]:
    """Return a key that sorts marked places first, then nodes without arcs to them, then others."""
    if node < len(net.places):
        filled = any(place == node for t in net.transitions for place, _ in t.post)
        return 0 if net.places[node].tokens else 3 if filled else 2, node
    return 3 if net.transitions[node - len(net.places)].pre else 1, node


def _curves(
    edges: Sequence[Edge], nodes: Sequence[Point], bends: Sequence[Sequence[Point]], places: int
) -> Iterator[Curve]:
    """Yield the edges with their points; where they touch a node they lie side by side."""
    sides: defaultdict[tuple[int, bool], list[tuple[float, int]]] = defaultdict(list)
    for number, (source, target, _, _) in enumerate(edges):
        line = (nodes[source], *bends[number], nodes[target])
        for node, (x, y) in ((source, line[1]), (target, line[-2])):
            sides[node, y > nodes[node][1]].append((x, number))
    ports: dict[tuple[int, int], Point] = {}
    for (node, below), touching in sides.items():
        x, y = nodes[node]
        widest = RADIUS * 0.8 if node < places else BAR[0] / 2 - 3
        step = min(9.0, 2 * widest / (len(touching) - 1)) if len(touching) > 1 else 0.0
        for n, (_, number) in enumerate(sorted(touching)):
            dx = step * (n - (len(touching) - 1) / 2)
            dy = sqrt(RADIUS**2 - dx**2) if node < places else BAR[1] / 2
            if node >= places and edges[number][3] == "inhibitor":
                dy += CIRCLE
            ports[number, node] = (x + dx, y + dy if below else y - dy)
    for number, edge in enumerate(edges):
        yield Curve(*edge, (ports[number, edge[0]], *bends[number], ports[number, edge[1]]))


def _areas(texts: Sequence[Sequence[str]], nodes: Sequence[Point], places: int) -> Iterator[Area]:
    """Yield the areas of the nodes with their lines of text."""
    for number, (lines, (x, y)) in enumerate(zip(texts, nodes, strict=True)):
        half, high = (RADIUS, RADIUS) if number < places else (BAR[0] / 2, BAR[1] / 2)
        yield x - half, y - high, x + half, y + high
        right, bottom = x + 18 + max(map(_width, lines)), y + 6 + NOTE * (len(lines) - 1)
        yield x + 18, y - 6, right, bottom


def _inscription_places(
    curves: Sequence[Curve], nodes: Sequence[Area], places: int
) -> Iterator[Point]:
    """Yield where the inscription of each curve begins."""
    taken = list(nodes)
    for curve in curves:
        width = _width_of_label(curve.inscription)
        along = [_near_transition(curve, places, part) for part in PARTS]
        starts = [(x + side, y + 3) for x, y in along for side in (4, -4 - width)]
        areas = [(x, y - 9, x + width, y + 2) for x, y in starts]
        best = freest(areas, taken) if width else 0
        if width:
            taken.append(areas[best])
        yield starts[best]


def to_svg(net: Drawn, marking: Any = None, caption: Sequence[str] = ()) -> str:
    """Return the picture of a net with a marking, by default the initial one, and text below.

    It is empty above `NODES` nodes.
    """
    if net.nodes > NODES:
        return ""
    graph = net.graph(marking)
    drawing = draw(graph, None if marking is None else net.graph())
    arrow = arrow_of(drawing)
    below = [part for line in (*_legend(graph, drawing), *caption) for part in _caption_lines(line)]
    body = "".join((
        *_heads(drawing, arrow),
        *_arcs(graph, drawing, arrow),
        *_places(graph, drawing),
        *_bars(graph, drawing),
        *_captions(below, drawing.height),
    ))  # fmt: skip
    width = max(drawing.width, *(2 * MARGIN + LETTER * len(line) for line in ("", *below)))
    return framed(width, drawing.height + STEP * len(below), arrow, body)


def _legend(net: Graph, drawing: Drawing) -> Iterator[str]:
    forms = {curve.form for curve in drawing.curves}
    yield from (meaning for form, (_, meaning) in HEADS.items() if form in forms)
    if any(place.capacity is not None for place in net.places):
        yield "≤ n: a firing leaves at most n tokens"


def _caption_lines(line: str) -> list[str]:
    indent = line[: len(line) - len(line.lstrip())]
    lines = wrap(line, CAPTION, subsequent_indent=f"{indent}  ", break_on_hyphens=False)
    return lines or [""]


def _captions(lines: Sequence[str], top: float) -> Iterator[str]:
    for number, line in enumerate(lines):
        indent = LETTER * (len(line) - len(line.lstrip()))
        yield text(MARGIN + indent, top + STEP * number + NOTE, line.lstrip(), 'class="caption"')


def _arcs(net: Graph, drawing: Drawing, arrow: str) -> Iterator[str]:
    yield '<g fill="none" stroke="currentColor" stroke-opacity="0.6">'
    for curve in drawing.curves:
        start = f' marker-start="url(#{arrow})"' if curve.form == "both" else ""
        head = f"{arrow}{curve.form}" if curve.form in HEADS else arrow
        transition = max(curve.source, curve.target) - len(net.places)
        yield (
            f'<path class="arc" data-t="{transition}" d="{_path(curve)}" '
            f'marker-end="url(#{head})"{start}/>'
        )
    yield "</g>"
    for curve, (x, y) in zip(drawing.curves, drawing.labels, strict=True):
        if curve.inscription != 1:
            yield _inscribed(x, y, curve.inscription)


def _heads(drawing: Drawing, arrow: str) -> Iterator[str]:
    """Yield the heads of the arcs of other forms, beside the arrowhead that every picture has."""
    forms = {curve.form for curve in drawing.curves}
    attributes = 'markerUnits="userSpaceOnUse" orient="auto" overflow="visible"'
    for form, (shape, _) in HEADS.items():
        if form in forms:
            yield f'<marker id="{arrow}{form}" {attributes}>{shape}</marker>'


def _path(curve: Curve) -> str:
    """Return the path of a curve that is vertical at its ends and bends."""
    (x, y), *_ = curve.points
    pieces = [f"M{x:.0f} {y:.0f}"]
    for (x, y), (a, b) in pairwise(curve.points):
        half = (y + b) / 2
        pieces.append(f"C{x:.0f} {half:.0f} {a:.0f} {half:.0f} {a:.0f} {b:.0f}")
    return "".join(pieces)


def _near_transition(curve: Curve, places: int, part: float) -> Point:
    """Return a point of the piece of the curve that touches its transition."""
    (x, y), (a, b), *_ = curve.points if curve.source >= places else curve.points[::-1]
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
        digits = _short_number(count)
        size = "" if len(digits) <= 4 else 'font-size="7" '
        yield text(x, y + 3.6, digits, f"{size}{MIDDLE}")


def _bars(net: Graph, drawing: Drawing) -> Iterator[str]:
    width, height = BAR
    centres = zip(net.transitions, drawing.nodes[len(net.places) :], strict=True)
    for number, (transition, (x, y)) in enumerate(centres):
        bar = (
            f'<rect x="{x - width / 2:.1f}" y="{y - height / 2:.1f}" width="{width:g}" '
            f'height="{height:g}" rx="1"/>'
        )
        description = title(" ".join((_title(transition), *notes(transition)[1:])))
        content = "".join((description, bar, *_labels(transition, x, y)))
        yield f'<g class="transition" data-t="{number}">{content}</g>'


def _labels(node: DrawnPlace | DrawnTransition, x: float, y: float) -> Iterator[str]:
    for number, line in enumerate(notes(node)):
        style = ("", _NOTE, f'{_NOTE} class="colours"')[number]
        yield text(x + 18, y + 3.5 + NOTE * number, shortened(line, LETTERS), style)


def _inscribed(x: float, y: float, inscription: Inscription) -> str:
    if isinstance(inscription, int):
        return text(x, y, shortened(number_text(inscription), LETTERS), _BOLD)
    return f"<g>{title(inscription)}{text(x, y, shortened(inscription, LETTERS), '')}</g>"


def _short_number(number: int) -> str:
    """Return the number in few letters: of a long one, its first digits and its exponent."""
    digits = number_text(number)
    if len(digits) <= 6:
        return digits
    return "huge" if digits.startswith("0x") else f"{digits[0]}.{digits[1]}e{len(digits) - 1}"
