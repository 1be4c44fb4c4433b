"""Place invariants without negative weights, by the double description method.

Those of minimal support are the extreme rays of { y ≥ 0 : y·δ_t = 0 for every transition t }, and
all others are sums of them. The cone is cut by one effect after the other. There may be
exponentially many rays, so the work is limited, by steps and never by time: the same net is always
described alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from petricheck.flows.sums import Sum, balanced, single_places
from petricheck.problem import Net, Weights

WORK = 2_000_000
"""Elementary steps that the search may take."""


def minimal_semiflows(net: Net, work: int = WORK) -> tuple[tuple[Weights, ...], bool]:
    """The invariants y ≥ 0 of minimal support, primitive, and whether none is missing."""
    cone = _Cone(net, work)
    complete = cone.run()
    return tuple(sorted(found.sparse for found in cone.finished())), complete


@dataclass(frozen=True, slots=True)
class _Ray:
    """A sum y ≥ 0 and its support as a bit set."""

    sum: Sum
    support: int


class _Cone:
    """The extreme rays of { y ≥ 0 : y·δ = 0 for the effects treated so far }."""

    def __init__(self, net: Net, work: int) -> None:
        self._rays = [_Ray(row, 1 << place) for place, row in enumerate(single_places(net))]
        self._work = work

    def finished(self) -> Iterator[Sum]:
        """The rays that are invariants."""
        return (ray.sum for ray in self._rays if not ray.sum.growth)

    def run(self) -> bool:
        """Treat all effects, always the one with the fewest combinations; False if too many."""
        while (effect := self._next()) is not None:
            up = [ray for ray in self._rays if ray.sum.growth.get(effect, 0) > 0]
            down = [ray for ray in self._rays if ray.sum.growth.get(effect, 0) < 0]
            self._work -= len(up) * len(down) * len(self._rays)
            if self._work < 0:
                return False
            made = [
                _Ray(balanced(left.sum, right.sum, effect), left.support | right.support)
                for left in up
                for right in down
                if self._adjacent(left, right)
            ]
            self._rays = [ray for ray in self._rays if effect not in ray.sum.growth] + made
        return self._work >= 0

    def _next(self) -> int | None:
        if self._work < 0:
            return None
        up: Counter[int] = Counter()
        down: Counter[int] = Counter()
        for ray in self._rays:
            self._work -= len(ray.sum.growth)
            for effect, change in ray.sum.growth.items():
                (up if change > 0 else down)[effect] += 1
        return min(up | down, key=lambda n: (up[n] * down[n], n), default=None)

    def _adjacent(self, left: _Ray, right: _Ray) -> bool:
        """Whether their sum is a new extreme ray: no third ray's support lies in theirs."""
        outside = ~(left.support | right.support)
        return not any(
            ray.support & outside == 0 for ray in self._rays if ray is not left and ray is not right
        )
