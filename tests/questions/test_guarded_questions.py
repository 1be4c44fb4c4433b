"""Questions about guarded nets, whose answers differ from those without the guards."""

from __future__ import annotations

import pytest
from guarded_nets import explored

from petricheck.arithmetic.formulas.formulas import evaluate
from petricheck.evidence.answer import Reachable, Unreachable
from petricheck.formats.nets._guarded_bounds import ordinary
from petricheck.model.guarded.net import GuardedNet, guarded
from petricheck.model.net import Net, make_net
from petricheck.questions import ask, check
from petricheck.support import plugins
from petricheck.support.budget import Budget

ROOM = make_net(
    "room",
    {"idle": 3, "reading": 0, "writing": 0},
    {
        "read": ({"idle": 1}, {"reading": 1}),
        "stop": ({"reading": 1}, {"idle": 1}),
        "write": ({"idle": 1}, {"writing": 1}),
        "end": ({"writing": 1}, {"idle": 1}),
    },
)
LOCKED = guarded(ROOM, inhibitors=[(0, 2, 1), (2, 1, 1), (2, 2, 1)])
STORE = make_net("store", {"stock": 0, "sold": 0}, {"make": ({}, {"stock": 1}), "sell": ({}, {})})
FLUSHED = guarded(STORE, capacities={0: 2}, resets=[(1, 0)], reads=[(1, 0, 2)])

QUESTIONS = [
    (LOCKED, "reading >= 1 and writing >= 1", False),
    (LOCKED, "writing >= 2", False),
    (LOCKED, "reading = 3", True),
    (FLUSHED, "stock >= 3", False),
    (FLUSHED, "stock = 2", True),
]


def net_of(source: Net | GuardedNet) -> Net:
    assert isinstance(source, GuardedNet)
    return ordinary(source, Budget())


@pytest.mark.parametrize("engine", [*plugins.all_members("engines")])
def test_no_engine_forgets_an_upper_guard(engine):
    for source, formula, reachable in QUESTIONS:
        net = net_of(source)
        finding = check(ask(net, formula=formula), engine=engine, budget=Budget(0.2))
        assert finding.value in (reachable, None), formula


@pytest.mark.parametrize(("source", "formula", "reachable"), QUESTIONS)
def test_the_answer_is_that_of_brute_force_and_not_that_without_guards(source, formula, reachable):
    question = ask(source.plain, formula=formula)
    markings = explored(source)
    assert markings is not None
    names = [dict(zip(source.places, marking, strict=True)) for marking in markings]
    assert any(evaluate(question.target, values) for values in names) is reachable
    finding = check(ask(net_of(source), formula=formula), budget=Budget(20))
    assert isinstance(finding.answer, Reachable if reachable else Unreachable)
    if not reachable:
        assert check(question, budget=Budget(20)).value is True


def test_an_exact_target_says_nothing_of_complement_places():
    question = ask(net_of(LOCKED), target="reading=3")
    assert question.unnamed == ("idle", "writing")
    assert check(question).value is True


KINDS = {
    "bounded": ("", True),
    "safe": ("", False),
    "deadlock": ("", False),
    "quasi_live": ("", True),
    "live": ("", True),
    "reversible": ("", True),
    "home": ("reading = 3", True),
    "stable": ("", False),
    "bound": ("reading + 2*writing", 3),
    "state_space": ("", 5),
    "fireable": ("write", True),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_question_is_answered_on_a_guarded_net(kind):
    text, value = KINDS[kind]
    finding = check(ask(net_of(LOCKED), **{kind: text or True}), budget=Budget(20))
    assert finding.value == value
    if kind == "state_space":
        assert finding.conclusion.facts["tokens_in_place"] == 3
        assert finding.conclusion.facts["tokens_in_marking"] == 3
