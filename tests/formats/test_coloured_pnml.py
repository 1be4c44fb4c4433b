"""Symmetric nets in PNML: what the standard means by each operator."""

from __future__ import annotations

import pytest
from coloured_documents import (
    SORTS,
    TYPE,
    VARIABLES,
    arc,
    const,
    document,
    every,
    integer,
    label,
    marked,
    named,
    number,
    parsed,
    place,
    read,
    sort,
    span,
    tag,
    times,
    var,
    variable,
)
from coloured_firing import enabled, fire

from petricheck.formats.nets.pnml import Pnml
from petricheck.model.coloured.sorts import Dot, Enumeration, Partition, Product, Range
from petricheck.model.coloured.terms import tokens
from petricheck.support.errors import NetTypeError

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


def test_many_sorts_may_be_declared_and_a_partition_may_name_its_sort_anywhere() -> None:
    many = "".join(
        named(f"s{n}", f"<productsort>{sort('r') * 2}</productsort>") for n in range(150)
    )
    parts = (
        '<partitionelement id="e" name="e"><useroperator declaration="c2"/></partitionelement>',
        sort("c"),
        '<partitionelement id="g" name="g"><useroperator declaration="c0"/>'
        '<useroperator declaration="c1"/></partitionelement>',
    )
    partition = f'<partition id="part" name="Part">{"".join(parts)}</partition>'
    net = read(place("p", "s149") + place("q", "part"), SORTS + many + partition)
    assert net.places[0].sort == Product("", (Range("", -1, 2),) * 2)
    assert net.places[1].sort.size == 2
    assert isinstance(net.places[1].sort, Partition)
    assert net.places[1].sort.part == (1, 1, 0)


def test_a_range_may_have_one_value_and_constants_no_name() -> None:
    constants = '<feconstant id="k0" name="a"/>\n<feconstant id="k1" name=""/>\n'
    declared = named("one", span(3, 3)) + named(
        "e", f'<finiteenumeration>{constants}<feconstant id="k2"/></finiteenumeration>'
    )
    net = read(place("p", "one") + place("q", "e"), declared)
    assert net.places[0].sort.size == 1
    assert net.places[1].sort == Enumeration("e", ("a", "k1", "k2"))


def test_names_are_labels_and_variables_may_be_called_anything() -> None:
    name = "<name><text> N </text></name>"
    inside = place("p", "c").replace("<type>", f"{name}<type>")
    inside += f'<transition id="t">{name}</transition>'
    declared = SORTS + variable("all 0", "c")
    several = tag("add", every("c"), '<variable refvariable="vall 0"/>')
    net = read(inside + arc("p", "t", several), declared)
    assert (net.places[0].label, net.transitions[0].label) == ("N", "N")
    assert [variable.name for variable in net.transitions[0].variables] == ["all 0"]
    ((_, multiset),) = net.transitions[0].pre
    assert tokens(multiset, {"all 0": 2}) == {0: 1, 1: 1, 2: 2}


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


TWO = {"a": 2, "b": 2}
CC = [f"({one}, {other})" for one in "abc" for other in "abc"]


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
        ("c", tag("scalarproduct", number(2), tag("add", const("c0"), const("c1"))), TWO),
        ("c", tag("scalarproduct", number(2), tag("subtract", every("c"), const("c2"))), TWO),
        ("c", tag("add", tag("subtract", times(2, every("c")), times(2, const("c2")))), TWO),
        ("c", const("low"), {"a": 1}),
        ("cr", times(3, tag("tuple", times(2, const("c1")), integer(2))), {"(b, 2)": 6}),
        ("cc", tag("tuple", every("c"), every("c")), dict.fromkeys(CC, 1)),
        ("c", times(2, tag("tuple", const("c1"))), {"b": 2}),
        ("c", tag("tuple", tag("tuple", every("c"))), {"a": 1, "b": 1, "c": 1}),
        ("cr", tag("tuple", tag("tuple", const("c1"), integer(2))), {"(b, 2)": 1}),
        ("cr", tag("tuple", tag("tuple", const("c1")), integer(2)), {"(b, 2)": 1}),
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


def test_a_tuple_of_one_part_is_the_part_and_a_product_of_one_factor_the_factor() -> None:
    one = named("one", f"<productsort>{sort('c')}</productsort>") + variable("o", "one")
    guard = label("condition", tag("equality", tag("tuple", var("o")), tag("successor", var("x"))))
    nodes = place("p", "one", tag("tuple", const("c0"))) + place("q", "c", const("c2"))
    nodes += f'<transition id="t">{guard}</transition>'
    arcs = arc("p", "t", tag("tuple", var("o"))) + arc("q", "t", var("x")) + arc("t", "q", var("o"))
    net = read(nodes + arcs, SORTS + VARIABLES + one)
    assert {place.sort for place in net.places} == {Enumeration("C", ("a", "b", "c"), cyclic=True)}
    assert [*enabled(net.transitions[0], net.initial)] == [{"o": 0, "x": 2}]


def test_a_marking_may_be_as_large_as_numbers_are() -> None:
    huge = 10**3999 + 7
    assert marked("dot", times(huge, "<dotconstant/>")) == {"dot": huge}
    twice = tag("scalarproduct", number(huge), times(huge, "<dotconstant/>"))
    assert marked("dot", twice) == {"dot": huge * huge}


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


@pytest.mark.parametrize("kind", ["stochasticnet", "timednet", "coloured", "urn:x"])
def test_other_types_of_nets_are_refused(kind: str) -> None:
    with pytest.raises(NetTypeError, match="not a place/transition net or a symmetric one"):
        parsed(document(place("p", "dot"), "", kind))
