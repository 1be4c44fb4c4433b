"""Symmetric nets in PNML: what the standard means by each operator."""

from __future__ import annotations

import pytest
from coloured_documents import (
    EQUAL,
    SORTS,
    TYPE,
    VARIABLES,
    arc,
    const,
    document,
    every,
    integer,
    label,
    number,
    parsed,
    place,
    read,
    sort,
    tag,
    times,
    var,
)

from petricheck.coloured.net import enabled, fire
from petricheck.coloured.sorts import Dot, Enumeration, Partition, Product, Range
from petricheck.coloured.terms import tokens
from petricheck.formats.pnml import Pnml


def marked(of: str, initial: str) -> dict[str, int]:
    """The initial marking of a place, by texts of colours."""
    net = read(place("p", of, initial))
    return {net.places[0].sort.text(c): n for c, n in net.initial[0].items()}


# Sorts


def test_sorts_are_read() -> None:
    net = read("".join(place(f"p{name}", name) for name in ("dot", "c", "f", "r", "cr", "half")))
    dot, c, f, r, cr, half = (place.sort for place in net.places)
    assert dot == Dot()
    assert c == Enumeration("C", ("a", "b", "c"), cyclic=True)
    assert f == Enumeration("F", ("u", "v"), cyclic=False)
    assert r == Range("R", -1, 2)
    assert cr == Product("CR", (c, r))
    assert half == Partition("Half", c, ("low", "high"), (0, 1, 1))
    assert [s.size for s in (dot, c, f, r, cr, half)] == [1, 3, 2, 4, 12, 2]


def test_sorts_may_stand_before_what_they_are_made_of() -> None:
    declared = (
        '<namedsort id="two" name="Two"><productsort><usersort declaration="one"/>'
        '<productsort><dot/><finiteintrange start="0" end="1"/></productsort></productsort>'
        '</namedsort><namedsort id="one" name="One"><usersort declaration="r"/></namedsort>'
        '<namedsort id="r" name="R"><finiteintrange start="5" end="6"/></namedsort>'
    )
    (two,) = read(place("p", "two"), declared).places
    assert two.sort == Product("", (Range("", 5, 6), Product("", (Dot(), Range("", 0, 1)))))
    assert [two.sort.text(colour) for colour in range(4)] == [
        "(5, (dot, 0))",
        "(5, (dot, 1))",
        "(6, (dot, 0))",
        "(6, (dot, 1))",
    ]


def test_names_that_stand_twice_give_way_to_ids() -> None:
    constants = '<feconstant id="c0" name="a"/><feconstant id="c1" name="a"/>'
    variables = "".join(
        f'<variabledecl id="{id_}" name="x"><usersort declaration="c"/></variabledecl>'
        for id_ in ("vx", "vy")
    )
    declared = f'<namedsort id="c"><finiteenumeration>{constants}</finiteenumeration></namedsort>'
    moving = arc("p", "t", tag("add", var("x"), var("y")))
    net = read(place("p", "c") + '<transition id="t"/>' + moving, declared + variables)
    assert net.places[0].sort == Enumeration("c", ("c0", "c1"))
    assert [variable.name for variable in net.transitions[0].variables] == ["vx", "vy"]


# Multisets


@pytest.mark.parametrize(
    ("of", "initial", "expected"),
    [
        ("c", const("c1"), {"b": 1}),
        ("c", times(3, const("c1")), {"b": 3}),
        ("c", tag("numberof", const("c1")), {"b": 1}),
        ("c", times(0, const("c1")), {}),
        ("c", every("c"), {"a": 1, "b": 1, "c": 1}),
        ("c", tag("scalarproduct", number(2), every("c")), {"a": 2, "b": 2, "c": 2}),
        ("c", tag("add", const("c0"), const("c0"), const("c2")), {"a": 2, "c": 1}),
        ("c", tag("subtract", every("c"), const("c0")), {"b": 1, "c": 1}),
        ("c", tag("add", tag("subtract", every("c"), const("c0")), const("c1")), {"b": 2, "c": 1}),
        ("c", f"<empty>{sort('c')}</empty>", {}),
        ("c", tag("successor", const("c2")), {"a": 1}),
        ("c", tag("predecessor", const("c0")), {"c": 1}),
        ("c", times(2, const("high")), {"b": 2, "c": 2}),
        ("half", const("high"), {"high": 1}),
        ("half", tag("partitionelementof", const("c2"), refpartition="half"), {"high": 1}),
        ("r", integer(-1), {"-1": 1}),
        ("dot", times(4, "<dotconstant/>"), {"dot": 4}),
        ("dot", times("+4", "<dotconstant/>"), {"dot": 4}),
        ("cr", tag("tuple", const("c1"), integer(2)), {"(b, 2)": 1}),
        (
            "cr",
            tag("tuple", tag("add", every("c"), const("c0")), integer(0)),
            {"(a, 0)": 2, "(b, 0)": 1, "(c, 0)": 1},
        ),
        (
            "cr",
            tag(
                "subtract",
                tag("tuple", every("c"), integer(0)),
                tag("tuple", const("c0"), integer(0)),
            ),
            {"(b, 0)": 1, "(c, 0)": 1},
        ),
    ],
)
def test_an_initial_marking_is_what_its_terms_say(
    of: str, initial: str, expected: dict[str, int]
) -> None:
    assert marked(of, initial) == expected


def test_a_marking_may_be_as_large_as_numbers_are() -> None:
    huge = 10**3999 + 7
    assert marked("dot", times(huge, "<dotconstant/>")) == {"dot": huge}
    twice = tag("scalarproduct", number(huge), times(huge, "<dotconstant/>"))
    assert marked("dot", twice) == {"dot": huge * huge}


# Guards


def pairs(condition: str, one: str = "x", other: str = "y") -> set[str]:
    """The bindings of two variables that a condition allows."""
    taken = {name: "r" if name in "ij" else "c" for name in (one, other)}
    inside = "".join(
        place(f"p{n}", taken[name], every(taken[name])) + arc(f"p{n}", "t", var(name))
        for n, name in enumerate((one, other))
    )
    guard = label("condition", condition) if condition else ""
    net = read(f'<transition id="t">{guard}</transition>{inside}')
    (transition,) = net.transitions
    sorts = {variable.name: variable.sort for variable in transition.variables}
    return {
        " ".join(sorts[name].text(binding[name]) for name in (one, other))
        for binding in enabled(transition, net.initial)
    }


ALL = {f"{x} {y}" for x in "abc" for y in "abc"}
SAME = {f"{x} {x}" for x in "abc"}
LESS = {"a b", "a c", "b c"}
HALF = {name: tag("partitionelementof", var(name), refpartition="half") for name in "xy"}


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("", ALL),
        (EQUAL, SAME),
        (tag("inequality", var("x"), var("y")), ALL - SAME),
        (tag("lessthan", var("x"), var("y")), LESS),
        (tag("lessthanorequal", var("x"), var("y")), LESS | SAME),
        (tag("greaterthan", var("x"), var("y")), ALL - LESS - SAME),
        (tag("greaterthanorequal", var("x"), var("y")), ALL - LESS),
        (tag("equality", tag("successor", var("x")), var("y")), {"a b", "b c", "c a"}),
        (tag("equality", tag("predecessor", var("x")), var("y")), {"b a", "c b", "a c"}),
        (tag("equality", HALF["x"], const("low")), {"a a", "a b", "a c"}),
        (tag("ltp", HALF["x"], HALF["y"]), {"a b", "a c"}),
        (tag("gtp", HALF["x"], HALF["y"]), {"b a", "c a"}),
        (tag("not", EQUAL), ALL - SAME),
        (tag("and", EQUAL, tag("inequality", var("x"), const("c0"))), {"b b", "c c"}),
        (tag("or", EQUAL, tag("lessthan", var("x"), var("y"))), SAME | LESS),
        (tag("imply", EQUAL, tag("equality", var("x"), const("c0"))), ALL - {"b b", "c c"}),
        (tag("booleanconstant", value="true"), ALL),
        (tag("booleanconstant", value="0"), set()),
        (
            tag(
                "equality", tag("tuple", var("x"), var("y")), tag("tuple", const("c1"), const("c2"))
            ),
            {"b c"},
        ),
        (
            tag("inequality", tag("tuple", var("x"), var("y")), tag("tuple", var("y"), var("x"))),
            ALL - SAME,
        ),
        (tag("and", EQUAL, tag("inequality", var("x"), var("y"))), set()),
        (f"<and>{EQUAL}{EQUAL}</and>", SAME),
    ],
)
def test_a_condition_allows_what_it_says(condition: str, expected: set[str]) -> None:
    assert pairs(condition) == expected


def test_ranges_are_compared_as_integers() -> None:
    condition = tag(
        "and", tag("lessthan", var("i"), integer(1)), tag("greaterthan", var("j"), var("i"))
    )
    expected = {f"{i} {j}" for i in range(-1, 3) for j in range(-1, 3) if i < 1 and j > i}
    assert pairs(condition, "i", "j") == expected


def test_a_condition_without_a_structure_in_it_holds() -> None:
    for guard in (
        "<condition/>",
        "<condition><structure/></condition>",
        "<condition><text> </text></condition>",
    ):
        net = read(f'<transition id="t">{guard}</transition>')
        assert [*enabled(net.transitions[0], net.initial)] == [{}]


# Arcs and nodes


def test_arcs_between_the_same_nodes_are_summed_and_dots_need_no_inscription() -> None:
    arcs = arc("p", "t", var("x"), "a1") + arc("p", "t", var("y"), "a2")
    arcs += arc("t", "q", "", "a3") + arc("t", "q", times(2, "<dotconstant/>"), "a4")
    nodes = place("p", "c", every("c")) + place("q", "dot") + '<transition id="t"/>'
    net, warnings = parsed(document(nodes + arcs))
    assert warnings == ("summed parallel arcs: 2",)
    (transition,) = net.transitions
    bindings = [*enabled(transition, net.initial)]
    assert {(b["x"], b["y"]) for b in bindings} == {
        (a, b) for a in range(3) for b in range(3) if a != b
    }
    after = fire(transition, net.initial, {"x": 0, "y": 2})
    assert after == ({1: 1}, {0: 3})


def test_pages_and_references_are_one_net() -> None:
    nodes = f"""<page id="one">{place("p", "c", const("c0"))}<referenceTransition id="rt" ref="t"/>
        {arc("p", "rt", var("x"))}</page><page id="two"><page id="inner"><transition id="t"/></page>
        <referencePlace id="rp" ref="p"/>{arc("t", "rp", tag("successor", var("x")))}</page>"""
    net, warnings = parsed(document(nodes))
    assert warnings == ("resolved reference nodes: 2",)
    assert fire(net.transitions[0], net.initial, {"x": 0}) == ({1: 1},)


def test_declarations_may_stand_in_several_places() -> None:
    page = label("declaration", f"<declarations>{SORTS}</declarations>")
    net = read(f'<page id="g">{page}{place("p", "c")}</page>', VARIABLES)
    assert net.places[0].sort.size == 3


def test_a_product_of_many_colours_is_read() -> None:
    declared = (
        '<namedsort id="m" name="M"><finiteintrange start="1" end="1000000"/></namedsort>'
        '<namedsort id="mm" name="MM"><productsort><usersort declaration="m"/>'
        '<usersort declaration="m"/></productsort></namedsort>'
    )
    net = read(place("p", "mm", tag("tuple", integer(7, 1, 10**6), integer(9, 1, 10**6))), declared)
    assert net.places[0].sort.size == 10**12
    assert net.initial == ({6 * 10**6 + 8: 1},)


@pytest.mark.parametrize("kind", ["symmetricnet", "highlevelnet", "pt-hlpng"])
def test_high_level_nets_with_these_operators_are_read(kind: str) -> None:
    text = document(place("p", "dot", "<dotconstant/>"), "", TYPE.replace("symmetricnet", kind))
    assert parsed(text)[0].initial == ({0: 1},)


def test_one_of_several_nets_is_read() -> None:
    coloured = document(place("p", "c", const("c1"))).removesuffix("</pnml>")
    text = f'{coloured}<net id="m" type="ptnet"><place id="q"/></net></pnml>'
    assert parsed(text, "n")[0].initial == ({1: 1},)
    assert Pnml().read((text.encode(),), "file.pnml", "m")[0].places == ("q",)


def test_text_in_a_structure_is_warned_of() -> None:
    net, warnings = parsed(document(place("p", "c", f"1'b {const('c1')}")))
    assert warnings == ("text between the elements of a structure is ignored",)
    assert tokens(net.places[0].initial, {}) == {1: 1}
    assert parsed(document(place("p", "c", const("c1"))))[1] == ()
