"""The reachability graph of a bounded net, and the coverability graph of an unbounded one.

The tree of Karp and Miller (1969), folded: markings that are equal are one, and none is left out
since it is below another. An arrow leads to the marking that is reached, or where this has become ω
on some places, to what it has become. In a tree without ω all arrows lead to what is reached.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from petricheck.arithmetic.formulas.formulas import FALSE, Formula, evaluate
from petricheck.arithmetic.formulas.shown import shown_name
from petricheck.explicit.covering.karp_miller import KarpMiller, whole_tree
from petricheck.explicit.covering.tokens import OMEGA, Tokens, below, fired
from petricheck.model.drawing.states import (
    ARCS,
    STATES,
    DrawnState,
    Role,
    StateArc,
    StateGraph,
    to_dot,
    to_svg,
)
from petricheck.model.net import Net, Transition
from petricheck.support.budget import Budget
from petricheck.support.errors import QueryError
from petricheck.support.words import number_text

COVERING = "ω: any number of tokens; an arrow leads to what is reached, or to what covers it"
"""What is to be known of a coverability graph."""

LARGEST = 1_000
"""Markings of the largest graphs that are written for Graphviz."""

_GRAPHVIZ = "name a file .dot, which Graphviz lays out"


def state_graph(
    net: Net, most: int, target: Formula = FALSE, budget: Budget | None = None
) -> StateGraph | None:
    """Return the graph; None where it has more markings than `most`.

    Those in the target are marked, unless there is ω, which stands for many.
    """
    tree, limits = whole_tree(net, recent=0), budget or Budget()
    none = np.zeros((0, len(net.places)), dtype=np.int64)
    while not tree.ended and len(tree.nodes) <= most:
        tree.explore(none, np.zeros(0, dtype=np.int64), 1, limits)
    if not tree.complete or len(tree.nodes) > most:
        return None
    markings = [node.tokens for node in tree.nodes]
    unbounded = any(OMEGA in tokens.values() for tokens in markings)
    highlighted = FALSE if unbounded else target
    states = [DrawnState(_label(net, m), frozenset(_roles(net, m, highlighted))) for m in markings]
    states[0] = replace(states[0], roles=states[0].roles | {Role.INITIAL})
    return StateGraph(tuple(states), tuple(_arcs(net, tree)), COVERING if unbounded else "")


def _arcs(net: Net, tree: KarpMiller) -> Iterator[StateArc]:
    """Yield the arcs of a tree: the firings in its markings."""
    markings = [node.tokens for node in tree.nodes]
    children = {(node.parent, node.transition): n for n, node in enumerate(tree.nodes)}
    names: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for source, tokens in enumerate(markings):
        for number, transition in enumerate(net.transitions):
            if _enabled(transition, tokens):
                child = children.get((source, number))
                reached = _place(fired(tokens, transition), markings) if child is None else child
                names[source, reached].append(net.shown.transition(transition.name))
    return (StateArc(*ends, tuple(several)) for ends, several in names.items())


def drawn_states(net: Net, form: str) -> str:
    """Return the graph as .svg or .dot.

    Raises:
        QueryError: it is too large for that.
    """
    if form == ".svg":
        graph = state_graph(net, STATES)
        if graph is not None and (picture := to_svg(graph)):
            return picture
        limit = f"{STATES} markings or {ARCS} arrows"
        raise QueryError(f"a graph of more than {limit} is not drawn as .svg; {_GRAPHVIZ}")
    graph = state_graph(net, LARGEST)
    if graph is None:
        raise QueryError(f"a graph of more than {LARGEST} markings is not drawn")
    return to_dot(graph)


def _place(tokens: Tokens, markings: Sequence[Tokens]) -> int:
    """Return the number of this marking, or else of the first that covers it."""
    if tokens in markings:
        return markings.index(tokens)
    return next(n for n, other in enumerate(markings) if below(tokens, other))


def _roles(net: Net, tokens: Tokens, target: Formula) -> Iterator[Role]:
    """Yield the roles of a marking that is not the initial one."""
    if not any(_enabled(transition, tokens) for transition in net.transitions):
        yield Role.DEAD
    values = {place: tokens.get(number, 0) for number, place in enumerate(net.places)}
    if evaluate(target, values):
        yield Role.TARGET


def _enabled(transition: Transition, tokens: Tokens) -> bool:
    return all(tokens.get(place, 0) >= weight for place, weight in transition.pre)


def _label(net: Net, tokens: Tokens) -> str:
    """Return the marked places, such as `p + 2*q`."""
    pairs = ((net.shown.place(net.places[p]), count) for p, count in sorted(tokens.items()))
    return " + ".join(f"{_times(count)}{shown_name(name)}" for name, count in pairs) or "empty"


def _times(count: Any) -> str:
    return "" if count == 1 else "ω*" if count == OMEGA else f"{number_text(count)}*"
