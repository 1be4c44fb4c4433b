"""Colours, bindings and firings are read as they are written, and nothing else is."""

from __future__ import annotations

import pytest

from petricheck.model.coloured.names import place_text, read_binding, read_colours, read_firing
from petricheck.model.coloured.net import ColouredNet, Place, Transition
from petricheck.model.coloured.sorts import Dot, Enumeration, Partition, Product, Range
from petricheck.model.coloured.terms import TRUE, Comparison, Summand, Variable
from petricheck.support.errors import QueryError

NESTED = Product(
    "Nested",
    (
        Enumeration("E", ("a", "a, b", "..", "}", "1", "c=d", "e", "f\ng")),
        Product("Inner", (Range("R", -1, 2), Dot())),
        Partition("Parts", Range("R", -1, 2), ("u", "_"), (0, 1, 1, 0)),
    ),
)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("(a, (0, dot), u)", ({0}, {1}, {0}, {0})),
        ("(e,(-1,dot),u)", ({6}, {0}, {0}, {0})),
        ('( "a, b" , ( 2 , _ ) , "_" )', ({1}, {3}, None, {1})),
        ('("..", (1, "dot"), "u")', ({2}, {2}, {0}, {0})),
        ('("}", (1, dot), {"_", u})', ({3}, {2}, {0}, {0, 1})),
        ("(1, (1, dot), u)", ({4}, {2}, {0}, {0})),
        ('("1", (1, dot), u)', ({4}, {2}, {0}, {0})),
        ("(_, _, u)", (None, None, None, {0})),
        ("(_, (_, _), u)", (None, None, None, {0})),
        ('("f\ng", _, u)', ({7}, None, None, {0})),
        ('({e, "f\ng"}, _, u)', ({6, 7}, None, None, {0})),
        ("({a..1}, _, u)", ({0, 1, 2, 3, 4}, None, None, {0})),
        ('({"..".."}"}, _, u)', ({2, 3}, None, None, {0})),
        ('({a, "}"..c=d}, _, u)', ({0, 3, 4, 5}, None, None, {0})),
        ("({e..e}, ({-1..0, 2}, {dot}), {u})", ({6}, {0, 1, 3}, {0}, {0})),
        ("({ a , e , a }, _, u)", ({0, 6}, None, None, {0})),
        ("(a, (0, dot), _)", None),  # a part is called so
        ('(a, ("1", dot), u)', None),  # no integer
        ("(a, (+1, dot), u)", None),
        ("(a, (x, dot), u)", None),
        ("(a, (3, dot), u)", None),
        ("(a, (-2, dot), u)", None),
        ("(a, (0, dots), u)", None),
        ('(a, (0, dot), "U")', None),
        ("(a, 0, dot, u)", None),
        ("(a, (0, dot, u))", None),
        ("(a, (0, dot))", None),
        ("(a, (0, dot), u, u)", None),
        ("((a), (0, dot), u)", None),
        ("(a, {0, dot}, u)", None),
        ("(a, (0, dot, u)", None),
        ("(a..e, _, u)", None),
        ("({}, _, u)", None),
        ("({e..a}, _, u)", None),
        ("({a..}, _, u)", None),
        ("({..a}, _, u)", None),
        ("({a..1..e}, _, u)", None),
        ("({a,}, _, u)", None),
        ("({a, x}, _, u)", None),
        ("({a, (0, dot)}, _, u)", None),
        ("(a b, _, u)", None),
        ("({a,,e}, _, u)", None),
        ("({a......e}, _, u)", None),
        ("(, _, u)", None),
        ("()", None),
        ("(a)", None),
    ],
)
def test_colours_are_those_that_are_written(text, meant):
    place = Place("p", NESTED)
    if meant is None:
        with pytest.raises(QueryError, match=r"^place 'p' holds no "):
            read_colours(place, text)
    else:
        assert read_colours(place, text) == tuple(None if c is None else {*c} for c in meant)
        assert read_colours(place, place_text(place, read_colours(place, text))[1:]) == tuple(
            None if c is None else {*c} for c in meant
        )


PLAIN = Enumeration("E", ("a", "b", "c", "(a)", "_"))
OPEN = Product("Open", (Dot(), NESTED))


@pytest.mark.parametrize(
    ("sort", "text", "meant"),
    [
        (PLAIN, "(b)", ({1},)),
        (PLAIN, "( b )", ({1},)),
        (PLAIN, '("(a)")', ({3},)),
        (PLAIN, "({a, b})", ({0, 1},)),
        (PLAIN, '({b.."_"})', ({1, 2, 3, 4},)),
        (PLAIN, '("_")', ({4},)),
        (PLAIN, "(_)", None),
        (PLAIN, "({a, bc)", None),
        (PLAIN, "(xa, b})", None),
        (PLAIN, "(a, b)", None),
        (OPEN, "(dot, (a, (_, _), u))", ({0}, {0}, None, None, {0})),
        (OPEN, "(_, (_, (_, _), u))", (None, None, None, None, {0})),
        (OPEN, "(dot, _)", None),
        (Range("R", 8, 12), "({9..11})", ({1, 2, 3},)),
        (Range("R", 8, 12), "(_)", (None,)),
        (Range("R", 8, 12), "(1_0)", None),
        (Dot(), "(dot)", ({0},)),
        (Dot(), "(_)", (None,)),
    ],
)
def test_colours_of_a_sort_are_those_that_are_written(sort, text, meant):
    place = Place("p", sort)
    if meant is None:
        with pytest.raises(QueryError, match=r"^place 'p' holds no "):
            read_colours(place, text)
    else:
        colours = read_colours(place, text)
        assert colours == tuple(None if c is None else {*c} for c in meant)
        assert place_text(place, colours) == ("p" if not any(meant) else f"p{text}").replace(
            "( b )", "(b)"
        )


ODD = ColouredNet(
    "odd",
    (),
    tuple(
        Transition(name, (), ((0, (Summand(1, Variable("x", NESTED)),)),), guard)
        for name, guard in (
            ("t", Comparison("=", Variable("x y", Dot()), Variable("=", Range("D", 1, 6)))),
            ("t(1)", TRUE),
            ("up", TRUE),
        )
    ),
)


@pytest.mark.parametrize(
    ("text", "firing"),
    [
        ('t(x=(a, (0, dot), u), "x y"=dot, "="=3)', (0, {"x": 2, "x y": 0, "=": 2})),
        ('"t(1)"(x=("a, b", (0, dot), "_"))', (1, {"x": 8 + 3})),
        ("up(x=(c=d, (-1, dot), u))", None),
        ('up(x=("c=d", (-1, dot), u))', (2, {"x": 5 * 8})),
        ('up(x=("c=d", (-1, dot), u)) ', None),
        (' up(x=("c=d", (-1, dot), u))', None),
        ('"up"(x=("c=d", (-1, dot), u))', None),
        ('up(x=("c=d",(-1, dot), u))', None),
        ('up(x=("c=d", (-1, dot), u), x=("c=d", (-1, dot), u))', None),
        ("up(x=(_, (-1, dot), u))", None),
        ("up(x=({a}, (-1, dot), u))", None),
        ("up", None),
        ("up()", None),
        ("v(x=(a, (-1, dot), u))", None),
        ("t(1)(x=(a, (-1, dot), u))", None),
        ('t("="=3, x=(a, (0, dot), u), "x y"=dot)', None),
        ('t(x=(a, (0, dot), u), "x y"=dot)', None),
        ("t(1)", None),
        ('up(x=("c=d", (-1, dot), u),)', None),
        ("up(,)", None),
        ("up(", None),
        ("", None),
    ],
)
def test_firings_are_those_that_are_written_as_they_are_printed(text, firing):
    assert read_firing(ODD, text) == firing


@pytest.mark.parametrize(
    ("text", "binding"),
    [
        ("", {}),
        ("()", {}),
        ("( x = (a, (0, dot), u) )", {"x": 2}),
        ('("="=1,"x y"=dot)', {"=": 0, "x y": 0}),
        ("(x=(c=d, (2, {dot}), {u}))", {"x": 5 * 8 + 6}),
        ("(x=(_, (2, dot), u))", None),
        ("(x=({a, e}, (2, dot), u))", None),
        ("(x=a)", None),
        ("(x)", None),
        ("(=1)", None),
        ('("="=1, "="=1)', None),
        ('("="=1, "="=2)', None),
        ('("="=1,)', None),
        ("(,)", None),
        ("(=)", None),
        ('("="=7)', None),
        ('("="=0)', None),
        ("(y=1)", None),
    ],
)
def test_a_binding_is_what_is_written(text, binding):
    if binding is None:
        with pytest.raises(QueryError):
            read_binding(ODD.transitions[0], text)
    else:
        assert read_binding(ODD.transitions[0], text) == binding
