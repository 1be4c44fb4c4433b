"""Claims about an earlier net: they count where the audit accepts them, and save the search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from evidence_files import write_evidence
from false_certificates import FALSE, FALSE_IN_MEMORY
from hypothesis import given
from hypothesis import strategies as st
from notation import formula, net_of, trace_of
from oracle import known_verdict
from strategies import nets, problems, repeatable

import petricheck
from petricheck.arithmetic.formulas.formulas import variables
from petricheck.engines import EARLIER
from petricheck.engines.cegar import Cegar
from petricheck.evidence.answer import Trace, Unknown, Unreachable
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.evidence.claims import Excluded, Reached, reached
from petricheck.model.net import Net, Transition
from petricheck.model.problem import make_problem
from petricheck.questions import Setting, Study
from petricheck.questions.answering import answer_again
from petricheck.questions.earlier import followed, prove_again, weakened
from petricheck.questions.events.settling import Settling
from petricheck.questions.kinds.bounded import Bounded
from petricheck.questions.kinds.quasi_live import QuasiLive
from petricheck.questions.maxima import half_spaces
from petricheck.questions.question import question_of
from petricheck.support.budget import Budget
from petricheck.support.errors import InputError

OLD = net_of("a=1 b=0 c=0 s=1, t: a + s -> b, u: b -> a + s, v: c -> c")
Claims = tuple[petricheck.Reached | petricheck.Excluded, ...]


def again(net: Net, text: str, *claims: Any, engine: str = "portfolio") -> petricheck.Finding:
    question = question_of(net, formula(text))
    return petricheck.check(replace(question, earlier=claims), budget=Budget(60.0), engine=engine)


def unsearched(net: Net, text: str, *claims: Any) -> petricheck.Finding:
    """What follows without a search: the engine gives up at once."""
    return again(net, text, *claims, engine="bmc:length=1")


# What holds as it is


def test_an_invariant_that_still_holds_answers_without_a_search() -> None:
    old = petricheck.check(question_of(OLD, formula("a >= 1 and b >= 1")))
    new = net_of("a=1 b=0 c=0 s=1, t: a + s -> b, u: b + c -> a + s, v: c -> c")
    found = petricheck.check(question_of(new, formula("a >= 1 and b >= 1")), earlier=old)
    assert (found.value, found.reused, found.decider) == (False, 1, EARLIER)
    assert "It follows from the earlier evidence." in str(found)


def test_a_proof_of_more_answers_another_question_about_the_net() -> None:
    old = petricheck.check(question_of(OLD, formula("b >= 2")))
    assert petricheck.check(question_of(OLD, formula("b >= 3")), earlier=old).reused == 1


@pytest.mark.parametrize(
    "kind", ["bounded", "safe", "live", "deadlock", "quasi_live", "reversible", "state_space"]
)
def test_every_kind_of_question_is_answered_again_by_its_own_claims(kind: str) -> None:
    question = petricheck.ask(OLD, **{kind: True})
    old = petricheck.check(question)
    found = petricheck.check(question, earlier=old)
    assert found.conclusion == old.conclusion
    assert found.reused == len(found.claims) > 0


# What holds in part


def test_a_trace_is_fired_as_far_as_its_steps_fire_now_or_later() -> None:
    net = net_of("a=2 b=0 c=0, t: a -> b, u: b -> c")
    told = reached(formula("c == 2"), trace_of("u gone t^3 u"))
    assert followed(net, told, Budget()) == reached(formula("c == 2"), trace_of("t^2 u^2"))
    assert unsearched(net, "c == 2", told).reused == 1
    assert followed(net, reached(formula("c == 3"), told.trace), Budget()) is None
    assert followed(net, reached(formula("gone == 1"), told.trace), Budget()) is None


def test_of_several_stops_of_a_trace_those_stay_that_are_passed() -> None:
    net = net_of("a=1 b=0 c=0, t: a -> b, u: b -> 2 c")
    b, c = formula("b == 1"), formula("c == 1")
    told = Reached(trace_of("t u"), ((1, b), (2, c)))
    assert followed(net, told, Budget()) == Reached(trace_of("t"), ((1, b),))


def test_what_is_still_inductive_of_an_invariant_proves_what_it_can() -> None:
    new = net_of("a=1 b=0 c=0 s=1, t: a + s -> b, u: b -> a + s, v: a -> a + c")
    told = Excluded(formula("b >= 2"), Certificate(formula("c <= 0 and a + b == 1 and s <= 1")))
    found = unsearched(new, "b >= 2", told)
    assert (found.value, found.reused) == (False, 1)
    (claim,) = found.claims
    assert isinstance(claim, Excluded) and isinstance(claim.certificate, Certificate)
    assert "c" not in variables(claim.certificate.invariant)


def test_of_several_exclusions_those_stay_that_the_inductive_part_proves() -> None:
    new = net_of("a=1 b=0 c=0, t: a -> b, u: b -> a, v: a -> a + c")
    several, certificate = (
        formula("b >= 2 or c >= 1"),
        Certificate(formula("a + b == 1 and c <= 0")),
    )
    question = petricheck.ask(new, bounded=True)
    study = Study(new, Setting(), Budget())
    prove_again(replace(question, earlier=(Excluded(several, certificate),)), study)
    (claim,) = study.claims
    assert isinstance(claim, Excluded) and claim.formula == formula("b >= 2")


def test_traps_and_siphons_shrink_to_what_is_one_now() -> None:
    told = StateEquationCertificate((("a", "b", "gone"), ("c",)), ("c", "d"), (("c", "a"),))
    net = net_of("a=1 b=0 c=0 d=0, t: a -> b, u: b -> a + d, v: c -> a")
    assert weakened(net, told, ()) == StateEquationCertificate((("a", "b"),), ("c",), (("c",),))


def test_the_atoms_of_what_no_longer_holds_are_facts_for_engines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[Any] = []

    def solve_informed(engine: Cegar, problem: Any, budget: Budget, facts: Any) -> Unknown:
        told.extend(facts)
        return Unknown("noted")

    monkeypatch.setattr(Cegar, "solve_informed", solve_informed)
    false = Excluded(formula("b >= 1"), Certificate(formula("b <= 0 and s <= 1")))
    assert again(OLD, "b >= 3", false, engine="cegar").reused == 0
    assert set(told) == {formula("b <= 0"), formula("s <= 1")}


def test_a_search_goes_on_with_what_the_claims_leave_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two events and two bounds, one each is proved before."""
    net = net_of("a=1 b=0 c=0 d=1, t: a -> b, u: b -> c, v: d -> d + d")
    events = QuasiLive().events(net)
    study = Study(net, Setting(), Budget())
    study.prove(Reached(trace_of("t"), ((1, formula("b >= 1")),)))
    assert Settling(study, events, False).open == {}
    assert Settling(Study(net, Setting(), Budget()), events, False).open.keys() == {"u"}

    asked: list[set[int]] = []

    def limited_places(net: Net, sufficient: dict[int, float], budget: Budget) -> Iterator[Any]:
        asked.append(set(sufficient))
        return iter(())

    monkeypatch.setattr(half_spaces, "limited_places", limited_places)
    study.prove(Excluded(formula("a >= 2 or b >= 2"), Certificate(formula("a + b + c <= 1"))))
    Bounded().search(study, [None])
    assert asked == [{2, 3}]


# What is false


@pytest.mark.parametrize(
    "claim",
    [
        reached(formula("b == 1"), Trace(())),
        reached(formula("b == 1"), Trace((("nothing", 1),))),
        Excluded(formula("b == 1"), Certificate(formula("b <= 0"))),
        Excluded(formula("b == 1"), Certificate(formula("false == 1"))),
        Excluded(formula("b == 1"), StateEquationCertificate((("b",),), ("a", "b"))),
        Excluded(formula("b == 1"), "no certificate"),
    ],
)
def test_a_false_claim_changes_no_answer(claim: Any) -> None:
    found = again(OLD, "b == 1", claim)
    assert (found.value, found.reused) == (True, 0)
    assert "No claim of the earlier evidence holds" in str(found)


@pytest.mark.slow
def test_no_smallest_false_certificate_is_believed_weakened_or_not() -> None:
    for row in (*FALSE, *FALSE_IN_MEMORY):
        if not isinstance(row.evidence, Trace):
            claim = Excluded(row.target, row.evidence)
            question = replace(question_of(row.net, row.target), earlier=(claim,))
            assert answer_again(question, Study(row.net, Setting(), Budget())) is None, row.name


def test_a_claim_about_a_marking_that_is_reached_no_longer_is_searched_anew() -> None:
    old = petricheck.check(question_of(OLD, formula("b == 1")))
    new = net_of("a=1 b=0 s=0, t: a + s -> b, u: b -> a + s")
    found = petricheck.check(question_of(new, formula("b == 1")), earlier=old)
    assert (found.value, found.reused) == (False, 0)


def test_without_time_nothing_is_tried() -> None:
    old = petricheck.check(question_of(OLD, formula("b >= 2")))
    found = petricheck.check(old.question, earlier=old, budget=Budget(1e-9))
    assert (found.value, found.reused) == (None, 0)


def test_files_that_are_no_evidence_are_refused(tmp_path: Path) -> None:
    question = question_of(OLD, formula("b == 1"))
    for name, content in (("a.json", b"{"), ("b.json", b"[]"), ("c.txt", b""), ("d.smt2", b"(")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match=f"earlier evidence cannot be used.*{name}"):
            petricheck.check(question, earlier=tmp_path / name)
    with pytest.raises(InputError, match="cannot be read"):
        petricheck.check(question, earlier=tmp_path / "missing.json")
    with pytest.raises(InputError, match="earlier= is a finding"):
        petricheck.check(question, earlier=7)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["old.json", "old.smt2"])
def test_each_format_of_evidence_is_read(tmp_path: Path, name: str) -> None:
    target = formula("a >= 1 and b >= 1")
    old = petricheck.check(question_of(OLD, target))
    assert isinstance(old.answer, Unreachable)
    write_evidence(tmp_path / name, None, make_problem(OLD, target), old.answer)
    assert petricheck.check(question_of(OLD, target), earlier=tmp_path / name).reused == 1


# Any net, any change


@st.composite
def changes(draw: st.DrawFn, net: Net) -> Net:
    """The net with another weight, an arc more or less, or other tokens."""
    number, tokens = draw(st.integers(0, len(net.transitions))), list(net.initial)
    place, weight = draw(st.integers(0, len(tokens) - 1)), draw(st.integers(0, 2))
    if number == len(net.transitions):
        tokens[place] = weight
        return replace(net, initial=tuple(tokens))
    transition = net.transitions[number]
    sides = [dict(transition.pre), dict(transition.post)]
    sides[draw(st.integers(0, 1))][place] = weight
    pre, post = (tuple(sorted((p, w) for p, w in side.items() if w)) for side in sides)
    transitions = list(net.transitions)
    transitions[number] = Transition(transition.name, pre, post)
    return replace(net, transitions=tuple(transitions))


@repeatable(25)
@given(problems(), st.data())
def test_with_earlier_evidence_a_target_has_the_answer_that_it_has_by_brute_force(
    problem, data
) -> None:
    old = petricheck.check(problem, budget=Budget(5.0))
    new = make_problem(data.draw(changes(problem.net)), problem.target)
    found = petricheck.check(new, budget=Budget(5.0), earlier=old)
    truth = known_verdict(new, 300)
    if truth and found.value is not None:
        assert found.value is (truth == "reachable")
    assert found.value is not None or petricheck.check(new, budget=Budget(5.0)).value is None


def answers_again(net: Net, data: st.DataObject, kinds: tuple[str, ...]) -> None:
    new, kind = data.draw(changes(net)), data.draw(st.sampled_from(kinds))
    old = petricheck.check(petricheck.ask(net, **{kind: True}), budget=Budget(5.0))
    question = petricheck.ask(new, **{kind: True})
    plain = petricheck.check(question, budget=Budget(5.0))
    found = petricheck.check(question, budget=Budget(5.0), earlier=old)
    assert None in (found.value, plain.value) or found.value == plain.value


@repeatable(8)
@given(nets(), st.data())
def test_with_earlier_evidence_a_question_has_the_answer_that_it_has_without(net, data) -> None:
    answers_again(net, data, ("deadlock", "safe", "bounded", "live", "quasi_live", "reversible"))


@pytest.mark.slow
@repeatable(300)
@given(nets(), st.data())
def test_so_it_is_for_many_nets(net, data) -> None:
    answers_again(net, data, ("deadlock", "safe", "bounded", "live", "quasi_live", "reversible"))
