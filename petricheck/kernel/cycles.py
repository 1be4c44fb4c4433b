"""Cycles cut out of traces: what leads from a marking back to itself is not needed.

Markings along the trace are compared by sums of 64-bit factors, computed for all at once. A cut is
made only where the firings between have no effect together, in exact numbers.
"""

from __future__ import annotations

import numpy as np

from petricheck.kernel.arrays import Arcs, Integers, Vectors, Words, integers


def without_cycles(arcs: Arcs, places: int, trace: Integers) -> tuple[int, ...]:
    """The trace, from each marking on continued after its last occurrence.

    Args:
        arcs: the net, on which the trace fires.
        places: how many it has.
        trace: transition numbers.
    """
    keys = _keys(arcs, places, trace)
    _, numbers = np.unique(keys, return_inverse=True)
    last = np.zeros(len(keys), dtype=np.int64)
    last[numbers] = np.arange(len(keys))  # Where a number occurs again, the later one stays.
    after = last[numbers].tolist()
    kept, cuts, position = [], [], 0
    while position < len(trace):
        if after[position] > position:
            cuts.append((position, after[position]))
        position = after[position]
        if position < len(trace):
            kept.append(position)
            position += 1
    if not _without_effect(arcs, places, trace, cuts):
        return tuple(trace.tolist())
    return tuple(trace[kept].tolist())


def _keys(arcs: Arcs, places: int, trace: Integers) -> Words:
    """A key for the marking before each firing, and for the last; 0 for the initial one."""
    factors = np.random.default_rng(places).integers(1, 1 << 63, places, dtype=np.uint64)
    owners = np.repeat(np.arange(len(arcs.effect_starts) - 1), np.diff(arcs.effect_starts))
    changes = np.zeros(len(arcs.effect_starts) - 1, dtype=np.uint64)
    weighted = arcs.effect_changes.astype(np.uint64) * factors[arcs.effect_places]
    np.add.at(changes, owners, weighted)
    keys = np.zeros(len(trace) + 1, dtype=np.uint64)
    np.cumsum(changes[trace], out=keys[1:])
    return keys


def _without_effect(arcs: Arcs, places: int, trace: Integers, cuts: list[tuple[int, int]]) -> bool:
    """Whether each of these parts of the trace changes no place."""
    if not cuts:
        return True
    transitions = len(arcs.effect_starts) - 1
    lengths = integers(stop - start for start, stop in cuts)
    fired = np.concatenate([trace[start:stop] for start, stop in cuts])
    # How often each transition fires in each part, and then what that does to each place.
    keys = np.repeat(np.arange(len(cuts)), lengths) * transitions + fired
    pairs, times = np.unique(keys, return_counts=True)
    part, transition = np.divmod(pairs, transitions)
    effects = Vectors(arcs.effect_starts, arcs.effect_places, arcs.effect_changes)
    owners, entries = effects.entries(transition)
    changed = part[owners] * places + arcs.effect_places[entries]
    cells, numbers = np.unique(changed, return_inverse=True)
    sums = np.zeros(len(cells), dtype=np.int64)
    np.add.at(sums, numbers, times[owners] * arcs.effect_changes[entries])
    return not sums.any()
