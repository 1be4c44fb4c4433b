"""What `petricheck NET` prints, and `petricheck.overview` returns: true, short, and in time."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from folders import NETS
from home_spaces import reachable_from
from hypothesis import assume, given
from invoked import run, settled
from notation import net_of
from strategies import nets, repeatable

import petricheck
from petricheck.formats.nets import write_net
from petricheck.model.net import Net
from petricheck.questions import Schedule, Setting, ask
from petricheck.questions.schedule import Started
from petricheck.reports.overview import PROPERTIES, overview
from petricheck.reports.report import last_marking
from petricheck.support.budget import Budget, Shares
from petricheck.support.errors import Ending

# One way ends in the final marking, the other leaves it out of reach; `never` is dead.
BROKEN = net_of(
    "i=1 a=0 b=0 o=0, go: i -> a, stop: i -> b, end: a -> o, never: a + b -> o, wait: b -> b"
)


def saved(net: Net, folder: Path) -> Path:
    write_net(net, folder / "net.pnml")
    return folder / "net.pnml"


def by_definition(net: Net) -> dict[str, bool] | None:
    """The properties, by brute force; None of an unbounded or large net."""
    behind = reachable_from(net)
    if behind is None:
        return None
    enabled = {m: {t.name for t in net.transitions if t.enabled(m)} for m in behind}
    again = [set().union(*(enabled[m] for m in reached)) for reached in behind.values()]
    return {
        "bounded": True,
        "safe": all(tokens <= 1 for marking in behind for tokens in marking),
        "quasi_live": set().union(*enabled.values()) == set(net.actions),
        "deadlock": not all(enabled.values()),
        "live": all(names == set(net.actions) for names in again),
        "reversible": all(net.initial in reached for reached in behind.values()),
    }


@repeatable(5)
@given(nets(max_places=3, max_transitions=3))
def test_the_properties_are_those_of_the_net_by_brute_force(net: Net) -> None:
    expected = by_definition(net)
    assume(expected is not None)
    findings = overview(net, Budget(20)).findings
    values = {kind: finding.value for kind, finding in findings.items() if kind != "sound"}
    assert values == expected


def test_a_screen_says_what_fails_and_why(tmp_path: Path) -> None:
    lines = settled(run(saved(BROKEN, tmp_path), "--engine", "cegar")).stdout.splitlines()
    assert lines[0] == "net n: 4 places, 5 transitions, 11 arcs, 1 token"
    assert lines[1].startswith("class: ordinary")
    assert any(line.startswith("dead transitions: some — never fire: never (") for line in lines)
    assert "deadlock: reachable — after go end" in lines
    assert any(
        line.startswith("sound: no — no final marking can be reached from") for line in lines
    )
    assert len(lines) <= 24 and all(len(line) < 80 for line in lines)


def test_soundness_is_only_asked_of_workflow_nets(tmp_path: Path) -> None:
    ring = net_of("p=1 q=0, t: p -> q, u: q -> p")
    shown = settled(run(saved(ring, tmp_path), "--quiet")).stdout.splitlines()[-6:]
    assert shown == [
        "bounded: yes",
        "safe: yes",
        "dead transitions: none",
        "deadlock: none",
        "live: yes",
        "reversible: yes",
    ]


def test_what_is_not_asked_of_a_net_is_said(tmp_path: Path) -> None:
    path = tmp_path / "any.spec"
    path.write_text("vars\n p\nrules\n p >= 1 -> p' = p-1;\ninit\n p >= 1\ntarget\n p >= 2\n")
    lines = settled(run(path)).stdout.splitlines()
    assert [line.partition(": not asked")[0] for line in lines if ": not asked" in line] == [
        "live",
        "reversible",
    ]


def test_the_object_has_all_properties_and_null_where_one_is_not_asked(tmp_path: Path) -> None:
    fields = json.loads(settled(run(NETS / "philosophers.pnml", "--json")).stdout)
    assert [*fields][-len(PROPERTIES) :] == [*PROPERTIES]
    assert (fields["places"], fields["sound"]) == (20, None)
    values = {kind: fields[kind]["value"] for kind in PROPERTIES if fields[kind]}
    assert values == {
        "bounded": True,
        "safe": False,
        "quasi_live": True,
        "deadlock": True,
        "live": False,
        "reversible": False,
    }


def test_an_open_property_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def search(*_: object) -> None:
        raise petricheck.support.errors.BudgetExhausted("time is up", Ending.TIME)

    monkeypatch.setattr("petricheck.questions.kinds.live.Live.search", search)
    result = settled(run(NETS / "order_process.pnml"))
    assert any(line.startswith("live: not decided in ") for line in result.stdout.splitlines())
    assert "sound: yes" in result.stdout


def test_after_an_interruption_what_is_decided_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def search(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("petricheck.questions.kinds.live.Live.search", search)
    net = NETS / "order_process.pnml"
    lines = settled(run(net), 130).stdout.splitlines()
    assert lines[-1] == "live: not decided: interrupted"
    assert "safe: yes — 2 invariants" in lines
    fields = json.loads(settled(run(net, "--json"), 130).stdout)
    assert fields["safe"]["value"] is True
    assert {fields[kind]["ending"] for kind in ("live", "reversible", "sound")} == {"interrupted"}


@pytest.mark.parametrize(
    "words",
    [
        ["--expect", "live"],
        ["--evidence", "e.json"],
        ["--graph", "g.svg"],
        ["--trace"],
        ["--invariant"],
    ],
    ids=lambda words: words[0],
)
def test_what_goes_with_a_question_is_refused_without_one(words: list[str]) -> None:
    result = settled(run(NETS / "order_process.pnml", *words), 2)
    assert f"{words[0]} goes with a question" in result.output


def test_each_kind_has_its_share_of_the_time_and_what_others_leave() -> None:
    net = net_of("p=1 q=0, t: p -> q, u: q -> p")
    questions = [ask(net, **{kind: True}) for kind in ("bounded", "deadlock", "live")]
    for times, most in ((Shares(None, 3, 30.0), (10.1, 15.1, 30.1)), (Shares(4.0, 3), (4.1,) * 3)):
        events = Schedule(questions, Setting(), times).events()
        budgets = [event.budget for event in events if isinstance(event, Started)]
        assert [budget.seconds is not None for budget in budgets] == [True] * 3
        assert all(b.seconds <= limit for b, limit in zip(budgets, most, strict=True))
        assert budgets[0].seconds > most[0] - 1


def test_python_has_findings_and_structure_as_values() -> None:
    known = petricheck.overview(net_of("p=2 q=0 r=0, t: 2 p -> q + r, u: q + r -> 2 p"))
    assert known.findings["live"].value is True
    assert known.refused == {}
    assert known.incidence == ((-2, 2), (1, -1), (1, -1))
    assert known.place_invariants is not None
    assert {tuple(y.items()) for y in known.place_invariants} == {
        (("p", 1), ("q", 2)),
        (("p", 1), ("r", 2)),
    }
    assert known.transition_invariants == ({"t": 1, "u": 1},)
    assert known.siphons == known.traps == (("p", "q"), ("p", "r"))
    assert str(known).splitlines()[-1].startswith("reversible: yes")
    assert "live: yes" in known._repr_html_()


def test_the_page_has_what_fails_first_and_the_net_drawn(tmp_path: Path) -> None:
    page = tmp_path / "net.html"
    settled(run(saved(BROKEN, tmp_path), "--html", page))
    text = page.read_text("utf-8")
    assert text.count('<g class="place"') >= 2 * len(BROKEN.places)
    rows = re.findall(r"<tr><td>([^<]*)</td><td class=\"(\w+)\">(\w+)</td>", text)
    assert rows[0] == ("dead transitions", "bad", "some") and rows[-1][1] == "good"
    assert ("live", "neutral", "no") in rows and ("sound", "bad", "no") in rows
    assert "<h2>not sound: this marking is reachable</h2>" in text and "src=" not in text


def test_only_what_users_hope_for_is_good() -> None:
    findings = petricheck.overview(BROKEN).findings
    tones = {kind: finding.tone for kind, finding in findings.items()}
    assert tones == {
        "bounded": "good",
        "safe": "good",
        "quasi_live": "bad",
        "deadlock": "neutral",
        "live": "bad",
        "reversible": "bad",
        "sound": "bad",
    }


def test_a_drawing_has_the_marking_from_which_something_is_out_of_reach() -> None:
    finding = petricheck.check(petricheck.ask(BROKEN, reversible=True))
    marking = last_marking(finding)
    assert marking is not None and marking != BROKEN.initial
    assert finding.draw() == finding.draw() and "The net with the marking" in finding._repr_html_()
