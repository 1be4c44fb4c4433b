"""Tables of markings of a smaller net, made tables of the larger one.

A table speaks of some places only, and transitions are seen on these. So it stays what it is where
places and transitions went that have no effect on its places, or need no more than others do. It
gets a further column for a place that the larger target names and whose value is known, and for one
that blocks a dead transition; rows in which that one does not are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from petricheck.answer import TABLE, WORD, Field, MarkingTable
from petricheck.presburger.terms import Term
from petricheck.state_space.table import Packed, Words, extended, opened, sealed, tokens

_LARGEST = 1 << 62


def widened(
    table: MarkingTable, values: Mapping[str, Term], ceilings: Mapping[str, int]
) -> MarkingTable | None:
    """The table with further places, and without rows that exceed a ceiling.

    Args:
        table: the table.
        values: for each further place a term over places of the table.
        ceilings: for places of the table, further ones included.

    Returns:
        The table; None where a term names a place that the table does not have, or comes to a
        number that does not fit, or where the table would be too large.
    """
    layout, words = table.layout, opened(table)
    fields = {field.place: field for field in table.fields}
    for place, term in values.items():
        column = _column(term, fields, words)
        if column is None or (len(words) + 1) * words[0].nbytes > TABLE:
            return None
        layout, words = extended(layout, words, place, column)
    kept = np.ones(words.shape[1], dtype=bool)
    for field in MarkingTable(layout, b"").fields:
        if field.place in ceilings and field.bits:
            kept &= tokens(words, field) <= np.uint64(min(ceilings[field.place], _LARGEST))
    return sealed(layout, words[:, kept])


def _column(term: Term, fields: Mapping[str, Field], words: Words) -> NDArray[np.int64] | None:
    """The term in each row; None where it is not known, or not from 0 to below 2^62."""
    if not fields.keys() >= set(term.variables):
        return None
    parts = [(fields[place], value) for place, value in term.coefficients]
    bound = abs(term.constant) + sum(abs(value) << field.bits for field, value in parts)
    if bound >= _LARGEST:
        return None
    column = np.full(words.shape[1], term.constant, dtype=np.int64)
    for field, value in parts:
        column += tokens(words, field).astype(np.int64) * value
    return column if column.min(initial=0) >= 0 else None


def split(
    table: MarkingTable, merges: Sequence[tuple[str, Sequence[tuple[str, int]]]]
) -> MarkingTable | None:
    """The markings m with φ(m) in the table, where φ puts every token of some place on others.

    Where the table has none of the others, it says the same of φ(m) and of m, and stays.

    Args:
        table: of φ(m).
        merges: (place id, what a token of it becomes, tokens by place id), the first applied first.

    Returns:
        The table; None where it would be too large.
    """
    layout, words = table.layout, opened(table)
    for place, vector in reversed(merges):
        fields = {field.place: field for field in MarkingTable(layout, b"").fields}
        shares = [(fields[name], weight) for name, weight in vector if name in fields]
        if shares:
            times = _times(shares, words)
            if int(times.sum() + len(times)) * (len(words) + 1) * WORD > 8 * TABLE:
                return None
            layout, words = _undone((layout, words), place, shares, times)
    return sealed(layout, words)


def _times(shares: Sequence[tuple[Field, int]], words: Words) -> NDArray[np.int64]:
    """How many tokens each row can have got from the place, at most."""
    held = (tokens(words, field).astype(np.int64) // weight for field, weight in shares)
    times: NDArray[np.int64] = np.minimum.reduce(list(held))
    return times


def _undone(
    packed: Packed, place: str, shares: Sequence[tuple[Field, int]], times: NDArray[np.int64]
) -> Packed:
    """Each row with 0 up to so many tokens put back on the place."""
    layout, words = packed
    owners = np.repeat(np.arange(len(times)), times + 1)
    back = np.arange(len(owners)) - np.repeat(np.cumsum(times + 1) - times - 1, times + 1)
    token = [0] * len(words)
    for field, weight in shares:
        token[field.word] += weight << field.shift
    taken = np.array(token, dtype=np.uint64)[:, None] * back.astype(np.uint64)
    return extended(layout, words[:, owners] - taken, place, back)
