"""Traces to targets by random walks of a coloured net; all targets are watched together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, count, groupby
from random import Random

from petricheck.arithmetic.formulas.formulas import Formula, variables
from petricheck.evidence.answer import Trace
from petricheck.explicit.coloured.walk import ColouredWalk, truth
from petricheck.model.coloured.skeleton import Skeleton
from petricheck.model.net import Net
from petricheck.support.budget import Budget

_SHORTEST, _DOUBLINGS = 100, 8
"""The firings of a shortest walk; others are so many times twice as long."""


def traces(net: Net, targets: Sequence[Formula], budget: Budget) -> Iterator[tuple[int, Trace]]:
    """Yield the number of each target that a walk reaches, with the trace of bindings.

    The net is a skeleton. Nothing is yielded for a net with more initial tokens or tokens of an arc
    than are listed.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    assert isinstance(net.origin, Skeleton)
    coloured = net.origin.coloured
    if not coloured.is_listed:
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
    remaining = {number: truth(target, values) for number, target in enumerate(targets)}
    for number in count():
        walk.back()
        length = _SHORTEST << _doublings(number)
        for _ in range(length):
            budget.check()
            for reached in [n for n, holds in remaining.items() if holds()]:
                del remaining[reached]
                yield reached, _trace(walk)
            if not remaining or not walk.enabled:
                break
            walk.fire(_drawn(walk, random, number))
        if not remaining:
            return


def _doublings(number: int) -> int:
    """Return 0, 0, 1, 0, 0, 1, 2, …: how often a walk of this number is twice as long."""
    number += 1
    while number & (number + 1):
        number -= (1 << (number.bit_length() - 1)) - 1
    return min(number.bit_length() - 1, _DOUBLINGS)


def _drawn(walk: ColouredWalk, random: Random, number: int) -> int:
    """Return an enabled transition; in every other walk, of two that which has fired less often."""
    enabled = walk.enabled
    one = enabled[int(random.random() * len(enabled))]
    if number % 2:
        other = enabled[int(random.random() * len(enabled))]
        return min(one, other, key=walk.fired.__getitem__)
    return one


def _trace(walk: ColouredWalk) -> Trace:
    """Return the firings since the initial marking, those in a row together."""
    names = (enabled.plan.transition.text(enabled.binding) for _, enabled in walk.trace)
    return Trace(tuple((name, sum(1 for _ in group)) for name, group in groupby(names)))
