"""Backward search among the markings of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from petricheck.explicit.kernel.constants import CURRENT, ENABLED, LOW, SIZE, ZERO
from petricheck.explicit.kernel.loops.firing import settle_all
from petricheck.explicit.kernel.loops.tables import (
    key_of,
    load,
    mix,
    overflowing_place,
    slot_of,
    write_successor,
)

if TYPE_CHECKING:
    from petricheck.explicit.kernel.arrays import Arcs, Integers, SearchState
    from petricheck.explicit.kernel.circuit import Aim, Circuit
    from petricheck.explicit.kernel.packing import Layout, Numbers32, PackedTable


def rank(
    arcs: Arcs,
    circuit: Circuit,
    state: SearchState,
    layout: Layout,
    table: PackedTable,
    aim: Aim,
    order: Numbers32,
    ranks: Integers,
    needed: Integers,
    actions: Numbers32,
    ends: Integers,
    limit: int,
) -> None:
    """Rank markings once so many firings as they need lead from them to ranked markings.

    The rank is above that of the last of these, which is the highest. Where one firing is needed,
    the rank is the fewest firings that lead to a marking of rank 0; where all, it is the most. The
    search is breadth first, in the reversed net, whose transitions take what those of the net
    put. It ends when it has expanded `limit` markings.

    Args:
        arcs: the reversed net.
        circuit: no target.
        state: of the reversed net, with the number of its marking.
        layout: of the table, with the changes of the reversed net.
        table: markings of the net, and a free row, which changes.
        aim: none.
        order: numbers of the ranked markings, in the order in which they were ranked.
        ranks: by marking its rank; −1 without one.
        needed: by marking how many more firings are needed; 0 or less if it is ranked.
        actions: by marking the transition that leads to a marking of a lower rank.
        ends: the number of expanded entries of `order`, and the number of all its entries.
        limit: the number of expanded entries after which the search ends.
    """
    size = state.numbers[SIZE]
    while ends[0] < ends[1] and ends[0] < limit:
        after = np.int64(order[ends[0]])
        load(arcs, circuit, state, aim, layout, table.words, after)
        settle_all(arcs, state)
        key = key_of(layout, table.words, state.numbers[CURRENT])
        for position in range(state.numbers[ENABLED]):
            transition = state.enabled[position]
            # A marking that does not fit the fields is not in the table.
            if overflowing_place(arcs, layout, state, transition) >= 0:
                continue
            write_successor(layout, table.words, size, after, transition)
            entry = table.slots[slot_of(table, mix(key + layout.sums[transition]), size)]
            before = np.int64(entry & np.uint64(LOW)) - 1
            if entry == ZERO:
                continue
            needed[before] -= 1
            if needed[before]:
                continue
            ranks[before] = ranks[after] + 1
            actions[before] = transition
            order[ends[1]] = before
            ends[1] += 1
        ends[0] += 1
