"""Several questions about one net, one search."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracle import known_verdict
from strategies import nets, targets

from petricheck.evidence.answer import Reachable, Trace, Unknown
from petricheck.evidence.claims import claim_of
from petricheck.model.net import Net, make_net
from petricheck.model.problem import make_problem
from petricheck.questions import Setting, Study, ask, so_far
from petricheck.support.budget import Budget, Shares
from petricheck.support.errors import InternalError


@pytest.mark.slow
@settings(deadline=None, max_examples=6, suppress_health_check=list(HealthCheck))
@given(nets(max_places=3, max_transitions=3), st.data())
def test_what_engines_find_for_many_targets_is_what_brute_force_finds(
    net: Net, data: st.DataObject
) -> None:
    asked = [data.draw(targets(net)) for _ in range(4)]
    problems = [make_problem(net, target) for target in asked]
    known = [known_verdict(problem, 60) for problem in problems]
    for name in ("random_walk", "explicit", "portfolio"):
        checker = Setting(name).checker()
        budget = Budget(0.1 if name == "random_walk" else 1.0)
        found = dict(checker.check_together(problems, budget))
        for number, result in found.items():
            assert not isinstance(result, InternalError)
            told = "reachable" if isinstance(result.answer, Reachable) else "unreachable"
            assert known[number] in (None, told)
        if name == "explicit" and None not in known:
            assert len(found) == len(problems)


def test_half_of_the_time_is_for_all_together_and_each_has_no_more_than_its_part() -> None:
    now = time.monotonic()
    shares = Shares(3.0, 16, None, now)
    assert shares.together() == pytest.approx(24.0, abs=0.1)
    assert shares.own(6) == pytest.approx(3.0)
    late = Shares(3.0, 16, None, now - 40.0)
    assert late.own(4) == pytest.approx(2.0, abs=0.1)
    assert Shares(3.0, 16, None, now - 50.0).own(4) == 0.0


def test_a_limit_on_all_is_kept_by_each() -> None:
    now = time.monotonic()
    assert Shares(None, 16, 8.0, now).together() == pytest.approx(4.0, abs=0.1)
    assert Shares(None, 16, 8.0, now).own(16) == pytest.approx(0.5, abs=0.1)
    assert Shares(3.0, 2, 60.0, now).together() == pytest.approx(3.0, abs=0.1)
    assert Shares(None, 2).together() is None
    assert Shares(None, 2).own(2) is None


def test_why_one_audit_came_to_no_end_is_told_of_no_other_target() -> None:
    net = make_net("n", {"p": 1}, {"t": ({"p": 1}, {})})
    study = Study(net, Setting("mine"), Budget())
    study.undecided = "z3 gave up"
    finding = so_far(ask(net, target="p=0"), study, Unknown("the time is over"))
    assert finding.unknown is not None and finding.unknown.reason == "the time is over"
    finding = so_far(ask(net, safe=True), study, Unknown("the time is over"))
    assert finding.unknown is not None and finding.unknown.reason.endswith("; z3 gave up")


def test_a_finding_about_a_target_has_one_claim_however_often_it_was_asked() -> None:
    net = make_net("n", {"p": 1}, {"t": ({"p": 1}, {})})
    question, answer = ask(net, target="p=0"), Reachable(Trace((("t", 1),)))
    study = Study(net, Setting("mine"), Budget())
    study.proved += [(claim_of(question.problem.target, answer), "replayed")] * 200
    assert len(so_far(question, study, answer).claims) == 1
