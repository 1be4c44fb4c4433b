"""Fingerprints of sparse vectors: one number each."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from petricheck.explicit.kernel.arrays import Integers, Vectors, Words

_SEED = 1


def fingerprints(rows: Vectors, width: int) -> Words:
    """Return for each vector the sum, modulo 2^64, of its values times random numbers.

    That of a sum is the sum. Others may have the same by chance, so what is found by it has to be
    looked at.

    Args:
        rows: the vectors.
        width: their indices are below that.
    """
    numbers = np.random.default_rng(_SEED).integers(1 << 64, size=width, dtype=np.uint64)
    values = rows.values
    if values.dtype == object:
        values = values % (1 << 64)
    return totals(rows.starts, numbers[rows.indices] * values.astype(np.uint64))


def maybe_proportional(rows: Vectors, width: int) -> list[int]:
    """Return the nonzero vectors that are, or look like, multiples of another one."""
    lengths = np.diff(rows.starts)
    numbers = np.flatnonzero(lengths)
    if not len(numbers):
        return []
    factors = np.gcd.reduceat(rows.values, rows.starts[numbers])
    primitive = rows.values // np.repeat(factors, lengths[numbers])
    words = fingerprints(Vectors(rows.starts, rows.indices, primitive), width)[numbers]
    _, kinds, counts = np.unique(words, return_inverse=True, return_counts=True)
    alike: list[int] = numbers[counts[kinds] > 1].tolist()
    return alike


def totals(starts: Integers, values: NDArray[Any]) -> NDArray[Any]:
    """Return the sums of the segments that begin there; those of words are modulo 2^64."""
    sums = np.concatenate((np.zeros(1, dtype=values.dtype), np.cumsum(values, dtype=values.dtype)))
    segments: NDArray[Any] = sums[starts[1:]] - sums[starts[:-1]]
    return segments
