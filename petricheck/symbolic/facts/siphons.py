"""Siphons and traps of a net: which places stay empty, and which sets of places stay marked.

A *siphon* is a set of places such that every transition that puts on it takes from it; an empty
siphon stays empty, and what takes from it is dead. A *trap* is a set such that every transition
that takes from it puts on it; a marked trap stays marked. Unions keep either property, so every
set of places contains a greatest siphon and a greatest trap, found in time linear in the arcs
(Commoner 1972; Murata 1989, section V.C).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence, Set

from petricheck.arithmetic.formulas.formulas import Inequality, at_least
from petricheck.arithmetic.formulas.terms import linear
from petricheck.model.net import Net, Transition, Weights, cached_by_net


def greatest_siphon(transitions: Iterable[Transition], within: Iterable[int]) -> frozenset[int]:
    """Return the greatest siphon among these places; it may be empty."""
    return _greatest_closed_set([(t.post, t.pre) for t in transitions], within)


def greatest_trap(transitions: Iterable[Transition], within: Iterable[int]) -> frozenset[int]:
    """Return the greatest trap among these places; it may be empty."""
    return _greatest_closed_set([(t.pre, t.post) for t in transitions], within)


@cached_by_net
def empty_siphon(net: Net) -> frozenset[int]:
    """Return the greatest siphon that is empty in the initial marking."""
    unmarked = (place for place, tokens in enumerate(net.initial) if not tokens)
    return greatest_siphon(net.transitions, unmarked)


def unblocked_transitions(net: Net, siphon: frozenset[int]) -> tuple[Transition, ...]:
    """Return the transitions that take nothing from an empty siphon.

    The others never fire.
    """
    return tuple(t for t in net.transitions if siphon.isdisjoint(place for place, _ in t.pre))


def sufficient_siphon(net: Net, siphon: Set[int], transitions: Iterable[int]) -> frozenset[int]:
    """Return a siphon within this one from which these transitions, which take from it, take."""
    selection, pending = set[int](), list(transitions)
    while pending:
        inputs = [place for place, _ in net.transitions[pending.pop()].pre if place in siphon]
        if selection.isdisjoint(inputs):
            selection.add(inputs[0])
            pending += _givers(net)[inputs[0]]
    return frozenset(selection)


@cached_by_net
def _givers(net: Net) -> Sequence[Sequence[int]]:
    """Return the transitions that put on each place."""
    givers: list[list[int]] = [[] for _ in net.places]
    for number, transition in enumerate(net.transitions):
        for place, _ in transition.post:
            givers[place].append(number)
    return givers


def trap_fact(net: Net, places: Iterable[int]) -> Inequality:
    """Return the formula that some of these places has a token."""
    return at_least(linear((net.places[place], 1) for place in places), 1)


def _greatest_closed_set(
    arcs: Sequence[tuple[Weights, Weights]], within: Iterable[int]
) -> frozenset[int]:
    """Return the greatest set in `within` that meets a pair's second wherever its first."""
    inside = set(within)
    support = [sum(place in inside for place, _ in second) for _, second in arcs]
    users: dict[int, list[int]] = defaultdict(list)
    for number, (_, second) in enumerate(arcs):
        for place, _ in second:
            users[place].append(number)
    unsupported = [number for number, count in enumerate(support) if not count]
    while unsupported:
        for place, _ in arcs[unsupported.pop()][0]:
            if place in inside:
                inside.remove(place)
                for number in users[place]:
                    support[number] -= 1
                    if not support[number]:
                        unsupported.append(number)
    return frozenset(inside)
