"""Random walks: repeatable, sound, lucky where luck is enough."""

from __future__ import annotations

import pytest
from folders import problem_named
from hypothesis import given, settings
from notation import net_of
from oracle import known_verdict
from strategies import problems

from petricheck.answer import Answer, Reachable, Trace, Unknown
from petricheck.budget import Budget
from petricheck.engines import unit
from petricheck.engines.random_walk import RandomWalk
from petricheck.errors import BudgetExhausted
from petricheck.presburger.formulas import (
    Formula,
    at_least,
    conjunction,
    different,
    equal,
)
from petricheck.presburger.terms import variable
from petricheck.problem import Net, Problem, make_net, make_problem
from petricheck.questions import check
from petricheck.search.walker import Walker

LUCKY = ("abp_R", "finkel_counterex_R", "finkel_km_R", "kanban_R", "mesh2x2_R", "pncsacover_R")
p, q = variable("p"), variable("q")


def walk(net: Net, target: Formula, **options: str) -> Answer:
    """The audited answer."""
    problem = make_problem(net, target)
    return check(problem, engine="random_walk", options={"steps": "100000"} | options).answer


def fork(depth: int) -> Net:
    """Each round goes on, or to a dead end."""
    arcs = {"on": ({"p": 1, "fuel": 1}, {"p": 1, "q": 1}), "end": ({"p": 1}, {"dead": 1})}
    return make_net("fork", {"p": 1, "q": 0, "fuel": depth, "dead": 0}, arcs)


@settings(max_examples=50)
@given(problems())
def test_walks_find_what_enumeration_finds_and_never_what_it_excludes(problem: Problem):
    verdict = known_verdict(problem, 30)
    options = {"steps": "30000" if verdict == "reachable" else "300"}
    result = check(problem, engine="random_walk", options=options)
    if verdict is not None:
        assert isinstance(result.answer, Reachable) == (verdict == "reachable")


@pytest.mark.parametrize("name", LUCKY)
def test_questions_of_the_collection_that_luck_suffices_for_are_answered(name: str):
    problem = problem_named(name)
    assert isinstance(walk(problem.net, problem.target, steps="20000000"), Reachable)


def test_the_same_seed_walks_the_same_way_and_another_seed_another():
    net = fork(6)

    def trace(seed: int) -> Trace:
        answer = walk(net, at_least(q, 5), seed=str(seed))
        assert isinstance(answer, Reachable)
        return answer.trace

    assert all(trace(seed) == trace(seed) for seed in range(3))
    ring = net_of("p=1 q=0, go: p -> q, back: q -> p, up: q -> 2 q")
    answers = {str(walk(ring, equal(p, 3), seed=str(seed))) for seed in range(6)}
    assert len(answers) > 1


def test_dead_ends_lead_to_a_restart():
    answer = walk(fork(4), at_least(q, 4))
    assert isinstance(answer, Reachable) and answer.trace.length == 4


def test_what_random_walks_count_is_restarts(monkeypatch):
    # A walker begins with a restart of its own, which is none.
    restarts: list[Walker] = []
    restart = Walker.restart
    monkeypatch.setattr(Walker, "restart", lambda self: (restarts.append(self), restart(self)))
    answer = walk(fork(3), at_least(q, 4), steps="500")
    assert answer.statistics.iterations == len(restarts) - 1 > 0
    assert unit(answer.statistics.engine) == "restart"


def test_downhill_a_transition_fires_many_times_at_once():
    net = net_of("p=0, add: -> p")
    answer = walk(net, at_least(p, 10**30))
    assert isinstance(answer, Reachable) and answer.statistics.states < 100


def test_targets_of_exponentially_many_cubes_are_no_obstacle():
    places = dict.fromkeys([f"x{n}" for n in range(40)], 0)
    net = make_net("spread", places, {f"t{n}": ({}, {f"x{n}": 1}) for n in range(40)})
    target = conjunction(different(variable(place), 0) for place in places)
    assert isinstance(walk(net, target), Reachable)


def test_where_nothing_is_enabled_at_first_there_is_nothing_to_walk():
    answer = walk(net_of("p=1, t: 2 p ->"), equal(p, 2))
    assert isinstance(answer, Unknown) and "enables nothing" in answer.reason


def test_walks_end_after_the_steps_that_are_allowed():
    answer = walk(fork(3), at_least(q, 4), steps="500")
    assert isinstance(answer, Unknown) and answer.hint
    assert answer.statistics.states == 500


def test_an_exhausted_budget_is_raised():
    with pytest.raises(BudgetExhausted):
        RandomWalk().solve(make_problem(fork(3), at_least(q, 4)), Budget(seconds=0.05))
