"""Markings packed into 64-bit words, a field of bits for each place, and tables of them."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from petricheck.kernel.arrays import Integers, Words, integers
from petricheck.kernel.loops import MOST
from petricheck.problem import Net

WIDEST = MOST.bit_length()
"""Bits of the widest field."""

WORD = 64

Numbers32: TypeAlias = NDArray[np.uint32]


class Layout(NamedTuple):
    """Where places are in the words, and what firings add to the words.

    Places are packed in their order, each field within one word.

    Attributes:
        bits: by place, the width of its field.
        homes: by place, the word that holds it.
        shifts: by place, the lowest bit of its field.
        masks: by place, the bits of its field, shifted down.
        most: by place, the most tokens that its field holds.
        firsts: by word, its first place; at last the number of places.
        starts: by transition, the words that a firing changes, with what it adds to each, mod 2^64.
        words: see `starts`.
        changes: see `starts`.
        factors: by word, of the key, which is the sum of factors times words mod 2^64.
        sums: by transition, what a firing adds to the key.
    """

    bits: Integers
    homes: Integers
    shifts: Words
    masks: Words
    most: Integers
    firsts: Integers
    starts: Integers
    words: Integers
    changes: Words
    factors: Words
    sums: Words


class Table(NamedTuple):
    """Markings in the order of discovery, and a hash table of them.

    Attributes:
        words: packed, one marking a row.
        parents: number of the marking that each was reached from.
        actions: number of the transition that led there.
        slots: 0 where free, else the upper half of a key, and a row + 1; as many as a power of two.
        keys: room for those of one marking's successors.
    """

    words: Words
    parents: Numbers32
    actions: Numbers32
    slots: Words
    keys: Words


def first_bits(net: Net) -> Integers:
    """Bits by place for the initial tokens and for what one firing puts there; at least one."""
    most = [max(1, tokens) for tokens in net.initial]
    for transition in net.transitions:
        for place, weight in transition.post:
            most[place] = max(most[place], weight)
    return integers(tokens.bit_length() for tokens in most)


def layout_of(net: Net, bits: Integers) -> Layout:
    """The layout with fields of these widths."""
    homes, shifts = _fields(bits)
    width = homes[-1] + 1 if homes else 1
    factors = np.random.default_rng(width).integers(1 << 62, 1 << 63, width, dtype=np.uint64)
    factors |= np.uint64(1)
    rows = []
    for transition in net.transitions:
        row: dict[int, int] = {}
        for place, change in transition.effect:
            row[homes[place]] = row.get(homes[place], 0) + (change << shifts[place])
        rows.append([(word, change % (1 << WORD)) for word, change in sorted(row.items())])
    sums = [sum(c * int(factors[w]) for w, c in row) % (1 << WORD) for row in rows]
    masks = (np.uint64(1) << bits.astype(np.uint64)) - np.uint64(1)
    return Layout(
        bits,
        integers(homes),
        np.array(shifts, dtype=np.uint64),
        masks,
        np.minimum(masks.astype(np.int64), MOST),
        np.searchsorted(homes, np.arange(width + 1)).astype(np.int64),
        integers(np.cumsum([0, *map(len, rows)])),
        integers(word for row in rows for word, _ in row),
        np.array([change for row in rows for _, change in row], dtype=np.uint64),
        factors,
        np.array(sums, dtype=np.uint64),
    )


def packed(layout: Layout, markings: NDArray[np.int64]) -> Words:
    """Markings, one a row, as words."""
    words = np.zeros((len(markings), len(layout.factors)), dtype=np.uint64)
    for place, home in enumerate(layout.homes):
        words[:, home] |= markings[:, place].astype(np.uint64) << layout.shifts[place]
    return words


def unpacked(layout: Layout, words: Words) -> NDArray[np.int64]:
    """Words as markings, one a row."""
    markings = np.zeros((len(words), len(layout.homes)), dtype=np.int64)
    for place, home in enumerate(layout.homes):
        markings[:, place] = (words[:, home] >> layout.shifts[place]) & layout.masks[place]
    return markings


def repacked(old: Layout, new: Layout, words: Words) -> Words:
    """Words of one layout in another one, whose fields are no narrower."""
    result = np.zeros((len(words), len(new.factors)), dtype=np.uint64)
    for place, home in enumerate(old.homes):
        tokens = (words[:, home] >> old.shifts[place]) & old.masks[place]
        result[:, new.homes[place]] |= tokens << new.shifts[place]
    return result


def _fields(bits: Integers) -> tuple[list[int], list[int]]:
    """Word and lowest bit of each place's field."""
    homes, shifts = [], []
    word = used = 0
    for width in bits.tolist():
        if used + width > WORD:
            word, used = word + 1, 0
        homes.append(word)
        shifts.append(used)
        used += width
    return homes, shifts
