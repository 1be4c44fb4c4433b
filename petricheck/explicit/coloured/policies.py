"""How walks choose one of the enabled transitions; no policy suits all nets, so they take turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

from petricheck.explicit.coloured.distances import Distance
from petricheck.explicit.coloured.walk import ColouredWalk
from petricheck.model.net import Net

Policy: TypeAlias = Callable[[Sequence[int]], int]
"""Returns one of the enabled transitions."""

_ASIDE = 1 / 16
"""How often policies that are not strict choose any transition."""

_CANDIDATES = 8
"""Of so many transitions, drawn where more are enabled, one is that which leads nearest."""


def any_of(random: Random) -> Policy:
    """Return the policy that prefers nothing."""
    draw = random.random
    return lambda enabled: enabled[int(draw() * len(enabled))]


def rare(walk: ColouredWalk, random: Random) -> Policy:
    """Return the policy that of two transitions takes that which has fired less often."""
    draw = any_of(random)
    return lambda enabled: min(draw(enabled), draw(enabled), key=walk.fired.__getitem__)


def in_order(walk: ColouredWalk, random: Random, *, strictly: bool) -> Policy:
    """Return a policy that prefers transitions by some order.

    So some places fill, and others run empty.
    """
    draw, aside = any_of(random), _aside(strictly)
    order = random.sample(range(len(walk.fired)), len(walk.fired))
    return lambda enabled: (
        draw(enabled) if random.random() < aside else min(enabled, key=order.__getitem__)
    )


def nearest(
    walk: ColouredWalk, random: Random, net: Net, distance: Distance, *, strictly: bool
) -> Policy:
    """Return a policy that prefers transitions after which the totals are nearest to a target."""
    draw, aside, effects = any_of(random), _aside(strictly), [t.effect for t in net.transitions]

    def choose(enabled: Sequence[int]) -> int:
        if random.random() < aside:
            return draw(enabled)
        values = walk.values

        def after(number: int) -> int:
            for place, change in effects[number]:
                values[place] += change
            result = distance(values)
            for place, change in effects[number]:
                values[place] -= change
            return result

        few = len(enabled) <= _CANDIDATES
        candidates = enabled if few else [draw(enabled) for _ in range(_CANDIDATES)]
        return min(candidates, key=lambda number: (after(number), random.random()))

    return choose


def _aside(strictly: bool) -> float:
    return 0.0 if strictly else _ASIDE
