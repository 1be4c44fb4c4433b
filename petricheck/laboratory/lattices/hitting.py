"""Sets that hit every one of some sets and contain none of others, the cheapest first.

Sets are integers, one bit an element. The sets to hit and to avoid may grow while the search runs:
the caller appends a set, and the search continues with it instead of starting again. It is
iterative deepening over the cost, each pass a branch and bound in exact integers. The bound packs
the weights of the elements into the sets that are not hit yet (a feasible dual solution of the
linear relaxation). It also discards elements that cannot be afforded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction


@dataclass(slots=True)
class HittingSetSearch:
    """Proposals in order of weight.

    Attributes:
        weights: a non-negative weight for each element.
        hit: sets to be hit; append to it at any time.
        avoid: sets not to be included; append to it at any time.
    """

    weights: tuple[int, ...]
    hit: list[int] = field(default_factory=list)
    avoid: list[int] = field(default_factory=list)
    _next_limit: int | None = None

    def proposals(self) -> Iterator[tuple[int, int]]:
        """Yield each proposed set with its weight; weights do not fall.

        A proposed set hits and avoids as required, and no cheaper set does. Before the next
        proposal the caller has to append a set that the last one does not hit, or one that it
        includes.
        """
        limit: int | None = 0
        while limit is not None:
            self._next_limit = None
            for mask in self._extend(0, (1 << len(self.weights)) - 1, 0, limit):
                yield mask, limit
            limit = self._next_limit

    def greedy(self) -> int:
        """Return some set that hits all sets to be hit, none of which may be empty."""
        selection = 0
        open_sets = self.hit
        while open_sets := [options for options in open_sets if not options & selection]:
            counts = Counter(element for options in open_sets for element in bits(options))
            selection |= 1 << min(counts, key=lambda e: (Fraction(self.weights[e], counts[e]), e))
        return selection

    def _extend(self, selection: int, available: int, weight: int, limit: int) -> Iterator[int]:
        """Yield proposals that contain `selection` and otherwise elements of `available`."""
        while True:
            remaining = self._permitted(selection, available)
            if remaining is None:
                return
            open_sets = [options & remaining for options in self.hit if not options & selection]
            if open_sets:
                break
            yield selection
        if 0 in open_sets:
            return
        open_sets.sort(key=int.bit_count)
        bound, slack = self._pack(open_sets)
        if not self._affordable(weight + bound, limit):
            return
        for element in bits(remaining):
            reduced = slack.get(element, self.weights[element])
            if not self._affordable(weight + bound + reduced, limit):
                remaining &= ~(1 << element)
        open_sets = [options & remaining for options in open_sets]
        for element in self._order(open_sets):
            total = weight + self.weights[element]
            yield from self._extend(selection | 1 << element, remaining, total, limit)
            remaining &= ~(1 << element)

    def _order(self, open_sets: list[int]) -> list[int]:
        """Return the elements of the smallest open set; first those that hit many at low cost."""
        smallest = min(open_sets, key=int.bit_count)
        counts = {e: sum(options >> e & 1 for options in open_sets[:100]) for e in bits(smallest)}
        return sorted(counts, key=lambda e: (Fraction(self.weights[e], counts[e] or 1), e))

    def _affordable(self, weight: int, limit: int) -> bool:
        if weight > limit:
            next_limit = self._next_limit
            self._next_limit = weight if next_limit is None else min(next_limit, weight)
        return weight <= limit

    def _permitted(self, selection: int, available: int) -> int | None:
        """Return the elements that may still be added; None if `selection` includes too much."""
        remaining = available & ~selection
        for mask in self.avoid:
            missing = mask & ~selection
            if not missing:
                return None
            if not missing & (missing - 1):
                remaining &= ~missing
        return remaining

    def _pack(self, open_sets: Sequence[int]) -> tuple[int, dict[int, int]]:
        """Return a lower bound on the cost of hitting the sets, and the unused weights."""
        bound = 0
        slack: dict[int, int] = {}
        exhausted = 0
        for options in open_sets:
            if options & exhausted:
                continue
            elements = list(bits(options))
            least = min(slack.get(e, self.weights[e]) for e in elements)
            bound += least
            for element in elements:
                slack[element] = slack.get(element, self.weights[element]) - least
                if not slack[element]:
                    exhausted |= 1 << element
        return bound, slack


def bits(mask: int) -> Iterator[int]:
    """Yield the elements of a bit set, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
