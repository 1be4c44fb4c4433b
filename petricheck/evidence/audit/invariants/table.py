"""The elements of a basis on several places, as one table for numpy.

A row is an element, a column a place. `basis` states the conditions and proves them sufficient;
here they are checked for all elements at once. The integers have 64 bits if nothing can exceed
them, otherwise they are Python's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from petricheck.evidence.audit.invariants.upward import BasisBound, Row
from petricheck.model.net import Transition, Weights
from petricheck.support.budget import Budget, watched

Matrix: TypeAlias = NDArray[Any]
"""One marking a row; int64 if that cannot overflow, else Python's integers."""

_PAIRS = 1 << 20
_ENTRIES = 1 << 21
_LARGEST = 1 << 62


def matrix(rows: Sequence[Row], columns: Sequence[int], kind: type) -> Matrix:
    """Return the rows as a dense matrix with these places as columns."""
    numbers = {place: column for column, place in enumerate(columns)}
    dense: Matrix = np.zeros((len(rows), len(columns)), dtype=kind)
    for number, row in enumerate(rows):
        for place, tokens in row.items():
            dense[number, numbers[place]] = tokens
    return dense


@dataclass(frozen=True)
class UpwardClosure:
    """Markings, one a row, that stand for all markings above them; they need not be minimal."""

    rows: Matrix

    def covered(self, markings: Matrix, budget: Budget) -> NDArray[np.bool_]:
        """Return for each marking whether some row is at most it."""
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
        """Return for each marking (down) and row (across) whether it marks all its places."""
        missing = np.zeros((len(markings), len(self.rows)), dtype=bool)
        for words, absent in zip(self._words.T, ~_packed(markings).T, strict=True):
            missing |= np.bitwise_and(absent[:, None], words[None, :]) != 0
        return ~missing

    @cached_property
    def _words(self) -> NDArray[np.uint64]:
        return _packed(self.rows)


def _packed(rows: Matrix) -> NDArray[np.uint64]:
    """Return for each row the set of its places, as bits of 64-bit words."""
    columns = -(-max(1, rows.shape[1]) // 64) * 64
    marked = np.zeros((len(rows), columns), dtype=bool)
    marked[:, : rows.shape[1]] = rows > 0
    return np.packbits(marked, axis=1).view(np.uint64)


@dataclass(frozen=True)
class BasisTable:
    """The elements of B on several places.

    Attributes:
        elements: the elements, each with the number of its clause.
        limits: the elements of B on one place.
        ceilings: the half-spaces, and sums of them, with Y ≥ 0.
        largest: no weight of the net, and no number in B, is above this.
    """

    elements: tuple[tuple[int, Row], ...]
    limits: Row
    ceilings: tuple[BasisBound, ...]
    largest: int

    def below(self, row: Row) -> bool:
        """Return whether some element is at most the row."""
        # No element has more tokens than `largest`.
        inside = {
            self._columns[p]: min(n, self.largest) for p, n in row.items() if p in self._columns
        }
        part = self._rows[:, list(inside)]
        below = (part <= np.array(list(inside.values()), dtype=self._kind)).all(axis=1)
        # An element at most the row has no places besides those of the row.
        return bool((below & ((part > 0).sum(axis=1) == self._sizes)).any())

    def unpreserved(self, transition: Transition, budget: Budget) -> set[int]:
        """Return the clauses with an element b for which max(u, b − δ) is not excluded."""
        grown = [self._columns[p] for p, d in transition.effect if d > 0 and p in self._columns]
        numbers = np.flatnonzero((self._rows[:, grown] > 0).any(axis=1))
        if not len(numbers):
            return set()
        pre, effect = (self._dense(w) for w in (transition.pre, transition.effect))
        before = np.maximum(self._rows[numbers] - effect, pre)
        open_rows = np.asarray((before < self._rows[numbers]).any(axis=1), dtype=bool)
        outside = {p: w for p, w in transition.pre if p not in self._columns}
        if open_rows.any():
            open_rows[open_rows] = ~self._limited(before[open_rows])
        if open_rows.any():
            open_rows[open_rows] = ~self._exceeding(before[open_rows], outside, budget)
        if open_rows.any():
            open_rows[open_rows] = ~self._antichain.covered(before[open_rows], budget)
        return set(self._clauses[numbers[open_rows]].tolist())

    def _dense(self, weights: Weights) -> Matrix:
        inside = {place: weight for place, weight in weights if place in self._columns}
        return matrix([inside], tuple(self._columns), self._kind).ravel()

    def _limited(self, before: Matrix) -> NDArray[np.bool_]:
        """Return for each row whether it is at least an element on one place."""
        pairs = [(self._columns[p], n) for p, n in self.limits.items() if p in self._columns]
        columns = [column for column, _ in pairs]
        limits: Matrix = np.array([limit for _, limit in pairs], dtype=self._kind)
        return np.asarray((before[:, columns] >= limits).any(axis=1), dtype=bool)

    def _exceeding(self, before: Matrix, outside: Row, budget: Budget) -> NDArray[np.bool_]:
        """Return for each row whether it exceeds a ceiling.

        Outside of the table's columns all rows have the tokens of `outside`.
        """
        exceeded = np.zeros(len(before), dtype=bool)
        for bound, columns, weights in watched(self._weighed, budget):
            slack = bound.most - sum(bound.weights.get(p, 0) * n for p, n in outside.items())
            exceeded |= np.asarray(before[:, columns] @ weights > slack, dtype=bool)
        return exceeded

    @cached_property
    def _kind(self) -> type:
        """The type of entries: int64 if tokens, and their products with weights, fit."""
        highest = 2 * self.largest
        totals = [sum(bound.weights.values()) * highest for bound in self.ceilings]
        totals += [abs(bound.most) for bound in self.ceilings]
        return np.int64 if max(highest, *totals, 0) < _LARGEST else object

    @cached_property
    def _columns(self) -> Mapping[int, int]:
        """The column of each place of the elements, by place."""
        places = sorted({place for _, row in self.elements for place in row})
        return {place: column for column, place in enumerate(places)}

    @cached_property
    def _rows(self) -> Matrix:
        return matrix([row for _, row in self.elements], tuple(self._columns), self._kind)

    @cached_property
    def _sizes(self) -> NDArray[np.int64]:
        return np.asarray((self._rows > 0).sum(axis=1), dtype=np.int64)

    @cached_property
    def _antichain(self) -> UpwardClosure:
        return UpwardClosure(self._rows)

    @cached_property
    def _clauses(self) -> NDArray[np.int64]:
        return np.array([clause for clause, _ in self.elements], dtype=np.int64)

    @cached_property
    def _weighed(self) -> list[tuple[BasisBound, NDArray[np.int64], Matrix]]:
        """The ceilings on places of the table, with their columns and their weights."""
        weighed: list[tuple[BasisBound, NDArray[np.int64], Matrix]] = []
        for bound in self.ceilings:
            inside = [(self._columns[p], w) for p, w in bound.weights.items() if p in self._columns]
            if inside:
                columns, weights = zip(*inside, strict=True)
                weighed.append((bound, np.array(columns), np.array(weights, dtype=self._kind)))
        return weighed
