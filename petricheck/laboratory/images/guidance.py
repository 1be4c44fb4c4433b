"""What the heuristics wish of the interpolants of a prefix and a suffix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petricheck.encoding.stamps import at
from petricheck.guides import ask_all
from petricheck.heuristics import Heuristic
from petricheck.laboratory.cubes.separators import Wish
from petricheck.laboratory.images.partition import Partition
from petricheck.presburger.solver import Model


@dataclass(frozen=True, slots=True)
class Guidance:
    """Wishes for one half-space between the cubes of two models.

    The heuristics see the transitions of both as one path, each block once. Their hard
    displacements are wishes like the others.

    Attributes:
        partition: the question.
        length: of its runs.
        heuristics: whom to ask.
    """

    partition: Partition
    length: int
    heuristics: Sequence[Heuristic]

    def forward(self, prefix: Model, suffix: Model) -> tuple[Wish, ...]:
        """Along what a half-space around the prefix should not grow."""
        return self._wishes(prefix, suffix, 1)

    def backward(self, suffix: Model, prefix: Model) -> tuple[Wish, ...]:
        """The same for a half-space around the suffix, whose complement is meant."""
        return self._wishes(prefix, suffix, -1)

    def _wishes(self, prefix: Model, suffix: Model, sign: int) -> tuple[Wish, ...]:
        blocks = self.partition.firings(prefix, 0, 1)
        blocks += self.partition.firings(suffix, 1, self.length)
        net = self.partition.problem.net
        path = tuple(number for number, _ in blocks)
        return tuple(
            Wish(
                tuple((at(net.places[p], 1), sign * v) for p, v in each.vector),
                each.weight,
            )
            for each in ask_all(self.heuristics, net, path)
        )
