"""Walks that tell of all targets they pass, and walks along solutions of the state equation."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from oracle import explore
from strategies import nets

import petricheck as petri
from petricheck.arithmetic.formulas.formulas import Formula, at_least, conjunction, evaluate
from petricheck.arithmetic.formulas.terms import variable
from petricheck.arithmetic.programs.warm_programs import PrimalPoint
from petricheck.engines.parikh_walk import ParikhWalk, Producers
from petricheck.evidence.answer import Reachable, Unreachable
from petricheck.explicit.kernel.tour import Passage, Tour
from petricheck.formats.language.enabling import enabled
from petricheck.model.net import Net, make_net
from petricheck.model.problem import make_problem
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted
from petricheck.symbolic.facts.equation import EquationProgram


def check_stops(net: Net, tour: Passage, targets: list[Formula]) -> None:
    """The trace fires, and each target holds where it is said to."""
    markings = [net.initial]
    for number in tour.trace:
        assert net.transitions[number].enabled(markings[-1])
        markings.append(net.transitions[number].fire(markings[-1], 1))
    for fired, target in tour.stops:
        assert evaluate(targets[target], net.values(markings[fired]))
    assert list(tour.stops) == sorted(tour.stops, key=lambda stop: stop[0])
    assert tour.stops[-1][0] == len(tour.trace)


@settings(max_examples=16, deadline=None)
@given(nets())
def test_what_walks_pass_holds_there_and_is_passed_once(net: Net) -> None:
    targets = [at_least(variable(place), n) for place in net.places for n in (0, 1, 2)]
    tour, seen = Tour(net, targets), set[int]()
    for turn in range(6):
        if turn % 2:
            tour.go_to(tour.start)
        counts = np.ones(len(net.transitions), dtype=np.int64)
        passed = tour.follow(counts) if turn % 3 == 2 else tour.wander(50, 20)
        if passed is not None:
            check_stops(net, passed, targets)
            stops = {target for _, target in passed.stops}
            assert seen.isdisjoint(stops)
            seen |= stops
        assert set(tour.open) == set(range(len(targets))) - seen


@settings(max_examples=20, deadline=None)
@given(nets())
def test_a_walk_goes_on_where_another_trace_led(net: Net) -> None:
    targets = [at_least(variable(place), n) for place in net.places for n in (1, 2)]
    passed = Tour(net, targets, seed=1).wander(30, 20)
    tour = Tour(net, targets)
    tour.wander(10, 5)
    tour.resume(passed.trace if passed else ())
    led = net.initial
    for number in passed.trace if passed else ():
        led = net.transitions[number].fire(led, 1)
    assert tuple(tour.position.marking) == led
    further = tour.wander(10, 1_000)
    if further is not None:
        check_stops(net, further, targets)


def branching(length: int) -> Net:
    """A token takes one of two ways, so often; a last step needs that it always took the second."""
    places = {f"p{n}": int(n == 0) for n in range(length + 1)} | {"right": 0, "won": 0}
    left = {f"l{n}": ({f"p{n}": 1}, {f"p{n + 1}": 1}) for n in range(length)}
    right = {f"r{n}": ({f"p{n}": 1}, {f"p{n + 1}": 1, "right": 1}) for n in range(length)}
    return make_net("ways", places, left | right | {"win": ({"right": length}, {"won": 1})})


def test_solutions_of_the_state_equation_lead_where_chance_does_not() -> None:
    net = branching(40)
    target = at_least(variable("won"), 1)
    tour = Tour(net, [target])
    tour.wander(50_000, 1_000)
    assert tour.open == (0,)
    result = petri.check(net, target, engine="parikh_walk", budget=Budget(20))
    assert isinstance(result.answer, Reachable)


def relay(length: int) -> Net:
    """Tokens double from place to place, each time where the only token of another kind is."""
    places = {f"{kind}{n}": int(n == 0) for n in range(length + 1) for kind in ("at", "x")}
    double = {
        f"double{n}": ({f"x{n}": 1, f"at{n}": 1}, {f"x{n + 1}": 2, f"at{n}": 1})
        for n in range(length)
    }
    onward = {f"on{n}": ({f"at{n}": 1}, {f"at{n + 1}": 1}) for n in range(length)}
    return make_net("relay", places, double | onward)


def test_a_token_goes_on_when_those_that_read_it_have_fired() -> None:
    net = relay(40)
    targets = [at_least(variable(place), 1) for place in ("x40", "at40")]
    for seed in range(10):
        tour = Tour(net, targets, seed)
        passed = tour.follow(np.ones(len(net.transitions), dtype=np.int64))
        assert passed is not None
        assert {target for _, target in passed.stops} == {0, 1}
    both = [at_least(variable("x39"), 1), at_least(variable("at39"), 1)]
    problem = make_problem(net, conjunction(both))
    answers = dict(ParikhWalk().solve_together([problem], Budget(20)))
    assert isinstance(answers[0], Reachable)


def test_where_the_equation_has_no_solution_that_is_proved() -> None:
    net = branching(3)
    problems = [make_problem(net, at_least(variable("right"), n)) for n in (3, 4)]
    answers = dict(ParikhWalk().solve_together(problems, Budget(20)))
    assert isinstance(answers[0], Reachable) and isinstance(answers[1], Unreachable)


def test_a_catalyst_that_a_solution_leaves_out_is_demanded() -> None:
    places = {"a": 1, "key": 0, "b": 0, "store": 1}
    net = make_net(
        "lock",
        places,
        {
            "open": ({"a": 1, "key": 1}, {"b": 1, "key": 1}),
            "fetch": ({"store": 1}, {"key": 1}),
        },
    )
    program = EquationProgram(net, net.transitions)
    target = at_least(variable("b"), 1)
    assert program.add(target) is None
    solution = program.solve(5.0)
    assert isinstance(solution, PrimalPoint)
    counts = program.firings(solution)
    assert counts.tolist() == [1, 0]
    producers = Producers(net, net.transitions)
    assert producers.missing(np.array(net.initial), counts) == (1,)
    program.require(np.array([0, 1]))
    solution = program.solve(5.0)
    assert isinstance(solution, PrimalPoint)
    assert program.firings(solution).tolist() == [1, 1]
    assert isinstance(petri.check(net, target, engine="parikh_walk").answer, Reachable)


def test_a_solution_is_filled_up_with_what_a_relaxed_plan_adds() -> None:
    places = {f"p{n}": int(n == 0) for n in range(41)} | {"lost": 0, "door": 1, "open": 0}
    onward = {f"on{n}": ({f"p{n}": 1}, {f"p{n + 1}": 1}) for n in range(40)}
    astray = {f"off{n}": ({f"p{n}": 1}, {"lost": 1}) for n in range(40)}
    push = {"push": ({"p40": 1, "door": 1}, {"p40": 1, "open": 1})}  # the solution fires this alone
    net = make_net("door", places, onward | astray | push)
    problem = make_problem(net, at_least(variable("open"), 1))
    answers = dict(ParikhWalk().solve_together([problem], Budget(10)))
    assert isinstance(answers[0], Reachable)


def test_ways_into_targets_on_several_places_are_walked_and_refuted() -> None:
    net = branching(12)
    both = variable("right") * 3 + variable("p12")
    problems = [make_problem(net, at_least(both, n)) for n in (37, 38)]
    answers = dict(ParikhWalk().solve_together(problems, Budget(20)))
    assert isinstance(answers[0], Reachable) and isinstance(answers[1], Unreachable)


@settings(max_examples=15, deadline=None)
@given(nets())
def test_answers_agree_with_brute_force(net: Net) -> None:
    markings = explore(net, 100)
    if markings is None:
        return
    problems = [make_problem(net, enabled(net, ((t.pre,),))) for t in net.transitions]
    budget = Budget(0.5)
    try:
        for number, answer in ParikhWalk().solve_together(problems, budget):
            fires = any(map(net.transitions[number].enabled, markings))
            assert isinstance(answer, Reachable) == fires
    except BudgetExhausted:
        pass
