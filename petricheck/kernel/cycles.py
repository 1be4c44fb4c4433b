"""Cycles cut out of traces: what leads from a marking back to itself is not needed.

Markings along the trace are compared by two sums of 64-bit factors, computed for all at once. That
two markings have the same sums is as good as impossible, and the audit would tell.
"""

from __future__ import annotations

import numpy as np

from petricheck.kernel.arrays import Arcs, Integers, Words


def without_cycles(arcs: Arcs, places: int, trace: Integers) -> tuple[int, ...]:
    """The trace, from each marking on continued after its last occurrence.

    Args:
        arcs: the net, on which the trace fires.
        places: how many it has.
        trace: transition numbers.
    """
    keys = _keys(arcs, places, trace)
    order = np.lexsort(keys)
    known = (keys[:, order[1:]] == keys[:, order[:-1]]).all(axis=0)
    numbers = np.zeros(len(order), dtype=np.int64)
    numbers[order[1:]] = np.cumsum(~known)
    last = np.zeros(len(order), dtype=np.int64)
    last[numbers] = np.arange(len(order))  # Where a number occurs again, the later one stays.
    after = last[numbers].tolist()
    kept, position = [], after[0]
    while position < len(trace):
        kept.append(position)
        position = after[position + 1]
    return tuple(trace[kept].tolist())


def _keys(arcs: Arcs, places: int, trace: Integers) -> Words:
    """Two keys for the marking before each firing, and for the last; 0 for the initial one."""
    factors = np.random.default_rng(places).integers(1, 1 << 63, (2, places), dtype=np.uint64)
    transitions = len(arcs.effect_starts) - 1
    owners = np.repeat(np.arange(transitions), np.diff(arcs.effect_starts))
    keys = np.zeros((2, len(trace) + 1), dtype=np.uint64)
    for row in range(2):
        changes = np.zeros(transitions, dtype=np.uint64)
        weighted = arcs.effect_changes.astype(np.uint64) * factors[row, arcs.effect_places]
        np.add.at(changes, owners, weighted)
        np.cumsum(changes[trace], out=keys[row, 1:])
    return keys
