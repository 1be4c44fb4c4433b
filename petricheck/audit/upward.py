"""Upward-closed sets of markings by minimal elements, in integer arithmetic.

Rows are sparse here, tokens by place number, and stand for all markings that are at least them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from petricheck.budget import Budget, watched
from petricheck.problem import Weights

Row: TypeAlias = dict[int, int]
"""Place number to the least number of tokens, which is positive."""

Demand: TypeAlias = tuple[Weights, int]
"""(w, k): that w·m ≥ k, where w has positive weights only."""

Matrix: TypeAlias = NDArray[Any]
"""One marking a row; int64 where that cannot overflow, otherwise Python's integers."""

_PAIRS = 1 << 20
_ENTRIES = 1 << 21
_LARGEST = 1 << 62


def least(
    demands: Iterable[Demand], most: int, above: Row | None = None, budget: Budget | None = None
) -> list[Row] | None:
    """Rows that make up the markings m ≥ `above` that meet all demands; None if more than `most`.

    All minimal such markings are among them, and perhaps others.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    limits = budget or Budget()
    found = [above or {}]
    for weights, needed in watched(demands, limits):
        wider: dict[Weights, Row] = {}
        for row in watched(found, limits):
            missing = needed - sum(weight * row.get(place, 0) for place, weight in weights)
            additions = _additions(weights, missing, most)
            if additions is None:
                return None
            for more in watched(additions, limits):
                new = row | {place: row.get(place, 0) + tokens for place, tokens in more}
                wider[tuple(sorted(new.items()))] = new
            if len(wider) > most:
                return None
        found = list(wider.values())
    return found


def _additions(weights: Weights, missing: int, most: int) -> list[Weights] | None:
    """What to add, at least, for w·m to grow by so much; None if there are more than `most` ways.

    One place after the other gets as much as it can use, or less, with the rest on later places.
    """
    if missing <= 0:
        return [()]
    found: list[Weights] = []
    pending: list[tuple[int, int, Weights]] = [(0, missing, ())]
    while pending:
        start, left, chosen = pending.pop()
        for position in range(start, len(weights)):
            place, weight = weights[position]
            enough = -(-left // weight)
            found.append((*chosen, (place, enough)))
            partial = enough if position + 1 < len(weights) else 1
            # Each of these leads to a way of its own. They may be too many for `len` of a range.
            if len(found) + len(pending) + partial - 1 > most:
                return None
            for tokens in range(1, partial):
                rest = left - tokens * weight
                pending.append((position + 1, rest, (*chosen, (place, tokens))))
    return found


@dataclass(frozen=True)
class Antichain:
    """Markings, one a row, and what is above them; they need not be minimal among themselves."""

    rows: Matrix

    def below(self, row: Mapping[int, int]) -> bool:
        """Whether some row is at most this marking, given by column."""
        columns = list(row)
        part = self.rows[:, columns]
        tokens = np.array(list(row.values()), dtype=object if self._large(row) else np.int64)
        # What lies below has all its places here.
        inside = (part > 0).sum(axis=1) == self._sizes
        return bool((np.asarray((part <= tokens).all(axis=1), dtype=bool) & inside).any())

    def below_each(self, markings: Matrix, budget: Budget | None = None) -> NDArray[np.bool_]:
        """For which of these markings some row is at most it.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        limits = budget or Budget()
        found = np.zeros(len(markings), dtype=bool)
        step = max(1, _PAIRS // max(1, len(self.rows)))
        for start in watched(range(0, len(markings), step), limits, 1):
            part = markings[start : start + step]
            owners, others = np.nonzero(self._inside(part))
            size = max(1, _ENTRIES // (1 + self.rows.shape[1]))
            for first in watched(range(0, len(owners), size), limits):
                left, right = owners[first : first + size], others[first : first + size]
                ordered = np.asarray((part[left] >= self.rows[right]).all(axis=1), dtype=bool)
                found[start + left[ordered]] = True
        return found

    def _inside(self, markings: Matrix) -> NDArray[np.bool_]:
        """Which of the rows (across) have all their places among each marking's (down)."""
        missing = np.zeros((len(markings), len(self.rows)), dtype=bool)
        for words, absent in zip(self._words.T, ~_packed(markings).T, strict=True):
            missing |= np.bitwise_and(absent[:, None], words[None, :]) != 0
        return ~missing

    @staticmethod
    def _large(row: Mapping[int, int]) -> bool:
        return max(row.values(), default=0) >= _LARGEST

    @cached_property
    def _words(self) -> NDArray[np.uint64]:
        return _packed(self.rows)

    @cached_property
    def _sizes(self) -> NDArray[np.int64]:
        return np.asarray((self.rows > 0).sum(axis=1), dtype=np.int64)


def _packed(rows: Matrix) -> NDArray[np.uint64]:
    """For each row the set of its places, as bits of 64-bit words."""
    columns = -(-max(1, rows.shape[1]) // 64) * 64
    marked = np.zeros((len(rows), columns), dtype=bool)
    marked[:, : rows.shape[1]] = rows > 0
    return np.packbits(marked, axis=1).view(np.uint64)


def matrix(rows: Sequence[Row], columns: Sequence[int], kind: type) -> Matrix:
    """The rows in these places."""
    numbers = {place: column for column, place in enumerate(columns)}
    found: Matrix = np.zeros((len(rows), len(columns)), dtype=kind)
    for number, row in enumerate(rows):
        for place, tokens in row.items():
            found[number, numbers[place]] = tokens
    return found
