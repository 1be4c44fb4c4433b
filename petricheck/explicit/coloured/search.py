"""Traces to targets by random walks of a coloured net; all targets are watched together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, count, groupby
from random import Random

from petricheck.arithmetic.formulas.formulas import Formula, variables
from petricheck.evidence.answer import Trace
from petricheck.explicit.coloured.walk import ColouredWalk, truth
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

_ASIDE = 1 / 16
"""How often some of the walks by an order fire any transition."""


def traces(net: Net, targets: Sequence[Formula], budget: Budget) -> Iterator[tuple[int, Trace]]:
    """Yield the number of each target that a walk reaches, with the trace of bindings.

    The net is a skeleton. Nothing is yielded for a net with more initial tokens or tokens of an arc
    than are listed, or with a transition of very many arcs and variables.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    assert isinstance(net.origin, Skeleton)
    coloured = net.origin.coloured
    if not coloured.is_listed or max(map(_parts, coloured.transitions), default=0) > _MOST_PARTS:
        return
    random = Random(0)
    names = dict.fromkeys(chain.from_iterable(map(variables, targets)))
    walk = ColouredWalk(coloured, [n for n in names if n not in net.place_numbers], random)
    values = {
        name: walk.total(net.place_numbers[name])
        if name in net.place_numbers
        else walk.observed(name)
        for name in names
    }
    sizes = (sort.size for place in coloured.places for sort in basic_sorts(place.sort))
    shortest = max(_SHORTEST, 2 * min(_COLOURS, max(sizes, default=0)))
    remaining = {number: truth(target, values) for number, target in enumerate(targets)}
    for number in count():
        walk.back()
        choose, walk.draws.few = _policy(walk, random, number), bool(number & 1)
        length = shortest << _doublings(number // 6)
        for _ in range(length):
            budget.check()
            for reached in [n for n, h in remaining.items() if walk.is_known and h()]:
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


def _policy(walk: ColouredWalk, random: Random, number: int) -> Callable[[Sequence[int]], int]:
    """Return how the walk of this number chooses one of the enabled transitions.

    At random; of two drawn that which has fired less often; or mostly by an order, which differs
    from walk to walk, so that some places fill, and others run empty.
    """
    draw = random.random
    order = random.sample(range(len(walk.fired)), len(walk.fired))
    aside = _ASIDE if number // 3 & 2 else 0

    def any_of(enabled: Sequence[int]) -> int:
        return enabled[int(draw() * len(enabled))]

    def rare(enabled: Sequence[int]) -> int:
        return min(any_of(enabled), any_of(enabled), key=walk.fired.__getitem__)

    def first(enabled: Sequence[int]) -> int:
        return any_of(enabled) if draw() < aside else min(enabled, key=order.__getitem__)

    return (any_of, rare, first)[number % 3]


def _trace(walk: ColouredWalk) -> Trace:
    """Return the firings since the initial marking, those in a row together."""
    names = (enabled.plan.transition.text(enabled.binding) for _, enabled in walk.trace)
    return Trace(tuple((name, sum(1 for _ in group)) for name, group in groupby(names)))
