"""A net in a form that is asked for: as SVG, or for Graphviz, which lays out nets of any size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from petricheck.drawing.picture import NODES
from petricheck.drawing.svg import to_svg
from petricheck.errors import QueryError
from petricheck.words import number_text, printable

if TYPE_CHECKING:
    from petricheck.problem import Net


def drawn(net: Net, form: str) -> str:
    """The net as svg or dot.

    Raises:
        QueryError: there is no such form, or the net is too large for it.
    """
    match form:
        case "dot":
            return "\n".join(("digraph net {", *_places(net), *_transitions(net), "}", ""))
        case "svg":
            if picture := to_svg(net):
                return picture
            raise QueryError(
                f"nets of more than {NODES} places and transitions are not drawn as svg; use 'dot' "
                "and Graphviz, which lays them out"
            )
        case _:
            raise QueryError(f"a net is drawn as 'svg' or 'dot', not as {form!r}")


def _places(net: Net) -> Iterator[str]:
    yield "  node [shape=circle, fixedsize=true, width=0.4];"
    for number, (name, tokens) in enumerate(zip(net.places, net.initial, strict=True)):
        label = number_text(tokens) if tokens else ""
        yield f"  p{number} [label={_quoted(label)}, xlabel={_quoted(name)}];"


def _transitions(net: Net) -> Iterator[str]:
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
