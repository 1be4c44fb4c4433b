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

    def have(self, words: Words) -> Flags:
        """Which of these are rows; where rows do not ascend, some may be missed."""
        sought = np.ascontiguousarray(words.T.astype(">u8")).view(self.rows.dtype).ravel()
        places = np.searchsorted(self.rows, sought)
        places[places == len(self.rows)] = 0
        # Only where the bytes are the same: what the search says of their order is not trusted.
        return np.asarray(self.rows[places] == sought, dtype=bool)


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


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of a row as sums of tokens.

    Attributes:
        fields: by place, for each place of the table that its tokens count in, (that place, how
            much each of them counts).
    """

    fields: Mapping[str, tuple[tuple[str, int], ...]]

    def of(self, tokens: Iterable[tuple[str, int]]) -> dict[str, int]:
        """What (place, tokens) come to, by place of the table."""
        totals: dict[str, int] = {}
        for place, number in tokens:
            for column, weight in self.fields.get(place, ()):
                totals[column] = totals.get(column, 0) + weight * number
        return totals


def counts(table: MarkingTable) -> Counts:
    """How the table counts tokens."""
    found: dict[str, list[tuple[str, int]]] = {}
    for column, sums in table.sums.items():
        for place, weight in sums.items():
            found.setdefault(place, []).append((column, weight))
    return Counts({place: tuple(columns) for place, columns in found.items()})


def packed(fields: Mapping[str, Field], numbers: Mapping[str, int], words: int) -> Words | None:
    """The row with these numbers; None where they do not fit."""
    row = [0] * words
    for place, field in fields.items():
        if numbers[place] > most(field):
            return None
        row[field.word] |= numbers[place] << field.shift
    return np.array(row, dtype=np.uint64).reshape(words, 1)


@dataclass(frozen=True, slots=True)
class Firing:
    """A transition, as far as the places of a table go.

    Attributes:
        name: its id.
        needs: (field, what enables it, at least one).
        gains: (field, what it adds, at least one).
        change: what it adds to each word, modulo 2^64.
    """

    name: str
    needs: tuple[tuple[Field, int], ...]
    gains: tuple[tuple[Field, int], ...]
    change: Words

    def enabled(self, words: Words) -> NDArray[np.intp]:
        """The numbers of the rows that enable it."""
        flags: Flags = np.ones(words.shape[1], dtype=bool)
        if any(need > most(field) for field, need in self.needs):
            return np.flatnonzero(~flags)
        for number, mask in self._marked().items():
            flags &= (words[number] & np.uint64(mask)) == np.uint64(mask)
        for field, need in self.needs:
            if field.bits > 1:
                flags &= tokens(words, field) >= np.uint64(need)
        return np.flatnonzero(flags)

    def _marked(self) -> dict[int, int]:
        """By word the fields of one bit that have to hold a token."""
        masks: dict[int, int] = {}
        for field, _ in self.needs:
            if field.bits == 1:
                masks[field.word] = masks.get(field.word, 0) | 1 << field.shift
        return masks

    def fits(self, words: Words) -> Flags:
        """After which of these rows, which enable it, every field still holds its tokens."""
        flags: Flags = np.ones(words.shape[1], dtype=bool)
        for field, gain in self.gains:
            room = most(field) - gain
            flags &= tokens(words, field) <= np.uint64(room) if room >= 0 else False
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
) -> Firing | None:
    """The transition on these fields; None where it changes none of them.

    Args:
        name: its id.
        fields: by place of the table.
        pre: what it takes from each of these, as the table counts.
        post: what it puts there.
        words: of a row.
    """
    places = [place for place in dict.fromkeys((*pre, *post)) if place in fields]
    changes = {place: post.get(place, 0) - pre.get(place, 0) for place in places}
    change = [0] * words
    for place, gain in changes.items():
        change[fields[place].word] += gain << fields[place].shift
    if not any(changes.values()):
        return None
    return Firing(
        name,
        tuple((fields[place], need) for place, need in pre.items() if place in fields),
        tuple((fields[place], gain) for place, gain in changes.items() if gain > 0),
        np.array([value % _MODULUS for value in change], dtype=np.uint64),
    )
