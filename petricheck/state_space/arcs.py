"""The arcs of a net as flat arrays, so that many transitions act on many markings at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from petricheck.problem import Weights

Rows: TypeAlias = NDArray[Any]
"""One marking a row, one place a column."""

Numbers: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Arcs:
    """Sparse vectors, one after the other.

    Attributes:
        starts: vector k is the entries starts[k] up to starts[k + 1].
        places: place number of each entry.
        weights: its weight, int64, or Python integers where one does not fit.
    """

    starts: Numbers
    places: Numbers
    weights: NDArray[Any]

    def entries(self, vectors: Numbers) -> tuple[Numbers, Numbers]:
        """All entries of the named vectors: (position within `vectors`, entry number)."""
        lengths = self.starts[vectors + 1] - self.starts[vectors]
        ends = np.cumsum(lengths)
        owners = np.repeat(np.arange(len(vectors)), lengths)
        shift = np.repeat(self.starts[vectors] - (ends - lengths), lengths)
        return owners, shift + np.arange(len(shift))


def flatten(vectors: Sequence[Weights]) -> Arcs:
    """The vectors as arcs; their weights stay exact whatever their size."""
    lengths = [len(vector) for vector in vectors]
    starts = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64))).astype(np.int64)
    places = np.array([p for vector in vectors for p, _ in vector], dtype=np.int64)
    weights = [w for vector in vectors for _, w in vector]
    small = all(abs(weight) < 1 << 62 for weight in weights)
    return Arcs(starts, places, np.array(weights, dtype=np.int64 if small else object))
