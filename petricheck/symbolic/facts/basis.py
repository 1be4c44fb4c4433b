"""A basis of all place invariants, by sparse elimination in exact integers.

Every place starts as a sum of its own. One effect after the other is eliminated: one sum that it
changes is dropped, after it has balanced the others. What is left in the end are as many
independent invariants as there are. Nets are sparse, and stay so where the effect that changes the
fewest sums, and short ones, comes first and the shortest of them is dropped (Markowitz 1957): tens
of thousands of places take a second. Where they do not, the work is limited, by steps and never by
time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import gcd

from petricheck.arithmetic.formulas.formulas import Equality
from petricheck.model.net import Net, Weights, cached_by_net
from petricheck.support.budget import Budget, watched
from petricheck.symbolic.linear import term_of, value_at

WORK = 5_000_000
"""Entries of sums, times the words of their numbers, that may be combined."""

FEW = 4
"""Of so many sums the short ones are combined first, so that long ones are copied seldom."""


@dataclass(frozen=True, slots=True)
class PlaceSum:
    """y·m for y ≠ 0: weights y by place, growth y·δ by number of the effect, both without zeros."""

    weights: Mapping[int, int]
    growth: Mapping[int, int]

    @property
    def sparse(self) -> Weights:
        """The weights, sorted."""
        return tuple(sorted(self.weights.items()))


def effects(net: Net) -> tuple[Weights, ...]:
    """Return the different effects, without zero."""
    return tuple(dict.fromkeys(t.effect for t in net.transitions if t.effect))


def single_places(net: Net) -> list[PlaceSum]:
    """Return each place as a sum of its own; effects are numbered as in `effects`."""
    growth: list[dict[int, int]] = [{} for _ in net.places]
    for number, effect in enumerate(effects(net)):
        for place, change in effect:
            growth[place][number] = change
    return [PlaceSum({place: 1}, row) for place, row in enumerate(growth)]


def balance(left: PlaceSum, right: PlaceSum, effect: int) -> PlaceSum:
    """Return the primitive combination of two independent sums that the effect leaves unchanged.

    Where the effect increases `left` and decreases `right`, both factors are positive.
    """
    gain, loss = left.growth[effect], -right.growth[effect]
    weights = combine(left.weights, loss, right.weights, gain)
    growth = combine(left.growth, loss, right.growth, gain)
    divisor = gcd(*weights.values())
    return PlaceSum(_divided(weights, divisor), _divided(growth, divisor))


def combine(left: Mapping[int, int], a: int, right: Mapping[int, int], b: int) -> dict[int, int]:
    """Return a·left + b·right, without zeros."""
    sums = ((key, a * left.get(key, 0) + b * right.get(key, 0)) for key in (*left, *right))
    return {key: value for key, value in sums if value}


def _divided(vector: Mapping[int, int], divisor: int) -> dict[int, int]:
    return {key: value // divisor for key, value in vector.items()}


def invariant_basis(
    net: Net, work: int = WORK, budget: Budget | None = None
) -> tuple[Weights, ...] | None:
    """Return independent invariants that span all of them; None beyond the work."""
    elimination = _Elimination(net, work, budget or Budget())
    if not elimination.run():
        return None
    return tuple(sorted(_positive(row).sparse for row in elimination.sums.values()))


@cached_by_net
def place_invariants(net: Net) -> tuple[Equality, ...]:
    """Return independent invariants, with their values; none where they are too much work."""
    basis = invariant_basis(net) or ()
    return tuple(Equality(term_of(net, y) - value_at(y, net.initial)) for y in basis)


class _Elimination:
    """Independent sums that no effect treated so far changes, by the place that each started as."""

    def __init__(self, net: Net, work: int, budget: Budget) -> None:
        self._budget = budget
        self.sums = dict(enumerate(single_places(net)))
        self._changed: list[set[int]] = [{p for p, _ in effect} for effect in effects(net)]
        self._work = work

    def run(self) -> bool:
        """Process all effects, those that change few sums first; return False if too much."""
        for effect in watched(self._effects(), self._budget):
            self._eliminate(effect)
        return self._work >= 0

    def _effects(self) -> Iterator[int]:
        """Yield those that change sums, in their order, as long as there is work left."""
        queue = [(self._cost(effect), effect) for effect in range(len(self._changed))]
        heapify(queue)
        while queue and self._work >= 0:
            cost, effect = heappop(queue)
            now = self._cost(effect)
            if cost != now:
                heappush(queue, (now, effect))
            elif self._changed[effect]:
                yield effect

    def _cost(self, effect: int) -> tuple[int, int]:
        """Return the number of sums that the effect changes, and their length if they are few."""
        changed = self._changed[effect]
        few = changed if len(changed) <= FEW else ()
        return len(changed), sum(_length(self.sums[number]) for number in few)

    def _eliminate(self, effect: int) -> None:
        changed = self._changed[effect]
        pivot = min(changed, key=lambda number: (_length(self.sums[number]), number))
        pivot_sum = self.sums.pop(pivot)
        self._move(pivot, pivot_sum.growth, {})
        for number in watched(sorted(changed), self._budget):
            before = self.sums[number]
            self._work -= _entries(before, pivot_sum, effect)
            if self._work < 0:
                return
            self.sums[number] = balance(before, pivot_sum, effect)
            self._move(number, before.growth, self.sums[number].growth)

    def _move(self, number: int, before: Mapping[int, int], after: Mapping[int, int]) -> None:
        """-"""
        for effect in before.keys() - after.keys():
            self._changed[effect].remove(number)
        for effect in after.keys() - before.keys():
            self._changed[effect].add(number)


def _length(row: PlaceSum) -> int:
    return len(row.weights) + len(row.growth)


def _entries(left: PlaceSum, right: PlaceSum, effect: int) -> int:
    bits = left.growth[effect].bit_length() + right.growth[effect].bit_length()
    return (_length(left) + _length(right)) * (1 + bits // 64)


def _positive(row: PlaceSum) -> PlaceSum:
    """Return the sum or its negation: whichever has the larger sum of weights."""
    if sum(row.weights.values()) >= 0:
        return row
    return PlaceSum({place: -weight for place, weight in row.weights.items()}, row.growth)


def independent(
    basis: Sequence[Weights],
    candidates: Iterable[Weights],
    dimension: int,
    work: int = WORK,
    budget: Budget | None = None,
) -> tuple[Weights, ...] | None:
    """Return the `candidates` that basis and earlier ones do not span; None beyond the work.

    Together they span a space of this dimension.
    """
    echelon: dict[int, Mapping[int, int]] = {}
    selected = []
    for number, vector in enumerate(watched((*basis, *candidates), budget or Budget())):
        if len(echelon) == dimension:
            break
        remainder: Mapping[int, int] = dict(vector)
        while remainder and (last := max(remainder)) in echelon:
            row = echelon[last]
            bits = remainder[last].bit_length() + row[last].bit_length()
            work -= (len(remainder) + len(row)) * (1 + bits // 64)
            if work < 0:
                return None
            remainder = combine(remainder, row[last], row, -remainder[last])
            remainder = _divided(remainder, gcd(*remainder.values()))
        if remainder:
            echelon[max(remainder)] = remainder
            if number >= len(basis):
                selected.append(vector)
    return tuple(selected)
