"""What the transitions of a net do to some places: all of them at once, in arrays, exactly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from petricheck.model.net import Net
from petricheck.model.weights import Integers, effects_by_place, weights_of

_EXACT = 2**62
"""Sums that stay below fit 64 bits."""


def changes(net: Net, direction: Sequence[tuple[int, int]]) -> Integers:
    """Return c·δ_t for every transition t; Python integers where some might not fit 64 bits."""
    effects = effects_by_place(net)
    sums = np.zeros(len(net.transitions), dtype=np.int64)
    if not direction:
        return sums
    places, weights = np.array(direction, dtype=object).T
    owners, entries = effects.entries(places.astype(np.int64))
    values = effects.values[entries]
    largest = max(1, *map(abs, weights)) * int(max(values.max(initial=1), -values.min(initial=0)))
    exact = np.int64 if largest * len(weights) < _EXACT else object
    sums = sums.astype(exact)
    products = weights.astype(exact)[owners] * values.astype(exact)
    np.add.at(sums, effects.indices[entries], products)
    return sums


def takers(net: Net, places: Iterable[int]) -> NDArray[np.bool_]:
    """Return for each transition whether it takes from one of the places."""
    inputs, inside = weights_of(net).inputs, np.zeros(len(net.places), dtype=bool)
    inside[list(places)] = True
    takes = np.zeros(inputs.size, dtype=bool)
    takes[inputs.owners[inside[inputs.indices]]] = True
    return takes
