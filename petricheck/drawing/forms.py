"""A net in a few lines of text or HTML, as notebooks show it, and drawn as SVG or for Graphviz."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from petricheck.errors import QueryError
from petricheck.markup import heading, lines
from petricheck.presburger.shown import shown_name
from petricheck.words import counted, listed, number_text, printable, shortened

if TYPE_CHECKING:
    from petricheck.problem import Net, Transition

LINES = 20
"""Transitions, and marked places, that are shown."""


def headline(net: Net) -> str:
    """The net's name and its sizes."""
    return f"{printable(net.name)}: {sizes(net)}"


def sizes(net: Net) -> str:
    """How much there is of everything."""
    arcs = sum(len(t.pre) + len(t.post) for t in net.transitions)
    numbers = ((len(net.places), "place"), (len(net.transitions), "transition"), (arcs, "arc"))
    return ", ".join(counted(*number) for number in numbers)


def to_text(net: Net) -> str:
    """The headline, the initial marking, and a line for each of the first transitions."""
    return "\n".join((headline(net), *_initially(net), *_firings(net)))


def to_html(net: Net) -> str:
    """The headline, and the net drawn if it is small, or else in text."""
    from petricheck.drawing.svg import to_svg

    if picture := to_svg(net):
        return f'{heading(headline(net))}<div style="overflow-x:auto">{picture}</div>'
    return heading(headline(net)) + lines((*_initially(net), *_firings(net)))


def _initially(net: Net) -> Iterator[str]:
    marked = [(name, n) for name, n in zip(net.places, net.initial, strict=True) if n]
    yield f"initially {listed(marked, LINES, _held)}" if marked else "initially no place is marked"


def _held(marked: tuple[str, int]) -> str:
    return f"{shown_name(marked[0])} = {number_text(marked[1])}"


def _firings(net: Net) -> list[str]:
    def line(transition: Transition) -> str:
        sides = (_sum(net, side) or "nothing" for side in (transition.pre, transition.post))
        return f"{shown_name(transition.name)}: {' -> '.join(sides)}"

    return shortened(net.transitions, LINES, line, "transition")


def _sum(net: Net, weights: Sequence[tuple[int, int]]) -> str:
    return " + ".join(
        f"{'' if weight == 1 else f'{number_text(weight)}*'}{shown_name(net.places[place])}"
        for place, weight in weights
    )


def drawn(net: Net, form: str) -> str:
    """The net as svg or dot.

    Raises:
        QueryError: there is no such form, or the net is too large for it.
    """
    from petricheck.drawing.svg import NODES, to_svg  # most programs draw nothing

    match form:
        case "dot":
            return "\n".join(("digraph net {", *_dot_places(net), *_dot_transitions(net), "}", ""))
        case "svg":
            if picture := to_svg(net):
                return picture
            raise QueryError(
                f"nets of more than {NODES} places and transitions are not drawn as svg; use 'dot' "
                "and Graphviz, which lays them out"
            )
        case _:
            raise QueryError(f"a net is drawn as 'svg' or 'dot', not as {form!r}")


def _dot_places(net: Net) -> Iterator[str]:
    yield "  node [shape=circle, fixedsize=true, width=0.4];"
    for number, (name, tokens) in enumerate(zip(net.places, net.initial, strict=True)):
        label = number_text(tokens) if tokens else ""
        yield f"  p{number} [label={_quoted(label)}, xlabel={_quoted(name)}];"


def _dot_transitions(net: Net) -> Iterator[str]:
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
