"""Limits of the library are kept: a question comes back soon after its budget is spent."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from random import Random

import pytest
from test_hostile_nets import wide
from workflows import sound_workflow

import petricheck
from petricheck import Budget, Excluded, Net, make_net
from petricheck.arithmetic.formulas.formulas import TRUE, equal
from petricheck.arithmetic.formulas.terms import variable
from petricheck.arithmetic.solvers import smtlib
from petricheck.evidence.answer import Trace, Unknown
from petricheck.evidence.claims import reached
from petricheck.model.problem import make_problem
from petricheck.questions import homes
from petricheck.questions.checking import Audited, Checker, Setting
from petricheck.questions.kind import kind_names
from petricheck.questions.study import Study
from petricheck.questions.workflows import participation
from petricheck.support.compiled import compile_all
from petricheck.support.errors import BudgetExhausted

SECONDS = 0.5

FACTOR = 60
"""So many times the limit a question may compute: preparing a net of 100,000 arcs takes its time
once; what goes on after the limit takes minutes."""


@dataclass
class Clock:
    """A clock that is moved by hand."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def budget(clock: Clock) -> Budget:
    return Budget(seconds=10.0, started=0.0, clock=clock)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> list[object]:
    """The problems that engines get; each gives up when all time is over."""
    problems: list[object] = []

    def check(self: Checker, problem: object, limits: Budget | None = None) -> Audited:
        problems.append(problem)
        clock.now += 20.0
        return Audited(Unknown("enough"))

    monkeypatch.setattr(Checker, "check", check)
    return problems


@pytest.fixture
def study(budget: Budget) -> Study:
    return Study(workflow(30), Setting("portfolio"), budget)


def workflow(size: int) -> Net:
    return sound_workflow(size, Random(1)).net()


@pytest.mark.parametrize("ask", ["decide", "examine"])
def test_what_is_open_at_the_limit_is_no_answer(ask: str, study: Study, asked: list[object]):
    target = equal(variable("o"), 1)
    with pytest.raises(BudgetExhausted):
        if ask == "decide":
            study.decide(target, study.budget)
        else:
            study.examine(make_problem(study.net, target), study.budget)


def test_what_is_open_at_a_limit_of_its_own_is_open(study: Study):
    assert study.decide(equal(variable("o"), 1), study.budget.within(0.0)) is None


def test_claims_that_end_with_the_limit_are_no_reason_to_go_on(study: Study, clock: Clock):
    def claims() -> Iterator[Excluded]:
        clock.now += 20.0
        yield from ()

    with pytest.raises(BudgetExhausted):
        study.prove_all(claims())


def test_participation_asks_no_engine_after_the_limit(
    study: Study, asked: list[object], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(participation, "_walks", lambda *_: ())
    with pytest.raises(BudgetExhausted):
        participation.decide_participation(study, equal(variable("o"), 2))
    assert len(asked) == 1


@pytest.mark.parametrize("grade", ["easy", "relaxed"])
def test_no_condition_of_soundness_is_tried_after_the_limit(
    grade: str, budget: Budget, asked: list[object]
):
    question = petricheck.ask(workflow(30), sound=f"{grade}: o=2")
    assert petricheck.check(question, budget=budget).value is None
    assert len(asked) == 1


def test_no_formula_is_written_where_no_claim_speaks_of_any(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(smtlib, "to_smtlib", lambda formula: pytest.fail("written"))
    assert homes.home_spaces(
        [equal(variable("p"), 1)], [reached(TRUE, Trace(()))]
    ) == homes.HomeSpaces(frozenset())


# Every kind, on nets that are hard for it


def pairs() -> Net:
    """300 places between which tokens move in pairs, at random."""
    draw, count = Random(1), 300
    moves = {
        f"t{n}": (
            {f"p{n}": 1, f"p{draw.randrange(count)}": 1},
            {f"p{(n + 1) % count}": 1, f"p{draw.randrange(count)}": 1},
        )
        for n in range(count)
    }
    return make_net("pairs", {f"p{n}": 3 for n in range(count)}, moves)


NETS: dict[str, Callable[[], Net]] = {
    "workflow": lambda: workflow(1000),
    "pairs": pairs,
    "wide": lambda: wide()[0],
}


@cache
def hard(name: str) -> Net:
    return NETS[name]()


def words(kind: str, net: Net) -> tuple[str, ...]:
    """Questions of this kind."""
    first, last = net.places[0], net.places[-1]
    match kind:
        case "target" | "cover":
            return (f"{last}=7",)
        case "formula" | "home" | "always" | "never":
            return (f"{last} >= 7 and {first} != 3",)
        case "fireable" | "replay":
            return (net.actions[-1],)
        case "bound":
            return (" + ".join(net.places[-5:]),)
        case "sound":
            return ("easy", "relaxed", "weak", "classical")
    return ("",)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["portfolio", "random_walk"])
@pytest.mark.parametrize("kind", kind_names())
@pytest.mark.parametrize("net", NETS)
def test_a_question_of_any_kind_comes_back_at_its_limit(net: str, kind: str, engine: str):
    if kind == "sound" and net != "workflow":
        pytest.skip("no workflow net")
    compile_all()  # Plain loops take much longer from one look at the budget to the next.
    for text in words(kind, hard(net)):
        question, began = petricheck.ask(hard(net), **{kind: text or True}), time.process_time()
        petricheck.check(question, engine=engine, budget=Budget(SECONDS))
        assert time.process_time() - began < FACTOR * SECONDS
