"""A place invariant, with its value."""

from __future__ import annotations

from dataclasses import dataclass

from petricheck.presburger.formulas import Equality
from petricheck.presburger.terms import linear
from petricheck.problem import Marking, Net, Weights


@dataclass(frozen=True, slots=True)
class PlaceInvariant:
    """weights·m = value in every reachable marking.

    Attributes:
        weights: y, sparse over the places.
        value: y·m0.
    """

    weights: Weights
    value: int

    def holds(self, marking: Marking) -> bool:
        """Whether the sum has its value in this marking."""
        return sum(weight * marking[place] for place, weight in self.weights) == self.value

    def formula(self, net: Net) -> Equality:
        """The invariant over place ids."""
        return Equality(linear(((net.places[p], w) for p, w in self.weights), -self.value))


def invariant(net: Net, weights: Weights) -> PlaceInvariant:
    """With its value."""
    return PlaceInvariant(weights, sum(w * net.initial[p] for p, w in weights))
