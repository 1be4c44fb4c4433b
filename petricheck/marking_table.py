"""A finite set of markings as a certificate: every reachable marking is a row of a packed table."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field

from petricheck.words import counted

WORD = 64
"""Bits of a word in a `MarkingTable`."""

TABLE = 1 << 29
"""Bytes that the rows of a `MarkingTable` may have: ten million of 400 places with a bit each."""


@dataclass(frozen=True, slots=True)
class Field:
    """Where a row of a `MarkingTable` holds the tokens of a place.

    Attributes:
        place: its id.
        word: number of the word, from the left.
        shift: its lowest bit in the word.
        bits: how many it has; a field of none holds 0.
    """

    place: str
    word: int
    shift: int
    bits: int


@dataclass(frozen=True, slots=True)
class MarkingTable:
    """A finite set of markings that no firing leaves, with the initial one and none of the target.

    A row is a marking of some places, packed into unsigned words of 64 bits, each with its most
    significant byte first. It stands for all markings that agree with it on these places, whatever
    the others hold. Where other places count as well, it stands for all whose sums are the row's
    numbers. Rows ascend as strings of bytes, none is repeated, and bits outside of fields are 0.

    Attributes:
        layout: (place id, bits), at most 63 of them; `fields` says where they are.
        rows: all rows, one after the other.
        counted: by place of the layout, further places, each with how much a token of it counts,
            at least one, in the number of that place.
    """

    layout: tuple[tuple[str, int], ...]
    rows: bytes = field(repr=False)
    counted: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] = ()

    @property
    def fields(self) -> tuple[Field, ...]:
        """From the lowest bit of the first word on; a field that is too long for the rest of a
        word begins the next one.
        """
        fields = []
        word, used = 0, 0
        for place, bits in self.layout:
            if used + bits > WORD:
                word, used = word + 1, 0
            fields.append(Field(place, word, used if bits else 0, bits))
            used += bits
        return tuple(fields)

    @property
    def sums(self) -> dict[str, dict[str, int]]:
        """By place of the layout the places that count in its number, itself among them."""
        counted = dict(self.counted)
        return {place: {place: 1} | dict(counted.get(place, ())) for place, _ in self.layout}

    def known(self, empty: Set[str] = frozenset()) -> frozenset[str]:
        """Places whose tokens a row tells where these other places are empty."""
        return frozenset(p for p, counts in self.sums.items() if empty >= counts.keys() - {p})

    @property
    def words(self) -> int:
        """How many a row has, at least one."""
        return max((field.word for field in self.fields), default=0) + 1

    @property
    def width(self) -> int:
        """Bytes of a row."""
        return self.words * WORD // 8

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self.rows) // self.width

    def __str__(self) -> str:
        return f"a set of {counted(self.count, 'marking')} that no firing leaves"
