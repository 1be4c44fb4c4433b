"""What always or never holds: the negated question after one target, in words of its own."""

from __future__ import annotations

import contextlib
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from folders import NETS, read_question
from hypothesis import assume, given
from hypothesis import strategies as st
from invoked import run, settled
from notation import net_of
from oracle import explore
from strategies import nets, repeatable, targets

from petricheck.arithmetic.formulas.formulas import evaluate
from petricheck.arithmetic.formulas.text import to_text
from petricheck.batch.cells import Cell, CellLimits
from petricheck.batch.configurations import Configuration
from petricheck.batch.solve import decide
from petricheck.evidence import standalone
from petricheck.evidence.files import read_evidence, write_evidence
from petricheck.formats.nets import NetFile, read_net, write_net
from petricheck.questions import ask, check
from petricheck.questions.verification import evidence_of, verify
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError

NET = net_of("p=1 q=0, t: p -> q, u: q -> p")
FMS = NETS / "fms_U.pnml"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> NetFile:
    path = tmp_path_factory.mktemp("nets") / "net.pnml"
    write_net(NET, str(path))
    return read_net(str(path))


@repeatable(20)
@given(st.data())
def test_they_are_what_all_markings_say(data: st.DataObject) -> None:
    net = data.draw(nets(3, 3))
    markings = explore(net, 200)
    assume(markings is not None)
    assert markings is not None
    formula = data.draw(targets(net))
    truths = {evaluate(formula, net.values(marking)) for marking in markings}
    for kind, answer in (("always", False not in truths), ("never", True not in truths)):
        finding = check(ask(net, **{kind: to_text(formula)}), budget=Budget(20))
        assert finding.value is answer
        assert finding.tone == ("good" if answer else "bad")
        marking = finding.conclusion.facts["marking"]
        assert (marking is None) is answer
        if marking is not None:
            assert evaluate(formula, dict.fromkeys(net.places, 0) | marking) is (kind == "never")


WORDS = [("always", "p + q = 1", "p = 1"), ("never", "p + q = 2", "q = 1")]


@pytest.mark.parametrize(("kind", "true", "false"), WORDS)
def test_evidence_proves_the_answer_and_not_the_other_one(
    kind: str, true: str, false: str, file: NetFile, tmp_path: Path
) -> None:
    path = str(tmp_path / "e.json")
    for text, word in ((true, "holds"), (false, "violated")):
        question = ask(file.net, **{kind: text})
        evidence = evidence_of(check(question), file.sha256)
        write_evidence(path, file.net, evidence)
        assert read_evidence(path) == evidence
        assert verify(file, evidence).headline == word
        assert verify(file, evidence, question).value is (word == "holds")
        assert check_alone(file.path, path) == 0
        other = {**evidence.results, "answer": word != "holds"}
        for forged in (
            replace(evidence, results=other),
            replace(evidence, text=true if text == false else false),
            replace(evidence, kind="never" if kind == "always" else "always"),
            replace(evidence, claims=()),
        ):
            with pytest.raises(EvidenceError):
                verify(file, forged)
        write_evidence(path, file.net, replace(evidence, results=other))
        assert check_alone(file.path, path) == 4


def check_alone(*words: str) -> int:
    with contextlib.redirect_stdout(io.StringIO()):
        return standalone.main([*words])


def test_evidence_answers_every_question_with_the_same_target(file: NetFile) -> None:
    evidence = evidence_of(check(ask(file.net, formula="p + q != 1")), file.sha256)
    for kind, text, answer in (
        ("always", "q + p = 1", "holds"),
        ("never", "p+q < 1 or p+q > 1", "holds"),
    ):
        assert verify(file, evidence, ask(file.net, **{kind: text})).headline == answer
    with pytest.raises(EvidenceError, match="another target"):
        verify(file, evidence, ask(file.net, never="p + q = 1"))


@pytest.mark.parametrize(("kind", "true", "false"), WORDS)
def test_an_index_expects_these_words(kind: str, true: str, false: str, tmp_path: Path) -> None:
    write_net(NET, str(tmp_path / "net.pnml"))
    for text, word in ((true, "holds"), (false, "violated")):
        index = tmp_path / "net.json"
        index.write_text(json.dumps({"net": "net.pnml", kind: text, "expected": word}))
        question = read_question(index)
        assert question is not None and question.is_property and not question.has_target
        cell = Cell(question, Configuration("c", "portfolio"), CellLimits(20.0))
        outcome = decide(cell, lambda _: None)
        assert (outcome.status, outcome.verdict) == ("decided", word)
        assert outcome.value == question.expected
        assert question.holds(outcome.value) is (word == "holds")


def test_the_command_says_what_the_target_is(tmp_path: Path) -> None:
    out = settled(run(FMS, "--always", "p12 + p13 = 1", "--expect", "holds"), 0).stdout
    assert out.startswith(
        "holds\nThe target, which is the negation of the formula, is unreachable."
    )
    assert settled(run(FMS, "--never", "p13 = 1", "--expect", "holds", "--quiet"), 5)
    told: dict[str, Any] = json.loads(settled(run(FMS, "--never", "p13 = 1", "--json"), 0).stdout)
    assert (told["verdict"], told["value"], told["target"]) == ("violated", False, "p13 = 1")
    page = tmp_path / "page.html"
    settled(run(FMS, "--always", "p12 + p13 = 1", "--html", page), 0)
    assert "Does every reachable marking satisfy this?" in page.read_text("utf-8")
    assert (
        "--never" in settled(run("convert", FMS, tmp_path / "o.smt2", "--never", "p12=2"), 0).stderr
    )
