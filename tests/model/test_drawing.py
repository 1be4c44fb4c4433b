"""Nets as pictures: laid out along their flow, with names, weights and legends that can be read."""

from __future__ import annotations

import re
from html import escape
from itertools import combinations, pairwise
from pathlib import Path
from random import Random

import pytest
from folders import NETS
from hypothesis import given
from invoked import run, settled
from notation import net_of
from strategies import nets, repeatable

from petricheck.formats.nets import read_net
from petricheck.model.drawing.layout import flow
from petricheck.model.drawing.marks import LETTER, shortened
from petricheck.model.drawing.svg import (
    BAR,
    CIRCLE,
    HEADS,
    LETTERS,
    NODES,
    RADIUS,
    Drawing,
    draw,
)
from petricheck.model.guarded.net import guarded
from petricheck.model.net import Net, make_net

ORDER = read_net(NETS / "order_process.pnml").net


def upward(drawing: Drawing) -> list[tuple[int, int]]:
    """The arcs that lead upwards, in numbers of nodes."""
    nodes = drawing.nodes
    arcs = [(curve.source, curve.target) for curve in drawing.curves]
    return [(a, b) for a, b in arcs if nodes[a][1] > nodes[b][1]]


def name_of(net: Net, node: int) -> str:
    return (*net.places, *net.actions)[node]


def test_a_process_is_drawn_from_its_source_downwards_but_for_its_loop() -> None:
    drawing = draw(ORDER.graph())
    assert [tuple(name_of(ORDER, n) for n in arc) for arc in upward(drawing)] == [
        ("wait", "to_pay")
    ]
    heights = {name_of(ORDER, n): y for n, (_, y) in enumerate(drawing.nodes)}
    assert heights["start"] == min(heights.values()) and heights["done"] == max(heights.values())


def test_a_ring_begins_at_its_token_and_closes_upwards() -> None:
    ring = net_of("a=0 b=1 c=0, t: a -> b, u: b -> c, v: c -> a")
    drawing = draw(ring.graph())
    assert [tuple(name_of(ring, n) for n in arc) for arc in upward(drawing)] == [("t", "b")]


def test_a_resource_stands_above_what_takes_it() -> None:
    net = net_of("idle=1 key=1 busy=0, take: idle + key -> busy, give: busy -> idle + key")
    nodes = draw(net.graph()).nodes
    assert nodes[0][1] == nodes[1][1] < nodes[3][1] < nodes[2][1] < nodes[4][1]


def test_the_layout_is_that_of_the_initial_marking_whatever_marking_is_shown() -> None:
    later = ORDER.graph(ORDER.after([("accept", 1)]))
    assert draw(later, ORDER.graph()).nodes == draw(ORDER.graph()).nodes


@repeatable(60)
@given(nets(max_places=6, max_transitions=8))
def test_nodes_stand_apart_and_arcs_pass_none_of_them(net: Net) -> None:
    drawing = draw(net.graph())
    for (a, b), (c, d) in combinations(drawing.nodes, 2):
        assert abs(a - c) > RADIUS or abs(b - d) > RADIUS
    for curve in drawing.curves:
        bends, ys = curve.points[1:-1], [y for _, y in curve.points]
        assert ys in (sorted(ys), sorted(ys, reverse=True))
        assert not any(
            abs(x - a) < RADIUS and abs(y - b) < 1 for x, y in bends for a, b in drawing.nodes
        )
    for x, y in (*drawing.nodes, *drawing.labels):
        assert 0 <= x <= drawing.width and 0 <= y <= drawing.height


def test_arcs_lead_downwards_where_there_is_no_cycle() -> None:
    chance = Random(1)
    arcs = {n: tuple(sorted(chance.sample(range(20), 2))) for n in range(30)}
    drawn = flow(range(20), arcs, dict.fromkeys(range(20), 0), set())
    rank = {node: level for level, row in enumerate(drawn.ranks) for node in row}
    assert all(rank[source] < rank[target] for source, target in arcs.values())
    for number, (source, target) in arcs.items():
        levels = [rank[node] for node in (source, *drawn.bends[number], target)]
        assert all(below == above + 1 for above, below in pairwise(levels))


@pytest.mark.parametrize("file", ["philosophers.pnml", "long_4_U.pnml", "manufacturing_10_R.pnml"])
def test_no_inscription_covers_another(file: str) -> None:
    net = read_net(NETS / file).net
    drawing = draw(net.graph())
    areas = []
    for curve, (x, y) in zip(drawing.curves, drawing.labels, strict=True):
        if curve.inscription != 1:
            areas.append((x, x + LETTER * len(str(curve.inscription)), y))
    assert len(areas) > 1 or file.startswith("manufacturing")
    for (a, b, y), (c, d, z) in combinations(areas, 2):
        assert b <= c or d <= a or abs(y - z) >= 10


def test_weights_are_written_as_they_are_and_long_names_keep_both_ends() -> None:
    name = "waiting_for_the_answer_of_the_customer"
    net = make_net("n", {name: 123456}, {"t": ({name: 1234567}, {})})
    picture = net.draw()
    assert ">1234567<" in picture and ">123456<" in picture
    assert f">{shortened(name, LETTERS)}<" in picture
    cut = shortened(name, LETTERS)
    assert len(cut) == LETTERS and name.startswith(cut[:9]) and name.endswith(cut[-8:])


def test_convert_draws_a_net_without_a_question(tmp_path: Path) -> None:
    source, picture = NETS / "philosophers.pnml", tmp_path / "net.svg"
    settled(run("convert", source, picture))
    assert picture.read_text("utf-8").startswith("<svg") and "x++1" in picture.read_text("utf-8")
    assert "--force replaces it" in settled(run("convert", source, picture), 3).stderr
    settled(run("convert", source, tmp_path / "net.dot"))
    assert (tmp_path / "net.dot").read_text("utf-8").startswith("digraph")
    refused = settled(run("convert", source, tmp_path / "n.svg", "--deadlock"), 2)
    assert "a picture of a net without a question" in refused.stderr


GUARDED = guarded(
    make_net("n", {"p": 2, "q": 0, "r": 1}, {"t": ({"p": 1}, {"q": 1}), "u": ({"q": 1}, {})}),
    inhibitors=[(0, 1, 3), (0, 2, 1), (1, 0, 4)],
    resets=[(1, 2)],
    capacities={1: 5, 2: 6},
)


def test_inhibitor_arcs_end_in_a_circle_and_resets_in_a_double_arrowhead() -> None:
    forms = [(c.source, c.target, c.inscription, c.form) for c in draw(GUARDED.graph()).curves]
    assert forms == [
        *((0, 3, 1, "arc"), (3, 1, 1, "arc"), (1, 3, 3, "inhibitor"), (2, 3, 1, "inhibitor")),
        *((1, 4, 1, "arc"), (0, 4, 4, "inhibitor"), (2, 4, 1, "reset")),
    ]
    picture = GUARDED.draw()
    for form, (shape, meaning) in HEADS.items():
        drawn = sum(curve[3] == form for curve in forms)
        assert len(re.findall(f'marker-end="url[(]#arrow[0-9a-f]+{form}[)]"', picture)) == drawn
        assert picture.count(shape) == 1 and escape(meaning) in picture
        assert meaning not in ORDER.draw() and shape not in ORDER.draw()
    text = GUARDED.draw("dot")
    assert 'p1 -> t0 [label="3", arrowhead=odot];' in text
    assert "p2 -> t0 [arrowhead=odot];" in text and "p2 -> t1 [arrowhead=normalnormal];" in text


def test_a_circle_touches_its_transition_and_the_line_touches_the_circle() -> None:
    drawing = draw(GUARDED.graph())
    for curve in drawing.curves:
        _, y = drawing.nodes[curve.target]
        distance = abs(curve.points[-1][1] - y)
        if curve.target >= len(GUARDED.places):
            circle = CIRCLE if curve.form == "inhibitor" else 0
            assert distance == pytest.approx(BAR[1] / 2 + circle)


def test_a_capacity_is_written_at_its_place_and_draws_no_arc() -> None:
    limited = guarded(net_of("p=1 q=0, t: p -> 2 q, u: q -> p"), capacities={1: 3, 0: 2})
    assert {curve.form for curve in draw(limited.graph()).curves} == {"arc"}
    assert ">≤ 3<" in limited.draw() and ">≤ 2<" in limited.draw()
    assert 'xlabel="q\\n≤ 3"' in limited.draw("dot")
    stricter = guarded(limited.plain, capacities={1: 3}, inhibitors=[(0, 1, 1)])
    assert [c.inscription for c in draw(stricter.graph()).curves if c.form == "inhibitor"] == [1]


def test_the_text_of_a_guarded_net_says_what_restrains_a_transition_and_what_it_empties() -> None:
    assert str(GUARDED).splitlines() == [
        "n: 3 places, 2 transitions, 3 arcs, 3 inhibitor arcs, 1 reset arc, 2 capacity limits",
        "initially p = 2, r = 1",
        "at most q = 5, r = 6",
        "t [q < 3, r < 1]: p -> q",
        "u [p < 4]: q -> nothing, r := 0",
    ]


def test_a_net_that_is_too_large_is_refused_with_what_to_do(tmp_path: Path) -> None:
    large = tmp_path / "large.lola"
    places = ", ".join(f"p{n}" for n in range(NODES + 1))
    large.write_text(f"PLACE {places};\nMARKING p0 : 1;\nTRANSITION t CONSUME ; PRODUCE p0 : 1;\n")
    refused = settled(run("convert", large, tmp_path / "net.svg"), 2)
    assert "use 'dot' and Graphviz" in refused.stderr
    assert not (tmp_path / "net.svg").exists()
