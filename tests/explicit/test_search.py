"""The parts of a search, each against its definition: firing, keys, distances, estimates, walks."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from notation import net_of
from oracle import shortest_trace, successor
from strategies import nets, problems

from petricheck.arithmetic.formulas.cubes import cubes
from petricheck.arithmetic.formulas.formulas import TRUE, conjunction, equal
from petricheck.arithmetic.formulas.terms import variable
from petricheck.engines.directed_search import Guidance
from petricheck.explicit.search import luby
from petricheck.explicit.search.firing import Array, FiringRule
from petricheck.explicit.search.state_equation import NOWHERE, DistanceProgram
from petricheck.explicit.search.visited import Visited
from petricheck.model.net import Marking, Net, make_net
from petricheck.model.problem import Problem, make_problem
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted

p, q = variable("p"), variable("q")


def guide(problem: Problem) -> Guidance:
    return Guidance(problem, tuple(cubes(problem.target)), Budget())


def exact(marking: Array) -> Marking:
    return tuple(int(tokens) for tokens in marking)


def walk(net: Net, seed: int, steps: int) -> list[Marking]:
    chance, marking, met = random.Random(seed), net.initial, [net.initial]
    for _ in range(steps):
        after = [m for t in net.transitions if (m := successor(marking, t)) is not None]
        if not after:
            break
        marking = chance.choice(after)
        met.append(marking)
    return met


# Firing


@given(nets(), st.integers(0, 99), st.sampled_from((1, 10**9, 10**15)))
def test_what_is_enabled_and_what_follows_is_as_the_net_says(net: Net, seed: int, scale: int):
    firing = FiringRule(make_problem(net, equal(variable(net.places[0]), scale)))
    for marking in walk(net, seed, 10):
        array = firing.unpack(firing.pack(np.array(marking)))
        expected = {n: successor(marking, t) for n, t in enumerate(net.transitions)}
        enabled = firing.enabled(array)
        assert sorted(enabled) == [n for n, after in expected.items() if after is not None]
        for number in enabled:
            after = firing.fire(array, number, 1)
            assert after is not None and exact(after) == expected[number]
            assert exact(array) == marking
            transition, most = net.transitions[number], firing.most(array, number)
            assert transition.fires(marking, 50 if most is None else most)
            assert most is None or not transition.fires(marking, most + 1)


@given(st.lists(st.tuples(*[st.integers(0, 10**15)] * 3), min_size=2, max_size=8))
def test_markings_have_equal_keys_where_they_are_equal_and_come_back_from_them(rows):
    firing = FiringRule(make_problem(make_net("n", dict.fromkeys("abc", 0), {}), TRUE))
    keys = [firing.pack(np.array(row)) for row in rows]
    assert [exact(firing.unpack(key)) for key in keys] == rows
    assert len(set(keys)) == len(set(rows))


def test_numbers_that_are_too_large_are_refused_not_wrapped():
    net = make_net("pump", {"p": 0}, {"t": ({}, {"p": 10**14})})
    firing = FiringRule(make_problem(net, TRUE))
    full = firing.fire(firing.initial, 0, 10)
    assert full is not None and exact(full) == (10**15,)
    assert firing.fire(full, 0, 1) is None and firing.fire(firing.initial, 0, 2**62) is None
    with pytest.raises(BudgetExhausted, match="beyond 10"):
        FiringRule(make_problem(net, equal(p, 10**15 + 1)))


def test_planned_firings_apart_from_the_marking_are_blocked():
    arcs = {"in": ({"p": 1}, {"q": 1}), "round": ({"r": 1}, {"s": 1}), "back": ({"s": 1}, {"r": 1})}
    firing = FiringRule(make_problem(make_net("n", {"p": 1, "q": 0, "r": 0, "s": 0}, arcs), TRUE))
    assert firing.blocked(firing.initial, {0: 1.0, 1: 2.0, 2: 2.0}) == 4.0
    assert firing.blocked(np.array([1, 0, 0, 1]), {0: 1.0, 1: 2.0, 2: 2.0}) == 0
    assert firing.blocked(firing.initial, {}) == 0


# Known markings


def test_the_way_to_a_marking_is_remembered():
    visited = Visited("0")
    assert (visited.add("1", 0, 1, 2), visited.add("1", 0, 0)) == (1, None)
    assert (visited.add("2", 1, 1, 3), visited.add("3", 2, 0)) == (2, 3)
    assert visited.steps(3) == [(1, 2), (1, 3), (0, 1)] and visited.steps(0) == []


def test_restarts_follow_the_sequence_of_luby():
    assert [luby(n) for n in range(1, 16)] == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]


# Estimates


@settings(max_examples=15)
@given(problems())
def test_no_firing_sequence_is_shorter_than_the_estimate(problem: Problem):
    steps = shortest_trace(problem, 200)
    assume(steps is not None)
    guidance = guide(problem)
    estimate = guidance.estimate(FiringRule(problem).initial)
    assert steps is not None and estimate.distance <= len(steps) + 1e-6


@settings(max_examples=16)
@given(problems(), st.integers(0, 9))
def test_following_the_plan_or_the_dual_agrees_with_a_new_linear_program(
    problem: Problem, seed: int
):
    cube = next(cubes(problem.target), None)
    assume(cube is not None)
    assert cube is not None
    warm, firing = DistanceProgram(problem.net, cube), FiringRule(problem)
    guidance = guide(make_problem(problem.net, conjunction(cube)))
    marking = firing.initial
    chance = random.Random(seed)
    for _ in range(6):
        estimate = warm.estimate(marking, 10.0)
        fresh = DistanceProgram(problem.net, cube).estimate(marking, 10.0)
        assert estimate is not None and fresh is not None
        assert estimate.distance == pytest.approx(fresh.distance, abs=1e-6)
        enabled = firing.enabled(marking)
        if estimate is NOWHERE or not enabled:
            return
        gains = guidance.gains(estimate, enabled)
        for number, gain in zip(enabled, gains, strict=True):
            after = firing.fire(marking, number, 1)
            assert after is not None and gain <= 1 + 1e-6
            found = DistanceProgram(problem.net, cube).estimate(after, 10.0)
            assert found is not None and found.distance >= estimate.distance - gain - 1e-6
            followed = estimate.after(number, 1)
            if followed is not None:
                assert followed.distance == pytest.approx(found.distance, abs=1e-6)
        marking = firing.fire(marking, chance.choice(enabled), 1)
        assert marking is not None


def test_a_place_invariant_that_the_target_breaks_leads_nowhere():
    net = net_of("p=1 q=0, a: p -> q")
    guidance = guide(make_problem(net, equal(q, 2)))
    assert guidance.estimate(FiringRule(make_problem(net, TRUE)).initial) is NOWHERE
