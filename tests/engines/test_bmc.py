"""Bounded model checking: traces of as many blocks as it takes, and nothing else."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import formulas
from notation import problem as problem_of
from oracle import known_verdict, shortest_trace
from strategies import nets, targets

from petricheck.engines.bmc import Bmc
from petricheck.evidence.answer import Reachable, Unknown
from petricheck.evidence.audit import audit
from petricheck.model.problem import make_problem
from petricheck.questions import check
from petricheck.support.budget import Budget
from petricheck.symbolic.encoding.blocks import BlockKind

PUMP = "p=1 q=0, t: p -> p + 2 q"


@settings(max_examples=15)
@given(st.data(), nets(), st.sampled_from(BlockKind))
def test_runs_meet_what_enumeration_meets_in_so_many_firings_and_nothing_else(data, net, block):
    problem = make_problem(net, data.draw(targets(net)))
    trace = shortest_trace(problem, 30)
    long = trace is not None and len(trace) > 5
    options = {"block": block.value, "length": str(3 if trace is None or long else len(trace))}
    answer = check(problem, engine="bmc", options=options).answer
    if trace is not None and not long:
        assert isinstance(answer, Reachable)
    if known_verdict(problem, 30) == "unreachable":
        assert isinstance(answer, Unknown)


@settings(max_examples=15)
@given(st.data(), nets())
def test_several_targets_in_one_solver_are_met_as_each_by_itself(data, net):
    drawn = data.draw(st.lists(targets(net), min_size=1, max_size=3))
    problems = [make_problem(net, target) for target in drawn]
    together = list(Bmc(length=3).solve_together(problems, Budget(20)))
    assert len({number for number, _ in together}) == len(together)
    answers = [check(each, engine="bmc", options={"length": "3"}).answer for each in problems]
    alone = [n for n, answer in enumerate(answers) if isinstance(answer, Reachable)]
    assert sorted(number for number, _ in together) == alone
    for number, answer in together:
        assert audit(problems[number], answer)


@pytest.mark.parametrize(
    ("system", "goal", "options", "reason"),
    [
        ("p=3 q=0, t: p -> q", "q >= 4", {"block": "multiset"}, "ends within 3 blocks"),
        ("p=3 q=0, t: p -> q", "q >= 4", {"block": "single"}, "ends within 3 blocks"),
        (PUMP, "q == 3", {"length": "4"}, "at most 4 blocks"),
    ],
)
def test_how_far_it_looked_is_said(system, goal, options, reason):
    answer = check(problem_of(system, goal), engine="bmc", options=options).answer
    assert isinstance(answer, Unknown) and reason in answer.reason


def test_what_is_told_and_false_hides_no_trace():
    false = formulas("q <= 5, p >= 2, p + q <= 1, r >= 1")
    problem = problem_of(PUMP, "q >= 10**9")
    answer = Bmc().solve_informed(problem, Budget(20), false)
    assert isinstance(answer, Reachable)
    assert answer.trace.steps == (("t", 10**9 // 2),)


def test_in_the_race_it_reaches_numbers_that_are_beyond_all_other_searches():
    doubled = ", ".join(f"t{n}: p{n} -> 2 p{n + 1}" for n in range(200))
    empty = " ".join(f"p{n}=0" for n in range(1, 201))
    problem = problem_of(f"p0=1 {empty}, {doubled}", f"p200 >= {2**200}")
    # k_induction would reach them too; it joins where 16 s are left.
    answer = check(problem, options={"sweep": ""}, budget=Budget(15)).answer
    assert isinstance(answer, Reachable)
