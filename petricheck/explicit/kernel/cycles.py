"""Removal of cycles from traces: a part that leads from a marking back to itself is not needed.

Markings along the trace are compared by two sums of 64-bit factors, computed for all at once. Two
markings with equal sums are practically impossible, and the audit would reject the trace.
"""

from __future__ import annotations

import numpy as np

from petricheck.explicit.kernel.arrays import Arcs, Integers, Words


def remove_cycles(arcs: Arcs, places: int, trace: Integers) -> tuple[int, ...]:
    """Return the trace without cycles: from each marking it goes on after its last occurrence."""
    keys = _keys(arcs, places, trace)
    order = np.lexsort(keys)
    repeated = (keys[:, order[1:]] == keys[:, order[:-1]]).all(axis=0)
    numbers = np.zeros(len(order), dtype=np.int64)
    numbers[order[1:]] = np.cumsum(~repeated)
    last = np.zeros(len(order), dtype=np.int64)
    last[numbers] = np.arange(len(order))  # A later occurrence overwrites an earlier one.
    after = last[numbers].tolist()
    retained, position = [], after[0]
    while position < len(trace):
        retained.append(position)
        position = after[position + 1]
    return tuple(trace[retained].tolist())


def _keys(arcs: Arcs, places: int, trace: Integers) -> Words:
    """Return two keys of the marking before each firing, and of the last; 0 for the initial one."""
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
