"""The CEGAR engine on nets whose answers are known, and at the edges of what may be asked."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from equivalence import equivalent
from folders import NETS, problem_named
from notation import problem, trace_of

from petricheck.arithmetic.formulas.formulas import Congruence, atoms, equal
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.answer import Reachable, Unknown, Unreachable
from petricheck.model.problem import Problem
from petricheck.questions import Finding, check
from petricheck.support.budget import Budget
from petricheck.support.errors import QueryError

SWAP = "p=1 q=0, a: p -> q, b: q -> p"
PUMP = "p=0, add: -> 2 p"
THREES_AND_FIVES = "p=0, three: -> 3 p, five: -> 5 p"
COUNTER = "p=0 c=50 d=0, t: c -> p, u: p -> c, v: 2 c -> 2 c + d"


def decide(asked: Problem, seconds: float = 20, **options: str) -> Finding:
    return check(asked, options=options, budget=Budget(seconds), engine="cegar")


def test_place_invariants_prove_figure_8_with_p1_equal_p2():
    answer = decide(problem_named("fig8_U"), heuristics="place_invariants").answer
    assert isinstance(answer, Unreachable)
    assert equivalent(answer.certificate.invariant, equal(variable("p1"), variable("p2")))


def test_an_odd_target_of_steps_of_two_gets_a_modular_certificate():
    result = decide(problem_named("parity_U"))
    assert isinstance(result.answer, Unreachable)
    assert result.audit == "checked in exact integer arithmetic"
    found = tuple(atoms(result.answer.certificate.invariant))
    assert found and all(isinstance(atom, Congruence) for atom in found)


@pytest.mark.parametrize(
    ("net", "goals", "verdict"),
    [
        (THREES_AND_FIVES, ["p == 1", "p == 2", "p == 4", "p == 7"], Unreachable),
        (THREES_AND_FIVES, ["p == 8", "p == 9", "p == 11", "p == 14"], Reachable),
        # What no marking satisfies.
        (SWAP, ["0 >= 1", "p >= 2 and p <= 1", "p + q >= 3 and p + q <= 2"], Unreachable),
        (SWAP, ["p % 2 == 0 and p % 2 == 1", "p <= -1", "p + q <= -5"], Unreachable),
        # A negated congruence is split by residue.
        ("p=0, t: -> 3 p", ["not p % 3 == 0"], Unreachable),
        ("p=0, t: -> 3 p", ["not p % 6 == 0"], Reachable),
        # Large moduli are not gone through residue by residue.
        (COUNTER, ["p % 3000000 == 2000000", "p % 3000000 == 1000 or c == 51"], Unreachable),
        (COUNTER, ["p % 3000000 == 2999999 and p <= 10"], Unreachable),
        (COUNTER, ["(p + 2*d) % 1000 == 777 and d <= 20"], Unreachable),
        (COUNTER, ["d % 3000000 == 2000000", "(p + 3*d) % 3000000 == 2000001"], Reachable),
    ],
)
def test_questions_at_the_edges_are_decided(net, goals, verdict):
    for goal in goals:
        answer = decide(problem(net, goal), 10).answer
        assert isinstance(answer, verdict), goal
        assert answer.statistics.iterations < 10, goal


# Numbers of any size


@pytest.mark.parametrize("n", [10**3, 10**9, 2**31, 2**62, 2**63, 10**30])
def test_no_number_is_too_large_to_be_exact(n):
    swap = f"p={n} q=0, a: p -> q, b: q -> p"
    heavy = f"p={n} q=0, {n} p -> {n + 1} q"
    starved = f"p={n} q=0, {n + 1} p -> q"
    pump = f"p=0, -> {2 * n} p"
    for net, goal, verdict in (
        (swap, f"p + q >= {n + 1}", Unreachable),
        (heavy, f"q == {n + 1}", Reachable),
        (heavy, f"q == {n}", Unreachable),
        (starved, "q >= 1", Unreachable),
        (pump, f"p == {3 * n}", Unreachable),
        (pump, f"p == {4 * n + 1}", Unreachable),
        (pump, f"p == {6 * n}", Reachable),
    ):
        assert isinstance(decide(problem(net, goal)).answer, verdict), goal
    answer = decide(problem(swap, f"p <= {n - 2}")).answer
    assert isinstance(answer, Reachable) and answer.trace == trace_of("a^2")


@pytest.mark.parametrize("exponent", [8, 12, 15])
def test_a_trace_may_repeat_an_action_as_often_as_it_takes(exponent):
    tokens = 10**exponent
    answer = decide(problem(f"p={tokens} q=0, p -> q", f"p == 1 and q == {tokens - 1}")).answer
    assert isinstance(answer, Reachable) and answer.trace == trace_of(f"t^{tokens - 1}")


# Runs repeat

RUNS = """
import sys
from pathlib import Path
from petricheck import Budget, check, load
from petricheck.batch.questions.index import question_about, read_questions
for name in sys.argv[1:]:
    (question,) = read_questions(Path(name))
    net = load(str(question.net))
    problem = question_about(question, net).problem
    result = check(problem, budget=Budget(seconds=60), engine="cegar")
    answer = result.answer
    print(name, type(answer).__name__, result.audit, answer.statistics.iterations,
          repr(getattr(answer, "trace", None)), repr(getattr(answer, "certificate", None)))
"""


@pytest.mark.slow
def test_two_processes_give_the_same_answer_to_the_letter():
    names = ("exponential_U", "l6000_U", "three_five_U", "finkel_km_U", "finkel_km_R", "basic_me_U")
    files = [str(NETS / f"{name}.json") for name in names]
    outputs = []
    for seed in ("0", "4711"):
        run = subprocess.run(
            [sys.executable, "-c", RUNS, *files],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.append(run.stdout)
    assert outputs[0] == outputs[1]
    assert outputs[0].count("\n") == len(names)


# What a run reads and writes


def test_seeded_predicates_may_decide_without_a_refinement(tmp_path):
    file = tmp_path / "predicates"
    file.write_text("p + q <= 1  # the place invariant\n", encoding="utf-8")
    both = problem(SWAP, "p == 1 and q == 1")
    seeded, plain = decide(both, predicates=str(file)).answer, decide(both).answer
    assert isinstance(seeded, Unreachable) and seeded.statistics.iterations == 0
    assert isinstance(plain, Unreachable) and plain.statistics.iterations > 0


def test_an_unbounded_direction_excludes_no_target_however_large(tmp_path):
    file = tmp_path / "predicates"
    file.write_text("p <= 0\n", encoding="utf-8")
    answer = decide(problem(PUMP, "p >= 1000"), predicates=str(file)).answer
    assert isinstance(answer, Reachable)


def test_the_abstract_graph_is_written_when_time_runs_out(tmp_path):
    file = tmp_path / "graph.json"
    result = decide(problem_named("fig8_U"), 0.3, guide="none", graph=str(file))
    assert isinstance(result.answer, Unknown) and result.answer.hint and not result.audit
    assert json.loads(file.read_text(encoding="utf-8"))["states"]


@pytest.mark.parametrize("option", ["predicates", "log", "graph"])
def test_a_file_that_cannot_be_opened_is_refused_by_name(tmp_path, option):
    with pytest.raises(QueryError, match="missing"):
        decide(problem(PUMP, "p == 3"), **{option: str(tmp_path / "missing" / "file")})
