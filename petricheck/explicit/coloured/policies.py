"""How walks choose one of the enabled transitions; no policy suits all nets, so they take turns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
)
from petricheck.arithmetic.formulas.terms import Term
from petricheck.explicit.coloured.walk import ColouredWalk
from petricheck.model.net import Net

Policy: TypeAlias = Callable[[Sequence[int]], int]
"""Returns one of the enabled transitions."""

Distance: TypeAlias = Callable[[Sequence[int]], int]
"""Returns about how many tokens, by place, are missing or too many."""

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
        totals = walk.totals

        def after(number: int) -> int:
            for place, change in effects[number]:
                totals[place] += change
            result = distance(totals)
            for place, change in effects[number]:
                totals[place] -= change
            return result

        few = len(enabled) <= _CANDIDATES
        candidates = enabled if few else [draw(enabled) for _ in range(_CANDIDATES)]
        return min(candidates, key=lambda number: (after(number), random.random()))

    return choose


def _aside(strictly: bool) -> float:
    return 0.0 if strictly else _ASIDE


def distance_to(target: Formula, numbers: Mapping[str, int]) -> Distance:
    """Return the distance to a target in normal form; places have these numbers in the totals.

    The least of alternatives counts, and what has to hold together is added up. What is no place,
    and a congruence, does not count.
    """
    match target:
        case Conjunction(operands):
            every = [distance_to(operand, numbers) for operand in operands]
            return lambda totals: sum([part(totals) for part in every])
        case Disjunction(operands):
            some = [distance_to(operand, numbers) for operand in operands]
            return lambda totals: min([part(totals) for part in some], default=1)
        case Inequality(term) if _is_of_places(term, numbers):
            value = _value(term, numbers)
            return lambda totals: max(0, value(totals))
        case Equality(term) if _is_of_places(term, numbers):
            value = _value(term, numbers)
            return lambda totals: abs(value(totals))
    return lambda totals: 0


def _is_of_places(term: Term, numbers: Mapping[str, int]) -> bool:
    return all(name in numbers for name, _ in term.coefficients)


def _value(term: Term, numbers: Mapping[str, int]) -> Distance:
    pairs, constant = [(numbers[name], k) for name, k in term.coefficients], term.constant
    return lambda totals: sum([k * totals[place] for place, k in pairs], constant)
