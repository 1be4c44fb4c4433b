"""Sums of places and what transitions add to them: the rows that eliminations work on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import gcd

from petricheck.problem import Net, Weights


@dataclass(frozen=True, slots=True)
class Sum:
    """y·m for some y ≠ 0.

    Attributes:
        weights: y by place number, without zeros.
        growth: y·δ by number of the effect, without zeros.
    """

    weights: Mapping[int, int]
    growth: Mapping[int, int]

    @property
    def sparse(self) -> Weights:
        """The weights, sorted."""
        return tuple(sorted(self.weights.items()))


def effects(net: Net) -> tuple[Weights, ...]:
    """The different effects, without zero."""
    return tuple(dict.fromkeys(t.effect for t in net.transitions if t.effect))


def single_places(net: Net) -> list[Sum]:
    """Each place as a sum of its own; effects are numbered as in `effects`."""
    growth: list[dict[int, int]] = [{} for _ in net.places]
    for number, effect in enumerate(effects(net)):
        for place, change in effect:
            growth[place][number] = change
    return [Sum({place: 1}, row) for place, row in enumerate(growth)]


def balanced(left: Sum, right: Sum, effect: int) -> Sum:
    """The primitive combination of two independent sums that the effect leaves unchanged.

    Where the effect increases `left` and decreases `right`, both factors are positive.
    """
    gain, loss = left.growth[effect], -right.growth[effect]
    weights = combined(left.weights, loss, right.weights, gain)
    growth = combined(left.growth, loss, right.growth, gain)
    divisor = gcd(*weights.values())
    return Sum(_divided(weights, divisor), _divided(growth, divisor))


def combined(left: Mapping[int, int], a: int, right: Mapping[int, int], b: int) -> dict[int, int]:
    """a·left + b·right, without zeros."""
    sums = ((key, a * left.get(key, 0) + b * right.get(key, 0)) for key in (*left, *right))
    return {key: value for key, value in sums if value}


def primitive(vector: Mapping[int, int]) -> dict[int, int]:
    """The vector divided by the greatest common divisor of its entries."""
    return _divided(vector, gcd(*vector.values()))


def _divided(vector: Mapping[int, int], divisor: int) -> dict[int, int]:
    return {key: value // divisor for key, value in vector.items()}
