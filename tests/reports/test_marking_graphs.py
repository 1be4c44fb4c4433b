"""Reachability and coverability graphs in files: the markings and firings, in each format."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from invoked import run, settled
from notation import net_of
from oracle import explore, successor

import petricheck
from petricheck.explicit.covering.state_graph import MarkingGraph
from petricheck.formats.nets import write_net
from petricheck.model.drawing.states import STATES
from petricheck.model.net import Net, make_net
from petricheck.reports.graphs import write_graph
from petricheck.support.errors import QueryError

MOVES = net_of("p=2 q=0, move: p -> q, back: q -> p, drop: 2 q ->")
ML = "{http://graphml.graphdrawing.org/xmlns}"


def graph_of(net: Net) -> MarkingGraph:
    return petricheck.check(petricheck.ask(net, bounded=True)).graph


def test_the_graph_of_a_finding_has_every_marking_and_every_firing() -> None:
    graph = graph_of(MOVES)
    markings = explore(MOVES, 100)
    assert markings is not None
    values = [tuple(m.get(place, 0) for place in MOVES.places) for m in graph.markings]
    assert values[0] == MOVES.initial
    assert sorted(values) == sorted(markings)
    arcs = {(values[a.source], a.transition, values[a.target]) for a in graph.arcs}
    fired = {(m, t.name, successor(m, t)) for m in markings for t in MOVES.transitions}
    assert arcs == {arc for arc in fired if arc[2] is not None} and len(arcs) == len(graph.arcs)


def test_any_number_of_tokens_is_infinity() -> None:
    graph = graph_of(net_of("p=1 q=0, t: p -> p + q"))
    assert graph.unbounded and {"p": 1, "q": math.inf} in graph.markings
    assert repr(graph) == "<MarkingGraph of n: 2 markings, 2 arcs>"


@pytest.mark.parametrize("net", [MOVES, net_of("p=1 q=0, t: p -> p + q")], ids=["moves", "omega"])
def test_the_files_have_what_the_value_has(net: Net, tmp_path: Path) -> None:
    graph = graph_of(net)
    write_net(net, tmp_path / "net.pnml")
    for extension in ("json", "graphml"):
        words = ("--state-space", "--graph", tmp_path / f"g.{extension}")
        settled(run(tmp_path / "net.pnml", *words))
    data = json.loads((tmp_path / "g.json").read_text("utf-8"))
    assert data["coverability"] is graph.unbounded
    held = [{p: math.inf if n == "ω" else n for p, n in node.items()} for node in data["nodes"]]
    assert held == [*graph.markings]
    arcs = [(a.source, a.transition, a.target) for a in graph.arcs]
    assert [(a["source"], a["transition"], a["target"]) for a in data["arcs"]] == arcs

    root = ElementTree.parse(tmp_path / "g.graphml").getroot()
    names = {key.get("id"): key.get("attr.name") for key in root.iter(f"{ML}key")}
    nodes = {}
    for node in root.iter(f"{ML}node"):
        values = {names[data.get("key")]: data.text for data in node}
        del values["marking"]
        nodes[node.get("id")] = {p: math.inf if n == "ω" else int(n) for p, n in values.items()}
    assert [*nodes.values()] == [*graph.markings]
    numbers = {key: number for number, key in enumerate(nodes)}
    edges = root.iter(f"{ML}edge")
    assert [(numbers[e.get("source")], e[0].text, numbers[e.get("target")]) for e in edges] == arcs


def test_odd_names_stay_what_they_are(tmp_path: Path) -> None:
    odd = '<a & "b">'
    write_graph(make_net("n", {odd: 1}, {odd: ({odd: 1}, {})}), str(tmp_path / "g.graphml"))
    root = ElementTree.parse(tmp_path / "g.graphml").getroot()
    assert odd in {key.get("attr.name") for key in root.iter(f"{ML}key")}
    assert [edge[0].text for edge in root.iter(f"{ML}edge")] == [odd]


def test_people_see_names_and_programs_ids_too(tmp_path: Path) -> None:
    net = net_of("p=1 q=0, t: p -> q")
    named = replace(net, labels=("begin", "end"))
    for extension in ("json", "graphml", "dot"):
        write_graph(named, str(tmp_path / f"g.{extension}"))
    data = json.loads((tmp_path / "g.json").read_text("utf-8"))
    assert data["names"]["places"] == {"p": "begin", "q": "end"}
    assert data["nodes"] == [{"p": 1}, {"q": 1}]
    for extension in ("graphml", "dot"):
        text = (tmp_path / f"g.{extension}").read_text("utf-8")
        assert re.search('[">]begin["<]', text) and re.search('[">]end["<]', text)


def test_a_graph_that_is_too_large_is_refused_with_advice(tmp_path: Path) -> None:
    chain = net_of(f"p={STATES} q=0, p -> q")
    with pytest.raises(QueryError, match=r"not written as .svg; name a file that ends in .graphml"):
        write_graph(chain, str(tmp_path / "g.svg"))
    write_graph(chain, str(tmp_path / "g.dot"))
    assert (tmp_path / "g.dot").read_text("utf-8").count(" -> ") == STATES
    write_graph(net_of(f"p={STATES - 1} q=0, p -> q"), str(tmp_path / "g.svg"))
    large = net_of("p=1000 q=0, p -> q")
    with pytest.raises(QueryError, match=r"ends in .graphml, .json"):
        write_graph(large, str(tmp_path / "g.dot"))
    write_graph(large, str(tmp_path / "g.json"))
