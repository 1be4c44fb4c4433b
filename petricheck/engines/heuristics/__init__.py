"""Heuristics: along which vectors a good interpolant should not grow. One file each.

A heuristic is a value with one method, `displacements(net, path)`. It returns vectors v such that
interpolants c·m ≤ b with c·v > 0 should be avoided (by the weight), or are forbidden (where
hard). Guides derive templates and costs from them.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    """

    vector: Weights
    weight: int
    hard: bool
    source: str


class Heuristic(Protocol):
    """The frame of every member of this family."""

    def displacements(self, net: Net, path: Sequence[int]) -> tuple[Displacement, ...]:
        """Return the displacements for a path, given as transition numbers."""
