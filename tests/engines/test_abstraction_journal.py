"""Predicates read from a file, the log of refinements, and drawings of the abstract graph."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from folders import NETS
from forms import bounded, modulo, precise
from hypothesis import given, settings
from hypothesis import strategies as st
from questions import parse_query
from strategies import nets, targets

from petricheck.arithmetic.formulas.cubes import cubes
from petricheck.arithmetic.formulas.formulas import FALSE, atoms, equal, evaluate, tighten
from petricheck.arithmetic.formulas.terms import variable
from petricheck.arithmetic.formulas.text import to_text
from petricheck.engines.abstraction.domain import Precision
from petricheck.engines.abstraction.drawing import describe, drawing
from petricheck.engines.abstraction.graph import AbstractGraph, AbstractPath
from petricheck.engines.abstraction.predicates import read_predicates
from petricheck.engines.abstraction.refine import Genuine, Spurious
from petricheck.engines.abstraction.targets import Goal, state_atoms
from petricheck.engines.cegar import journal
from petricheck.evidence.answer import Trace
from petricheck.formats.nets import read_net
from petricheck.model.net import Net, make_net
from petricheck.model.problem import Problem, make_problem
from petricheck.support.budget import Budget
from petricheck.support.errors import QueryError


def exponential() -> Net:
    return read_net(NETS / "exponential_U.pnml").net


def written(folder: Path, text: str) -> str:
    file = folder / "predicates"
    file.write_text(text, encoding="utf-8")
    return str(file)


# Predicates


def test_a_file_holds_one_formula_a_line_with_comments_and_gaps(tmp_path):
    net = make_net("pair", {"p": 0, "q": 0}, {})
    text = "# a comment\n\n  p <= 3   # another\n(p + 2*q) mod 4 = 1\n"
    found = read_predicates(net, written(tmp_path, text))
    assert bounded((1, 0), 3) in found and modulo((1, 2), 4) in found
    more = text + "p <= 3\nnot (p <= 3)\ntrue\n1 <= 2\n"  # nothing new
    assert read_predicates(net, written(tmp_path, more)) == found
    assert read_predicates(net, written(tmp_path, "")) == ()


@settings(max_examples=15)
@given(nets(max_places=3), st.data())
def test_states_over_the_predicates_of_a_formula_decide_each_of_its_atoms(
    tmp_path_factory, net, data
):
    """The initial marking's state implies each atom, or implies its negation."""
    formula = tighten(data.draw(targets(net)))
    folder = tmp_path_factory.mktemp("predicates")
    found = read_predicates(net, written(folder, to_text(formula) + "\n"))
    graph = AbstractGraph(Problem(net, FALSE), Precision().refine(found))
    state = state_atoms(graph.domain, graph.domain.initial())
    values = net.values(net.initial)
    small = [dict(zip(net.places, m, strict=True)) for m in grid(len(net.places))]
    inside = [marking for marking in small if all(evaluate(x, marking) for x in state)]
    for atom in atoms(tighten(parse_query("formula", net, to_text(formula)))):
        assert all(evaluate(atom, marking) == evaluate(atom, values) for marking in inside)


def grid(size: int) -> list[tuple[int, ...]]:
    return [()] if size == 0 else [(n, *rest) for n in range(6) for rest in grid(size - 1)]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("p1 <", "line 2: .*ends too early"),
        ("nope = 1", "nope"),
        ("p1 * p2 = 1", r"\*|product|linear"),
    ],
)
def test_a_line_that_is_no_formula_is_refused(tmp_path, line, complaint):
    with pytest.raises(QueryError, match=re.compile(complaint, re.DOTALL)):
        read_predicates(exponential(), written(tmp_path, f"p1 = 0\n{line}\n"))


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path / "missing", binary, tmp_path):
        with pytest.raises(QueryError, match=path.name):
            read_predicates(exponential(), str(path))


# The abstract graph


def figure_7(folder: Path) -> AbstractGraph:
    net = exponential()
    found = read_predicates(net, written(folder, "p1 = 0\np1 = 1\np4 = 0\np4 = 1\n"))
    graph = AbstractGraph(Problem(net, FALSE), Precision().refine(found))
    assert graph.explore(Budget()) is None
    return graph


ARROWS = {(0, "a1", 0), (0, "a2", 1), (1, "a3", 0), (1, "a4", 1)}


def draw(graph: AbstractGraph, path: str) -> None:
    with drawing(graph, path, pytest.fail):
        pass


def test_figure_7_is_drawn_from_its_four_predicates(tmp_path):
    graph = figure_7(tmp_path)
    for name in ("graph.json", "graph.dot"):
        draw(graph, str(tmp_path / name))
    description = json.loads((tmp_path / "graph.json").read_text(encoding="utf-8"))
    assert {(e["from"], e["action"], e["to"]) for e in description["edges"]} == ARROWS
    assert len(description["edges"]) == len(ARROWS) and len(description["states"]) == 2
    net = exponential()
    for state, (p1, p4) in zip(description["states"], ((1, 0), (0, 1)), strict=True):
        formula = parse_query("formula", net, state["formula"])
        for marking in grid(2):
            values = dict.fromkeys(net.places, 0) | {"p1": marking[0], "p4": marking[1]}
            assert evaluate(formula, values) == (marking == (p1, p4))
    text = (tmp_path / "graph.dot").read_text(encoding="utf-8")
    assert text.startswith("digraph ") and text.rstrip().endswith("}")
    arrows = re.findall(r's(\d) -> s(\d) \[label="(\w+)"\]', text)
    assert {(int(a), name, int(b)) for a, b, name in arrows} == ARROWS
    assert len(re.findall(r"^ *s\d \[label=", text, re.MULTILINE)) == 2


def test_names_with_quotes_stay_within_their_labels(tmp_path):
    net = make_net('a"b', {'p"\\q': 0}, {'t"; evil -> "x': ({}, {'p"\\q': 1})})
    graph = AbstractGraph(Problem(net, FALSE), precise({(1,): (0, 1)}))
    graph.explore(Budget())
    draw(graph, str(tmp_path / "graph.dot"))
    text = (tmp_path / "graph.dot").read_text(encoding="utf-8")
    for line in text.splitlines():
        assert re.sub(r'"(?:[^"\\]|\\.)*"', "", line).count('"') == 0
        assert "evil" not in re.sub(r'"(?:[^"\\]|\\.)*"', "", line)


def test_coverings_name_the_state_that_covers(tmp_path):
    """The bound p ≤ 1 of the first marking is covered once p is unbounded."""
    net = make_net("pump", {"p": 1}, {"t": ({}, {"p": 1})})
    graph = AbstractGraph(Problem(net, FALSE), precise({(1,): (1, 2)}))
    graph.explore(Budget())
    description = describe(graph)
    assert [state["formula"] for state in description["states"]] == ["true"]
    assert [(c["state"], c["by"]) for c in description["coverings"]] == [
        ("p <= 1", 0),
        ("p <= 2", 0),
    ]
    draw(graph, str(tmp_path / "graph.dot"))
    assert "dotted" in (tmp_path / "graph.dot").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["missing/graph.dot", "."])
def test_a_graph_that_cannot_be_written_is_refused_before_the_search(name, tmp_path):
    searched = False
    with (
        pytest.raises(QueryError, match="cannot write the graph"),
        drawing(figure_7(tmp_path), str(tmp_path / name), print),
    ):
        searched = True
    assert not searched


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_a_full_disk_is_reported_and_costs_no_answer(tmp_path):
    reports: list[str] = []
    with drawing(figure_7(tmp_path), "/dev/full", reports.append):
        pass
    with journal(exponential(), "/dev/full", (), reports.append) as log:
        log(1, AbstractPath((), Goal((equal(variable("p1"), 0),), 0)), Genuine(Trace(())))
    assert ["incomplete" in reports[0], "ends here" in reports[1]] == [True, True]


# The log


def test_each_refinement_is_a_line_as_soon_as_it_is_made(tmp_path):
    net = make_net("pump", {"p": 0}, {"add": ({}, {"p": 2})})
    problem = make_problem(net, equal(variable("p"), 3))
    path = AbstractPath((0, 0), Goal(next(cubes(problem.target)), 0))
    predicates = (bounded((1,), 4), modulo((1,), 2))
    spurious = Spurious(predicates, (), None, frozenset({0}))
    file = tmp_path / "log.jsonl"
    with journal(net, str(file), ("parikh",), pytest.fail) as log:
        for number, refinement in enumerate((spurious, Genuine(Trace((("add", 2),)))), start=1):
            log(number, path, refinement)
            assert len(file.read_text(encoding="utf-8").splitlines()) == number
    first, last = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    assert first["iteration"] == 1 and first["path"] == ["add", "add"]
    assert first["target"] == "p = 3" and first["outcome"] == "spurious"
    assert first["heuristics"] == ["parikh"] and first["accelerated"] == ["add"]
    assert first["interpolants"] == ["p <= 4"] and first["residues"] == ["(p) mod 2"]
    assert first["templates"] == [] and first["cost"] == 0
    assert last["outcome"] == "trace" and last["trace"] == [["add", 2]]
