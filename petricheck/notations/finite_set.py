"""A finite set of markings: where the places are in its rows, what counts besides, and the rows.

The first bytes of all rows come first, then the second ones, and so on, since neighbours differ in
few bytes. That is compressed (zlib) and written in base64.
"""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from petricheck.errors import EvidenceError, QueryError
from petricheck.marking_table import TABLE, MarkingTable
from petricheck.notations import Told
from petricheck.presburger.json import read_integer, read_items, read_text, require_keys, write_sum
from petricheck.words import counted

BITS = 63
"""The longest field."""


@dataclass(frozen=True)
class FiniteSet:
    """A layout, a number of rows, and the rows."""

    of: ClassVar[type] = MarkingTable
    keys: ClassVar[tuple[str, ...]] = ("markings",)

    def write(self, certificate: MarkingTable) -> dict[str, Any]:
        """An object with all of it.

        Raises:
            QueryError: the rows are too large to be read back.
        """
        if len(certificate.rows) > TABLE:
            raise QueryError(f"a table of markings with more than {TABLE} bytes is not written")
        packed = zlib.compress(_turned(certificate.rows, certificate.width))
        fields = {
            "layout": [list(entry) for entry in certificate.layout],
            "count": certificate.count,
            "rows": b64encode(packed).decode("ascii"),
        }
        if certificate.counted:
            fields["counted"] = {p: write_sum(further) for p, further in certificate.counted}
        return {"markings": fields}

    def read(self, fields: Mapping[str, Any]) -> MarkingTable:
        """The inverse of `write`; EvidenceError where it is none.

        No more is expanded than the layout and the number of rows announce.
        """
        value = fields["markings"]
        further = _counted(value)
        require_keys(value, "layout", "count", "rows", *(["counted"] if further else []))
        layout = read_items(value["layout"], _field)
        count, width = read_integer(value["count"]), MarkingTable(layout, b"").width
        if not 1 <= count <= TABLE // width:
            raise EvidenceError(f"a table has from 1 to {TABLE // width} rows of {width} bytes")
        turned = _expanded(read_text(value["rows"]), count * width)
        return MarkingTable(layout, _turned(turned, count), further)

    def told(self, certificate: MarkingTable, form: str) -> Told:
        """How large it is; always as text."""
        places = len(certificate.layout)
        bits = sum(size for _, size in certificate.layout)
        rows = counted(certificate.count, "marking")
        headline = f"{rows}, the initial one among them, are left by no firing and miss the target."
        size = f"  a table of {counted(bits, 'bit')} each, for {counted(places, 'place')}"
        if certificate.counted:
            size += f", {len(certificate.counted)} of them with others that count as well"
        return Told(headline, size, headline)


def _turned(data: bytes, width: int) -> bytes:
    """The bytes of a matrix with so many columns, column by column."""
    import numpy as np

    return np.frombuffer(data, dtype=np.uint8).reshape(-1, width).T.tobytes()


def _field(value: Any) -> tuple[str, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise EvidenceError("a field of the layout is not [place, bits]")
    place, bits = read_text(value[0]), read_integer(value[1])
    if not 0 <= bits <= BITS:
        raise EvidenceError(f"a field has not from 0 to {BITS} bits")
    return place, bits


def _counted(value: Any) -> tuple[tuple[str, tuple[tuple[str, int], ...]], ...]:
    """By column what counts besides; nothing where nothing does."""
    if not isinstance(value, dict) or "counted" not in value:
        return ()
    further = value["counted"]
    if not isinstance(further, dict) or not all(
        isinstance(sums, dict) for sums in further.values()
    ):
        raise EvidenceError("what counts besides is no object of objects")
    return tuple(
        (column, tuple((place, read_integer(weight)) for place, weight in sums.items()))
        for column, sums in further.items()
    )


def _expanded(text: str, size: int) -> bytes:
    """What is compressed in the text, which is to have just so many bytes."""
    try:
        stream = zlib.decompressobj()
        data = stream.decompress(b64decode(text, validate=True), size + 1)
    except (ValueError, zlib.error) as error:
        raise EvidenceError(f"the rows of the table cannot be read: {error}") from None
    if len(data) != size or not stream.eof or stream.unused_data:
        raise EvidenceError(f"the rows of the table have not {size} bytes, as announced")
    return data
