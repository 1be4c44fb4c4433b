"""`--state-space`: what is counted, where that ends, and what the contest is told."""

from __future__ import annotations

import json
import re
from pathlib import Path

import invoked
import pytest
from coloured_documents import arc, document, every, place, read, var
from folders import SHARED
from notation import net_of

from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.claims import Pumped, ReachabilitySet
from petricheck.formats.nets import NetFile, write_net
from petricheck.model.net import Net, make_net
from petricheck.questions import UNBOUNDED, ask, check, kind_of
from petricheck.questions.kinds import state_space
from petricheck.support.budget import Budget
from petricheck.support.errors import Ending, QueryError

MODELS = SHARED / "mcc"

COUNTED = ("STATES", "TRANSITIONS", "MAX_TOKEN_PER_MARKING", "MAX_TOKEN_IN_PLACE")

SMALL = (
    "ResAllocation-PT-R003C002",
    "RobotManipulation-PT-00001",
    "DatabaseWithMutex-PT-02",
    "coloured/DatabaseWithMutex-COL-02",
    "ShieldRVs-PT-001A",
    "CircularTrains-PT-012",
    "Philosophers-PT-000005",
    "coloured/Philosophers-COL-000005",
    "LamportFastMutEx-PT-2",
    "TwoPhaseLocking-PT-nC00010vN",
    "SieveSingleMsgMbox-PT-d0m04",
    "coloured/CSRepetitions-COL-02",
    "coloured/PGCD-COL-D02N005",
    "Planning-PT-none",
)
"""Models that the contest's tools counted, most tokens in a place and in a marking among them."""


def switches(number: int) -> Net:
    """So many switches, each of them on or off."""
    places = {f"{side}{n}": int(side == "off") for n in range(number) for side in ("off", "on")}
    turn = {f"t{n}": ({f"off{n}": 1}, {f"on{n}": 1}) for n in range(number)}
    back = {f"u{n}": ({f"on{n}": 1}, {f"off{n}": 1}) for n in range(number)}
    return make_net("switches", places, turn | back)


def source(number: int) -> Net:
    """Switches, and a place that can be filled without end once all of them are on."""
    net = switches(number)
    names = [f"on{n}" for n in range(number)]
    arcs = {
        t.name: ({net.places[p]: n for p, n in t.pre}, {net.places[p]: n for p, n in t.post})
        for t in net.transitions
    }
    every = dict.fromkeys(names, 1)
    tokens = dict(zip(net.places, net.initial, strict=True))
    return make_net("source", tokens | {"p": 0}, arcs | {"fill": (every, every | {"p": 1})})


def test_a_space_that_fills_the_memory_is_unknown_and_tells_how_many_markings_are_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(state_space, "FIRST", 1000)
    found = check(ask(switches(40), state_space=True), budget=Budget(space=1 << 22))
    assert found.value is None and found.unknown is not None
    assert found.unknown.ending is Ending.MEMORY
    known = re.search(r"memory.*, with (\d+) markings known by then", found.unknown.reason)
    assert known is not None and int(known[1]) >= state_space.FIRST
    assert found.conclusion.facts["markings"] is None


def test_a_limit_on_time_tells_how_many_markings_are_known() -> None:
    found = check(ask(switches(40), state_space=True), budget=Budget(0.01))
    assert found.unknown is not None and found.unknown.ending is Ending.TIME
    assert re.search(r"with \d+ markings? known by then", found.unknown.reason)


def test_all_markings_are_counted_where_there_are_more_than_the_first() -> None:
    found = check(ask(switches(17), state_space=True))
    assert state_space.FIRST < 1 << 17
    (claim,) = found.claims
    assert isinstance(claim, ReachabilitySet)
    assert (claim.markings, claim.firings) == (1 << 17, 17 << 17)
    assert (claim.in_place, claim.in_marking) == (1, 17)


@pytest.mark.parametrize("net", [source(1), source(7)], ids=["at once", "late"])
def test_an_unbounded_net_has_infinitely_many_markings(
    net: Net, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state_space, "FIRST", 10)
    found = check(ask(net, state_space=True))
    assert found.value == UNBOUNDED
    (claim,) = found.claims
    assert isinstance(claim, Pumped) and claim.sums == (variable("p"),)
    assert found.conclusion.facts["unbounded"] and found.conclusion.facts["firings"] is None


def test_numbers_that_the_loops_cannot_hold_end_the_search() -> None:
    net = make_net("huge", {"p": 1 << 41}, {"t": ({"p": 1}, {})})
    found = check(ask(net, state_space=True))
    assert found.value is None and found.unknown is not None


def test_markings_are_counted_of_all_colours_also_where_these_behave_alike(tmp_path: Path) -> None:
    inside = (
        place("p", "c", every("c"))
        + place("q", "c")
        + '<transition id="t"/>'
        + arc("p", "t", var("x"))
        + arc("t", "q", var("x"))
    )
    model = tmp_path / "model.pnml"
    model.write_text(document(inside))
    with pytest.raises(QueryError, match="merged"):
        ask(NetFile(read(inside), "", (), "").merged, state_space=True)
    for words in ((model, "--state-space"), ("mcc", tmp_path, "--examination", "StateSpace")):
        told = invoked.settled(invoked.run(*words)).stdout
        assert re.search(r"^8 markings|STATES 8 ", told)
        assert re.search(r"enable 12 firings|TRANSITIONS 12 ", told)


def test_nothing_is_concluded_without_claims() -> None:
    conclusion = kind_of("state_space").conclude(switches(1), None, ())
    assert conclusion.value is None and not conclusion.details


def test_numbers_are_read_with_their_unit() -> None:
    answers = ask(switches(1), state_space=True).answers
    assert [answers.read(text) for text in ("2 markings", "2", "unbounded")] == [2, 2, UNBOUNDED]
    with pytest.raises(QueryError, match="a number"):
        answers.read("2 tokens")


def test_evidence_is_written_and_verified(tmp_path: Path) -> None:
    net, evidence = tmp_path / "net.pnml", tmp_path / "e.json"
    write_net(switches(3), net)
    invoked.settled(invoked.run(net, "--state-space", "--evidence", evidence))
    told = invoked.settled(invoked.run("verify", net, evidence, "--json")).stdout
    assert json.loads(told)["details"] == {
        "unbounded": False,
        "markings": 8,
        "firings": 24,
        "tokens_in_place": 1,
        "tokens_in_marking": 3,
    }
    fields = json.loads(evidence.read_text())
    fields["claims"][0]["reachability set"]["firings"] = 23
    evidence.write_text(json.dumps(fields))
    assert "counted wrongly" in invoked.settled(invoked.run("verify", net, evidence), 4).output


@pytest.mark.parametrize("name", SMALL)
def test_the_contest_is_told_what_its_tools_counted(name: str) -> None:
    folder = MODELS / name
    if not folder.exists():
        pytest.skip("the shared models are not here")
    expected = json.loads((MODELS / "verdicts.json").read_text())[folder.name]["StateSpace"]
    result = invoked.run("mcc", folder, "--examination", "StateSpace", "--timeout", 60)
    lines = [line.split() for line in invoked.settled(result).stdout.splitlines()]
    assert [line[:2] for line in lines] == [["STATE_SPACE", words] for words in COUNTED]
    assert {words: number for _, words, number, *_ in lines} == expected
    assert {" ".join(rest) for _, _, _, *rest in lines} <= {
        "TECHNIQUES EXPLICIT AUDITED",
        "TECHNIQUES REPEATED_LOOP AUDITED",
    }


def test_one_marking_is_told_and_expected_in_the_singular() -> None:
    finding = check(ask(net_of("p=0 q=0, p -> q"), state_space=True))
    assert finding.headline == "1 marking"
    answers = finding.question.answers
    assert [answers.read(text) for text in ("1", "1 marking", "1 markings", "2 markings")] == [
        *(1, 1, 1, 2)
    ]
    assert answers.describe(2) == "2 markings"
