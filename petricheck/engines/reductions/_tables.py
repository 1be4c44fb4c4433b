"""Tables of markings of a smaller net, made tables of the larger one.

A table speaks of some places only, and transitions are seen on these. So it stays what it is where
places and transitions went that have no effect on its places, or need no more than others do. It
gets a further column for a place that the larger target names and whose value is known, and for one
that blocks a dead transition; rows in which that one does not are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from petricheck.arithmetic.formulas.terms import Term
from petricheck.evidence.certificates.finite_set import TABLE, Field, MarkingTable
from petricheck.explicit.kernel.arrays import Words
from petricheck.explicit.kernel.packing import (
    certificate_of,
    extend,
    fields_of,
    tokens,
    unpack,
)

_LARGEST = 1 << 62


def widened(
    table: MarkingTable, values: Mapping[str, Term], ceilings: Mapping[str, int]
) -> MarkingTable | None:
    """Return the table with further places, and without rows that exceed a ceiling.

    Each further place has a term over places that the table knows. None where a term names a place
    that the table does not have, or comes to a number that does not fit, or where the table would
    be too large.
    """
    layout, words, places = table.layout, unpack(table), table.determined()
    fields = {field.place: field for field in table.fields if field.place in places}
    for place, term in values.items():
        column = _column(term, fields, words)
        if column is None or 8 * len(words) * (words.shape[1] + 1) > TABLE:
            return None
        layout, words = extend(layout, words, place, column)
    selected = np.ones(len(words), dtype=bool)
    for field in fields_of(layout):
        if field.place in ceilings and field.bits:
            selected &= tokens(words, field) <= np.uint64(min(ceilings[field.place], _LARGEST))
    wider = certificate_of(layout, words[selected])
    return None if wider is None else replace(wider, counted=table.counted)


def _column(term: Term, fields: Mapping[str, Field], words: Words) -> NDArray[np.int64] | None:
    """Return the term in each row; None where it is not known, or not from 0 to below 2^62."""
    if not fields.keys() >= set(term.variables):
        return None
    parts = [(fields[place], value) for place, value in term.coefficients]
    bound = abs(term.constant) + sum(abs(value) << field.bits for field, value in parts)
    if bound >= _LARGEST:
        return None
    column = np.full(len(words), term.constant, dtype=np.int64)
    for field, value in parts:
        column += tokens(words, field).astype(np.int64) * value
    return column if column.min(initial=0) >= 0 else None
