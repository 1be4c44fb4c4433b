"""Backward search among the markings of an exploration."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from petricheck.explicit.kernel.arrays import Integers
from petricheck.explicit.kernel.circuit import no_aim
from petricheck.explicit.kernel.constants import SIZE
from petricheck.explicit.kernel.explore import Exploration
from petricheck.explicit.kernel.packing import Numbers32, layout_of
from petricheck.explicit.kernel.targets import WatchedSearch
from petricheck.model.net import Net, Transition


class Backwards(WatchedSearch):
    """Firing sequences from markings of an exploration to some of them.

    Attributes:
        ranks: by marking the least number of firings that lead to a marking of rank 0, or the
            greatest; −1 if that is not known yet, or none do.
        actions: by marking of a higher rank, the transition that leads to a lower one.
    """

    def __init__(self, net: Net, explored: Exploration, firings: Integers | None = None) -> None:
        """Start without any ranks; the exploration must not continue.

        Args:
            net: the net of the exploration, maybe with some of its transitions only.
            explored: the markings.
            firings: by marking how many of the net's transitions are enabled; then the greatest
                number of firings is its rank, and markings that lead into a cycle have none.
        """
        transitions = tuple(Transition(t.name, t.post, t.pre) for t in net.transitions)
        super().__init__(replace(net, transitions=transitions, origin=None), [])
        self._layout, self._visited = layout_of(self._net, explored.layout.bits), explored.visited
        self._state.numbers[SIZE] = size = explored.size
        self.ranks: Integers = np.full(size, -1, dtype=np.int64)
        self.actions: Numbers32 = np.zeros(size, dtype=np.uint32)
        one = np.ones(size, dtype=np.int64)
        self._needed: Integers = one if firings is None else firings.astype(np.int64)
        self._order, self._ends = np.zeros(size, dtype=np.uint32), np.zeros(2, dtype=np.int64)

    def begin(self, numbers: Integers) -> None:
        """Set the rank of these markings, none of which has a rank, to 0."""
        before = int(self._ends[1])
        self._ends[1] += len(numbers)
        self._order[before : self._ends[1]] = numbers
        self.ranks[numbers] = self._needed[numbers] = 0

    def run(self, markings: int) -> bool:
        """Search backwards from `markings` more markings; return whether more remain."""
        arguments = self._arcs, self._circuit, self._state, self._layout, self._visited, no_aim()
        limit = int(self._ends[0]) + markings
        ranks = self.ranks, self._needed, self.actions
        self._loop("rank")(*arguments, self._order, *ranks, self._ends, limit)
        return bool(self._ends[0] < self._ends[1])
