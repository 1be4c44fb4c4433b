"""Sorts that stand for the types of places in a net of SNAKES."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from math import prod
from typing import Any, TypeVar

from petricheck.formats.libraries._values import library
from petricheck.model.coloured.sorts import Dot, Enumeration, Partition, Product, Range, Sort
from petricheck.model.coloured.text import sort_text
from petricheck.support.errors import InputError

EnumeratedSort = TypeVar("EnumeratedSort", Enumeration, Partition)

MOST_VALUES = 1_000_000
"""Types with more values are not read."""


class Sorts:
    """Sorts by their values.

    Attributes:
        named: by name of a tuple the sort of its values, in their order.
        partitions: by name of a dictionary the partition that it is.
        dots: names of the black token.
    """

    def __init__(self, declared: Iterable[tuple[str, Any]]) -> None:
        """Read the names that a net declares, with their values."""
        self.named: dict[str, Enumeration | Partition] = {}
        self.partitions: dict[str, Partition] = {}
        self.dots: set[str] = set()
        self._sorts_by_values: dict[frozenset[Any], Enumeration | Partition] = {}
        self._colours: dict[int, dict[Any, int]] = {}  # by id: large sorts take long to hash
        for name, value in declared:
            if isinstance(value, tuple) and _is_all(str, value):
                self.named[name] = self._enumeration(name, value)
            elif isinstance(value, dict) and _is_all(str, (*value.values(),)):
                self._add_partition(name, value)
            elif type(value) is library().BlackToken:
                self.dots.add(name)

    def of_place(self, place: Any) -> Sort:
        """Return the sort of the tokens that a place may hold.

        Raises:
            InputError: its type is not one that can be listed.
        """
        snakes, check = library(), place.checker()
        if check == snakes.tAll:
            if any(token != snakes.dot for token in place.tokens.domain()):
                raise InputError(
                    f"place {place.name!r} holds other tokens than dot; give it a type that lists "
                    "them, such as OneOf('a', 'b') or Range(1, 4)"
                )
            return Dot()
        if check == snakes.tBlackToken:
            return Dot()
        try:
            values = tuple(islice(iter(check), MOST_VALUES + 1))
        except (TypeError, ValueError):
            values = ()
        if not 0 < len(values) <= MOST_VALUES or (sort := self._of(values)) is None:
            raise InputError(
                f"place {place.name!r} is of type {check!r}; read are types that list at most "
                f"{MOST_VALUES} values, all strings, all integers, or all tuples of such"
            )
        return sort

    def colour(self, sort: Sort, value: Any) -> int:
        """Return the colour of a token.

        Raises:
            InputError: it is none of the sort.
        """
        match sort:
            case Dot() if value == library().dot:
                return 0
            case Range(first=first, last=last) if type(value) is int and first <= value <= last:
                return value - first
            case Product(factors=factors) if type(value) is tuple and len(value) == len(factors):
                return sort.colour([*map(self.colour, factors, value)])
            case Enumeration() | Partition() if isinstance(value, str | int):
                if value in (colours := self._colours[id(sort)]):
                    return colours[value]
        raise InputError(f"{value!r} is none of the values of {sort_text(sort)}")

    def _of(self, values: tuple[Any, ...]) -> Sort | None:
        """Return the sort of these values, None where they are of no kind that is read."""
        if values == (library().dot,):
            return Dot()
        if _is_all(tuple, values) and {*map(len, values)} == {len(values[0])} != {0}:
            columns = [tuple(dict.fromkeys(column)) for column in zip(*values, strict=True)]
            factors = [*map(self._of, columns)]
            if prod(map(len, columns)) == len({*values}) and None not in factors:
                return Product("", tuple(factor for factor in factors if factor is not None))
        if _is_all(int, values) and max(values) - min(values) + 1 == len({*values}):
            return Range("", min(values), max(values))
        if any(_is_all(kind, values) for kind in (str, int, bool)):
            present = self._sorts_by_values.get(frozenset(values))
            return present or self._enumeration(f"sort{len(self._sorts_by_values) + 1}", values)
        return None

    def _enumeration(self, name: str, values: tuple[Any, ...]) -> Enumeration | Partition:
        """Return a new sort, unless there is one of the same values in the same order."""
        values = tuple(dict.fromkeys(values))
        present = self._sorts_by_values.get(frozenset(values))
        if present is not None and (*self._colours[id(present)],) == values:
            return present
        # Whether it is cyclic is not told: remainders go around any tuple.
        return self._add(Enumeration(name, tuple(map(str, values)), cyclic=True), values)

    def _add_partition(self, name: str, parts: dict[Any, str]) -> None:
        """Add a dictionary as a partition; a tuple of its values has to be declared before."""
        whole, used = self._of((*parts,)), {*parts.values()}
        enumerations = (s for s in self.named.values() if isinstance(s, Enumeration) and s != whole)
        fitting = (sort for sort in enumerations if used <= {*sort.constants})
        elements = min(fitting, key=lambda sort: sort.size, default=None)
        if whole is None or elements is None:
            return
        numbers = {element: number for number, element in enumerate(elements.constants)}
        by_colour = {self.colour(whole, value): numbers[e] for value, e in parts.items()}
        part = tuple(by_colour[colour] for colour in range(whole.size))
        partition = Partition(elements.name, whole, elements.constants, part)
        self.partitions[name] = partition
        self._add(partition, elements.constants)
        self.named = {n: partition if s == elements else s for n, s in self.named.items()}

    def _add(self, sort: EnumeratedSort, values: tuple[Any, ...]) -> EnumeratedSort:
        self._sorts_by_values[frozenset(values)] = sort
        self._colours[id(sort)] = {value: number for number, value in enumerate(values)}
        return sort


def _is_all(kind: type, values: tuple[Any, ...]) -> bool:
    return bool(values) and all(type(value) is kind for value in values)
