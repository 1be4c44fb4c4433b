"""Symmetric nets in PNML: what the standard means by each operator, and what is refused."""

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
    named,
    number,
    place,
    sort,
    span,
    tag,
    times,
    var,
)

from petricheck.coloured.net import ColouredNet, enabled, fire
from petricheck.coloured.sorts import Dot, Enumeration, Partition, Product, Range
from petricheck.coloured.terms import tokens
from petricheck.errors import InputError, NetTypeError
from petricheck.formats.pnml import Pnml


def parsed(text: str, net_id: str | None = None) -> tuple[ColouredNet, tuple[str, ...]]:
    net, warnings = Pnml().read((text.encode(),), "file.pnml", net_id)
    assert isinstance(net, ColouredNet)
    return net, warnings


def read(inside: str, declared: str = SORTS + VARIABLES) -> ColouredNet:
    return parsed(document(inside, declared))[0]


def refused(text: str) -> str:
    with pytest.raises(InputError) as caught:
        parsed(text)
    assert caught.value.path == "file.pnml"
    assert caught.value.line is not None
    assert len(str(caught.value)) < 300
    return str(caught.value)


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
    net = read(MOVED + arc("p", "t", tag("add", var("x"), var("y"))), declared + variables)
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
EQUAL = tag("equality", var("x"), var("y"))


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


# What is refused


def declaring(inside: str) -> str:
    return document(place("p", "dot"), inside)


def enumeration(id_: str, *ids: str) -> str:
    inside = "".join(f'<feconstant id="{i}" name="{i}"/>' for i in ids)
    return named(id_, f"<cyclicenumeration>{inside}</cyclicenumeration>")


NESTED = "<productsort>" * 200 + "<dot/>" + "</productsort>" * 200
CHAIN = "".join(named(f"s{n}", sort(f"s{n + 1}")) for n in range(5000)) + named("s5000", "<dot/>")
DECLARED = {
    "declares 'c0' a second time": SORTS + enumeration("d", "c0"),
    "declares 'd0' a second time": enumeration("d", "d0", "d1", "d0"),
    "declares 'c' a second time": SORTS + named("c", "<dot/>"),
    "declares 'vx' a second time": SORTS + VARIABLES + VARIABLES[: VARIABLES.index("</v") + 15],
    "declares the sort 'a' by itself": named("a", sort("b")) + named("b", sort("a")),
    "declares the sort 'd' by itself": named("d", f"<productsort><dot/>{sort('d')}</productsort>"),
    "names the sort 'z', which is not declared": named("a", sort("z")),
    "is a sort in more than 100 others": CHAIN,
    "<productsort> is a sort in more than": named("a", NESTED),
    "has no constants": enumeration("d"),
    "<productsort> has 0 parts": named("a", "<productsort/>"),
    "begins with 3 and ends with 2; it has no colours": named("a", span(3, 2)),
    "has start='x'; write a whole number": named("a", span("x", 2)),
    "has start='1_0'": named("a", span("1_0", 20)),
    "has no end": named("a", '<finiteintrange start="1"/>'),
    "has a end of 4001 digits": named("a", span(0, 10**4000)),
    "has more than 4611686018427387904 colours": named("a", span(1, 10**18))
    + named("b", "<productsort>" + sort("a") * 2 + "</productsort>"),
    "<finiteintrange> has more than": named("a", span(0, 10**3999)),
    "<string> is a sort that is not supported": named("a", "<string/>"),
    "<multisetsort> is a sort that is not supported": named(
        "a", "<multisetsort><dot/></multisetsort>"
    ),
    "<integer> is a sort that is not supported": named("a", "<integer/>"),
    "<bool> is a sort that is not supported": named("a", "<bool/>"),
    "<list> is a sort that is not supported": named("a", "<list/>"),
    "<cyclicenumeration> stands without a name": named(
        "a", tag("productsort", "<cyclicenumeration/>")
    ),
    "<namedoperator> is not supported among": '<namedoperator id="o" name="o"/>',
    "<arbitrarysort> is not supported among": '<arbitrarysort id="o" name="o"/>',
    "<unparsed> is not supported among declarations": "<unparsed/>",
    "<namedsort> has no id": '<namedsort name="a"><dot/></namedsort>',
    "<namedsort> holds 0 elements; it has to hold one": named("a", ""),
    "<namedsort> holds 2 elements; it has to hold one": named("a", "<dot/><dot/>"),
    "<usersort> has no declaration": named("a", "<usersort/>"),
    "<usersort> has the attribute colour, which may change the meaning": named(
        "a", '<usersort declaration="dot" colour="red"/>'
    ),
    "leaves out 1 colour of C": SORTS.replace(const("c1"), ""),
    "stands in the partition twice": SORTS.replace(const("c1"), const("c2")),
    "names 'f9', which is no declared constant": SORTS.replace(const("c1"), const("f9")),
    "is of F, not C": SORTS.replace(const("c1"), const("f1")),
    "is of 0 sorts; name the one it takes apart": '<partition id="q" name="q"/>',
    "<all> is no constant": SORTS.replace(const("c1"), every("c")),
}


@pytest.mark.parametrize("words", DECLARED)
def test_a_declaration_is_refused(words: str) -> None:
    assert words in refused(declaring(DECLARED[words]))


def moving(inside: str, of: str = "c", guard: str = "") -> str:
    """A transition that takes this from a place."""
    condition = label("condition", guard) if guard else ""
    return document(
        place("p", of) + f'<transition id="t">{condition}</transition>\n' + arc("p", "t", inside)
    )


PAIR = tag("tuple", var("x"), var("i"))


def in_low(variable: str, partition: str) -> str:
    return tag(
        "equality", tag("partitionelementof", var(variable), refpartition=partition), const("low")
    )


BELOW = tag("subtract", var("x"), var("y"))
WRITTEN = {
    "<useroperator> is of the sort F; write one of C": moving(const("f0")),
    "<variable> is of the sort R; write one of C": moving(var("i")),
    "<all> is of the sort CR; write one of C": moving(every("cr")),
    "<empty> is of the sort F; write one of C": moving(f"<empty>{sort('f')}</empty>"),
    "names 'vz', which is no declared variable": moving(var("z")),
    "names 'c9', which is no declared constant": moving(const("c9")),
    "<variable> has no refvariable": moving("<variable/>"),
    "has 2 parts; its place is of C": moving(PAIR),
    "has 1 part; its place is of CR": moving(tag("tuple", var("x")), "cr"),
    "<variable> is of the sort C; write one of R": moving(tag("tuple", var("x"), var("x")), "cr"),
    "<successor> is of (C, R), which is no cyclic enumeration": moving(
        tag("successor", PAIR), "cr"
    ),
    "<successor> is of F, which is no cyclic enumeration": moving(tag("successor", var("g")), "f"),
    "<predecessor> is of R, which is no cyclic enumeration": moving(
        tag("predecessor", var("i")), "r"
    ),
    "<successor> is of dot, which is no cyclic enumeration": moving(
        tag("successor", "<dotconstant/>"), "dot"
    ),
    "<successor> has 0 parts; give it 1": moving("<successor/>"),
    "<all> stands where one colour is needed": moving(tag("successor", every("c"))),
    "<subterm> holds 0 elements": moving("<add><subterm/></add>"),
    "<add> has 0 parts; give it at least 1": moving("<add/>"),
    "<subtract> has 0 parts; give it at least 1": moving("<subtract/>"),
    "<numberof> has 0 parts; give it 1 to 2": moving("<numberof/>"),
    "<variable> stands where a number of tokens is needed": moving(
        tag("numberof", var("x"), var("x"))
    ),
    "has value='many'; write a whole number": moving(times("many", var("x"))),
    "is -1; write a number that is not negative": moving(times(-1, var("x"))),
    "has a value of 4001 digits": moving(times(10**4000, var("x"))),
    "<equality> is no term that is supported": moving(EQUAL),
    "<cardinality> is no term that is supported": moving(tag("cardinality", var("x"))),
    "<addition> is no term that is supported": moving(tag("addition", var("i"), var("i")), "r"),
    "is not in 0..3": moving(integer(4, 0, 3), "r"),
    "<finiteintrangeconstant> is of the sort 0..3; write one of R": moving(integer(2, 0, 3), "r"),
    "<structure> holds 2 elements; it has to hold one": moving(var("x") + var("y")),
    "which the sum around it would hide": moving(tag("add", BELOW, var("y"))),
    "<variable> holds <subterm>": moving('<variable refvariable="vx"><subterm/></variable>'),
    "<useroperator> holds <subterm>": moving(tag("useroperator", var("x"), declaration="c0")),
    "stands for more than 1000000 tuples": document(
        place("p", "m", tag("tuple", *[tag("add", *["<dotconstant/>"] * 100)] * 10)),
        named("m", f"<productsort>{'<dot/>' * 10}</productsort>"),
    ),
    "<variable> has the variable 'x'": document(place("p", "c", var("x"))),
    "compares a colour of C with one of R": moving(
        var("x"), guard=tag("equality", var("x"), var("i"))
    ),
    "which have no order; compare their components": moving(
        var("x"), guard=tag("lessthan", *[PAIR] * 2)
    ),
    "<equality> has 1 part; give it 2": moving(var("x"), guard=tag("equality", var("x"))),
    "<not> has 2 parts; give it 1": moving(var("x"), guard=tag("not", EQUAL, EQUAL)),
    "<and> has 0 parts; give it at least 1": moving(var("x"), guard="<and/>"),
    "<variable> is no condition that is supported": moving(var("x"), guard=var("x")),
    "<contains> is no condition that is supported": moving(
        var("x"), guard=tag("contains", var("x"))
    ),
    "is 'maybe'; write true or false": moving(
        var("x"), guard=tag("booleanconstant", value="maybe")
    ),
    "<subtract> stands where one colour is needed": moving(
        var("x"), guard=tag("equality", BELOW, var("x"))
    ),
    "names C, which is no partition": moving(var("x"), guard=in_low("x", "c")),
    "Half takes C apart": moving(var("x"), guard=in_low("i", "half")),
}


@pytest.mark.parametrize("words", WRITTEN)
def test_a_label_is_refused(words: str) -> None:
    assert words in refused(WRITTEN[words])


def labelled(inside: str) -> str:
    return f'<place id="p">{label("type", sort("c"))}{inside}</place>'


def words(name: str, text: str) -> str:
    return f"<{name}><text>{text}</text></{name}>"


MOVED = place("p", "c") + '<transition id="t"/>'
NET = {
    "has no <type> with a structure": '<place id="p"/>',
    "place 'p' has several structures of <type>; keep one": labelled(label("type", sort("c"))),
    "<condition> is given in words alone": tag("transition", id="t").replace(
        "></", f">{words('condition', 'x = y')}</"
    ),
    "<hlinitialMarking> is given in words alone": labelled(words("hlinitialMarking", "1'a")),
    "arc 'pt' has no <hlinscription>; its place is of C": MOVED + arc("p", "t"),
    "is one of several between its nodes": MOVED
    + arc("p", "t", BELOW, "a")
    + arc("p", "t", var("y"), "b"),
    "say it in a <structure> of <hlinitialMarking>": labelled(words("initialMarking", "1")),
    "<inscription> in <arc> is not supported; say it in a <structure>": MOVED
    + '<arc id="a" source="p" target="t"><inscription/></arc>',
    "stands where only <declarations> may": label("declaration", enumeration("d", "d0")),
    "joins two places": place("p", "c") + place("q", "c") + arc("p", "q", var("x")),
    "is attached to 'z'": place("p", "c") + arc("p", "z", var("x")),
    "refers to itself in the end": '<referencePlace id="r" ref="r"/>',
    "is of type 'inhibitor'": place("p", "c")
    + '<transition id="t"/><arc id="a" source="p" target="t"><type value="inhibitor"/></arc>',
    "elements are nested more than 256 deep": place("p", "c", "<add>" * 300 + "</add>" * 300),
    "<all> is in namespace 'urn:o', not in that of its net": place(
        "p", "c", f'<o:all xmlns:o="urn:o">{sort("c")}</o:all>'
    ),
}


@pytest.mark.parametrize("words", NET)
def test_a_net_is_refused(words: str) -> None:
    assert words in refused(document(NET[words]))


def test_an_error_tells_the_line_of_the_element() -> None:
    text = moving(f"\n\n{tag('add', var('x'), const('f0'))}".replace("</subterm>", "</subterm>\n"))
    with pytest.raises(InputError) as caught:
        parsed(text)
    lines = text.split("\n")
    assert caught.value.line is not None
    assert const("f0") in lines[caught.value.line - 1]


@pytest.mark.parametrize("kind", ["stochasticnet", "timednet", "coloured", "urn:x"])
def test_other_types_of_nets_are_refused(kind: str) -> None:
    with pytest.raises(NetTypeError, match="not a place/transition net or a symmetric one"):
        parsed(document(place("p", "dot"), "", kind))
