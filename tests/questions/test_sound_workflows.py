"""Soundness of workflow nets: every grade as by definition, and what is told of a broken one."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest
from evidence_files import several
from folders import NETS
from hypothesis import assume, given
from hypothesis import strategies as st
from invoked import run, settled
from notation import net_of
from strategies import markings, nets, repeatable
from workflows import (
    GRADES,
    is_sound,
    last,
    mismatched,
    on_no_way,
    severed,
    sound_workflow,
    unjoined,
    workflows,
)

from petricheck.arithmetic.formulas.formulas import (
    TRUE,
    Conjunction,
    Formula,
    at_least,
    conjuncts,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.engines.state_equation import StateEquation
from petricheck.evidence.answer import Unreachable
from petricheck.evidence.audit import prove
from petricheck.evidence.audit.homes.short_circuit import exceeded, restarted
from petricheck.evidence.audit.participation import participation
from petricheck.evidence.certificates.free_choice import PositiveInvariants
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.certificates.short_circuit import Restarted
from petricheck.evidence.claims import Excluded, ExcludedAfter, ExcludedWith, Home, Reached
from petricheck.evidence.files.json import Json
from petricheck.formats.nets.pnml import Pnml
from petricheck.model.net import Marking, Net, make_net
from petricheck.model.problem import make_problem
from petricheck.questions import Setting, Study, ask, check
from petricheck.questions.homes import short_circuit
from petricheck.questions.workflows import completion
from petricheck.questions.workflows.workflow import completed
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError, QueryError


@pytest.mark.parametrize("examples", [20, pytest.param(60, marks=pytest.mark.slow)])
def test_a_workflow_is_told_sound_where_brute_force_finds_it_so(examples: int) -> None:
    @repeatable(examples)
    @given(workflows(), st.sampled_from(GRADES))
    def compare(net: Net, grade: str) -> None:
        expected = is_sound(net, grade, net.finals or (last(net),))
        assume(expected is not None)
        try:
            posed = ask(net, sound=grade)
        except QueryError:  # What was broken is no workflow net any more.
            return
        conclusion = check(posed, budget=Budget(20)).conclusion
        assert conclusion.value == expected
        assert not expected or conclusion.facts["open"] == []
        if grade == "relaxed":
            assert conclusion.facts["on no way"] == on_no_way(net, net.finals or (last(net),))
            assert conclusion.facts["open"] == []

    compare()


def test_both_answers_are_frequent_in_what_is_drawn() -> None:
    drawn = Counter[tuple[str, bool | None]]()

    @repeatable(150)
    @given(workflows(), st.sampled_from(GRADES))
    def count(net: Net, grade: str) -> None:
        drawn[grade, is_sound(net, grade, net.finals or (last(net),))] += 1

    count()
    assert min(drawn[pair] for pair in product(GRADES, (False, True))) >= 5, drawn


@pytest.mark.parametrize("size", [50, pytest.param(500, marks=pytest.mark.slow)])
def test_a_large_workflow_of_sound_parts_is_proved_sound(size: int) -> None:
    net = sound_workflow(size, Random(size)).net()
    finding = check(ask(net, sound=True), budget=Budget(60))
    assert finding.headline == "sound"
    assert any(isinstance(claim, Home) for claim in finding.claims)


@pytest.mark.parametrize("size", [50, pytest.param(300, marks=pytest.mark.slow)])
def test_branches_that_are_not_joined_leave_tokens_over(size: int) -> None:
    chance = Random(size)
    made = sound_workflow(size, chance)
    unjoined(made, chance)
    facts = check(ask(made.net(), sound=True), budget=Budget(60)).conclusion.facts
    assert facts["holds"] is False and facts["proper"] is False
    assert facts["left"]["o"] >= 1 and sum(facts["left"].values()) > 1


def test_walks_show_at_once_where_a_large_workflow_is_stuck_and_what_is_left_over() -> None:
    chance = Random(5)
    made = sound_workflow(300, chance)
    unjoined(made, chance)
    net = made.net()
    content = ask(net, sound=True).content
    study = Study(net, Setting(), Budget(40))
    completion.try_quickly(study, content.final, content.improper)
    assert {type(claim) for claim in study.claims} == {Reached, ExcludedAfter}


@pytest.mark.parametrize("size", [50, pytest.param(300, marks=pytest.mark.slow)])
def test_a_join_of_what_is_chosen_is_named_as_dead_and_the_workflow_is_stuck(size: int) -> None:
    chance = Random(size)
    made = sound_workflow(size, chance)
    join = mismatched(made, chance)
    facts = check(ask(made.net(), sound=True), budget=Budget(60)).conclusion.facts
    assert facts["holds"] is False and facts["completes"] is False
    assert join in facts["dead"] and facts["stuck"]


def test_a_place_that_an_arc_is_missing_from_is_named_as_a_second_sink() -> None:
    made, chance = sound_workflow(50, Random(1)), Random(2)
    place = severed(made, chance)
    with pytest.raises(QueryError, match=rf"the sink, but {place}, o have no arcs out of them"):
        ask(made.net(), sound=True)


CANCELLED = NETS / "order_cancelled.pnml"
STEP = ({"i": 1}, {"o": 1})


@pytest.mark.parametrize(
    ("places", "transitions", "message"),
    [
        ({"i": 1, "o": 0}, {"t": STEP, "u": ({"o": 1}, {"i": 1})}, "no source: every place has"),
        ({"i": 1, "j": 0, "o": 0}, {"t": STEP, "u": ({"j": 1}, {"o": 1})}, "source, but i, j have"),
        ({"i": 1, "o": 0}, {"t": STEP, "u": ({}, {"o": 1})}, "from the source to u"),
        ({"i": 1, "o": 0}, {"t": STEP, "u": ({"i": 1}, {})}, "to the sink from u"),
        ({"i": 0, "o": 0}, {"t": STEP}, "put a token on the source i"),
        ({}, {}, "it has no places"),
    ],
)
def test_what_is_no_workflow_net_is_refused_with_the_node_to_blame(
    places: dict[str, int],
    transitions: dict[str, tuple[dict[str, int], dict[str, int]]],
    message: str,
) -> None:
    with pytest.raises(QueryError, match=message):
        ask(make_net("none", places, transitions), sound=True)


CHOICE = {"t": ({"i": 1}, {"d": 1}), "u": ({"i": 1}, {"e": 1})}
SPLIT = {"t": ({"i": 1}, {"d": 1, "e": 1})}


SEVERAL = [
    (CHOICE, [{"d": 1}, {"e": 1}], "sound"),
    (SPLIT, [{"d": 1, "e": 1}], "sound"),
    (SPLIT, [{"d": 1}, {"e": 1}], "not sound"),
    (CHOICE, [{"d": 1, "e": 1}], "not sound"),
    (CHOICE, [{"d": 1}], "e have no arcs out of them"),
    (CHOICE, [], "d, e have no arcs out of them"),
]


@pytest.mark.parametrize(("transitions", "finals", "answer"), SEVERAL)
def test_several_sinks_are_told_apart_by_final_markings_that_mark_each(
    transitions: dict[str, tuple[dict[str, int], dict[str, int]]],
    finals: list[dict[str, int]],
    answer: str,
) -> None:
    net = make_net("n", {"i": 1, "d": 0, "e": 0}, transitions, finals)
    if "sound" in answer:
        facts = check(ask(net, sound=True), budget=Budget(60)).conclusion.facts
        assert facts["holds"] is (answer == "sound")
        return
    with pytest.raises(QueryError, match=answer):
        ask(net, sound=True)


@pytest.mark.parametrize(
    ("transitions", "finals", "answer"), [row for row in SEVERAL if "arcs" not in row[2]]
)
def test_final_markings_may_stand_in_the_words(
    transitions: dict[str, tuple[dict[str, int], dict[str, int]]],
    finals: list[dict[str, int]],
    answer: str,
) -> None:
    net = make_net("n", {"i": 1, "d": 0, "e": 0}, transitions)
    words = "; ".join(", ".join(f"{p}={n}" for p, n in final.items()) for final in finals)
    finding = check(ask(net, sound=f"classical: {words}"), budget=Budget(60))
    assert finding.headline == answer
    assert not any("no workflow net" in line for line in finding.conclusion.details)


@repeatable(15)
@given(st.data())
def test_any_net_is_judged_by_the_final_markings_that_are_named(data: st.DataObject) -> None:
    net = data.draw(nets(3, 3))
    drawn = data.draw(st.lists(markings(net), min_size=1, max_size=2, unique=True))
    grade = data.draw(st.sampled_from(GRADES))
    expected = is_sound(net, grade, drawn)
    assume(expected is not None)
    words = "; ".join(
        ", ".join(f"{p}={n}" for p, n in zip(net.places, final, strict=True)) for final in drawn
    )
    finding = check(ask(net, sound=f"{grade}: {words}"), budget=Budget(60))
    assert finding.value is expected
    finals = tuple(dict.fromkeys(drawn))
    if grade in ("easy", "relaxed"):
        assert check(ask(replace(net, finals=finals), sound=grade)).value is expected


def test_a_net_without_structure_says_so_and_errors_point_into_the_words() -> None:
    net = net_of("p=1 q=0, t: p -> q, u: q -> p")
    details = check(ask(net, sound="easy: q=1")).conclusion.details
    assert details[0].startswith("Judged by its final markings alone, as the net is no workflow")
    for words, position in (("easy: q=1; r=1", 11), ("q=1;p>1", 5)):
        with pytest.raises(QueryError) as refusal:
            ask(net, sound=words)
        assert refusal.value.position == position
    assert check(ask(net, sound="weak: q=1; ")).value is True


def test_options_name_final_markings() -> None:
    options = ("--sound", "easy", "--final", "done=1", "--final", "packed=1, done=1")
    assert settled(run(CANCELLED, *options, "--quiet"), 0).stdout == "sound\n"
    assert "--final goes with --sound" in settled(run(CANCELLED, "--final", "done=1"), 2).stderr


SKIP = net_of("i=1 a=0 o=0, t: i -> a, u: a -> o, v: 2 a -> 2 o")
"""Sound but for a transition that never fires."""


def test_a_word_that_is_no_grade_and_a_final_marking_of_no_words_are_refused(
    tmp_path: Path,
) -> None:
    with pytest.raises(QueryError, match="'strong' is no grade of soundness; name easy, relaxed"):
        ask(make_net("chosen", {"i": 1, "d": 0, "e": 0}, CHOICE), sound="strong: d=1")
    (path := tmp_path / "chosen.net").write_text("pl i (1)\ntr t i -> d\n")
    refused = settled(run(path, "--sound", "easy", "--final", ""), 2)
    assert "--final is empty" in refused.stderr


@pytest.mark.slow
def test_the_words_name_the_grade_and_the_final_marking() -> None:
    answers = {
        words: check(ask(SKIP, sound=words), budget=Budget(20)).value
        for words in (
            *("", "classical", "weak", "easy", "o=1", "weak: o=1", "weak: a=1", "easy: a=1"),
            *("relaxed", "relaxed: o=1"),
        )
    }
    assert [words for words, value in answers.items() if value] == [
        "weak",
        "easy",
        "weak: o=1",
        "easy: a=1",
    ]
    for wrong in ("strong", "weak: o>1", "weak: x=1", "easy: o=1, o=1"):
        with pytest.raises(QueryError):
            ask(SKIP, sound=wrong)


def test_the_command_says_what_fails_and_where(tmp_path: Path) -> None:
    made, chance = sound_workflow(20, Random(5)), Random(0)
    path, evidence = tmp_path / "w.pnml", tmp_path / "e.json"
    path.write_bytes(Pnml().write(made.net()))
    told = settled(run(path, "--sound", "--evidence", evidence)).output
    assert told.startswith("sound\n")
    assert settled(run("verify", path, evidence)).output.startswith("accepted: sound\n")
    unjoined(made, chance)
    path.write_bytes(Pnml().write(made.net()))
    told = settled(run(path, "--sound=weak")).output
    assert told.startswith("not sound\n") and "Tokens are left over when it is completed: " in told
    details = json.loads(settled(run(path, "--sound", "weak", "--json")).output)["details"]
    assert details["holds"] is False and details["grade"] == "weak"


def test_claims_that_say_something_else_conclude_nothing() -> None:
    net = sound_workflow(6, Random(5)).net()
    posed = ask(net, sound=True)
    finding = check(posed, budget=Budget(20))
    assert finding.value is True
    for claim in finding.claims:
        rest = [other for other in finding.claims if other is not claim]
        assert posed.conclude(rest).value is None
    by_kind = Counter(type(claim) for claim in finding.claims)
    assert (
        by_kind[Home] == by_kind[Excluded] == 1 and by_kind[Reached] and not by_kind[ExcludedAfter]
    )


TRAP = make_net(
    "trap",
    {"i": 1, "unfired": 0, "b": 0, "c": 0, "o": 0},
    {
        "t": ({"i": 1}, {"o": 1}),
        "t'": ({"i": 1}, {"unfired": 1, "b": 1}),
        "u": ({"unfired": 1, "b": 1}, {"b": 1, "c": 1}),
        "v": ({"c": 1}, {"o": 1}),
        "w": ({"b": 2}, {"o": 1}),
    },
)
"""One branch ends well, the other with a token left; its names are those that a proof would use."""


def test_transitions_on_no_way_to_a_final_marking_are_named_and_proved(tmp_path: Path) -> None:
    path, evidence = tmp_path / "trap.pnml", tmp_path / "e.json"
    path.write_bytes(Pnml().write(TRAP))
    told = settled(run(path, "--sound=relaxed", "--evidence", evidence)).output
    assert told.startswith('not sound\nOn no way to a final marking: "t\'", u, v, w.\n')
    assert settled(run("verify", path, evidence, "--explain")).output.startswith("accepted: not so")
    page = tmp_path / "trap.html"
    settled(run(path, "--sound=relaxed", "--html", page))
    assert "Never after" in page.read_text()
    details = json.loads(settled(run(path, "--sound", "relaxed: c=1, b=1", "--json")).output)
    assert details["details"]["on no way"] == ["t", "v", "w"]


def test_every_transition_of_a_large_workflow_is_on_a_way_and_traces_are_shared() -> None:
    net = sound_workflow(200, Random(3)).net()
    finding = check(ask(net, sound="relaxed"), budget=Budget(60))
    assert finding.value is True and finding.conclusion.facts["on no way"] == []
    assert {type(claim) for claim in finding.claims} == {Reached}
    assert 1 < len(finding.claims) < 100


def with_(*names: str, of: Sequence[str] = (), formula: Formula | None = None) -> ExcludedWith:
    """That these are on no way to the end, by the proof for others, or for themselves."""
    final = formula or completed(TRAP, [last(TRAP)])
    answer = StateEquation().solve(participation(TRAP, of or names, final), Budget(20))
    assert isinstance(answer, Unreachable)
    return ExcludedWith(names, final, answer.certificate)


def test_false_proofs_that_transitions_take_no_part_are_refused() -> None:
    true = with_("t'", "u", "v", "w")
    assert prove(TRAP, true) == "checked in exact integer arithmetic"
    assert prove(TRAP, replace(true, transitions=("u", "u"))) == prove(TRAP, with_("u"))
    dead = StateEquation().solve(make_problem(TRAP, at_least(variable("b"), 2)), Budget(20))
    assert isinstance(dead, Unreachable)
    false = (
        ("takes part is none of the net", with_("x", of="w")),
        ("takes part is none of the net", replace(true, transitions=("u", "u'"))),
        (".", replace(true, transitions=("t", *true.transitions))),
        (".", replace(true, transitions=("t",))),
        (".", replace(true, certificate=Certificate(TRUE))),
        (".", replace(true, certificate=dead.certificate, transitions=("t",))),
        (".", replace(true, formula=TRUE)),
        (".", replace(true, formula=completed(TRAP, [TRAP.initial[::-1], (0, 0, 1, 1, 0)]))),
        ("no place of the net", replace(true, formula=at_least(variable("unfired'"), 1))),
    )
    for message, claim in false:
        with pytest.raises(EvidenceError, match=message):
            prove(TRAP, claim)
    written = Json().write(TRAP, several(TRAP, "sound", "relaxed", (true,)))
    assert Json().read(written).claims == (true,)
    posed = ask(TRAP, sound="relaxed")
    assert posed.conclude([true]).facts["on no way"] == ["t'", "u", "v", "w"]
    assert posed.conclude([replace(true, formula=TRUE)]).value is None


def proof_of(net: Net) -> tuple[Formula, Restarted]:
    """That a free-choice workflow net can always be completed."""
    final = completed(net, [last(net)])
    (home,) = short_circuit.home_claims(net, [final], Budget(20))
    assert isinstance(home.proof, Restarted)
    return final, home.proof


def test_the_proof_of_completion_is_as_good_when_it_is_read_from_a_file() -> None:
    net = sound_workflow(30, Random(7)).net()
    final, proof = proof_of(net)
    written = Json().write(net, several(net, "sound", "weak", (Home((final,), proof),)))
    (claim,) = Json().read(written).claims
    assert isinstance(claim, Home) and isinstance(claim.proof, Restarted)
    assert prove(net, claim) == "checked in exact integer arithmetic"


def test_false_proofs_of_completion_are_refused() -> None:
    chance = Random(9)
    made = sound_workflow(30, chance)
    net = made.net()
    final, proof = proof_of(net)
    elsewhere, twice = (completed(net, [marking]) for marking in (net.initial, _twice(last(net))))
    several_markings, never = at_least(variable("o"), 1), at_least(variable("o"), 2)
    loose = Certificate(TRUE)
    false: tuple[tuple[str, Net, tuple[Formula, ...], Restarted], ...] = (
        ("is not a single marking", net, (several_markings,), proof),
        ("is not a single marking", net, (final, final), proof),
        ("is not a single marking", net, (Conjunction((*conjuncts(final), never)),), proof),
        ("holds another one", net, (final,), Restarted(proof, proof.certificate)),
        (".", net, (final,), Restarted(proof.proof, loose)),
        (".", net, (final,), Restarted(loose, proof.certificate)),
        (".", net, (elsewhere,), proof),
        (".", net, (twice,), proof),
        (".", net.beginning(_twice(net.initial)), (final,), proof),
        (".", replace(net, transitions=net.transitions[1:]), (final,), proof),
    )
    for message, of, formulas, evidence in false:
        with pytest.raises(EvidenceError, match=message):
            prove(of, Home(formulas, evidence))
    unjoined(made, chance)
    broken = made.net()
    assert not list(
        short_circuit.home_claims(broken, [completed(broken, [last(broken)])], Budget(20))
    )


def test_a_net_that_is_stuck_is_not_completed_though_nothing_is_left_over() -> None:
    net = net_of("i=1 a=0 b=0 o=0, left: i -> a, right: i -> b, join: a + b -> o")
    again = restarted(net, last(net))
    problem = make_problem(again, exceeded(net, last(net)))
    answer = StateEquation().solve(problem, Budget(20))
    assert isinstance(answer, Unreachable)
    ones = PositiveInvariants(
        tuple((place, 1) for place in net.places), tuple((name, 1) for name in again.actions)
    )
    with pytest.raises(EvidenceError, match="changes the place invariant"):
        prove(net, Home((completed(net, [last(net)]),), Restarted(ones, answer.certificate)))


def test_what_is_started_again_may_have_transitions_of_any_name() -> None:
    net = make_net("names", {"i": 1, "o": 0}, {"restart": STEP, "restart'": STEP})
    final, proof = proof_of(net)
    assert prove(net, Home((final,), proof)) == "checked in exact integer arithmetic"


def _twice(marking: Marking) -> Marking:
    return tuple(2 * tokens for tokens in marking)
