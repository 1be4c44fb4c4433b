"""Minimal elements of sets of markings, as matrices with one marking a row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petricheck.explicit.kernel.arrays import Integers, Rows

CELLS = 1 << 21
"""Pairs of markings that are compared at once, at most."""

_ENTRIES = 1 << 22


def covers(low: Rows, high: Rows) -> Integers:
    """Return for each row of `high` the number of a row of `low` that is at most it, or -1."""
    positions = np.full(len(high), -1, dtype=np.int64)
    if not len(low) or not len(high):
        return positions
    places = (low > 0).astype(np.float32)
    sizes = places.sum(axis=1)
    step = max(1, CELLS // len(low))
    for start in range(0, len(high), step):
        part = high[start : start + step]
        # Counts of places are small, hence exact as floats: low's places must all be high's.
        shared = (part > 0).astype(np.float32) @ places.T
        above, below = np.nonzero(shared == sizes)
        _compare(low, part, above, below, positions[start : start + step])
    return positions


def _compare(low: Rows, high: Rows, above: Integers, below: Integers, positions: Integers) -> None:
    """Write into `positions` which of these pairs (row of high, row of low) are ordered."""
    step = max(1, _ENTRIES // (low.shape[1] + 1))
    for start in range(0, len(above), step):
        left, right = above[start : start + step], below[start : start + step]
        ordered = np.asarray((high[left] >= low[right]).all(axis=1), dtype=bool)
        positions[left[ordered]] = right[ordered]


def minimal(rows: Rows) -> Integers:
    """Return integers of the minimal rows, the smallest sums first; of equal rows the first."""
    order = np.argsort(rows.sum(axis=1), kind="stable") if len(rows) else np.zeros(0, np.int64)
    selection: Integers = np.zeros(0, dtype=np.int64)
    step = 256
    for start in range(0, len(order), step):
        part = order[start : start + step]
        part = part[covers(rows[selection], rows[part]) < 0]
        selection = np.concatenate((selection, part[_unbeaten(rows[part])]))
    return selection


def _unbeaten(rows: Rows) -> NDArray[np.bool_]:
    """Mark rows without an earlier row that is at most them; sums do not decrease."""
    keep = np.ones(len(rows), dtype=bool)
    for number in range(len(rows)):
        if keep[number]:
            later = slice(number + 1, None)
            keep[later] &= ~np.asarray((rows[later] >= rows[number]).all(axis=1), dtype=bool)
    return keep
