"""Matrices of bytes as text: by columns, compressed (zlib), in base64.

The first bytes of all rows come first, then the second ones, and so on. Neighbouring rows differ in
few bytes, so columns compress better.
"""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from typing import Any

from petricheck.arithmetic.formulas.json import read_text
from petricheck.support.errors import EvidenceError


def write_columns(data: bytes, width: int) -> str:
    """Return rows of `width` bytes, one after the other, as text."""
    return b64encode(zlib.compress(_transposed(data, width))).decode("ascii")


def read_columns(value: Any, count: int, width: int) -> bytes:
    """Return `count` rows of `width` bytes, one after the other; expand no more than that.

    Raises:
        EvidenceError: `write_columns` makes no such text of such rows.
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
