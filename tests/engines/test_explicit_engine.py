"""Explicit search: its set of markings against brute force, its verdicts, its limits."""

from __future__ import annotations

from itertools import product

import pytest
from folders import problem_named
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import EXACT, problem
from oracle import explore, known_verdict, shortest_trace
from strategies import nets, problems, targets

from petricheck.arithmetic.formulas.formulas import FALSE, equal, evaluate
from petricheck.arithmetic.formulas.terms import variable
from petricheck.engines.explicit import Explicit, blocking, projected
from petricheck.evidence.answer import Reachable, Unknown, Unreachable
from petricheck.evidence.audit import audit
from petricheck.evidence.certificates.finite_set import MarkingTable
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.explicit.kernel import packing
from petricheck.explicit.search.exploration import PlainExploration, listing
from petricheck.model.net import Net, make_net
from petricheck.model.problem import Problem, make_problem
from petricheck.questions import Finding, check
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted

p, q = variable("p"), variable("q")


def decide(asked: Problem, seconds: float = 20, **options: str) -> Finding:
    return check(asked, engine="explicit", options=options, budget=Budget(seconds=seconds))


def explored(asked: Problem, most: int = 100_000) -> PlainExploration:
    exploration = PlainExploration(asked, Budget(seconds=20))
    exploration.run(most)
    return exploration


def ring(places: int, tokens: int) -> Net:
    names = [f"p{n}" for n in range(places)]
    steps = {f"t{n}": ({names[n]: 1}, {names[(n + 1) % places]: 1}) for n in range(places)}
    return make_net("ring", {names[0]: tokens} | dict.fromkeys(names[1:], 0), steps)


# The set of markings


@settings(max_examples=20)
@given(nets())
def test_exploration_finds_exactly_the_reachable_markings(net: Net) -> None:
    expected = explore(net, 400)
    exploration = explored(make_problem(net, FALSE), most=400)
    assert exploration.exhausted == (expected is not None)
    if expected is not None:
        assert sorted(exploration.visited.markings) == sorted(expected)


# Verdicts


@settings(max_examples=16)
@given(problems())
def test_verdicts_are_those_of_brute_force(asked: Problem) -> None:
    answer = Explicit(markings=300, listed=300).solve(asked, Budget(seconds=20))
    verdict = known_verdict(asked, 300)
    match answer:
        case Reachable(trace):
            audit(asked, answer)
            shortest = shortest_trace(asked, 2_000)
            assert shortest is not None and trace.length == len(shortest)
        case Unreachable():
            audit(asked, answer)
            assert verdict != "reachable"
        case Unknown():
            assert verdict is None


NAMES = "basic_me_U ifip_U long_1_U manufacturing_3_U pingpong_U fms_U2"


@pytest.mark.parametrize("name", NAMES.split())
def test_known_targets_are_proved_unreachable_without_a_solver(name: str) -> None:
    result = decide(problem_named(name))
    assert isinstance(result.answer, Unreachable)
    assert result.audit == EXACT


PARITY = problem("p=900 q=0, t: 2 p -> 2 q, u: 2 q -> 2 p", "p == 301")
"""No projection is small, no conjunction of bounds fits."""


@pytest.mark.parametrize(
    ("system", "goal", "options", "kind", "words"),
    [
        (f"p=1 q=0, p -> p + {2**62} q", "q == 3", {"markings": "500"}, Unknown, "501 markings"),
        # Numbers of any size are explored in plain Python.
        (f"p=0 q={2**70}, t: {2**70} q -> p + q", "p == 2", {}, Unreachable, EXACT),
        (f"p={2**70} q=0, t: p -> q", "q == 2001", {}, Reachable, "replayed"),
        # A listing misses what nothing satisfies, and over few places proves an unbounded net.
        ("p=1 q=0, t: p -> q, u: q -> p", "q <= -1", {}, Unreachable, EXACT),
        ("p=1 q=0 r=0, a: p -> q + r, b: q -> p + r", "p == 1 and q == 1", {}, Unreachable, EXACT),
        ("p=0 q=0, t: -> p, u: -> 2 q", "q == 999", {"markings": "500"}, Unknown, "501 markings"),
        (
            "p=0 q=0, t: -> p, u: -> 2 q",
            "q == 2**20 + 1",
            {"memory": "1"},
            Unknown,
            "fill the memory",
        ),
    ],
)
def test_these_are_decided_or_left(
    system: str, goal: str, options: dict[str, str], kind: type, words: str
) -> None:
    result = decide(problem(system, goal), **options)
    assert isinstance(result.answer, kind)
    assert words in (result.answer.reason if kind is Unknown else result.audit)


# Certificates


@settings(max_examples=16)
@given(nets(max_places=3), st.data())
def test_a_listing_is_checked_exactly_whatever_the_target(net: Net, data: st.DataObject) -> None:
    asked = make_problem(net, data.draw(targets(net)))
    reachable = explore(net, 60)
    if reachable is None or any(evaluate(asked.target, net.values(m)) for m in reachable):
        return
    answer = Unreachable(listing(asked, sorted(reachable)))
    assert audit(asked, answer) == EXACT
    invariant = answer.certificate.invariant
    for marking in product(range(4), repeat=len(net.places)):
        assert evaluate(invariant, net.values(marking)) == (marking in reachable)


def test_a_projection_grows_by_the_places_that_stop_its_trace() -> None:
    asked = problem("p=0 q=0, t: q -> p", "p >= 1")
    certificate = projected(asked, 100, 1_000, Budget())
    assert certificate is not None
    assert audit(asked, Unreachable(certificate)) == EXACT
    trace = explored(Problem(asked.net.without({1}), asked.target)).trace(1)
    assert blocking(asked.net, trace) == {1}


def test_a_projection_ends_when_its_work_is_done_or_the_target_is_reachable() -> None:
    asked = make_problem(ring(4, 2), equal(variable("p0"), 3))
    assert projected(asked, 100, 1_000, Budget()) is not None
    assert projected(asked, 100, 2, Budget()) is None
    assert projected(problem("p=0, -> p", "p >= 3"), 100, 1_000, Budget()) is None


def test_what_no_short_certificate_fits_is_proved_by_all_markings_if_they_can_be_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result = decide(PARITY, listed="100")
    assert isinstance(result.answer, Unreachable)
    assert isinstance(result.answer.certificate, MarkingTable)
    assert result.answer.certificate.count == result.answer.statistics.states == 451
    assert result.audit == "checked marking by marking"
    assert isinstance(decide(PARITY).answer.certificate, Certificate)
    for size, kind in ((8 * 450, Unknown), (8 * 451, Unreachable)):
        monkeypatch.setattr(packing, "TABLE", size)
        answer = decide(PARITY, listed="100").answer
        assert isinstance(answer, kind) and answer.statistics.states == 451
        assert kind is Unreachable or answer.reason.startswith("certificate too large")


def test_a_limit_ends_the_search() -> None:
    asked = problem("p=0 q=0, t: -> p, u: -> 2 q", "q == 2**20 + 1")
    answer = decide(asked, seconds=0.3).answer
    assert isinstance(answer, Unknown)
    assert "time limit" in answer.reason and "marking" in answer.reason
    with pytest.raises(BudgetExhausted, match="memory limit of 1 MiB"):
        Explicit().solve(asked, Budget(memory=1))


@pytest.mark.parametrize(
    ("tokens", "hint"),
    [
        (1, "raise the option markings, or try another engine"),
        (2**39, "another engine may decide it"),
    ],
)
def test_the_option_is_named_only_where_it_ends_the_search(tokens: int, hint: str) -> None:
    asked = problem(f"p=0 q=0, t: -> p, u: -> {2 * tokens} q", "q == 2**20 + 1")
    answer = decide(asked, markings="500").answer
    assert isinstance(answer, Unknown)
    assert answer.hint == hint
