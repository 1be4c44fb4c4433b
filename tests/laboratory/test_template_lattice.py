"""The cheapest feasible sets of templates, against enumeration."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from petricheck.laboratory.lattices.hitting import HittingSetSearch, bits
from petricheck.laboratory.lattices.search import Feasibility, cheapest
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted


def includes_one_of(minimal: list[int]) -> Callable[[int], bool]:
    return lambda chosen: any(not one & ~chosen for one in minimal)


def cheapest_sets(costs: tuple[int, ...], minimal: list[int], seconds: float = 60.0) -> list[int]:
    feasible = includes_one_of(minimal)
    answers = Feasibility(lambda chosen: (feasible(chosen), chosen))
    return list(cheapest(costs, answers, Budget(seconds)))


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


@settings(max_examples=30)
@given(families())
def test_each_maximal_feasible_element_of_least_cost_is_returned_once(family):
    """Where nothing costs anything these are all maximal ones, as Algorithm 1 returns them."""
    costs, minimal = family
    frontier = {m for m in minimal if not any(o != m and not o & ~m for o in minimal)}
    least = min((cost(costs, element) for element in frontier), default=None)
    elements = cheapest_sets(costs, minimal)
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


def test_an_exhausted_budget_ends_the_search():
    with pytest.raises(BudgetExhausted):
        cheapest_sets((1, 1, 1, 1), [1], seconds=0.0)


def test_answers_carry_over_to_comparable_sets():
    queries = []

    def explain(chosen: int) -> tuple[bool, int]:
        queries.append(chosen)
        return (True, 1) if chosen & 1 else (False, chosen)

    answers = Feasibility(explain)
    assert answers(0b0011) and answers(0b1101)
    assert not answers(0b0110) and not answers(0b0100)
    assert queries == [0b0011, 0b0110]
    assert answers.infeasible_superset(0b0100) == 0b0110


@settings(max_examples=30)
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
