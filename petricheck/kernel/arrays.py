"""Nets and searches as flat arrays of 64-bit integers, in the form that the loops take.

Sparse vectors stand one after the other: vector k is the entries starts[k] up to starts[k + 1].
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from petricheck.errors import BudgetExhausted
from petricheck.kernel.loops import MOST
from petricheck.problem import Net, Weights

Integers: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]
Rows: TypeAlias = NDArray[Any]
"""One marking a row, one place a column."""


class Vectors(NamedTuple):
    """Sparse vectors; their values are Python integers where one does not fit 64 bits."""

    starts: Integers
    indices: Integers
    values: NDArray[Any]

    @property
    def size(self) -> int:
        """How many vectors there are."""
        return len(self.starts) - 1

    @property
    def owners(self) -> Integers:
        """By entry, the vector that it belongs to."""
        return np.repeat(np.arange(self.size), np.diff(self.starts))

    def entries(self, rows: Integers) -> tuple[Integers, Integers]:
        """All entries of the named vectors: (position within `rows`, entry number)."""
        lengths = self.starts[rows + 1] - self.starts[rows]
        ends = np.cumsum(lengths)
        owners = np.repeat(np.arange(len(rows)), lengths)
        return owners, np.repeat(self.starts[rows] - (ends - lengths), lengths) + np.arange(
            len(owners)
        )


class Arcs(NamedTuple):
    """A net: effects and inputs by transition, consumers (transition, weight) by place."""

    effect_starts: Integers
    effect_places: Integers
    effect_changes: Integers
    input_starts: Integers
    inputs: Integers
    input_weights: Integers
    consumer_starts: Integers
    consumers: Integers
    consumer_weights: Integers


class State(NamedTuple):
    """Where a search is.

    Attributes:
        marking: tokens by place.
        enabled: transitions that were enabled, as many as the number ENABLED says; all that are
            enabled are among them, and only those once they are settled (`loops.settle`).
        waiting: by place, the last of the other transitions that wait for tokens there; −1 for
            none. Each waits at one place, which holds too little for it.
        following: by transition, the next one that waits at the same place.
        values: of the atoms' terms.
        truths: 1 for each atom that holds.
        counts: by gate, how many operands hold.
        stack: room for flips on their way up.
        numbers: see `loops.ENABLED` and what follows it.
        random: the state of the random numbers.
    """

    marking: Integers
    enabled: Integers
    waiting: Integers
    following: Integers
    values: Integers
    truths: Integers
    counts: Integers
    stack: Integers
    numbers: Integers
    random: Words


def integers(values: Iterable[int]) -> Integers:
    """The values as an array."""
    return np.array(list(values), dtype=np.int64)


def vectors(rows: Sequence[Sequence[tuple[int, int]]]) -> Vectors:
    """Sparse vectors from pairs (index, value)."""
    lengths = [len(row) for row in rows]
    starts = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64))).astype(np.int64)
    indices = integers(index for row in rows for index, _ in row)
    values = [value for row in rows for _, value in row]
    small = all(abs(value) < 1 << 62 for value in values)
    return Vectors(starts, indices, np.array(values, dtype=np.int64 if small else object))


def transposed(rows: Sequence[Weights], width: int) -> list[list[tuple[int, int]]]:
    """By index up to `width`, the pairs (row, value)."""
    columns: list[list[tuple[int, int]]] = [[] for _ in range(width)]
    for number, row in enumerate(rows):
        for index, value in row:
            columns[index].append((number, value))
    return columns


def fits(net: Net) -> bool:
    """Whether the initial marking and all weights are at most `loops.MOST`."""
    weights = (w for t in net.transitions for part in (t.pre, t.post) for _, w in part)
    return max((*net.initial, *weights), default=0) <= MOST


def arcs_of(net: Net) -> Arcs:
    """The net's arrays.

    Raises:
        BudgetExhausted: its numbers are too large.
    """
    if not fits(net):
        raise BudgetExhausted("tokens and weights beyond 2^40 are not searched")
    effects = vectors([transition.effect for transition in net.transitions])
    inputs = [transition.pre for transition in net.transitions]
    return Arcs(*effects, *vectors(inputs), *vectors(transposed(inputs, len(net.places))))


def work_of(arcs: Arcs) -> int:
    """How many transitions a firing looks at on average, at most."""
    consumers = np.diff(arcs.consumer_starts)
    transitions = max(1, len(arcs.effect_starts) - 1)
    return int(consumers[arcs.effect_places].sum()) // transitions
