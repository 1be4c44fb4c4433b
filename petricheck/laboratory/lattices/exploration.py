"""The search of Leroux, Rümmer, Subotić 2016, section 7, in any finite lattice.

`explore` is Algorithm 3, and Algorithm 1 where all elements cost the same. It maximises by
Algorithm 4, which is Algorithm 2 as long as no bound and no cost ends it early. Feasible elements
form a downward closed set, and costs fall upwards.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from petricheck.laboratory.lattices.hitting import HittingSetSearch, bits
from petricheck.support.budget import Budget

Element = TypeVar("Element")


class AbstractionLattice(Protocol[Element]):
    """A finite lattice whose elements stand for abstractions (Def. 9), as a search uses it."""

    @property
    def top(self) -> Element:
        """The coarsest abstraction."""

    def cost(self, element: Element) -> int:
        """Return a natural number, which does not rise upwards (section 7.3)."""

    def below(self, element: Element, other: Element) -> bool:
        """Return whether the element is below the other, or is the other."""

    def meet(self, element: Element, other: Element) -> Element:
        """Return the greatest element below both."""

    def successors(self, element: Element) -> Iterable[Element]:
        """Return the elements directly above, in the order in which they are tried."""

    def middle(self, low: Element, high: Element) -> Element:
        """Return an element between the two, `low` being below `high`."""

    def bound(self, element: Element, successor: Element) -> Element | None:
        """Return b such that all feasible elements above this feasible one are below b, or None.

        The successor is infeasible. In a distributive lattice b is an element directly below the
        top whose meet with the successor is the element.
        """

    def incomparable(self, explored: list[Element]) -> Iterator[Element]:
        """Yield elements that are comparable to no explored one, one of them feasible if any is.

        After each, the caller appends an element above it to `explored`, or it is infeasible.
        """


def explore(
    lattice: AbstractionLattice[Element], feasible: Callable[[Element], bool], budget: Budget
) -> tuple[Element, ...]:
    """Return the maximal feasible elements of least cost (Algorithm 3).

    Raises:
        BudgetExhausted: a limit of the budget was reached.
    """
    explored: list[Element] = []
    least = math.inf
    for element in lattice.incomparable(explored):
        budget.check()
        if feasible(element):
            explored.append(maximise(lattice, element, least, feasible, budget))
            least = min(least, lattice.cost(explored[-1]))
    return tuple(element for element in explored if lattice.cost(element) == least)


def maximise(
    lattice: AbstractionLattice[Element],
    element: Element,
    least: float,
    feasible: Callable[[Element], bool],
    budget: Budget,
) -> Element:
    """Return a maximal feasible element above this feasible one (Algorithm 4).

    If that would cost more than `least`, the result is an element that costs more as well, and
    above which there is no feasible one; it need not be feasible itself.
    """
    upper = lattice.top
    while True:
        larger: Element | None = None
        for successor in lattice.successors(element):
            budget.check()
            if not lattice.below(successor, upper):
                continue
            if feasible(successor):
                larger = successor
                break
            if (bound := lattice.bound(element, successor)) is not None:
                upper = lattice.meet(upper, bound)
                if lattice.cost(upper) > least or feasible(upper):
                    return upper
        if larger is None:
            return element
        middle = lattice.middle(larger, upper)
        element = middle if feasible(middle) else larger


@dataclass(frozen=True)
class Powerset:
    """The sets of some templates, ordered by ⊇, as integers: one bit a template.

    A product of powersets (section 7.1) is one, too. Costly templates are left out first.

    Attributes:
        costs: by template.
    """

    costs: tuple[int, ...]
    top = 0

    def cost(self, element: int) -> int:
        """Return the sum over the set's templates."""
        return sum(self.costs[template] for template in bits(element))

    def below(self, element: int, other: int) -> bool:
        """Return whether the set includes the other."""
        return not other & ~element

    def meet(self, element: int, other: int) -> int:
        """Return the union."""
        return element | other

    def successors(self, element: int) -> Iterator[int]:
        """Yield the sets without one of the templates."""
        return (element & ~(1 << template) for template in self._costly_first(element))

    def middle(self, low: int, high: int) -> int:
        """Return the smaller set with the cheaper half of what the larger one has besides."""
        surplus = self._costly_first(low & ~high)
        return low & ~sum(1 << template for template in surplus[: len(surplus) // 2])

    def bound(self, element: int, successor: int) -> int:
        """Return the set of the one template that the successor lacks."""
        return element & ~successor

    def incomparable(self, explored: list[int]) -> Iterator[int]:
        """Yield the largest sets that include no explored one: complements of hitting sets."""
        everything = (1 << len(self.costs)) - 1
        search = HittingSetSearch((1,) * len(self.costs), explored)
        for mask, _ in search.proposals():
            yield everything & ~mask
            if all(mask & element for element in explored):
                search.avoid.append(mask)  # a smaller set is not feasible either

    def _costly_first(self, element: int) -> list[int]:
        return sorted(bits(element), key=lambda template: -self.costs[template])
