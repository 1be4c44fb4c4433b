"""The search of Leroux et al. 2016: the cheapest feasible sets of templates.

The templates and their costs are those of section 9.3 (`_templates`). Several heuristics span the
product lattice, whose abstractions are the conjunctions (∧_R) and whose costs are the sums.
Algorithms 3 and 4 find a cheapest feasible element; an element is feasible where a chain of
half-spaces in the cone of its templates excludes the goal (Def. 10).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from petricheck.budget import Budget
from petricheck.guides import Choice, Part, proved
from petricheck.heuristics import Displacement
from petricheck.interpolation.chain import template_chain
from petricheck.interpolation.path import PathQuestion, relevant_places
from petricheck.laboratory.guides._templates import Priced, template_lattices
from petricheck.laboratory.lattices.exploration import explore_cheapest
from petricheck.laboratory.lattices.feasibility_cache import FeasibilityCache
from petricheck.laboratory.lattices.lattice import PowersetLattice, ProductLattice
from petricheck.presburger.linear_programs import INFINITY
from petricheck.problem import Weights

_Element: TypeAlias = tuple[frozenset[int], ...]
"""For each factor of the product, the templates that interpolants may speak in."""


@dataclass(frozen=True)
class Lattice(Priced):
    """Search the lattice of template sets for a cheapest feasible one, as in the 2016 paper."""

    @property
    def part(self) -> Part:
        """The whole path where templates that nothing changes suffice."""
        return Part.STEADY

    def interpolate(
        self, question: PathQuestion, displacements: Sequence[Displacement], budget: Budget
    ) -> Choice | None:
        """A sequence in the templates of a cheapest feasible element."""
        places = relevant_places(question, (d.vector for d in displacements))
        factors = template_lattices(displacements, places, self.cheap, self.costly)
        search = _Search(question, factors, budget)
        if not search.cache.feasible(search.lattice.bottom):
            return None
        best = explore_cheapest(search.lattice, search.cache, budget=budget, limit=1)
        return search.choice(best[0]) if best else None


class _Search:
    """The product lattice, and one linear program that answers for all of its elements."""

    def __init__(
        self, question: PathQuestion, factors: tuple[PowersetLattice, ...], budget: Budget
    ) -> None:
        self.lattice = ProductLattice(factors)
        self._budget = budget
        self._templates: tuple[Weights, ...] = tuple(t for f in factors for t in f.templates)
        costs = [cost for factor in factors for cost in factor.costs]
        self._chain, self._columns = template_chain(question, self._templates, costs)
        self._shown = [True] * len(self._templates)
        self.cache: FeasibilityCache[_Element] = FeasibilityCache(self.lattice, self._explain)

    def choice(self, element: _Element) -> Choice | None:
        """The sequence in the element's templates, confirmed."""
        self._restrict(element)
        sequence = self._chain.solve(self._budget.remaining)
        if sequence is None:
            return None
        templates = tuple(self._templates[index] for index in self._flat(element))
        return proved(sequence, templates, self.lattice.cost(element))

    def _explain(self, element: _Element) -> tuple[bool, _Element]:
        """Whether the element is feasible, and the templates that its solution needs."""
        self._restrict(element)
        values = self._chain.program.solve(self._budget.remaining)
        self._budget.check()
        if values is None:
            return False, element
        largest = max(max((values[c] for c in own), default=0.0) for own in self._columns)
        used = [any(values[c] > largest * 1e-6 for c in own) for own in self._columns]
        return True, self._split(used, element)

    def _restrict(self, element: _Element) -> None:
        """Allow the element's templates only."""
        chosen = set(self._flat(element))
        for index, own in enumerate(self._columns):
            if self._shown[index] != (index in chosen):
                self._shown[index] = index in chosen
                for column in own:
                    self._chain.program.bound(column, 0.0, INFINITY if index in chosen else 0.0)

    def _flat(self, element: _Element) -> list[int]:
        """Positions of the element's templates among all."""
        positions, start = [], 0
        for factor, part in zip(self.lattice.factors, element, strict=True):
            positions += [start + index for index in sorted(part)]
            start += len(factor.bottom)
        return positions

    def _split(self, used: Sequence[bool], element: _Element) -> _Element:
        """The element without the templates that are not used."""
        parts, start = [], 0
        for factor, part in zip(self.lattice.factors, element, strict=True):
            parts.append(frozenset(index for index in part if used[start + index]))
            start += len(factor.bottom)
        return tuple(parts)
