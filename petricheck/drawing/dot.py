"""A net for Graphviz, in its language DOT; it lays out nets of any size."""

from __future__ import annotations

from collections.abc import Iterator

from petricheck.drawing.drawable import Drawable
from petricheck.words import number_text, printable


def to_dot(net: Drawable) -> str:
    """Places are circles with their tokens, transitions boxes; other weights than 1 at the arcs."""
    return "\n".join(("digraph net {", *_places(net), *_transitions(net), "}", ""))


def _places(net: Drawable) -> Iterator[str]:
    yield "  node [shape=circle, fixedsize=true, width=0.4];"
    for number, (name, tokens) in enumerate(zip(net.places, net.initial, strict=True)):
        label = number_text(tokens) if tokens else ""
        yield f"  p{number} [label={_quoted(label)}, xlabel={_quoted(name)}];"


def _transitions(net: Drawable) -> Iterator[str]:
    yield "  node [shape=box, fixedsize=false, height=0.2];"
    for number, transition in enumerate(net.transitions):
        yield f"  t{number} [label={_quoted(transition.name)}];"
        for place, weight in transition.pre:
            yield f"  p{place} -> t{number}{_weight(weight)};"
        for place, weight in transition.post:
            yield f"  t{number} -> p{place}{_weight(weight)};"


def _weight(weight: int) -> str:
    return "" if weight == 1 else f" [label={_quoted(number_text(weight))}]"


def _quoted(text: str) -> str:
    escaped = printable(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
