"""Places that stay empty, and places that stay marked.

An unmarked siphon stays unmarked: whatever would put tokens on it needs tokens from it. A marked
trap stays marked: whatever takes tokens from it puts tokens on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from petricheck.problem import Marking, Net, Transition, Weights

PlaceSet: TypeAlias = int
"""Places as bits."""

SHRUNK = 40
"""Traps with more places are not made smaller."""


def place_set(places: Iterable[int]) -> PlaceSet:
    """The set of these place numbers."""
    bits = 0
    for place in places:
        bits |= 1 << place
    return bits


def members(places: PlaceSet) -> frozenset[int]:
    """The place numbers in the set."""
    return frozenset(n for n, bit in enumerate(bin(places)[:1:-1]) if bit == "1")


def empty_places(net: Net) -> frozenset[int]:
    """The largest unmarked siphon: the places that no firing sequence can mark, counts ignored."""
    marked = place_set(place for place, tokens in enumerate(net.initial) if tokens)
    waiting = [(_places(t.pre), _places(t.post)) for t in net.transitions]
    growing = True
    while growing:
        growing = False
        blocked = []
        for pre, post in waiting:
            if pre & ~marked:
                blocked.append((pre, post))
            elif post & ~marked:
                marked |= post
                growing = True
        waiting = blocked
    return frozenset(range(len(net.places))) - members(marked)


class Traps:
    """The traps of some transitions."""

    def __init__(self, transitions: Sequence[Transition]) -> None:
        """The traps of these."""
        pairs = {(_places(t.pre), _places(t.post)) for t in transitions}
        self._pairs = sorted((pre, post) for pre, post in pairs if pre & ~post)

    def find(self, within: Iterable[int], initial: Marking) -> frozenset[int] | None:
        """A trap within these places that is marked initially, or None where there is none."""
        marked = place_set(place for place, tokens in enumerate(initial) if tokens)
        found = self._largest(place_set(within))
        if not found & marked:
            return None
        places = members(found)
        if len(places) <= SHRUNK:
            for place in sorted(places):
                smaller = self._largest(found & ~(1 << place))
                if found >> place & 1 and smaller & marked:
                    found = smaller
        return members(found)

    def _largest(self, places: PlaceSet) -> PlaceSet:
        """The largest trap among these places."""
        shrinking = True
        while shrinking:
            shrinking = False
            for pre, post in self._pairs:
                if pre & places and not post & places:
                    places &= ~pre
                    shrinking = True
        return places


def _places(weights: Weights) -> PlaceSet:
    return place_set(place for place, _ in weights)
