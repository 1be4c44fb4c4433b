"""Interpolation-based model checking: right verdicts, and nothing wrong from wrong interpolants."""

from __future__ import annotations

from itertools import product

import pytest
from folders import problem_named
from notation import formula, problem

from petricheck.arithmetic.formulas.formulas import Conjunction, evaluate
from petricheck.arithmetic.solvers.solver import find_model
from petricheck.evidence.answer import Reachable, Unknown, Unreachable
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.laboratory.images.partition import BlockPartition
from petricheck.model.net import make_net
from petricheck.model.problem import Problem, make_problem
from petricheck.questions import check
from petricheck.support.budget import Budget
from petricheck.symbolic.encoding.blocks import BLOCKS, BlockKind
from petricheck.symbolic.encoding.stamps import stamp

WAYS = [
    {"derivation": d, "block": b, "interpolants": i}
    for d, b, i in product(("forward", "backward"), BLOCKS, ("cubes", "prover"))
]

ADD_TWO = "x=0, add: -> 2 x"
"""The program of section 4.3: a loop that adds two."""


def decided(problem: Problem, seconds: float = 20, **options: str) -> Reachable | Unreachable:
    result = check(problem, engine="imc", options=options, budget=Budget(seconds))
    assert isinstance(result.answer, Reachable | Unreachable), result.answer
    assert result.audit
    return result.answer


@pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(way.values()))
def test_adding_two_never_gives_an_odd_number_with_either_derivation(way):
    answer = decided(problem(ADD_TWO, "x % 2 == 1"), **way)
    assert isinstance(answer, Unreachable) and isinstance(answer.certificate, Certificate)
    reached = [evaluate(answer.certificate.invariant, {"x": n}) for n in range(6)]
    assert reached == [True, False] * 3


@pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(way.values()))
def test_adding_two_gives_even_numbers(way):
    answer = decided(problem(ADD_TWO, "x == 8"), runs="block", **way)
    assert isinstance(answer, Reachable) and answer.trace.steps == (("add", 4),)


@pytest.mark.parametrize("name", ["fms_R", "kanban_R", "mesh2x2_R"])
def test_traces_that_take_many_blocks_of_one_transition_are_few_multisets(name):
    assert isinstance(decided(problem_named(name)), Reachable)


@pytest.mark.parametrize("block", ["accelerated", "multiset"])
def test_large_blocks_prove_a_large_bound_without_counting_firings(block):
    assert isinstance(decided(problem(ADD_TWO, "x == 10**6 + 1"), block=block), Unreachable)


def test_blocks_without_effect_are_counted_once():
    net = "p=1 q=0, look: p -> p, t: -> q"
    assert isinstance(decided(problem(net, "q == 3")), Reachable)
    assert isinstance(decided(problem(net, "p == 2")), Unreachable)


def test_the_suffix_meets_the_target_after_each_of_its_blocks():
    query = problem("p=3 q=0, t: p -> 2 q", "p == 0 and q == 1")
    assert isinstance(decided(query), Unreachable)
    for block in BlockKind:
        suffix = BlockPartition(query, block).suffix(3)
        assert find_model(Conjunction((suffix, stamp(query.target, 1))), natural=True) is not None


@pytest.mark.parametrize("block", [BlockKind.SINGLE, BlockKind.ACCELERATED])
def test_a_run_ends_where_it_meets_the_target(block):
    partition = BlockPartition(problem(ADD_TWO, "x == 7"), block)
    model = {"x@0": 3, "x@1": 5, "x@2": 7, "x@3": 0, "n@0#": 1, "n@1#": 1, "n@2#": 0}
    assert partition.firings(model, 3) == ((0, 1), (0, 1))


def test_nets_that_are_too_large_for_cubes_of_single_transitions_are_declined():
    size = 1_000
    arcs = {f"t{n}": ({f"p{n}": 1}, {f"p{n + 1}": 1}) for n in range(size - 1)}
    net = make_net("chain", {f"p{n}": int(n == 0) for n in range(size)}, arcs)
    answer = check(make_problem(net, formula("p5 >= 2")), engine="imc", budget=Budget(10)).answer
    assert isinstance(answer, Unknown) and "multiset" in answer.hint
