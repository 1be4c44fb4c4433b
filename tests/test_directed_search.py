"""Directed search: finds what is reachable in small and known nets, and never overclaims."""

from __future__ import annotations

import pytest
from folders import NETS, problem_named, problem_of, questions_of
from hypothesis import given, settings
from notation import net_of
from oracle import known_verdict
from strategies import problems

from petricheck.answer import Answer, Reachable, Trace, Unknown
from petricheck.budget import Budget
from petricheck.engines.directed_search import DirectedSearch
from petricheck.errors import BudgetExhausted
from petricheck.presburger.formulas import (
    Formula,
    at_least,
    congruent,
    conjunction,
    different,
    disjunction,
    equal,
)
from petricheck.presburger.terms import variable
from petricheck.problem import Net, Problem, make_net, make_problem
from petricheck.questions import check

REACHABLE = [q for q in questions_of(NETS) if q.expected is True]
STRATEGIES = ("restarts", "astar", "greedy")
p, q = variable("p"), variable("q")


def search(net: Net, target: Formula, seconds: float = 20, **options: str) -> Answer:
    """The audited answer."""
    problem = make_problem(net, target)
    budget = Budget(seconds=seconds)
    return check(problem, engine="directed_search", options=options, budget=budget).answer


def pump(weight: int = 2) -> Net:
    return make_net("pump", {"p": 0}, {"add": ({}, {"p": weight})})


def spread(width: int) -> Net:
    """Tokens may be put on many places, in any order; nothing is ever taken."""
    places = dict.fromkeys([f"x{n}" for n in range(width)], 0)
    return make_net("spread", places, {f"t{n}": ({}, {f"x{n}": 1}) for n in range(width)})


# Sound, and complete on what is small


@settings(max_examples=40)
@given(problems())
def test_a_trace_is_found_where_enumeration_finds_one_and_never_where_it_excludes_one(
    problem: Problem,
):
    verdict = known_verdict(problem, 60)
    options = {"nodes": "4000" if verdict == "reachable" else "300"}
    result = check(problem, engine="directed_search", options=options)
    if verdict is not None:
        assert isinstance(result.answer, Reachable) == (verdict == "reachable")


@pytest.mark.parametrize("question", REACHABLE, ids=lambda question: str(question.name))
def test_every_reachable_question_of_the_collection_is_answered(question):
    problem = problem_of(question)
    assert isinstance(search(problem.net, problem.target), Reachable)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_finds_the_way_through_figure_8(strategy: str):
    arcs = {"split": ({"p": 1}, {"q": 2}), "join": ({"q": 3}, {"p": 1})}
    net = make_net("n", {"p": 6, "q": 0}, arcs)
    answer = search(net, conjunction([equal(p, 5), equal(q, 2)]), strategy=strategy)
    assert isinstance(answer, Reachable)


# Repetition, and numbers of every size


def test_what_the_plan_wants_often_fires_at_once():
    answer = search(pump(), equal(p, 10**6))
    assert isinstance(answer, Reachable)
    assert answer.trace == Trace((("add", 500_000),)) and answer.statistics.states < 50


def test_guards_limit_how_often_a_transition_fires_at_once():
    arcs = {"fill": ({"q": 1}, {"p": 1}), "more": ({"p": 3}, {"p": 1, "q": 4})}
    net = make_net("n", {"p": 0, "q": 3}, arcs)
    assert isinstance(search(net, at_least(p, 40)), Reachable)


@pytest.mark.parametrize("tokens", [2**31, 2**62, 2**64 + 1, 10**40])
def test_markings_beyond_machine_integers_stay_exact(tokens: int):
    net = make_net("n", {"p": tokens, "q": 0}, {"move": ({"p": 1}, {"q": 1})})
    for target in (equal(p, tokens - 3), equal(p - q, tokens - 6)):
        answer = search(net, conjunction([target, at_least(q, 3)]))
        assert isinstance(answer, Reachable) and answer.trace == Trace((("move", 3),))


def test_a_weight_beyond_floats_is_no_obstacle():
    huge = 10**400
    net = make_net("n", {"p": 2 * huge, "q": 0}, {"move": ({"p": huge}, {"q": 1})})
    assert isinstance(search(net, equal(q, 1)), Reachable)


# Targets of every shape


def test_congruences_are_checked_exactly():
    answer = search(pump(), conjunction([congruent(p, 4, 7), at_least(p, 5)]))
    assert isinstance(answer, Reachable) and (answer.trace.length * 2) % 7 == 4


def test_the_nearest_of_several_cubes_is_found():
    answer = search(pump(1), disjunction([equal(p, 90), equal(p, 3), equal(p, 50)]))
    assert isinstance(answer, Reachable) and answer.trace.length == 3


def test_cubes_that_nothing_leads_to_do_not_stand_in_the_way():
    net = net_of("p=1 q=0, move: p -> q")
    assert isinstance(search(net, disjunction([equal(p, 2), equal(q, 3), equal(q, 1)])), Reachable)


def test_targets_of_exponentially_many_cubes_are_searched_downhill():
    width = 16
    net = spread(width)
    target = conjunction(different(variable(place), 0) for place in net.places)
    answer = search(net, target)
    assert isinstance(answer, Reachable) and answer.trace.length == width


# The ends of a search


def test_an_exhausted_search_is_unknown_not_a_verdict():
    answer = search(pump(), equal(p, 7))
    assert isinstance(answer, Unknown) and "exhausted" in answer.reason and answer.hint


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_more_markings_are_met_than_allowed(strategy: str):
    target = conjunction([congruent(p, 1, 2), at_least(p, 3)])
    answer = search(pump(), target, strategy=strategy, nodes="700")
    assert isinstance(answer, Unknown) and "700" in answer.reason
    assert answer.statistics.states == 700


def test_an_exhausted_budget_is_raised_and_says_how_far_the_search_came():
    target = conjunction([congruent(p, 1, 2), at_least(p, 3)])
    problem = make_problem(pump(), target)
    with pytest.raises(BudgetExhausted) as caught:
        DirectedSearch().solve(problem, Budget(seconds=0.05))
    assert "markings" in "".join(caught.value.__notes__)


def test_the_same_seed_searches_the_same_way():
    problem = problem_named("kanban_R")

    def states(seed: str) -> tuple[Trace, int]:
        answer = search(problem.net, problem.target, seed=seed)
        assert isinstance(answer, Reachable)
        return answer.trace, answer.statistics.states

    assert states("1") == states("1")
    assert len({states(seed) for seed in ("1", "2", "3", "4")}) > 1
