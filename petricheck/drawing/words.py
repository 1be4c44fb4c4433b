"""A net in a few lines: of text, and of HTML with its picture, as a notebook shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

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
    from petricheck.drawing.svg import to_svg  # most programs draw nothing

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
