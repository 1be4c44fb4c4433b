"""Directions c ∈ ℤ^P as dense vectors in the net's order, and as sparse pairs of place ids."""

from __future__ import annotations

from collections.abc import Iterable

from petricheck.presburger.algebra import Vector
from petricheck.problem import Net, Weights


def sparse_direction(net: Net, direction: Vector) -> tuple[tuple[str, int], ...]:
    """(place id, coefficient) sorted by id, without zeros."""
    entries = zip(net.places, direction, strict=True)
    return tuple(sorted((place, value) for place, value in entries if value))


def dense_direction(net: Net, coefficients: Iterable[tuple[str, int]]) -> Vector:
    """The inverse of `sparse_direction`."""
    entries = dict(coefficients)
    return tuple(entries.get(place, 0) for place in net.places)


def along(direction: Vector, effect: Weights) -> int:
    """The scalar product with a sparse vector over place numbers."""
    return sum(direction[place] * weight for place, weight in effect)
