"""Coloured nets drawn and told: terms, guards and markings in the words of their files."""

from __future__ import annotations

import pytest
from coloured_nets import coloured_nets
from folders import NETS
from hypothesis import given, settings

from petricheck.formats.nets import read_net
from petricheck.model.coloured.net import ColouredNet
from petricheck.model.coloured.sorts import Enumeration, Partition, Product, Range
from petricheck.model.coloured.terms import (
    TRUE,
    All,
    Comparison,
    Constant,
    ElementOf,
    Guard,
    Multiset,
    Not,
    Shifted,
    Some,
    Summand,
    Tuple,
    Variable,
)
from petricheck.model.coloured.text import guard_text, multiset_text, sort_text, tokens_text
from petricheck.model.drawing.svg import draw
from petricheck.support.errors import QueryError

PHIL = Enumeration("Phil", ("ada", "ben", "eve"), cyclic=True)
NUMBERS = Range("", 3, 5)
SIDES = Partition("Side", PHIL, ("left", "right"), (0, 1, 1))
x, y, n = Variable("x", PHIL), Variable("y", PHIL), Variable("n", NUMBERS)
every = Variable("all 0", PHIL)
EVE = Constant(PHIL, 2)


@pytest.mark.parametrize(
    ("multiset", "text"),
    [
        ((), "empty"),
        ((Summand(1, x),), "x"),
        ((Summand(1, every, (every,)), Summand(-1, EVE)), "all(Phil) - eve"),
        ((Summand(-1, x), Summand(2, y)), "- x + 2'y"),
        ((Summand(1, Constant(NUMBERS, 1)), Summand(3, n)), "1'4 + 3'n"),
        ((Summand(2, Tuple((Shifted(x, 1), n))),), "2'(x++1, n)"),
        ((Summand(1, Tuple((every, Shifted(y, -2))), (every,)),), "(all(Phil), y--2)"),
    ],
)
def test_a_multiset_is_written_as_a_sum(multiset: Multiset, text: str) -> None:
    assert multiset_text(multiset) == text


@pytest.mark.parametrize(
    ("guard", "text"),
    [
        (TRUE, "true"),
        (Some(()), "false"),
        (Comparison("!=", Shifted(x, 1), EVE), "x++1 != eve"),
        (Comparison("<", ElementOf(SIDES, x), Constant(SIDES, 1)), "Side(x) < right"),
        (
            All((Comparison("=", x, y), Some((Comparison("<", x, y), Comparison(">", x, y))))),
            "x = y and (x < y or x > y)",
        ),
        (Not(All((Comparison("=", x, y), TRUE))), "not (x = y and true)"),
    ],
)
def test_a_guard_is_written_as_in_questions(guard: Guard, text: str) -> None:
    assert guard_text(guard) == text


def test_sorts_without_a_name_and_markings_are_written_out() -> None:
    assert sort_text(Product("", (PHIL, NUMBERS))) == "(Phil, 3..5)"
    assert tokens_text(PHIL, {2: 1, 0: 2}) == "{2'ada, eve}"
    assert tokens_text(NUMBERS, {}) == "{}"
    numbers = Range("", 1, 20)
    held = dict.fromkeys((0, 1, 2, 4, 5, 8), 1) | {7: 2, 12: 1, 13: 1, 14: 1, 15: 3}
    assert tokens_text(numbers, held) == "{1 to 3, 5, 6, 2'8, 9, 13 to 15, 3'16}"


def philosophers() -> ColouredNet:
    net = read_net(NETS / "careful_philosophers.pnml").source
    assert isinstance(net, ColouredNet)
    return net


def test_a_coloured_net_is_told_and_drawn_with_its_inscriptions() -> None:
    net = philosophers()
    assert str(net).splitlines() == [
        "careful_philosophers: 4 places, 5 transitions, 15 arcs",
        "initially thinking = all(Phil), fork = all(Phil)",
        "take_left [x != eve]: thinking(x) + fork(x) -> waiting(x)",
        "take_right [x != eve]: fork(x++1) + waiting(x) -> eating(x)",
        "take_right_first [x = eve]: thinking(x) + fork(x++1) -> waiting(x)",
        "take_left_second [x = eve]: fork(x) + waiting(x) -> eating(x)",
        "put_down: eating(x) -> thinking(x) + fork(x + x++1)",
    ]
    picture = net._repr_html_()
    for text in (">x + x++1<", ">[x != eve]<", ">all(Phil)<", ">Phil<", ": 5 tokens of Phil: all"):
        assert text in picture
    dot = net.draw("dot")
    assert r'  p1 [label="5", xlabel="fork\nPhil\nall(Phil)"];' in dot
    assert '  t4 -> p1 [label="x + x++1"];' in dot and r'label="take_left\n[x != eve]"' in dot
    with pytest.raises(QueryError, match="'svg' or 'dot'"):
        net.draw("png")


def test_what_it_was_unfolded_to_is_drawn_as_the_coloured_net() -> None:
    net = read_net(NETS / "philosophers.pnml").net
    assert net.draw() == philosophers_drawn() and net.nodes == 7
    assert repr(net) == "<Net philosophers: 20 places, 15 transitions, 50 arcs, unfolded>"
    after = net.graph(net.after([("take_left(x=ada)", 1), ("take_left(x=eve)", 1)]))
    assert [place.held for place in after.places] == [
        "{ben, cleo, dan}",
        "{ben, cleo, dan}",
        "{ada, eve}",
        "",
    ]


def philosophers_drawn() -> str:
    return read_net(NETS / "philosophers.pnml").source.draw()


@settings(max_examples=20)
@given(coloured_nets())
def test_whatever_it_is_it_is_drawn(net: ColouredNet) -> None:
    assert net.draw().startswith("<svg") and net.draw("dot") and str(net)
    drawing = draw(net.graph())
    ends = [end for curve in drawing.curves for end in curve.points]
    assert all(0 < x < drawing.width and 0 < y < drawing.height for x, y in ends)
    counts = [sum(tokens.values()) for tokens in net.initial]
    assert [place.tokens for place in net.graph().places] == counts
