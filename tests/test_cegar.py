"""The CEGAR engine on nets whose answers are known, and at the edges of what may be asked."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from folders import NETS, problem_named
from notation import net_of
from questions import problem as ask

from petricheck.answer import Reachable, Trace, Unknown, Unreachable
from petricheck.budget import Budget
from petricheck.errors import QueryError
from petricheck.presburger.formulas import (
    FALSE,
    Congruence,
    Formula,
    Negation,
    at_least,
    at_most,
    atoms,
    congruent,
    conjunction,
    disjunction,
    equal,
)
from petricheck.presburger.solver import equivalent
from petricheck.presburger.terms import variable
from petricheck.problem import Net, make_net, make_problem
from petricheck.questions import Finding, check

EXACT = "checked in exact integer arithmetic"
p, q = variable("p"), variable("q")


def decide(net: Net, target: Formula, seconds: float = 20, **options: str) -> Finding:
    return check(
        make_problem(net, target), options=options, budget=Budget(seconds=seconds), engine="cegar"
    )


def swap(tokens: int = 1) -> Net:
    return make_net(
        "swap", {"p": tokens, "q": 0}, {"a": ({"p": 1}, {"q": 1}), "b": ({"q": 1}, {"p": 1})}
    )


def pump(weight: int = 2) -> Net:
    return make_net("pump", {"p": 0}, {"add": ({}, {"p": weight})})


# The examples of the paper, and ours


def test_place_invariants_prove_figure_8_with_p1_equal_p2():
    options = {"heuristics": "place_invariants"}
    result = check(
        problem_named("fig8_U"), options=options, budget=Budget(seconds=20), engine="cegar"
    )
    assert isinstance(result.answer, Unreachable)
    invariant = result.answer.certificate.invariant
    assert equivalent(invariant, equal(variable("p1"), variable("p2")))


def test_an_odd_target_of_steps_of_two_gets_a_modular_certificate():
    result = check(problem_named("parity_U"), budget=Budget(20), engine="cegar")
    assert isinstance(result.answer, Unreachable) and result.audit == EXACT
    found = tuple(atoms(result.answer.certificate.invariant))
    assert found and all(isinstance(atom, Congruence) for atom in found)


@pytest.mark.parametrize("missed", [1, 2, 4, 7])
def test_every_gap_of_threes_and_fives_is_unreachable_and_the_next_sum_is_not(missed):
    net = net_of("p=0, three: -> 3 p, five: -> 5 p")
    assert isinstance(decide(net, equal(p, missed)).answer, Unreachable)
    answer = decide(net, equal(p, missed + 7)).answer
    assert isinstance(answer, Reachable)
    values = {"three": 3, "five": 5}
    assert sum(values[name] * n for name, n in answer.trace.steps) == missed + 7


# The edges of what may be asked


def test_a_false_target_is_unreachable():
    for target in (
        FALSE,
        conjunction([at_least(p, 2), at_most(p, 1)]),
        conjunction([at_least(p + q, 3), at_most(p + q, 2)]),
        conjunction([congruent(p, 0, 2), congruent(p, 1, 2)]),
        at_most(p, -1),
        at_most(p + q, -5),
    ):
        assert isinstance(decide(swap(), target).answer, Unreachable)


def test_a_negated_congruence_is_split_by_residue():
    net = net_of("p=0, t: -> 3 p")
    assert isinstance(decide(net, Negation(congruent(p, 0, 3))).answer, Unreachable)
    assert isinstance(decide(net, Negation(congruent(p, 0, 6))).answer, Reachable)


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        ("p mod 3000000 = 2000000", Unreachable),
        ("p mod 3000000 = 2999999 and p <= 10", Unreachable),
        ("p mod 3000000 = 1000 or c = 51", Unreachable),
        ("(p + 2*d) mod 1000 = 777 and d <= 20", Unreachable),
        ("d mod 3000000 = 2000000", Reachable),
        ("(p + 3*d) mod 3000000 = 2000001", Reachable),
    ],
)
def test_large_moduli_are_not_gone_through_residue_by_residue(formula, verdict):
    net = net_of("p=0 c=50 d=0, t: c -> p, u: p -> c, v: 2 c -> 2 c + d")
    result = check(ask(net, formula=formula), engine="cegar", budget=Budget(10))
    assert isinstance(result.answer, verdict)
    assert result.answer.statistics.iterations < 10


def test_one_reachable_cube_among_unreachable_ones_is_found():
    target = disjunction([equal(p, 1), equal(p, 3), equal(p, 8), equal(p, 5)])
    answer = decide(pump(), target).answer
    assert isinstance(answer, Reachable) and answer.trace == Trace((("add", 4),))


# Numbers of any size


@pytest.mark.parametrize("big", [2**31, 2**62, 2**63, 10**30])
def test_no_number_is_too_large_to_be_exact(big):
    assert isinstance(decide(swap(big), at_least(p + q, big + 1)).answer, Unreachable)
    answer = decide(swap(big), at_most(p, big - 2)).answer
    assert isinstance(answer, Reachable) and answer.trace == Trace((("a", 2),))
    heavy = make_net("heavy", {"p": big, "q": 0}, {"t": ({"p": big}, {"q": big + 1})})
    assert isinstance(decide(heavy, equal(q, big + 1)).answer, Reachable)
    assert isinstance(decide(heavy, equal(q, big)).answer, Unreachable)
    starved = make_net("starved", {"p": big, "q": 0}, {"t": ({"p": big + 1}, {"q": 1})})
    assert isinstance(decide(starved, at_least(q, 1)).answer, Unreachable)


@pytest.mark.parametrize("big", [10**3, 10**9, 2**62, 10**30])
def test_an_odd_multiple_is_missed_by_steps_of_two_of_any_size(big):
    assert isinstance(decide(pump(2 * big), equal(p, 3 * big)).answer, Unreachable)
    assert isinstance(decide(pump(2 * big), equal(p, 4 * big + 1)).answer, Unreachable)
    assert isinstance(decide(pump(2 * big), equal(p, 6 * big)).answer, Reachable)


# Runs repeat

RUNS = """
import sys
from pathlib import Path
from petricheck import Budget, check, load
from petricheck.batch.questions.index import question_about, read_question
for name in sys.argv[1:]:
    question = read_question(Path(name))
    net = load(str(question.net))
    problem = question_about(question, net).problem
    result = check(problem, budget=Budget(seconds=60), engine="cegar")
    answer = result.answer
    print(name, type(answer).__name__, result.audit, answer.statistics.iterations,
          repr(getattr(answer, "trace", None)), repr(getattr(answer, "certificate", None)))
"""


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


def test_the_log_holds_one_line_of_json_for_each_refinement(tmp_path):
    file = tmp_path / "log.jsonl"
    result = check(problem_named("exponential_U"), options={"log": str(file)}, engine="cegar")
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert isinstance(result.answer, Unreachable)
    assert len(lines) == result.answer.statistics.iterations > 1
    keys = {"iteration", "path", "target", "outcome", "heuristics", "accelerated", "templates",
            "cost", "interpolants", "residues"}  # fmt: skip
    names = {t.name for t in result.problem.net.transitions}
    for number, line in enumerate(lines, start=1):
        assert keys <= line.keys() and line["iteration"] == number
        assert line["outcome"] == "spurious" and line["interpolants"] and line["heuristics"]
        assert set(line["path"]) <= names and set(line["accelerated"]) <= names


def test_seeded_predicates_may_decide_without_a_refinement(tmp_path):
    file = tmp_path / "predicates"
    file.write_text("p + q <= 1  # the place invariant\n", encoding="utf-8")
    target = conjunction([equal(p, 1), equal(q, 1)])
    seeded = decide(swap(), target, predicates=str(file)).answer
    assert isinstance(seeded, Unreachable) and seeded.statistics.iterations == 0
    plain = decide(swap(), target).answer
    assert isinstance(plain, Unreachable) and plain.statistics.iterations > 0


def test_the_abstract_graph_is_written_when_time_runs_out(tmp_path):
    file = tmp_path / "graph.json"
    options = {"guide": "none", "graph": str(file)}
    result = check(
        problem_named("fig8_U"), options=options, budget=Budget(seconds=0.3), engine="cegar"
    )
    assert isinstance(result.answer, Unknown)
    assert json.loads(file.read_text(encoding="utf-8"))["states"]


@pytest.mark.parametrize("option", ["predicates", "log", "graph"])
def test_a_file_that_cannot_be_opened_is_refused_by_name(tmp_path, option):
    missing = str(tmp_path / "missing" / "file")
    with pytest.raises(QueryError, match="missing"):
        decide(pump(), equal(p, 3), **{option: missing})


def test_an_unbounded_direction_excludes_no_target_however_large(tmp_path):
    pump = net_of("p=0, t: -> 2 p")
    seeds = tmp_path / "seeds"
    seeds.write_text("p <= 0\n")
    options = {"predicates": str(seeds)}
    answer = check(ask(pump, formula="p >= 1000"), options=options, engine="cegar").answer
    assert isinstance(answer, Reachable)


@pytest.mark.parametrize("exponent", [8, 12, 15])
def test_a_trace_may_repeat_an_action_as_often_as_it_takes(exponent):
    tokens = 10**exponent
    net = make_net("move", {"p": tokens, "q": 0}, {"a": ({"p": 1}, {"q": 1})})
    answer = check(ask(net, target=f"p=1, q={tokens - 1}"), engine="cegar").answer
    assert isinstance(answer, Reachable)
    assert answer.trace.steps == (("a", tokens - 1),)
