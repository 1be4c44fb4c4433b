"""Locations of a net: the tokens on the places of its control groups (`facts.semiflows`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TypeAlias

from petricheck.model.net import Net, Transition

Location: TypeAlias = tuple[tuple[int, int], ...]
"""(place, tokens) for the places of all control groups, in ascending order.

It depends on the transitions fired alone, so that a path leads to one location.
"""


def initial_location(net: Net, groups: Iterable[Sequence[int]]) -> Location:
    """Return the location of the initial marking."""
    return tuple((place, net.initial[place]) for place in sorted(chain.from_iterable(groups)))


def location_after(location: Location, transition: Transition) -> Location | None:
    """Return the location after a firing; None where the location disables it."""
    guard, effect = dict(transition.pre), dict(transition.effect)
    if any(tokens < guard.get(place, 0) for place, tokens in location):
        return None
    return tuple((place, tokens + effect.get(place, 0)) for place, tokens in location)
