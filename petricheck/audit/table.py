"""The elements of a basis on several places, as one table that numpy computes with.

A row is an element, a column a place. `basis` says what is to be shown, and why that suffices; here
it is shown for all elements at once. The integers have 64 bits where nothing can exceed them, and
are Python's own otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from petricheck.audit.upward import Bound, Row
from petricheck.budget import Budget, watched
from petricheck.problem import Transition, Weights

Matrix: TypeAlias = NDArray[Any]
"""One marking a row; int64 where that cannot overflow, otherwise Python's integers."""

_PAIRS = 1 << 20
_ENTRIES = 1 << 21
_LARGEST = 1 << 62


def matrix(rows: Sequence[Row], columns: Sequence[int], kind: type) -> Matrix:
    """The rows in these places."""
    numbers = {place: column for column, place in enumerate(columns)}
    dense: Matrix = np.zeros((len(rows), len(columns)), dtype=kind)
    for number, row in enumerate(rows):
        for place, tokens in row.items():
            dense[number, numbers[place]] = tokens
    return dense


@dataclass(frozen=True)
class Antichain:
    """Markings, one a row, and what is above them; they need not be minimal among themselves."""

    rows: Matrix

    def below_each(self, markings: Matrix, budget: Budget) -> NDArray[np.bool_]:
        """For which of these markings some row is at most it.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        above = np.zeros(len(markings), dtype=bool)
        step = max(1, _PAIRS // max(1, len(self.rows)))
        for start in watched(range(0, len(markings), step), budget, 1):
            part = markings[start : start + step]
            owners, others = np.nonzero(self._inside(part))
            size = max(1, _ENTRIES // (1 + self.rows.shape[1]))
            for first in watched(range(0, len(owners), size), budget):
                left, right = owners[first : first + size], others[first : first + size]
                ordered = np.asarray((part[left] >= self.rows[right]).all(axis=1), dtype=bool)
                above[start + left[ordered]] = True
        return above

    def _inside(self, markings: Matrix) -> NDArray[np.bool_]:
        """Which of the rows (across) have all their places among each marking's (down)."""
        missing = np.zeros((len(markings), len(self.rows)), dtype=bool)
        for words, absent in zip(self._words.T, ~_packed(markings).T, strict=True):
            missing |= np.bitwise_and(absent[:, None], words[None, :]) != 0
        return ~missing

    @cached_property
    def _words(self) -> NDArray[np.uint64]:
        return _packed(self.rows)


def _packed(rows: Matrix) -> NDArray[np.uint64]:
    """For each row the set of its places, as bits of 64-bit words."""
    columns = -(-max(1, rows.shape[1]) // 64) * 64
    marked = np.zeros((len(rows), columns), dtype=bool)
    marked[:, : rows.shape[1]] = rows > 0
    return np.packbits(marked, axis=1).view(np.uint64)


@dataclass(frozen=True)
class Table:
    """Elements of B on several places.

    Attributes:
        elements: each with the number of its clause.
        limits: the elements of B on one place.
        ceilings: the half-spaces, and sums of them, with Y ≥ 0.
        largest: no weight of the net, and no number in B, is above this.
    """

    elements: tuple[tuple[int, Row], ...]
    limits: Row
    ceilings: tuple[Bound, ...]
    largest: int

    def below(self, row: Row) -> bool:
        """Whether some element is at most the row."""
        # No element has more tokens than `largest`.
        inside = {
            self._columns[p]: min(n, self.largest) for p, n in row.items() if p in self._columns
        }
        part = self._rows[:, list(inside)]
        below = (part <= np.array(list(inside.values()), dtype=self._kind)).all(axis=1)
        # What lies below has all its places here.
        return bool((below & ((part > 0).sum(axis=1) == self._sizes)).any())

    def lost(self, transition: Transition, budget: Budget) -> set[int]:
        """The clauses that a firing might break: max(u, b − δ) is not excluded for an element b.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        grown = [self._columns[p] for p, d in transition.effect if d > 0 and p in self._columns]
        numbers = np.flatnonzero((self._rows[:, grown] > 0).any(axis=1))
        if not len(numbers):
            return set()
        pre, effect = (self._dense(w) for w in (transition.pre, transition.effect))
        before = np.maximum(self._rows[numbers] - effect, pre)
        left = np.asarray((before < self._rows[numbers]).any(axis=1), dtype=bool)
        outside = {p: w for p, w in transition.pre if p not in self._columns}
        if left.any():
            left[left] = ~self._limited(before[left])
        if left.any():
            left[left] = ~self._heavy(before[left], outside, budget)
        if left.any():
            left[left] = ~self._antichain.below_each(before[left], budget)
        return set(self._clauses[numbers[left]].tolist())

    def _dense(self, weights: Weights) -> Matrix:
        inside = {place: weight for place, weight in weights if place in self._columns}
        return matrix([inside], tuple(self._columns), self._kind).ravel()

    def _limited(self, before: Matrix) -> NDArray[np.bool_]:
        """Which rows have too many tokens on one place."""
        pairs = [(self._columns[p], n) for p, n in self.limits.items() if p in self._columns]
        columns = [column for column, _ in pairs]
        limits: Matrix = np.array([limit for _, limit in pairs], dtype=self._kind)
        return np.asarray((before[:, columns] >= limits).any(axis=1), dtype=bool)

    def _heavy(self, before: Matrix, outside: Row, budget: Budget) -> NDArray[np.bool_]:
        """Which rows exceed a ceiling; outside the table's places they all have the same."""
        exceeded = np.zeros(len(before), dtype=bool)
        for bound, columns, weights in watched(self._weighed, budget):
            slack = bound.most - sum(bound.weights.get(p, 0) * n for p, n in outside.items())
            exceeded |= np.asarray(before[:, columns] @ weights > slack, dtype=bool)
        return exceeded

    @cached_property
    def _kind(self) -> type:
        """64 bits if tokens, and their products with the weights of ceilings, allow it."""
        highest = 2 * self.largest
        totals = [sum(bound.weights.values()) * highest for bound in self.ceilings]
        totals += [abs(bound.most) for bound in self.ceilings]
        return np.int64 if max(highest, *totals, 0) < _LARGEST else object

    @cached_property
    def _columns(self) -> Mapping[int, int]:
        """The places of the elements, with their columns."""
        places = sorted({place for _, row in self.elements for place in row})
        return {place: column for column, place in enumerate(places)}

    @cached_property
    def _rows(self) -> Matrix:
        return matrix([row for _, row in self.elements], tuple(self._columns), self._kind)

    @cached_property
    def _sizes(self) -> NDArray[np.int64]:
        return np.asarray((self._rows > 0).sum(axis=1), dtype=np.int64)

    @cached_property
    def _antichain(self) -> Antichain:
        return Antichain(self._rows)

    @cached_property
    def _clauses(self) -> NDArray[np.int64]:
        return np.array([clause for clause, _ in self.elements], dtype=np.int64)

    @cached_property
    def _weighed(self) -> list[tuple[Bound, NDArray[np.int64], Matrix]]:
        """The ceilings with their columns in the table, and the weights of these."""
        weighed: list[tuple[Bound, NDArray[np.int64], Matrix]] = []
        for bound in self.ceilings:
            inside = [(self._columns[p], w) for p, w in bound.weights.items() if p in self._columns]
            if inside:
                columns, weights = zip(*inside, strict=True)
                weighed.append((bound, np.array(columns), np.array(weights, dtype=self._kind)))
        return weighed
