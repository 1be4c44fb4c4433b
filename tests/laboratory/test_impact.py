"""The engine impact: right wherever it answers, by evidence that needs no solver."""

from __future__ import annotations

import json

import pytest
from folders import problem_named
from notation import EXACT, net_of
from questions import problem as ask

from petricheck.evidence.answer import Reachable, Unknown, Unreachable
from petricheck.questions import check
from petricheck.support.budget import Budget


def test_finkels_counterexample_has_the_expected_verdicts():
    problem = problem_named("finkel_counterex_R")
    for cover, verdict in (("p5=3", Reachable), ("p3=1, p5=2", Reachable), ("p1=2", Unreachable)):
        query = ask(problem.net, cover=cover)
        result = check(query, engine="impact", budget=Budget(60))
        assert isinstance(result.answer, verdict), cover


@pytest.mark.parametrize("options", [{}, {"interpolants": "prover"}, {"language": "0"}])
def test_a_long_trace_is_found_by_acceleration(options):
    problem = ask(net_of("p=0, t: -> 2 p"), target="p=2000")
    answer = check(problem, engine="impact", options=options, budget=Budget(60)).answer
    assert isinstance(answer, Reachable) and answer.trace.steps == (("t", 1000),)


def test_a_label_that_needs_several_bounds_to_exclude_the_target_has_them():
    net = net_of("p=3 q=1 r=1 s=0, t: r + s -> r")
    problem = ask(net, formula="p <= q + 2*s + 1 or p >= q + 2*s + 3")
    options = {"interpolants": "prover", "language": "0"}
    answer = check(problem, engine="impact", options=options, budget=Budget(60)).answer
    assert isinstance(answer, Unreachable)


def test_control_groups_alone_may_prove_mutual_exclusion():
    problem = problem_named("basic_me_U")
    for engine in ("impact", "cegar"):
        result = check(problem, engine=engine, options={"control": "1"}, budget=Budget(60))
        assert isinstance(result.answer, Unreachable) and result.audit == EXACT
        assert result.answer.statistics.iterations == 0


@pytest.mark.parametrize("name", ["abp_R", "fms_R", "manufacturing_9_R", "mesh2x2_R"])
def test_the_state_equation_leads_to_traces_by_few_refinements(name):
    answer = check(problem_named(name), engine="impact", budget=Budget(60)).answer
    assert isinstance(answer, Reachable) and answer.statistics.iterations < 50


@pytest.mark.parametrize("engine", ["cegar", "impact", "predicate_abstraction"])
def test_engines_that_refute_error_paths_count_predicates_and_the_time_for_it(engine):
    problem = problem_named("basic_me_U")
    cost = check(problem, engine=engine, budget=Budget(60)).answer.statistics
    assert cost.iterations == cost.predicates == 1
    assert 0 < cost.interpolation < 60


def test_the_unwinding_is_drawn_for_every_answer(tmp_path):
    net = net_of("p=0 q=0, t: -> 2 p, u: 3 p -> q")
    for target, kind in (("p=1, q=0", Unreachable), ("p=4, q=0", Reachable)):
        for suffix in ("json", "dot"):
            file = tmp_path / f"unwinding.{suffix}"
            problem = ask(net, target=target)
            result = check(
                problem, engine="impact", options={"graph": str(file)}, budget=Budget(30)
            )
            assert isinstance(result.answer, (kind, Unknown))
            text = file.read_text(encoding="utf-8")
            if suffix == "dot":
                assert text.startswith("digraph unwinding {") and text.endswith("}\n")
                continue
            drawn = json.loads(text)
            numbers = {vertex["id"] for vertex in drawn["vertices"]}
            assert len(drawn["edges"]) == len(numbers) - 1 == drawn["statistics"]["vertices"] - 1
            assert all({arc["vertex"], arc["by"]} <= numbers for arc in drawn["coverings"])
            covered = [vertex["id"] for vertex in drawn["vertices"] if vertex["covered"]]
            assert drawn["statistics"]["covered"] == len(covered)


def test_the_unwinding_is_drawn_where_time_runs_out(tmp_path):
    file = tmp_path / "unwinding.json"
    texts: list[str] = []
    budget = Budget(0.3, watch=lambda event: texts.append(event.text))
    chosen = {"guide": "none", "graph": str(file)}
    answer = check(problem_named("fig8_U"), engine="impact", options=chosen, budget=budget).answer
    assert isinstance(answer, Unknown) and "refinement" in answer.reason
    assert json.loads(file.read_text(encoding="utf-8"))["vertices"]
    assert any(text.startswith("unwinding: ") for text in texts)
