"""What classes of colours prove about nets that are not unfolded, and what the audit refuses."""

from __future__ import annotations

from itertools import combinations

import pytest
from coloured_nets import all_of, one

from petricheck.arithmetic.formulas.formulas import Conjunction, at_least
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.audit import prove
from petricheck.evidence.audit.quick import check_quickly
from petricheck.evidence.certificates import described, notation_of, read_certificate
from petricheck.evidence.certificates.classes import ColourClasses
from petricheck.evidence.claims import Excluded
from petricheck.model.coloured.net import ColouredNet, Place, Transition
from petricheck.model.coloured.skeleton import skeleton
from petricheck.model.coloured.sorts import Enumeration
from petricheck.model.coloured.terms import All, Comparison, Constant, Shifted, Summand, Variable
from petricheck.model.coloured.unfolding import unfold
from petricheck.questions import Setting, ask, check
from petricheck.questions.class_counting import excluded_by_classes
from petricheck.questions.question import Question
from petricheck.questions.study import Study
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError


def tools(size: int) -> ColouredNet:
    """Workers, each with a tool of its own, and one whose tool the next worker borrows."""
    sort = Enumeration("W", tuple(f"w{number}" for number in range(size)), cyclic=True)
    x = Variable("x", sort)
    places = (
        Place("idle", sort, all_of(sort)),
        Place("free", sort, all_of(sort)),
        Place("busy", sort),
    )
    return ColouredNet(
        "tools",
        places,
        (
            Transition("take", ((0, one(x)), (1, one(x))), ((2, one(x)),)),
            Transition("put", ((2, one(x)),), ((0, one(x)), (1, one(x)))),
            Transition("twice", ((1, one(x)), (2, one(x))), ((1, one(x)), (2, one(x)))),
            Transition("lend", ((1, one(Shifted(x, 1))), (2, one(x))), ((2, one(x)),)),
        ),
    )


@pytest.fixture(scope="module")
def asked() -> Question:
    return ask(skeleton(tools(50)), fireable="twice")


@pytest.fixture(scope="module")
def claim(asked: Question) -> Excluded:
    study = Study(asked.net, Setting(), Budget(20))
    ((number, finding),) = excluded_by_classes([asked], study)
    assert (number, finding.value) == (0, False)
    (claim,) = finding.claims
    assert isinstance(claim, Excluded)
    return claim


def test_colours_that_totals_do_not_tell_apart_are_tracked(
    asked: Question, claim: Excluded
) -> None:
    assert isinstance(claim.certificate, ColourClasses)
    assert (claim.certificate.tracked, claim.certificate.apart) == (1, 0)
    check_quickly(asked.net, claim)
    # Of totals alone it does not follow.
    assert check(asked, budget=Budget(1)).value is None


def test_what_is_reached_is_not_excluded() -> None:
    net = skeleton(tools(50))
    questions = [
        ask(net, fireable="lend"),
        ask(net, formula="fireable(put) and not fireable(lend)"),
    ]
    study = Study(net, Setting(), Budget(3))
    assert [number for number, _ in excluded_by_classes(questions, study)] == []


def test_a_certificate_is_read_as_it_was_written(claim: Excluded) -> None:
    written = notation_of(claim.certificate).write(claim.certificate)
    assert read_certificate(written) == claim.certificate


def test_the_audit_refuses_what_classes_do_not_prove(asked: Question, claim: Excluded) -> None:
    assert isinstance(claim.certificate, ColourClasses)
    inner = claim.certificate.certificate
    other = ask(asked.net, fireable="lend").target
    assert other is not None
    for false in (
        Excluded(claim.formula, ColourClasses(0, 0, inner)),
        Excluded(claim.formula, ColourClasses(-1, 0, inner)),
        Excluded(claim.formula, ColourClasses(1, 0, claim.certificate)),
        Excluded(claim.formula, inner),
        Excluded(other, claim.certificate),
    ):
        with pytest.raises(EvidenceError):
            prove(asked.net, false)


def test_classes_prove_nothing_of_an_unfolding(claim: Excluded) -> None:
    net = unfold(tools(3), Budget())
    with pytest.raises(EvidenceError):
        prove(net, Excluded(Conjunction((at_least(variable("busy(w0)"), 1),)), claim.certificate))


def test_colours_of_small_sorts_that_cannot_be_exchanged_are_set_apart() -> None:
    net = tools(5)
    marked = (Place("today", net.places[0].sort, (Summand(1, Constant(net.places[0].sort, 0)),)),)
    told = ColouredNet("told", net.places + marked, net.transitions)
    question = ask(skeleton(told), fireable="twice")
    study = Study(question.net, Setting(), Budget(20))
    ((_, finding),) = excluded_by_classes([question], study)
    (claim,) = finding.claims
    assert isinstance(claim, Excluded)
    assert isinstance(claim.certificate, ColourClasses)
    assert claim.certificate.apart >= 5
    assert "Set apart: all of each sort" in described(claim.certificate, "text").body


def test_at_first_no_colours_are_set_apart_that_nothing_tells_apart(asked: Question) -> None:
    study = Study(asked.net, Setting(), Budget(20))
    assert not [*excluded_by_classes([asked], study, first=True)]


def test_what_a_transition_puts_does_not_decide_whether_it_is_enabled() -> None:
    hours = Enumeration("H", tuple(f"h{number}" for number in range(100)), cyclic=True)
    x, noon = Variable("x", hours), Constant(hours, 12)
    places = (Place("clock", hours, one(noon)), Place("bell", hours))
    transitions = (
        Transition("tick", ((0, one(x)),), ((0, one(Shifted(x, 1))),)),
        Transition("ring", ((0, one(noon)),), ((0, one(noon)), (1, one(noon)))),
    )
    question = ask(
        skeleton(ColouredNet("clock", places, transitions)), formula="not fireable(tick)"
    )
    ((_, finding),) = excluded_by_classes([question], Study(question.net, Setting(), Budget(20)))
    assert finding.value is False


def test_what_a_guard_excludes_only_together_may_need_what_nothing_puts() -> None:
    sort = Enumeration("S", ("a", "b", "c"), cyclic=True)
    variables, last = [Variable(name, sort) for name in "xyz"], Constant(sort, 2)
    # Three different ones of a and b: each two may be, and only their successors tell a from b.
    different = [Comparison("!=", *pair) for pair in combinations((*variables, last), 2)]
    taken = tuple(Summand(1, variable) for variable in variables)
    put = tuple(Summand(1, Shifted(variable, 1)) for variable in variables)
    places = (Place("empty", sort), Place("p", sort, one(last)))
    never = Transition("never", ((0, taken),), ((1, put),), All(tuple(different)))
    question = ask(skeleton(ColouredNet("n", places, (never,))), fireable="never")
    ((_, finding),) = excluded_by_classes([question], Study(question.net, Setting(), Budget(20)))
    assert finding.value is False


def test_questions_that_name_other_colours_are_proved_each_by_its_own() -> None:
    net = skeleton(tools(6))
    questions = [ask(net, fireable="twice"), ask(net, fireable="lend(x=w2)")]
    study = Study(net, Setting(), Budget(20))
    findings = excluded_by_classes(questions, study)
    assert [(number, finding.value) for number, finding in findings] == [(0, False)]
