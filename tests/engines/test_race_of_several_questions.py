"""Several questions about one net, decided in one race: nets that are large and small."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from itertools import islice
from math import inf
from typing import Any

import pytest

from petricheck.arithmetic.formulas.formulas import equal
from petricheck.arithmetic.formulas.terms import variable
from petricheck.engines import IsOpen, all_open
from petricheck.engines.portfolio import Portfolio
from petricheck.engines.race import race as _race
from petricheck.engines.race.agenda import Agenda
from petricheck.engines.race.attempts import Attempt
from petricheck.engines.race.race import Race
from petricheck.engines.race.record import Record
from petricheck.engines.race.tasks import search
from petricheck.engines.reductions import Reduced
from petricheck.evidence.answer import Answer, Reachable, Trace, Unknown, Unreachable
from petricheck.model.net import make_net
from petricheck.model.problem import Problem, make_problem
from petricheck.support import plugins
from petricheck.support.budget import Budget, Event, Turn
from petricheck.support.errors import BudgetExhausted, Ending, Refused

p = variable("p")
GROWS = make_net("grows", {"p": 0}, {"t": ({}, {"p": 1})})
PROBLEMS = tuple(make_problem(GROWS, equal(p, number)) for number in range(1, 4))


def steps(number: int) -> Reachable:
    return Reachable(Trace((("t", number),)))


def number_of(problem: Problem) -> int:
    return next(n for n, known in enumerate(PROBLEMS) if known.target == problem.target)


@dataclass
class Together:
    """Finds the answers to these questions, false ones too, and maybe goes on without an end."""

    answers: dict[int, Reachable]
    ends: bool = False

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        raise AssertionError("not for one")

    def solve_together(
        self, problems: Sequence[Problem], budget: Budget, is_open: IsOpen = all_open
    ) -> Iterator[tuple[int, Reachable]]:
        for position, problem in enumerate(problems):
            if (number := number_of(problem)) in self.answers:
                yield position, self.answers[number]
        while not self.ends and any(map(is_open, range(len(problems)))):
            budget.check()
            time.sleep(0.01)


@dataclass
class Slow:
    """Answers where it has so many CPU seconds."""

    least: float = 0.0
    only: Sequence[int] = (0, 1, 2)
    answers: dict[int, Reachable] = field(default_factory=dict)

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        number = number_of(problem)
        if number not in self.only:
            return Unknown("no idea")
        while budget.remaining < self.least:
            budget.check()
        return self.answers.get(number, steps(number + 1))


def check(number: int, answer: Reachable | Unreachable, budget: Budget) -> str:
    if answer != steps(number + 1):
        raise Refused("the trace leads elsewhere")
    return f"answer {number}"


@pytest.fixture(params=[0, 5_000], ids=["large", "small"])
def decide(request: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[tuple[int, Any]]]:
    """What engines of these names come to, on a net that counts as large, and as small."""
    monkeypatch.setattr(_race, "LARGE", request.param - 1)

    def results(
        race: Race, seconds: float = 20.0, is_open: IsOpen = all_open, **engines: object
    ) -> Any:
        build, member = plugins.build, plugins.member
        monkeypatch.setattr(plugins, "build", lambda f, n: engines.get(n) or build(f, n))
        monkeypatch.setattr(
            plugins, "member", lambda f, n: type(engines.get(n)) if n in engines else member(f, n)
        )
        return list(race.results(agenda(), Budget(seconds), is_open))

    return results


def agenda() -> Agenda[str]:
    return Agenda(PROBLEMS, check, [Record() for _ in PROBLEMS])


def several(
    sweep: Sequence[str] = (), together: Sequence[str] = (), members: Sequence[str] = ()
) -> Race:
    groups = [[Attempt(name, 0.1) for name in names] for names in (sweep, together, members)]
    return Race((), *groups[:2], lambda _: groups[2], jobs=2, turn=1.0, reductions=False)


def test_each_question_is_decided_by_who_can(decide: Callable[..., Any]) -> None:
    results = decide(
        several(["first"], ["shares"], ["alone"]),
        first=Together({0: steps(1)}),
        shares=Together({1: steps(2)}),
        alone=Slow(only=[2]),
    )
    assert sorted(results) == [(number, f"answer {number}") for number in range(3)]


@pytest.mark.slow
def test_who_needs_long_has_it_in_a_later_turn(decide: Callable[..., Any]) -> None:
    results = decide(several(members=["slow"]), slow=Slow(least=0.35))
    assert sorted(results) == [(number, f"answer {number}") for number in range(3)]


def test_an_answer_that_is_refused_is_no_answer_where_another_engine_has_one(
    decide: Callable[..., Any],
) -> None:
    wrong = {0: steps(7), 1: steps(7)}
    results = decide(
        several(together=["wrong"], members=["liar", "right"]),
        wrong=Together(wrong, ends=True),
        liar=Slow(answers=wrong),
        right=Slow(only=[0]),
        seconds=100.0,
    )
    assert sorted(results) == [(0, "answer 0"), (2, "answer 2")]


def test_where_all_gave_up_the_race_ends_before_its_time(decide: Callable[..., Any]) -> None:
    began = time.monotonic()
    assert decide(several(members=["none"]), none=Slow(only=[]), seconds=300.0) == []
    assert time.monotonic() - began < 200


def test_what_an_answer_settles_as_well_is_not_waited_for(decide: Callable[..., Any]) -> None:
    shares = Together({1: steps(2)})
    began = time.monotonic()
    results = decide(several(together=["shares"]), 100.0, lambda number: number == 1, shares=shares)
    assert results == [(1, "answer 1")]
    assert time.monotonic() - began < 50


def test_a_question_whose_evidence_cannot_be_lifted_is_decided_on_the_net_itself(
    monkeypatch: pytest.MonkeyPatch, decide: Callable[..., Any]
) -> None:
    wider = make_net("grows", {"p": 0, "q": 0}, {"t": ({}, {"p": 1}), "u": ({"q": 1}, {})})
    monkeypatch.setattr(
        f"{__name__}.PROBLEMS", tuple(make_problem(wider, each.target) for each in PROBLEMS)
    )
    monkeypatch.setattr(Reduced, "lift", lambda *_: None)
    way = Race((), (), (), lambda _: [Attempt("alone", 0.1)], jobs=2, turn=1.0, reductions=True)
    assert len(decide(way, alone=Slow())) == 3


def test_a_reduction_whose_evidence_is_refused_leaves_the_question_to_the_engines(
    monkeypatch: pytest.MonkeyPatch, decide: Callable[..., Any]
) -> None:
    monkeypatch.setattr(Reduced, "decided", lambda way: steps(7) if way.settled else None)
    monkeypatch.setattr(Reduced, "then", lambda way, *_: replace(way, settled={"a": GROWS}))
    way = Race((), (), (), lambda _: [Attempt("alone", 0.1)], jobs=2, turn=1.0, reductions=True)
    assert len(decide(way, alone=Slow())) == 3


@pytest.mark.parametrize("asked", [1, 3])
def test_what_is_decided_on_the_net_as_it_is_never_waits_for_the_reduction(
    asked: int, monkeypatch: pytest.MonkeyPatch, decide: Callable[..., Any]
) -> None:
    for name in ("reduce", "reduce_for_all"):
        monkeypatch.setattr(f"petricheck.engines.race.tasks.{name}", lambda *_: time.sleep(100))
    monkeypatch.setattr(f"{__name__}.PROBLEMS", PROBLEMS[:asked])
    if asked == 1:
        monkeypatch.setattr(_race, "LARGE", 0)
    first = [Attempt("shares", 0.5)]
    way = Race((), first, (), lambda _: (), jobs=1, turn=0.1, reductions=True)
    shares = Together({number: steps(number + 1) for number in range(asked)})
    assert decide(way, shares=shares) == [(n, f"answer {n}") for n in range(asked)]


@pytest.mark.parametrize(("moderate", "longer"), [(600, 1.0), (1, 2.0), (0.1, 8.0)])
def test_searches_on_the_net_as_it_is_come_first_for_longer_in_larger_nets_then_the_reduction(
    moderate: float, longer: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_race, "_MODERATE", moderate)
    sweep = [Attempt(*pair) for pair in (("random_walk", 0.2), ("state_equation", 0.5))]
    race = replace(several(), sweep_together=sweep, reductions=True)
    unreduced = Reduced(PROBLEMS[0], (), ())
    tasks = race._tasks(agenda(), Budget(20), unreduced, [])
    begun = [task and (task.name, task.share) for task in islice(tasks, 4)]
    first = [("random_walk", 0.2 * longer), ("state_equation", 0.5 * longer)]
    assert begun == [*first, ("reductions", inf), None]


def test_searches_on_the_net_as_it_is_are_shorter_where_few_questions_are_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_race, "_MODERATE", 0.1)
    questions, unreduced = agenda(), Reduced(PROBLEMS[0], (), ())
    for longer in (8.0, 8.0 * 2 / 3):
        (task,) = several(["random_walk"])._first_tasks(questions, unreduced)
        assert task.share == pytest.approx(0.1 * longer)
        questions.close(1)


@pytest.mark.parametrize("fails", [False, True])
def test_all_others_search_the_reduced_net_or_the_net_itself_where_its_reduction_fails(
    fails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    smaller = Reduced(PROBLEMS[0], ("a step",), ())  # type: ignore[arg-type]

    def reduce_for_all(*_: object) -> Reduced:
        if fails:
            raise AssertionError("odd")
        return smaller

    monkeypatch.setattr("petricheck.engines.race.tasks.reduce_for_all", reduce_for_all)
    monkeypatch.setattr(Reduced, "about", lambda way, _: way)
    race = replace(several(together=["random_walk"]), reductions=True)
    searched: list[Reduced] = []
    searching = _race._searching

    def note(questions: Any, attempt: Attempt, limit: float, net: Reduced) -> Any:
        searched.append(net)
        return searching(questions, attempt, 0.0, net)

    monkeypatch.setattr(_race, "_searching", note)
    list(race.results(agenda(), Budget(60)))
    assert [way.steps for way in searched] == [() if fails else smaller.steps]


def test_targets_that_are_the_same_are_decided_together() -> None:
    """And each is checked, since they may be different questions."""
    problems = [PROBLEMS[number] for number in (0, 2, 0, 0)]

    def note(number: int, answer: Reachable | Unreachable, budget: Budget) -> str:
        return f"{number} is checked"

    sweep = ("state_equation:0.05", "random_walk:5")
    portfolio = Portfolio(sweep_together=sweep, together=(), members=())
    results = [*portfolio.decide_all(problems, note, Budget(20))]
    numbers = [number for number, _ in results]
    assert results == [(number, f"{number} is checked") for number in numbers]
    assert sorted(numbers) == [0, 1, 2, 3]
    assert [0, 2, 3] in (numbers[:3], numbers[1:])


@dataclass
class Limited:
    """Reaches this limit."""

    ending: Ending

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        raise BudgetExhausted("enough", self.ending)

    def solve_together(
        self, problems: Sequence[Problem], budget: Budget, is_open: IsOpen = all_open
    ) -> Iterator[tuple[int, Reachable]]:
        yield 1, steps(2)
        raise BudgetExhausted("enough", self.ending)


@pytest.mark.parametrize("ending", [Ending.TIME, Ending.MEMORY])
def test_an_engine_whose_seconds_are_over_has_not_given_up(
    ending: Ending, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugins, "build", lambda *_: Limited(ending))
    reports: list[Any] = []
    unreduced = Reduced(PROBLEMS[0], (), ())
    with nullcontext() if ending is Ending.TIME else pytest.raises(BudgetExhausted):
        search(agenda(), "brief", 1.0, unreduced, reports.append)
    assert [report.content for report in reports] == [[(1, "answer 1")]]


def test_how_an_engine_ended_in_a_search_for_several_questions_is_no_end_for_each() -> None:
    questions = agenda()
    questions.note(Event("memory ran out", "explicit", Turn.GAVE_UP))
    assert not any(record.ends for record in questions.records)
