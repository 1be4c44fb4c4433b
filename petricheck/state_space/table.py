"""Markings as a packed table, the certificate where no shorter proof fits.

The rows may be in any order, but no two are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from petricheck.evidence.finite_set import TABLE, Field, MarkingTable
from petricheck.state_space.arcs import Rows

Words: TypeAlias = NDArray[np.uint64]
"""One word of a packed marking a row, one marking a column."""

Layout: TypeAlias = tuple[tuple[str, int], ...]
"""See `MarkingTable`, which says where it puts the places."""

Packed: TypeAlias = tuple[Layout, Words]

BLOCK = 1 << 14
"""Markings that are packed at a time."""


def tabled(places: Sequence[str], rows: Rows) -> MarkingTable | None:
    """The table of these markings; None where it would be too large to be read back.

    Args:
        places: their ids, by column.
        rows: markings, all different and none with 2^63 tokens on a place.
    """
    largest = [int(number) for number in rows.max(axis=0, initial=0)]
    layout = tuple((p, most.bit_length()) for p, most in zip(places, largest, strict=True))
    empty = MarkingTable(layout, b"")
    fields = empty.fields
    if len(rows) * empty.width > TABLE:
        return None
    words = np.zeros((empty.words, len(rows)), dtype=np.uint64)
    for start in range(0, len(rows), BLOCK):
        columns = np.ascontiguousarray(rows[start : start + BLOCK].T)
        part = words[:, start : start + BLOCK]
        for field, column in zip(fields, columns, strict=True):
            if field.bits:
                part[field.word] |= column.astype(np.uint64) << np.uint64(field.shift)
    return sealed(layout, words)


def sealed(layout: Layout, words: Words) -> MarkingTable | None:
    """The table of packed markings; None where it would be too large to be read back."""
    if words.nbytes > TABLE:
        return None
    order = np.lexsort(words[::-1])
    return MarkingTable(layout, np.take(words, order, axis=1).T.astype(">u8").tobytes())


def tightened(layout: Layout, words: Words) -> Packed:
    """Packed markings in fields of as many bits as their numbers have."""
    old = MarkingTable(layout, b"").fields
    bits = [int(tokens(words, field).max(initial=0)).bit_length() for field in old]
    narrow = tuple((field.place, size) for field, size in zip(old, bits, strict=True))
    if narrow == layout:
        return layout, words
    empty = MarkingTable(narrow, b"")
    found = np.zeros((empty.words, words.shape[1]), dtype=np.uint64)
    for before, after in zip(old, empty.fields, strict=True):
        if after.bits:
            found[after.word] |= tokens(words, before) << np.uint64(after.shift)
    return narrow, found


def opened(table: MarkingTable) -> Words:
    """The packed markings of a table."""
    rows = np.frombuffer(table.rows, dtype=">u8").reshape(-1, table.words)
    return np.ascontiguousarray(rows.T.astype(np.uint64))


def tokens(words: Words, field: Field) -> Words:
    """What packed markings hold on a place."""
    found: Words = words[field.word] >> np.uint64(field.shift)
    return found & np.uint64((1 << field.bits) - 1)


def extended(layout: Layout, words: Words, place: str, column: NDArray[Any]) -> Packed:
    """Packed markings with one more place.

    Args:
        layout: of the packed markings.
        words: the packed markings.
        place: its id.
        column: its tokens in each, from 0 up to below 2^63.
    """
    wider = MarkingTable((*layout, (place, int(column.max(initial=0)).bit_length())), b"")
    field = wider.fields[-1]
    found = np.zeros((wider.words, words.shape[1]), dtype=np.uint64)
    found[: len(words)] = words
    if field.bits:
        found[field.word] |= column.astype(np.uint64) << np.uint64(field.shift)
    return wider.layout, found
