"""Place invariants without negative weights, by the double description method.

Those of minimal support are the extreme rays of { y ≥ 0 : y·δ_t = 0 for every transition t }, and
all others are sums of them. The cone is cut by one effect after the other, always by the one with
the fewest combinations; what a cut does not touch costs nothing. There may be exponentially many
rays, so the work is limited, by steps and never by time: the same net is always described alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from heapq import heappop, heappush

from petricheck.model.net import Net, Weights
from petricheck.support.budget import Budget, watched
from petricheck.symbolic.facts.basis import FEW, PlaceSum, balance, single_places
from petricheck.symbolic.linear import value_at

WORK = 2_000_000
"""Rays that may be compared, and entries of those that are made."""


def minimal_semiflows(
    net: Net, work: int = WORK, budget: Budget | None = None
) -> tuple[tuple[Weights, ...], bool]:
    """Return the invariants y ≥ 0 of minimal support, primitive, and whether none is missing."""
    cone = _Cone(net, work, budget or Budget())
    complete = cone.run()
    return tuple(sorted(ray.sparse for ray in cone.invariants())), complete


def control_groups(net: Net, most: int) -> tuple[tuple[int, ...], ...]:
    """Return disjoint groups of places, at most so many, that always hold one token together.

    Such a group gives a net what a program counter gives a program: which of its places is marked
    is a location. The groups of the most places, and of these with the first places, come first;
    groups of one place are left out.
    """
    flows = minimal_semiflows(net)[0] if most > 0 else ()
    groups = [
        tuple(place for place, _ in flow)
        for flow in flows
        if len(flow) > 1 and all(w == 1 for _, w in flow) and value_at(flow, net.initial) == 1
    ]
    selected: list[tuple[int, ...]] = []
    for group in sorted(groups, key=lambda places: (-len(places), places)):
        if all(set(group).isdisjoint(other) for other in selected):
            selected.append(group)
    return tuple(selected[: max(0, most)])


class _Cone:
    """The extreme rays of { y ≥ 0 : y·δ = 0 for the effects treated so far }, each a sum."""

    def __init__(self, net: Net, work: int, budget: Budget) -> None:
        self._work, self._budget = work, budget
        self._rays: dict[int, PlaceSum] = {}
        self._count = 0
        self._up: dict[int, set[int]] = defaultdict(set)
        self._down: dict[int, set[int]] = defaultdict(set)
        self._first: dict[int, set[int]] = defaultdict(set)  # by the first place of the support
        self._queue: list[tuple[tuple[int, int], int]] = []
        for row in watched(single_places(net), budget):
            self._add(row)
        for effect in watched((*self._up, *self._down), budget):
            self._enqueue(effect)

    def invariants(self) -> Iterator[PlaceSum]:
        """Return the rays that are invariants."""
        return (ray for ray in self._rays.values() if not ray.growth)

    def run(self) -> bool:
        """Process all effects, cheapest first; return False if there are too many combinations."""
        for effect in watched(self._effects(), self._budget):
            self._cut(effect)
        return self._work >= 0

    def _effects(self) -> Iterator[int]:
        """Yield those that change rays, in their order, as long as there is work left."""
        while self._queue and self._work >= 0:
            cost, effect = heappop(self._queue)
            if cost == self._cost(effect) and (self._up[effect] or self._down[effect]):
                self._work -= cost[0]
                yield effect

    def _cut(self, effect: int) -> None:
        up, down = sorted(self._up[effect]), sorted(self._down[effect])
        pairs = watched(((left, right) for left in up for right in down), self._budget)
        rays = []
        for left, right in pairs:
            if self._work < 0:
                return
            if self._adjacent(left, right):
                rays.append(balance(self._rays[left], self._rays[right], effect))
                self._work -= len(rays[-1].weights) + len(rays[-1].growth)
        changed = {e for number in (*up, *down) for e in self._rays[number].growth}
        for number in (*up, *down):
            self._remove(number)
        for row in rays:
            changed |= row.growth.keys()
            self._add(row)
        self._work -= len(changed)
        for other in sorted(changed):
            self._enqueue(other)

    def _adjacent(self, left: int, right: int) -> bool:
        """Return whether their sum is a new extreme ray: no third ray's support lies in theirs."""
        support = self._rays[left].weights.keys() | self._rays[right].weights.keys()
        self._work -= len(support)
        for place in support:
            self._work -= len(self._first.get(place, ()))
            for number in self._first.get(place, ()):
                if number not in (left, right) and self._rays[number].weights.keys() <= support:
                    return False
        return True

    def _add(self, row: PlaceSum) -> None:
        number, self._count = self._count, self._count + 1
        self._rays[number] = row
        self._first[min(row.weights)].add(number)
        for effect, change in row.growth.items():
            (self._up if change > 0 else self._down)[effect].add(number)

    def _remove(self, number: int) -> None:
        row = self._rays.pop(number)
        self._first[min(row.weights)].discard(number)
        for effect, change in row.growth.items():
            (self._up if change > 0 else self._down)[effect].discard(number)

    def _enqueue(self, effect: int) -> None:
        """-"""
        heappush(self._queue, (self._cost(effect), effect))

    def _cost(self, effect: int) -> tuple[int, int]:
        """Return the number of combinations, and the length of the rays if they are few."""
        up, down = self._up[effect], self._down[effect]
        few = (*up, *down) if len(up) + len(down) <= FEW else ()
        lengths = (len(self._rays[n].weights) + len(self._rays[n].growth) for n in few)
        return len(up) * len(down), sum(lengths)
