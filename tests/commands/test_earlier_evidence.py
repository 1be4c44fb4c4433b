"""`--from`: the evidence of an earlier net, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from invoked import run, settled
from notation import net_of
from schemas import VALID

from petricheck.formats.nets import write_net

OLD = "idle=2 busy=0 lock=1, enter: idle + lock -> busy, leave: busy -> idle + lock"
NEW = f"{OLD}, join: idle -> idle + idle"
QUESTION = ("--cover", "busy=2")


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """The evidence about the old net; the new one stands beside it."""
    for name, text in (("old", OLD), ("new", NEW)):
        write_net(net_of(text), tmp_path / f"{name}.pnml")
    evidence = tmp_path / "old.json"
    settled(run(tmp_path / "old.pnml", *QUESTION, "--evidence", evidence))
    return evidence


def test_an_answer_says_that_it_follows_and_writes_evidence_about_the_new_net(old: Path) -> None:
    net, new = old.parent / "new.pnml", old.parent / "new.json"
    result = settled(run(net, *QUESTION, "--from", old, "--evidence", new))
    assert result.stdout.startswith("unreachable\n")
    assert "\nIt follows from the earlier evidence.\nAudit: " in result.stdout
    assert "(earlier evidence)." in result.stdout
    assert "accepted" in settled(run("verify", net, new, *QUESTION)).stdout
    assert "differs" in settled(run("verify", net, old), 4).stdout


def test_the_file_may_be_replaced_by_the_new_evidence(old: Path) -> None:
    net = old.parent / "new.pnml"
    settled(run(net, *QUESTION, "--from", old, "--evidence", old))
    settled(run("verify", net, old, *QUESTION))


def test_the_object_has_the_number_of_claims_that_are_reused(old: Path) -> None:
    net = old.parent / "new.pnml"
    found = json.loads(settled(run(net, *QUESTION, "--from", old, "--json")).stdout)
    VALID["answer"].validate(found)
    assert (found["reused"], found["engine"]) == (1, "earlier")
    assert "reused" not in json.loads(settled(run(net, *QUESTION, "--json")).stdout)


def test_evidence_of_another_question_does_not_fit_and_the_search_goes_on(old: Path) -> None:
    result = settled(run(old.parent / "new.pnml", "--cover", "busy=1", "--from", old))
    assert result.stdout.startswith("reachable\n")
    assert "No claim of the earlier evidence holds for this net and question." in result.stdout


def test_an_expected_answer_and_exit_statuses_are_as_ever(old: Path) -> None:
    words = (old.parent / "new.pnml", *QUESTION, "--from", old)
    settled(run(*words, "--expect", "unreachable"))
    settled(run(*words, "--expect", "reachable"), 5)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "no JSON"),
        (b"\xff\xfe", "no JSON"),
        (b"[1, 2]", "this is no evidence"),
        (b"{}" * 10, "no JSON"),
    ],
)
def test_a_file_that_is_no_evidence_is_refused_in_one_sentence(
    old: Path, content: bytes, complaint: str
) -> None:
    old.write_bytes(content)
    result = settled(run(old.parent / "new.pnml", *QUESTION, "--from", old), 3)
    (line,) = result.stderr.splitlines()
    assert "the earlier evidence cannot be used" in line and complaint in line


def test_a_file_cut_anywhere_is_refused_or_proves_what_it_says(old: Path) -> None:
    content = old.read_bytes()
    for end in range(1, len(content) - 2, len(content) // 7):
        old.write_bytes(content[:end])
        settled(run(old.parent / "new.pnml", *QUESTION, "--from", old), 3)


def test_it_goes_with_a_question(old: Path) -> None:
    assert (
        "--from goes with a question"
        in settled(run(old.parent / "new.pnml", "--from", old), 2).stderr
    )
    missing = run(old.parent / "new.pnml", *QUESTION, "--from", old.parent / "missing.json")
    assert "cannot be read" in settled(missing, 3).stderr


def test_each_property_has_a_file_of_its_own_and_a_new_one_needs_none(old: Path) -> None:
    properties, files = old.parent / "p.formula", old.parent / "e-{id}.json"
    words = ("--properties", properties, "--timeout", "20")
    properties.write_text("EF busy = 2 : EF busy = 1")
    settled(run(old.parent / "old.pnml", *words, "--evidence", files))
    properties.write_text("EF busy = 2 : EF busy = 1 : EF lock = 0")
    result = settled(run(old.parent / "new.pnml", *words, "--from", files))
    first, second, third, *_ = result.stdout.split("\n\n")
    assert "It follows from the earlier evidence." in first
    assert "It follows from the earlier evidence." in second
    assert "earlier evidence" not in third
    result = settled(run(old.parent / "new.pnml", *words, "--from", old), 2)
    assert "--from" in result.stderr and "is one file for 3 properties" in result.stderr
    result = settled(run(old.parent / "new.pnml", *words, "--from", old.parent / "no-{id}.json"), 3)
    assert "there is no such file of evidence" in result.stderr
