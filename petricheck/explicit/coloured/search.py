"""Traces to targets by random walks of a coloured net; all targets are watched together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, count, groupby
from random import Random

from petricheck.arithmetic.formulas.formulas import Formula, normal, variables
from petricheck.evidence.answer import Trace
from petricheck.explicit.coloured.distances import distance_to, truth
from petricheck.explicit.coloured.policies import (
    Policy,
    any_of,
    in_order,
    nearest,
    rare,
)
from petricheck.explicit.coloured.walk import ColouredWalk
from petricheck.model.coloured.net import Transition
from petricheck.model.coloured.skeleton import Skeleton
from petricheck.model.coloured.sorts import basic_sorts
from petricheck.model.net import Net
from petricheck.support.budget import Budget

_SHORTEST, _COLOURS, _DOUBLINGS = 100, 1_000, 8
"""The firings of a shortest walk, or two for each colour of a sort if these are no more; others are
twice as long, up to so many times."""

_MOST_PARTS = 200
"""The steps to a binding call each other."""


def traces(
    net: Net, targets: Sequence[Formula], aims: Sequence[Formula], budget: Budget
) -> Iterator[tuple[int, Trace]]:
    """Yield the number of each target that a walk reaches, with the trace of bindings.

    Nothing is yielded for a net with more initial tokens or tokens of an arc than are listed, or
    with a transition of very many arcs and variables.

    Args:
        net: a skeleton.
        targets: formulas over it.
        aims: for each a formula over its places, to which some walks lead.
        budget: limits.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    assert isinstance(net.origin, Skeleton)
    coloured = net.origin.coloured
    if not coloured.is_listed or max(map(_parts, coloured.transitions), default=0) > _MOST_PARTS:
        return
    random = Random(0)
    names = dict.fromkeys(chain.from_iterable(map(variables, targets)))
    observed = [name for name in names if name not in net.place_numbers]
    walk = ColouredWalk(coloured, observed, random)
    numbers = {name: number for number, name in enumerate((*net.places, *observed))}
    sizes = (sort.size for place in coloured.places for sort in basic_sorts(place.sort))
    shortest = max(_SHORTEST, 2 * min(_COLOURS, max(sizes, default=0)))
    remaining = {number: truth(target, numbers) for number, target in enumerate(targets)}
    for number in count():
        walk.back()
        aim = aims[random.choice([*remaining])]
        choose = _policy(walk, random, net, aim, number)
        walk.draws.few = bool(number // 5 & 1)
        length = shortest << _doublings(number // 10)
        for _ in range(length):
            budget.check()
            if walk.is_known:
                for reached in [n for n, holds in remaining.items() if holds(walk.values)]:
                    del remaining[reached]
                    yield reached, _trace(walk)
            if not remaining or not walk.enabled:
                break
            walk.fire(choose(walk.enabled))
        if not remaining:
            return


def _parts(transition: Transition) -> int:
    """Return how many steps a binding of the transition may take."""
    return len(transition.variables) + sum(len(multiset) for _, multiset in transition.pre)


def _doublings(number: int) -> int:
    """Return 0, 0, 1, 0, 0, 1, 2, …: how often a walk of this number is twice as long."""
    number += 1
    while number & (number + 1):
        number -= (1 << (number.bit_length() - 1)) - 1
    return min(number.bit_length() - 1, _DOUBLINGS)


def _policy(walk: ColouredWalk, random: Random, net: Net, aim: Formula, number: int) -> Policy:
    """Return how the walk of this number chooses transitions."""
    strictly = bool(number // 10 & 1)
    match number % 5:
        case 0:
            return any_of(random)
        case 1:
            return rare(walk, random)
        case 2:
            return in_order(walk, random, strictly=strictly)
    distance = distance_to(normal(aim), net.place_numbers)
    return nearest(walk, random, net, distance, strictly=strictly)


def _trace(walk: ColouredWalk) -> Trace:
    """Return the firings since the initial marking, those in a row together."""
    names = (enabled.plan.transition.text(enabled.binding) for _, enabled in walk.trace)
    return Trace(tuple((name, sum(1 for _ in group)) for name, group in groupby(names)))
