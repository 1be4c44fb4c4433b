"""Questions that several claims answer: what is concluded is true, and false claims are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from folders import NETS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from invoked import run
from notation import net_of
from oracle import OMEGA, explore, suprema
from strategies import nets, terms

import petricheck
from petricheck.arithmetic.formulas.formulas import at_least, at_most
from petricheck.arithmetic.formulas.json import write_facts
from petricheck.arithmetic.formulas.terms import Term, variable
from petricheck.arithmetic.formulas.text import term_to_text
from petricheck.evidence.answer import Trace
from petricheck.evidence.audit import prove
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.claims import Claim, Excluded, Pumped, Reached, Stage, reached
from petricheck.evidence.files import Evidence, read_evidence, write_evidence
from petricheck.model.net import Net, make_net
from petricheck.questions import Finding, Setting, Study, answer, answer_all, ask, check
from petricheck.questions.maxima import exceeds
from petricheck.questions.maxima import search as maximising
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError, InternalError

FMS = str(NETS / "fms_U.pnml")
FINKEL = str(NETS / "finkel_km_R.pnml")

SWITCH = net_of(
    "a=1 b=0 p=0 q=0 r=2, fill: a -> a + p, go: a -> b, move: b + p -> b + q, lose: r -> p, "
    "swap: a + 2 p -> a + q"
)
"""q is unbounded, though nothing that moves tokens onto it can be repeated without p."""

TWINS = net_of("p=0 q=0, both: -> p + q, more: -> 2 p + q")
"""Neither grows alone."""

few = settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))


def steps(*names: str) -> Trace:
    return Trace(tuple((name, 1) for name in names))


def pumped(weights: dict[str, int], *stages: tuple[Trace, Trace]) -> Pumped:
    terms = (Term(tuple(sorted(weights.items())), 0),)
    return Pumped(terms, tuple(Stage(stem, loop) for stem, loop in stages))


FILL = (steps(), steps("fill"))
MOVE = (steps("go"), steps("move"))

TRUE_CLAIMS: dict[str, Claim] = {
    "a marking on the way": Reached(
        Trace((("fill", 2), ("go", 1))),
        ((0, at_most(variable("p"), 0)), (1, exceeds((("p", 1),), 2))),
    ),
    "a loop": pumped({"p": 1}, FILL),
    "a sum that a filled place counts in": pumped({"p": 2, "a": -5}, FILL),
    "a loop that uses up what another one fills": pumped({"q": 1}, FILL, MOVE),
    "a loop that raises a difference": pumped({"p": 2, "q": -1}, FILL),
    "a loop that raises the difference of places that it fills, by one": pumped(
        {"p": 2, "q": -1}, (steps(), steps("fill", "fill", "fill", "swap"))
    ),
    "a stem that takes what a loop fills": pumped(
        {"q": 1}, FILL, (steps("go", "move", "move"), steps("move"))
    ),
    "a loop behind a stem that uses up what another one fills": pumped(
        {"q": 1}, FILL, (steps("swap"), steps("swap"))
    ),
    "two sums": Pumped((Term((("p", 1),), 0), Term((("q", 1),), 0)), (Stage(*FILL), Stage(*MOVE))),
    "a place that nothing fills": Excluded(
        at_least(variable("r"), 3), Certificate(at_most(variable("r"), 2))
    ),
}

FALSE_CLAIMS: dict[str, Claim] = {
    "no stop": Reached(steps("fill"), ()),
    "a stop behind the end": Reached(steps("fill"), ((2, at_least(variable("p"), 1)),)),
    "a stop before the beginning": Reached(steps("fill"), ((-1, at_most(variable("p"), 0)),)),
    "a stop after a step and no more than that": Reached(
        steps("fill"),
        ((1.0, exceeds((("p", 1),), 1)),),  # type: ignore[arg-type]
    ),
    "stops out of order": Reached(
        steps("fill"), ((1, exceeds((("p", 1),), 1)), (0, at_most(variable("p"), 0)))
    ),
    "a formula that holds a step later": Reached(steps("fill"), ((0, exceeds((("p", 1),), 1)),)),
    "the first of two stops": Reached(
        steps("fill"), ((0, exceeds((("p", 1),), 1)), (1, exceeds((("p", 1),), 1)))
    ),
    "the last of two stops": Reached(
        steps("fill"), ((0, at_most(variable("p"), 0)), (1, exceeds((("p", 1),), 2)))
    ),
    "a formula that holds a step later, at the end": Reached(
        steps("fill", "fill"), ((1, exceeds((("p", 1),), 2)),)
    ),
    "a place that is none": reached(exceeds((("z", 1),), 1), steps("fill")),
    "a trace that does not fire behind its last stop": Reached(
        steps("fill", "move"), ((1, exceeds((("p", 1),), 1)),)
    ),
    "a limit that is exceeded": Excluded(
        at_least(variable("r"), 2), Certificate(at_most(variable("r"), 1))
    ),
    "no loop": Pumped((Term((("p", 1),), 0),), ()),
    "no sum": Pumped((), (Stage(*FILL),)),
    "the first of two sums": Pumped((variable("a"), variable("p")), (Stage(*FILL),)),
    "the last of two sums": Pumped((variable("p"), variable("a")), (Stage(*FILL),)),
    "the first of two stages": pumped({"p": 1}, (steps("move"), steps("fill")), FILL),
    "the last of two stages": pumped({"p": 1}, FILL, (steps("go"), steps("fill"))),
    "an empty loop": pumped({"p": 1}, (steps("fill"), steps())),
    "a loop that cannot fire": pumped({"q": 1}, (steps(), steps("move"))),
    "a stem that cannot fire": pumped({"p": 1}, (steps("move"), steps("fill"))),
    "a loop that takes": pumped({"p": 1}, (steps(), steps("lose"))),
    "a loop that takes from the first place": pumped({"b": 1}, (steps(), steps("go"))),
    "a loop that takes what its stem has put": pumped(
        {"q": 1}, (steps("fill", "go"), steps("move"))
    ),
    "a loop that takes more than it adds": pumped({"q": 1}, (steps("fill", "fill"), steps("swap"))),
    "a place that is not filled": pumped({"a": 1}, FILL),
    "a place that is not filled, taken off": pumped({"a": -1}, FILL),
    "a place that is only moved onto": pumped({"q": 1}, FILL),
    "a sum that the loop lowers": pumped({"p": -1}, FILL),
    "a number added to a sum": Pumped((Term((("a", 1),), 7),), (Stage(*FILL),)),
    "a difference of two filled places": pumped({"p": 2, "q": -1}, FILL, MOVE),
    "a difference that only the last loop raises": pumped({"q": 1, "p": -1}, FILL, MOVE),
    "a place that is none, pumped": pumped({"z": 1}, FILL),
    "a fraction of a place": pumped({"p": 0.5}, FILL),  # type: ignore[dict-item]
    "a transition that is none": pumped({"p": 1}, (steps(), steps("f"))),
    "a loop that fires less than once": pumped({"p": 1}, (steps(), Trace((("fill", 0),)))),
}


@pytest.mark.parametrize("name", TRUE_CLAIMS)
def test_a_true_claim_passes(name: str) -> None:
    prove(SWITCH, TRUE_CLAIMS[name])


@pytest.mark.parametrize("name", FALSE_CLAIMS)
def test_a_false_claim_is_refused(name: str) -> None:
    with pytest.raises(EvidenceError):
        prove(SWITCH, FALSE_CLAIMS[name])


def test_a_difference_grows_where_the_loop_raises_it() -> None:
    prove(TWINS, pumped({"p": 1, "q": -1}, (steps(), steps("more"))))
    for weights in ({"p": 1, "q": -1}, {"p": -1, "q": 1}):
        with pytest.raises(EvidenceError):
            prove(TWINS, pumped(weights, (steps(), steps("both"))))


def test_a_study_takes_in_nothing_that_fails_the_audit() -> None:
    study = Study(SWITCH, Setting("portfolio", {}), Budget())
    with pytest.raises(InternalError):
        study.prove(FALSE_CLAIMS["a limit that is exceeded"])
    assert study.claims == ()


@pytest.mark.parametrize(
    ("text", "headline"),
    [
        ("p1", "maximum 1"),
        ("min: p1", "minimum 0"),
        ("3 - 2*p1", "maximum 3"),
        ("min:3 - 2*p1", "minimum 1"),
        ("p1 + p2", "unbounded"),
        ("p3 - p2", "unbounded"),
        ("p1 - p1 + 7", "maximum 7"),
    ],
)
def test_bounds_of_a_small_net(text: str, headline: str) -> None:
    net = petricheck.load(FINKEL)
    finding = check(ask(net, bound=text), budget=Budget(20))
    assert (finding.headline, finding.conclusion.complete) == (headline, True)
    assert all(prove(net, claim) for claim in finding.claims)
    assert len(finding.claims) <= 2


def test_numbers_beyond_floats_are_bounded_exactly() -> None:
    most = 10**30
    net = make_net("big", {"p": most, "q": 0}, {"t": ({"p": most // 4}, {"q": most})})
    for text, headline in (("p", f"maximum {most}"), ("min: p", "minimum 0")):
        assert check(ask(net, bound=text), budget=Budget(20)).headline == headline


def test_a_bound_is_told_before_others_are_sought(monkeypatch: pytest.MonkeyPatch) -> None:
    net = make_net("two", {"p": 1, "q": 0}, {"t": ({"p": 1}, {"p": 1, "q": 1})})
    study = Study(net, Setting("portfolio", {}), Budget(20))
    questions = [ask(net, bound=text) for text in ("q", "2*p + 1")]
    monkeypatch.setattr(maximising, "pumped", None)
    number, finding = next(answer_all(questions, study))
    assert (number, finding.value) == (1, 3)


def test_a_brief_study_ends_with_the_verdict() -> None:
    study = Study(petricheck.load(FINKEL), Setting("portfolio", {}), Budget(20), brief=True)
    facts = answer(ask(study.net, bounded=True), study).conclusion.facts
    assert len(facts["unbounded"]) == 1 and len(facts["open"]) == 3


@few
@given(nets(), st.data())
def test_bounds_are_those_of_brute_force(net: Net, data: st.DataObject) -> None:
    _compare_with_brute_force(net, data)


def _compare_with_brute_force(net: Net, data: st.DataObject) -> None:
    term = data.draw(terms(net.places)) + data.draw(st.integers(-3, 3))
    markings = explore(net, 2000)
    if markings is None:
        return
    for prefix, greatest in (("", max), ("min:", min)):
        facts = _bound(net, prefix + term_to_text(term)).conclusion.facts
        exact = greatest(term.evaluate(net.values(marking)) for marking in markings)
        assert not facts["unbounded"]
        assert facts["maximum" if greatest is max else "minimum"] == exact


@few
@given(nets(), st.data())
def test_sums_are_unbounded_where_a_place_of_theirs_is(net: Net, data: st.DataObject) -> None:
    _compare_with_suprema(net, data)


def _compare_with_suprema(net: Net, data: st.DataObject) -> None:
    most = suprema(net, 500)
    if most is None:
        return
    chosen = data.draw(st.sets(st.sampled_from(net.places), min_size=1))
    expected = sum(most[net.place_numbers[place]] for place in chosen)
    facts = _bound(net, " + ".join(sorted(chosen))).conclusion.facts
    assert facts["unbounded"] == (expected == OMEGA)
    assert facts["unbounded"] or facts["reached"] <= expected


@few
@given(nets())
def test_places_are_bounded_where_a_coverability_tree_says_so(net: Net) -> None:
    most = suprema(net, 500)
    if most is None:
        return
    facts = check(ask(net, bounded=True), budget=Budget(5)).conclusion.facts
    assert facts["unbounded"] == [p for p, n in zip(net.places, most, strict=True) if n == OMEGA]
    assert facts["open"] == []
    assert all(facts["limits"][p] >= n for p, n in zip(net.places, most, strict=True) if n < OMEGA)


def _bound(net: Net, text: str) -> Finding:
    finding = check(ask(net, bound=text), budget=Budget(3))
    assert all(prove(net, claim) for claim in finding.claims)
    return finding


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The content of a file that proves a bound."""
    path = tmp_path_factory.mktemp("evidence") / "bound.json"
    result = run(FMS, "--bound", "p12 + p13", "--evidence", str(path), "--timeout", "60")
    assert result.exit_code == 0, result.output
    return path.read_text()


@pytest.fixture
def kept(written: str) -> dict[str, Any]:
    """The same, to be changed."""
    return dict(json.loads(written))


def verified(path: Path, fields: dict[str, Any], *words: str, net: str = FMS) -> Result:
    path.write_text(json.dumps(fields))
    return run("verify", net, str(path), *words)


def _as(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda fields: fields.update({key: value})


def _asked(**change: Any) -> Callable[[dict[str, Any]], None]:
    return lambda fields: fields["question"].update(change)


def _targeted(fields: dict[str, Any]) -> None:
    fields["claims"][1]["excluded"] = "target"


def _without(number: int) -> Callable[[dict[str, Any]], None]:
    return lambda fields: fields["claims"].pop(number)


def _moved(fields: dict[str, Any]) -> None:
    """The limit is claimed of another place."""
    excluded = [claim for claim in fields["claims"] if "excluded" in claim]
    excluded[0]["excluded"] = {"sum": {"p1": -1}, "at most": -2}


def _lowered(fields: dict[str, Any]) -> None:
    """A lower limit is claimed, with the same certificate."""
    excluded = [claim for claim in fields["claims"] if "excluded" in claim]
    excluded[0]["excluded"]["at most"] = -1


CHANGES: dict[str, Callable[[dict[str, Any]], None]] = {
    "other details": _as("details", {"maximum": 2, "unbounded": False, "reached": 2, "limit": 2}),
    "a truth in the details": _as(
        "details", {"maximum": True, "unbounded": False, "reached": 1, "limit": 1}
    ),
    "no details": _as("details", None),
    "another value": _as("answer", 2),
    "a truth instead of a value": _as("answer", True),
    "no value": _as("answer", None),
    "another question": _asked(text="p12"),
    "no question": _asked(text=""),
    "a place that is none": _asked(text="p99"),
    "another kind": _asked(kind="bounded", text=""),
    "a kind that claims prove nothing of": _asked(kind="target"),
    "a kind that is none": _asked(kind="os"),
    "a target": _asked(target={"sum": {"p12": 1}, "at most": 1}),
    "a question that is none": _as("question", "p12 + p13"),
    "another net": _as("sha256", "0" * 64),
    "another version": _as("version", 1),
    "a version to come": _as("version", 3),
    "the target of no question": _targeted,
    "no claims": _as("claims", []),
    "one claim less": _without(0),
    "the other claim less": _without(1),
    "a claim of another kind": _as("claims", [{"proved": True}]),
    "another place": _moved,
    "a lower limit": _lowered,
    "a key more": _as("more", 1),
}


@pytest.mark.parametrize("name", CHANGES)
def test_changed_evidence_is_rejected(name: str, kept: dict[str, Any], tmp_path: Path) -> None:
    CHANGES[name](kept)
    result = verified(tmp_path / "e.json", kept)
    assert result.exit_code == 4, result.output
    assert result.stdout.startswith("rejected: ")


def test_evidence_for_one_expression_is_none_for_another(
    kept: dict[str, Any], tmp_path: Path
) -> None:
    assert verified(tmp_path / "e.json", kept, "--bound", "p13+p12").exit_code == 0
    assert verified(tmp_path / "e.json", kept, "--bound", "p12").exit_code == 4
    assert verified(tmp_path / "e.json", kept, "--bound", "min: p12 + p13").exit_code == 4
    assert verified(tmp_path / "e.json", kept, "--cover", "p12=1").exit_code == 4
    for words in (["--bound", "p12 + p13", "--safe"], ["--expect", "reachable"]):
        assert verified(tmp_path / "e.json", kept, *words).exit_code == 2


def test_claims_are_written_and_read_as_they_are(tmp_path: Path) -> None:
    path = str(tmp_path / "c.json")
    excluded = Excluded(at_least(variable("r"), 3), Certificate(at_most(variable("r"), 2)))
    claims = (*TRUE_CLAIMS.values(), excluded)
    said = write_facts({"answer": 2**9000, "details": {"maximum": 2**9000}})
    evidence = Evidence(None, "bound", "p", None, said, claims)
    write_evidence(path, SWITCH, evidence)
    assert said["answer"] == hex(2**9000)
    assert read_evidence(path) == evidence


def first_version(fields: dict[str, Any]) -> dict[str, Any]:
    """The same in version 1."""
    question = {"analysis": fields["question"]["kind"], "question": fields["question"]["text"]}
    said = question | {"finding": fields["details"], "claims": fields["claims"]}
    head = {key: fields[key] for key in ("petricheck", "net", "sha256")}
    return {"format": "petricheck claims", "version": 1} | head | said


FIRST = {
    "nothing": ({}, 0),
    "another value": ({"finding": {"maximum": 2}}, 4),
    "no value": ({"finding": None}, 4),
    "another question": ({"question": "p12"}, 4),
    "another kind": ({"analysis": "bounded"}, 4),
    "another format": ({"format": "petricheck evidence"}, 4),
    "another version": ({"version": 2}, 4),
    "no version": ({"version": True}, 4),
    "no claims": ({"claims": []}, 4),
    "a target": ({"target": {"and": []}}, 4),
    "a key more": ({"answer": 1}, 4),
}


@pytest.mark.parametrize("name", FIRST)
def test_files_of_version_1_are_read_as_strictly(
    name: str, kept: dict[str, Any], tmp_path: Path
) -> None:
    change, status = FIRST[name]
    result = verified(tmp_path / "e.json", first_version(kept) | change)
    assert result.exit_code == status, result.output
    assert result.stdout.startswith("rejected: " if status else "accepted: maximum 1\n")
