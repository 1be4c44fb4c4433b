"""Markings from which a transition leads into a polyhedron, in closed form.

t fires n times in a row from m iff m is at least the hurdle of t^n, u_t + (n−1)·max(0, −δ_t). Each
side c·m ≤ k of the polyhedron then reads c·m + n·c·δ_t ≤ k before. Some n ≥ 1 is left out by
adding lower to upper bounds of n (Fourier and Motzkin), which is exact over the integers where in
every such pair one of the factors of n is 1, or where an equality has n with factor 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from petricheck.laboratory.pdr.polyhedra import Polyhedron, polyhedron
from petricheck.linear import HalfSpace, combination, product
from petricheck.problem import Marking, Transition, Weights

PAIRS = 256
"""Where there are more pairs of bounds, the transition is fired once."""


@dataclass(frozen=True, slots=True)
class _Bound:
    """direction·m + factor·n ≤ bound."""

    direction: Weights
    factor: int
    bound: int


def once(transition: Transition, after: Polyhedron) -> Polyhedron:
    """From where one firing leads into `after`."""
    hurdle = (HalfSpace(((place, -1),), -weight) for place, weight in transition.pre)
    return polyhedron((*hurdle, *(shifted(side, transition) for side in after.sides)))


def any_number(transition: Transition, after: Polyhedron) -> Polyhedron | None:
    """From where some number n ≥ 1 of firings leads into `after`.

    None where this is no polyhedron, or is not seen to be one.
    """
    bounds = _bounds(transition, after)
    lower = [bound for bound in bounds if bound.factor < 0] + [_Bound((), -1, -1)]
    upper = [bound for bound in bounds if bound.factor > 0]
    if len(lower) * len(upper) > PAIRS or not _exact(lower, upper):
        return None
    rest = (HalfSpace(bound.direction, bound.bound) for bound in bounds if not bound.factor)
    return polyhedron((*rest, *_added(lower, upper)))


def least_number(transition: Transition, after: Polyhedron, marking: Marking) -> int | None:
    """The least n ≥ 1 such that n firings lead from the marking into `after`; None where none."""
    least, most = 1, None
    for bound in _bounds(transition, after):
        room = bound.bound - sum(weight * marking[place] for place, weight in bound.direction)
        if not bound.factor and room < 0:
            return None
        if bound.factor < 0:
            least = max(least, -(room // -bound.factor))
        elif bound.factor > 0:
            limit = room // bound.factor
            most = limit if most is None else min(limit, most)
    return least if most is None or least <= most else None


def shifted(side: HalfSpace, transition: Transition) -> HalfSpace:
    """What holds before the firing iff the side holds after it."""
    change = product(side.direction, transition.effect)
    return HalfSpace(side.direction, side.bound - change)


def refusing(transition: Transition, after: Polyhedron) -> HalfSpace | None:
    """A side that no firing leads into: c ≥ 0, and the tokens that it puts are too many."""
    put = dict(transition.post)
    for side in after.sides:
        if all(weight > 0 for _, weight in side.direction) and (
            sum(weight * put.get(place, 0) for place, weight in side.direction) > side.bound
        ):
            return side
    return None


def within(
    transition: Transition, after: Polyhedron, forbidden: Polyhedron
) -> frozenset[HalfSpace] | None:
    """Sides of `after` such that firings into these plainly start in `forbidden`.

    None where that is not seen.
    """
    taken = dict(transition.pre)
    before = {side.direction: side for side in after.sides}
    reasons = set()
    for wanted in forbidden.sides:
        if all(weight < 0 for _, weight in wanted.direction) and (
            sum(weight * taken.get(place, 0) for place, weight in wanted.direction) <= wanted.bound
        ):
            continue
        side = before.get(wanted.direction)
        if side is None or shifted(side, transition).bound > wanted.bound:
            return None
        reasons.add(side)
    return frozenset(reasons)


def _bounds(transition: Transition, after: Polyhedron) -> list[_Bound]:
    """What m and n ≥ 1 have to satisfy."""
    effect = dict(transition.effect)
    found = []
    for place, weight in transition.pre:
        taken = max(0, -effect.get(place, 0))
        found.append(_Bound(((place, -1),), taken, taken - weight))
    for side in after.sides:
        factor = product(side.direction, transition.effect)
        found.append(_Bound(side.direction, factor, side.bound))
    return found


def _exact(lower: Sequence[_Bound], upper: Sequence[_Bound]) -> bool:
    if all(low.factor == -1 for low in lower) or all(high.factor == 1 for high in upper):
        return True
    if all(min(-low.factor, high.factor) == 1 for low in lower for high in upper):
        return True
    units = {(b.direction, b.bound) for b in lower if b.factor == -1}
    return any((_opposite(b), -b.bound) in units for b in upper if b.factor == 1)


def _opposite(bound: _Bound) -> Weights:
    return tuple((place, -weight) for place, weight in bound.direction)


def _added(lower: Sequence[_Bound], upper: Sequence[_Bound]) -> Iterator[HalfSpace]:
    for low in lower:
        for high in upper:
            direction = combination(((high.factor, low.direction), (-low.factor, high.direction)))
            yield HalfSpace(direction, high.factor * low.bound - low.factor * high.bound)
