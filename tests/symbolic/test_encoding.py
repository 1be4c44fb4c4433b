"""Formulas of paths are true exactly of the firings that enumeration finds."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import net_of
from oracle import replay, successor
from strategies import nets, problems

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    at_least,
    equal,
    evaluate,
    substitute,
    variables,
)
from petricheck.arithmetic.formulas.terms import constant, variable
from petricheck.arithmetic.solvers.solver import find_model, implies
from petricheck.laboratory.paths import accelerated_step, path_parts, step
from petricheck.model.net import Net, make_net
from petricheck.model.problem import make_problem
from petricheck.symbolic.encoding.stamps import at, initial, stamp

HUGE = 10**30


def stamped(net: Net, marking, k: int) -> dict[str, int]:
    return {at(place, k): tokens for place, tokens in zip(net.places, marking, strict=True)}


def box(net: Net, low: int, high: int):
    return product(range(low, high + 1), repeat=len(net.places))


def accelerates(net: Net, transition, before, after) -> bool:
    """Whether some count n ≥ 1 makes the accelerated step true of these two markings."""
    values = {**stamped(net, before, 3), **stamped(net, after, 4)}
    formula = accelerated_step(net, transition, 3)
    fixed = substitute(formula, {name: constant(value) for name, value in values.items()})
    return find_model(fixed) is not None


@given(problems(), st.data(), st.integers(0, 12))
def test_a_stamped_formula_says_the_same_of_the_marking_at_that_time(problem, data, k):
    net = problem.net
    marking = tuple(data.draw(st.integers(0, 5)) for _ in net.places)
    formula = stamp(problem.target, k)
    assert evaluate(formula, stamped(net, marking, k)) == evaluate(
        problem.target, net.values(marking)
    )
    assert set(variables(formula)) == {at(name, k) for name in variables(problem.target)}


@given(nets(max_places=3), st.data())
def test_the_initial_formula_has_exactly_one_model(net, data):
    marking = tuple(data.draw(st.integers(-1, 3)) for _ in net.places)
    assert evaluate(initial(net), stamped(net, net.initial, 0))
    assert evaluate(initial(net), stamped(net, marking, 0)) == (marking == net.initial)


@given(nets(max_places=2), st.integers(0, 3))
def test_a_step_relates_a_natural_marking_to_its_successor_alone(net, k):
    for transition in net.transitions:
        formula = step(net, transition, k)
        for before in box(net, -1, 3):
            expected = successor(before, transition) if min(before) >= 0 else None
            moved = transition.fire(before)
            for shift in (0, 1):
                after = (moved[0] + shift, *moved[1:])
                values = {**stamped(net, before, k), **stamped(net, after, k + 1)}
                assert evaluate(formula, values) == (after == expected)


@settings(max_examples=15)
@given(nets(max_places=2, max_transitions=2), st.data())
def test_an_accelerated_step_relates_what_repeated_firings_relate(net, data):
    transition = data.draw(st.sampled_from(net.transitions))
    before = tuple(data.draw(st.integers(0, 5)) for _ in net.places)
    reached, marking = [], successor(before, transition)
    while marking is not None and len(reached) < 4:
        reached.append(marking)
        marking = successor(marking, transition)
    for after in reached:
        assert accelerates(net, transition, before, after)
    if marking is None:
        for after in box(net, 0, 5):
            assert accelerates(net, transition, before, after) == (after in reached)


@pytest.mark.parametrize(
    ("arcs", "before", "after", "expected"),
    [
        ("2 p -> p + q", (3, 0), (1, 2), True),  # Guards hold at both ends.
        ("2 p -> p + q", (3, 0), (0, 3), False),
        ("2 p -> p + q", (3, 0), (3, 0), False),
        ("2 p -> p + q", (1, 0), (2, -1), False),
        ("p -> 3 q", (HUGE, 0), (0, 3 * HUGE), True),
        ("p -> 3 q", (HUGE, 0), (0, 3 * HUGE - 1), False),
        ("p -> 3 q", (HUGE - 1, 0), (-1, 3 * HUGE), False),
    ],
)
def test_an_accelerated_step_is_exact(arcs, before, after, expected):
    net = net_of(f"p=0 q=0, t: {arcs}")
    assert accelerates(net, net.transitions[0], before, after) == expected


@settings(max_examples=20)
@given(problems(), st.data())
def test_a_paths_parts_are_satisfiable_exactly_where_it_fires_into_the_target(problem, data):
    net = problem.net
    path = data.draw(st.lists(st.integers(0, len(net.transitions) - 1), max_size=5))
    end = replay(net, tuple(net.transitions[t].name for t in path))
    if end is not None and data.draw(st.booleans()):
        net_values = net.values(end)
        exact = [equal(variable(place), tokens) for place, tokens in net_values.items()]
        problem = make_problem(net, Conjunction(tuple(exact)))
    model = find_model(Conjunction(path_parts(problem, path)))
    fires = end is not None and evaluate(problem.target, net.values(end))
    assert (model is not None) == fires
    if model is not None and end is not None:
        assert stamped(net, end, len(path)).items() <= model.items()


@settings(max_examples=16)
@given(problems(), st.data())
def test_parts_speak_of_natural_markings_and_share_only_that_at_their_cut(problem, data):
    net = problem.net
    path = data.draw(st.lists(st.integers(0, len(net.transitions) - 1), max_size=4))
    parts = path_parts(problem, path)
    assert len(parts) == len(path) + 2
    for cut in range(1, len(parts)):
        left = set(variables(Conjunction(parts[:cut])))
        right = set(variables(Conjunction(parts[cut:])))
        assert left & right <= {at(place, cut - 1) for place in net.places}
    for k, part in enumerate(parts[1:3]):
        for place in net.places:
            assert implies(part, at_least(variable(at(place, k)), 0))


@pytest.mark.parametrize("odd", ["n", "n@0", "n@0#", "p@1", "n#", "", "@", "p@1@2"])
def test_no_place_name_is_confused_with_a_stamp_or_a_count(odd):
    net = make_net("n", {odd: 4, "p": 0}, {"t": ({odd: 1}, {"p": 2})})
    problem = make_problem(net, at_least(variable("p"), 4))
    assert find_model(Conjunction(path_parts(problem, (0,)))) is None
    assert find_model(Conjunction(path_parts(problem, (0, 0)))) is not None
    (t,) = net.transitions
    assert accelerates(net, t, (4, 0), (1, 6))
    assert not accelerates(net, t, (4, 0), (1, 5))


@given(st.text(max_size=4), st.integers(0, 200), st.text(max_size=4), st.integers(0, 200))
def test_a_stamped_name_tells_place_and_time(name, k, other, j):
    assert (at(name, k) == at(other, j)) == ((name, k) == (other, j))
