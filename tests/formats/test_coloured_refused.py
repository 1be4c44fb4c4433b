"""What is no symmetric net, or none that is supported, is refused by its line."""

from __future__ import annotations

import pytest
from coloured_documents import (
    EQUAL,
    SORTS,
    VARIABLES,
    arc,
    const,
    document,
    every,
    integer,
    label,
    named,
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
from folders import ROOT

from petricheck.model.coloured.sorts import Enumeration
from petricheck.support.errors import InputError


def refused(text: str) -> str:
    with pytest.raises(InputError) as caught:
        parsed(text)
    assert caught.value.path == "file.pnml"
    assert caught.value.line is not None
    assert len(str(caught.value)) < 300
    return str(caught.value)


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
    "<dot> is no constant of an enumeration": enumeration("d", "d0").replace("<fe", "<dot/><fe"),
    "<feconstant> holds <dot>": enumeration("d", "d0").replace("/></c", "><dot/></feconstant></c"),
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
LONG = tag("equality", *[tag("tuple", *[var("m")] * 4)] * 2)
WRITTEN = {
    "<useroperator> is of the sort F; write one of C": moving(const("f0")),
    "<variable> is of the sort R; write one of C": moving(var("i")),
    "<all> is of the sort CR; write one of C": moving(every("cr")),
    "<empty> is of the sort F; write one of C": moving(f"<empty>{sort('f')}</empty>"),
    "names 'vz', which is no declared variable": moving(var("z")),
    "names 'c9', which is no declared constant": moving(const("c9")),
    "<variable> has no refvariable": moving("<variable/>"),
    "has 2 parts; its place is of C": moving(PAIR),
    "has 3 parts; its place is of CR": moving(tag("tuple", *map(var, "xix")), "cr"),
    "<variable> is of the sort C; write one of CR": moving(tag("tuple", var("x")), "cr"),
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
    "<tuple> has more than 4611686018427387904 colours": document(
        f'<transition id="t">{label("condition", LONG)}</transition>',
        named("m", span(1, 10**18)) + variable("m", "m"),
    ),
    "<imply> has 1 part; give it 2": moving(var("x"), guard=tag("imply", EQUAL)),
    "<imply> has 3 parts; give it 2": moving(var("x"), guard=tag("imply", *[EQUAL] * 3)),
    "<equality> has 3 parts; give it 2": moving(var("x"), guard=tag("equality", *[var("x")] * 3)),
    "<partitionelementof> has 2 parts": moving(
        tag("partitionelementof", var("x"), var("x"), refpartition="half"), "half"
    ),
    "<partitionelementof> is of the sort Half; write one of C": moving(
        tag("partitionelementof", var("x"), refpartition="half")
    ),
    "<variable> has the attribute inverted": moving(
        tag("add", var("x"), var("x").replace("/>", ' inverted="1"/>'))
    ),
    "<dot> holds <dot>": declaring(named("d", "<dot><dot/></dot>")),
    "<usersort> holds <dot>": moving(f"<all>{sort('c').replace('/', '><dot/></usersort')}</all>"),
    "<dotconstant> holds <subterm>": moving(tag("dotconstant", var("d")), "dot"),
    "<finiteintrange> holds <dot>": declaring(
        named("r", span(0, 1).replace("/>", "><dot/></finiteintrange>"))
    ),
    "<natural> holds <dot>": moving(
        times(1, var("x")).replace("<natural/>", "<natural><dot/></natural>")
    ),
    "<booleanconstant> holds <subterm>": moving(
        var("x"), guard=tag("booleanconstant", EQUAL, value="true")
    ),
    "<dot> is no sort of numbers": moving(times(1, var("x")).replace("natural", "dot")),
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
    "<gtp> compares colours of C, which is no partition": moving(
        var("x"), guard=tag("gtp", var("x"), var("y"))
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
XOR = '<toolspecific tool="WoPeD" version="1"><operator id="o" type="105"/></toolspecific>'
NET = {
    "has no <type> with a structure": '<place id="p"/>',
    "place 'p' has several <type>; keep one": labelled(label("type", sort("c"))),
    "place 'p' has several <hlinitialMarking>; keep one": labelled("<hlinitialMarking/>" * 2),
    "arc 'pt' has several <hlinscription>; keep one": MOVED
    + arc("p", "t", var("x")).replace("</arc>", "<hlinscription/></arc>"),
    "transition 't' has several <condition>; keep one": '<transition id="t"><condition/>'
    f"{label('condition', EQUAL)}</transition>",
    "place 'p' has several structures in <hlinitialMarking>; keep one": labelled(
        label("hlinitialMarking", const("c0") + "</structure><structure>" + const("c1"))
    ),
    "<condition> is given in words alone": tag("transition", id="t").replace(
        "></", f">{words('condition', 'x = y')}</"
    ),
    "<type> is given in words alone": "<place id='p'><type><text>C<!-- --> </text></type></place>",
    "<variable> is of the sort C; write one of F": MOVED
    + place("q", "f")
    + "".join(arc(p, "t", var("x")) for p in "pq"),
    "<hlinitialMarking> is given in words alone": labelled(words("hlinitialMarking", "1'a")),
    "arc 'pt' has no <hlinscription>; its place is of C": MOVED + arc("p", "t"),
    "is one of several between its nodes": MOVED
    + arc("p", "t", BELOW, "a")
    + arc("p", "t", var("y"), "b"),
    "is an XOR operator": MOVED.replace('"t"/>', f'"t">{XOR}</transition>')
    + place("q", "c")
    + arc("p", "t", var("x"))
    + arc("q", "t", var("x")),
    "arc 'pt' is of type 'inhibitor', but only normal, ": MOVED
    + arc("p", "t", var("x")).replace("</arc>", "<name><text>inhibitor</text></name></arc>"),
    "<toolspecific> of arc 'pt' says arctype='test'": MOVED
    + arc("p", "t", var("x")).replace(
        "</hl", '<toolspecific tool="x" version="1"><arctype>test</arctype></toolspecific></hl'
    ),
    "<type> stands in a <text>": MOVED
    + arc("p", "t", var("x")).replace(">said<", "><type value='test'/><"),
    "<text> has the attribute kind='test'": MOVED
    + arc("p", "t", var("x")).replace("<text>", "<text kind='test'>"),
    "say it in a <structure> of <hlinitialMarking>": labelled(words("initialMarking", "1")),
    "<inscription> in <arc> is not supported; say it in a <structure>": MOVED
    + '<arc id="a" source="p" target="t"><inscription/></arc>',
    "<type> in <transition> is not supported": '<transition id="t"><type><text>XOR</text></type>'
    "</transition>",
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


DOCUMENTED = (ROOT / "docs" / "formats.md").read_text("utf-8")
NEVER = [
    "cardinality",
    "cardinalityof",
    "contains",
    "multisetsort",
    "bool",
    "namedoperator",
    "arbitrarysort",
    "arbitraryoperator",
    "unparsed",
    "addition",
    "subtraction",
    "mult",
    "div",
    "mod",
    "lt",
    "leq",
    "gt",
    "geq",
]


@pytest.mark.parametrize("name", NEVER)
def test_an_element_that_is_documented_as_refused_is_refused_everywhere(name: str) -> None:
    assert f"`{name}`" in DOCUMENTED
    element = tag(name, var("x"), var("x"))
    for text in (
        declaring(SORTS + VARIABLES + f'<{name} id="o" name="o"/>'),
        declaring(named("o", f"<{name}/>")),
        moving(element),
        moving(var("x"), guard=element),
        moving(var("x"), guard=tag("equality", element, var("x"))),
        moving(tag("numberof", element, var("x"))),
    ):
        assert f"<{name}>" in refused(text)


@pytest.mark.parametrize("last", ["k1", "k3", "c2"])
def test_a_constant_that_stands_twice_is_told_by_its_line(last: str) -> None:
    ids = ["k0", "k1", "k2", "k3", last, "k4"]
    constants = "".join(f'\n<feconstant id="{id_}" name="{id_}"/>' for id_ in ids)
    text = declaring(SORTS + named("e", f"<finiteenumeration>{constants}</finiteenumeration>"))
    with pytest.raises(InputError, match=f"declares '{last}' a second time") as caught:
        parsed(text)
    assert caught.value.line is not None
    assert f'"{last}"' in text.split("\n")[caught.value.line - 1]


def test_an_error_tells_the_line_of_the_element() -> None:
    text = moving(f"\n\n{tag('add', var('x'), const('f0'))}".replace("</subterm>", "</subterm>\n"))
    with pytest.raises(InputError) as caught:
        parsed(text)
    lines = text.split("\n")
    assert caught.value.line is not None
    assert const("f0") in lines[caught.value.line - 1]


def test_sorts_of_one_name_are_different_sorts() -> None:
    two = "".join(
        enumeration(name, f"{name}0").replace(f'name="{name}', 'name="s') for name in "de"
    )
    net = read(place("p", "d") + place("q", "e"), two)
    assert [place.sort for place in net.places] == [
        Enumeration("d", ("s0",), cyclic=True), Enumeration("e", ("s0",), cyclic=True),
    ]  # fmt: skip
    assert "<all> is of the sort e; write one of d" in refused(
        document(place("p", "d", every("e")), two)
    )
