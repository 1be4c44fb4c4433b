"""The cheapest feasible sets of templates.

Leroux, Rümmer, Subotić 2016, section 7. The abstraction lattice (Def. 9) is the powerset of some
templates ordered by ⊇: fewer templates are a coarser abstraction; at its bottom are all of them. A
product of powersets (section 7.1) is the powerset of the factors' templates, one after the other;
its abstractions are conjunctions ∧_R. A set costs the sum over its templates, so that costs fall
upwards (section 7.3). Sets are integers, one bit a template.

`cheapest` returns the elements of Algorithm 3 (of Algorithm 1 where all costs are 0). `exploration`
has the algorithms themselves, which know no cheapest element before they end. By default hitting
sets propose elements. Every infeasible set is grown to a maximal one. Its complement is a
*correction set*, which every feasible set must hit. A candidate hits all correction sets so far and
includes none of the elements returned. Candidates come by cost. So the first feasible one has least
cost, the paper's costly elements never occur, and only templates that cost nothing may have to be
left out for a maximal element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum

from petricheck.laboratory.lattices.exploration import Powerset, explore
from petricheck.laboratory.lattices.hitting import HittingSetSearch, bits
from petricheck.support.budget import Budget


class Search(StrEnum):
    """How cheapest elements are searched for."""

    HITTING_SETS = "hitting_sets"
    MAXIMISATION = "maximisation"


class Feasibility:
    """Feasibility of sets of templates, with answers reused for other sets (section 7.2).

    A superset of a feasible set is feasible, a subset of an infeasible one is not.

    Args:
        explain: returns whether a set is feasible, and a second set with the same answer: a subset
            where it is feasible, a superset where it is not (the set itself will do).

    Attributes:
        queries: how often `explain` was called.
    """

    def __init__(self, explain: Callable[[int], tuple[bool, int]]) -> None:
        self.queries = 0
        self._explain = explain
        self._feasible: list[int] = []
        self._infeasible: list[int] = []

    def __call__(self, selection: int) -> bool:
        """Return whether the set is feasible."""
        if any(not selection & ~other for other in self._infeasible):
            return False
        if any(not other & ~selection for other in self._feasible):
            return True
        self.queries += 1
        feasible, witness = self._explain(selection)
        if feasible:
            extremal = [other for other in self._feasible if witness & ~other]
            self._feasible = [*extremal, witness]
        else:
            extremal = [other for other in self._infeasible if other & ~witness]
            self._infeasible = [*extremal, witness]
        return feasible

    def infeasible_superset(self, selection: int) -> int:
        """Return a stored infeasible set that includes this infeasible one."""
        return next(
            (infeasible for infeasible in self._infeasible if not selection & ~infeasible),
            selection,
        )


def cheapest(
    costs: Sequence[int],
    feasible: Feasibility,
    budget: Budget,
    search: Search = Search.HITTING_SETS,
) -> Iterator[int]:
    """Yield each maximal feasible element of least cost, once.

    Args:
        costs: by template, a natural number.
        feasible: decides feasibility of sets of them.
        budget: limits the search.
        search: how they are searched for.

    Raises:
        BudgetExhausted: a limit of the budget was reached.
    """
    match search:
        case Search.HITTING_SETS:
            yield from _by_hitting_sets(costs, feasible, budget)
        case Search.MAXIMISATION:
            yield from explore(Powerset(tuple(costs)), feasible, budget)


def _by_hitting_sets(costs: Sequence[int], feasible: Feasibility, budget: Budget) -> Iterator[int]:
    if not feasible((1 << len(costs)) - 1):
        return
    search = HittingSetSearch(tuple(costs))
    _learn_from_greedy_sets(search, feasible, budget)
    least: int | None = None
    for selection, cost in search.proposals():
        budget.check()
        if least is not None and cost > least:
            return
        if feasible(selection):
            least = cost
            element = _without_free(selection, costs, feasible)
            search.avoid.append(element)
            yield element
        else:
            _learn(search, selection, feasible)


def _without_free(selection: int, costs: Sequence[int], feasible: Feasibility) -> int:
    """Return the feasible set without the templates that cost nothing and are not needed."""
    for template in bits(selection):
        if not costs[template] and feasible(selection & ~(1 << template)):
            selection &= ~(1 << template)
    return selection


def _learn_from_greedy_sets(
    search: HittingSetSearch, feasible: Feasibility, budget: Budget
) -> None:
    """Add correction sets as long as greedy hitting sets are infeasible."""
    while not feasible(selection := search.greedy()):
        budget.check()
        _learn(search, selection, feasible)


def _learn(search: HittingSetSearch, selection: int, feasible: Feasibility) -> None:
    """Add correction sets until the set together with them is feasible.

    They are disjoint from each other and from the infeasible set.
    """
    all_templates = (1 << len(search.weights)) - 1
    while not feasible(selection):
        start = feasible.infeasible_superset(selection)
        outside = sorted(bits(all_templates & ~start), key=lambda t: (search.weights[t], t))
        correction = all_templates & ~_grow(start, outside, feasible)
        search.hit.append(correction)
        selection |= correction


def _grow(selection: int, templates: list[int], feasible: Feasibility) -> int:
    """Return the infeasible set with templates added as long as it stays infeasible."""
    missing = [template for template in templates if not selection >> template & 1]
    if not missing:
        return selection
    larger = selection | sum(1 << template for template in missing)
    if not feasible(larger):
        return feasible.infeasible_superset(larger)
    if len(missing) == 1:
        return selection
    half = len(missing) // 2
    return _grow(_grow(selection, missing[:half], feasible), missing[half:], feasible)
