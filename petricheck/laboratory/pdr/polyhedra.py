"""Polyhedra, for obligations and for clauses: conjunctions of half-spaces.

m ≥ 0 is implicit. Emptiness and inclusion are decided side by side: the test may miss them, but
never claims them wrongly.

Markings from which a transition leads into a polyhedron are known in closed form: t fires n times
in a row from m iff m is at least the hurdle of t^n, u_t + (n−1)·max(0, −δ_t). Each side c·m ≤ k of
the polyhedron then reads c·m + n·c·δ_t ≤ k before. Some n ≥ 1 is eliminated by adding lower to
upper bounds of n (Fourier and Motzkin), which is exact over the integers where in every such pair
one of the factors of n is 1, or where an equality has n with factor 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from petricheck.arithmetic.formulas.formulas import Atom, Cube, Disjunction, Equality, Formula
from petricheck.model.net import Marking, Net, Transition, Weights
from petricheck.symbolic.linear import HalfSpace, combination, product, scaled

PAIRS = 256
"""Limit of pairs of bounds, above which the transition fires once."""


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
        """Return the sides as atoms over place ids, and two that make an equality as one."""
        literals: list[Atom] = []
        for side in self.sides:
            inequality = side.inequality(net)
            if self._bounds.get(scaled(side.direction, -1)) != -side.bound:
                literals.append(inequality)
            elif side.direction[0][1] > 0:
                literals.append(Equality(inequality.term))
        return tuple(literals)

    def clause(self, net: Net) -> Formula:
        """Return the formula of the markings outside: a disjunction, also of one half-space."""
        return Disjunction(tuple(side.complement().inequality(net) for side in self.sides))

    def within(self, other: Polyhedron) -> bool:
        """Return whether it is a part of the other, side by side."""
        return all(self._bounds.get(s.direction, s.bound + 1) <= s.bound for s in other.sides)

    @property
    def plainly_empty(self) -> bool:
        """Return whether a side contradicts another side, or m ≥ 0."""
        return any(
            -self._bounds.get(scaled(c, -1), 0 if all(w > 0 for _, w in c) else -b) > b
            for c, b in self._bounds.items()
        )

    @property
    def upward_closed(self) -> bool:
        """Return whether more tokens lead out of no side."""
        return all(weight < 0 for side in self.sides for _, weight in side.direction)

    @cached_property
    def _bounds(self) -> dict[Weights, int]:
        return {side.direction: side.bound for side in self.sides}


def polyhedron(sides: Iterable[HalfSpace]) -> Polyhedron:
    """Return the polyhedron with these sides, in normal form."""
    bounds: dict[Weights, int] = {}
    for side in map(HalfSpace.primitive, sides):
        bounds[side.direction] = min(side.bound, bounds.get(side.direction, side.bound))
    half_spaces = (
        HalfSpace(direction, bound)
        for direction, bound in sorted(bounds.items())
        if bound < 0 or any(weight > 0 for _, weight in direction)
    )
    return Polyhedron(tuple(half_spaces))


def above(marking: Marking) -> Polyhedron:
    """Return the markings at or above this one."""
    return polyhedron(HalfSpace(((place, -1),), -tokens) for place, tokens in enumerate(marking))


def exactly(marking: Marking) -> Polyhedron:
    """Return this marking alone."""
    most = (HalfSpace(((place, 1),), tokens) for place, tokens in enumerate(marking))
    return polyhedron((*above(marking).sides, *most))


@dataclass(frozen=True, slots=True)
class _ScaledBound:
    """direction·m + factor·n ≤ bound."""

    direction: Weights
    factor: int
    bound: int


def before_firing(transition: Transition, after: Polyhedron) -> Polyhedron:
    """Return the markings from which one firing leads into `after`."""
    hurdle = (HalfSpace(((place, -1),), -weight) for place, weight in transition.pre)
    return polyhedron((*hurdle, *(shifted(side, transition) for side in after.sides)))


def before_firings(transition: Transition, after: Polyhedron) -> Polyhedron | None:
    """Return the markings from which some number n ≥ 1 of firings leads into `after`.

    None where they are no polyhedron, or are not shown to be one.
    """
    bounds = _bounds(transition, after)
    lower = [bound for bound in bounds if bound.factor < 0] + [_ScaledBound((), -1, -1)]
    upper = [bound for bound in bounds if bound.factor > 0]
    if len(lower) * len(upper) > PAIRS or not _exact(lower, upper):
        return None
    fixed = (HalfSpace(bound.direction, bound.bound) for bound in bounds if not bound.factor)
    return polyhedron((*fixed, *_combined(lower, upper)))


def least_number(transition: Transition, after: Polyhedron, marking: Marking) -> int | None:
    """Return the least n ≥ 1 such that n firings lead from the marking into `after`, or None."""
    least, most = 1, None
    for bound in _bounds(transition, after):
        slack = bound.bound - sum(weight * marking[place] for place, weight in bound.direction)
        if not bound.factor and slack < 0:
            return None
        if bound.factor < 0:
            least = max(least, -(slack // -bound.factor))
        elif bound.factor > 0:
            limit = slack // bound.factor
            most = limit if most is None else min(limit, most)
    return least if most is None or least <= most else None


def shifted(side: HalfSpace, transition: Transition) -> HalfSpace:
    """Return the half-space that holds before the firing iff the side holds after it."""
    change = product(side.direction, transition.effect)
    return HalfSpace(side.direction, side.bound - change)


def _bounds(transition: Transition, after: Polyhedron) -> list[_ScaledBound]:
    """Return the constraints on m and n ≥ 1."""
    effect = dict(transition.effect)
    bounds = []
    for place, weight in transition.pre:
        consumption = max(0, -effect.get(place, 0))
        bounds.append(_ScaledBound(((place, -1),), consumption, consumption - weight))
    for side in after.sides:
        factor = product(side.direction, transition.effect)
        bounds.append(_ScaledBound(side.direction, factor, side.bound))
    return bounds


def _exact(lower: Sequence[_ScaledBound], upper: Sequence[_ScaledBound]) -> bool:
    if all(low.factor == -1 for low in lower) or all(high.factor == 1 for high in upper):
        return True
    if all(min(-low.factor, high.factor) == 1 for low in lower for high in upper):
        return True
    units = {(b.direction, b.bound) for b in lower if b.factor == -1}
    return any((scaled(b.direction, -1), -b.bound) in units for b in upper if b.factor == 1)


def _combined(lower: Sequence[_ScaledBound], upper: Sequence[_ScaledBound]) -> Iterator[HalfSpace]:
    for low in lower:
        for high in upper:
            direction = combination(((high.factor, low.direction), (-low.factor, high.direction)))
            yield HalfSpace(direction, high.factor * low.bound - low.factor * high.bound)
