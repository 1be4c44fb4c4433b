"""The engine impact: right wherever it answers, by evidence that needs no solver."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import known_verdict
from questions import problem as ask
from strategies import problems

from petricheck.answer import Reachable, Trace, Unknown, Unreachable
from petricheck.batch.questions.index import question_formula, read_question
from petricheck.budget import Budget
from petricheck.errors import QueryError
from petricheck.formats import read_net
from petricheck.problem import Problem, make_net, make_problem
from petricheck.questions import check

NETS = Path(__file__).resolve().parent.parent / "nets"
EXACT = "checked in exact integer arithmetic"


def question(name: str) -> Problem:
    found = read_question(NETS / f"{name}.json")
    assert found is not None
    net = read_net(found.net).net
    return make_problem(net, question_formula(found, net))


@st.composite
def options(draw: st.DrawFn) -> dict[str, str]:
    return {
        "guide": draw(st.sampled_from(("optimal", "optimal", "none"))),
        "strategy": draw(st.sampled_from(("dfs", "bfs"))),
        "forced": draw(st.sampled_from(("0", "1", "4"))),
        "reuse": draw(st.sampled_from(("true", "false"))),
        "entailment": draw(st.sampled_from(("bounds", "bounds", "solver"))),
        "slicing": draw(st.sampled_from(("true", "false"))),
        "language": draw(st.sampled_from(("-1", "0"))),
        "control": draw(st.sampled_from(("0", "2"))),
    }


@settings(deadline=None, max_examples=60)
@given(problems(), options())
def test_every_answer_is_that_of_brute_force(problem: Problem, chosen: dict[str, str]) -> None:
    answer = check(problem, engine="impact", options=chosen, budget=Budget(0.1)).answer
    verdict = known_verdict(problem, 300)
    if verdict is not None and not isinstance(answer, Unknown):
        assert type(answer).__name__.lower() == verdict


@pytest.mark.parametrize(
    "name", ["fig8_U", "exponential_U_lower", "ifip_U", "long_1_U", "l6000_U", "parity_U"]
)
def test_it_proves_without_a_solver(name: str) -> None:
    result = check(question(name), engine="impact", budget=Budget(60))
    assert isinstance(result.answer, Unreachable) and result.audit == EXACT
    assert result.answer.statistics.engine == "impact" and result.answer.statistics.states > 0


def test_what_a_solver_covers_is_proved_all_the_same() -> None:
    result = check(
        question("pingpong_U"), engine="impact", options={"entailment": "solver"}, budget=Budget(60)
    )
    assert isinstance(result.answer, Unreachable) and result.audit


def test_finkels_counterexample_is_reached_where_it_is_and_only_there() -> None:
    problem = question("finkel_counterex_R")
    for cover, verdict in (("p5=3", Reachable), ("p3=1, p5=2", Reachable), ("p1=2", Unreachable)):
        asked = ask(problem.net, cover=cover)
        result = check(asked, engine="impact", budget=Budget(60))
        assert isinstance(result.answer, verdict), cover


def test_the_start_may_be_in_the_target() -> None:
    net = make_net("still", {"p": 1}, {})
    asked = ask(net, target="p=1")
    assert check(asked, engine="impact").answer.trace == Trace(())
    assert isinstance(check(ask(net, target="p=2"), engine="impact").answer, Unreachable)


def test_a_long_trace_is_found_by_acceleration() -> None:
    net = make_net("pump", {"p": 0}, {"t": ({}, {"p": 2})})
    answer = check(ask(net, target="p=2000"), engine="impact", budget=Budget(60)).answer
    assert isinstance(answer, Reachable) and answer.trace.steps == (("t", 1000),)


def test_control_groups_alone_may_prove_mutual_exclusion() -> None:
    asked = question("basic_me_U")
    for engine in ("impact", "cegar"):
        result = check(asked, engine=engine, options={"control": "1"}, budget=Budget(60))
        assert isinstance(result.answer, Unreachable) and result.audit == EXACT
        assert result.answer.statistics.iterations == 0


def test_the_unwinding_is_drawn_for_every_answer(tmp_path: Path) -> None:
    net = make_net("pump", {"p": 0, "q": 0}, {"t": ({}, {"p": 2}), "u": ({"p": 3}, {"q": 1})})
    for target, kind in (("p=1, q=0", Unreachable), ("p=4, q=0", Reachable)):
        for suffix in ("json", "dot"):
            file = tmp_path / f"unwinding.{suffix}"
            asked = ask(net, target=target)
            result = check(asked, engine="impact", options={"graph": str(file)}, budget=Budget(30))
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


def test_the_unwinding_is_drawn_where_time_runs_out(tmp_path: Path) -> None:
    file = tmp_path / "unwinding.json"
    news: list[str] = []
    budget = Budget(0.3, watch=lambda event: news.append(event.text))
    chosen = {"guide": "none", "graph": str(file)}
    answer = check(question("fig8_U"), engine="impact", options=chosen, budget=budget).answer
    assert isinstance(answer, Unknown) and "refinement" in answer.reason
    assert json.loads(file.read_text(encoding="utf-8"))["vertices"]
    assert any(text.startswith("unwinding: ") for text in news)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("guide", "magic"), ("heuristics", "luck"), ("strategy", "random"),
        ("entailment", "hope"), ("graph", "/nowhere/at/all.dot"),
    ],
)  # fmt: skip
def test_what_there_is_not_is_refused(option: str, value: str) -> None:
    with pytest.raises(QueryError, match=value):
        check(question("fig8_U"), engine="impact", options={option: value}, budget=Budget(5))
