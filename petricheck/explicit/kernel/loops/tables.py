"""Table of packed markings, which contains each marking once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from petricheck.explicit.kernel.constants import CURRENT, HALF, LOW, ONE, SIZE, STAR, ZERO
from petricheck.explicit.kernel.loops.circuits import update_atoms
from petricheck.explicit.kernel.loops.firing import move

if TYPE_CHECKING:
    from petricheck.explicit.kernel.arrays import Arcs, Integers, SearchState, Words
    from petricheck.explicit.kernel.circuit import Aim, Circuit
    from petricheck.explicit.kernel.packing import Layout, PackedTable

_29 = np.uint64(29)


def load(
    arcs: Arcs,
    circuit: Circuit,
    state: SearchState,
    aim: Aim,
    layout: Layout,
    words: Words,
    to: int | np.int64,
) -> None:
    """Change the state from the marking of number CURRENT to that of number `to`."""
    current = state.numbers[CURRENT]
    for word in range(words.shape[1]):
        pack = words[to, word]
        if pack == words[current, word]:
            continue
        for place in range(layout.firsts[word], layout.firsts[word + 1]):
            tokens = np.int64((pack >> layout.shifts[place]) & layout.masks[place])
            change = tokens - state.marking[place]
            if change != 0:
                move(arcs, state, place, change)
                update_atoms(circuit, state, aim, place, change)
    state.numbers[CURRENT] = to


def mix(key: np.uint64) -> np.uint64:
    """Return a linear key with its bits spread."""
    key ^= key >> HALF
    key *= STAR
    return key ^ (key >> _29)


def key_of(layout: Layout, words: Words, number: int) -> np.uint64:
    """Return a weighted sum of a marking's packed words, to which each firing adds a constant."""
    key = ZERO
    for word in range(words.shape[1]):
        key += words[number, word] * layout.factors[word]
    return key


def fill(layout: Layout, table: PackedTable, size: int) -> None:
    """Enter all markings into the empty slots."""
    last = np.uint64(len(table.slots) - 1)
    for number in range(size):
        key = mix(key_of(layout, table.words, number))
        slot = key & last
        while table.slots[np.int64(slot)] != ZERO:
            slot = (slot + ONE) & last
        table.slots[np.int64(slot)] = ((key >> HALF) << HALF) | np.uint64(number + 1)


def repack(before: Layout, after: Layout, old: Words, new: Words, size: int) -> None:
    """Copy `size` packed markings into empty words with wider fields."""
    for number in range(size):
        home = 0
        for word in range(old.shape[1]):
            pack = old[number, word]
            if pack == ZERO:
                continue
            for place in range(before.firsts[word], before.firsts[word + 1]):
                while place >= after.firsts[home + 1]:
                    home += 1
                tokens = (pack >> before.shifts[place]) & before.masks[place]
                new[number, home] |= tokens << after.shifts[place]


def slot_of(table: PackedTable, key: np.uint64, row: int | np.int64) -> np.int64:
    """Return the slot of the marking in this row, or the free slot where it belongs.

    The row may be the one after the last of the table's markings; the key is mixed.
    """
    last = np.uint64(len(table.slots) - 1)
    slot = key & last
    while True:
        entry = table.slots[np.int64(slot)]
        if entry == ZERO:
            return np.int64(slot)
        if entry >> HALF == key >> HALF:
            number = np.int64(entry & LOW) - 1
            equal = True
            for word in range(table.words.shape[1]):
                equal &= table.words[number, word] == table.words[row, word]
            if equal:
                return np.int64(slot)
        slot = (slot + ONE) & last


def add(table: PackedTable, key: np.uint64, size: int) -> bool:
    """Enter the marking of the row after the last one; return whether it was new."""
    slot = slot_of(table, key, size)
    if table.slots[slot] != ZERO:
        return False
    table.slots[slot] = ((key >> HALF) << HALF) | np.uint64(size + 1)
    return True


def write_successor(
    layout: Layout, words: Words, row: int | np.int64, number: int | np.int64, transition: int
) -> None:
    """Write the successor of marking `number` by this transition into a row."""
    for word in range(words.shape[1]):
        words[row, word] = words[number, word]
    for entry in range(layout.starts[transition], layout.starts[transition + 1]):
        words[row, layout.words[entry]] += layout.changes[entry]


def enter(
    layout: Layout,
    table: PackedTable,
    numbers: Integers,
    key: np.uint64,
    number: int,
    transition: int,
) -> bool:
    """Enter the successor of a marking into the table; return whether it was new.

    Its key is mixed, all fields are wide enough for it, and SIZE grows.
    """
    size = numbers[SIZE]
    write_successor(layout, table.words, size, number, transition)
    if not add(table, key, size):
        return False
    table.parents[size] = number
    table.actions[size] = transition
    numbers[SIZE] = size + 1
    return True


def overflowing_place(arcs: Arcs, layout: Layout, state: SearchState, transition: int) -> int:
    """Return a place whose field is too narrow for the tokens after the firing, or −1."""
    for entry in range(arcs.effect_starts[transition], arcs.effect_starts[transition + 1]):
        place: int = arcs.effect_places[entry]
        if state.marking[place] + arcs.effect_changes[entry] > layout.most[place]:
            return place
    return -1
