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
    StateEquationCertificate,
)
from petricheck.evidence.claims import Excluded
from petricheck.explicit.covering.state_graph import marking_graph, state_graph
from petricheck.formats.language.elements import Names
from petricheck.formats.nets import read_net, write_net
from petricheck.model.net import Net, make_net
from petricheck.questions import ask, check
from petricheck.reports.explanation.claims import explain
from petricheck.reports.explanation.sections import claims_html
from petricheck.reports.explanation.text import Style, claim_lines
from petricheck.reports.graphs.graphml import Graphml
from petricheck.reports.graphs.json_graph import JsonGraph

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
    ended = 'It ends in:\n  "robot idle" = 0, p6 = 0, "robot \\"busy\\"" = 1; the other places as'
    assert ended in told(net, "--formula", "p2 = 0 and p6 = 0")


def test_a_whole_marking_leaves_empty_places_out(tmp_path: Path) -> None:
    net = robots(tmp_path / "robots.pnml")
    whole = told(net, "--formula", "p5 = 3", "--trace")
    assert (
        'in:\n  "robot idle" = 1, "parts (p3)" = 3, "p4 (p5)" = 3; the other places are empty\n'
        in whole
    )
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


def test_an_answer_is_told_in_names_and_names_what_it_is_asked_in(tmp_path: Path) -> None:
    net = robots(tmp_path / "robots.pnml")
    found = told(net, "--cover", "p10=1")
    assert '  start\nIt ends in:\n  "robot \\"busy\\"" = 1, "robot idle" = 0;' in found
    proved = told(net, "--cover", "p10=2")
    assert '  "robot \\"busy\\"" + "robot idle" = 1\n' in proved
    asked = told(net, "--cover", r'"robot \"busy\""=2')
    assert asked.splitlines()[:-1] == proved.splitlines()[:-1]


def test_names_of_several_nodes_are_told_with_their_ids_and_asked_so(tmp_path: Path) -> None:
    """Two places are called parts, and the name of p5 is the id of another place."""
    net = robots(tmp_path / "robots.pnml")
    found = told(net, "--formula", '"parts (p3)" = 1 and "parts (p4)" = 0 and "p4 (p5)" = 1')
    assert '"p4 (p5)" = 1' in found and '"parts (p3)" = 1' in found and "p6" not in found


def test_programs_get_ids(tmp_path: Path) -> None:
    answer = json.loads(told(robots(tmp_path / "robots.pnml"), "--cover", "p10=1", "--json"))
    assert answer["details"]["marking"] == {"p10": 1}
    assert answer["target"] == "p10 >= 1"
    assert answer["evidence"]["claims"][0]["trace"] == [["t1", 1]]
    assert answer["names"] == {"places": {"p10": 'robot "busy"'}, "transitions": {"t1": "start"}}
    described = json.loads(told("info", robots(tmp_path / "robots.pnml"), "--json"))
    assert described["names"]["places"]["p3"] == "parts (p3)"


def test_pictures_pages_and_graphs_have_names(tmp_path: Path) -> None:
    net = read_net(robots(tmp_path / "robots.pnml")).net
    assert '"robot idle" -> "robot \\"busy\\""' in str(net)
    finding = check(ask(net, cover={"p10": 1}))
    for shown in (net.draw(), net.draw("dot"), finding.draw(), finding._repr_html_()):
        assert "robot idle" in shown and "parts (p4)" in shown and "start" in shown
    assert "<title>robot idle – p2: 1 token</title>" in net.draw()
    graph = marking_graph(replace(net, transitions=net.transitions[:1]), 9)
    assert graph is not None
    drawn = state_graph(graph)
    assert [state.label for state in drawn.states] == ['"robot idle"', '"robot \\"busy\\""']
    assert drawn.arcs[0].names == ("start",) and graph.arcs[0].transition == "t1"
    assert json.loads(JsonGraph().write(graph))["names"]["transitions"] == {"t1": "start"}
    assert '<data key="name">start</data>' in Graphml().write(graph)


def test_firings_with_blanks_in_their_names_are_told_apart_on_a_page(tmp_path: Path) -> None:
    net = read_net(robots(tmp_path / "robots.pnml")).net
    first, second = net.transitions
    named = (replace(first, label="go on"), replace(second, label="go"))
    (claim,) = check(ask(replace(net, transitions=named), cover={"p3": 1})).claims
    assert "&quot;go on&quot;</span> <span" in claims_html(replace(net, transitions=named), [claim])


def test_long_names_are_shortened_and_the_id_tells_them_apart() -> None:
    places = tuple(f"p{n}" for n in range(15))
    net = Net("n", places, (), (0,) * 15, tuple("a long name " * 9 + str(n) for n in range(15)))
    claim = Excluded(FALSE, StateEquationCertificate((places,), ()))
    whole = "\n".join(claim_lines(explain(net, claim), Style(form="text")))
    assert '… (p14)"' in whole and "a long name " * 6 not in whole
    assert Names(net).place(net.shown.place("p14")).name == "p14"


def test_names_of_transitions_survive_writing(tmp_path: Path) -> None:
    net = read_net(robots(tmp_path / "robots.pnml")).net
    write_net(net, tmp_path / "again.pnml")
    again = read_net(tmp_path / "again.pnml").net
    assert (
        [t.label for t in again.transitions] == [t.label for t in net.transitions] == ["start", ""]
    )
