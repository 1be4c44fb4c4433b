"""Exploration of all markings, breadth first or the nearest to a target first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from petricheck.kernel.loops.constants import (
    CLOSED,
    CURRENT,
    DONE,
    ENABLED,
    FIRED,
    FOUND,
    FULL,
    LOW,
    MET,
    ONE,
    SIZE,
    TOO_NARROW,
    TOUCHED,
    WAITING,
    ZERO,
)
from petricheck.kernel.loops.distances import ahead, distance
from petricheck.kernel.loops.firing import settle_all
from petricheck.kernel.loops.heaps import pop, push, tie
from petricheck.kernel.loops.stubborn import choose
from petricheck.kernel.loops.tables import enter, key_of, load, mixed, narrow

if TYPE_CHECKING:
    from petricheck.kernel.arrays import Arcs, State
    from petricheck.kernel.circuit import Aim, Circuit
    from petricheck.kernel.packing import Layout, Table
    from petricheck.kernel.stubborn import Stubborn


def nearest(
    arcs: Arcs, circuit: Circuit, state: State, layout: Layout, table: Table, aim: Aim
) -> np.int64:
    """Load the waiting marking that is nearest to the target; its entry in the heap, −1 for none.

    With sight distances are measured here; until then markings wait with the distance of the one
    that they come from.
    """
    numbers = state.numbers
    while numbers[WAITING] > 0:
        best = pop(aim.heap, numbers)
        number = int(tie(aim.factors[1], best & np.int64(LOW)))
        load(arcs, circuit, state, aim, layout, table.words, number)
        if len(aim.costs) == 0:
            return best
        settle_all(arcs, state)
        near = distance(arcs, circuit, state, aim)
        again = (near << np.int64(32)) + (best & np.int64(LOW))
        if again <= best or numbers[WAITING] == 0 or aim.heap[0] >= again:
            return again
        push(aim.heap, numbers, again)
    return np.int64(-1)


def explore(
    arcs: Arcs,
    circuit: Circuit,
    state: State,
    layout: Layout,
    table: Table,
    aim: Aim,
    stubborn: Stubborn,
    limit: int,
) -> int:
    """Expand markings, breadth first or the nearest to a target first; returns why it ended.

    It ends with MET where the marking that FOUND numbers is in an open target, with TOO_NARROW
    where the field of place FOUND is, with FULL where there is no more room in the table, and with
    DONE where all are expanded or more than `limit` known. The marking that was being expanded is
    expanded again by the next call.
    """
    numbers = state.numbers
    guided = len(aim.order) > 0
    last = np.uint64(len(table.slots) - 1)
    best = near = np.int64(0)
    while numbers[SIZE] <= limit:
        if numbers[SIZE] + len(state.following) >= len(table.words):
            return FULL
        if guided:
            best = nearest(arcs, circuit, state, layout, table, aim)
            if best < 0:
                return DONE
            near = best >> np.int64(32)
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
            some = choose(arcs, circuit, state, stubborn)
            if some < count:
                firing, count = stubborn.chosen, some
        for position in range(count):
            # What is looked at here, all at a time, is in the processor's cache below.
            after = mixed(key + layout.sums[firing[position]])
            table.keys[position] = after
            touched ^= table.slots[np.int64(after & last)]
        numbers[TOUCHED] = np.int64(touched & ONE)
        ended = DONE
        for position in range(count):
            transition = firing[position]
            place = narrow(arcs, layout, state, transition)
            if place >= 0:
                numbers[FOUND] = place
                ended = TOO_NARROW
                break
            if not enter(layout, table, numbers, table.keys[position], number, transition):
                continue
            after_it = ahead(arcs, circuit, state, aim, transition)
            latest = numbers[SIZE] - 1
            if guided:
                distant = near if len(aim.costs) > 0 else max(after_it, np.int64(0))
                push(aim.heap, numbers, (distant << np.int64(32)) + tie(aim.factors[0], latest))
            if after_it < 0:
                numbers[FOUND] = latest
                ended = MET
                break
        if ended != DONE:
            if guided:
                push(aim.heap, numbers, best)
            return ended
        numbers[FIRED] += count
        numbers[CLOSED] += 1
    return DONE
