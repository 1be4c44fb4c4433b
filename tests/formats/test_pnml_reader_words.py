"""Each word that the readers know, by itself: what it refuses, and what it leaves alone."""

from __future__ import annotations

import pytest
from pnml_documents import HOLDS, NORMAL, PARTS, XSI, arc, document, read, refusal, tool, within

from petricheck.formats.nets.lola import Lola
from petricheck.formats.nets.pnml import Pnml
from petricheck.formats.nets.tina import Tina
from petricheck.model.net import make_net
from petricheck.support.errors import InputError

RESTRAINTS = ("priority", "priorities", "capacity", "placeCapacity", "guard", "delay", "interval",
              "eft", "lft", "urgent", "timed", "time", "timing")  # fmt: skip
KINDS = ("type", "kind", "arctype", "arckind", "edgetype", "typeofarc")
SPECIAL = ("reset", "read", "test", "flush", "transfer")
RARE = ("transport", "purge", "catalyst", "activator", "modifier", "equal", "contextual",
        "stopwatch", "opaque", "coarse")  # fmt: skip
FORMS = ("{}", "is{}", "has{}", "{}s", "{}Arc", "{}-arcs", "{}Edge")
ORDINARY = ("normal", "ordinary", "regular", "standard")
INTERVAL = '<delay><interval closure="{}"><cn>{}</cn>{}</interval></delay>'
DELAYS = (
    INTERVAL.format("closed-open", "4", "<ci>infty</ci>"),
    INTERVAL.format("closed", "0", "<cn>5</cn>"),
    INTERVAL.format("open", "0", "<ci>infty</ci>"),
    INTERVAL.format("closed", "0", ""),
)
LABELS = (
    ("place", "initialMarking"),
    ("place", "capacity"),
    *(("transition", label) for label in ("timed", "priority", "rate")),
    *(("arc", label) for label in ("inscription", "tagged")),
)


def of(node: str, inside: str) -> str:
    return arc(inside) if node == "arc" else f'{PARTS}\n<{node} id="x">{inside}</{node}>'


REFUSED = (
    # What holds back
    *((within("transition", tool(f"<{word}>3</{word}>")), HOLDS) for word in RESTRAINTS[1:]),
    *((within("transition", tool(f"<a><{word}>3</{word}></a>")), HOLDS) for word in RESTRAINTS),
    *((within("transition", tool(f'<of id="t" {word}="3"/>')), HOLDS) for word in RESTRAINTS),
    *((within("place", tool(f'<{word}><a b="3"/></{word}>')), HOLDS) for word in RESTRAINTS),
    *((within("transition", tool(f'<a eft="{value}"/>')), HOLDS)
      for value in ("1", "00", "0.01", "-2", "true", "[0,inf)")),
    *((f'<transition id="u">\n{delay}</transition>', "timed nets") for delay in DELAYS),
    *((within("transition", tool(delay)), HOLDS) for delay in DELAYS),
    # Kinds of arcs
    *((arc(tool(f"<{word}>unheard-of</{word}>")), NORMAL) for word in KINDS),
    *((arc(attributes=f'{word}="unheard-of"'), NORMAL) for word in KINDS),
    *((within("place", tool(f'<a {word}="purge"/>')), NORMAL) for word in KINDS),
    *((shown, NORMAL)
      for word in (*SPECIAL, *RARE, "inhibitor", "zerotest", "testing", "inhibit")
      for shown in (arc(tool(f"<x>{word}</x>")), arc(attributes=f'name="{word}"'),
                    arc(f"<name><text>{word} arc</text></name>"))),
    *((within("net", tool(f"<{form.format(word)}/>")), NORMAL)
      for word in (*SPECIAL, "inhibitor") for form in FORMS),
    *((arc(tool(f'<{name} type="inhibitor"/>')), NORMAL)
      for name in ("graphics", "line", "position", "dimension", "offset", "fill", "font", "point")),
    # Texts of up to 64 letters
    (arc(tool(f"<x>inhibitor{'.' * 55}</x>")), NORMAL),
    (within("place", tool(f"<x>inhibitor{'.' * 55}</x>")), NORMAL),
    # Labels
    *((of(node, f'<{label} {key}="0"/>'), f"<{label}> has the attribute {key.removeprefix('o:')}")
      for node, label in LABELS for key in ("value", "text", "weight", "o:kind")),
    *((of(node, f"<{label}>{said}</{label}>"), "stands outside")
      for node, label in (*LABELS, ("arc", "type"), ("arc", "arctype"))
      for said in ("true", "0", "normal")),
    *((of(node, f'<{label}><text weight="0">0</text></{label}>'), "attribute weight")
      for node, label in LABELS),
    (arc('<name lang="en"><text>x</text></name>'), "attribute lang"),
    ('<place id="p"><name/>\nstray</place>', "stands outside"),
    *((f'{PARTS}\n<page id="g" {key}="3"/>', f"attribute {key.removeprefix('o:')}")
      for key in ("timed", "capacity", "schema", "o:kind")),
)  # fmt: skip


@pytest.mark.parametrize(("inside", "words"), REFUSED)
def test_each_word_is_refused_alone(inside: str, words: str) -> None:
    assert words in refusal(inside)


READ = (
    *(shown
      for value in ("false", "no", "none", "off", "0", *ORDINARY)
      for shown in (arc(tool(f"<inhibitor>{value}</inhibitor><a reset='{value}'/>")),
                    within("transition", tool(f"<delay>{value}</delay>")))),
    *(arc(tool(f"<type>{value}</type>")) for value in ORDINARY),
    *(shown
      for value in ("", "0.0", "-1", "inf", "Infinity", "infinite", "unlimited")
      for shown in (within("place", tool(f'<a capacity="{value}"/>')),
                    within("transition", tool(f"<lft>{value}</lft>")))),
    arc(tool(f"<x>inhibitor{'.' * 56}</x>")),
    within("place", tool(f"<x>inhibitor{'.' * 56}</x>")),
    arc(tool(f"<x>{'.' * 56}<!-- -->inhibitor</x>")),
    *(within("net", tool(f"<unit><{name}>inhibitorArc</{name}></unit>"))
      for name in ("places", "subunits")),
    *(within("net", tool(f'<a {key}="inhibitorArc"/>'))
      for key in ("id", "idref", "ref", "source", "target", "x", "y", "width")),
    *(arc(tool(f'<{name} type="dashed"/>'))
      for name in ("graphics", "line", "position", "dimension", "offset", "fill", "font", "point")),
)  # fmt: skip


@pytest.mark.parametrize("inside", READ)
def test_what_says_nothing_is_read(inside: str) -> None:
    assert read(inside)[0].name == "n"


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
    assert "'nupn'" in told and "the net is safe" in told
    hidden = text.replace("<structure", "<inhibitor/><structure")
    with pytest.raises(InputError, match=NORMAL):
        Pnml().read((hidden.encode(),), "n.pnml")


@pytest.mark.parametrize(
    "name",
    ["<name><text>P</text></name>", '<name><text lang="en">P</text></name>', "<name> P </name>",
     '<name lang="en"><text>P</text></name>'],
)  # fmt: skip
def test_names_may_lack_their_text_element_and_have_attributes(name: str) -> None:
    zero = "<initialMarking><text>0</text></initialMarking>"
    assert read(f'<place id="p">{name}{zero}</place>')[0].labels == ("P",)


@pytest.mark.parametrize(
    "attribute",
    [f'xml:{name}="x"' for name in ("base", "id", "lang", "space")]
    + [f'xsi:{name}="x"' for name in ("schemaLocation", "noNamespaceSchemaLocation")]
    + [f'{name}="1"' for name in ("name", "label", "x", "y")],
)
def test_decoration_and_attributes_of_xml_itself_may_stand_at_every_node(attribute: str) -> None:
    inside = f'<page id="g" {attribute}><place id="p" {attribute}/><transition id="t" {attribute}/>'
    one = "<inscription><text>1</text></inscription>"
    net, warnings = read(f'{inside}<arc source="p" target="t" {attribute}>{one}</arc></page>')
    assert (net, warnings) == (make_net("n", {"p": 0}, {"t": ({"p": 1}, {})}), ())


@pytest.mark.parametrize("place", ["<net ", PARTS])
def test_the_document_and_the_net_have_names(place: str) -> None:
    text = document(PARTS, f'xmlns:y="{XSI}"')
    named = text.replace(place, f"<name><text>f</text></name>{place}")
    assert Pnml().read((named.encode(),), "n.pnml")[0].name == "n"


@pytest.mark.parametrize("key", ["timed", "capacity", "schema", "o:kind"])
def test_unknown_attributes_of_nets_are_refused(key: str) -> None:
    text = document(PARTS).replace("<net ", f'<net {key}="3" ')
    with pytest.raises(InputError, match=f"attribute {key.removeprefix('o:')}"):
        Pnml().read((text.encode(),), "n.pnml")


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


@pytest.mark.parametrize(
    "word", ["SORT", "FUNCTION", "VAR", "GUARD", "CONSTANT", "RECORD", "ARRAY"]
)
def test_each_word_of_high_level_nets_is_refused_as_one(word: str) -> None:
    for text in (f"{word} x;", f"PLACE p; MARKING ; TRANSITION t {word} x; CONSUME ; PRODUCE ;"):
        with pytest.raises(InputError, match="high-level net"):
            Lola().read((text.encode(),), "n.lola")
