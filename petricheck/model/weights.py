"""Nets as arrays: the weights of all arcs at once, for whatever computes with many of them.

Sparse vectors follow each other: vector k is the entries starts[k] up to starts[k + 1].
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from petricheck.model.net import Net, cached_by_net

Integers: TypeAlias = NDArray[np.int64]


class Vectors(NamedTuple):
    """Sparse vectors; their values are Python integers if one does not fit 64 bits."""

    starts: Integers
    indices: Integers
    values: NDArray[Any]

    @property
    def size(self) -> int:
        """The number of vectors."""
        return len(self.starts) - 1

    @property
    def owners(self) -> Integers:
        """The vector that contains an entry, by entry."""
        return np.repeat(np.arange(self.size), np.diff(self.starts))

    def row(self, number: int) -> list[tuple[int, int]]:
        """Return one vector, as pairs (index, value)."""
        part = slice(self.starts[number], self.starts[number + 1])
        return list(zip(self.indices[part].tolist(), self.values[part].tolist(), strict=True))

    def select(self, rows: Integers) -> Vectors:
        """Return some of the vectors."""
        lengths = (self.starts[1:] - self.starts[:-1])[rows]
        starts = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(lengths)))
        _, entries = self.entries(rows)
        return Vectors(starts, self.indices[entries], self.values[entries])

    def entries(self, rows: Integers) -> tuple[Integers, Integers]:
        """Return all entries of the given vectors: (position within `rows`, entry number)."""
        lengths = self.starts[rows + 1] - self.starts[rows]
        ends = np.cumsum(lengths)
        owners = np.repeat(np.arange(len(rows)), lengths)
        return owners, np.repeat(self.starts[rows] - (ends - lengths), lengths) + np.arange(
            len(owners)
        )


def vectors(rows: Sequence[Sequence[tuple[int, int]]]) -> Vectors:
    """Return sparse vectors from pairs (index, value)."""
    ends = np.cumsum(np.fromiter(map(len, rows), np.int64, len(rows)), dtype=np.int64)
    starts = np.concatenate((np.zeros(1, dtype=np.int64), ends))
    flat, count = chain.from_iterable(chain.from_iterable(rows)), 2 * int(starts[-1])
    try:
        entries = np.fromiter(flat, np.int64, count)
        small = count == 0 or max(-int(entries.min()), int(entries.max())) < 1 << 62
    except OverflowError:
        small = False
    if not small:
        flat = chain.from_iterable(chain.from_iterable(rows))
        entries = np.fromiter(flat, object, count)
    return Vectors(starts, entries[::2].astype(np.int64), entries[1::2].copy())


def transposed(rows: Vectors, width: int) -> Vectors:
    """Return by index up to `width` the pairs (row, value)."""
    order = np.argsort(rows.indices, kind="stable")
    ends = np.cumsum(np.bincount(rows.indices, minlength=width), dtype=np.int64)
    starts = np.concatenate((np.zeros(1, dtype=np.int64), ends))
    return Vectors(starts, rows.owners[order], rows.values[order])


class NetWeights(NamedTuple):
    """The weights that a transition takes, puts and changes, by transition; read-only."""

    inputs: Vectors
    outputs: Vectors
    effects: Vectors


@cached_by_net
def weights_of(net: Net) -> NetWeights:
    """Return the weights of the net's arcs as vectors."""
    inputs = vectors([transition.pre for transition in net.transitions])
    outputs = vectors([transition.post for transition in net.transitions])
    return NetWeights(inputs, outputs, _difference(outputs, inputs, len(net.places)))


def _difference(left: Vectors, right: Vectors, width: int) -> Vectors:
    """Return left − right without zeros, of as many vectors over indices up to `width`."""
    keys = np.concatenate([part.owners * width + part.indices for part in (left, right)])
    order = np.argsort(keys, kind="stable")
    keys, values = keys[order], np.concatenate((left.values, -right.values))[order]
    firsts = np.flatnonzero(np.diff(keys, prepend=-1))
    sums = np.add.reduceat(values, firsts) if len(firsts) else values
    nonzero = sums != 0
    keys = keys[firsts][nonzero]
    starts = np.searchsorted(keys, np.arange(left.size + 1) * width)
    return Vectors(starts, keys % max(1, width), sums[nonzero])


@cached_by_net
def effects_by_place(net: Net) -> Vectors:
    """Return by place the transitions that change it, with the changes."""
    return transposed(weights_of(net).effects, len(net.places))
