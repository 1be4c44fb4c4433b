"""Abstraction lattices (Def. 9), and what is known about feasibility in them.

Leroux, Rümmer, Subotić 2016, sections 7.1 and 7.3. The order is the paper's: a ⊑ b where b maps to
the coarser abstraction. The mapping μ stays outside: the algorithms in `exploration` are given a
feasibility question about elements, which may be decided by any means. Feasible elements are closed
downwards, which `FeasibilityCache` relies on.

A powerset of templates is ordered by ⊇: fewer templates forget more. Templates cost, and a set
costs their sum, so that costs fall upwards.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Generic, TypeVar

from petricheck.laboratory.lattices.hitting import bits

Element = TypeVar("Element", bound=Hashable)


@dataclass(frozen=True, slots=True)
class BooleanView(Generic[Element]):
    """A lattice seen as all subsets of finitely many atoms, ordered by ⊇.

    Attributes:
        weights: the cost of each atom; the cost of an element is the sum over its atoms.
        encode: the bit set of an element's atoms.
        decode: the inverse of `encode`.
    """

    weights: tuple[int, ...]
    encode: Callable[[Element], int]
    decode: Callable[[int], Element]


class AbstractionLattice(ABC, Generic[Element]):
    """A finite lattice whose bottom is the identity abstraction."""

    @property
    @abstractmethod
    def bottom(self) -> Element:
        """The identity abstraction, feasible for every solvable problem."""

    @property
    @abstractmethod
    def top(self) -> Element:
        """The coarsest abstraction."""

    @abstractmethod
    def below(self, lower: Element, upper: Element) -> bool:
        """Whether lower ⊑ upper."""

    @abstractmethod
    def meet(self, left: Element, right: Element) -> Element:
        """The greatest element below both."""

    @abstractmethod
    def successors(self, element: Element) -> Iterator[Element]:
        """The immediate successors, in a fixed order, the preferred ones first."""

    @abstractmethod
    def middle(self, lower: Element, upper: Element) -> Element:
        """Some element between the two, about half way up."""

    @abstractmethod
    def cost(self, element: Element) -> int:
        """A natural number that does not grow upwards."""

    def feasibility_bound(self, element: Element, successor: Element) -> Element | None:
        """A bound on all feasible elements above `element`, whose `successor` is infeasible.

        None where the lattice has none to offer. In a distributive lattice it is an immediate
        predecessor b of the top with element = successor ⊓ b.
        """
        return None

    def canonical(self, element: Element) -> Element:
        """The representative of the elements that map to an equivalent abstraction.

        It is the least of them, and monotonic in the element.
        """
        return element

    @property
    def boolean(self) -> BooleanView[Element] | None:
        """The lattice as a powerset, where it is one."""
        return None


def _itself(chosen: frozenset[int]) -> frozenset[int]:
    return chosen


@dataclass(frozen=True)
class PowersetLattice(AbstractionLattice[frozenset[int]]):
    """All sets of templates; an element is the set of their indices.

    Attributes:
        templates: of any type; only their number matters here.
        costs: a natural number for each template.
        closure: all templates that add nothing to the given ones (a closure operator).
    """

    templates: tuple[Any, ...]
    costs: tuple[int, ...]
    closure: Callable[[frozenset[int]], frozenset[int]] = _itself

    def __post_init__(self) -> None:
        if len(self.templates) != len(self.costs) or any(cost < 0 for cost in self.costs):
            raise ValueError("every template needs a cost that is not negative")

    @property
    def bottom(self) -> frozenset[int]:
        """All templates."""
        return frozenset(range(len(self.templates)))

    @property
    def top(self) -> frozenset[int]:
        """No template."""
        return frozenset()

    def below(self, lower: frozenset[int], upper: frozenset[int]) -> bool:
        """Whether lower ⊇ upper."""
        return lower >= upper

    def meet(self, left: frozenset[int], right: frozenset[int]) -> frozenset[int]:
        """The union."""
        return left | right

    def successors(self, element: frozenset[int]) -> Iterator[frozenset[int]]:
        """One template fewer; those without an expensive one come first."""
        for index in reversed(self._by_cost(element)):
            yield element - {index}

    def middle(self, lower: frozenset[int], upper: frozenset[int]) -> frozenset[int]:
        """Of the templates that `upper` lacks, the cheaper half."""
        difference = self._by_cost(lower - upper)
        return upper.union(difference[: len(difference) // 2])

    def cost(self, element: frozenset[int]) -> int:
        """The sum of the templates' costs."""
        return sum(self.costs[index] for index in element)

    def feasibility_bound(
        self, element: frozenset[int], successor: frozenset[int]
    ) -> frozenset[int]:
        """The one template that the successor lacks: it is indispensable."""
        return element - successor

    def canonical(self, element: frozenset[int]) -> frozenset[int]:
        """The closure."""
        return self.closure(element)

    @property
    def boolean(self) -> BooleanView[frozenset[int]]:
        """Templates are the atoms."""
        return BooleanView(self.costs, _encode, _decode)

    def _by_cost(self, indices: frozenset[int]) -> list[int]:
        return sorted(indices, key=lambda index: (self.costs[index], index))


@dataclass(frozen=True)
class ProductLattice(AbstractionLattice[tuple[Any, ...]]):
    """Tuples of elements of the factors, compared component by component; costs add up."""

    factors: tuple[AbstractionLattice[Any], ...]

    @property
    def bottom(self) -> tuple[Any, ...]:
        """The factors' bottoms."""
        return tuple(factor.bottom for factor in self.factors)

    @property
    def top(self) -> tuple[Any, ...]:
        """The factors' tops."""
        return tuple(factor.top for factor in self.factors)

    def below(self, lower: tuple[Any, ...], upper: tuple[Any, ...]) -> bool:
        """Below in every component."""
        triples = zip(self.factors, lower, upper, strict=True)
        return all(factor.below(low, high) for factor, low, high in triples)

    def meet(self, left: tuple[Any, ...], right: tuple[Any, ...]) -> tuple[Any, ...]:
        """The meets of the components."""
        triples = zip(self.factors, left, right, strict=True)
        return tuple(factor.meet(one, other) for factor, one, other in triples)

    def successors(self, element: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        """One component replaced by a successor."""
        for place, factor in enumerate(self.factors):
            for successor in factor.successors(element[place]):
                yield _replaced(element, place, successor)

    def middle(self, lower: tuple[Any, ...], upper: tuple[Any, ...]) -> tuple[Any, ...]:
        """The middles of the components."""
        triples = zip(self.factors, lower, upper, strict=True)
        return tuple(factor.middle(low, high) for factor, low, high in triples)

    def cost(self, element: tuple[Any, ...]) -> int:
        """The sum of the components' costs."""
        return sum(f.cost(part) for f, part in zip(self.factors, element, strict=True))

    def feasibility_bound(
        self, element: tuple[Any, ...], successor: tuple[Any, ...]
    ) -> tuple[Any, ...] | None:
        """The bound of the one component that differs, and the top in the others."""
        places = range(len(self.factors))
        place = next(i for i in places if element[i] != successor[i])
        bound = self.factors[place].feasibility_bound(element[place], successor[place])
        return None if bound is None else _replaced(self.top, place, bound)

    def canonical(self, element: tuple[Any, ...]) -> tuple[Any, ...]:
        """The components' representatives."""
        return tuple(f.canonical(part) for f, part in zip(self.factors, element, strict=True))

    @property
    def boolean(self) -> BooleanView[tuple[Any, ...]] | None:
        """The atoms of all factors, where all are powersets."""
        views = [factor.boolean for factor in self.factors]
        known = [view for view in views if view is not None]
        return None if len(known) < len(views) else _side_by_side(known)


def _side_by_side(views: list[BooleanView[Any]]) -> BooleanView[tuple[Any, ...]]:
    widths = [len(view.weights) for view in views]
    shifts = list(accumulate(widths, initial=0))[:-1]

    def encode(element: tuple[Any, ...]) -> int:
        triples = zip(views, element, shifts, strict=True)
        return sum(view.encode(part) << shift for view, part, shift in triples)

    def decode(mask: int) -> tuple[Any, ...]:
        triples = zip(views, widths, shifts, strict=True)
        return tuple(view.decode(mask >> s & (1 << width) - 1) for view, width, s in triples)

    return BooleanView(tuple(w for view in views for w in view.weights), encode, decode)


def _encode(element: frozenset[int]) -> int:
    return sum(1 << index for index in element)


def _decode(mask: int) -> frozenset[int]:
    return frozenset(bits(mask))


def _replaced(element: tuple[Any, ...], place: int, part: object) -> tuple[Any, ...]:
    return (*element[:place], part, *element[place + 1 :])
