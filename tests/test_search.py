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

from petricheck.answer import joined
from petricheck.budget import Budget
from petricheck.presburger.cubes import cubes
from petricheck.presburger.formulas import FALSE, TRUE, conjunction, disjunction, equal
from petricheck.presburger.formulas import evaluate as holds
from petricheck.presburger.terms import variable
from petricheck.problem import Marking, Net, Problem, make_net, make_problem
from petricheck.search.distance import Distance
from petricheck.search.frontier import Met, Option, Queue, luby
from petricheck.search.guidance import Guidance
from petricheck.search.markings import Array, Firing
from petricheck.search.state_equation import NOWHERE, StateEquation
from petricheck.search.walker import Walker

HUGE = 10**40
p, q = variable("p"), variable("q")


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


@given(nets(), st.integers(0, 99), st.sampled_from((1, 10**9, HUGE)))
def test_what_is_enabled_and_what_follows_is_as_the_net_says(net: Net, seed: int, scale: int):
    firing = Firing(make_problem(net, equal(variable(net.places[0]), scale)))
    for marking in walk(net, seed, 10):
        array = firing.unpack(firing.pack(firing.initial)) - firing.initial + marking
        expected = {n: successor(marking, t) for n, t in enumerate(net.transitions)}
        enabled = firing.enabled(array).tolist()
        assert sorted(enabled) == [n for n, after in expected.items() if after is not None]
        for number in enabled:
            after = firing.fire(array, number, 1)
            assert after is not None and exact(after) == expected[number]
            assert exact(array) == marking


@given(nets(), st.integers(0, 99))
def test_a_transition_fires_in_a_row_exactly_as_often_as_said(net: Net, seed: int):
    firing = Firing(make_problem(net, TRUE))
    marking = walk(net, seed, 8)[-1]
    array = firing.initial - firing.initial + marking
    for number in firing.enabled(array).tolist():
        transition = net.transitions[number]
        most = firing.most(array, number)
        assert transition.fires(marking, 50 if most is None else most)
        assert most is None or not transition.fires(marking, most + 1)


@given(st.lists(st.lists(st.integers(0, 2**50), min_size=3, max_size=3), min_size=2, max_size=8))
def test_markings_have_equal_keys_where_they_are_equal_and_come_back_from_them(rows):
    for scale in (1, HUGE):
        initial = {"a": 0, "b": 0, "c": scale - 1}
        firing = Firing(make_problem(make_net("n", initial, {}), TRUE))
        markings = [firing.initial - firing.initial + row for row in rows]
        keys = [firing.pack(marking) for marking in markings]
        assert [firing.unpack(key).tolist() for key in keys] == rows
        assert len(set(keys)) == len(set(map(tuple, rows)))


def test_short_keys_of_small_markings_differ_from_long_keys_of_large_ones():
    firing = Firing(make_problem(make_net("n", dict.fromkeys("abcdefgh", 0), {}), TRUE))
    small = np.array([1, 0, 0, 0, 0, 0, 0, 0])
    assert len(firing.pack(small)) == 8
    assert len({firing.pack(small * factor) for factor in (1, 2**8, 2**16, 2**32)}) == 4


def test_a_firing_that_leaves_the_machine_integers_is_refused_not_wrapped():
    net = make_net("pump", {"p": 0}, {"t": ({}, {"p": 2**29})})
    firing = Firing(make_problem(net, TRUE))
    marking, fired = firing.initial, 0
    while fired < 100 and (after := firing.fire(marking, 0, 2**30)) is not None:
        marking, fired = after, fired + 1
        assert exact(marking) == (fired * 2**59,)
    assert fired < 16
    assert firing.fire(firing.initial, 0, 2**40) is None


def test_large_constants_in_the_target_make_room_for_large_markings():
    net = make_net("pump", {"p": 0}, {"t": ({}, {"p": 2**29})})
    firing = Firing(make_problem(net, equal(p, HUGE)))
    after = firing.fire(firing.initial, 0, HUGE)
    assert after is not None and exact(after) == (HUGE * 2**29,)


def test_planned_firings_apart_from_the_marking_are_blocked():
    arcs = {"in": ({"p": 1}, {"q": 1}), "round": ({"r": 1}, {"s": 1}), "back": ({"s": 1}, {"r": 1})}
    firing = Firing(make_problem(make_net("n", {"p": 1, "q": 0, "r": 0, "s": 0}, arcs), TRUE))
    assert firing.blocked(firing.initial, {0: 1.0, 1: 2.0, 2: 2.0}) == 4.0
    assert firing.blocked(np.array([1, 0, 0, 1]), {0: 1.0, 1: 2.0, 2: 2.0}) == 0
    assert firing.blocked(firing.initial, {}) == 0


# What was met, and what is next


def test_the_way_to_a_marking_is_remembered_and_equal_neighbours_are_joined():
    met = Met(b"0")
    first = met.add(b"1", Option(0, 1, 2))
    assert first == 1 and met.add(b"1", Option(0, 0, 1)) is None
    second = met.add(b"2", Option(first, 1, 3))
    third = met.add(b"3", Option(second or 0, 0, 1))
    assert met.steps(third or 0) == [(1, 2), (1, 3), (0, 1)] and met.depth(third or 0) == 6
    assert joined(met.steps(third or 0), ("a", "b")).steps == (("b", 5), ("a", 1))
    assert joined(met.steps(0), ("a", "b")).steps == ()


def test_the_least_rank_comes_first_and_the_newest_among_equals():
    queue = Queue()
    for number, rank in enumerate(((2.0, False), (1.0, True), (1.0, False), (1.0, False))):
        queue.push(rank, Option(number, 0, 1))
    assert [queue.pop()[1].node for _ in range(len(queue))] == [3, 2, 1, 0]


def test_restarts_follow_the_sequence_of_luby():
    assert [luby(n) for n in range(1, 16)] == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]


# Distances


@given(problems(), st.integers(0, 99))
def test_the_distance_is_zero_exactly_where_the_formula_holds(problem: Problem, seed: int):
    net = problem.net
    stepwise = Distance(net, problem.target)
    marking = net.initial
    for after in walk(net, seed, 10):
        change = tuple((n, b - a) for n, (a, b) in enumerate(zip(marking, after, strict=True)))
        stepwise.shift(change)
        marking = after
        fresh = Distance(net, problem.target)
        fresh.load(after)
        assert stepwise.value == fresh.value >= 0
        assert (fresh.value == 0) == holds(problem.target, net.values(after))


def test_the_distance_to_what_nothing_satisfies_is_not_zero():
    net = net_of("p=0")
    assert Distance(net, FALSE).value > 0
    assert Distance(net, TRUE).value == 0


def test_distances_add_up_in_conjunctions_and_the_nearest_counts_in_disjunctions():
    net = net_of("p=0 q=0")
    both, either = conjunction([equal(p, 2), equal(q, 5)]), disjunction([equal(p, 2), equal(q, 5)])
    assert (Distance(net, both).value, Distance(net, either).value) == (7, 2)


# Estimates


@settings(max_examples=25)
@given(problems())
def test_no_firing_sequence_is_shorter_than_the_estimate(problem: Problem):
    steps = shortest_trace(problem, 200)
    assume(steps is not None)
    guidance = Guidance(problem, Budget())
    estimate = guidance.estimate(Firing(problem).initial)
    assert steps is not None and estimate.distance <= len(steps) + 1e-6


@settings(max_examples=40)
@given(problems(), st.integers(0, 9))
def test_following_the_plan_or_the_dual_agrees_with_a_new_linear_program(
    problem: Problem, seed: int
):
    cube = next(cubes(problem.target), None)
    assume(cube is not None)
    assert cube is not None
    warm, firing = StateEquation(problem.net, cube), Firing(problem)
    guidance = Guidance(make_problem(problem.net, conjunction(cube)), Budget())
    marking = firing.initial
    chance = random.Random(seed)
    for _ in range(6):
        estimate = warm.estimate(marking, 10.0)
        fresh = StateEquation(problem.net, cube).estimate(marking, 10.0)
        assert estimate is not None and fresh is not None
        assert estimate.distance == pytest.approx(fresh.distance, abs=1e-6)
        enabled = firing.enabled(marking).tolist()
        if estimate is NOWHERE or not enabled:
            return
        gains = guidance.gains(estimate, marking, enabled)
        for number, gain in zip(enabled, gains, strict=True):
            after = firing.fire(marking, number, 1)
            assert after is not None and gain <= 1 + 1e-6
            found = StateEquation(problem.net, cube).estimate(after, 10.0)
            assert found is not None and found.distance >= estimate.distance - gain - 1e-6
            followed = estimate.after(number, 1)
            if followed is not None:
                assert followed.distance == pytest.approx(found.distance, abs=1e-6)
        marking = firing.fire(marking, chance.choice(enabled), 1)
        assert marking is not None


def test_a_place_invariant_that_the_target_breaks_leads_nowhere():
    net = net_of("p=1 q=0, a: p -> q")
    guidance = Guidance(make_problem(net, equal(q, 2)), Budget())
    assert guidance.estimate(Firing(make_problem(net, TRUE)).initial) is NOWHERE


def test_of_several_cubes_the_nearest_counts():
    net = net_of("p=0, a: -> p")
    problem = make_problem(net, disjunction([equal(p, 9), equal(p, 4), equal(p, 7)]))
    guidance = Guidance(problem, Budget())
    firing = Firing(problem)
    distances = [guidance.estimate(firing.initial + tokens).distance for tokens in (0, 5, 8, 10)]
    assert distances == pytest.approx([4, 2, 1, float("inf")])


# Walks


@settings(max_examples=40)
@given(problems(), st.integers(0, 99), st.sampled_from(((1, 0.5), (3, 0.1))))
def test_a_walk_fires_and_its_distance_and_dead_ends_are_real(problem: Problem, seed: int, habit):
    net, walker, chance = problem.net, Walker(problem), random.Random(seed)
    for round_ in range(25):
        marking = net.initial
        for number, times in walker.steps:
            assert net.transitions[number].fires(marking, times)
            marking = net.transitions[number].fire(marking, times)
        fresh = Distance(net, problem.target)
        fresh.load(marking)
        assert walker.distance == fresh.value
        assert walker.stuck == (not any(t.enabled(marking) for t in net.transitions))
        if walker.stuck or round_ == 20:
            walker.restart()
        if walker.stuck:
            break
        walker.step(chance, *habit)
