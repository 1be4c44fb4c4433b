"""Engine `portfolio`: the first audited answer wins, whoever finds it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import psutil
import pytest
from folders import problem_named
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from notation import net_of
from oracle import known_verdict
from questions import problem as ask
from strategies import problems, targets

from petricheck.engines import IsOpen, all_open
from petricheck.engines.portfolio import Portfolio
from petricheck.engines.reductions import Reduced
from petricheck.evidence.answer import Answer, Reachable, Trace, Unknown, Unreachable
from petricheck.evidence.audit import audit
from petricheck.model.problem import Problem, make_problem
from petricheck.questions import check, check_all
from petricheck.support import plugins
from petricheck.support.budget import Budget, Event
from petricheck.support.errors import (
    BudgetExhausted,
    Ending,
    EvidenceError,
    InternalError,
    QueryError,
)

FIG8 = net_of("p1=0 p2=0, produce: -> p1 + p2, consume: p1 + p2 ->")


def test_members_that_only_race_decide_too():
    before = psutil.Process().children()
    options = {"sweep": "", "members": "directed_search,cegar", "reductions": "false"}
    result = check(ask(FIG8, target="p1=1"), options=options, budget=Budget(30))
    assert isinstance(result.answer, Unreachable)
    assert result.answer.statistics.engine == "cegar"
    assert set(psutil.Process().children()) <= set(before)


def test_unknown_names_the_reason_of_every_engine():
    options = {"sweep": "coverability", "members": "coverability,state_equation"}
    answer = check(problem_named("exponential_U"), options=options, budget=Budget(20)).answer
    assert isinstance(answer, Unknown)
    assert "coverability: " in answer.reason
    assert "state_equation: " in answer.reason


@dataclass(frozen=True)
class Liar:
    def solve(self, problem: Problem, budget: Budget) -> Answer:
        return Reachable(Trace((("consume", 1),)))


def test_evidence_that_fails_the_audit_never_wins(monkeypatch):
    build = plugins.build

    def lying(family: str, name: str, *rest: object) -> object:
        return Liar() if name == "explicit" else build(family, name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(plugins, "build", lying)
    problem = ask(FIG8, target="p1=1")
    honest = {"sweep": "explicit", "members": "explicit,cegar"}
    assert isinstance(check(problem, options=honest, budget=Budget(30)).answer, Unreachable)
    alone = {"sweep": "", "members": "explicit", "reductions": "false"}
    for members in ("explicit", "explicit,shortest"):  # The second gives up.
        with pytest.raises(InternalError, match=r"explicit: .*its evidence failed the audit"):
            check(problem, options=alone | {"members": members}, budget=Budget(30))


class LiarAboutSeveral(Liar):
    def solve_together(
        self, problems: Sequence[Problem], budget: Budget, is_open: IsOpen = all_open
    ) -> Iterator[tuple[int, Answer]]:
        yield from (
            (number, self.solve(problem, budget)) for number, problem in enumerate(problems)
        )


def test_evidence_that_fails_leaves_several_questions_to_the_other_engines(monkeypatch):
    build = plugins.build

    def lying(family: str, name: str, *rest: object) -> object:
        return LiarAboutSeveral() if name == "explicit" else build(family, name, *rest)

    monkeypatch.setattr(plugins, "build", lying)
    goals = [ask(FIG8, formula=f"p1 = p2 + {n}").target for n in (1, 2)]
    options = {"sweep_together": "explicit", "together": "explicit", "reductions": "false"}
    honest = options | {"members": "explicit,cegar"}
    found = check_all(FIG8, goals, options=honest, budget=Budget(30))
    assert [result.value for result in found] == [False, False]
    with pytest.raises(InternalError, match=r"explicit: .*its evidence failed the audit"):
        list(check_all(FIG8, goals, options=options | {"members": "explicit"}, budget=Budget(30)))


def test_an_audit_that_comes_to_no_end_leaves_the_question_to_the_other_engines(monkeypatch):
    def undecided(problem: Problem, answer: Answer, **limits: object) -> str:
        if answer.statistics.engine in ("place_invariants", "state_equation"):
            raise EvidenceError("the audit was inconclusive") from BudgetExhausted("z3 gave up")
        return audit(problem, answer)  # type: ignore[arg-type]

    monkeypatch.setattr("petricheck.engines.portfolio.audit", undecided)
    answer = Portfolio().solve(ask(FIG8, target="p1=1"), Budget(30))
    assert isinstance(answer, Unreachable)
    assert answer.statistics.engine == "cegar"
    alone = Portfolio(sweep=("state_equation",), members=(), reductions=False).solve(
        ask(FIG8, target="p1=1"), Budget()
    )
    assert isinstance(alone, Unknown)
    assert "not audited to the end: z3 gave up" in alone.reason


@dataclass(frozen=True)
class Greedy:
    def solve(self, problem: Problem, budget: Budget) -> Answer:
        raise MemoryError


def test_a_portfolio_whose_engines_all_run_out_of_memory_ran_out_of_memory(monkeypatch):
    problem = ask(FIG8, formula="p1 != p2")
    monkeypatch.setattr(plugins, "build", lambda *_: Greedy())
    answer = Portfolio(sweep=(), members=("explicit", "cegar"), reductions=False).solve(
        problem, Budget(30)
    )
    assert isinstance(answer, Unknown)
    assert answer.ending is Ending.MEMORY


# Several targets of one net

BESIDE = net_of(
    "p1=0 p2=0 q=1 one=1 none=0, produce: one -> p1 + p2 + one, "
    "consume: p1 + p2 ->, never: none -> p1, aside: q -> 2 q"
)
ASKED = tuple(ask(BESIDE, formula=f).target for f in ("p1 = 1", "p1 > p2", "none = p2", "p1 = one"))
FOUND = ["reachable", "unreachable", "reachable", "reachable"]


@pytest.mark.parametrize("large", [0, 5_000])
def test_several_targets_are_decided_on_a_net_that_is_reduced_once(large, monkeypatch):
    monkeypatch.setattr("petricheck.engines.race.race.LARGE", large)
    results = list(check_all(BESIDE, ASKED, budget=Budget(30)))
    assert [type(result.answer).__name__.lower() for result in results] == FOUND
    assert [result.problem for result in results] == [make_problem(BESIDE, t) for t in ASKED]
    assert all(result.audit for result in results)


def test_evidence_that_cannot_be_lifted_is_found_on_the_net_itself(monkeypatch):
    monkeypatch.setattr(Reduced, "lift", lambda *_: None)
    results = list(check_all(BESIDE, ASKED, budget=Budget(30)))
    assert [type(result.answer).__name__.lower() for result in results] == FOUND


@pytest.mark.slow
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(problems(), st.data())
def test_random_targets_of_one_net_are_decided_as_brute_force_does(problem, data):
    net = problem.net
    asked = [problem.target, *data.draw(st.lists(targets(net), min_size=1, max_size=3))]
    for result in check_all(net, asked, budget=Budget(seconds=5)):
        known = known_verdict(result.problem, 1000)
        if known is not None and not isinstance(result.answer, Unknown):
            assert type(result.answer).__name__.lower() == known


@pytest.mark.parametrize(
    "options",
    [{"members": "cegar,nobody"}, {"sweep": "nobody:1"}, {"sweep": "cegar:soon"}],
    ids=str,
)
def test_what_there_is_not_is_refused_even_where_another_engine_answers(options):
    with pytest.raises(QueryError, match=r"nobody|soon"):
        check(ask(FIG8, target="p1=1"), options=options)


def test_after_the_limit_no_engine_begins() -> None:
    events: list[Event] = []
    answer = Portfolio().solve(ask(FIG8, target="p1=1"), Budget(0, watch=events.append))
    assert isinstance(answer, Unknown)
    assert events == []
