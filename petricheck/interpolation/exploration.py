"""Algorithms 1 to 4: the maximal feasible elements of an abstraction lattice.

Leroux, Rümmer, Subotić 2016, sections 7.2 and 7.3. `explore` is Algorithm 1, `maximise` 2,
`explore_cheapest` 3 and `bounded_maximise` 4, with the paper's names.

How the next incomparable element is found (line 2 of Algorithm 1, line 4 of 3) depends on the
lattice. In a powerset, or a product of powersets, feasible sets of templates are closed under
supersets. Every infeasible set found is grown to a maximal one; its complement is a *correction
set*, which every feasible set must hit. A candidate hits all known correction sets and includes no
element of the frontier; in Algorithm 3 it is the cheapest such set, so that the first one that is
feasible has minimal cost, and the search ends as soon as even the cheapest costs more than minCost.
Costly elements need no bookkeeping then: what lies below them costs more still. In other lattices
feasible elements are traversed upwards from the bottom: correct, and slow.

Where the lattice names canonical elements, one element per class of equivalent abstractions is
returned, and none whose abstraction is finer than that of another one returned.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol

from petricheck.budget import Budget
from petricheck.interpolation.hitting import HittingSetSearch, bits
from petricheck.interpolation.lattice import AbstractionLattice, BooleanView, Element

Feasibility = Callable[[Element], bool]
Explanation = Callable[[Element], tuple[bool, Element]]


class FeasibilityCache(Generic[Element]):
    """Answers about feasibility, asked at most once and carried over to comparable elements.

    What lies below a feasible element is feasible, what lies above an infeasible one is not.

    Args:
        lattice: the elements' lattice.
        explain: whether an element is feasible, and an element that is too: above it where it is
            feasible, below it where it is not (the element itself will do).
    """

    def __init__(self, lattice: AbstractionLattice[Element], explain: Explanation[Element]) -> None:
        self.lattice = lattice
        self.asked = 0
        self._explain = explain
        self._known: dict[Element, bool] = {}
        self._feasible: list[Element] = []
        self._infeasible: list[Element] = []

    def feasible(self, element: Element) -> bool:
        """Whether the element is feasible."""
        key = self.lattice.canonical(element)
        if key not in self._known:
            self._known[key] = self._decide(element, key)
        return self._known[key]

    def infeasible_below(self, element: Element) -> Element:
        """The least known element that is infeasible and below an infeasible one."""
        key = self.lattice.canonical(element)
        return next((known for known in self._infeasible if self.lattice.below(known, key)), key)

    def _decide(self, element: Element, key: Element) -> bool:
        below = self.lattice.below
        if any(below(known, key) for known in self._infeasible):
            return False
        if any(below(key, known) for known in self._feasible):
            return True
        self.asked += 1
        verdict, witness = self._explain(element)
        extreme = self.lattice.canonical(witness)
        if verdict:
            self._feasible = [e for e in self._feasible if not below(e, extreme)]
            self._feasible.append(extreme)
        else:
            self._infeasible = [e for e in self._infeasible if not below(extreme, e)]
            self._infeasible.append(extreme)
        return verdict


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
    cache = _cached(lattice, feasible)
    view = lattice.boolean
    candidates: _Candidates[Element] = _Traversal(cache, budget)
    if view is not None:
        candidates = _HittingSets(cache, budget, view, (0,) * len(view.weights))
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
    cache = _cached(lattice, feasible)
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
    cache = _cached(lattice, feasible)
    view = lattice.boolean
    candidates: _Candidates[Element] = _Traversal(cache, budget)
    if view is not None:
        candidates = _HittingSets(cache, budget, view, view.weights)
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
    cache = _cached(lattice, feasible)
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


class _Candidates(Protocol[Element]):
    """How to find the next element to maximise."""

    def next(
        self, frontier: Sequence[Element], costly: Sequence[Element], least: float
    ) -> Element | None:
        """A feasible element that is incomparable with all of these, or None."""


@dataclass(slots=True)
class _Traversal(Generic[Element]):
    """Upwards from the bottom, through feasible elements only."""

    cache: FeasibilityCache[Element]
    budget: Budget

    def next(
        self, frontier: Sequence[Element], costly: Sequence[Element], least: float
    ) -> Element | None:
        lattice = self.cache.lattice
        known = [*frontier, *costly]
        pending = [lattice.bottom]
        seen = {lattice.bottom}
        while pending:
            self.budget.check()
            element = pending.pop()
            if not self.cache.feasible(element):
                continue
            if not any(lattice.below(element, k) or lattice.below(k, element) for k in known):
                return element
            above = [e for e in lattice.successors(element) if e not in seen]
            seen.update(above)
            pending.extend(above)
        return None


class _HittingSets(Generic[Element]):
    """Cheapest sets of atoms that hit all known correction sets and are not yet explored.

    The search behind it also avoids sets that map to finer abstractions than a frontier element.
    """

    def __init__(
        self,
        cache: FeasibilityCache[Element],
        budget: Budget,
        view: BooleanView[Element],
        weights: tuple[int, ...],
    ) -> None:
        self.cache = cache
        self.budget = budget
        self.view = view
        self.search = HittingSetSearch(weights)
        self.proposals = self.search.proposals()

    def next(
        self, frontier: Sequence[Element], costly: Sequence[Element], least: float
    ) -> Element | None:
        explored = (self.view.encode(element) for element in (*frontier, *costly))
        self.search.avoid.extend(mask for mask in explored if mask not in self.search.avoid)
        self._learn_from_greedy_sets()
        for mask, cost in self.proposals:
            self.budget.check()
            if cost > least:
                return None
            if self._is_finer(mask, frontier):
                self.search.avoid.append(self._least_finer(mask, frontier))
            elif self._feasible(mask):
                return self.view.decode(mask)
            else:
                self._learn(mask)
        return None

    def _learn_from_greedy_sets(self) -> None:
        """Collect correction sets as long as quickly built hitting sets yield some."""
        while 0 not in self.search.hit:
            self.budget.check()
            mask = self.search.greedy()
            if self._feasible(mask):
                return
            self._learn(mask)

    def _learn(self, mask: int) -> None:
        """Add correction sets, disjoint from each other and the infeasible `mask`."""
        weights = self.search.weights
        everything = (1 << len(weights)) - 1
        while not self._feasible(mask):
            start = self._infeasible_superset(mask)
            outside = sorted(bits(everything & ~start), key=lambda atom: (weights[atom], atom))
            correction = everything & ~self._grow(start, outside)
            self.search.hit.append(correction)
            if not correction:
                return
            mask |= correction

    def _grow(self, mask: int, atoms: list[int]) -> int:
        """The infeasible `mask` with as many of the atoms as keep it infeasible."""
        missing = [atom for atom in atoms if not mask >> atom & 1]
        if not missing:
            return mask
        whole = mask | sum(1 << atom for atom in missing)
        if not self._feasible(whole):
            return self._infeasible_superset(whole)
        if len(missing) == 1:
            return mask
        half = len(missing) // 2
        return self._grow(self._grow(mask, missing[:half]), missing[half:])

    def _feasible(self, mask: int) -> bool:
        return self.cache.feasible(self.view.decode(mask))

    def _infeasible_superset(self, mask: int) -> int:
        return self.view.encode(self.cache.infeasible_below(self.view.decode(mask)))

    def _is_finer(self, mask: int, frontier: Iterable[Element]) -> bool:
        lattice = self.cache.lattice
        least = lattice.canonical(self.view.decode(mask))
        return any(lattice.below(least, element) for element in frontier)

    def _least_finer(self, mask: int, frontier: Sequence[Element]) -> int:
        for atom in list(bits(mask)):
            if self._is_finer(mask & ~(1 << atom), frontier):
                mask &= ~(1 << atom)
        return mask


def _cached(
    lattice: AbstractionLattice[Element],
    feasible: Feasibility[Element] | FeasibilityCache[Element],
) -> FeasibilityCache[Element]:
    if isinstance(feasible, FeasibilityCache):
        return feasible
    return FeasibilityCache(lattice, lambda element: (feasible(element), element))


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
