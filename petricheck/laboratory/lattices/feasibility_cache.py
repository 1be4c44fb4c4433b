"""Answers about the feasibility of elements, asked at most once and carried over to others.

What lies below a feasible element is feasible, what lies above an infeasible one is not. Leroux,
Rümmer, Subotić 2016, section 7.2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeAlias

from petricheck.laboratory.lattices.lattice import AbstractionLattice, Element

Feasibility: TypeAlias = Callable[[Element], bool]
Explanation: TypeAlias = Callable[[Element], tuple[bool, Element]]


class FeasibilityCache(Generic[Element]):
    """What is known about feasibility in a lattice, and how more is found out.

    Args:
        lattice: the elements' lattice.
        explain: whether an element is feasible, and an element that is too: above it where it is
            feasible, below it where it is not (the element itself will do).

    Attributes:
        asked: how many elements had to be asked about.
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


def cached(
    lattice: AbstractionLattice[Element],
    feasible: Feasibility[Element] | FeasibilityCache[Element],
) -> FeasibilityCache[Element]:
    """The cache itself, or a new one for whoever decides without explaining."""
    if isinstance(feasible, FeasibilityCache):
        return feasible
    return FeasibilityCache(lattice, lambda element: (feasible(element), element))
