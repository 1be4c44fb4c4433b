"""Nets that only look like place/transition nets are refused, whatever their tools call it."""

from __future__ import annotations

import pytest
from pnml_documents import HOLDS, NORMAL, PLACES, arc, document, read, refusal, tool, within

from petricheck.formats.nets.pnml import Pnml
from petricheck.model.net import make_net
from petricheck.support.errors import InputError

# Arcs that are not ordinary


@pytest.mark.parametrize(
    "attribute",
    [
        'xsi:type="inhibitorArc"',
        'xsi:type="pnml:ReadArc"',
        'xsi:type=""',
        'o:type="reset"',
        'ArcType="inhibitor"',
        'arc-type="read"',
        'name="inhibitor"',
        'label="Reset Arc"',
    ],
)
def test_an_attribute_of_an_arc_that_speaks_of_another_kind_is_refused(attribute):
    assert NORMAL in refusal(arc(attributes=attribute))


@pytest.mark.parametrize("attribute", ['inhibitor="true"', 'o:reset="1"', 'xsi:nil="true"'])
def test_an_unknown_attribute_of_an_arc_is_refused(attribute):
    assert "may change the meaning" in refusal(arc(attributes=attribute))
    assert "may change the meaning" in refusal(arc(f"<name {attribute}/>"))


IN_AN_ARC = [
    tool("<inhibitor/>"),
    tool("<Inhibitor>true</Inhibitor>"),
    tool("<isInhibitor>1</isInhibitor>"),
    tool("<o:inhibitor-arc/>"),
    tool("<zero-test/>"),
    tool('<property name="arcType" value="unheard-of"/>'),
    tool('<property name="inhibitor" value="true"/>'),
    "<comment><text>inhibitor</text></comment>",
    tool("<type>inhibitor</type>"),
    tool("<type>\n inhibitor <graphics/></type>"),
    tool('<type value="reset"/>'),
    tool("<o:Kind>READ</o:Kind>"),
    tool('<a><b c="inhibitorArc"/></a>'),
    tool("<x>inhi<!-- -->bi<![CDATA[to]]>&#114;</x>"),
    tool("modifier"),
    tool(attributes='type="inhibitor"'),
    tool(attributes='o:type="unheard-of"'),
    tool(attributes='inhibitor="yes"'),
    f"<inscription>{tool('<inhibitor/>')}<text>1</text></inscription>",
    f"<name>{tool('modifier')}</name>",
    '<graphics type="inhibitor"/>',
    '<graphics><arrow kind="inhibitor"/></graphics>',
    "<description>inhibitor arc</description>",
]


@pytest.mark.parametrize("inside", IN_AN_ARC)
def test_a_special_arc_that_is_declared_within_is_refused(inside):
    assert NORMAL in refusal(arc(inside))


ELSEWHERE = [
    ('<inhibitorArc source="p" target="t"/>', NORMAL),
    ('<inhibitors><arc ref="a"/></inhibitors>', NORMAL),
    ('<arc id="a" type="inhibitor"/>', NORMAL),
    ('<arc ref="a" kind="reset"/>', NORMAL),
    ('<arc ref="a">test</arc>', NORMAL),
    ('<link source="p" target="t" mode="test"/>', NORMAL),
    ('<list arcs="a">read</list>', NORMAL),
    ('<edge style="Read Edge"/>', NORMAL),
    ('<reset arc="a"/>', NORMAL),
    ("<x>tapnInhibitorArc</x>", NORMAL),
    (f"<x>{' ' * 999}inhibitor{' ' * 999}</x>", NORMAL),
    ('<priorities><of transition="t" value="1"/></priorities>', HOLDS),
    ("<delay><interval><cn>4</cn></interval></delay>", HOLDS),
    ('<placeCapacity capacity="3"/>', HOLDS),
    ('<arc key="a">test</arc>', NORMAL),
    ('<property name="priority" value="3"/>', HOLDS),
    ('<property key="n" name="Capacity">3</property>', HOLDS),
    ("<o:Time>5</o:Time>", HOLDS),
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("inside", "words"), ELSEWHERE)
def test_what_a_tool_declares_anywhere_in_the_net_is_refused(inside, words, place):
    assert words in refusal(within(place, tool(inside)))


def test_what_a_tool_declares_outside_the_net_is_refused():
    text = f"<pnml>{tool('<inhibitorArc/>')}<net><place id='p'/></net></pnml>"
    with pytest.raises(InputError, match=NORMAL):
        Pnml().read((text.encode(),), "file.pnml")


def test_a_word_is_heard_wherever_the_file_is_cut_while_it_is_read():
    whole = document(tool("<x>inhibitor</x>"))
    start = whole.index("inhibitor")
    for cut in range(1, len("inhibitor")):
        filler = f"<!--{'x' * ((1 << 20) - start - cut - 7)}-->"
        text = whole.replace("<x>", f"{filler}<x>")
        assert text[: 1 << 20].endswith("inhibitor"[:cut])
        with pytest.raises(InputError, match=NORMAL):
            Pnml().read((text.encode(),), "file.pnml")


NAMES = [
    "<name><text>x</text></name><name><text>inhibitor</text></name>",
    "<name><text>x</text><text>inhibitor</text></name>",
    "<name>inhibitor<text>x</text></name>",
    "<name><text>x</text>inhibitor</name>",
]


@pytest.mark.parametrize("names", NAMES)
def test_an_element_has_one_name(names):
    node = f'<place id="q">{names}</place>'
    for inside in (arc(names), f"\n{node}", f"\n{node.replace('place', 'transition')}"):
        assert "several values of <name>; keep one" in refusal(inside)


def test_attributes_of_a_name_are_judged():
    assert "attribute kind='inhibitor'" in refusal(
        arc('<name><text kind="inhibitor">x</text></name>')
    )
    named = '<name priority="2"><text>x</text></name>'
    assert "attribute priority='2'" in refusal(within("transition", named))


# Elements that other kinds of nets have


@pytest.mark.parametrize(
    "name",
    ["capacity", "time", "delay", "interval", "colored", "guard", "subnet", "finalmarkings",
     "priority", "inhibitor", "invariant", "type"],
)  # fmt: skip
def test_an_element_of_another_kind_of_net_is_refused_in_any_case_and_namespace(name):
    known = {("finalmarkings", "net"), ("capacity", "place")}
    known |= {("priority", "transition"), ("type", "transition")}
    for spelled in (name, name.upper(), name.capitalize(), f"o:{name}"):
        element = f"<{spelled}><text>3</text></{spelled}>"
        for place in PLACES:
            if (spelled, place) not in known:
                refusal(within(place, element))
        refusal(arc(element))


# What is harmless


@pytest.mark.parametrize(
    "inside",
    [
        arc(tool('<line type="dashed" color="red"/>')),
        arc(tool('<inhibitor value="false"/><property key="type" value="normal"/>')),
        arc(
            tool(
                "<probability>1.0</probability><displayProbabilityOn>false</displayProbabilityOn>"
                '<displayProbabilityPosition x="500.0" y="0.0"/>'
            )
        ),
        arc('<graphics><line shape="curve" style="dash" width="2"/></graphics>'),
        arc(attributes='xml:space="preserve" name="from the reader"'),
        within("place", tool('<placeCapacity capacity="0"/><visible>true</visible>')),
        within("place", tool('<tokengraphics><tokenposition x="-9" y="2"/></tokengraphics>')),
        within("place", tool('<hierarchy><node name="test"/></hierarchy>')),
        within("place", tool('<property name="capacity" value="0"/>')),
        within("transition", tool("<time>0</time><timeUnit>1</timeUnit>")),
        within("transition", tool('<trigger id="" type="200"/>')),
        within("transition", tool(attributes='activity="read"')),
        '<place id="inhibitor"><name><text>reset arc</text></name></place>'
        '<transition id="test"/><arc id="read" source="inhibitor" target="test"/>',
        '<toolspecific tool="nupn" version="1.1"><structure units="1" root="test" safe="true">'
        '<unit id="test"><places>inhibitor</places><subunits/></unit></structure></toolspecific>',
    ],
)
def test_drawings_units_and_what_tools_always_write_are_read(inside):
    assert read(inside)[0].name == "n"


# What might matter, but not to any arc, is told once


def test_unknown_attributes_around_a_net_are_told_once_each_with_line_and_count():
    pages = '<page id="g" xsi:nil="true"/>\n' * 3
    text = document(pages, 'schema="1"').replace("<net ", '<net xsi:type="y" ')
    found, warnings = Pnml().read((text.encode(),), "file.pnml")
    assert found == make_net("n", {}, {})
    assert warnings == (
        "ignored the attribute schema of <pnml> (line 1)",
        "ignored the attribute type of <net> (line 2)",
        "ignored the attribute nil of <page> (line 3, 3 times)",
    )


def test_a_flood_of_unknown_attributes_is_told_in_few_lines():
    attributes = " ".join(f'a{n}=""' for n in range(1000))
    warnings = Pnml().read((document("", attributes).encode(),), "file.pnml")[1]
    assert len(warnings) == 21
    assert warnings[-1] == "ignored further attributes (line 1, 980 times)"


def test_a_net_whose_type_is_given_twice_is_refused_where_one_is_special():
    text = document("").replace("<net ", '<net xsi:type="InhibitorArcs" ')
    with pytest.raises(InputError, match="attribute type='InhibitorArcs'"):
        Pnml().read((text.encode(),), "file.pnml")
