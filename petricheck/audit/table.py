"""The elements of a basis on several places, as one table that numpy computes with.

A row is an element, a column a place. `basis` says what is to be shown, and why that suffices; here
it is shown for all elements at once. The integers have 64 bits where nothing can exceed them, and
are Python's own otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from petricheck.audit.half_spaces import Bound
from petricheck.audit.upward import Antichain, Matrix, Row, matrix
from petricheck.budget import Budget, watched
from petricheck.problem import Transition, Weights

_LARGEST = 1 << 62


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
        if not self._rows.size:
            return False
        columns = self._columns
        return self._antichain.below({columns[p]: n for p, n in row.items() if p in columns})

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
        found = np.zeros(len(before), dtype=bool)
        for bound, columns, weights in watched(self._weighed, budget):
            rest = bound.most - sum(bound.weights.get(p, 0) * n for p, n in outside.items())
            found |= np.asarray(before[:, columns] @ weights > rest, dtype=bool)
        return found

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
    def _antichain(self) -> Antichain:
        return Antichain(self._rows)

    @cached_property
    def _clauses(self) -> NDArray[np.int64]:
        return np.array([clause for clause, _ in self.elements], dtype=np.int64)

    @cached_property
    def _weighed(self) -> list[tuple[Bound, NDArray[np.int64], Matrix]]:
        """The ceilings with their columns in the table, and the weights of these."""
        found: list[tuple[Bound, NDArray[np.int64], Matrix]] = []
        for bound in self.ceilings:
            inside = [(self._columns[p], w) for p, w in bound.weights.items() if p in self._columns]
            if inside:
                columns, weights = zip(*inside, strict=True)
                found.append((bound, np.array(columns), np.array(weights, dtype=self._kind)))
        return found
