"""The engine whose traces no other trace undercuts."""

from __future__ import annotations

from click.testing import CliRunner, Result
from folders import NETS
from hypothesis import given, settings
from oracle import explore, shortest_trace
from questions import problem as ask
from strategies import problems

from petricheck.commands import main
from petricheck.evidence.answer import Reachable, Unknown, Unreachable
from petricheck.model.net import make_net
from petricheck.model.problem import Problem
from petricheck.questions import check
from petricheck.support.budget import Budget
from petricheck.support.errors import Ending

COUNTERS = make_net(
    "n", dict.fromkeys("pqr", 0), {f"{p}+": ({}, {p: 1}) for p in "pqr"} | {"p-": ({"p": 1}, {})}
)


def decide(problem: Problem, markings: int, prover: str, seconds: float = 20) -> Result:
    options = {"markings": str(markings), "prover": prover}
    return check(problem, engine="shortest", options=options, budget=Budget(seconds))


@settings(max_examples=12)
@given(problems())
def test_its_traces_are_as_short_as_those_of_brute_force(problem):
    match decide(problem, 500, "state_equation", 0.5).answer:
        case Reachable(trace):
            expected = shortest_trace(problem, 1_000)
            assert expected is not None and trace.length == len(expected)
        case Unknown(ending=ending) if ending is not Ending.TIME:
            assert explore(problem.net, 300) is None and shortest_trace(problem, 300) is None
        case Unreachable():
            assert shortest_trace(problem, 300) is None


def test_where_a_shorter_trace_is_not_excluded_it_is_unknown_and_what_is_known_is_said():
    problem = ask(COUNTERS, cover="p=60, q=1")
    match decide(problem, 5_000, "directed_search").answer:
        case Unknown(reason):
            assert "there is a trace of 61 firings, but a shorter one may exist" in reason
        case other:
            raise AssertionError(other)


def test_what_no_exploration_ends_on_is_proved_by_the_prover():
    net = make_net("n", {"p": 0, "q": 0}, {"t": ({}, {"p": 1, "q": 1})})
    answer = decide(ask(net, formula="p > q"), 1_000, "state_equation").answer
    assert isinstance(answer, Unreachable)


def run(*arguments: str) -> tuple[int, str]:
    words = [str(NETS / "fms_U.pnml"), "--fireable", "t7", *arguments]
    result = CliRunner().invoke(main, words, prog_name="petricheck")
    return result.exit_code, result.output


def test_only_its_traces_are_said_to_be_shortest():
    status, printed = run("--shortest")
    assert status == 0 and "A trace of 2 firings" in printed and "No shorter one exists" in printed
    assert "shorter" not in run("--engine", "best_first")[1]


def test_it_stands_for_an_engine_and_goes_with_no_other():
    for other in (("--engine", "cegar"), ("--guide", "none")):
        status, printed = run("--shortest", *other)
        assert status == 2 and " ".join(other[:1]) in printed
    assert run("--shortest", "--engine", "shortest", "--quiet") == (0, "reachable\n")
