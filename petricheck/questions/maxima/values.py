"""Values of sums in reachable markings: along random walks, and in all of a few markings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from operator import itemgetter

import numpy as np

from petricheck.arithmetic.formulas.formulas import Formula, disjunction
from petricheck.evidence.answer import Trace, trace_of
from petricheck.evidence.claims import Claim, Excluded, Reached, reached
from petricheck.explicit.kernel.explore import Exploration
from petricheck.explicit.kernel.packing import fields_of, tokens
from petricheck.explicit.kernel.targets import named_trace
from petricheck.explicit.kernel.walk import Walk
from petricheck.model.net import Net
from petricheck.questions.maxima import Sum, SumRange, exceeds, value
from petricheck.support.budget import MEBIBYTE, Budget
from petricheck.support.compiled import is_compiled
from petricheck.support.words import counted

_LENGTHS = (1 << 10, 1 << 13, 1 << 16, 1 << 7)
"""Firings of the walks, by turn."""

_DOUBLINGS = 40
"""The number of values 1, 2, 4, … above the best one that a walk is watched for."""

_WATCHED = 500
"""The most sums that one walk is watched for, each with some dozens of values."""

_MEMORY = 256 * MEBIBYTE
_MARKINGS = 20_000
"""The most markings between two checks of the budget."""

_LARGEST = 1 << 20
"""Weights up to this cannot overflow: tokens are below 2^41, and places below 2^22."""


def walked(net: Net, current: Mapping[Sum, SumRange], budget: Budget) -> Iterator[Reached]:
    """Yield claims of greater values than proved so far, until each sum has reached its limit."""
    best = dict(current)
    for turn in count():
        remaining = [weights for weights, limits in best.items() if not limits.decided]
        # As many as one walk can be watched for, others in the next turn.
        start = turn * _WATCHED % max(1, len(remaining))
        remaining = remaining[start : start + _WATCHED]
        walk = Walk(
            net, [goal for weights in remaining for goal in _goals(weights, best[weights])], turn
        )
        if walk.stuck or not walk.open:
            return
        increases: dict[Sum, tuple[Trace, int]] = {}
        for trace in _turn(net, walk, _LENGTHS[turn % len(_LENGTHS)]):
            budget.check()
            for weights, (after, most) in greatest(net, trace, best, remaining).items():
                increases[weights] = trace, after
                best[weights] = replace(best[weights], reached=most)
        for trace in dict.fromkeys(trace for trace, _ in increases.values()):
            stops = {s: (n, best[s].reached or 0) for s, (t, n) in increases.items() if t is trace}
            yield claimed(trace, stops)
        budget.report(f"random walks, turn {turn + 1}")
        budget.check()


def greatest(
    net: Net, trace: Trace, current: Mapping[Sum, SumRange], sums: Sequence[Sum]
) -> dict[Sum, tuple[int, int]]:
    """Return greater values than proved so far, and the steps after which the trace has each."""
    start = net.values(net.initial)
    values = {weights: value(weights, start) for weights in sums}
    best = {weights: current[weights].reached for weights in sums}
    greater: dict[Sum, tuple[int, int]] = {}
    gains: dict[str, list[tuple[Sum, int]]] = {}
    for position, (name, times) in enumerate(trace.steps, 1):
        if name not in gains:
            gains[name] = _gains(net, name, sums)
        for weights, gain in gains[name]:
            values[weights] += times * gain
            reached = best[weights]
            if reached is None or values[weights] > reached:
                best[weights] = values[weights]
                greater[weights] = position, values[weights]
    return greater


def claimed(trace: Trace, values: Mapping[Sum, tuple[int, int]]) -> Reached:
    """Return the claim that a trace passes through these values."""
    stops = [(after, exceeds(weights, value)) for weights, (after, value) in values.items()]
    stops.sort(key=itemgetter(0))
    return Reached(Trace(trace.steps[: stops[-1][0]]), tuple(stops))


def _gains(net: Net, name: str, sums: Sequence[Sum]) -> list[tuple[Sum, int]]:
    """Return the amount that a transition adds to each of the sums that it changes."""
    effect = net.transitions[net.transition_numbers[name]].effect
    change = {net.places[place]: weight for place, weight in effect}
    gains = [(s, sum(w * change.get(place, 0) for place, w in s)) for s in sums]
    return [(weights, gain) for weights, gain in gains if gain]


def _turn(net: Net, walk: Walk, length: int) -> Iterator[Trace]:
    """Yield traces to goals that a walk reaches in some hundredths of a second."""
    end = walk.firings + walk.pace
    while walk.open and walk.firings < end:
        for witness in walk.run(end - walk.firings, length):
            yield named_trace(witness, net)


def _goals(weights: Sum, current: SumRange) -> Iterator[Formula]:
    """Yield the limit, and values above the best one."""
    best = current.reached or 0
    values = [best + (1 << n) for n in range(_DOUBLINGS)]
    if current.limit is not None:
        values = [value for value in values if value < current.limit]
        values += [current.limit] * (current.limit > best)
    return (exceeds(weights, value) for value in values)


def explored(net: Net, sums: Sequence[Sum], budget: Budget, most: int) -> Iterator[Claim]:
    """Yield the maxima of the sums, if all markings are explored; otherwise the best values.

    Sums with large weights are passed over. At the limits, or the most markings, the values seen by
    then count.
    """
    small = [weights for weights in sums if all(abs(w) <= _LARGEST for _, w in weights)]
    if not small or not is_compiled():
        return
    exploration = Exploration(net, (), _MEMORY)
    while not exploration.ended and budget.remaining and exploration.size < most:
        exploration.run(min(exploration.pace, _MARKINGS))
        budget.report(counted(exploration.size, "marking"))
    best = _maxima(exploration, small)
    for weights, (number, most) in zip(small, best, strict=True):
        trace = trace_of(exploration.trace(number), net.actions)
        yield reached(exceeds(weights, most), trace)
    if exploration.exhausted and (table := exploration.table) is not None:
        pairs = zip(small, best, strict=True)
        yield Excluded(disjunction(exceeds(s, value + 1) for s, (_, value) in pairs), table)


def _maxima(exploration: Exploration, sums: Sequence[Sum]) -> tuple[tuple[int, int], ...]:
    """Return for each sum (number of the first marking with the greatest value, the value)."""
    words = exploration.words
    fields = {field.place: field for field in fields_of(exploration.bits)}
    greatest = []
    for weights in sums:
        values = np.zeros(len(words), dtype=np.int64)
        for place, weight in weights:
            values += weight * tokens(words, fields[place]).astype(np.int64)
        number = int(values.argmax())
        greatest.append((number, int(values[number])))
    return tuple(greatest)
