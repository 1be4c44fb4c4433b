"""Rows of a table of markings, taken apart field by field, and what they become by firing.

All arithmetic is on unsigned words of 64 bits. The fields of a row are disjoint; where each stays
within its bits, adding a multiple of 2^shift for each of them to the words is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from petricheck.evidence.finite_set import WORD, Field, MarkingTable

Words: TypeAlias = NDArray[np.uint64]
"""One word a row of the array, one marking a column."""

Flags: TypeAlias = NDArray[np.bool_]

_MODULUS = 1 << WORD


@dataclass(frozen=True, slots=True)
class Strings:
    """All rows of a table as strings of bytes, to look others up in.

    Attributes:
        rows: the strings, which are meant to ascend.
    """

    rows: NDArray[Any]

    def block(self, start: int, stop: int) -> Words:
        """The words of some rows."""
        part = self.rows[start:stop]
        width = part.itemsize * 8 // WORD
        return np.ascontiguousarray(part.view(">u8").reshape(-1, width).T.astype(np.uint64))

    def ascend(self, start: int, stop: int) -> bool:
        """Whether each of these rows is less than the one after it, if there is one."""
        part = self.rows[start : stop + 1]
        return bool((part[:-1] < part[1:]).all())

    def find(self, words: Words) -> tuple[NDArray[np.intp], Flags]:
        """By marking the number of a row, and whether it is this marking.

        Where rows do not ascend, some may be missed.
        """
        sought = np.ascontiguousarray(words.T.astype(">u8")).view(self.rows.dtype).ravel()
        places = np.searchsorted(self.rows, sought)
        places[places == len(self.rows)] = 0
        # Only where the bytes are the same: what the search says of their order is not trusted.
        return places, np.asarray(self.rows[places] == sought, dtype=bool)

    def have(self, words: Words) -> Flags:
        """Which of these are rows; where rows do not ascend, some may be missed."""
        return self.find(words)[1]


def strings(table: MarkingTable) -> Strings:
    """The rows of a table that has some."""
    return Strings(np.frombuffer(table.rows, dtype=f"S{table.width}"))


def most(field: Field) -> int:
    """The largest number of tokens that fits."""
    return (1 << field.bits) - 1


def tokens(words: Words, field: Field) -> Words:
    """What the field holds in each row."""
    shifted: Words = words[field.word] >> np.uint64(field.shift)
    return shifted & np.uint64(most(field))


def unused(fields: Iterable[Field], words: int) -> Words:
    """For each word the bits that are in no field."""
    masks = [_MODULUS - 1] * words
    for field in fields:
        masks[field.word] &= ~(most(field) << field.shift)
    return np.array(masks, dtype=np.uint64)


def packed(fields: Mapping[str, Field], numbers: Mapping[str, int], words: int) -> Words | None:
    """The row with these numbers; None where they do not fit."""
    if any(numbers[place] > most(field) for place, field in fields.items()):
        return None
    return _added(((field, numbers[place]) for place, field in fields.items()), words)[:, None]


def _added(numbers: Iterable[tuple[Field, int]], words: int) -> Words:
    """For each word what it takes to add these to the fields, modulo 2^64."""
    sums = [0] * words
    for field, number in numbers:
        sums[field.word] += number << field.shift
    return np.array([total % _MODULUS for total in sums], dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class Firing:
    """A transition, as far as the places of a table go.

    Attributes:
        name: its id.
        marks: by word the fields of one bit that have to hold just one token.
        needs: (field, what enables it) of the others.
        rooms: (field, how much may be there before, for the field to hold it after).
        change: what it adds to each word, modulo 2^64.
        moves: whether rows can enable it, and it changes them.
    """

    name: str
    marks: Mapping[int, int]
    needs: tuple[tuple[Field, int], ...]
    rooms: tuple[tuple[Field, int], ...]
    change: Words
    moves: bool

    def enabled(self, words: Words) -> NDArray[np.intp]:
        """The numbers of the rows that enable it."""
        flags: Flags = np.ones(words.shape[1], dtype=bool)
        for number, mask in self.marks.items():
            flags &= (words[number] & np.uint64(mask)) == np.uint64(mask)
        for field, need in self.needs:
            flags &= tokens(words, field) >= np.uint64(need) if need <= most(field) else False
        return np.flatnonzero(flags)

    def fits(self, words: Words) -> Flags:
        """After which of these rows, which enable it, every field still holds its tokens."""
        flags: Flags = np.ones(words.shape[1], dtype=bool)
        for field, most_before in self.rooms:
            flags &= tokens(words, field) <= np.uint64(most_before) if most_before >= 0 else False
        return flags

    def fire(self, words: Words) -> Words:
        """What these rows become, which enable it and after which all fits."""
        return words + self.change[:, None]


def firing(
    name: str,
    fields: Mapping[str, Field],
    pre: Mapping[str, int],
    post: Mapping[str, int],
    words: int,
) -> Firing:
    """The transition, as the table counts what it takes and puts."""
    needs = [(fields[place], need) for place, need in pre.items() if need]
    gains = {p: post.get(p, 0) - pre.get(p, 0) for p in dict.fromkeys((*pre, *post))}
    marks: dict[int, int] = {}
    for field, need in needs:
        if field.bits == need == 1:
            marks[field.word] = marks.get(field.word, 0) | 1 << field.shift
    return Firing(
        name,
        marks,
        tuple((field, need) for field, need in needs if not field.bits == need == 1),
        tuple((fields[p], most(fields[p]) - gain) for p, gain in gains.items() if gain > 0),
        _added(((fields[place], gain) for place, gain in gains.items()), words),
        any(gains.values()) and all(need <= most(field) for field, need in needs),
    )
