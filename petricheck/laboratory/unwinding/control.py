"""Locations of a net: which places of its control groups (`flows.control`) are marked.

That depends on the transitions fired alone, so a path of the unwinding leads to one location, and
the label that says which it is follows from the parent's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from petricheck.laboratory.unwinding.labels import Label
from petricheck.problem import Transition, Weights

Location: TypeAlias = tuple[tuple[int, int], ...]
"""(place, tokens) for the places of all groups, in ascending order."""


@dataclass(frozen=True, slots=True)
class Control:
    """The control places of a net; none of them is a single location."""

    groups: tuple[tuple[int, ...], ...] = ()

    def initial(self, marking: Sequence[int]) -> Location:
        """Where the net starts."""
        return tuple((place, marking[place]) for place in sorted(p for g in self.groups for p in g))

    def after(self, location: Location, transition: Transition) -> Location:
        """Where a firing leads."""
        effect = dict(transition.effect)
        return tuple((place, tokens + effect.get(place, 0)) for place, tokens in location)

    def label(self, location: Location) -> Label:
        """What the location says of the marking."""
        bounds: dict[Weights, int] = {((place, 1),): tokens for place, tokens in location}
        bounds |= {((place, -1),): -tokens for place, tokens in location if tokens}
        return Label(bounds)
