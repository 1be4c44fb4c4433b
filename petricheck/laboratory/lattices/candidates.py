"""The next incomparable element: line 2 of Algorithm 1 and line 4 of Algorithm 3.

Leroux, Rümmer, Subotić 2016, sections 7.2 and 7.3. How it is found depends on the lattice.

In a powerset, or a product of powersets, feasible sets of templates are closed under supersets.
Every infeasible set found is grown to a maximal one; its complement is a *correction set*, which
every feasible set must hit. A candidate hits all known correction sets and includes no element of
the frontier; in Algorithm 3 it is the cheapest such set, so that the first one that is feasible has
minimal cost, and the search ends as soon as even the cheapest costs more than minCost. Costly
elements need no bookkeeping then: what lies below them costs more still.

In other lattices feasible elements are traversed upwards from the bottom: correct, and slow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol

from petricheck.budget import Budget
from petricheck.laboratory.lattices.feasibility_cache import FeasibilityCache
from petricheck.laboratory.lattices.hitting import HittingSetSearch, bits
from petricheck.laboratory.lattices.lattice import AbstractionLattice, BooleanView, Element


class Candidates(Protocol[Element]):
    """How to find the next element to maximise."""

    def next(
        self, frontier: Sequence[Element], costly: Sequence[Element], least: float
    ) -> Element | None:
        """A feasible element that is incomparable with all of these, or None."""


def in_any_order(
    lattice: AbstractionLattice[Element], cache: FeasibilityCache[Element], budget: Budget
) -> Candidates[Element]:
    """Candidates whatever they cost, for Algorithm 1."""
    view = lattice.boolean
    if view is None:
        return _Traversal(cache, budget)
    return _HittingSets(cache, budget, view, (0,) * len(view.weights))


def cheapest_first(
    lattice: AbstractionLattice[Element], cache: FeasibilityCache[Element], budget: Budget
) -> Candidates[Element]:
    """Candidates for Algorithm 3, which come by their cost where the lattice is Boolean."""
    view = lattice.boolean
    if view is None:
        return _Traversal(cache, budget)
    return _HittingSets(cache, budget, view, view.weights)


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
