"""What engines tell each other: facts are hints, and no falsehood makes a verdict wrong."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from forms import bounded, modulo
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from notation import formula, formulas, net_of
from oracle import explore, known_verdict
from questions import problem as ask
from strategies import constraints, problems

from petricheck.arithmetic.formulas.formulas import Formula, at_most, equal, evaluate
from petricheck.arithmetic.formulas.terms import variable
from petricheck.engines import Informed
from petricheck.engines.abstraction.predicates import MOST, seeds
from petricheck.engines.cegar import Cegar
from petricheck.engines.state_equation import StateEquation
from petricheck.evidence.answer import Answer, Unknown, Unreachable
from petricheck.evidence.audit import audit
from petricheck.model.net import make_net
from petricheck.model.problem import Problem, make_problem
from petricheck.questions import check
from petricheck.support import plugins
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted

repeatable = settings(database=None, suppress_health_check=list(HealthCheck))
a, b = variable("a"), variable("b")
CLOCK = make_net("clock", {"a": 1, "b": 0}, {"tick": ({"a": 1}, {"a": 1, "b": 1})})


# Predicates


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ("a + b <= 3", (bounded((1, 1), 3),)),
        ("a == 1", (bounded((1, 0), 1), bounded((-1, 0), -1))),
        ("b % 2 == 1", (modulo((0, 1), 2),)),
        ("a <= 1 and b >= 2, a <= 1", (bounded((1, 0), 1), bounded((0, -1), -2))),
        # Other places, alternatives.
        ("a + gone <= 3, a <= 1 or b <= 1, not a % 2 == 0", ()),
    ],
)
def test_a_fact_becomes_the_predicates_that_state_it(facts, expected):
    assert seeds(CLOCK, formulas(facts)) == expected


def test_of_many_facts_the_first_are_taken():
    found = seeds(CLOCK, [at_most(a, bound) for bound in range(2 * MOST)])
    assert found == tuple(bounded((1, 0), bound) for bound in range(MOST))


@settings(repeatable, max_examples=20)
@given(problems(), st.data())
def test_with_any_facts_at_all_verdicts_stay_right(problem, data):
    facts: list[Formula] = data.draw(st.lists(constraints(problem.net), max_size=4))
    try:
        answer = Cegar().solve_informed(problem, Budget(1.0), facts)
    except BudgetExhausted:
        return
    if not isinstance(answer, Unknown):
        assert audit(problem, answer)
        assert known_verdict(problem, 500) in (None, type(answer).__name__.lower())


# Facts


@settings(repeatable, max_examples=16)
@given(problems())
def test_what_the_state_equation_has_learnt_holds_in_every_reachable_marking(problem):
    answer = StateEquation().solve(problem, Budget(5.0))
    reachable = explore(problem.net, 300)
    if isinstance(answer, Unknown) and reachable is not None:
        for marking in reachable:
            values = problem.net.values(marking)
            assert all(evaluate(fact, values) for fact in answer.learnt)


def test_an_empty_siphon_a_refuted_cube_and_a_trap_are_told():
    net = net_of("p=1 q=0 r=0 s=0, t: p -> q, u: q -> p + r, v: s -> s + r")
    answer = StateEquation().solve(ask(net, formula="p + q = 2 or r = 2"), Budget())
    assert isinstance(answer, Unknown)
    assert formula("s <= 0") in answer.learnt
    assert any(fact in formulas("p + q <= 1, p + q >= 1") for fact in answer.learnt)


def test_a_fact_saves_the_refinement_that_would_find_it():
    net = net_of("a=1 b=0, t: a -> b, u: b -> a")
    problem = ask(net, target="a=1, b=1")
    alone = Cegar().solve(problem, Budget(10))
    told = Cegar().solve_informed(problem, Budget(10), [at_most(a + b, 1)])
    assert isinstance(alone, Unreachable) and isinstance(told, Unreachable)
    assert (told.statistics.iterations, alone.statistics.iterations) == (0, 1)


# The portfolio


@dataclass(frozen=True)
class Teacher:
    """Gives up, and tells what it is said to have learnt."""

    facts: tuple[Formula, ...]

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        return Unknown("too hard", learnt=self.facts)


@dataclass(frozen=True)
class Pupil:
    """Gives up, and says what it was told."""

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        return Unknown("nobody told me")

    def solve_informed(
        self, problem: Problem, budget: Budget, facts: tuple[Formula, ...]
    ) -> Answer:
        return Unknown(f"told {len(facts)}")


@pytest.mark.parametrize("options", [
    {"sweep": "explicit,cegar", "members": ""},
    {"sweep": "explicit", "members": "cegar"},
    {"sweep": "explicit", "members": "cegar", "reductions": "false"},
], ids=["sweep", "race", "no reductions"])  # fmt: skip
def test_what_one_engine_has_learnt_is_told_to_those_after_it(options, monkeypatch):
    build = plugins.build
    parts = {"explicit": Teacher((at_most(a, 1), at_most(b, 7))), "cegar": Pupil()}

    def staged(family: str, name: str, *rest: object) -> object:
        return parts.get(name) or build(family, name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(plugins, "build", staged)
    answer = check(make_problem(CLOCK, equal(b, 9)), options=options, budget=Budget(20)).answer
    assert isinstance(answer, Unknown)
    assert "cegar: told 2" in answer.reason


def test_engines_that_have_no_use_for_facts_are_not_asked_to():
    assert isinstance(Cegar(), Informed)
    assert not isinstance(StateEquation(), Informed)
