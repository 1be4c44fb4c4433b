"""A heap of markings that wait to be expanded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from petricheck.kernel.loops.constants import LOW, WAITING

if TYPE_CHECKING:
    from petricheck.kernel.arrays import Integers


def push(heap: Integers, numbers: Integers, entry: np.int64) -> None:
    """Add an entry to the heap of WAITING entries."""
    hole = numbers[WAITING]
    numbers[WAITING] = hole + 1
    while hole > 0:
        above = (hole - 1) // 2
        if heap[above] <= entry:
            break
        heap[hole] = heap[above]
        hole = above
    heap[hole] = entry


def pop(heap: Integers, numbers: Integers) -> np.int64:
    """Take the least entry from the heap of WAITING entries."""
    size = numbers[WAITING] - 1
    numbers[WAITING] = size
    least: np.int64 = heap[0]
    entry = heap[size]
    hole, below = 0, 1
    while below < size:
        if below + 1 < size and heap[below + 1] < heap[below]:
            below += 1
        if entry <= heap[below]:
            break
        heap[hole] = heap[below]
        hole, below = below, 2 * below + 1
    heap[hole] = entry
    return least


def tie(factor: np.uint64, number: np.int64 | int) -> np.int64:
    """A number below 2^32 times an odd factor, mod 2^32: in what order equal entries come."""
    return np.int64(np.uint64(number) * factor & LOW)
