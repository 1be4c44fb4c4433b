"""The reason why a vector is no integer combination of thousands of sparse ones.

Row operations over the integers with pivots 1 and -1 remove nearly all of the incidence matrix
of a net; the remaining matrix is small enough for `algebra.congruence_separator`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from petricheck.arithmetic.programs.algebra import congruence_separator, is_separable

_MOST = 1_000_000
"""A matrix is too large if more entries are changed."""


@dataclass(eq=False, slots=True)
class _CombinedRow:
    """A combination of the input rows.

    Attributes:
        entries: by column, without zeros.
        value: the same combination of the vector's entries.
        shares: the factors of the input rows, by number.
    """

    entries: dict[int, int]
    value: int
    shares: dict[int, int]

    def add(self, factor: int, other: _CombinedRow) -> int:
        """Add a multiple of another row; return how many entries that changes."""
        self.value += factor * other.value
        for target, source in ((self.entries, other.entries), (self.shares, other.shares)):
            for key, entry in source.items():
                total = target.get(key, 0) + factor * entry
                if total:
                    target[key] = total
                else:
                    del target[key]
        return len(other.entries) + len(other.shares)


def sparse_congruence_separator(
    generators: Sequence[Mapping[int, int]], vector: Sequence[int]
) -> tuple[Mapping[int, int], int] | None:
    """Return the same as `congruence_separator`; None also if the remaining matrix is too large.

    Generators, and the result, have entries by number of dimension, without zeros.
    """
    rows = {number: _CombinedRow({}, value, {number: 1}) for number, value in enumerate(vector)}
    users: dict[int, set[int]] = {}
    for column, generator in enumerate(generators):
        users[column] = set(generator)
        for number, entry in generator.items():
            rows[number].entries[column] = entry
    remaining = _without_units(rows, users)
    if remaining is None:
        return None
    dense = [row for row in remaining if row.entries or row.value]
    columns = sorted({column for row in dense for column in row.entries})
    matrix = {tuple(row.entries.get(column, 0) for row in dense) for column in columns}
    if not dense or not is_separable(tuple(matrix), len(dense)):
        return None
    separated = congruence_separator(sorted(matrix), [row.value for row in dense])
    if separated is None:
        return None
    weights, modulus = separated
    total = _CombinedRow({}, 0, {})
    for weight, row in zip(weights, dense, strict=True):
        if weight:
            total.add(weight, row)
    shares = ((number, share % modulus) for number, share in total.shares.items())
    return {number: share for number, share in shares if share}, modulus


def _without_units(
    rows: dict[int, _CombinedRow], users: dict[int, set[int]]
) -> list[_CombinedRow] | None:
    """Return the rows that remain after pivots 1 and -1; None if that takes too long.

    The column of a pivot is zero in all other rows, so it is left out with the pivot's row.
    """
    changed, waiting = 0, [(len(row.entries), number) for number, row in rows.items()]
    heapify(waiting)
    while waiting:
        length, number = heappop(waiting)
        row = rows.get(number)
        if row is None or len(row.entries) != length:
            continue  # It waits with the length that it has now, if at all.
        units = [column for column, entry in row.entries.items() if abs(entry) == 1]
        if not units:
            continue
        pivot = min(units, key=lambda column: (len(users[column]), column))
        del rows[number]
        for column in row.entries:
            users[column].remove(number)
        for other in tuple(users[pivot]):
            target = rows[other]
            before = set(target.entries)
            changed += target.add(-target.entries[pivot] * row.entries[pivot], row)
            for column in before - target.entries.keys():
                users[column].remove(other)
            for column in target.entries.keys() - before:
                users[column].add(other)
            heappush(waiting, (len(target.entries), other))
        if changed > _MOST:
            return None
    return list(rows.values())
