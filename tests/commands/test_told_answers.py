"""What is told is what the finding is: which question, what decided it, and what was left open."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from evidence_files import several, write_evidence
from invoked import run
from notation import net_of
from property_files import bound, possible, write_properties

import petricheck
from petricheck.arithmetic.formulas.formulas import at_least, at_most
from petricheck.arithmetic.formulas.terms import Term, variable
from petricheck.arithmetic.solvers.solver import find_model
from petricheck.commands.answers import answering
from petricheck.commands.shell.exit_status import Status
from petricheck.engines.cegar import Cegar
from petricheck.evidence import files
from petricheck.evidence.answer import Trace, Unknown, Unreachable
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.claims import Claim, Excluded, Pumped, Stage, reached
from petricheck.formats.nets import read_net, write_net
from petricheck.model.problem import Problem
from petricheck.questions import Kind, Study, kind_of
from petricheck.questions.kinds.bound import Bound
from petricheck.questions.maxima import exceeds

p, q = variable("p"), variable("q")
NET = net_of("p=1 q=0 r=0 s=0, t: p -> q, u: q -> p, v: -> s")


@pytest.fixture
def net(tmp_path: Path) -> str:
    write_net(NET, tmp_path / "model.pnml")
    return str(tmp_path / "model.pnml")


# Several formulas, with refused ones between them

WRONG = "<exists-path><next/></exists-path>"
STATES = {
    "wrong1": WRONG,
    "yes1": possible(1, "q"),
    "wrong2": WRONG,
    "no1": possible(2, "p", "q"),
    "wrong3": WRONG,
    "yes2": possible(1, "p"),
    "no2": possible(1, "r"),
}
TRUTH = {name: {"y": True, "n": False, "w": None}[name[0]] for name in STATES}
WAYS = {
    "reduced together": [],
    "searched together": ["--no-reductions"],
    "side by side": ["-o", "together=", "--no-reductions"],
    "one by one": ["--engine", "cegar"],
}


def told_in(form: str, output: str) -> list[tuple[str, bool | None]]:
    """The ids with what is told of them, in the order of their lines."""
    truth = {"true": True, "false": False, "holds": True, "violated": False}
    truth |= dict.fromkeys(("unknown", "refused", "cannot_compute"))
    if form == "json":
        objects = map(json.loads, output.splitlines())
        return [(fields["property"], fields["holds"]) for fields in objects]
    if form == "mcc":
        lines = [line.split() for line in output.splitlines()]
        return [(words[1], truth[words[2].lower()]) for words in lines]
    heads = [line.split(": ", 1) for line in output.splitlines() if line.split(":")[0] in STATES]
    return [(name, truth[rest.split(",")[0].split(":")[0]]) for name, rest in heads]


FORMULAS = {"yes1": "q >= 1", "no1": "p + q >= 2", "yes2": "p >= 1", "no2": "r >= 1"}


@pytest.mark.parametrize("way", WAYS)
def test_answers_and_evidence_are_those_of_the_formula(way: str, net: str, tmp_path: Path) -> None:
    file = write_properties(tmp_path / "f.xml", **STATES)
    words = (*WAYS[way], "--json", "--evidence", tmp_path / "e-{id}.json")
    result = run(net, "--properties", file, *words)
    assert result.exit_code == 1
    assert sorted(told_in("json", result.stdout)) == sorted(TRUTH.items())
    assert {path.name for path in tmp_path.glob("e-*")} == {f"e-{name}.json" for name in FORMULAS}
    for name, formula in FORMULAS.items():
        verdict = "reachable" if TRUTH[name] else "unreachable"
        expected = ["--formula", formula, "--expect", verdict]
        assert run("verify", net, tmp_path / f"e-{name}.json", *expected).exit_code == 0


@pytest.mark.parametrize("form", ["quiet", "mcc", "text"])
def test_each_form_tells_the_answer_of_each_formula(form: str, net: str, tmp_path: Path) -> None:
    file = write_properties(tmp_path / "f.xml", **STATES)
    options = [] if form == "text" else [f"--{form}"]
    result = run(net, "--properties", file, "--engine", "cegar", *options)
    assert result.exit_code == 1
    assert sorted(told_in(form, result.stdout)) == sorted(TRUTH.items())
    counts = "7 properties: 2 hold, 2 violated, 3 refused.\n"
    assert result.stdout.endswith(counts) == (form == "text")


@pytest.mark.parametrize("way", WAYS)
def test_an_interruption_between_two_formulas_tells_none_twice(
    way: str, net: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell, calls = answering.answer_with, []

    def interrupted(*given: Any) -> Any:
        calls.append(given)
        tell(*given)
        if len(calls) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(answering, "answer_with", interrupted)
    file = write_properties(
        tmp_path / "f.xml", **{name: STATES[name] for name in ("yes1", "no1", "yes2")}
    )
    result = run(net, "--properties", file, *WAYS[way], "--quiet")
    assert result.exit_code == 130
    names = [line.split(":")[0] for line in result.stdout.splitlines()]
    assert len(set(names)) == len(names)


# Several bounds, with open and refused ones between them


BOUNDS = {
    "least": bound("p"),
    "wrong": bound("nowhere"),
    "exact": bound("q"),
    "most": bound("p", "q"),
    "endless": bound("s"),
    "nothing": bound("r"),
}
TOLD = {
    "least": "maximum at least 1",
    "exact": "maximum 1",
    "most": "maximum at most 1",
    "endless": "unbounded",
    "nothing": "unknown",
    "wrong": "refused",
}


@pytest.fixture
def partly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that proves some claims only, and leaves the bounds of p, p + q and r open."""

    def search(self: object, study: Study, contents: Sequence[object]) -> None:
        study.prove(reached(exceeds((("p", 1),), 1), Trace(())))
        study.prove(reached(exceeds((("q", 1),), 1), Trace((("t", 1),))))
        study.prove(Excluded(at_least(q, 2), Certificate(at_most(p + q, 1))))
        study.prove(Excluded(at_least(p + q, 2), Certificate(at_most(p + q, 1))))
        stage = Stage(Trace(()), Trace((("v", 1),)))
        study.prove(Pumped((Term((("s", 1),), 0),), (stage,)))

    monkeypatch.setattr(Bound, "search", search)
    monkeypatch.setattr(Bound, "search_stepwise", Kind.search_stepwise)


def bounds(net: str, *options: object) -> Result:
    file = write_properties(Path(net).parent / "UpperBounds.xml", **BOUNDS)
    return run(net, "--properties", file, *options)


def test_a_maximum_is_told_beside_truths(net: str, tmp_path: Path) -> None:
    file = write_properties(tmp_path / "f.xml", most=bound("p", "q"), fires=possible(1, "q"))
    words = (net, "--properties", file, "--quiet")
    assert run(*words).stdout == "most: maximum 1\nfires: holds\n"
    assert run(*words, "--property", "most").stdout == "most: maximum 1\n"
    assert run(*words, "--property", "most", "--shortest").exit_code == 2


def test_an_open_bound_is_no_maximum_in_words(net: str, partly: None) -> None:
    result = bounds(net, "--quiet")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [f"{name}: {answer}" for name, answer in TOLD.items()]
    whole = bounds(net)
    heads = [line for line in whole.stdout.splitlines() if line.split(":")[0] in TOLD]
    assert [line.removesuffix(": line 2: there is no place 'nowhere'") for line in heads] == [
        f"{name}: {answer}" for name, answer in TOLD.items()
    ]
    assert whole.stdout.endswith("6 properties: 2 answered, 3 unknown, 1 refused.\n")


def test_an_open_bound_is_no_maximum_for_programs(net: str, partly: None) -> None:
    objects = [json.loads(line) for line in bounds(net, "--json").stdout.splitlines()]
    assert [fields["property"] for fields in objects] == [*TOLD]
    findings = {fields["property"]: fields for fields in objects if "details" in fields}
    facts = {name: fields["details"] for name, fields in findings.items()}
    maxima = {name: (fields["maximum"], fields["unbounded"]) for name, fields in facts.items()}
    assert maxima == {
        "least": (None, False),
        "exact": (1, False),
        "most": (None, False),
        "endless": (None, True),
        "nothing": (None, False),
    }
    assert [facts["least"][key] for key in ("reached", "limit")] == [1, None]
    assert [facts["most"][key] for key in ("reached", "limit")] == [None, 1]
    values = {name: fields["value"] for name, fields in findings.items()}
    assert values == dict.fromkeys(facts) | {"exact": 1, "endless": "unbounded"}
    for name, fields in findings.items():
        answered = fields["value"] is not None
        assert (fields["complete"], fields["reason"] is None) == (answered, answered)
        assert fields["verdict"] == (TOLD[name] if answered else "unknown")
        partial = None if answered or TOLD[name] in ("unknown", "refused") else TOLD[name]
        assert fields["partial"] == partial


@pytest.mark.parametrize("way", ["--mcc", "mcc"])
def test_an_open_bound_cannot_be_computed_for_the_contest(way: str, net: str, partly: None) -> None:
    result = bounds(net, "--mcc")
    if way == "mcc":
        result = run("mcc", Path(net).parent, "--examination", "UpperBounds")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "FORMULA least CANNOT_COMPUTE",
        "FORMULA exact 1 TECHNIQUES INVARIANT TRACE AUDITED",
        "FORMULA most CANNOT_COMPUTE",
        "FORMULA endless +inf TECHNIQUES REPEATED_LOOP AUDITED",
        "FORMULA nothing CANNOT_COMPUTE",
        "FORMULA wrong CANNOT_COMPUTE",
    ]
    assert "least: maximum at least 1: nothing is left to try" in result.stderr


@pytest.mark.parametrize("name", ["least", "exact", "most", "endless", "nothing"])
def test_one_bound_ends_with_the_status_of_what_is_told(name: str, net: str, partly: None) -> None:
    words = {"least": "p", "exact": "q", "most": "p + q", "endless": "s", "nothing": "r"}
    answered = name in ("exact", "endless")
    status = Status.DECIDED if answered else Status.UNKNOWN
    for form in ([], ["--json"], ["--quiet"]):
        assert run(net, "--bound", words[name], *form).exit_code == status
    finding = petricheck.check(petricheck.ask(NET, bound=words[name]))
    assert (finding.headline, finding.conclusion.complete) == (TOLD[name], answered)
    assert (finding.unknown is None) == answered


@pytest.mark.parametrize("kind", ["safe", "bounded", "quasi_live"])
def test_an_interruption_after_the_answer_leaves_it_one(
    kind: str, net: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The status follows from what is told, not from when the command was ended."""
    member = type(kind_of(kind))
    real = member.search

    def search(self: Kind, study: Study, content: object) -> None:
        real(self, study, content)
        raise KeyboardInterrupt

    monkeypatch.setattr(member, "search", search)
    result = run(net, f"--{kind.replace('_', '-')}", "--quiet")
    assert (result.exit_code, "unknown" in result.stdout) == (0, False)


# Answers that are told as they are


def test_a_verdict_with_something_open_is_not_complete(net: str, tmp_path: Path) -> None:
    path = tmp_path / "e.json"
    claim = Pumped((Term((("s", 1),), 0),), (Stage(Trace(()), Trace((("v", 1),))),))
    open_ = ["p", "q", "r"]
    keep(path, "bounded", "", claim)
    verified = json.loads(run("verify", net, path, "--json").stdout)
    assert verified["result"] == "accepted" and verified["details"]["open"] == open_
    assert (verified["value"], verified["complete"]) == (False, False)
    whole = json.loads(run(net, "--bounded", "--json").stdout)
    assert (whole["value"], whole["complete"], whole["details"]["open"]) == (False, True, [])


def keep(path: Path | str, kind: str, text: str, *claims: Claim) -> None:
    files.write_evidence(str(path), NET, several(NET, kind, text, claims))


P_HOLDS_ONE = reached(exceeds((("p", 1),), 1), Trace(()))
OPEN = "unknown: what is claimed is proved, and leaves the question open"
CLAIMS = {
    "nothing": ("p", (), 1, "unknown: nothing is claimed"),
    "of another place": ("q", (P_HOLDS_ONE,), 1, OPEN),
    "of the place": ("p", (P_HOLDS_ONE,), 0, "accepted: maximum at least 1"),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_claims_are_accepted_as_far_as_they_answer(name: str, net: str, tmp_path: Path) -> None:
    words, claims, status, told = CLAIMS[name]
    path = str(tmp_path / "e.json")
    keep(path, "bound", words, *claims)
    result = run("verify", net, path)
    assert (result.exit_code, result.stdout.partition("\n")[0]) == (status, told)
    fields = json.loads(run("verify", net, path, "--json").stdout)
    assert fields["result"] == told.partition(":")[0]
    assert run("verify", net, path, "--expect", "maximum 1").exit_code == Status.UNKNOWN


@pytest.mark.parametrize("formula", ["q >= 2", "p + q >= 1"], ids=["less", "more"])
def test_evidence_of_a_verdict_answers_no_question_that_is_not_equivalent(
    formula: str, net: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "e.json")
    assert run(net, "--formula", "q >= 1", "--evidence", path).exit_code == 0
    seconds: list[float] = []

    def limited(*words: Any, **limits: Any) -> Any:
        seconds.append(limits["budget"].remaining)
        return find_model(*words, **limits)

    monkeypatch.setattr("petricheck.arithmetic.solvers.solver.find_model", limited)
    result = run("verify", net, path, "--formula", formula, "--timeout", "77")
    assert result.exit_code == 4
    assert result.stdout.startswith("rejected: it is about another target: q ")
    assert seconds and max(seconds) <= 77


def test_evidence_about_a_place_that_is_not_there_is_rejected(net: str, tmp_path: Path) -> None:
    path = str(tmp_path / "e.json")
    target = at_least(variable("nowhere"), 1)
    answer = Unreachable(Certificate(at_most(variable("nowhere"), 0)))
    write_evidence(path, read_net(net).sha256, Problem(NET, target), answer)
    result = run("verify", net, path)
    assert (result.exit_code, "nowhere" in result.stdout) == (4, True)
    assert result.stdout.startswith("rejected: ")


def test_claims_are_explained_where_that_is_asked_for(net: str, tmp_path: Path) -> None:
    path = str(tmp_path / "e.json")
    assert run(net, "--bound", "q", "--evidence", path).exit_code == 0
    short, whole = (run("verify", net, path, *words).stdout for words in ([], ["--explain"]))
    plain, fields = (
        json.loads(run("verify", net, path, "--json", *words).stdout)
        for words in ([], ["--explain"])
    )
    told = fields.pop("explanation")
    assert whole.startswith(short) and len(told) == 2
    assert all(claim["says"] in whole.splitlines() for claim in told)
    assert plain == fields


@pytest.mark.parametrize("formula", ["p = 1 and p = 2", "p < 0", "2*p = 3"])
def test_of_contradictory_targets_it_is_said_that_no_marking_satisfies_them(
    formula: str, net: str
) -> None:
    result = run(net, "--formula", formula)
    assert "\nNo marking satisfies the target, reachable or not.\nAudit: " in result.stdout
    whole = run(net, "--formula", formula, "--engine", "cegar", "--invariant", "smt").stdout
    assert "No marking" in whole or "\n  true\n" in whole


def test_every_renderer_says_that_a_target_simplifies_to_false(net: str, tmp_path: Path) -> None:
    words = [net, "--formula", "2*p = 3", "--evidence", tmp_path / "e.json"]
    says, why = (
        "The target simplifies to false.",
        "No marking satisfies the target, reachable or not.",
    )
    short = run(*words, "--html", tmp_path / "e.html").stdout
    assert short.startswith(f"unreachable\n{says}\n{why}\nAudit: ")
    assert all(text in (tmp_path / "e.html").read_text("utf-8") for text in (says, why))
    assert run("verify", net, tmp_path / "e.json", "--explain").stdout.endswith(f"{says}\n{why}\n")
    told = json.loads(run("verify", net, tmp_path / "e.json", "--explain", "--json").stdout)
    stated = [{"stated": [why]}]
    assert told["explanation"] == [{"says": says, "evidence": stated, "reasons": []}]


def test_what_the_reductions_decide_is_theirs(net: str, tmp_path: Path) -> None:
    words = [net, "--formula", "r >= 1", "-o", "sweep="]
    assert run(*words).stdout.endswith(" (reductions).\n")
    assert json.loads(run(*words, "--json").stdout)["engine"] == "reductions"
    file = write_properties(tmp_path / "f.xml", a=possible(1, "r"), b=possible(2, "r"))
    lines = run(net, "--properties", file, "--mcc", "-o", "sweep_together=").stdout.splitlines()
    assert sorted(lines) == [f"FORMULA {name} FALSE TECHNIQUES REDUCTIONS AUDITED" for name in "ab"]
    problem = petricheck.ask(NET, formula="r >= 1")
    result = petricheck.check(problem, options={"sweep": ""})
    assert (result.decider, str(result).endswith(" s (reductions).")) == ("reductions", True)
    assert str(petricheck.check(problem, engine="cegar")).endswith(" (engine cegar).")


def test_reasons_of_several_lines_are_told_on_one(
    net: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Cegar, "solve", lambda *_: Unknown("no engine decides it\na: gave up\x1b"))
    file = write_properties(tmp_path / "f.xml", a=possible(1, "q"))
    words = [net, "--properties", file, "--engine", "cegar"]
    said = "a: no engine decides it; a: gave up\\x1b\n"
    assert run(*words, "--mcc").stderr == f"petricheck: {said}"
    assert run(*words).stdout.startswith("a: unknown: no engine decides it\n  a: gave up\\x1b\n")


@pytest.mark.parametrize("many", [False, True], ids=["question", "properties"])
def test_what_is_open_has_no_evidence(
    many: bool, net: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Cegar, "solve", lambda *_: Unknown("it gave up"))
    asked = ["--formula", "q >= 1"]
    if many:
        asked = ["--properties", write_properties(tmp_path / "f.xml", a=possible(1, "q"))]
    path = tmp_path / "e.json"
    result = run(net, *asked, "--engine", "cegar", "--quiet", "--evidence", path)
    assert (result.exit_code, path.exists(), result.stderr) == (1, False, "")


@pytest.mark.parametrize("words", ["7", "2*3 - q + q"])
def test_a_number_needs_no_claims_to_be_a_bound(words: str, net: str, tmp_path: Path) -> None:
    path = str(tmp_path / "e.json")
    assert run(net, "--bound", words, "--evidence", path).exit_code == 0
    result = run("verify", net, path)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"accepted: maximum {'7' if words == '7' else '6'}\n")


def test_each_bound_of_a_file_has_evidence_of_its_own(net: str, partly: None) -> None:
    folder = Path(net).parent
    assert bounds(net, "--quiet", "--evidence", folder / "e-{id}.json").exit_code == 1
    for name, words in {"least": "p", "exact": "q", "most": "p + q", "endless": "s"}.items():
        verified = run("verify", net, folder / f"e-{name}.json", "--bound", words)
        assert verified.stdout.startswith(f"accepted: {TOLD[name]}\n")
    assert not (folder / "e-nothing.json").exists()


def test_evidence_of_a_bound_that_cannot_be_written_stops_no_other(net: str, partly: None) -> None:
    folder = Path(net).parent
    (folder / "e-exact.json").mkdir()
    result = bounds(net, "--json", "--evidence", folder / "e-{id}.json")
    assert result.exit_code == 3 and "e-exact.json: cannot be written" in result.stderr
    objects = {fields["property"]: fields for fields in map(json.loads, result.stdout.splitlines())}
    assert [*objects] == [*TOLD]
    assert objects["least"]["evidence"] == {"file": str(folder / "e-least.json")}
    assert "claims" in objects["exact"]["evidence"]


def test_interrupted_bounds_are_told_as_far_as_they_are_proved(
    net: str, partly: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = Bound.search

    def interrupted(self: Bound, study: Study, contents: Sequence[Any]) -> None:
        search(self, study, contents)
        raise KeyboardInterrupt

    monkeypatch.setattr(Bound, "search", interrupted)
    monkeypatch.setattr(Bound, "search_stepwise", Kind.search_stepwise)
    result = bounds(net, "--quiet")
    assert result.exit_code == 130
    told = [f"{name}: {answer}" for name, answer in TOLD.items() if name != "wrong"]
    assert result.stdout.splitlines() == told
