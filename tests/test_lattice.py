"""Abstraction lattices: Algorithms 1 to 4 return the frontier that the definitions describe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product
from random import Random
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted
from petricheck.laboratory.lattices.exploration import (
    Costly,
    Maximal,
    bounded_maximise,
    explore,
    explore_cheapest,
    maximise,
)
from petricheck.laboratory.lattices.feasibility_cache import FeasibilityCache
from petricheck.laboratory.lattices.hitting import HittingSetSearch, bits
from petricheck.laboratory.lattices.lattice import (
    AbstractionLattice,
    PowersetLattice,
    ProductLattice,
)

Chosen = frozenset[int]


def powerset(size: int) -> list[Chosen]:
    every = range(size)
    return [frozenset(c) for count in range(size + 1) for c in combinations(every, count)]


def includes_one_of(minimal: list[Chosen]) -> Callable[[Chosen], bool]:
    return lambda element: any(one <= element for one in minimal)


def frontier(lattice: AbstractionLattice[Any], minimal: Iterable[Any]) -> set[Any]:
    """Those that are not below another one."""
    return {m for m in minimal if not any(o != m and lattice.below(m, o) for o in minimal)}


def least_cost(lattice: AbstractionLattice[Any], elements: set[Any]) -> set[Any]:
    least = min(map(lattice.cost, elements), default=0)
    return {element for element in elements if lattice.cost(element) == least}


@st.composite
def families(draw: st.DrawFn) -> tuple[PowersetLattice, list[Chosen]]:
    """A powerset of at most 8 templates with costs, and generators of the feasible sets."""
    size = draw(st.integers(0, 8))
    costs = draw(st.lists(st.integers(0, 5), min_size=size, max_size=size))
    generator = st.frozensets(st.integers(0, size - 1)) if size else st.just(frozenset())
    minimal = draw(st.lists(generator, max_size=6))
    return PowersetLattice(tuple(range(size)), tuple(costs)), minimal


@settings(max_examples=80)
@given(families())
def test_each_maximal_feasible_element_is_returned_once_or_each_of_minimal_cost(family):
    lattice, minimal = family
    expected = frontier(lattice, minimal)
    found = explore(lattice, includes_one_of(minimal))
    assert len(found) == len(expected) and set(found) == expected
    cheapest = explore_cheapest(lattice, includes_one_of(minimal))
    assert len(cheapest) == len(set(cheapest))
    assert set(cheapest) == least_cost(lattice, expected)


@settings(max_examples=80)
@given(families(), st.integers(0, 12))
def test_bounded_maximise_keeps_its_promise(family, least):
    lattice, minimal = family
    feasible = includes_one_of(minimal)
    for start in filter(feasible, powerset(len(lattice.templates))):
        outcome = bounded_maximise(lattice, feasible, start, least)
        found = outcome.element
        assert lattice.below(start, found)
        assert not any(feasible(successor) for successor in lattice.successors(found))
        match outcome:
            case Maximal(element):
                assert feasible(element)
                assert lattice.cost(element) <= least
            case Costly(element):
                assert lattice.cost(element) > least


def test_two_hundred_templates_are_not_enumerated():
    source = Random(7)
    minimal = [frozenset(source.sample(range(200), 8)) for _ in range(12)]
    costs = tuple(source.randint(1, 10) for _ in range(200))
    lattice = PowersetLattice(tuple(range(200)), costs)
    cache = FeasibilityCache(lattice, lambda e: (any(one <= e for one in minimal), e))
    assert set(explore_cheapest(lattice, cache)) == least_cost(lattice, set(minimal))
    assert cache.asked < 20_000


def test_a_limit_stops_after_that_many_elements():
    lattice = PowersetLattice(tuple("abcd"), (4, 3, 2, 1))
    feasible = includes_one_of([frozenset({i}) for i in range(4)])
    assert len(explore(lattice, feasible, limit=2)) == 2
    assert explore_cheapest(lattice, feasible, limit=1) == [frozenset({3})]
    assert explore(lattice, feasible, limit=0) == []


def test_an_exhausted_budget_ends_the_search():
    lattice = PowersetLattice(tuple("abcd"), (1, 1, 1, 1))
    with pytest.raises(BudgetExhausted):
        explore(lattice, lambda element: 0 in element, budget=Budget(seconds=0))


def test_maximise_stays_above_where_it_starts():
    lattice = PowersetLattice(tuple(range(6)), (1, 2, 3, 4, 5, 6))
    feasible = includes_one_of([frozenset({0, 5}), frozenset({1, 2, 3})])
    start = frozenset({1, 2, 3, 4})
    assert maximise(lattice, feasible, start) == frozenset({1, 2, 3})


def test_costs_must_be_natural_numbers_for_all_templates():
    for costs in ((1,), (1, -1)):
        with pytest.raises(ValueError, match="cost"):
            PowersetLattice(("a", "b"), costs)


@settings(max_examples=60)
@given(families(), st.data())
def test_feasibility_bounds_bound_what_is_feasible(family, data):
    single, minimal = family
    feasible = includes_one_of(minimal)
    for element in filter(feasible, powerset(len(single.templates))):
        for successor in single.successors(element):
            bound = single.feasibility_bound(element, successor)
            assert single.meet(successor, bound) == element
            if not feasible(successor):
                above = (e for e in powerset(len(single.templates)) if e <= element)
                assert all(single.below(e, bound) for e in above if feasible(e))


@settings(max_examples=40)
@given(families(), families(), st.data())
def test_a_product_of_powersets_is_explored_as_one_powerset(one, other, data):
    lattice = ProductLattice((one[0], other[0]))
    pairs = list(product([*one[1], frozenset()], [*other[1], frozenset()]))
    minimal = data.draw(st.lists(st.sampled_from(pairs), max_size=5))

    def feasible(element: tuple[Chosen, Chosen]) -> bool:
        return any(lattice.below(element, known) for known in minimal)

    expected = frontier(lattice, minimal)
    assert set(explore(lattice, feasible)) == expected
    assert set(explore_cheapest(lattice, feasible)) == least_cost(lattice, expected)


def test_a_boolean_view_is_an_isomorphism_that_keeps_costs():
    first = PowersetLattice(tuple("ab"), (1, 5))
    lattice = ProductLattice((first, PowersetLattice((), ()), PowersetLattice(tuple("c"), (7,))))
    view = lattice.boolean
    assert view is not None
    for mask in range(8):
        element = view.decode(mask)
        assert view.encode(element) == mask
        assert lattice.cost(element) == sum(view.weights[atom] for atom in bits(mask))
        for successor in lattice.successors(element):
            assert lattice.below(element, successor)
            assert view.encode(successor) & ~mask == 0


@dataclass(frozen=True)
class Pentagon(AbstractionLattice[str]):
    """The smallest lattice that is not modular: bottom < low < high < top, bottom < side < top."""

    upper: ClassVar = {"bottom": "low side", "low": "high", "high": "top", "side": "top", "top": ""}
    costs: ClassVar = {"bottom": 9, "low": 6, "high": 4, "side": 4, "top": 0}

    @property
    def bottom(self) -> str:
        return "bottom"

    @property
    def top(self) -> str:
        return "top"

    def below(self, lower: str, upper: str) -> bool:
        return lower == upper or any(self.below(s, upper) for s in self.successors(lower))

    def meet(self, left: str, right: str) -> str:
        lower = [e for e in self.upper if self.below(e, left) and self.below(e, right)]
        return next(e for e in lower if all(self.below(other, e) for other in lower))

    def successors(self, element: str) -> Iterator[str]:
        yield from self.upper[element].split()

    def middle(self, lower: str, upper: str) -> str:
        return lower

    def cost(self, element: str) -> int:
        return self.costs[element]


@pytest.mark.parametrize("lattice", [Pentagon(), ProductLattice((Pentagon(), Pentagon()))])
def test_a_lattice_that_is_not_boolean_is_explored_by_traversal(lattice):
    assert lattice.boolean is None
    elements: list[object] = list(Pentagon.upper)
    if isinstance(lattice, ProductLattice):
        elements = list(product(Pentagon.upper, repeat=2))
    for generators in combinations(elements, 2):

        def feasible(element: object, known: tuple[object, ...] = generators) -> bool:
            return any(lattice.below(element, one) for one in known)

        expected = frontier(lattice, generators)
        assert set(explore(lattice, feasible)) == expected
        assert set(explore_cheapest(lattice, feasible)) == least_cost(lattice, expected)


def test_a_mixed_product_passes_on_the_bounds_of_its_boolean_factors():
    lattice = ProductLattice((Pentagon(), PowersetLattice(tuple("ab"), (1, 2))))
    element = ("low", frozenset({0, 1}))
    bound = lattice.feasibility_bound(element, ("low", frozenset({0})))
    assert bound == ("top", frozenset({1}))
    assert lattice.feasibility_bound(element, ("high", frozenset({0, 1}))) is None


def parallel(chosen: Chosen) -> Chosen:
    """Templates 0, 1 and 2 say the same in pairs: any two determine the third."""
    return chosen | {0, 1, 2} if len(chosen & {0, 1, 2}) >= 2 else chosen


def test_equivalent_elements_have_one_representative_the_cheapest():
    lattice = PowersetLattice(tuple("abcd"), (5, 1, 2, 9), parallel)

    def feasible(element: Chosen) -> bool:
        return {0, 1, 2} <= parallel(element) or 3 in element

    assert set(explore_cheapest(lattice, feasible)) == {frozenset({1, 2})}
    found = explore(lattice, feasible)
    assert len(found) == 2
    assert set(map(lattice.canonical, found)) == {frozenset({0, 1, 2}), frozenset({3})}
    finest = explore(lattice, lambda element: 2 in parallel(element))
    assert finest == [frozenset({2})], "none is finer than another up to equivalence"


def test_answers_carry_over_to_comparable_elements():
    lattice = PowersetLattice(tuple("abcd"), (1,) * 4)
    cache = FeasibilityCache(lattice, lambda e: (0 in e, frozenset({0}) if 0 in e else e))
    assert cache.feasible(frozenset({0, 1}))
    assert cache.feasible(frozenset({0, 2, 3}))
    assert not cache.feasible(frozenset({1, 2}))
    assert not cache.feasible(frozenset({2}))
    assert cache.asked == 2
    assert cache.infeasible_below(frozenset({2})) == frozenset({1, 2})


@settings(max_examples=80)
@given(st.data())
def test_proposals_are_cheapest_hitting_sets_until_there_are_none(data):
    size = data.draw(st.integers(1, 6))
    weights = tuple(data.draw(st.lists(st.integers(0, 4), min_size=size, max_size=size)))
    masks = st.integers(0, (1 << size) - 1)
    search = HittingSetSearch(weights)
    search.hit.extend(data.draw(st.lists(masks, max_size=3)))
    search.avoid.extend(data.draw(st.lists(masks, max_size=2)))

    def cheapest() -> int | None:
        fits = (
            mask
            for mask in range(1 << size)
            if all(mask & h for h in search.hit) and all(a & ~mask for a in search.avoid)
        )
        return min((sum(weights[b] for b in bits(mask)) for mask in fits), default=None)

    for mask, cost in search.proposals():
        assert all(mask & h for h in search.hit)
        assert all(a & ~mask for a in search.avoid)
        assert sum(weights[b] for b in bits(mask)) <= cost
        assert cheapest() == sum(weights[b] for b in bits(mask))
        if data.draw(st.booleans()):
            search.hit.append(((1 << size) - 1) & ~mask)
        else:
            search.avoid.append(mask)
    assert cheapest() is None
