"""Matrices of bytes as text: column by column, compressed (zlib), in base64.

The first bytes of all rows come first, then the second ones, and so on, since neighbours differ in
few bytes.
"""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from typing import Any

from petricheck.errors import EvidenceError
from petricheck.presburger.json import read_text


def write_columns(data: bytes, width: int) -> str:
    """Rows of so many bytes, one after the other, as text."""
    return b64encode(zlib.compress(_turned(data, width))).decode("ascii")


def read_columns(value: Any, count: int, width: int) -> bytes:
    """So many rows of so many bytes, one after the other; no more is expanded.

    Raises:
        EvidenceError: the value is no text that `write_columns` makes of such rows.
    """
    size = count * width
    try:
        stream = zlib.decompressobj()
        data = stream.decompress(b64decode(read_text(value), validate=True), size + 1)
    except (ValueError, zlib.error) as error:
        raise EvidenceError(f"the rows of the table cannot be read: {error}") from None
    if len(data) != size or not stream.eof or stream.unused_data:
        raise EvidenceError(f"the rows of the table have not {size} bytes, as announced")
    return _turned(data, count)


def _turned(data: bytes, width: int) -> bytes:
    """The bytes of a matrix with so many columns, column by column."""
    import numpy as np

    return np.frombuffer(data, dtype=np.uint8).reshape(-1, width).T.tobytes()
