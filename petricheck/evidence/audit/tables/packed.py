"""Rows of a table of markings: their fields, and how firings change them.

All arithmetic is on unsigned words of 64 bits. The fields of a row are disjoint. If each number
stays within its bits, adding a multiple of 2^shift for each field to the words is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from petricheck.evidence.certificates.finite_set import WORD, Field, MarkingTable

Words: TypeAlias = NDArray[np.uint64]
"""The rows of the array are words, its columns markings."""

Flags: TypeAlias = NDArray[np.bool_]

_MODULUS = 1 << WORD


@dataclass(frozen=True, slots=True)
class Strings:
    """All rows of a table as strings of bytes, for look-ups; a correct table has them ascend."""

    rows: NDArray[Any]

    def block(self, start: int, stop: int) -> Words:
        """Return the words of these rows."""
        part = self.rows[start:stop]
        width = part.itemsize * 8 // WORD
        return np.ascontiguousarray(part.view(">u8").reshape(-1, width).T.astype(np.uint64))

    def ascend(self, start: int, stop: int) -> bool:
        """Return whether each of these rows is less than the next one, if there is one."""
        part = self.rows[start : stop + 1]
        return bool((part[:-1] < part[1:]).all())

    def find(self, words: Words) -> tuple[NDArray[np.intp], Flags]:
        """Return for each marking the number of a row, and whether this row is the marking.

        If the rows do not ascend, some may be missed.
        """
        keys = np.ascontiguousarray(words.T.astype(">u8")).view(self.rows.dtype).ravel()
        places = np.searchsorted(self.rows, keys)
        places[places == len(self.rows)] = 0
        # The order of the rows is not trusted: all bytes are compared.
        return places, np.asarray(self.rows[places] == keys, dtype=bool)


def strings(table: MarkingTable) -> Strings:
    """Return the rows of a table that is not empty."""
    return Strings(np.frombuffer(table.rows, dtype=f"S{table.width}"))


def capacity(field: Field) -> int:
    """Return the largest number of tokens that the field can store."""
    return (1 << field.bits) - 1


def tokens(words: Words, field: Field) -> Words:
    """Return the number that the field has in each row."""
    shifted: Words = words[field.word] >> np.uint64(field.shift)
    return shifted & np.uint64(capacity(field))


def unused_bits(fields: Iterable[Field], words: int) -> Words:
    """Return for each word the bits that belong to no field."""
    masks = [_MODULUS - 1] * words
    for field in fields:
        masks[field.word] &= ~(capacity(field) << field.shift)
    return np.array(masks, dtype=np.uint64)


def pack(fields: Mapping[str, Field], numbers: Mapping[str, int], words: int) -> Words | None:
    """Return the row with these numbers; None if one exceeds its field."""
    if any(numbers[place] > capacity(field) for place, field in fields.items()):
        return None
    return _added(((field, numbers[place]) for place, field in fields.items()), words)[:, None]


def _added(numbers: Iterable[tuple[Field, int]], words: int) -> Words:
    """Return for each word the sum of these numbers in their fields, modulo 2^64."""
    sums = [0] * words
    for field, number in numbers:
        sums[field.word] += number << field.shift
    return np.array([total % _MODULUS for total in sums], dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class RowFiring:
    """A transition as it acts on the rows of a table.

    Attributes:
        name: its id.
        marks: by word, the fields of one bit from which it takes one token.
        needs: (field, tokens that it needs) for the other fields.
        limits: (field, the most tokens before a firing, so that those after it fit into the field).
        change: the number that it adds to each word, modulo 2^64.
        changes_rows: whether some row can enable it and its effect is not zero.
    """

    name: str
    marks: Mapping[int, int]
    needs: tuple[tuple[Field, int], ...]
    limits: tuple[tuple[Field, int], ...]
    change: Words
    changes_rows: bool

    def enabled(self, words: Words) -> NDArray[np.intp]:
        """Return the numbers of the rows that enable it."""
        flags: Flags = np.ones(words.shape[1], dtype=bool)
        for number, mask in self.marks.items():
            flags &= (words[number] & np.uint64(mask)) == np.uint64(mask)
        for field, need in self.needs:
            flags &= tokens(words, field) >= np.uint64(need) if need <= capacity(field) else False
        return np.flatnonzero(flags)

    def fits(self, words: Words) -> Flags:
        """Return for rows that enable it whether, after the firing, every number fits its field."""
        flags: Flags = np.ones(words.shape[1], dtype=bool)
        for field, most_before in self.limits:
            flags &= tokens(words, field) <= np.uint64(most_before) if most_before >= 0 else False
        return flags

    def fire(self, words: Words) -> Words:
        """Return the successors of rows that enable it and whose successors fit."""
        return words + self.change[:, None]


def firing(
    name: str,
    fields: Mapping[str, Field],
    pre: Mapping[str, int],
    post: Mapping[str, int],
    words: int,
) -> RowFiring:
    """Return the transition that takes `pre` and puts `post`, by place, as it acts on rows."""
    needs = [(fields[place], need) for place, need in pre.items() if need]
    gains = {p: post.get(p, 0) - pre.get(p, 0) for p in dict.fromkeys((*pre, *post))}
    marks: dict[int, int] = {}
    for field, need in needs:
        if field.bits == need == 1:
            marks[field.word] = marks.get(field.word, 0) | 1 << field.shift
    return RowFiring(
        name,
        marks,
        tuple((field, need) for field, need in needs if not field.bits == need == 1),
        tuple((fields[p], capacity(fields[p]) - gain) for p, gain in gains.items() if gain > 0),
        _added(((fields[place], gain) for place, gain in gains.items()), words),
        any(gains.values()) and all(need <= capacity(field) for field, need in needs),
    )
