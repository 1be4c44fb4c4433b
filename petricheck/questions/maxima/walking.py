"""Greater and greater values of sums along random walks of the compiled kernel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from operator import itemgetter

from petricheck.answer import Trace, joined
from petricheck.budget import Budget
from petricheck.claims import Reached
from petricheck.kernel.walk import Walk
from petricheck.presburger.formulas import Formula
from petricheck.problem import Net
from petricheck.questions.maxima import Range, Sum, exceeds

_LENGTHS = (1 << 10, 1 << 13, 1 << 16, 1 << 7)
"""Firings of the walks of one turn after the other."""

_DOUBLINGS = 40
"""A walk is watched for values that are 1, 2, 4, … more than the best one, up to so many."""

_WATCHED = 500
"""Sums that one walk is watched for, each with some dozens of values."""


def walked(
    net: Net,
    known: Mapping[Sum, Range],
    firings: Mapping[Sum, tuple[int, ...]],
    budget: Budget,
) -> Iterator[Reached]:
    """Claims of greater values, until each sum has reached its limit.

    Uniform walks take turns with walks that prefer the firings for one of the open sums.

    Args:
        net: the net.
        known: what is known of each sum.
        firings: how often each transition is to be fired on the way to a sum's limit; hints.
        budget: limits.

    Raises:
        BudgetExhausted: time or memory ran out, or the net's numbers are too large.
    """
    best = dict(known)
    for turn in count():
        left = _window([s for s, limits in best.items() if not limits.settled], turn // 2)
        goals = [goal for weights in left for goal in _goals(weights, best[weights])]
        walk = Walk(net, goals, turn, _preferred(left, firings, turn))
        if walk.stuck or not walk.open:
            return
        risen: dict[Sum, tuple[Trace, int]] = {}
        for trace in _turn(net, walk, _LENGTHS[turn // 2 % len(_LENGTHS)]):
            budget.check()
            watching = {weights: best[weights] for weights in left}
            for weights, (after, value) in greatest(net, trace, watching).items():
                risen[weights] = trace, after
                best[weights] = replace(best[weights], reached=value)
        for trace in dict.fromkeys(trace for trace, _ in risen.values()):
            stops = {s: (n, best[s].reached or 0) for s, (t, n) in risen.items() if t is trace}
            yield claimed(trace, stops)
        budget.report(f"random walks, turn {turn + 1}")
        budget.check()


def _window(left: Sequence[Sum], turn: int) -> Sequence[Sum]:
    """So many of the open sums as one walk can be watched for, others in the next turn."""
    start = turn * _WATCHED % max(1, len(left))
    return left[start : start + _WATCHED]


def _preferred(
    left: Sequence[Sum], firings: Mapping[Sum, tuple[int, ...]], turn: int
) -> tuple[int, ...]:
    """The firings for one of the open sums in every other turn, none in the others."""
    if turn % 2 or not left:
        return ()
    return firings.get(left[turn // 2 % len(left)], ())


def greatest(net: Net, trace: Trace, known: Mapping[Sum, Range]) -> dict[Sum, tuple[int, int]]:
    """Greater values than were reached, each with the number of steps after which a trace has it.

    Args:
        net: the net.
        trace: it fires.
        known: what is known of each sum.
    """
    greater: dict[Sum, tuple[int, int]] = {}
    start = net.values(net.initial)
    values = {weights: sum(w * start[name] for name, w in weights) for weights in known}
    best = {weights: known[weights].reached for weights in known}
    gains = _gains(net, trace, tuple(known))
    for position, (name, times) in enumerate(trace.steps, 1):
        for weights, gain in gains[name]:
            values[weights] += times * gain
            reached = best[weights]
            if reached is None or values[weights] > reached:
                best[weights] = values[weights]
                greater[weights] = position, values[weights]
    return greater


def claimed(trace: Trace, values: Mapping[Sum, tuple[int, int]]) -> Reached:
    """The claim that a trace passes through these values."""
    stops = [(after, exceeds(weights, value)) for weights, (after, value) in values.items()]
    stops.sort(key=itemgetter(0))
    return Reached(Trace(trace.steps[: stops[-1][0]]), tuple(stops))


def _gains(
    net: Net, trace: Trace, sums: tuple[Sum, ...]
) -> Mapping[str, tuple[tuple[Sum, int], ...]]:
    """By transition of the trace, how much it adds to each sum that it changes."""
    named = [{net.place_numbers[name]: weight for name, weight in weights} for weights in sums]
    gains = {}
    for name in {name for name, _ in trace.steps}:
        effect = net.transitions[net.transition_numbers[name]].effect
        added = (sum(entries.get(place, 0) * w for place, w in effect) for entries in named)
        gains[name] = tuple((s, gain) for s, gain in zip(sums, added, strict=True) if gain)
    return gains


def _turn(net: Net, walk: Walk, length: int) -> Iterator[Trace]:
    """Traces to goals that a walk meets in some hundredths of a second."""
    end = walk.firings + walk.pace
    while walk.open and walk.firings < end:
        for news in walk.run(end - walk.firings, length):
            yield joined(((action, 1) for action in news.trace), net.actions)


def _goals(weights: Sum, known: Range) -> Iterator[Formula]:
    """The limit, and values above the best one; none where it is settled."""
    best = known.reached or 0
    values = [best + (1 << n) for n in range(_DOUBLINGS)]
    if known.limit is not None:
        values = [value for value in values if value < known.limit]
        values += [known.limit] * (known.limit > best)
    return (exceeds(weights, value) for value in values if not known.unbounded)
