"""Linear forms as tests write them: a number for every place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from petricheck.engines.abstraction.domain import Precision
from petricheck.model.net import Weights
from petricheck.symbolic.linear import Constraint, HalfSpace, Hyperplane, ModularDirection


def vector(entries: Iterable[int]) -> Weights:
    """The vector with these entries."""
    return tuple((place, entry) for place, entry in enumerate(entries) if entry)


def entries(direction: Weights, places: int) -> tuple[int, ...]:
    """The inverse."""
    return tuple(dict(direction).get(place, 0) for place in range(places))


def bounded(entries: Iterable[int], most: int) -> HalfSpace:
    """entries·m ≤ most."""
    return HalfSpace(vector(entries), most)


def modulo(entries: Iterable[int], modulus: int) -> ModularDirection:
    """entries·m modulo the number."""
    return ModularDirection(vector(entries), modulus)


def precise(
    thresholds: Mapping[tuple[int, ...], tuple[int, ...]], residues: Iterable[ModularDirection] = ()
) -> Precision:
    """A precision with these thresholds by direction."""
    return Precision({vector(c): x for c, x in thresholds.items()}, tuple(residues))


def row(direction: Weights, least: int, equality: bool = False) -> Constraint:
    """direction·m ≥ least, or = least."""
    if equality:
        return Hyperplane(direction, least)
    return HalfSpace(tuple((place, -weight) for place, weight in direction), -least)
