"""What a coloured transition needs, as independent factors.

The needs of a transition are independent factors. One that takes x from one place and y from
another, for any x and y, is enabled under some binding where the one place has any token and the
other too: there is no need to list all pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np

from petricheck.model.coloured.net import Transition
from petricheck.model.coloured.tables import BindingTable, Column
from petricheck.model.coloured.terms import variables

_NUMBERED = 2**62
"""Combinations that 64-bit integers number."""


@dataclass(frozen=True)
class Factor:
    """Some input places, whose tokens do not depend on what is taken from others.

    The variables of these names say what is taken from the places of these numbers. There is a row
    of the table of bindings for each choice of their colours.
    """

    places: tuple[int, ...]
    names: frozenset[str]
    rows: Column


def factors(transition: Transition, table: BindingTable) -> Sequence[Factor]:
    """Return as many factors as possible: each choice of one row of each is a row of the table.

    The transition is enabled under some binding of the table where for each factor the tokens are
    there that one of its rows takes from its places.
    """
    if not table.rows:
        return [_factor(table, (), frozenset())]  # Never, also where it takes nothing.
    parts = [_factor(table, places, names) for places, names in _linked(transition)]
    while dependent := _dependent(table, parts):
        parts = [part for part in parts if part not in dependent]
        parts.append(_joined_factor(table, dependent))
    return parts


def _linked(transition: Transition) -> list[tuple[tuple[int, ...], frozenset[str]]]:
    """Return input places, together where they share variables, with these variables."""
    linked: list[tuple[tuple[int, ...], frozenset[str]]] = []
    for place, multiset in transition.pre:
        names = frozenset(
            name
            for summand in multiset
            for name in variables(summand.term).keys() - {v.name for v in summand.ranging}
        )
        sharing = [other for other in linked if other[1] & names]
        linked = [other for other in linked if not other[1] & names]
        places = sum((other[0] for other in sharing), (place,))
        linked.append((places, names.union(*(other[1] for other in sharing))))
    return linked


def _dependent(table: BindingTable, parts: Sequence[Factor]) -> Sequence[Factor]:
    """Return two parts that depend on each other, or all that do together; none where none do."""
    for pair in combinations(parts, 2):
        if not _are_independent(table, pair):
            return pair
    if len(parts) > 2 and not _are_independent(table, parts):
        return parts
    return ()


def _are_independent(table: BindingTable, parts: Sequence[Factor]) -> bool:
    """Return whether the table has all combinations, which are no fewer than it has."""
    speaking = [part for part in parts if part.names]
    if len(speaking) < 2:
        return True
    together = frozenset[str]().union(*(part.names for part in speaking))
    return prod(len(part.rows) for part in speaking) == len(_first_rows(table, together))


def _joined_factor(table: BindingTable, parts: Iterable[Factor]) -> Factor:
    places = tuple(place for part in parts for place in part.places)
    return _factor(table, places, frozenset[str]().union(*(part.names for part in parts)))


def _factor(table: BindingTable, places: tuple[int, ...], names: frozenset[str]) -> Factor:
    return Factor(places, names, _first_rows(table, names))


def _first_rows(table: BindingTable, names: Iterable[str]) -> Column:
    """Return a row for each combination of colours of these variables."""
    keys, size = np.zeros(table.rows, dtype=np.int64), 1
    for name in names:
        column = table.columns[name]
        colours = int(column.max(initial=0)) + 1
        if size * colours > _NUMBERED:
            ranks = (np.unique(v, return_inverse=True)[1].reshape(-1) for v in (keys, column))
            (keys, column), size, colours = ranks, table.rows, table.rows
        keys, size = keys * colours + column, size * colours
    return np.unique(keys, return_index=True)[1]
