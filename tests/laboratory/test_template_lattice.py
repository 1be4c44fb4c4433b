"""The cheapest feasible sets of templates, against enumeration."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from petricheck.laboratory.lattices.exploration import explore, maximise
from petricheck.laboratory.lattices.hitting import HittingSetSearch, bits
from petricheck.laboratory.lattices.search import Feasibility, Search, cheapest
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted


def includes_one_of(minimal: list[int]) -> Callable[[int], bool]:
    return lambda chosen: any(not one & ~chosen for one in minimal)


def cheapest_sets(
    costs: tuple[int, ...], minimal: list[int], search: Search, seconds: float = 60.0
) -> list[int]:
    feasible = includes_one_of(minimal)
    answers = Feasibility(lambda chosen: (feasible(chosen), chosen))
    return list(cheapest(costs, answers, Budget(seconds), search))


def cost(costs: tuple[int, ...], chosen: int) -> int:
    return sum(costs[template] for template in bits(chosen))


@st.composite
def families(draw: st.DrawFn) -> tuple[tuple[int, ...], list[int]]:
    """Costs of at most 8 templates, perhaps none, and generators of the feasible sets."""
    size = draw(st.integers(0, 8))
    costs = draw(
        st.lists(st.integers(0, draw(st.sampled_from((0, 5)))), min_size=size, max_size=size)
    )
    return tuple(costs), draw(st.lists(st.integers(0, (1 << size) - 1), max_size=6))


@settings(max_examples=20)
@given(families(), st.sampled_from(list(Search)))
def test_each_maximal_feasible_element_of_least_cost_is_returned_once(family, search):
    """Where nothing costs anything these are all maximal ones, as Algorithm 1 returns them."""
    costs, minimal = family
    frontier = {m for m in minimal if not any(o != m and not o & ~m for o in minimal)}
    least = min((cost(costs, element) for element in frontier), default=None)
    elements = cheapest_sets(costs, minimal, search)
    assert sorted(elements) == sorted(e for e in frontier if cost(costs, e) == least)


def test_two_hundred_templates_are_not_enumerated():
    source = Random(7)
    minimal = [sum(1 << t for t in source.sample(range(200), 8)) for _ in range(12)]
    costs = tuple(source.randint(1, 10) for _ in range(200))
    feasible = includes_one_of(minimal)
    queries = []

    def explain(chosen: int) -> tuple[bool, int]:
        queries.append(chosen)
        return feasible(chosen), chosen

    answers = Feasibility(explain)
    least = min(cost(costs, element) for element in minimal)
    expected = {element for element in minimal if cost(costs, element) == least}
    assert set(cheapest(costs, answers, Budget())) == expected
    assert len(queries) < 20_000


@pytest.mark.parametrize("search", list(Search))
def test_an_exhausted_budget_ends_the_search(search):
    with pytest.raises(BudgetExhausted):
        cheapest_sets((1, 1, 1, 1), [1], search, seconds=0.0)


def test_answers_carry_over_to_comparable_sets():
    queries = []

    def explain(chosen: int) -> tuple[bool, int]:
        queries.append(chosen)
        return (True, 1) if chosen & 1 else (False, chosen)

    answers = Feasibility(explain)
    assert answers(0b0011) and answers(0b1101)
    assert not answers(0b0110) and not answers(0b0100)
    assert queries == [0b0011, 0b0110] and answers.queries == 2
    assert answers.infeasible_superset(0b0100) == 0b0110


@settings(max_examples=20)
@given(st.data())
def test_proposals_are_cheapest_hitting_sets_until_there_are_none(data):
    size = data.draw(st.integers(1, 6))
    weights = tuple(data.draw(st.lists(st.integers(0, 4), min_size=size, max_size=size)))
    masks = st.integers(0, (1 << size) - 1)
    search = HittingSetSearch(weights)
    search.hit.extend(data.draw(st.lists(masks, max_size=3)))
    search.avoid.extend(data.draw(st.lists(masks, max_size=2)))

    def least() -> int | None:
        fits = (
            mask
            for mask in range(1 << size)
            if all(mask & h for h in search.hit) and all(a & ~mask for a in search.avoid)
        )
        return min((cost(weights, mask) for mask in fits), default=None)

    for mask, limit in search.proposals():
        assert all(mask & h for h in search.hit)
        assert all(a & ~mask for a in search.avoid)
        assert least() == cost(weights, mask) <= limit
        if data.draw(st.booleans()):
            search.hit.append(((1 << size) - 1) & ~mask)
        else:
            search.avoid.append(mask)
    assert least() is None


# Algorithms 1 to 4 in any finite lattice


@dataclass(frozen=True)
class ClosedSets:
    """Sets that are closed under intersection, ordered by inclusion: any finite lattice is such.

    An element costs the weights of what it lacks.
    """

    elements: tuple[int, ...]
    weights: tuple[int, ...]

    @property
    def top(self) -> int:
        return (1 << len(self.weights)) - 1

    def cost(self, element: int) -> int:
        return cost(self.weights, self.top & ~element)

    def below(self, element: int, other: int) -> bool:
        return not element & ~other

    def meet(self, element: int, other: int) -> int:
        return element & other

    def successors(self, element: int) -> list[int]:
        above = [e for e in self.elements if e != element and self.below(element, e)]
        return [e for e in above if not any(o != e and self.below(o, e) for o in above)]

    def middle(self, low: int, high: int) -> int:
        between = [e for e in self.elements if self.below(low, e) and self.below(e, high)]
        return between[len(between) // 2]

    def bound(self, element: int, successor: int) -> int | None:
        if any(a | b not in self.elements for a, b in combinations(self.elements, 2)):
            return None  # perhaps not distributive
        coatoms = (e for e in self.elements if self.successors(e) == [self.top])
        return next((b for b in coatoms if self.meet(successor, b) == element), None)

    def incomparable(self, explored: list[int]) -> Iterator[int]:
        for element in self.elements:
            if not any(self.below(element, e) or self.below(e, element) for e in explored):
                yield element


@st.composite
def lattices(draw: st.DrawFn) -> tuple[ClosedSets, set[int]]:
    """And its feasible elements, perhaps none."""
    size = draw(st.integers(1, 5))
    sets = {(1 << size) - 1, *draw(st.lists(st.integers(0, (1 << size) - 1), max_size=6))}
    distributive = draw(st.booleans())
    while True:
        pairs = [*combinations(sets, 2)]
        more = {a & b for a, b in pairs} | {a | b for a, b in pairs if distributive}
        if more <= sets:
            break
        sets |= more
    elements = draw(st.permutations(sorted(sets)))
    weights = draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
    generators = draw(st.lists(st.sampled_from(elements), max_size=3))
    feasible = {e for e in elements if any(not e & ~g for g in generators)}
    return ClosedSets(tuple(elements), tuple(weights)), feasible


def maximal(lattice: ClosedSets, elements: set[int]) -> set[int]:
    return {e for e in elements if not any(e != o and lattice.below(e, o) for o in elements)}


@settings(max_examples=60)
@given(lattices())
def test_algorithm_3_returns_the_maximal_feasible_elements_of_least_cost_in_any_lattice(case):
    lattice, feasible = case
    frontier = maximal(lattice, feasible)
    least = min(map(lattice.cost, frontier), default=None)
    elements = explore(lattice, feasible.__contains__, Budget())
    assert sorted(elements) == sorted(e for e in frontier if lattice.cost(e) == least)
    free = ClosedSets(lattice.elements, (0,) * len(lattice.weights))
    assert set(explore(free, feasible.__contains__, Budget())) == frontier  # Algorithm 1


@settings(max_examples=60)
@given(lattices(), st.integers(0, 6), st.data())
def test_algorithm_4_ends_at_a_maximal_feasible_element_or_at_one_that_costs_too_much(
    case, least, data
):
    lattice, feasible = case
    if not feasible:
        return
    start = data.draw(st.sampled_from(sorted(feasible)))
    result = maximise(lattice, start, least, feasible.__contains__, Budget())
    assert lattice.below(start, result)
    if lattice.cost(result) <= least:
        assert result in maximal(lattice, feasible)
    else:
        assert not feasible.intersection(lattice.successors(result))
