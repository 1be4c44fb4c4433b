"""Half-spaces that carry a label along a path, where those that are known do not (ForceCover).

Firing a path adds Δ to a marking m, and fires where m ≥ h, the path's *hurdle*: of each place, the
most by which a firing needs more than those before it put. So s·m ≤ U at the start and s ≥ c give

    c·(m + Δ) = s·m − (s − c)·m + c·Δ ≤ U − (s − c)·h + c·Δ

at the end. In between a place weighs as in s up to the firing that needs all of its hurdle, and as
in c from then on: so each half-space follows from the one before by the pair rule. With c = 0 and a
negative bound the same shows that the path does not fire.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from petricheck.linear import HalfSpace, at_least, combination, product, sparse
from petricheck.problem import Transition, Weights


def carried(
    firings: Sequence[Transition], known: Iterable[HalfSpace], goal: HalfSpace
) -> tuple[HalfSpace, ...] | None:
    """Half-spaces, before and after each firing, by which a single known one implies the goal.

    Args:
        firings: the path.
        known: what holds before it, besides 0·m ≤ 0.
        goal: what is to hold after it.

    Returns:
        As weak as they may be; None where no half-space that is known implies the goal.
    """
    hurdle, last = _hurdle(firings)
    change = product(goal.direction, combination((1, t.effect) for t in firings))
    for source in (HalfSpace((), 0), *known):
        if at_least(source.direction, goal.direction):
            surplus = combination(((1, source.direction), (-1, goal.direction)))
            if source.bound - product(surplus, hurdle) + change <= goal.bound:
                return _between(firings, source, surplus, last, goal)
    return None


def _hurdle(firings: Sequence[Transition]) -> tuple[Weights, dict[int, int]]:
    """The hurdle, and for each of its places the number of the firing that needs it first."""
    least: dict[int, int] = {}
    last: dict[int, int] = {}
    put: dict[int, int] = {}
    for number, firing in enumerate(firings):
        for place, weight in firing.pre:
            needed = weight - put.get(place, 0)
            if needed > least.get(place, 0):
                least[place], last[place] = needed, number
        for place, change in firing.effect:
            put[place] = put.get(place, 0) + change
    return sparse(least.items()), last


def _between(
    firings: Sequence[Transition],
    source: HalfSpace,
    surplus: Weights,
    last: dict[int, int],
    goal: HalfSpace,
) -> tuple[HalfSpace, ...]:
    """The half-spaces before the first firing and after each one; the last is the goal."""
    unneeded = tuple((place, -weight) for place, weight in surplus if place not in last)
    spaces = [HalfSpace(combination(((1, source.direction), (1, unneeded))), source.bound)]
    for number, firing in enumerate(firings):
        before = spaces[-1]
        dropped = tuple((p, weight) for p, weight in surplus if last.get(p) == number)
        after = combination(((1, before.direction), (-1, dropped)))
        bound = before.bound - product(dropped, firing.pre) + product(after, firing.effect)
        spaces.append(HalfSpace(after, bound))
    return (*spaces[:-1], goal)
