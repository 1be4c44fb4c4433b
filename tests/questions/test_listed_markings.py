"""The reachable markings that satisfy a formula: counted and listed, against brute force."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

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
from petricheck.formats.nets import read_net, write_net
from petricheck.questions import ask, check
from petricheck.questions.kinds.state_space import LISTED
from petricheck.questions.verification import evidence_of, verify
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError, QueryError

CANCELLED = NETS / "order_cancelled.pnml"


@repeatable(25)
@given(st.data())
def test_they_are_those_of_brute_force(data: st.DataObject) -> None:
    net = data.draw(nets(3, 4))
    markings = explore(net, 300)
    assume(markings is not None)
    assert markings is not None
    formula, most = data.draw(targets(net)), data.draw(st.integers(1, 30))
    inside = [m for m in markings if evaluate(formula, net.values(m))]
    finding = check(ask(net, state_space=f"first {most}: {to_text(formula)}"), budget=Budget(20))
    facts = finding.conclusion.facts
    assert finding.value == facts["satisfying"] == len(inside)
    assert facts["markings"] == len(markings)
    given = [tuple(tokens.get(place, 0) for place in net.places) for tokens in facts["listed"]]
    assert len(given) == len({*given}) == min(most, len(inside)) and {*given} <= {*inside}


def test_all_dead_markings_are_listed_and_the_evidence_proves_their_number() -> None:
    file = read_net(str(CANCELLED))
    finding = check(ask(file.net, state_space="deadlock"))
    dead = [{"done": 1}, {"packed": 1, "done": 1}]
    assert sorted(finding.conclusion.facts["listed"], key=len) == dead
    evidence = evidence_of(finding, file.sha256)
    assert verify(file, evidence).value == 2
    for forged in (
        replace(evidence, text="not deadlock"),
        replace(evidence, text=""),
        replace(evidence, results={**evidence.results, "answer": 3}),
    ):
        with pytest.raises(EvidenceError):
            verify(file, forged)


def test_colours_of_the_model_are_named() -> None:
    net = read_net(str(NETS / "philosophers.pnml")).net
    facts = check(ask(net, state_space="deadlock")).conclusion.facts
    names = ("ada", "ben", "cleo", "dan", "eve")
    assert facts["listed"] == [{f"waiting({name})": 1 for name in names}]


def test_so_many_are_listed_as_users_ask_for() -> None:
    net = net_of("p=30 q=0, t: p -> q")
    facts = check(ask(net, state_space="true")).conclusion.facts
    assert (facts["satisfying"], len(facts["listed"])) == (31, LISTED)
    assert "  … and 11 more" in check(ask(net, state_space="true")).conclusion.details
    assert "listed" not in check(ask(net, state_space=True)).conclusion.facts
    for text, position in (("first 3: p = r", 13), ("r = 1", 0)):
        with pytest.raises(QueryError) as refusal:
            ask(net, state_space=text)
        assert refusal.value.position == position


def test_of_infinitely_many_markings_none_are_counted() -> None:
    finding = check(ask(net_of("p=1, t: p -> 2 p"), state_space="p = 3"), budget=Budget(20))
    assert finding.value is None
    assert "infinitely many" in finding.conclusion.details[0]


def test_options_and_indexes_ask_for_them(tmp_path: Path) -> None:
    words = ("--state-space", "--where", "deadlock", "--limit", "1", "--expect", "2")
    out = settled(run(CANCELLED, *words), 0).stdout
    assert out.startswith(
        "2 markings\nOf 11 reachable markings, 2 satisfy the formula:\n  done = 1\n"
    )
    assert "  … and 1 more\n" in out
    file = tmp_path / "formula"
    file.write_text("done = 1")
    told = json.loads(settled(run(CANCELLED, *words[:2], f"@{file}", "--json"), 0).stdout)
    assert (told["value"], len(told["details"]["listed"])) == (3, 3)
    for wrong in (("--where", "true"), ("--limit", "3"), ("--deadlock", "--where", "true")):
        assert "go with --state-space" in settled(run(CANCELLED, *wrong), 2).stderr
    write_net(net_of("p=1 q=0, t: p -> q"), str(tmp_path / "n.pnml"))
    index = {"net": "n.pnml", "state_space": "deadlock", "expected": 1}
    (tmp_path / "n.json").write_text(json.dumps(index))
    question = read_question(tmp_path / "n.json")
    assert question is not None
    assert (question.kind, question.text, question.expected) == ("state_space", "deadlock", 1)
