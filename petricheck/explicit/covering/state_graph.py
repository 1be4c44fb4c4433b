"""The reachability graph of a bounded net, and the coverability graph of an unbounded one.

The tree of Karp and Miller (1969), folded: markings that are equal are one, and none is left out
since it is below another. An arrow leads to the marking that is reached, or where this has become ω
on some places, to what it has become. In a tree without ω all arrows lead to what is reached.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from petricheck.arithmetic.formulas.formulas import FALSE, Formula, evaluate
from petricheck.arithmetic.formulas.shown import shown_name
from petricheck.explicit.covering.karp_miller import KarpMiller, whole_tree
from petricheck.explicit.covering.tokens import OMEGA, below, fired
from petricheck.model.drawing.states import DrawnState, Role, StateArc, StateGraph
from petricheck.model.net import Net
from petricheck.support.budget import Budget, watched
from petricheck.support.words import counted, number_text, printable

COVERING = "ω: any number of tokens; an arrow leads to what is reached, or to what covers it"
"""What is to be known of a coverability graph."""

LARGEST = 10_000
"""Markings of the largest graphs."""


@dataclass(frozen=True, slots=True)
class MarkingArc:
    """A firing of a transition from one marking to another, by their numbers."""

    source: int
    target: int
    transition: str


@dataclass(frozen=True, slots=True, repr=False)
class MarkingGraph:
    """The reachability graph of a net, or the coverability graph of an unbounded one.

    Attributes:
        net: the net.
        markings: the tokens of the marked places, by id; `math.inf` for any number of tokens. The
            first is the initial marking.
        arcs: the firings between them.
    """

    net: Net
    markings: tuple[Mapping[str, float], ...]
    arcs: tuple[MarkingArc, ...]

    @property
    def unbounded(self) -> bool:
        """Return whether it is a coverability graph: some place has any number of tokens."""
        return any(OMEGA in tokens.values() for tokens in self.markings)

    def __repr__(self) -> str:
        markings, arcs = counted(len(self.markings), "marking"), counted(len(self.arcs), "arc")
        return f"<MarkingGraph of {printable(self.net.name)}: {markings}, {arcs}>"


def marking_graph(net: Net, most: int, budget: Budget | None = None) -> MarkingGraph | None:
    """Return the graph; None where it has more markings than `most`."""
    tree, limits = whole_tree(net, recent=0), budget or Budget()
    none = np.zeros((0, len(net.places)), dtype=np.int64)
    while not tree.ended and len(tree.nodes) <= most:
        tree.explore(none, np.zeros(0, dtype=np.int64), 1, limits)
    if not tree.complete or len(tree.nodes) > most:
        return None
    places = {number: net.places[number] for number in net.known}
    markings = tuple(
        {places[p]: count for p, count in sorted(node.tokens.items()) if p in places}
        for node in tree.nodes
    )
    return MarkingGraph(net, markings, tuple(_arcs(net, tree, limits)))


def _arcs(net: Net, tree: KarpMiller, budget: Budget) -> Iterator[MarkingArc]:
    """Yield the firings in the markings of a tree."""
    markings = [node.tokens for node in tree.nodes]
    numbers = {frozenset(tokens.items()): n for n, tokens in reversed([*enumerate(markings)])}
    children = {(node.parent, node.transition): n for n, node in enumerate(tree.nodes)}
    for source, tokens in watched(enumerate(markings), budget):
        for number, transition in enumerate(net.transitions):
            if all(tokens.get(place, 0) >= weight for place, weight in transition.pre):
                child = children.get((source, number))
                if child is None:
                    after = fired(tokens, transition)
                    child = numbers.get(frozenset(after.items()))
                if child is None:  # Less than a marking to which tokens were added.
                    child = next(n for n, other in enumerate(markings) if below(after, other))
                yield MarkingArc(source, child, transition.name)


def state_graph(graph: MarkingGraph, target: Formula = FALSE) -> StateGraph:
    """Return the graph as it is drawn, one arrow for all firings between two markings.

    Those in the target are marked, unless there is ω, which stands for many.
    """
    leaving = {arc.source for arc in graph.arcs}
    unbounded = graph.unbounded
    texts = (marking_text(graph.net, marking) for marking in graph.markings)
    states = [
        DrawnState(text, frozenset(_roles(graph, marking, target, number in leaving)))
        for number, (text, marking) in enumerate(zip(texts, graph.markings, strict=True))
    ]
    states[0] = replace(states[0], roles=states[0].roles | {Role.INITIAL})
    names: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for arc in graph.arcs:
        names[arc.source, arc.target].append(graph.net.shown.transition(arc.transition))
    arrows = (StateArc(*ends, tuple(several)) for ends, several in names.items())
    return StateGraph(tuple(states), tuple(arrows), COVERING if unbounded else "")


def _roles(
    graph: MarkingGraph, marking: Mapping[str, float], target: Formula, leaves: bool
) -> Iterator[Role]:
    """Yield the roles of a marking that is not the initial one."""
    if not leaves:
        yield Role.DEAD
    if target == FALSE or graph.unbounded:
        return
    values = {place: int(marking.get(place, 0)) for place in graph.net.places}
    hidden = graph.net.origin.hidden if graph.net.origin else {}
    values |= {place: tokens.evaluate(values) for place, tokens in hidden.items()}
    if evaluate(target, values):
        yield Role.TARGET


def marking_text(net: Net, marking: Mapping[str, float]) -> str:
    """Return the marked places, such as `p + 2*q`."""
    named = ((shown_name(net.shown.place(place)), count) for place, count in marking.items())
    return " + ".join(f"{_times(count)}{name}" for name, count in named) or "empty"


def _times(count: Any) -> str:
    return "" if count == 1 else "ω*" if count == OMEGA else f"{number_text(count)}*"
