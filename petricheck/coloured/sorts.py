"""Sorts: finite sets of colours, of which each is a number below the size (ISO/IEC 15909-1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any, TypeAlias, Union

MOST_COLOURS = 2**62
"""So many colours a sort may have, which are numbers of 64 bits in tables."""

MOST_COMPONENTS = 1_000
"""So many components a sort may have: products of products may name each other, so that a short
file declares more than can be written."""

Sort: TypeAlias = Union["Dot", "Enumeration", "Range", "Partition", "Product"]


@dataclass(frozen=True, slots=True)
class Dot:
    """The sort of plain tokens."""

    @property
    def name(self) -> str:
        """The element name of the sort in PNML."""
        return "dot"

    @property
    def size(self) -> int:
        """The number of colours."""
        return 1

    def text(self, colour: int) -> str:
        """Return the colour as users write it."""
        return "dot"


@dataclass(frozen=True)
class Enumeration:
    """Constants in an order.

    Attributes:
        name: what its users call it.
        constants: names of the colours, all different.
        cyclic: whether the first follows the last.
    """

    name: str
    constants: tuple[str, ...]
    cyclic: bool = False

    @property
    def size(self) -> int:
        """The number of colours."""
        return len(self.constants)

    def text(self, colour: int) -> str:
        """Return the colour as users write it."""
        return self.constants[colour]

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The colours by their names."""
        return {name: colour for colour, name in enumerate(self.constants)}


@dataclass(frozen=True, slots=True)
class Range:
    """Integers from the first to the last; ranges with the same ends are the same sort."""

    name: str = field(compare=False)
    first: int
    last: int

    @property
    def size(self) -> int:
        """The number of colours."""
        return self.last - self.first + 1

    def text(self, colour: int) -> str:
        """Return the colour as users write it."""
        return str(self.first + colour)


@dataclass(frozen=True)
class Partition:
    """Parts of another sort, in an order.

    Attributes:
        name: what its users call it.
        whole: the sort that is taken apart.
        elements: names of the parts, all different.
        part: by colour of the whole the number of its part.
    """

    name: str
    whole: Sort
    elements: tuple[str, ...]
    part: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of colours."""
        return len(self.elements)

    def text(self, colour: int) -> str:
        """Return the colour as users write it."""
        return self.elements[colour]

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The colours by their names."""
        return {name: colour for colour, name in enumerate(self.elements)}


@dataclass(frozen=True)
class Product:
    """Tuples; products of the same factors are the same sort.

    A colour is Σ cᵢ·strideᵢ, where the last component changes fastest.
    """

    name: str = field(compare=False)
    factors: tuple[Sort, ...]

    @cached_property
    def size(self) -> int:
        """The number of colours."""
        return prod(factor.size for factor in self.factors)

    @cached_property
    def width(self) -> int:
        """The number of components where those that are tuples are taken apart."""
        return sum(map(width, self.factors))

    @cached_property
    def strides(self) -> tuple[int, ...]:
        """The weight of each component in the number of a tuple."""
        sizes = [factor.size for factor in self.factors]
        return tuple(prod(sizes[number + 1 :]) for number in range(len(sizes)))

    def colour(self, components: Sequence[int]) -> int:
        """Return the colour of a tuple."""
        return sum(c * stride for c, stride in zip(components, self.strides, strict=True))

    def components(self, colour: int) -> tuple[int, ...]:
        """Return the tuple of a colour."""
        pairs = zip(self.factors, self.strides, strict=True)
        return tuple(colour // stride % factor.size for factor, stride in pairs)

    def text(self, colour: int) -> str:
        """Return the colour as users write it."""
        pairs = zip(self.factors, self.components(colour), strict=True)
        return f"({', '.join(factor.text(component) for factor, component in pairs)})"


def width(sort: Sort) -> int:
    """Return how many components a colour has; 1 where it is no tuple."""
    return sort.width if isinstance(sort, Product) else 1


def value(sort: Sort, colour: int, dot: Any = None) -> Any:
    """Return the colour as a Python value: string, integer of a range, tuple, or `dot`."""
    match sort:
        case Dot():
            return dot
        case Range(first=first):
            return first + colour
        case Product(factors=factors):
            parts = zip(factors, sort.components(colour), strict=True)
            return tuple(value(factor, component, dot) for factor, component in parts)
    return sort.text(colour)


def is_ordered(sort: Sort) -> bool:
    """Return whether < and > compare the colours: of enumerations, ranges and partitions."""
    return isinstance(sort, Enumeration | Range | Partition)


def has_successor(sort: Sort) -> bool:
    """Return whether each colour has a next one."""
    return isinstance(sort, Enumeration) and sort.cyclic
