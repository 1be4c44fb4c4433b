"""The words for several initial markings: formulas, with commas between them for *and*."""

from __future__ import annotations

import re
from collections.abc import Iterator

from petricheck.arithmetic.formulas.formulas import Formula, conjunction, tighten
from petricheck.arithmetic.formulas.text import QUOTED
from petricheck.formats.language.grammar import read_formula
from petricheck.model.net import Net
from petricheck.support.errors import QueryError

_PIECE = re.compile(rf"{QUOTED}|#[^\n]*|.", re.DOTALL)


def read_initial(net: Net, text: str) -> Formula:
    """Return the formula over place ids; QueryError points at the character that does not fit."""
    return tighten(conjunction(_read(net, text, begin, end) for begin, end in _parts(text)))


def _read(net: Net, text: str, begin: int, end: int) -> Formula:
    try:
        return read_formula(net, text[begin:end])
    except QueryError as error:
        message, position = f"the initial markings: {error.message}", error.position
        at = None if position is None else begin + position
        raise QueryError(message, text=text, position=at) from None


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the parts between commas begin and end; not those in parentheses or quotes."""
    begin = depth = 0
    for piece in _PIECE.finditer(text):
        depth += {"(": 1, ")": -1}.get(piece[0], 0)
        if piece[0] == "," and not depth:
            yield begin, piece.start()
            begin = piece.end()
    yield begin, len(text)
