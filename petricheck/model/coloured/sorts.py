"""Sorts: finite sets of colours, of which each is a number below the size (ISO/IEC 15909-1)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice
from math import prod
from typing import Any, ClassVar, TypeAlias, Union

from petricheck.arithmetic.formulas.text import BARE_COLOUR, quoted_name

MOST_COLOURS = 2**62
"""So many colours a sort may have, which are numbers of 64 bits in tables."""

MOST_COMPONENTS = 1_000
"""So many components a sort may have: products of products may name each other, so that a short
file declares more than can be written."""

Sort: TypeAlias = Union["Dot", "Enumeration", "Range", "Partition", "Quotient", "Product"]

ANY = "_"
"""Stands for all colours of a component."""

_BARE = re.compile(BARE_COLOUR)

_RUNS = 20
"""The most runs of consecutive colours that the text of a class lists."""


def spelled(name: str) -> str:
    """Return the name of a colour as users write it: in quotes where it could be read otherwise.

    So different names have different texts, also where they are parts of a longer one.
    """
    plain = _BARE.fullmatch(name) and name != ANY and ".." not in name
    return name if plain else quoted_name(name)


@dataclass(frozen=True, slots=True)
class Dot:
    """The sort of plain tokens, which all have one colour."""

    name: ClassVar[str] = "dot"
    size: ClassVar[int] = 1

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
        return spelled(self.constants[colour])

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
        return spelled(self.elements[colour])

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The colours by their names."""
        return {name: colour for colour, name in enumerate(self.elements)}


@dataclass(frozen=True)
class Quotient:
    """Classes of colours of another sort.

    Attributes:
        whole: the sort of the colours.
        part: by colour of the whole the number of its class, from 0 on; all numbers occur.
    """

    whole: Sort
    part: tuple[int, ...]

    @property
    def name(self) -> str:
        """The name of the whole."""
        return self.whole.name

    @cached_property
    def size(self) -> int:
        """The number of classes."""
        return max(self.part) + 1

    def text(self, colour: int) -> str:
        """Return the class as users write its colours: `a`, `{a, c..e}`, or `_` for all."""
        return self._texts[colour]

    @cached_property
    def _texts(self) -> tuple[str, ...]:
        if self.size == 1 and not has_any(self.whole):
            return (ANY,)
        members: list[list[int]] = [[] for _ in range(self.size)]
        for colour, number in enumerate(self.part):
            members[number].append(colour)
        return tuple(class_text(self.whole, colours) for colours in members)


def class_text(sort: Sort, colours: Sequence[int]) -> str:
    """Return the text of ascending colours; of a long one its beginning, which no other has."""
    if len(colours) == 1:
        return sort.text(colours[0])
    starts = [n for n, c in enumerate(colours) if not n or c > colours[n - 1] + 1]
    runs = zip(starts, [*starts[1:], len(colours)], strict=True)
    texts = [*chain.from_iterable(_run(sort, colours[a:b]) for a, b in islice(runs, _RUNS))]
    if len(starts) > _RUNS:
        texts.append(f"… {len(colours) - starts[_RUNS]} more")
    return f"{{{', '.join(texts)}}}"


def _run(sort: Sort, colours: Sequence[int]) -> Iterator[str]:
    if len(colours) > 2:
        yield f"{sort.text(colours[0])}..{sort.text(colours[-1])}"
    else:
        yield from map(sort.text, colours)


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
        case Enumeration(constants=names) | Partition(elements=names):
            return names[colour]
    return sort.text(colour)


def is_plain(sort: Sort) -> bool:
    """Return whether tokens are not told apart: those of `Dot`, or all colours are in one class."""
    return isinstance(sort, Dot) or all(
        isinstance(basic, Quotient) and basic.size == 1 for basic in basic_sorts(sort)
    )


def has_any(sort: Sort) -> bool:
    """Return whether a colour is called `_`, which otherwise stands for all of them."""
    return isinstance(sort, Enumeration | Partition) and ANY in sort.numbers


def basic_sorts(sort: Sort) -> list[Sort]:
    """Return the sort, or what products are made of, products of products taken apart."""
    return [*chain(*map(basic_sorts, sort.factors))] if isinstance(sort, Product) else [sort]


def basic_components(sort: Sort, colour: Any) -> list[Any]:
    """Return the components of a colour, or of an array of colours, by `basic_sorts`."""
    if not isinstance(sort, Product):
        return [colour]
    pairs = zip(sort.factors, sort.strides, strict=True)
    return [*chain(*(basic_components(f, colour // stride % f.size) for f, stride in pairs))]


def colour_of(sort: Sort, components: Iterator[int]) -> int:
    """Return the colour with these components, by `basic_sorts`."""
    if not isinstance(sort, Product):
        return next(components)
    return sort.colour([colour_of(factor, components) for factor in sort.factors])


def is_ordered(sort: Sort) -> bool:
    """Return whether < and > compare the colours: of enumerations, ranges and partitions."""
    return isinstance(sort, Enumeration | Range | Partition)


def has_successor(sort: Sort) -> bool:
    """Return whether each colour has a next one."""
    return isinstance(sort, Enumeration) and sort.cyclic
