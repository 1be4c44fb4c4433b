"""Backward search among the markings of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from petricheck.kernel.loops.constants import CURRENT, ENABLED, LOW, SIZE, ZERO
from petricheck.kernel.loops.firing import settle_all
from petricheck.kernel.loops.tables import key_of, load, mixed, narrow, slot_of, write_successor

if TYPE_CHECKING:
    from petricheck.kernel.arrays import Arcs, Integers, State
    from petricheck.kernel.circuit import Aim, Circuit
    from petricheck.kernel.packing import Layout, Numbers32, Table


def rank(
    arcs: Arcs,
    circuit: Circuit,
    state: State,
    layout: Layout,
    table: Table,
    aim: Aim,
    order: Numbers32,
    ranks: Integers,
    actions: Numbers32,
    ends: Integers,
    limit: int,
) -> None:
    """Rank markings that have none by how many firings lead from them to one that has rank 0.

    Breadth first, and up to so many of them.

    Args:
        arcs: of the reversed net, whose transitions take what those of the net put.
        circuit: of no target.
        state: of the reversed net, with the number of its marking.
        layout: of the table, with the changes that the reversed net makes.
        table: markings of the net, and a row of room; not changed but for that.
        aim: at nothing.
        order: numbers of the markings that have a rank, in the order in which they got it.
        ranks: by marking its rank, −1 where it has none.
        actions: by marking the transition that leads to a marking of a lower rank.
        ends: how many of `order` were searched backwards, and how many there are.
        limit: where the search ends, as soon as so many are searched backwards.
    """
    size = state.numbers[SIZE]
    while ends[0] < ends[1] and ends[0] < limit:
        after = np.int64(order[ends[0]])
        load(arcs, circuit, state, aim, layout, table.words, after)
        settle_all(arcs, state)
        key = key_of(layout, table.words, state.numbers[CURRENT])
        for position in range(state.numbers[ENABLED]):
            transition = state.enabled[position]
            # What does not fit the fields is none of the markings.
            if narrow(arcs, layout, state, transition) >= 0:
                continue
            write_successor(layout, table.words, size, after, transition)
            entry = table.slots[slot_of(table, mixed(key + layout.sums[transition]), size)]
            before = np.int64(entry & np.uint64(LOW)) - 1
            if entry == ZERO or ranks[before] >= 0:
                continue
            ranks[before] = ranks[after] + 1
            actions[before] = transition
            order[ends[1]] = before
            ends[1] += 1
        ends[0] += 1
