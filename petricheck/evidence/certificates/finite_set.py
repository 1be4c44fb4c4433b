"""Finite sets of markings as packed tables: the layout, further places that count, the rows."""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Any

from petricheck.arithmetic.formulas.json import (
    INTEGER,
    SUM,
    TEXT,
    items,
    pair,
    read_integer,
    read_object,
    read_text,
    require_keys,
)
from petricheck.evidence.certificates import Description
from petricheck.support.errors import EvidenceError, QueryError
from petricheck.support.words import counted

BITS = 63
"""The most bits of a field, so that its numbers fit signed words."""

WORD = 64
"""Bits of a word in a `MarkingTable`."""

TABLE = 1 << 29
"""The most bytes of the rows of a `MarkingTable`: ten million of 400 places with a bit each."""


@dataclass(frozen=True, slots=True)
class Field:
    """The bits of a row of a `MarkingTable` that store the tokens of a place.

    Attributes:
        place: its id.
        word: number of the word, from the left.
        shift: its lowest bit in the word.
        bits: the number of bits; a field without bits stores 0.
    """

    place: str
    word: int
    shift: int
    bits: int


@dataclass(frozen=True, slots=True)
class MarkingTable:
    """A finite set of markings that no firing leaves, with the initial one and none of the target.

    A row is a marking of some places. It is packed into unsigned words of 64 bits, each with its
    most significant byte first. It stands for all markings that agree with it on these places. If
    further places count, it stands for all markings whose weighted sums are its numbers. Rows
    ascend as strings of bytes, none is repeated, and bits outside of fields are 0.

    Attributes:
        layout: (place id, bits), with at most 63 bits; see `fields`.
        rows: all rows, one after the other.
        counted: by place of the layout, further places with the weight, at least 1, of their tokens
            in the number of that place.
    """

    layout: tuple[tuple[str, int], ...]
    rows: bytes = field(repr=False)
    counted: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] = ()

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields in order, from the lowest bit of the first word on.

        A field that is longer than the rest of a word begins the next word.
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
        """The places that count in a place's number, with weights, by place of the layout."""
        counted = dict(self.counted)
        return {place: {place: 1} | dict(counted.get(place, ())) for place, _ in self.layout}

    def determined(self, empty: Set[str] = frozenset()) -> frozenset[str]:
        """Return the places whose tokens a row determines if these other places are empty."""
        return frozenset(p for p, counts in self.sums.items() if empty >= counts.keys() - {p})

    @property
    def words(self) -> int:
        """The number of words of a row, at least one."""
        return max((field.word for field in self.fields), default=0) + 1

    @property
    def width(self) -> int:
        """The number of bytes of a row."""
        return self.words * WORD // 8

    @property
    def count(self) -> int:
        """The number of rows."""
        return len(self.rows) // self.width

    def __str__(self) -> str:
        return f"a set of {counted(self.count, 'marking')} that no firing leaves"


_LAYOUT = items(pair(TEXT, INTEGER, "[place, bits]"))


class FiniteSet:
    """A layout, a number of rows, and the rows."""

    of = MarkingTable
    keys = ("markings",)

    def write(self, certificate: MarkingTable) -> dict[str, Any]:
        """Return an object with all parts."""
        if len(certificate.rows) > TABLE:
            raise QueryError(f"a table of markings with more than {TABLE} bytes is not written")
        fields = {
            "layout": _LAYOUT.write(certificate.layout),
            "count": certificate.count,
            "rows": write_columns(certificate.rows, certificate.width),
        }
        if certificate.counted:
            fields["counted"] = {p: SUM.write(further) for p, further in certificate.counted}
        return {"markings": fields}

    def read(self, fields: Mapping[str, Any]) -> MarkingTable:
        """Return the table that `write` has written; raise EvidenceError for other values.

        No more bytes are expanded than the layout and the number of rows require.
        """
        value = read_object(fields["markings"])
        require_keys(
            value, "layout", "count", "rows", *(["counted"] if value.get("counted") else [])
        )
        layout, further = _LAYOUT.read(value["layout"]), read_object(value.get("counted", {}))
        if not all(0 <= bits <= BITS for _, bits in layout):
            raise EvidenceError(f"a field has not from 0 to {BITS} bits")
        count, width = read_integer(value["count"]), MarkingTable(layout, b"").width
        if not 1 <= count <= TABLE // width:
            raise EvidenceError(f"a table has from 1 to {TABLE // width} rows of {width} bytes")
        rows = read_columns(value["rows"], count, width)
        counted_too = tuple((column, _weights(sums)) for column, sums in further.items())
        return MarkingTable(layout, rows, counted_too)

    def describe(self, certificate: MarkingTable, form: str) -> Description:
        """Describe the size of the table, in every form as text."""
        places = len(certificate.layout)
        bits = sum(size for _, size in certificate.layout)
        rows = counted(certificate.count, "marking")
        headline = f"No firing leaves this set of {rows}, with the initial one, none in the target."
        size = f"  a table of {counted(bits, 'bit')} each, for {counted(places, 'place')}"
        if certificate.counted:
            size += f", {len(certificate.counted)} of them with others that count as well"
        return Description(headline, size, headline)


def _weights(value: Any) -> tuple[tuple[str, int], ...]:
    """Return the weights by place as they are, since zeros must be refused later."""
    return tuple((place, read_integer(weight)) for place, weight in read_object(value).items())


def write_columns(data: bytes, width: int) -> str:
    """Return rows of `width` bytes, one after the other, as text: compressed (zlib), in base64.

    The first bytes of all rows come first, then the second ones, and so on. Neighbouring rows
    differ in few bytes, so columns compress better.
    """
    return b64encode(zlib.compress(_transposed(data, width))).decode("ascii")


def read_columns(value: Any, count: int, width: int) -> bytes:
    """Return `count` rows of `width` bytes, one after the other; expand no more than that.

    EvidenceError where `write_columns` makes no such text of such rows.
    """
    size = count * width
    try:
        stream = zlib.decompressobj()
        data = stream.decompress(b64decode(read_text(value), validate=True), size + 1)
    except (ValueError, zlib.error) as error:
        raise EvidenceError(f"the rows of the table cannot be read: {error}") from None
    if len(data) != size or not stream.eof or stream.unused_data:
        raise EvidenceError(f"the rows of the table have not {size} bytes, as announced")
    return _transposed(data, count)


def _transposed(data: bytes, width: int) -> bytes:
    """Return the bytes of a matrix with `width` columns, column by column."""
    import numpy as np

    return np.frombuffer(data, dtype=np.uint8).reshape(-1, width).T.tobytes()
