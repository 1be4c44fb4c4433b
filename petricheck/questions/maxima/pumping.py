"""Sums that exceed every number, from loops that can be repeated for ever.

Loops are found in a tree of Karp and Miller (1969), whose markings have ω on the places that loops
fill. The tree has a limited number of markings, and misses some sums with a negative weight on a
place that has to be filled too. For nets with larger trees, loops are found along traces: where a
later marking is nowhere less than an earlier one, the firings between them can be repeated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from petricheck.arithmetic.formulas.terms import Term
from petricheck.evidence.answer import Trace, trace_of
from petricheck.evidence.claims import Claim, Pumped, Reached, Stage
from petricheck.explicit.covering.karp_miller import KarpMiller, whole_tree
from petricheck.explicit.covering.tokens import OMEGA
from petricheck.model.net import Net
from petricheck.questions.maxima import Sum, value
from petricheck.support.budget import Budget, watched
from petricheck.support.words import counted

_TURNS = 64
"""Markings of the tree that are expanded between two searches for loops."""

_LARGEST = 1 << 40
"""The most tokens of a place; traces through larger numbers are passed over."""

_STEPS, _ENTRIES = 2_000, 1 << 22
"""The most steps, at the end of a trace, that are examined; fewer in large nets."""

_SUMS = 500
"""The most sums that are examined along a trace."""


def pumped(net: Net, sums: Collection[Sum], budget: Budget) -> Iterator[Pumped]:
    """Yield claims of loops in a tree, until each of these sums is pumped once or the tree ends."""
    tree = whole_tree(net)
    none = np.zeros((0, len(net.places)), dtype=np.int64)
    remaining, examined = dict.fromkeys(sums), 0
    while remaining and not tree.ended:
        tree.explore(none, np.zeros(0, dtype=np.int64), _TURNS, budget)
        budget.report(f"{counted(len(tree.nodes), 'marking')} of a coverability tree")
        for number in watched(range(examined, len(tree.nodes)), budget):
            claim = _filled(net, tree, number, remaining) if tree.nodes[number].loops else None
            if claim is not None:
                for term in claim.sums:
                    del remaining[term.coefficients]
                yield claim
        examined = len(tree.nodes)


def _filled(net: Net, tree: KarpMiller, number: int, sums: Collection[Sum]) -> Pumped | None:
    """Return the claim that loops on the path to a node pump some of these sums, or None."""
    stages = tuple(
        Stage(trace_of(stem, net.actions), trace_of(loop, net.actions))
        for stem, loop in tree.stages(number)
    )
    filled = {net.places[p] for p, held in tree.nodes[number].tokens.items() if held == OMEGA}
    before, after_loop = net.values(net.initial), net.values(net.after(stages[0].loop.steps))
    grown = []
    for weights in sums:
        counted = [weight for name, weight in weights if name in filled]
        # It counts a filled place and takes off none, or the only loop raises it.
        raised = len(stages) == 1 and value(weights, after_loop) > value(weights, before)
        if raised or (counted and min(counted) > 0):
            grown.append(Term(weights, 0))
    return Pumped(tuple(grown), stages) if grown else None


def looped(
    net: Net, sums: Sequence[Sum], claims: Sequence[Claim], budget: Budget
) -> Iterator[Pumped]:
    """Yield claims that loops along the traces of these claims pump sums, each sum once."""
    remaining = list(sums)
    for claim in reversed(claims):
        if remaining and isinstance(claim, Reached) and claim.trace.steps:
            for pumped in _along(net, claim.trace, remaining, budget):
                remaining = [
                    weights for weights in remaining if weights != pumped.sums[0].coefficients
                ]
                yield pumped


def _along(net: Net, trace: Trace, sums: Sequence[Sum], budget: Budget) -> Iterator[Pumped]:
    """Yield one loop for each of the sums that has one."""
    most = min(_STEPS, _ENTRIES // max(1, len(net.places)))
    first = max(0, len(trace.steps) - most)
    rows = markings_along(net, trace, first, budget)
    if rows is None:
        return
    values = {weights: _values(net, rows, weights) for weights in sums[:_SUMS]}
    remaining = list(values)
    for end in range(len(rows) - 1, 0, -1):
        budget.check()
        candidates = [w for w in remaining if (values[w][:end] < values[w][end]).any()]
        starts = np.flatnonzero((rows[:end] <= rows[end]).all(axis=1)) if candidates else ()
        for weights in candidates:
            raised = [s for s in starts if values[weights][s] < values[weights][end]]
            if raised:
                remaining.remove(weights)
                start = first + int(raised[-1])
                stem, loop = trace.steps[:start], trace.steps[start : first + end]
                yield Pumped((Term(weights, 0),), (Stage(Trace(stem), Trace(loop)),))
        if not remaining:
            return


def markings_along(net: Net, trace: Trace, first: int, budget: Budget) -> NDArray[np.int64] | None:
    """Return the markings after so many steps and after each later one; None for large numbers."""
    marking, rows = net.initial, []
    for number, (name, times) in enumerate(watched(trace.steps, budget)):
        if number >= first:
            rows.append(marking)
        marking = net.transitions[net.transition_numbers[name]].fire(marking, times)
    rows.append(marking)
    if max(max(row, default=0) for row in rows) > _LARGEST:
        return None
    return np.array(rows, dtype=np.int64)


def _values(net: Net, rows: NDArray[np.int64], weights: Sum) -> NDArray[np.object_]:
    """Return the sum in each marking (row), in integers of any size."""
    total: NDArray[np.object_] = np.zeros(len(rows), dtype=object)
    for name, weight in weights:
        total = total + weight * rows[:, net.place_numbers[name]].astype(object)
    return total
