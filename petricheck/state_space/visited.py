"""A growing set of packed markings, numbered in the order of discovery.

Markings are rows of the smallest unsigned type that holds every token count met so far. A 64-bit
key per row, linear in the tokens so that a successor's key is a sum, says where an equal row may
be; equality is then always confirmed on the rows. Two unequal rows with one key are never merged:
the keys are drawn anew.

The keys are kept in sorted runs whose lengths grow geometrically, as in a log-structured merge
tree: adding few markings to many stays cheap.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petricheck.budget import MEBIBYTE, Budget, memory_limit, resident_memory
from petricheck.errors import BudgetExhausted, Ending, InternalError
from petricheck.problem import Weights
from petricheck.state_space.arcs import Numbers, Rows

Keys = NDArray[np.uint64]

TYPES: tuple[Any, ...] = (np.uint8, np.uint16, np.uint32, np.uint64)
SALTS = 64
"""How often keys are drawn anew before that is called a defect."""

_MASK = (1 << 64) - 1
_SLICE = 1 << 16


class Collision(Exception):
    """Two unequal markings have one key."""


def factors(places: int, salt: int) -> list[int]:
    """One odd 64-bit factor a place; another salt gives unrelated ones."""
    mixed = []
    for number in range(places):
        state = ((salt << 32) + number + 1) * 0x9E3779B97F4A7C15 & _MASK
        state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        state = (state ^ state >> 27) * 0x94D049BB133111EB & _MASK
        mixed.append((state ^ state >> 31) | 1)
    return mixed


class Visited:
    """The set. Rows, keys and parents may be read up to `size`; only methods change them."""

    def __init__(
        self,
        first: tuple[int, ...],
        budget: Budget,
        mebibytes: int,
        draw: Callable[[int, int], list[int]] = factors,
    ) -> None:
        """The set of one marking.

        Args:
            first: the marking.
            budget: its memory limit is respected before memory is taken.
            mebibytes: limit of the set alone.
            draw: (places, salt) to the factors of keys.

        Raises:
            BudgetExhausted: a number does not fit 64 bits, or the memory limit is too low.
        """
        self._budget, self._limit, self._draw = budget, mebibytes, draw
        self._width, self._salt = len(first), 0
        largest = max(first, default=0)
        fitting = [
            kind for kind in TYPES if largest <= int(np.iinfo(kind).max) >> (kind == TYPES[3])
        ]
        if not fitting:
            raise BudgetExhausted(_TOO_LARGE)
        self.size = 0
        self.rows: Rows = np.empty((0, self._width), dtype=fitting[0])
        self.keys: Keys = np.empty(0, dtype=np.uint64)
        self.parents: NDArray[np.uint32] = np.empty(0, dtype=np.uint32)
        self.actions: NDArray[np.uint32] = np.empty(0, dtype=np.uint32)
        self._runs: list[tuple[Keys, Numbers]] = []
        self.factors = draw(self._width, 0)
        rows = np.array([first], dtype=self.rows.dtype)
        self.add(rows, self._key(rows), np.zeros(1, np.int64), np.zeros(1, np.int64))

    @property
    def most(self) -> int:
        """The largest token count that the present type may hold."""
        # Half of the largest type stays free, so that int64 arithmetic on it is exact too.
        kind = self.rows.dtype
        return int(np.iinfo(kind).max) >> int(kind == np.dtype(TYPES[3]))

    def change(self, effect: Weights) -> int:
        """What a firing adds to a key, modulo 2^64."""
        return sum(self.factors[place] * weight for place, weight in effect) & _MASK

    def add(self, rows: Rows, keys: Keys, parents: Numbers, actions: Numbers) -> int:
        """Add the rows that are new, in their order; returns how many were.

        Args:
            rows: candidates, of the present type; equal ones may occur.
            keys: their keys.
            parents: number of the marking that each was reached from.
            actions: number of the transition that led there.

        Raises:
            Collision: keys must be drawn anew (`redraw`) first; the set has not changed.
            BudgetExhausted: memory ran out.
        """
        order = np.argsort(keys)
        ordered = keys[order]
        first = np.ones(len(order), dtype=bool)
        first[1:] = ordered[1:] != ordered[:-1]
        # The earliest of equal rows stands for them, so that the order is that of arrival.
        heads = np.minimum.reduceat(order, np.flatnonzero(first)) if len(order) else order
        if len(heads) < len(order):
            shared = heads[np.cumsum(first) - 1]
            twins = shared != order
            _confirm(rows[order[twins]], rows[shared[twins]])
        found = self._find(ordered[first])
        old = found >= 0
        _confirm(rows[heads[old]], self.rows[found[old]])
        fresh = np.sort(heads[~old])
        self._append(rows[fresh], keys[fresh], parents[fresh], actions[fresh])
        return len(fresh)

    def widen(self) -> None:
        """Go on with the next larger type.

        Raises:
            BudgetExhausted: there is none, or memory ran out.
        """
        number = [np.dtype(kind) for kind in TYPES].index(self.rows.dtype)
        if number + 1 == len(TYPES):
            raise BudgetExhausted(_TOO_LARGE)
        self._afford(2 * self.rows.nbytes)
        self.rows = self.rows.astype(TYPES[number + 1])

    def redraw(self) -> None:
        """Draw the keys anew, until those of the markings present differ."""
        for salt in range(self._salt + 1, SALTS):
            self._salt, self.factors = salt, self._draw(self._width, salt)
            for start in range(0, self.size, _SLICE):
                stop = min(start + _SLICE, self.size)
                self.keys[start:stop] = self._key(self.rows[start:stop])
            keys = self.keys[: self.size]
            order = np.argsort(keys, kind="stable")
            if (keys[order][1:] != keys[order][:-1]).all():
                self._runs = [(keys[order], order)]
                return
        raise InternalError(f"{SALTS} draws of keys did not tell all markings apart")

    def _key(self, rows: Rows) -> Keys:
        keys = np.zeros(len(rows), dtype=np.uint64)
        for place, factor in enumerate(self.factors):
            keys += rows[:, place].astype(np.uint64) * np.uint64(factor)
        return keys

    def _find(self, keys: Keys) -> Numbers:
        """The number of the marking that has each key, or -1; the keys are sorted."""
        found = np.full(len(keys), -1, dtype=np.int64)
        for run, numbers in self._runs:
            positions = np.searchsorted(run, keys)
            positions[positions == len(run)] = 0
            hit = run[positions] == keys
            found[hit] = numbers[positions[hit]]
        return found

    def _append(self, rows: Rows, keys: Keys, parents: Numbers, actions: Numbers) -> None:
        if not len(rows):
            return
        start, stop = self.size, self.size + len(rows)
        if stop > len(self.rows):
            self._grow(max(stop, 2 * len(self.rows), 1024))
        self.rows[start:stop], self.keys[start:stop] = rows, keys
        self.parents[start:stop], self.actions[start:stop] = parents, actions
        self.size = stop
        order = np.argsort(keys, kind="stable")
        run, numbers = keys[order], order + start
        while self._runs and len(self._runs[-1][0]) <= 2 * len(run):
            before, known = self._runs.pop()
            run, numbers = np.concatenate((before, run)), np.concatenate((known, numbers))
            order = np.argsort(run, kind="stable")
            run, numbers = run[order], numbers[order]
        self._runs.append((run, numbers))

    def _grow(self, capacity: int) -> None:
        size = self._width * self.rows.itemsize + 32
        self._afford(capacity * size)
        for name in ("rows", "keys", "parents", "actions"):
            old = getattr(self, name)
            new = np.empty((capacity, *old.shape[1:]), dtype=old.dtype)
            new[: self.size] = old[: self.size]
            setattr(self, name, new)

    def _afford(self, size: int) -> None:
        """Raise where the set would need more memory than it may."""
        if size > self._limit * MEBIBYTE:
            full = f"{self.size} markings fill the {self._limit} MiB they may take"
            raise BudgetExhausted(full, Ending.MEMORY)
        limit = self._budget.memory
        if limit is not None and resident_memory() + size > limit * MEBIBYTE:
            raise BudgetExhausted(memory_limit(limit), Ending.MEMORY)


_TOO_LARGE = "token counts exceed what 64 bits hold"


def _confirm(left: Rows, right: Rows) -> None:
    if not np.array_equal(left, right):
        raise Collision
