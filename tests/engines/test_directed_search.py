"""Directed search and random walks: they find what is reachable, and never overclaim."""

from __future__ import annotations

import pytest
from folders import NETS, problem_named, problem_of, questions_of
from hypothesis import given, settings
from notation import problem, trace_of
from oracle import known_verdict
from strategies import problems

from petricheck.arithmetic.formulas.formulas import conjunction, different
from petricheck.arithmetic.formulas.terms import variable
from petricheck.engines import unit
from petricheck.evidence.answer import Answer, Reachable, Trace, Unknown
from petricheck.model.net import make_net
from petricheck.model.problem import Problem, make_problem
from petricheck.questions import check
from petricheck.support import plugins
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted

DIRECTED, WALK = "directed_search", "random_walk"
BOTH = pytest.mark.parametrize("engine", [DIRECTED, WALK])
STRATEGIES = ("restarts", "astar", "greedy")
PUMP = "p=0, add: -> 2 p"
ODD = problem(PUMP, "p % 2 == 1 and p >= 3")
LIMITS = {DIRECTED: ("nodes", "4000", "300"), WALK: ("steps", "30000", "300")}


def search(asked: Problem, engine: str = DIRECTED, **options: str) -> Answer:
    """The audited answer."""
    return check(asked, engine=engine, options=options, budget=Budget(seconds=20)).answer


def fork(depth: int, wanted: int) -> Problem:
    """Each round goes on, or to a dead end."""
    net = f"p=1 q=0 fuel={depth} dead=0, on: p + fuel -> p + q, end: p -> dead"
    return problem(net, f"q >= {wanted}")


@BOTH
@settings(max_examples=16)
@given(asked=problems())
def test_a_trace_is_found_where_enumeration_finds_one_and_never_where_it_excludes_one(
    engine: str, asked: Problem
) -> None:
    verdict = known_verdict(asked, 60 if engine == DIRECTED else 30)
    name, many, few = LIMITS[engine]
    answer = search(asked, engine, **{name: many if verdict == "reachable" else few})
    if verdict is not None:
        assert isinstance(answer, Reachable) == (verdict == "reachable")


REACHABLE = [question for question in questions_of(NETS) if question.expected is True]
LUCKY = ("abp_R", "finkel_counterex_R", "finkel_km_R", "kanban_R", "mesh2x2_R", "pncsacover_R")


@pytest.mark.parametrize("question", REACHABLE, ids=lambda question: str(question.name))
def test_every_reachable_question_of_the_collection_is_answered(question) -> None:
    assert isinstance(search(problem_of(question)), Reachable)
    if question.name in LUCKY:
        assert isinstance(search(problem_of(question), WALK, steps="20000000"), Reachable)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    ("system", "goal", "trace"),
    [
        ("p=6 q=0, split: p -> 2 q, join: 3 q -> p", "p == 5 and q == 2", None),
        # What the plan wants often fires at once, as guards allow.
        (PUMP, "p == 10**6", "add^500000"),
        ("p=0 q=3, fill: q -> p, more: 3 p -> p + 4 q", "p >= 40", None),
        # Large numbers are exact.
        *(
            (f"p={tokens} q=0, move: p -> q", f"{goal} and q >= 3", "move^3")
            for tokens in (2**31, 9 * 10**14)
            for goal in (f"p == {tokens - 3}", f"p - q == {tokens - 6}")
        ),
        # The nearest of several cubes, and what nothing leads to
        ("p=0, add: -> p", "p == 90 or p == 3 or p == 50", "add^3"),
        ("p=1 q=0, move: p -> q", "p == 2 or q == 3 or q == 1", "move"),
        (PUMP, "p % 7 == 4 and p >= 5", None),
    ],
)
def test_these_are_found(system: str, goal: str, trace: str | None, strategy: str) -> None:
    answer = search(problem(system, goal), strategy=strategy)
    assert isinstance(answer, Reachable)
    if trace is not None and strategy == "restarts":
        assert answer.trace == trace_of(trace) and answer.statistics.states < 60


def test_targets_of_exponentially_many_cubes_are_no_obstacle() -> None:
    """Tokens may be put on many places, in any order; nothing is ever taken."""
    places = dict.fromkeys([f"x{n}" for n in range(40)], 0)
    net = make_net("spread", places, {f"t{n}": ({}, {f"x{n}": 1}) for n in range(40)})
    asked = make_problem(net, conjunction(different(variable(place), 0) for place in places))
    assert isinstance(search(asked, WALK), Reachable)
    assert isinstance(declined := search(asked), Unknown) and "best_first" in declined.hint


# The ends of a search


def test_an_exhausted_search_is_unknown_not_a_verdict() -> None:
    answer = search(problem(PUMP, "p == 7"))
    assert isinstance(answer, Unknown) and "exhausted" in answer.reason and answer.hint
    answer = search(problem("p=1, 2 p ->", "p == 2"), WALK)
    assert isinstance(answer, Unknown) and "enables nothing" in answer.reason


@pytest.mark.parametrize(
    ("engine", "asked", "options"),
    [
        *((DIRECTED, ODD, {"strategy": strategy, "nodes": "700"}) for strategy in STRATEGIES),
        (WALK, fork(3, 4), {"steps": "700"}),
    ],
)
def test_no_more_is_searched_than_allowed(
    engine: str, asked: Problem, options: dict[str, str]
) -> None:
    answer = search(asked, engine, **options)
    assert isinstance(answer, Unknown) and "700" in answer.reason and answer.hint
    assert answer.statistics.states == 700


@BOTH
def test_an_exhausted_budget_is_raised_and_says_how_far_the_search_came(engine: str) -> None:
    with pytest.raises(BudgetExhausted) as caught:
        plugins.build("engines", engine).solve(ODD, Budget(seconds=0.05))
    assert engine == WALK or "markings" in "".join(caught.value.__notes__)


GROWING = problem("p=1 q=0, left: p -> 2 p, right: p -> p + q", "p + q == 6")


@pytest.mark.parametrize(
    ("engine", "asked"),
    [(DIRECTED, problem_named("kanban_R")), (WALK, GROWING)],
    ids=[DIRECTED, WALK],
)
def test_the_same_seed_searches_the_same_way_and_others_another(
    engine: str, asked: Problem
) -> None:
    def trace(seed: int) -> Trace:
        answer = search(asked, engine, seed=str(seed))
        assert isinstance(answer, Reachable)
        return answer.trace

    traces = [trace(seed) for seed in range(6)]
    assert traces[1] == trace(1)
    assert len(set(traces)) > 1


def test_dead_ends_lead_to_a_restart() -> None:
    answer = search(fork(4, 4), WALK)
    assert isinstance(answer, Reachable) and answer.trace.length == 4


def test_what_random_walks_count_is_restarts() -> None:
    answer = search(fork(3, 4), WALK, steps="500")
    assert answer.statistics.iterations > 100  # Each ends after four firings.
    assert unit(answer.statistics.engine) == "restart"
