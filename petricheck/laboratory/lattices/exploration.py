"""Algorithms 1 to 4: the maximal feasible elements of an abstraction lattice.

Leroux, Rümmer, Subotić 2016, sections 7.2 and 7.3. `explore` is Algorithm 1, `maximise` 2,
`explore_cheapest` 3 and `bounded_maximise` 4, with the paper's names; how line 2 of Algorithm 1 and
line 4 of 3 find the next element is said in `candidates`.

Where the lattice names canonical elements, one element per class of equivalent abstractions is
returned, and none whose abstraction is finer than that of another one returned.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Generic

from petricheck.budget import Budget
from petricheck.laboratory.lattices.candidates import cheapest_first, in_any_order
from petricheck.laboratory.lattices.feasibility_cache import Feasibility, FeasibilityCache, cached
from petricheck.laboratory.lattices.lattice import AbstractionLattice, Element


@dataclass(frozen=True, slots=True)
class Maximal(Generic[Element]):
    """A maximal feasible element, within the cost bound."""

    element: Element


@dataclass(frozen=True, slots=True)
class Costly(Generic[Element]):
    """An element beyond the cost bound, with infeasible successors only."""

    element: Element


def explore(
    lattice: AbstractionLattice[Element],
    feasible: Feasibility[Element] | FeasibilityCache[Element],
    *,
    budget: Budget | None = None,
    limit: int | None = None,
) -> list[Element]:
    """Algorithm 1: all maximal feasible elements, or as many as `limit`.

    Raises:
        BudgetExhausted: a limit of the budget was reached.
    """
    budget = budget or Budget()
    cache = cached(lattice, feasible)
    candidates = in_any_order(lattice, cache, budget)
    frontier: list[Element] = []
    while limit is None or len(frontier) < limit:
        element = candidates.next(frontier, (), math.inf)
        if element is None:
            break
        frontier.append(maximise(lattice, cache, element, budget=budget))
    return _coarsest(lattice, frontier)


def maximise(
    lattice: AbstractionLattice[Element],
    feasible: Feasibility[Element] | FeasibilityCache[Element],
    element: Element,
    *,
    budget: Budget | None = None,
) -> Element:
    """Algorithm 2: a maximal feasible element above a feasible one.

    Raises:
        BudgetExhausted: a limit of the budget was reached.
    """
    budget = budget or Budget()
    cache = cached(lattice, feasible)
    while True:
        budget.check()
        raised = next(filter(cache.feasible, lattice.successors(element)), None)
        if raised is None:
            return element
        middle = lattice.middle(raised, lattice.top)
        element = middle if cache.feasible(middle) else raised


def explore_cheapest(
    lattice: AbstractionLattice[Element],
    feasible: Feasibility[Element] | FeasibilityCache[Element],
    *,
    budget: Budget | None = None,
    limit: int | None = None,
) -> list[Element]:
    """Algorithm 3: the maximal feasible elements of minimal cost, or as many as `limit`.

    Under a limit the elements have minimal cost if the lattice is Boolean; in another one they
    are the cheapest met before the search stopped.

    Raises:
        BudgetExhausted: a limit of the budget was reached.
    """
    budget = budget or Budget()
    cache = cached(lattice, feasible)
    candidates = cheapest_first(lattice, cache, budget)
    costly: list[Element] = []
    frontier: list[Element] = []
    least: float = math.inf
    while limit is None or len(frontier) < limit:
        element = candidates.next(frontier, costly, least)
        if element is None:
            break
        match bounded_maximise(lattice, cache, element, least, budget=budget):
            case Maximal(found) if lattice.cost(found) < least:
                costly.extend(frontier)
                frontier = [found]
                least = lattice.cost(found)
            case Maximal(found):
                frontier.append(found)
            case Costly(found):
                costly.append(found)
    return _coarsest(lattice, frontier)


def bounded_maximise(
    lattice: AbstractionLattice[Element],
    feasible: Feasibility[Element] | FeasibilityCache[Element],
    element: Element,
    least: float,
    *,
    budget: Budget | None = None,
) -> Maximal[Element] | Costly[Element]:
    """Algorithm 4: a maximal feasible element of cost at most `least` above a feasible one.

    Or an element above it that costs more and has no feasible successor: going up from there finds
    nothing of interest, though another way up from `element` may.

    Raises:
        BudgetExhausted: a limit of the budget was reached.
    """
    budget = budget or Budget()
    cache = cached(lattice, feasible)
    upper = lattice.top
    while True:
        budget.check()
        raised: Element | None = None
        for successor in lattice.successors(element):
            if not lattice.below(successor, upper):
                continue
            if cache.feasible(successor):
                raised = successor
                break
            bound = lattice.feasibility_bound(element, successor)
            if bound is None:
                continue
            upper = lattice.meet(upper, bound)
            if lattice.cost(upper) > least:
                return Costly(upper)
            if cache.feasible(upper):
                return Maximal(upper)
        if raised is None:
            return Costly(element) if lattice.cost(element) > least else Maximal(element)
        middle = lattice.middle(raised, upper)
        element = middle if cache.feasible(middle) else raised


def _coarsest(lattice: AbstractionLattice[Element], frontier: list[Element]) -> list[Element]:
    """Without the elements whose abstraction is finer than another's, or the same as an earlier."""
    kept: dict[Element, Element] = {}
    for element in sorted(frontier, key=lattice.cost):
        kept.setdefault(lattice.canonical(element), element)
    coarsest = [
        element
        for key, element in kept.items()
        if not any(key != other and lattice.below(key, other) for other in kept)
    ]
    return [element for element in frontier if element in coarsest]
