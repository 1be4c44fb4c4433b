"""A net as a few lines of text or HTML for notebooks, and as a picture (SVG or Graphviz)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from petricheck.arithmetic.formulas.shown import shown_name
from petricheck.model.drawing.graph import (
    Drawn,
    DrawnPlace,
    DrawnTransition,
    Ends,
    Graph,
    Inscription,
    notes,
)
from petricheck.support.errors import QueryError
from petricheck.support.markup import heading, lines
from petricheck.support.words import counted, listed, number_text, printable, shortened

LINES = 20
"""Limit of the transitions, and of the marked places, in a text."""


def headline(net: Drawn) -> str:
    """Return the net's name and its sizes."""
    made = "" if net.nodes == len(net.places) + len(net.transitions) else ", unfolded"
    if made and not getattr(net, "is_unfolded", True):
        made = ", with complement places"
    return f"{printable(net.name)}: {sizes(net)}{made}"


def sizes(net: Drawn) -> str:
    """Return the numbers of places, transitions and arcs."""
    arcs = sum(len(t.pre) + len(t.post) for t in net.transitions)
    numbers = [(len(net.places), "place"), (len(net.transitions), "transition"), (arcs, "arc")]
    numbers += getattr(net, "guard_numbers", ())  # of a guarded net
    return ", ".join(counted(*number) for number in numbers)


def to_text(net: Drawn) -> str:
    """Return the headline, the initial marking, and a line for each of the first transitions."""
    graph = net.graph()
    return "\n".join((headline(net), *_initially(graph), *_firings(graph)))


def to_html(net: Drawn) -> str:
    """Return the headline, and a picture of the net if it is small, or else the text."""
    from petricheck.model.drawing.svg import to_svg

    if picture := to_svg(net):
        return f'{heading(headline(net))}<div style="overflow-x:auto">{picture}</div>'
    graph = net.graph()
    return heading(headline(net)) + lines((*_initially(graph), *_firings(graph)))


def _initially(net: Graph) -> Iterator[str]:
    marked = [place for place in net.places if place.tokens]
    yield (
        f"initially {listed(marked, LINES, _tokens_text)}"
        if marked
        else "initially no place is marked"
    )
    if limited := [place for place in net.places if place.capacity is not None]:
        yield f"at most {listed(limited, LINES, _capacity_text)}"


def _tokens_text(place: DrawnPlace) -> str:
    return f"{shown_name(place.name)} = {printable(place.held) or number_text(place.tokens)}"


def _capacity_text(place: DrawnPlace) -> str:
    return f"{shown_name(place.name)} = {number_text(place.capacity or 0)}"


def _firings(net: Graph) -> list[str]:
    def line(transition: DrawnTransition) -> str:
        sides = (_sum(net, side) or "nothing" for side in (transition.pre, transition.post))
        below = (f"{name(place)} < {label}" for place, label in transition.inhibitors)
        guards = ", ".join((*filter(None, [printable(transition.guard)]), *below))
        guard = f" [{guards}]" if guards else ""
        emptied = "".join(f", {name(place)} := 0" for place in transition.resets)
        return f"{shown_name(transition.name)}{guard}: {' -> '.join(sides)}{emptied}"

    def name(place: int) -> str:
        return shown_name(net.places[place].name)

    return shortened(net.transitions, LINES, line, "transition")


def _sum(net: Graph, ends: Ends) -> str:
    return " + ".join(_scaled(shown_name(net.places[place].name), label) for place, label in ends)


def _scaled(name: str, inscription: Inscription) -> str:
    if isinstance(inscription, str):
        text = printable(inscription)
        return f"{name}{text if re.fullmatch(r'[(][^()]*[)]', text) else f'({text})'}"
    return name if inscription == 1 else f"{number_text(inscription)}*{name}"


def drawn(net: Drawn, form: str) -> str:
    """Return the net as svg or dot; QueryError for another form, or where it is too large."""
    from petricheck.model.drawing.svg import NODES, to_svg  # most programs draw nothing

    match form:
        case "dot":
            graph = net.graph()
            parts = (*_dot_places(graph), *_dot_transitions(graph))
            return "\n".join(("digraph net {", *parts, "}", ""))
        case "svg":
            if picture := to_svg(net):
                return picture
            raise QueryError(
                f"nets of more than {NODES} places and transitions are not drawn as svg; use 'dot' "
                "and Graphviz, which lays them out"
            )
        case _:
            raise QueryError(f"a net is drawn as 'svg' or 'dot', not as {form!r}")


def _dot_places(net: Graph) -> Iterator[str]:
    yield "  node [shape=circle, fixedsize=true, width=0.4];"
    for number, place in enumerate(net.places):
        label = number_text(place.tokens) if place.tokens else ""
        caption = quoted(*notes(place))
        yield f"  p{number} [label={quoted(label)}, xlabel={caption}];"


def _dot_transitions(net: Graph) -> Iterator[str]:
    yield "  node [shape=box, fixedsize=false, height=0.2];"
    for number, transition in enumerate(net.transitions):
        yield f"  t{number} [label={quoted(*notes(transition))}];"
        for place, inscription in transition.pre:
            yield f"  p{place} -> t{number}{_arc(inscription)};"
        for place, inscription in transition.post:
            yield f"  t{number} -> p{place}{_arc(inscription)};"
        for place, inscription in transition.inhibitors:
            yield f"  p{place} -> t{number}{_arc(inscription, 'arrowhead=odot')};"
        for place in transition.resets:
            yield f"  p{place} -> t{number}{_arc(1, 'arrowhead=normalnormal')};"


def _arc(inscription: Inscription, *attributes: str) -> str:
    text = inscription if isinstance(inscription, str) else number_text(inscription)
    label = () if inscription == 1 else (f"label={quoted(text)}",)
    return f" [{', '.join((*label, *attributes))}]" if label or attributes else ""


def quoted(*lines: str) -> str:
    """Return the lines that are not empty as a string of DOT."""
    escaped = (printable(line).replace("\\", "\\\\").replace('"', '\\"') for line in lines if line)
    return '"' + "\\n".join(escaped) + '"'
