"""Answers as people read them: the marking that a trace ends in, and the names that people gave."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from click.testing import CliRunner
from folders import NETS

from petricheck.arithmetic.formulas.formulas import FALSE
from petricheck.commands import main
from petricheck.evidence.certificates.state_equation import (
    StateEquation,
    StateEquationCertificate,
)
from petricheck.evidence.claims import Excluded
from petricheck.formats.nets import read_net, write_net
from petricheck.model.net import Net, make_net
from petricheck.reports.explanation.claims import explain
from petricheck.reports.explanation.text import Style, claim_lines

FINKEL = str(NETS / "finkel_km_R.pnml")


def told(*arguments: str) -> str:
    result = CliRunner().invoke(main, [*arguments], prog_name="petricheck")
    assert result.exit_code in (0, 1), result.output
    return result.stdout


def robots(path: Path) -> str:
    """A net of which some places and transitions have names of their own."""
    initial = {"p2": 1} | dict.fromkeys(("p10", "p3", "p4", "p5", "p6"), 0)
    moves = {"t1": ({"p2": 1}, {"p10": 1}), "t2": ({"p10": 1}, {"p2": 1, "p3": 1, "p5": 1})}
    net = make_net("n", initial, moves)
    start, again = net.transitions
    labels = ("robot idle", 'robot "busy"', "parts", "parts", "p4", "p6")
    write_net(replace(net, labels=labels, transitions=(replace(start, label="start"), again)), path)
    return str(path)


def test_the_places_that_are_named_or_changed_are_told(tmp_path: Path) -> None:
    assert "It ends in:\n  p2 = 7, p3 = 5, p1 = 0; the other places as initially" in told(
        FINKEL, "--target", "p2=7, p3=5"
    )
    net = robots(tmp_path / "robots.pnml")
    ended = "It ends in:\n  p2 = 0, p6 = 0, p10 = 1; the other places as initially"
    assert ended in told(net, "--formula", "p2 = 0 and p6 = 0")


def test_a_whole_marking_leaves_empty_places_out(tmp_path: Path) -> None:
    net = robots(tmp_path / "robots.pnml")
    whole = told(net, "--formula", "p5 = 3", "--trace")
    assert "It ends in:\n  p2 = 1, p3 = 3, p5 = 3; the other places are empty\n" in whole
    record = json.loads(told(net, "--formula", "p5 = 3", "--json"))
    assert record["details"]["marking"] == {"p2": 1, "p3": 3, "p5": 3}


def test_a_net_without_places_has_a_marking_as_well(tmp_path: Path) -> None:
    net = tmp_path / "empty.net"
    net.write_text("net empty\n")
    assert "nothing has to fire:\n  no place has a token\n" in told(str(net), "--deadlock")


def test_a_long_marking_is_abbreviated(tmp_path: Path) -> None:
    net = tmp_path / "wide.net"
    net.write_text("tr t -> " + " ".join(f"p{n}" for n in range(30)) + "\n")
    assert "p19 = 1 and 10 more places (--trace shows all)" in told(str(net), "--cover", "p0=1")
    assert "p28 = 1, p29 = 1\n" in told(str(net), "--cover", "p0=1", "--trace")


def test_names_of_their_own_stand_beside_ids(tmp_path: Path) -> None:
    net = robots(tmp_path / "robots.pnml")
    names = 'Names: t1 is "start", p10 is "robot \\"busy\\"", p2 is "robot idle".'
    assert names in told(net, "--cover", "p10=1")
    found = told(net, "--cover", "p10=2")
    assert '  p2 + p10 = 1\nNames: p2 is "robot idle", p10 is "robot \\"busy\\"".' in found
    assert "Names" not in told(net, "--cover", "p10=2", "--json")


def test_names_that_mislead_are_not_told(tmp_path: Path) -> None:
    """Two places are called parts, and the name of p5 is the id of another place."""
    found = told(robots(tmp_path / "robots.pnml"), "--formula", "p3 = 1 and p4 = 0 and p6 = 0")
    assert "parts" not in found and "p5 is" not in found and "p6 is" not in found


def test_many_names_and_long_ones_are_abbreviated() -> None:
    places = tuple(f"p{n}" for n in range(15))
    net = Net("n", places, (), (0,) * 15, tuple(f"{n} is a long name" * 9 for n in range(15)))
    claim = Excluded(FALSE, StateEquationCertificate((places,), ()))
    brief, whole = (
        "\n".join(claim_lines(explain(net, claim), Style(form=form))) for form in (None, "text")
    )
    assert 'p11 is "11 is a long name11 is a long name11 is …" and 3 more names.' in brief
    assert 'p14 is "14 is a' in whole


def test_names_stand_beside_the_traps_of_a_state_equation() -> None:
    told = StateEquation().describe(StateEquationCertificate((("p10", "p2"),), ("q",)), "text")
    assert told.places == ("p2", "p10", "q")
    assert "{p2, p10}" in told.body


def test_names_of_transitions_survive_writing(tmp_path: Path) -> None:
    net = read_net(robots(tmp_path / "robots.pnml")).net
    write_net(net, tmp_path / "again.pnml")
    again = read_net(tmp_path / "again.pnml").net
    assert (
        [t.label for t in again.transitions] == [t.label for t in net.transitions] == ["start", ""]
    )
