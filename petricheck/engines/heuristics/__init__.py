"""Heuristics: along which vectors a good interpolant should not grow. One file each.

A heuristic is a value with one method, `displacements(net, path)`. It returns vectors v such that
interpolants c·m ≤ b with c·v > 0 should be avoided (by the weight), or are forbidden (where
hard). Guides derive templates and costs from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from petricheck.model.net import Net, Weights


@dataclass(frozen=True, slots=True)
class Displacement:
    """A vector along which interpolants should not grow.

    Attributes:
        vector: v, sparse over the places.
        weight: how much growth along it costs.
        hard: if v is the effect of a block, growth is forbidden, since the block is accelerated.
        source: name of the heuristic.
        lattice: numbers those of a heuristic's displacements from which guides derive templates
            together.
    """

    vector: Weights
    weight: int
    hard: bool
    source: str
    lattice: int = 0


LATTICES = ("same", "each")
"""Whether guides derive templates from all vectors of a heuristic together, or from each alone."""


def along(
    vectors: Iterable[Weights], weight: int, hard: bool, source: str, lattices: str = "same"
) -> tuple[Displacement, ...]:
    """Return a displacement along each of the vectors, once."""
    return tuple(
        Displacement(vector, weight, hard, source, number if lattices == "each" else 0)
        for number, vector in enumerate(dict.fromkeys(vectors))
    )


class Heuristic(Protocol):
    """The frame of every member of this family."""

    def displacements(self, net: Net, path: Sequence[int]) -> tuple[Displacement, ...]:
        """Return the displacements for a path, given as transition numbers."""
