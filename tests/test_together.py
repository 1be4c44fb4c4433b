"""Several questions about one net, one search."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracle import known_verdict
from strategies import nets, targets

from petricheck import plugins
from petricheck.answer import Answer, Reachable, Trace, Unknown
from petricheck.budget import Budget, Shares
from petricheck.engines import Engine
from petricheck.engines._course import Attempt
from petricheck.engines._together import decide_together
from petricheck.errors import BudgetExhausted, InternalError
from petricheck.presburger.formulas import equal
from petricheck.presburger.terms import variable
from petricheck.problem import Net, Problem, make_net, make_problem
from petricheck.questions import Setting

p = variable("p")
GROWS = make_net("grows", {"p": 0}, {"t": ({}, {"p": 1})})
ASKED = tuple(make_problem(GROWS, equal(p, number)) for number in range(4))


def steps(number: int) -> Reachable:
    """The trace into `ASKED[number]`."""
    return Reachable(Trace((("t", number),) if number else ()))


@dataclass
class Meets:
    """Shares its search, and meets the targets that are at these places of those it is asked."""

    positions: Sequence[int]
    asked: list[tuple[Problem, ...]]
    ends: bool = False

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        raise AssertionError("not asked alone")

    def solve_together(
        self, problems: Sequence[Problem], budget: Budget
    ) -> Iterator[tuple[int, Reachable]]:
        self.asked.append(tuple(problems))
        for position in self.positions:
            yield position, steps(ASKED.index(problems[position]))
        if self.ends:
            raise BudgetExhausted("no more")


@dataclass
class Alone:
    """Shares nothing; knows the last question."""

    limits: list[float]

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        self.limits.append(budget.remaining)
        return steps(3) if problem == ASKED[3] else Unknown("no")


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Engines of these names instead of the family's."""

    def install(**named: Engine) -> None:
        monkeypatch.setattr(plugins, "build", lambda _, name: named[name])

    return install


def test_each_engine_is_asked_about_what_those_before_it_left(
    engines: Callable[..., None],
) -> None:
    first, second = Meets([1, 0], [], ends=True), Meets([1], [])
    engines(first=first, second=second)
    attempts = [Attempt("first", 1.0), Attempt("second", 1.0)]
    found = list(decide_together(attempts, ASKED, Budget()))
    assert found == [(1, steps(1)), (0, steps(0)), (3, steps(3))]
    assert first.asked == [ASKED]
    assert second.asked == [(ASKED[2], ASKED[3])]


def test_an_engine_that_shares_nothing_is_asked_one_by_one(engines: Callable[..., None]) -> None:
    alone = Alone([])
    engines(alone=alone)
    assert list(decide_together([Attempt("alone", 0.5)], ASKED, Budget())) == [(3, steps(3))]
    assert len(alone.limits) == 4
    assert all(0.4 < limit <= 0.5 for limit in alone.limits)


def test_an_engine_that_gave_up_is_not_asked_again(engines: Callable[..., None]) -> None:
    alone = Alone([])
    engines(alone=alone)
    attempts = [Attempt("alone", 0.5), Attempt("alone", 5.0)]
    assert list(decide_together(attempts, ASKED[:2], Budget())) == []
    assert len(alone.limits) == 2


def test_nothing_is_asked_when_all_is_decided(engines: Callable[..., None]) -> None:
    never = Meets([], [])
    engines(all=Meets([0, 1, 2, 3], []), never=never)
    attempts = [Attempt("all", 1.0), Attempt("never", 1.0)]
    assert len(list(decide_together(attempts, ASKED, Budget()))) == 4
    assert not never.asked


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
    assert late.own(4, 2) == late.own(3, 2) == pytest.approx(3.0, abs=0.1)
    assert Shares(9.0, 16, None, now - 138.0).own(4, 2) == pytest.approx(3.0, abs=0.1)


def test_a_limit_on_all_is_kept_by_each() -> None:
    now = time.monotonic()
    assert Shares(None, 16, 8.0, now).together() == pytest.approx(4.0, abs=0.1)
    assert Shares(None, 16, 8.0, now).own(16) == pytest.approx(0.5, abs=0.1)
    assert Shares(3.0, 2, 60.0, now).together() == pytest.approx(3.0, abs=0.1)
    assert Shares(None, 2).together() is None
    assert Shares(None, 2).own(2) is None
