"""Nets with several initial markings: what is answered holds of each of them, or of the one shown.

Brute force tries the initial markings of a few tokens, and some hundred markings from each. That
contradicts no answer *unreachable*; the trace of an answer *reachable* is fired from its instance.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from parametric import instances, is_right, parametric_problems
from strategies import constraints, repeatable

import petricheck
from petricheck.arithmetic.formulas.formulas import (
    TRUE,
    disjunction,
    variables,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.answer import Trace, Unreachable
from petricheck.evidence.audit import prove
from petricheck.evidence.certificates.finite_set import MarkingTable
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.evidence.claims import Excluded, Home, Pumped, Stage, reached
from petricheck.formats.language.initial import read_initial
from petricheck.model.net import Net, make_net
from petricheck.model.parametric import with_initial
from petricheck.model.problem import Problem
from petricheck.questions import ask, check
from petricheck.questions.kind import UNBOUNDED
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError, QueryError

MUTEX = make_net(
    "mutex",
    {"idle": 3, "busy": 0, "lock": 1},
    {
        "enter": ({"idle": 1, "lock": 1}, {"busy": 1}),
        "leave": ({"busy": 1}, {"idle": 1, "lock": 1}),
    },
)
CLIENTS = "idle >= 1, lock = 1"
ENGINES = ("cegar", "state_equation", "cegar", "explicit", "cegar", "coverability")


def parametric(net: Net, words: str) -> Net:
    return with_initial(net, read_initial(net, words))


MANY = parametric(MUTEX, CLIENTS)


@pytest.mark.parametrize("examples", [30, pytest.param(3_000, marks=pytest.mark.campaign)])
def test_answers_hold_of_all_initial_markings(examples: int) -> None:
    verdicts = Counter[str]()

    @repeatable(examples)
    @given(parametric_problems())
    def judge(problem: Problem) -> None:
        engine = ENGINES[verdicts.total() % len(ENGINES)]
        answer = check(problem, engine=engine, budget=Budget(seconds=0.5)).answer
        verdicts[type(answer).__name__] += 1
        assert is_right(problem.net, problem.target, answer)

    judge()
    assert min(verdicts["Reachable"], verdicts["Unreachable"]) > examples // 8, verdicts


def test_evidence_for_some_initial_markings_is_not_accepted_for_others() -> None:
    verdicts = Counter[bool]()

    @repeatable(30)
    @given(parametric_problems(), st.data())
    def judge(problem: Problem, data: st.DataObject) -> None:
        answer = check(problem, engine="cegar", budget=Budget(seconds=0.5)).answer
        if not isinstance(answer, Unreachable):
            return
        assert problem.net.initials is not None
        names = variables(problem.net.initials.formula)
        alone = next(instances(problem.net, 9))
        more = data.draw(constraints(replace(alone, places=names)))
        try:
            other = with_initial(alone, disjunction((problem.net.initials.formula, more)))
        except QueryError:
            return
        if not {*variables(problem.target)} <= {*other.places, *other.parameters}:
            return
        try:
            prove(other, Excluded(problem.target, answer.certificate))
        except EvidenceError:
            verdicts[False] += 1
            return
        verdicts[True] += 1
        assert is_right(other, problem.target, answer)

    judge()
    assert min(verdicts[True], verdicts[False]) > 0, verdicts


def claim(net: Net, words: str, invariant: str) -> Excluded:
    return Excluded(read_initial(net, words), Certificate(read_initial(net, invariant)))


@pytest.mark.parametrize(
    ("start", "target", "invariant"),
    [
        ("lock >= 1", "busy >= 2", "busy + lock = 1"),
        ("idle >= 1, lock = 1 or lock = 3", "busy + lock = 3", "busy + lock = 1"),
        ("idle + lock = 2", "busy >= 1", "busy = 0"),
        ("idle >= 1", "busy + idle != idle₀", "busy + idle = 3"),
        ("idle >= 1, busy >= 0", "busy + idle != idle₀", "busy + idle = idle₀"),
    ],
)
def test_an_invariant_that_is_none_of_all_initial_markings_is_refused(
    start: str, target: str, invariant: str
) -> None:
    net = parametric(MUTEX, start)
    with pytest.raises(EvidenceError):
        prove(net, claim(net, target, invariant))


def test_the_initial_formula_proves_an_invariant_with_parameters() -> None:
    net = parametric(MUTEX, "idle >= 1, busy <= 2")
    sum_kept = claim(net, "busy + idle != idle₀ + initial(busy)", "busy + idle = idle₀ + busy₀")
    assert prove(net, sum_kept) == "discharged by z3"


def test_a_trace_begins_in_an_initial_marking() -> None:
    net = parametric(MUTEX, "idle + lock = 2")
    first, *_ = sorted(net.added)
    for steps in ((), ((first, 2),), ((first, 1), ("init_1", 1)), (("enter", 1),)):
        with pytest.raises(EvidenceError):
            prove(net, reached(TRUE, Trace(steps)))
    assert prove(net, reached(TRUE, Trace(((first, 1),))))


def test_an_added_transition_that_takes_tokens_proves_nothing() -> None:
    taking = tuple(
        replace(t, pre=((0, 1),)) if t.name in MANY.added else t for t in MANY.transitions
    )
    net = replace(MANY, transitions=taking)
    with pytest.raises(EvidenceError, match="by itself"):
        prove(net, reached(TRUE, Trace((("init_idle", 1),))))
    pumped = Pumped((variable("idle"),), (Stage(Trace(()), Trace((("init_idle", 1),))),))
    assert prove(MANY, pumped)
    with pytest.raises(EvidenceError, match="by itself"):
        prove(net, pumped)


def test_repetitions_of_added_transitions_count_where_they_lead_to_initial_markings_alone() -> None:
    net = parametric(MUTEX, "idle >= 1, idle <= 2")
    name = min(net.added)
    pumped = Pumped((variable("idle"),), (Stage(Trace(()), Trace(((name, 1),))),))
    with pytest.raises(EvidenceError):
        prove(net, pumped)


def test_facts_of_the_state_equation_hold_from_each_initial_marking() -> None:
    net = make_net("gate", {"a": 0, "b": 0}, {"t": ({"a": 1}, {"a": 1, "b": 1})})
    never = read_initial(net, "b >= 1")
    closed = StateEquationCertificate((), ("a",))
    trap = StateEquationCertificate((("a",),), ())
    unmarked = StateEquationCertificate((), (), (("a",),))
    assert prove(parametric(net, "a = 0"), Excluded(never, closed))
    for start, certificate in (("a >= 0", closed), ("a <= 1", unmarked), ("b >= 0", closed)):
        with pytest.raises(EvidenceError):
            prove(parametric(net, start), Excluded(never, certificate))
    gone = read_initial(net, "a = 0")
    assert prove(parametric(net, "a >= 1"), Excluded(gone, trap))
    with pytest.raises(EvidenceError):
        prove(parametric(net, "a >= 0"), Excluded(gone, trap))


def test_a_table_has_the_rows_of_all_initial_markings() -> None:
    net = parametric(MUTEX, "lock <= 1, idle >= 1")
    table = MarkingTable((("busy", 1), ("lock", 1)), bytes((*[0] * 7, 1, *[0] * 7, 2)))
    never = Excluded(read_initial(net, "busy = lock"), table)
    assert prove(MANY, never)
    with pytest.raises(EvidenceError, match="not in the table"):
        prove(net, never)


def test_what_can_always_be_reached_again_is_not_proved_of_several_initial_markings() -> None:
    with pytest.raises(EvidenceError, match="several initial markings"):
        prove(MANY, Home((read_initial(MANY, "busy = 0"),), None))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ({"formula": "busy >= 2"}, False),
        ({"formula": "idle = 7 and busy = 1"}, True),
        ({"deadlock": True}, False),
        ({"bound": "busy"}, 1),
        ({"bound": "idle"}, UNBOUNDED),
        ({"bounded": True}, False),
        ({"quasi_live": True}, True),
    ],
)
def test_many_clients_exclude_each_other(question: dict[str, str], answer: object) -> None:
    assert check(ask(MUTEX, initial=CLIENTS, **question), budget=Budget(10)).value == answer


@pytest.mark.parametrize("kind", ["live", "reversible", "stable", "state_space", "sound"])
def test_other_questions_are_refused(kind: str) -> None:
    with pytest.raises(QueryError, match="fix the initial marking"):
        ask(MUTEX, initial=CLIENTS, **{kind: True})


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("idle >= 1, lok = 1", "no place 'lok'"),
        ("lock = 0, lock = 1", "no marking"),
        ("idle <= 5000, busy <= 5000", "complex"),
        ("3*idle + 5*busy = 7*lock + 9999", "complex"),
        ("", "too early"),
    ],
)
def test_initial_markings_that_make_no_sense_are_refused(words: str, reason: str) -> None:
    with pytest.raises(QueryError, match=reason):
        ask(MUTEX, initial=words, deadlock=True)


def test_bounds_are_asked_of_alternatives_one_by_one() -> None:
    with pytest.raises(QueryError, match="alternatives"):
        ask(MUTEX, initial="idle + lock = 2", bound="busy")
    with pytest.raises(QueryError, match="initial tokens"):
        ask(MUTEX, initial=CLIENTS, bound="busy - idle₀")


def test_a_place_named_like_a_parameter_keeps_its_name() -> None:
    net = make_net("n", {"p": 0, "p₀": 5}, {})
    question = ask(net, initial="p >= 1", formula="p₀ = 5 and initial(p) = 2")
    assert check(question, budget=Budget(10)).value is True
    assert check(ask(net, initial="p >= 1", formula="p₀ = 4"), budget=Budget(10)).value is False


def test_guarded_nets_have_one_initial_marking() -> None:
    net = petricheck.make_net("filled", {"p": 0}, {"t": ({}, {"p": 1})}, inhibitors={"t": {"p": 3}})
    with pytest.raises(QueryError, match="only of nets without colours, inhibitor arcs, resets"):
        ask(net, initial="p >= 1", deadlock=True)
