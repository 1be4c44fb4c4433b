"""Exploration of all markings, breadth first or the nearest to a target first: by a heap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from petricheck.explicit.kernel.constants import (
    CLOSED,
    CURRENT,
    DONE,
    ENABLED,
    FIRED,
    FULL,
    LOW,
    ONE,
    RESULT,
    SIZE,
    TARGET_REACHED,
    TOO_NARROW,
    TOUCHED,
    WAITING,
    WORK,
    ZERO,
)
from petricheck.explicit.kernel.loops.distances import distance, distance_after
from petricheck.explicit.kernel.loops.firing import settle_all
from petricheck.explicit.kernel.loops.stubborn import choose
from petricheck.explicit.kernel.loops.tables import enter, key_of, load, mix, overflowing_place

if TYPE_CHECKING:
    from petricheck.explicit.kernel.arrays import Arcs, Integers, SearchState
    from petricheck.explicit.kernel.circuit import Aim, Circuit
    from petricheck.explicit.kernel.packing import Layout, PackedTable
    from petricheck.explicit.kernel.stubborn import Stubborn


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


def load_nearest(
    arcs: Arcs, circuit: Circuit, state: SearchState, layout: Layout, table: PackedTable, aim: Aim
) -> np.int64:
    """Load the waiting marking nearest to the target; return its heap entry, −1 without one.

    With sight, distances are computed here. Until then a marking waits with the distance of its
    parent.
    """
    numbers = state.numbers
    while numbers[WAITING] > 0:
        entry = pop(aim.heap, numbers)
        number = int(tie(aim.factors[1], entry & np.int64(LOW)))
        load(arcs, circuit, state, aim, layout, table.words, number)
        if len(aim.costs) == 0:
            return entry
        settle_all(arcs, state)
        remaining = distance(arcs, circuit, state, aim)
        exact_entry = (remaining << np.int64(32)) + (entry & np.int64(LOW))
        if exact_entry <= entry or numbers[WAITING] == 0 or aim.heap[0] >= exact_entry:
            return exact_entry
        push(aim.heap, numbers, exact_entry)
    return np.int64(-1)


def explore(
    arcs: Arcs,
    circuit: Circuit,
    state: SearchState,
    layout: Layout,
    table: PackedTable,
    aim: Aim,
    stubborn: Stubborn,
    limit: int,
) -> int:
    """Expand markings, breadth first or the nearest to a target first; return why it ended.

    The search ends with one of these codes:
    - TARGET_REACHED: the marking of number RESULT satisfies an open target.
    - TOO_NARROW: the field of place RESULT is too narrow.
    - FULL: the table has no free rows for another expansion.
    - DONE: all markings are expanded, or the table has more than `limit` markings.

    After TARGET_REACHED and TOO_NARROW, the next call expands the same marking again.
    """
    numbers = state.numbers
    guided = len(aim.order) > 0
    last = np.uint64(len(table.slots) - 1)
    entry = remaining = np.int64(0)
    while numbers[SIZE] <= limit:
        if numbers[SIZE] + len(state.following) >= len(table.words):
            return FULL
        if guided:
            entry = load_nearest(arcs, circuit, state, layout, table, aim)
            if entry < 0:
                return DONE
            remaining = entry >> np.int64(32)
        elif numbers[CLOSED] == numbers[SIZE]:
            return DONE
        else:
            load(arcs, circuit, state, aim, layout, table.words, numbers[CLOSED])
        settle_all(arcs, state)
        number = numbers[CURRENT]
        key = key_of(layout, table.words, number)
        touched = ZERO
        firing, count = state.enabled, numbers[ENABLED]
        if len(stubborn.targets) > 0:
            size = choose(arcs, circuit, state, stubborn)
            if size < count:
                firing, count = stubborn.chosen, size
        for position in range(count):
            # Read all slots at once, so that they are in the processor's cache below.
            after = mix(key + layout.sums[firing[position]])
            table.keys[position] = after
            touched ^= table.slots[np.int64(after & last)]
        numbers[TOUCHED] = np.int64(touched & ONE)
        ended = DONE
        for position in range(count):
            transition = firing[position]
            place = overflowing_place(arcs, layout, state, transition)
            if place >= 0:
                numbers[RESULT] = place
                ended = TOO_NARROW
                break
            if not enter(layout, table, numbers, table.keys[position], number, transition):
                continue
            successor_distance = distance_after(arcs, circuit, state, aim, transition)
            latest = numbers[SIZE] - 1
            if guided:
                priority = remaining if len(aim.costs) > 0 else max(successor_distance, np.int64(0))
                push(aim.heap, numbers, (priority << np.int64(32)) + tie(aim.factors[0], latest))
            if successor_distance < 0:
                numbers[RESULT] = latest
                ended = TARGET_REACHED
                break
        if ended != DONE:
            if guided:
                push(aim.heap, numbers, entry)
            return ended
        numbers[FIRED] += count
        numbers[CLOSED] += 1
        numbers[WORK] += count * (1 + table.words.shape[1] // 8)
    return DONE
