"""The page of a batch, as text: what stands in it, and what cannot happen to it."""

from __future__ import annotations

import hashlib
import html
import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
import records as made
from explained import told_cases
from folders import NETS
from hypothesis import given
from hypothesis import strategies as st
from notation import net_of

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Disjunction,
    Equality,
    Inequality,
    at_least,
    at_most,
    congruent,
    equal,
)
from petricheck.arithmetic.formulas.terms import Term, variable
from petricheck.batch.cells import CellLimits, CellOutcome, CellRecord
from petricheck.batch.reports.page import render_page
from petricheck.batch.reports.plots import Plot
from petricheck.evidence.answer import Trace
from petricheck.evidence.certificates.invariant import Certificate, Hints, Separator
from petricheck.evidence.explanation import Steps
from petricheck.formats.nets import read_net
from petricheck.model.drawing.layout import coordinates, ranks_of
from petricheck.model.drawing.svg import draw
from petricheck.model.net import Net, make_net
from petricheck.reports.explanation.atoms import Adjacency, kinds
from petricheck.reports.explanation.html import formula_html, number_html
from petricheck.reports.explanation.traces import step_nodes

HOSTILE = "</script><img src=x onerror=alert(1)>\"'&\u2028{{7*7}}<!--"


def templates(page: str, kind: str) -> list[str]:
    """The text of what the page holds of its cells: of kind detail or evidence."""
    found = re.findall(rf'<template id="{kind}-\d+"[^>]*>(.*?)</template>', page, re.S)
    return [" ".join(html.unescape(re.sub(r"<[^>]*>", "", text)).split()) for text in found]


def evidence_of(record: CellRecord) -> str:
    (found,) = templates(render_page("batch", [record], ()), "evidence")
    return found


@pytest.fixture
def fig8() -> Net:
    return read_net(NETS / "fig8_U.pnml").net


def test_page_counts_the_cells_of_each_configuration_by_their_state() -> None:
    records = made.records([
        ("a", made.NONE, made.SOLVED), ("b", made.NONE, made.solved(0.1, "reachable")),
        (made.question("c", "unknown"), made.NONE, made.SOLVED), ("d", made.NONE, made.TIMEOUT),
        ("e", made.ALL, made.CRASH), ("f", made.ALL, made.MEMORY), ("g", made.ALL, made.GAVE_UP),
    ])  # fmt: skip
    page = render_page("batch", records, ())
    none, everything = re.findall(r"<tr data-configuration.*?</tr>", page, flags=re.S)
    counted = re.compile(r'<td class="(\w+)" data-state="\w+">([1-9])')
    assert counted.findall(none) == [("correct", "1"), ("wrong", "1"), ("timeout", "1")]
    assert counted.findall(everything) == [("unknown", "1"), ("memory", "1"), ("error", "1")]
    assert '<td class="solved">2</td>' in none and '<span class="count">4</span>' in none
    assert re.findall(r'<rect class="(\w+)" x="(\d)"', none) == [
        ("correct", "0"), ("solved", "1"), ("wrong", "2"), ("timeout", "3"),
    ]  # fmt: skip


def test_page_has_a_row_for_every_cell_without_any_script() -> None:
    records = made.many(20, ["none", "all"])
    page = re.sub(r"<script.*?</script>", "", render_page("batch", records, ()), flags=re.S)
    table = page[page.index('id="table"') :]
    assert len(re.findall(r'<a href="#cell-\d+">', table)) == 40
    assert all(record.cell.question.name in page for record in records)
    assert "<template" not in render_page("empty", (), ())


def test_matrix_marks_the_questions_on_which_configurations_differ() -> None:
    reachable = made.solved(0.5, "reachable")
    records = made.records([
        ("same", made.NONE, made.SOLVED), ("same", made.ALL, made.SOLVED),
        ("late", made.NONE, made.TIMEOUT), ("late", made.ALL, made.SOLVED),
        ("odd", made.NONE, made.SOLVED), ("odd", made.ALL, reachable),
        ("alone", made.ALL, made.SOLVED),
    ])  # fmt: skip
    page = render_page("batch", records, ())
    rows = re.findall(r'<tr class="(\w*)"><th[^>]*>(\w+)<(.*?)</tr>', page)
    assert [(question, difference) for difference, question, _ in rows] == [
        ("same", ""), ("late", "differ"), ("odd", "contradict"), ("alone", ""),
    ]  # fmt: skip
    assert re.findall(r"<td></td>|#cell-\d", rows[3][2]) == ["<td></td>", "#cell-6"]
    assert "Outcomes differ on 2 of 4 questions" in page


def test_page_tells_limits_machines_and_what_was_measured() -> None:
    records = [
        made.record("a", limits=CellLimits(60.0, 30.0, 512)),
        made.record("b", limits=CellLimits(5.0)),
        made.record("c", outcome=made.CRASH, limits=CellLimits(5.0)),
    ]
    page = html.unescape(render_page("batch", records, ()))
    assert 'id="matrix"' not in page, "there is one configuration"
    limits = ["60 s, 30 s of CPU, 512 MiB (1 cell)", "5 s (2 cells)"]
    assert re.findall("<dt>Limits</dt><dd>(.*?)</dd>", page) == limits
    assert "bench-1, Linux x86_64, 2 cores, 8.0 GiB (2 cells)" in page
    assert 'not recorded <span class="note">1 cell</span>' in page
    detail, *_ = templates(page, "detail")
    assert "3 refinements, 7 states" in detail and "0.500 s, 0.250 s of CPU" in detail
    assert "petricheck 0.1.0, z3-solver 4.13.0" in detail and made.EXACT in detail


def test_hostile_names_stay_text_everywhere(tmp_path: Path) -> None:
    net = make_net(HOSTILE, {HOSTILE: 1, "q": 0}, {f"t{HOSTILE}": ({HOSTILE: 1}, {"q": 1})})
    quoted = '"' + HOSTILE.replace('"', '\\"') + '"'
    record = made.decided(tmp_path, net, f"q = 2 and {quoted} = 0", name=HOSTILE)
    question = replace(
        record.cell.question, why=HOSTILE, source=HOSTILE, collection=HOSTILE, expected=True
    )
    configuration = replace(record.cell.configuration, name=HOSTILE, engine="", tool=HOSTILE)
    host = replace(made.HOST, name=HOSTILE, system=HOSTILE, versions=((HOSTILE, HOSTILE),))
    outcome = replace(record.outcome, reason=HOSTILE, engine=HOSTILE, error=HOSTILE, host=host)
    cell = replace(record.cell, question=question, configuration=configuration)
    hostile = replace(record, cell=cell, outcome=outcome, net=HOSTILE)
    page = render_page(HOSTILE, [hostile], [Plot("p", HOSTILE, "<svg/>", HOSTILE)])
    assert page.count("<img") == 1 and "onerror=alert(1)>" not in page
    assert page.count("</script>") == page.count("<script") == 1
    assert "<!--" not in page
    assert "{{7*7}}" in page and "\u2028" not in page
    assert "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;" in page
    assert "holds initially, is kept by every transition" in templates(page, "evidence")[0]


def test_policy_allows_the_style_and_the_script_of_the_page_and_nothing_else() -> None:
    page = render_page("batch", [made.record("a")], ())
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    allowed = html.unescape(policy)
    (style,) = re.findall(r"<style>(.*?)</style>", page, flags=re.S)
    (script,) = re.findall(r"<script>(.*?)</script>", page, flags=re.S)
    for text in (style, script):
        digest = b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in allowed
    assert allowed.startswith("default-src 'none';")
    assert "unsafe" not in allowed
    assert not re.findall(r"\sstyle=", page)


def test_page_names_no_other_place() -> None:
    page = render_page("batch", made.many(5, ["none"]), ())
    addresses = set(re.findall(r"https?://[^\s\"'<)]*", page))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"}
    assert not re.findall(r"(?:@import|url\((?!#))", page)


def about(record: CellRecord, path: Path) -> CellRecord:
    """The same cell about another net."""
    question = replace(record.cell.question, net=path)
    return replace(record, cell=replace(record.cell, question=question))


def rewritten(record: CellRecord, change: Callable[[str], str]) -> CellRecord:
    """The same cell with other evidence."""
    text = change(Path(record.evidence).read_text()).encode()
    evidence = Path(record.evidence).with_stem(hashlib.sha256(text).hexdigest())
    evidence.write_bytes(text)
    return replace(record, evidence=str(evidence))


def renamed(record: CellRecord) -> CellRecord:
    """The same cell with evidence that is not named by its content."""
    path = Path(record.evidence)
    return replace(record, evidence=str(path.rename(path.with_stem("0" * 64))))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda r: replace(r, evidence=f"{r.evidence}x.json"), "cannot be read"),
        (lambda r: rewritten(r, lambda text: text[:20]), "no JSON"),
        (lambda r: about(r, NETS / "parity_U.pnml"), "it is about another net."),
        (lambda r: rewritten(r, lambda text: text.replace('"p2"', '"p9"')), "'p9'"),
        (renamed, "its file is not the one that was kept."),
        (lambda r: replace(r, outcome=replace(r.outcome, value=True)), "it amounts to something"),
        (lambda r: replace(r, outcome=replace(r.outcome, audit="")), "no audit of it is recorded."),
    ],
)
def test_evidence_that_cannot_be_shown_says_why(
    change: Callable[[CellRecord], CellRecord], why: str, tmp_path: Path, fig8: Net
) -> None:
    shown = evidence_of(change(made.decided(tmp_path, fig8, "p1 = 1 and p2 = 0")))
    assert shown.startswith("The evidence is not shown: ") and why in shown


def test_without_the_net_the_evidence_is_not_shown(tmp_path: Path, fig8: Net) -> None:
    record = made.decided(tmp_path, fig8, "p1 = 1 and p2 = 0")
    record.cell.question.net.unlink()
    page = render_page("batch", [record], ())
    (shown,) = templates(page, "evidence")
    assert "not shown: the net is not known: its file cannot be read" in shown
    assert "its file cannot be read" in page[page.index('id="nets"') :]


def test_invariant_is_explained_case_by_case(tmp_path: Path, fig8: Net) -> None:
    shown = evidence_of(made.decided(tmp_path, fig8, "p1 = 1 and p2 = 0"))
    assert "p1 = p2place invariant: no transition changes" in shown
    assert "suggested by " in shown and "initially so, 0 = 0" in shown
    assert "Target: p1 = p2 + 1 contradicts 1." in shown


def test_trace_is_told_with_repeats_and_the_places_that_it_touches(tmp_path: Path) -> None:
    net = make_net("n", {"a": 5, "b": 0, "c": 3}, {"t": ({"a": 1}, {"b": 2})})
    record = made.decided(tmp_path, net, "b = 6", engine="explicit")
    shown = evidence_of(record)
    assert "StepFiresab0initially501t × 326" in shown
    assert "It leaves 1 other marked place alone: c = 3." in shown


def test_middle_of_a_trace_beyond_the_cap_is_left_out_with_the_marking_after_it() -> None:
    net = make_net("n", {"a": 0, "b": 0}, {"t": ({}, {"a": 1}), "u": ({"a": 1}, {"b": 1})})
    trace = Trace((("t", 1), ("u", 1)) * 4)
    steps, *_ = step_nodes(net, trace, ends=2)
    assert isinstance(steps, Steps) and steps.total == 8
    assert [(step.number, step.times) for step in steps.steps if step.fires is None] == [(6, 4)]
    assert steps.steps[2].changes == ((0, 0, 0), (1, 1, 3))
    assert steps.steps[-1].changes == ((0, 1, 0), (1, 3, 4))


def test_state_equation_is_told_by_its_sets(tmp_path: Path) -> None:
    record = made.decided(
        tmp_path, NETS / "three_five_U.pnml", "p1 = 4", "state_equation:restate=false"
    )
    assert "no x >= 0 makes m = m0 + D·x a marking in the target." in evidence_of(record)
    assert "2 transitions may be counted in x." in evidence_of(record)


def test_atoms_are_recognised_for_what_they_are_in_the_net() -> None:
    net = net_of("a=1 b=0 c=0 d=0, t: a -> b, u: b -> a, v: c -> c + 2 d")
    around = Adjacency(net)
    a, b, c, d = map(variable, "abcd")
    assert list(kinds(around, equal(a + b, 1))) == ["place invariant"]
    assert list(kinds(around, at_least(a + b, 1))) == ["place invariant", "marked trap"]
    assert list(kinds(around, at_most(c, 0))) == ["place invariant", "empty siphon"]
    assert list(kinds(around, at_most(-d, -3))) == ["never shrinks"]
    assert list(kinds(around, at_most(a - d, 3))) == []
    assert list(kinds(around, at_most(b, d))) == []
    assert list(kinds(around, at_most(c, d))) == ["never grows"]
    assert list(kinds(around, at_least(d, c + 1))) == ["never shrinks"]
    assert list(kinds(around, at_least(b, 1))) == []
    assert list(kinds(around, at_least(c, 1))) == ["place invariant", "trap"]
    assert list(kinds(around, at_most(a + b, 0))) == ["place invariant", "siphon"]
    assert list(kinds(around, Equality(-(a + b)))) == ["place invariant", "siphon"]
    assert list(kinds(around, Inequality(Term((), 1)))) == []
    assert list(kinds(around, Inequality(Term((), 0)))) == ["trivial"]
    assert list(kinds(around, at_least(a, 0))) == ["trivial"]
    assert list(kinds(around, congruent(d, 0, 2))) == ["kept residue"]
    assert list(kinds(around, congruent(d, 0, 3))) == []
    assert list(kinds(around, at_most(a, 1))) == []


def test_separators_tell_what_the_target_says() -> None:
    net = make_net("n", {"a": 0, "b": 0}, {})
    a, b = map(variable, "ab")
    target = Conjunction((at_least(a + 2 * b, 5),))
    invariant = Disjunction((Conjunction((at_most(a + b, 2),)),))
    hints = Hints((), (Separator(0, (("a", 1), ("b", 1)), 0, (1,), 2),))
    (case,) = told_cases(net, Certificate(invariant, hints), target)
    ((_, says, _),) = case.clashes
    assert says == at_least(a + b, 3)


def test_formulas_are_typeset_with_long_numbers_shortened() -> None:
    p, q = variable("p"), variable("q")
    formula = Disjunction((at_least(p, q + 1), Conjunction((equal(2 * p, 4), congruent(q, 1, 3)))))
    shown = html.unescape(re.sub(r"<[^>]*>", "", formula_html(formula)))
    assert shown == "p ≥ q + 1 ∨ (2\u202fp = 4 ∧ q ≡ 1 (mod 3))"
    assert number_html(-(10**60)) == "−100000000000…000000 (61 digits)"
    assert "digits" in number_html(1 << 50_000)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(6, 11)), unique=True))
def test_nodes_of_a_rank_never_overlap_and_arcs_lead_to_the_next(
    pairs: list[tuple[int, int]],
) -> None:
    neighbours: dict[int, list[int]] = {n: [] for n in range(12)}
    for a, b in {(0, 6), *((0, 6 + n) for n in range(6)), *((n, 6) for n in range(6)), *pairs}:
        neighbours[a].append(b)
        neighbours[b].append(a)
    ranks = ranks_of(0, neighbours)
    x = coordinates(ranks, neighbours, [(10.0, 30.0)] * 12)
    assert sorted(n for row in ranks for n in row) == sorted(x) == [*range(12)]
    for row in ranks:
        assert all(x[b] - x[a] > 39.99 for a, b in pairwise(row))
    rank = {node: n for n, row in enumerate(ranks) for node in row}
    assert all(abs(rank[a] - rank[b]) == 1 for a, others in neighbours.items() for b in others)


@pytest.mark.parametrize("path", sorted(NETS.glob("*.pnml")), ids=lambda path: path.stem)
def test_every_node_and_arc_of_a_net_is_drawn_inside_the_picture(path: Path) -> None:
    net = read_net(path).source.graph()
    drawing = draw(net)
    assert len(drawing.nodes) == len(net.places) + len(net.transitions)
    assert len(set(drawing.nodes)) == len(drawing.nodes)
    assert all(0 < x < drawing.width and 0 < y < drawing.height for x, y in drawing.nodes)
    drawn = sum(1 + (curve.form == "both") for curve in drawing.curves)
    arcs = (arcs for t in net.transitions for arcs in (t.pre, t.post, t.inhibitors, t.resets))
    assert drawn == sum(map(len, arcs))
    ends = [end for curve in drawing.curves for end in curve.points]
    assert all(0 < x < drawing.width and 0 < y < drawing.height for x, y in ends)


def test_nets_of_more_than_a_hundred_nodes_are_told_by_their_sizes_only(tmp_path: Path) -> None:
    net = make_net("n", {f"p{n}": int(n == 0) for n in range(100)}, {"t": ({"p0": 1}, {"p1": 1})})
    record = made.decided(tmp_path, net, "p1 = 2", engine="state_equation")
    page = render_page("batch", [record], ())
    assert "100 places, 1 transition, 2 arcs, 1 token" in page and 'class="place"' not in page


def test_unconnected_parts_and_lonely_nodes_are_drawn() -> None:
    net = make_net("n", {"a": 0, "b": 2, "c": 0}, {"t": ({}, {}), "u": ({}, {"c": 7})})
    drawing = draw(net.graph())
    assert len(set(drawing.nodes)) == 5
    assert [curve.inscription for curve in drawing.curves] == [7]


def test_pictures_stand_in_the_page_as_they_are() -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"><script>y()</script></svg>'
    page = render_page("batch", [made.record("a")], [Plot("p", 'a "plot"', svg)])
    (picture,) = re.findall(
        '<img alt="a &#34;plot&#34;" src="data:image/svg.xml;base64,(.*?)">', page
    )
    assert b64decode(picture).decode() == svg


def test_evidence_that_would_make_the_page_too_large_is_left_out(
    tmp_path: Path, fig8: Net, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("petricheck.batch.reports.page.EVIDENCE", 10)
    record = made.decided(tmp_path, fig8, "p1 = 1 and p2 = 0")
    assert "too large" in evidence_of(record)


@pytest.mark.slow
def test_page_of_a_thousand_cells_has_less_than_ten_mebibytes(tmp_path: Path) -> None:
    shown = [
        made.decided(tmp_path, NETS / f"{name}.pnml", words, name=name)
        for name, words in (("exponential_U", "p2 = 5 and p5 = 2"), ("parity_U", "p1 = 3"))
    ]
    page = render_page("batch", made.thousand(tmp_path, shown), ())
    assert len(page.encode()) < 10 << 20


def test_verdict_of_another_tool_has_no_evidence_to_show() -> None:
    record = made.record("a", outcome=CellOutcome("decided", "unreachable", False))
    assert evidence_of(record) == ""
