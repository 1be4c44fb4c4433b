"""Random problems, decided end to end: no verdict disagrees with brute force or with the solver.

`pytest -m campaign` runs thousands of them under the limit that the project promises; the suite
runs a sample.
"""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import known_verdict, replay
from strategies import (
    deep_targets,
    harder_problems,
    nets,
    problems,
    repeatable,
    targets,
)

from petricheck.arithmetic.formulas.formulas import (
    Formula,
    at_most,
    conjunction,
    evaluate,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.answer import Reachable, Trace, Unknown, Unreachable
from petricheck.evidence.audit import audit
from petricheck.evidence.certificates.finite_set import MarkingTable
from petricheck.model.net import Net
from petricheck.model.problem import Problem, make_problem
from petricheck.questions import check, check_all
from petricheck.questions.kinds.deadlock import Deadlock
from petricheck.support import plugins
from petricheck.support.budget import Budget

EACH = ("lattice:cuts=each", "abstract:cuts=each,search=maximisation")
"""Guides with a lattice for each cut."""
TIERS = ("checked in exact integer arithmetic", "discharged by z3")


class Tally:
    """What came of many problems."""

    def __init__(self) -> None:
        self.verdicts: Counter[str] = Counter()

    def decide(self, problem: Problem, seconds: float, **options: str) -> None:
        """Check the problem, and compare with brute force where that finishes."""
        asked = make_problem(problem.net, problem.target)
        result = check(asked, engine="cegar", budget=Budget(seconds=seconds), options=options)
        match result.answer:
            case Reachable(trace):
                verdict = "reachable"
                assert result.audit == "replayed exactly"
                assert fires_into(problem, trace)
            case Unreachable():
                verdict = "unreachable"
                assert result.audit in TIERS
            case Unknown(reason, hint):
                verdict = "unknown"
                assert reason and hint and not result.audit
        known = known_verdict(problem, 400)
        assert verdict == "unknown" or known in (verdict, None), f"brute force says {known}"
        self.verdicts[verdict] += 1

    def unknown_share(self) -> float:
        return self.verdicts["unknown"] / max(1, self.verdicts.total())


def fires_into(problem: Problem, trace: Trace) -> bool:
    """Whether the trace, fired one by one, ends in the target."""
    marking = replay(problem.net, tuple(name for name, n in trace.steps for _ in range(n)))
    return marking is not None and evaluate(problem.target, problem.net.values(marking))


def run(strategy: st.SearchStrategy[Problem], count: int, seconds: float, **options: str) -> Tally:
    """Decide `count` problems, always the same ones."""
    tally = Tally()

    @repeatable(count)
    @given(strategy)
    def decide(problem: Problem) -> None:
        tally.decide(problem, seconds, **options)

    decide()
    return tally


def test_a_sample_of_random_problems_is_decided_rightly() -> None:
    tally = run(problems(), 80, 2)
    assert tally.unknown_share() <= 0.05
    assert min(tally.verdicts["reachable"], tally.verdicts["unreachable"]) > 12


@pytest.mark.slow
def test_a_sample_of_harder_problems_is_decided_rightly() -> None:
    tally = run(harder_problems(), 40, 1)
    assert min(tally.verdicts["reachable"], tally.verdicts["unreachable"]) > 4


@settings(max_examples=14, database=None)
@given(st.one_of(problems(), harder_problems()))
def test_other_problems_in_every_run(problem: Problem) -> None:
    Tally().decide(problem, 1)


@pytest.mark.slow
@pytest.mark.parametrize("heuristic", ["", *plugins.members("heuristics")])
def test_each_heuristic_alone_is_never_wrong(heuristic: str) -> None:
    assert run(problems(), 40, 1, heuristics=heuristic).unknown_share() <= 0.1


@pytest.mark.slow
@pytest.mark.parametrize("guide", [*sorted({*plugins.all_members("guides")} - {"optimal"}), *EACH])
def test_every_other_guide_is_never_wrong(guide: str) -> None:
    tally = run(problems(), 30, 0.3 if guide == "none" else 1, guide=guide)
    assert tally.verdicts["reachable"] and tally.verdicts["unreachable"]


@pytest.mark.campaign
@pytest.mark.timeout(7200)
def test_campaign_two_thousand_random_problems() -> None:
    tally = run(problems(), 2000, 5)
    assert tally.verdicts.total() >= 1900, "nearly all that were asked for"
    assert tally.unknown_share() <= 0.05


@pytest.mark.campaign
@pytest.mark.timeout(7200)
def test_campaign_harder_problems() -> None:
    assert run(harder_problems(), 500, 5).unknown_share() <= 0.05


@pytest.mark.campaign
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("guide", (*plugins.all_members("guides"), *EACH))
def test_campaign_every_guide(guide: str) -> None:
    run(problems(), 300, 1, guide=guide)


# Several targets of one net, decided together


@st.composite
def questionnaires(draw: st.DrawFn) -> tuple[Net, list[Formula]]:
    """A net with targets of all kinds: deep ones, such that want places empty, the deadlock."""
    net = draw(nets(max_places=6, max_transitions=7))
    empty = st.lists(st.sampled_from(net.places), min_size=1, unique=True).map(
        lambda names: conjunction(at_most(variable(name), 0) for name in names)
    )
    emptying = st.tuples(empty, targets(net)).map(conjunction)
    deadlock = st.just(Deadlock().read(net, ""))
    kinds = st.one_of(deep_targets(net), emptying, deadlock)
    return net, draw(st.lists(kinds, min_size=2, max_size=5))


def run_together(count: int, seconds: float, together: str) -> Counter[str]:
    """Decide the targets of so many nets, always the same ones; what became of them."""
    tally: Counter[str] = Counter()

    @repeatable(count)
    @given(questionnaires())
    def decide(asked: tuple[Net, list[Formula]]) -> None:
        net, formulas = asked
        options = {"jobs": "1"} | ({"together": together} if together else {})
        results = list(check_all(net, formulas, options=options, budget=Budget(seconds=seconds)))
        assert len(results) == len(formulas)
        for target, result in zip(formulas, results, strict=True):
            problem = make_problem(net, target)
            known = known_verdict(problem, 400)
            match result.answer:
                case Reachable(trace) as answer:
                    assert known in ("reachable", None) and fires_into(problem, trace)
                    assert audit(problem, answer) == "replayed exactly"
                    tally["reachable"] += 1
                case Unreachable(certificate) as answer:
                    assert known in ("unreachable", None)
                    audit(problem, answer)
                    tally["table" if isinstance(certificate, MarkingTable) else "proof"] += 1
                case _:
                    tally["unknown"] += 1

    decide()
    return tally


def test_a_sample_of_nets_with_several_targets_is_decided_rightly() -> None:
    tally = run_together(9, 5, "")
    assert tally["reachable"] > 3 and tally["proof"] > 3
    assert tally["unknown"] <= 0.1 * tally.total()


@pytest.mark.campaign
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(
    "together", ["", "explicit:1", "best_first:1", "random_walk:1", "state_equation:1"]
)
def test_campaign_of_several_targets(together: str) -> None:
    tally = run_together(400, 5, together)
    assert tally["unknown"] <= 0.1 * tally.total()
