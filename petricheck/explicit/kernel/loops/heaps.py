"""Heap of markings that wait to be expanded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from petricheck.explicit.kernel.constants import LOW, WAITING

if TYPE_CHECKING:
    from petricheck.explicit.kernel.arrays import Integers


def push(heap: Integers, numbers: Integers, entry: np.int64) -> None:
    """Add an entry to the heap of WAITING entries."""
    hole = numbers[WAITING]
    numbers[WAITING] = hole + 1
    while hole > 0:
        parent = (hole - 1) // 2
        if heap[parent] <= entry:
            break
        heap[hole] = heap[parent]
        hole = parent
    heap[hole] = entry


def pop(heap: Integers, numbers: Integers) -> np.int64:
    """Remove the least of the WAITING entries from the heap and return it."""
    size = numbers[WAITING] - 1
    numbers[WAITING] = size
    least: np.int64 = heap[0]
    entry = heap[size]
    hole, child = 0, 1
    while child < size:
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if entry <= heap[child]:
            break
        heap[hole] = heap[child]
        hole, child = child, 2 * child + 1
    heap[hole] = entry
    return least


def tie(factor: np.uint64, number: np.int64 | int) -> np.int64:
    """Return a number < 2^32 times a factor, mod 2^32: its order among equal distances."""
    return np.int64(np.uint64(number) * factor & LOW)
