"""Each word that the readers know, by itself: what it refuses, and what it leaves alone."""

from __future__ import annotations

import pytest
from test_disguises import (
    HOLDS,
    NORMAL,
    PARTS,
    XSI,
    arc,
    document,
    read,
    refusal,
    tool,
    within,
)

from petricheck.errors import InputError
from petricheck.formats.lola import Lola
from petricheck.formats.pnml import Pnml
from petricheck.formats.tina import Tina
from petricheck.problem import make_net

# PNML: hints

RESTRAINTS = ("priority", "priorities", "capacity", "placeCapacity", "guard", "delay", "interval",
              "eft", "lft", "urgent", "timed", "time", "timing")  # fmt: skip


@pytest.mark.parametrize("word", RESTRAINTS)
def test_each_word_for_what_holds_back_is_refused_alone(word: str) -> None:
    assert HOLDS in refusal(within("transition", tool(f"<{word}>3</{word}>")))
    assert HOLDS in refusal(within("transition", tool(f'<of id="t" {word}="3"/>')))
    assert HOLDS in refusal(within("place", tool(f'<{word}><a b="3"/></{word}>')))


@pytest.mark.parametrize("word", ["type", "kind", "arctype", "arckind", "edgetype", "typeofarc"])
def test_each_word_for_a_kind_is_refused_of_an_arc_alone(word: str) -> None:
    assert NORMAL in refusal(arc(tool(f"<{word}>unheard-of</{word}>")))
    assert NORMAL in refusal(arc(attributes=f'{word}="unheard-of"'))
    assert NORMAL in refusal(within("place", tool(f'<a {word}="purge"/>')))


SPECIAL = ("reset", "read", "test", "flush", "transfer")
RARE = ("transport", "purge", "catalyst", "activator", "modifier", "equal", "contextual",
        "stopwatch", "opaque", "coarse")  # fmt: skip


@pytest.mark.parametrize("word", [*SPECIAL, *RARE, "inhibitor", "zerotest", "testing", "inhibit"])
def test_each_word_for_a_special_arc_is_refused_of_an_arc(word: str) -> None:
    assert NORMAL in refusal(arc(tool(f"<x>{word}</x>")))
    assert NORMAL in refusal(arc(f"<name><text>{word} arc</text></name>"))
    assert NORMAL in refusal(arc(attributes=f'name="{word}"'))


@pytest.mark.parametrize("word", [*SPECIAL, "inhibitor"])
@pytest.mark.parametrize("form", ["{}", "is{}", "has{}", "{}s", "{}Arc", "{}-arcs", "{}Edge"])
def test_each_element_that_is_called_like_a_special_arc_is_refused(word: str, form: str) -> None:
    assert NORMAL in refusal(within("net", tool(f"<{form.format(word)}/>")))


@pytest.mark.parametrize(
    "value", ["false", "no", "none", "off", "0", "normal", "ordinary", "regular", "standard"]
)
def test_what_is_denied_is_not_there(value: str) -> None:
    assert read(arc(tool(f"<inhibitor>{value}</inhibitor>")))
    assert read(arc(tool(f'<a reset="{value}"/>')))
    assert read(within("transition", tool(f"<delay>{value}</delay>")))


@pytest.mark.parametrize("value", ["normal", "ordinary", "regular", "standard"])
def test_a_normal_arc_may_be_called_so_by_a_tool(value: str) -> None:
    assert read(arc(tool(f"<type>{value}</type>")))


@pytest.mark.parametrize("value", ["", "0.0", "-1", "inf", "Infinity", "infinite", "unlimited"])
def test_a_restraint_that_says_nothing_is_none(value: str) -> None:
    assert read(within("place", tool(f'<a capacity="{value}"/>')))
    assert read(within("transition", tool(f"<lft>{value}</lft>")))


@pytest.mark.parametrize("value", ["1", "00", "0.01", "-2", "true", "[0,inf)"])
def test_a_restraint_that_says_anything_else_is_one(value: str) -> None:
    assert HOLDS in refusal(within("transition", tool(f'<a eft="{value}"/>')))


def test_a_text_that_is_too_long_for_a_kind_is_prose() -> None:
    assert NORMAL in refusal(arc(tool(f"<x>inhibitor{'.' * 55}</x>")))
    assert read(arc(tool(f"<x>inhibitor{'.' * 56}</x>")))
    assert NORMAL in refusal(within("place", tool(f"<x>inhibitor{'.' * 55}</x>")))
    assert read(within("place", tool(f"<x>inhibitor{'.' * 56}</x>")))
    assert read(arc(tool(f"<x>{'.' * 56}<!-- -->inhibitor</x>")))


@pytest.mark.parametrize("name", ["places", "subunits"])
def test_lists_of_ids_in_units_say_nothing(name: str) -> None:
    assert read(within("net", tool(f"<unit><{name}>inhibitorArc</{name}></unit>")))


@pytest.mark.parametrize("key", ["id", "idref", "ref", "source", "target", "x", "y", "width"])
def test_ids_and_positions_may_be_any_word(key: str) -> None:
    assert read(within("net", tool(f'<a {key}="inhibitorArc"/>')))


@pytest.mark.parametrize(
    "name",
    ["graphics", "line", "position", "dimension", "offset", "fill", "font", "point"],
)
def test_a_drawing_has_types_of_its_own(name: str) -> None:
    assert read(arc(tool(f'<{name} type="dashed"/>')))
    assert NORMAL in refusal(arc(tool(f'<{name} type="inhibitor"/>')))


def test_what_is_passed_over_ends_where_it_ends() -> None:
    other = (
        '<net id="m">a text<place id="q"><toolspecific><inhibitor/></toolspecific></place></net>'
    )
    text = document(f"{PARTS}{tool('<a/>')}").replace("</pnml>", f"{other}</pnml>")
    assert Pnml().read((text.encode(),), "n.pnml", "n")[0].places == ("p",)


def test_what_tools_say_is_told_in_whatever_namespace() -> None:
    nupn = '<toolspecific tool="nupn"><structure safe="true"/></toolspecific>'
    text = document(f"{PARTS}{nupn}").replace("<pnml ", '<pnml xmlns="urn:any" ')
    told = "; ".join(Pnml().read((text.encode(),), "n.pnml")[1])
    assert "'nupn'" in told
    assert "the net is safe" in told
    hidden = text.replace("<structure", "<inhibitor/><structure")
    with pytest.raises(InputError, match=NORMAL):
        Pnml().read((hidden.encode(),), "n.pnml")


# PNML: elements and attributes


@pytest.mark.parametrize("label", ["initialMarking", "name"])
def test_the_default_may_be_written(label: str) -> None:
    inside = f"<{label}><text>0</text></{label}>"
    text = f'<place id="p">{inside}</place><transition id="t"/>'
    one = "<inscription><text>1</text></inscription>"
    net, _ = read(f'{text}<arc source="p" target="t">{one}</arc>')
    assert (net.initial, net.transitions[0].pre) == ((0,), ((0, 1),))


def test_attributes_of_texts_are_read_in_names_alone() -> None:
    assert read('<place id="p"><name><text lang="en">P</text></name></place>')[0].labels == ("P",)
    for label in ("initialMarking", "capacity"):
        inside = f'<place id="q">\n<{label}><text weight="0">0</text></{label}></place>'
        assert "attribute weight" in refusal(inside)
    assert "attribute weight" in refusal(
        arc('<inscription><text weight="2">1</text></inscription>')
    )


@pytest.mark.parametrize("key", ["value", "text", "weight", "o:kind"])
@pytest.mark.parametrize(
    ("node", "label"),
    [
        ("place", "initialMarking"),
        ("place", "capacity"),
        *(("transition", label) for label in ("timed", "priority", "rate")),
        *(("arc", label) for label in ("inscription", "tagged")),
    ],
)
def test_no_label_says_anything_in_attributes(node: str, label: str, key: str) -> None:
    inside = f'<{label} {key}="0"/>'
    within_node = arc(inside) if node == "arc" else f'{PARTS}\n<{node} id="x">{inside}</{node}>'
    assert f"<{label}> has the attribute {key.removeprefix('o:')}" in refusal(within_node)


def test_names_may_have_attributes_but_those_of_arcs() -> None:
    assert read('<place id="p"><name lang="en"><text>P</text></name></place>')[0].labels == ("P",)
    assert "attribute lang" in refusal(arc('<name lang="en"><text>x</text></name>'))


@pytest.mark.parametrize("attribute", ['timed="true"', 'capacity="3"', 'schema="1"', 'o:kind="k"'])
def test_unknown_attributes_of_nets_and_pages_are_refused(attribute: str) -> None:
    shown = attribute.removeprefix("o:").partition("=")[0]
    assert f"attribute {shown}" in refusal(f'{PARTS}\n<page id="g" {attribute}/>')
    text = document(PARTS).replace("<net ", f"<net {attribute} ")
    with pytest.raises(InputError, match=f"attribute {shown}"):
        Pnml().read((text.encode(),), "n.pnml")


def test_a_name_may_lack_its_text_element_and_nothing_may_follow_it() -> None:
    assert read('<place id="p"><name> P </name></place>')[0].labels == ("P",)
    assert "stands outside" in refusal('<place id="p"><name/>\nstray</place>')


@pytest.mark.parametrize(
    ("node", "label"),
    [
        ("place", "initialMarking"),
        ("place", "capacity"),
        *(("transition", label) for label in ("timed", "priority", "rate")),
        *(("arc", label) for label in ("inscription", "type", "arctype", "tagged")),
    ],
)
def test_every_other_label_needs_its_text_element(node: str, label: str) -> None:
    for said in ("true", "0", "normal"):
        inside = f"<{label}>{said}</{label}>"
        if node == "arc":
            assert "stands outside" in refusal(arc(inside))
        else:
            assert "stands outside" in refusal(f'{PARTS}\n<{node} id="x">{inside}</{node}>')


@pytest.mark.parametrize(
    "attribute",
    [f'xml:{name}="x"' for name in ("base", "id", "lang", "space")]
    + [f'xsi:{name}="x"' for name in ("schemaLocation", "noNamespaceSchemaLocation")],
)
def test_attributes_of_xml_itself_may_stand_anywhere(attribute: str) -> None:
    net, warnings = read(f'<place id="p" {attribute}/><transition id="t"/>')
    assert (net.places, warnings) == (("p",), ())


@pytest.mark.parametrize("name", ["name", "label", "x", "y"])
def test_decoration_may_stand_at_every_node(name: str) -> None:
    inside = f'<page id="g" {name}="1"><place id="p" {name}="1"/><transition id="t" {name}="1"/>'
    net, warnings = read(f'{inside}<arc source="p" target="t" {name}="1"/></page>')
    assert (net, warnings) == (make_net("n", {"p": 0}, {"t": ({"p": 1}, {})}), ())


@pytest.mark.parametrize("place", ["pnml", "net"])
def test_the_document_and_the_net_have_names(place: str) -> None:
    text = document(PARTS, f'xmlns:y="{XSI}"')
    named = text.replace("<net ", "<name><text>f</text></name><net ") if place == "pnml" else (
        text.replace(PARTS, f"<name><text>f</text></name>{PARTS}")
    )  # fmt: skip
    assert Pnml().read((named.encode(),), "n.pnml")[0].name == "n"


# Time in Tina's nets: one bound alone is time


@pytest.mark.parametrize("interval", ["[0,w[", "[]", "[0, w[", "[ 0,w ["])
def test_an_interval_without_bounds_is_no_time(interval: str) -> None:
    assert len(Tina().read((f"tr t {interval} p -> q".encode(),), "n.net")[0].transitions) == 1


@pytest.mark.parametrize(
    "interval",
    ["[1,w[", "]0,w[", "]1,w[", "[0,0]", "[0,5]", "[0,5[", "[3,3]", "[1,2]", "[00,w[", "[10,w["],
)
def test_an_interval_with_one_bound_is_time(interval: str) -> None:
    with pytest.raises(InputError, match="no time"):
        Tina().read((f"tr t {interval} p -> q".encode(),), "n.net")


INTERVAL = '<delay><interval closure="{}"><cn>{}</cn>{}</interval></delay>'


@pytest.mark.parametrize(
    ("closure", "lower", "upper"),
    [("closed-open", "4", "<ci>infty</ci>"), ("closed", "0", "<cn>5</cn>"),
     ("open", "0", "<ci>infty</ci>"), ("closed", "0", "")],
)  # fmt: skip
def test_a_delay_with_one_bound_is_refused(closure: str, lower: str, upper: str) -> None:
    delay = INTERVAL.format(closure, lower, upper)
    assert "timed nets" in refusal(f'<transition id="u">\n{delay}</transition>')
    assert HOLDS in refusal(f'<transition id="u">\n{tool(delay)}</transition>')


# LoLA's nets


@pytest.mark.parametrize(
    "word", ["SORT", "FUNCTION", "VAR", "GUARD", "CONSTANT", "RECORD", "ARRAY"]
)
def test_each_word_of_high_level_nets_is_refused_as_one(word: str) -> None:
    for text in (f"{word} x;", f"PLACE p; MARKING ; TRANSITION t {word} x; CONSUME ; PRODUCE ;"):
        with pytest.raises(InputError, match="high-level net"):
            Lola().read((text.encode(),), "n.lola")
