"""Graphs of markings: what is drawn, and how."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import assume, given
from notation import formula, net_of
from oracle import explore, first_markings, successor
from strategies import nets, repeatable

from petricheck.explicit.covering.state_graph import marking_graph, state_graph
from petricheck.model.drawing.states import (
    ARCS,
    LETTERS,
    DrawnState,
    Role,
    StateArc,
    StateGraph,
    draw,
    to_dot,
    to_svg,
)
from petricheck.model.net import Marking, Net, make_net

SVG = "{http://www.w3.org/2000/svg}"
MOVES = net_of("p=2 q=0, move: p -> q, back: q -> p, drop: 2 q ->")
Tokens = Mapping[str, float]


def graph(net: Net, target: str = "") -> StateGraph:
    found = marking_graph(net, 300)
    assert found is not None
    return state_graph(found, formula(target)) if target else state_graph(found)


def read(label: str) -> Tokens:
    """The marking of a label; ω is infinity."""
    parts = [] if label == "empty" else [part.partition("*")[::2] for part in label.split(" + ")]
    counts = ((name or count, count if name else "1") for count, name in parts)
    return {name: float("inf" if count == "ω" else count) for name, count in counts}


def tokens(net: Net, marking: Marking) -> Tokens:
    return {place: held for place, held in zip(net.places, marking, strict=True) if held}


def least(low: Tokens, high: Tokens) -> bool:
    return all(high.get(place, 0) >= held for place, held in low.items())


def fired(net: Net, marking: Tokens) -> Iterator[tuple[str, Tokens]]:
    """What each enabled transition leads to."""
    for transition in net.transitions:
        held = {place: marking.get(place, 0.0) for place in net.places}
        if all(held[net.places[place]] >= weight for place, weight in transition.pre):
            for sign, weights in ((-1, transition.pre), (1, transition.post)):
                for place, weight in weights:
                    held[net.places[place]] += sign * weight
            yield transition.name, {place: count for place, count in held.items() if count}


@given(nets())
@repeatable(30)
def test_the_graph_of_a_bounded_net_is_its_reachability_graph(net: Net) -> None:
    markings = explore(net, 60)
    assume(markings is not None)
    assert markings is not None
    shown = graph(net)
    labels = [read(state.label) for state in shown.states]
    assert labels[0] == tokens(net, net.initial)
    assert sorted(map(sorted, map(dict.items, labels))) == sorted(  # type: ignore[arg-type]
        sorted(tokens(net, marking).items()) for marking in markings
    )
    arcs = {(arc.source, arc.target): sorted(arc.names) for arc in shown.arcs}
    assert len(arcs) == len(shown.arcs) and not shown.note
    for source, marking in enumerate(labels):
        for name, after in fired(net, marking):
            assert name in arcs[source, labels.index(after)]
    firings = (successor(m, t) for m in markings for t in net.transitions)
    assert sum(map(len, arcs.values())) == sum(after is not None for after in firings)


@given(nets())
@repeatable(30)
def test_a_graph_with_omega_covers_every_reachable_marking_and_every_firing(net: Net) -> None:
    whole = marking_graph(net, 100)
    assume(whole is not None and whole.unbounded)
    assert whole is not None
    shown = state_graph(whole)
    labels = [read(state.label) for state in shown.states]
    for marking in first_markings(net, 200):
        assert any(least(tokens(net, marking), label) for label in labels)
    arcs = {(arc.source, name): arc.target for arc in shown.arcs for name in arc.names}
    firings = [(n, *pair) for n, label in enumerate(labels) for pair in fired(net, label)]
    assert len(firings) == sum(len(arc.names) for arc in shown.arcs)
    for source, name, after in firings:
        assert least(after, labels[arcs[source, name]])


def test_the_initial_marking_dead_ones_and_those_in_the_target_are_marked() -> None:
    shown = graph(MOVES, "q >= 1")
    roles = {state.label: state.roles for state in shown.states}
    assert roles == {
        "2*p": {Role.INITIAL},
        "p + q": {Role.TARGET},
        "2*q": {Role.TARGET},
        "empty": {Role.DEAD},
    }
    assert shown.roles == tuple(Role)


def test_where_there_is_omega_no_target_is_marked() -> None:
    assert Role.TARGET not in graph(net_of("p=0, -> p"), "p >= 0").roles


def test_transitions_between_the_same_markings_share_an_arrow() -> None:
    (arc,) = graph(net_of("p=1 q=0, t: p -> q, u: p -> q")).arcs
    assert arc.label == "t, u"


def ladder(rungs: int) -> StateGraph:
    """Boxes two by two, each with arrows to both sides, down, back and to itself."""
    states = tuple(DrawnState(f"{n} + a_rather_long_name + b") for n in range(2 * rungs))
    ends = [(n, n + 2) for n in range(2 * rungs - 2)] + [(n, n) for n in range(2 * rungs)]
    ends += [(n, n ^ 1) for n in range(2 * rungs)]
    return StateGraph(states, tuple(StateArc(*pair, (f"t{pair}",)) for pair in ends))


SHOWN = {
    "one box": graph(net_of("p=1, p -> p")),
    "a tree with ω": graph(net_of("p=1 q=0 r=0, t: p -> p + q, u: p -> r, v: r -> r + q")),
    "a diamond": graph(net_of("p=3 q=0 r=2 s=0, t: p -> q, u: r -> s, v: q -> p")),
    "a ladder": ladder(9),
}


@pytest.mark.parametrize("name", SHOWN)
def test_no_box_or_name_lies_on_another_box_and_all_are_inside(name: str) -> None:
    shown = SHOWN[name]
    drawing = draw(shown)
    for (a, b, c, d), (e, f, g, h) in combinations(drawing.boxes, 2):
        assert c <= e or g <= a or d <= f or h <= b
    for left, top, right, bottom in drawing.boxes:
        assert left >= 0 and top >= 0
        assert right <= drawing.width and bottom <= drawing.height
        assert not any(left < x < right and top < y < bottom for x, y in drawing.labels)
    for curve in drawing.curves:
        for x, y in map(curve.at, (0, 0.25, 0.5, 0.75, 1)):
            assert 0 <= x <= drawing.width and 0 <= y <= drawing.height


def test_arrows_begin_and_end_at_the_boxes_that_they_join() -> None:
    shown = SHOWN["a ladder"]
    drawing = draw(shown)
    for arc, curve in zip(shown.arcs, drawing.curves, strict=True):
        for state, (x, y) in ((arc.source, curve.start), (arc.target, curve.end)):
            left, top, right, bottom = drawing.boxes[state]
            assert left <= x <= right and (y in (top, bottom) or x == right)


def test_the_picture_has_every_box_arrow_and_name_and_a_legend() -> None:
    shown = graph(MOVES, "q >= 1")
    root = ElementTree.fromstring(to_svg(shown))
    assert len(root.findall(f".//{SVG}rect")) == len(shown.states) + len(Role)
    assert len(root.findall(f"{SVG}g/{SVG}path")) == len(shown.arcs)
    said = {text.text for text in root.iter(f"{SVG}text")}
    assert {"2*p", "p + q", "move", "back", "drop", *(role.meaning for role in Role)} <= said


def test_a_long_label_is_broken_into_lines_and_cut_but_whole_where_one_points_at_it() -> None:
    net = make_net("n", {f"place_{n}": 1 for n in range(30)} | {"y" * 99: 1}, {})
    shown = graph(net)
    root = ElementTree.fromstring(to_svg(shown))
    lines = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert max(map(len, lines)) <= LETTERS and "…" in lines
    assert shown.states[0].label in {title.text for title in root.iter(f"{SVG}title")}


HOSTILE = '</title><script>"&\u2028'


def test_names_are_no_markup() -> None:
    net = make_net("n", {HOSTILE: 1}, {HOSTILE * 2: ({HOSTILE: 1}, {HOSTILE: 1})})
    root = ElementTree.fromstring(to_svg(graph(net)))
    assert {element.tag for element in root.iter()}.isdisjoint({f"{SVG}script", "script"})
    (label,) = re.findall(r'  m0 \[label="((?:[^"\\]|\\.)*)"', to_dot(graph(net)))
    assert "\n" not in label and "\u2028" not in label


def test_a_graph_of_too_many_arrows_is_refused() -> None:
    dense = StateGraph(
        (DrawnState("a"),) * 12, tuple(StateArc(n % 12, n // 12, ("t",)) for n in range(ARCS))
    )
    assert to_svg(dense)
    more = StateGraph(dense.states, (*dense.arcs, StateArc(0, 11, ("t",))))
    assert not to_svg(more)
