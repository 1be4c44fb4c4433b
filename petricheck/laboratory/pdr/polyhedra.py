"""Polyhedra: what an obligation asks for, and what a clause forbids. Conjunctions of half-spaces.

m ≥ 0 is understood. The comparisons here are by vectors and by the bounds of single places: they
may miss that a polyhedron is empty or within another, but never claim it wrongly.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from petricheck.linear import HalfSpace, scaled
from petricheck.presburger.formulas import Atom, Cube, Disjunction, Equality, Formula
from petricheck.problem import Marking, Net, Weights


@dataclass(frozen=True)
class Polyhedron:
    """All m ≥ 0 in these half-spaces; see `polyhedron`.

    Attributes:
        sides: primitive, sorted, one for each direction, none that m ≥ 0 implies.
    """

    sides: tuple[HalfSpace, ...]

    def __contains__(self, marking: Marking) -> bool:
        return all(side.holds(marking) for side in self.sides)

    def cube(self, net: Net) -> Cube:
        """The sides as atoms over place ids, each two that make an equality as one."""
        found: list[Atom] = []
        for side in self.sides:
            inequality = side.inequality(net)
            if self._bounds.get(scaled(side.direction, -1)) != -side.bound:
                found.append(inequality)
            elif side.direction[0][1] > 0:
                found.append(Equality(inequality.term))
        return tuple(found)

    def clause(self, net: Net) -> Formula:
        """That a marking is outside: a disjunction, of one half-space too."""
        return Disjunction(tuple(side.complement().inequality(net) for side in self.sides))

    def within(self, other: Polyhedron) -> bool:
        """Whether it is plainly a part of the other."""
        return all(self._implies(side) for side in other.sides)

    @property
    def plainly_empty(self) -> bool:
        """Whether one side contradicts another, or the bounds of its places."""
        return any(self._exceeds(side.direction, side.bound) for side in self.sides)

    def _implies(self, side: HalfSpace) -> bool:
        return self._exceeds(scaled(side.direction, -1), -side.bound - 1)

    def _exceeds(self, direction: Weights, bound: int) -> bool:
        """Whether c·m is plainly above the bound."""
        least = self._least(direction)
        return least is not None and least > bound

    def _least(self, direction: Weights) -> int | None:
        """A lower bound on c·m: minus the bound of −c·m, or what the places' bounds sum up to."""
        opposite = self._bounds.get(scaled(direction, -1))
        if opposite is not None:
            return -opposite
        low, high = self._low, self._high
        if any(weight < 0 and place not in high for place, weight in direction):
            return None
        return sum(
            weight * (low.get(place, 0) if weight > 0 else high[place])
            for place, weight in direction
        )

    @cached_property
    def _bounds(self) -> dict[Weights, int]:
        return {side.direction: side.bound for side in self.sides}

    @cached_property
    def _low(self) -> dict[int, int]:
        return {d[0][0]: -k for d, k in self._bounds.items() if len(d) == 1 and d[0][1] == -1}

    @cached_property
    def _high(self) -> dict[int, int]:
        return {d[0][0]: k for d, k in self._bounds.items() if len(d) == 1 and d[0][1] == 1}


def polyhedron(sides: Iterable[HalfSpace]) -> Polyhedron:
    """The polyhedron with these sides, tidied."""
    bounds: dict[Weights, int] = {}
    for side in map(HalfSpace.primitive, sides):
        bounds[side.direction] = min(side.bound, bounds.get(side.direction, side.bound))
    kept = (
        HalfSpace(direction, bound)
        for direction, bound in sorted(bounds.items())
        if bound < 0 or any(weight > 0 for _, weight in direction)
    )
    return Polyhedron(tuple(kept))
