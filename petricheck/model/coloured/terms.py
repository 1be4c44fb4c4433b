"""Terms, multisets of them, and guards; a value is that of one binding, or a column of many.

Terms of the wrong sort are not made: those who read them say where they stand.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import product
from math import prod
from typing import Any, TypeAlias, Union

import numpy as np

from petricheck.arithmetic.formulas.text import BARE_NAME, quoted_name
from petricheck.model.coloured.sorts import Enumeration, Partition, Product, Quotient, Sort

Values: TypeAlias = Mapping[str, Any]
"""By name of a variable a colour, or an array of colours, of the same length for all."""

Term: TypeAlias = Union["Variable", "Constant", "Tuple", "Shifted", "ElementOf"]

_BARE = re.compile(BARE_NAME)


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of a transition."""

    name: str
    sort: Sort

    @property
    def text(self) -> str:
        """The name as users write it: in quotes where it could be read otherwise."""
        return self.name if _BARE.fullmatch(self.name) else quoted_name(self.name)

    def value(self, values: Values) -> Any:
        """Return its colour."""
        return values[self.name]


@dataclass(frozen=True, slots=True)
class Constant:
    """A colour of a sort."""

    sort: Sort
    colour: int

    def value(self, values: Values) -> int:
        """Return its colour."""
        return self.colour


@dataclass(frozen=True, slots=True)
class Tuple:
    """A colour of a product."""

    parts: tuple[Term, ...]

    @property
    def sort(self) -> Product:
        """The product of the parts' sorts."""
        return Product("", tuple(part.sort for part in self.parts))

    def value(self, values: Values) -> Any:
        """Return its colour."""
        return self.sort.colour([part.value(values) for part in self.parts])


@dataclass(frozen=True, slots=True)
class Shifted:
    """The colour so many steps after another one in a cyclic enumeration; before, if negative."""

    term: Term
    steps: int

    @property
    def sort(self) -> Sort:
        """The sort of the term that is shifted."""
        return self.term.sort

    def value(self, values: Values) -> Any:
        """Return its colour."""
        assert isinstance(self.sort, Enumeration)
        return (self.term.value(values) + self.steps) % self.sort.size


@dataclass(frozen=True, slots=True)
class ElementOf:
    """The part of a partition, or the class, in which a colour is."""

    sort: Partition | Quotient
    term: Term

    def value(self, values: Values) -> Any:
        """Return its colour."""
        return np.asarray(self.sort.part)[self.term.value(values)]


@dataclass(frozen=True, slots=True)
class Summand:
    """A number of tokens of a colour, or of all colours that a term takes as some variables range.

    Attributes:
        count: how many tokens; negative where they are subtracted.
        term: their colour.
        ranging: variables of its own, over all of whose colours is summed.
    """

    count: int
    term: Term
    ranging: tuple[Variable, ...] = ()


Multiset: TypeAlias = tuple[Summand, ...]
"""A sum; empty for no tokens."""


def tokens(multiset: Multiset, binding: Mapping[str, int]) -> dict[int, int]:
    """Return tokens by colour, without zeros; negative where more is subtracted than there is."""
    counts: dict[int, int] = {}
    for summand in multiset:
        ranges = (
            ({**binding, **more} for more in _ranges(summand)) if summand.ranging else [binding]
        )
        for colours in ranges:
            colour = int(summand.term.value(colours))
            counts[colour] = counts.get(colour, 0) + summand.count
    return {colour: count for colour, count in counts.items() if count}


def size(multiset: Multiset) -> int:
    """Return the number of tokens, which depends on no variable."""
    return sum(s.count * prod(variable.sort.size for variable in s.ranging) for s in multiset)


def listed(multiset: Multiset) -> int:
    """Return the number of colours to enumerate for the tokens."""
    return sum(prod(variable.sort.size for variable in s.ranging) for s in multiset)


def _ranges(summand: Summand) -> Iterator[dict[str, int]]:
    names = [variable.name for variable in summand.ranging]
    for colours in product(*(range(variable.sort.size) for variable in summand.ranging)):
        yield dict(zip(names, colours, strict=True))


Guard: TypeAlias = Union["Comparison", "All", "Some", "Not"]

COMPARED: Mapping[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""How colours are compared; sorts without an order have only the first two."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of two colours of one sort."""

    relation: str
    left: Term
    right: Term

    def holds(self, values: Values) -> Any:
        """Return whether it does."""
        return COMPARED[self.relation](self.left.value(values), self.right.value(values))


@dataclass(frozen=True, slots=True)
class All:
    """The guard that all of these hold."""

    parts: tuple[Guard, ...]

    def holds(self, values: Values) -> Any:
        """Return whether they do."""
        return reduce(np.logical_and, (part.holds(values) for part in self.parts), True)


@dataclass(frozen=True, slots=True)
class Some:
    """The guard that some of these hold."""

    parts: tuple[Guard, ...]

    def holds(self, values: Values) -> Any:
        """Return whether one does."""
        return reduce(np.logical_or, (part.holds(values) for part in self.parts), False)


@dataclass(frozen=True, slots=True)
class Not:
    """The guard that this does not hold."""

    part: Guard

    def holds(self, values: Values) -> Any:
        """Return whether it does not."""
        return np.logical_not(self.part.holds(values))


TRUE = All(())
"""The guard of what has none."""


def conjuncts(guard: Guard) -> Iterator[Guard]:
    """Yield the conditions that all have to hold."""
    if isinstance(guard, All):
        for part in guard.parts:
            yield from conjuncts(part)
    else:
        yield guard


def comparisons(guard: Guard) -> Iterator[Comparison]:
    """Yield those of which the guard is made."""
    match guard:
        case Comparison():
            yield guard
        case All(parts=parts) | Some(parts=parts):
            for part in parts:
                yield from comparisons(part)
        case Not(part=part):
            yield from comparisons(part)


def variables(part: Term | Guard) -> dict[str, Variable]:
    """Return the variables that occur, by name, in the order in which they do."""
    match part:
        case Variable():
            return {part.name: part}
        case Tuple(parts=parts) | All(parts=parts) | Some(parts=parts):
            return {n: v for inner in parts for n, v in variables(inner).items()}
        case Shifted(term=inner) | ElementOf(term=inner) | Not(part=inner):
            return variables(inner)
        case Comparison(left=left, right=right):
            return variables(left) | variables(right)
        case Constant():
            return {}
