"""Sums that exceed every number, from loops along traces: for nets whose trees are too large.

Where a later marking is nowhere less than an earlier one, what fired between can be repeated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from petricheck.answer import Trace
from petricheck.audit.limits import watched
from petricheck.budget import Budget
from petricheck.claims import Claim, Pumped, Reached, Stage
from petricheck.presburger.terms import Term
from petricheck.problem import Net
from petricheck.questions.maxima import Sum

_STEPS = 2_000
_ENTRIES = 1 << 22
"""Of a longer trace only the last steps are looked at, and fewer in large nets."""

_SUMS = 500
"""Sums that are looked for along a trace."""

_LARGEST = 1 << 40
"""Traces through larger numbers are passed over."""


def looped(
    net: Net, sums: Sequence[Sum], claims: Sequence[Claim], budget: Budget
) -> Iterator[Pumped]:
    """Claims that loops along these traces pump sums, each sum once.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    left = list(sums)
    for claim in reversed(claims):
        if not left:
            return
        if isinstance(claim, Reached) and claim.trace.steps:
            for pumped in _along(net, claim.trace, left, budget):
                left = [weights for weights in left if weights != pumped.sums[0].coefficients]
                yield pumped


def _along(net: Net, trace: Trace, sums: Sequence[Sum], budget: Budget) -> Iterator[Pumped]:
    """One loop for each of the sums that has one."""
    most = min(_STEPS, _ENTRIES // max(1, len(net.places)))
    first = max(0, len(trace.steps) - most)
    rows = _markings(net, trace, first, budget)
    if rows is None:
        return
    values = {weights: _values(net, rows, weights) for weights in sums[:_SUMS]}
    left = list(values)
    for end in range(len(rows) - 1, 0, -1):
        budget.check()
        candidates = [w for w in left if (values[w][:end] < values[w][end]).any()]
        starts = np.flatnonzero((rows[:end] <= rows[end]).all(axis=1)) if candidates else ()
        for weights in candidates:
            raised = [s for s in starts if values[weights][s] < values[weights][end]]
            if raised:
                left.remove(weights)
                yield _pumped(trace, first + int(raised[-1]), first + end, weights)
        if not left:
            return


def _pumped(trace: Trace, start: int, end: int, weights: Sum) -> Pumped:
    stage = Stage(Trace(trace.steps[:start]), Trace(trace.steps[start:end]))
    return Pumped((Term(weights, 0),), (stage,))


def _markings(net: Net, trace: Trace, first: int, budget: Budget) -> NDArray[np.int64] | None:
    """The markings after so many steps and after each later one; None where numbers are large."""
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
    """The sum in each marking, in integers of any size."""
    total: NDArray[np.object_] = np.zeros(len(rows), dtype=object)
    for name, weight in weights:
        total = total + weight * rows[:, net.place_numbers[name]].astype(object)
    return total
