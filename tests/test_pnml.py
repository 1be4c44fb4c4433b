import hashlib
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import nets

from petricheck import formats
from petricheck.errors import InputError
from petricheck.formats import read_net, write_net
from petricheck.formats.pnml import Pnml
from petricheck.problem import Net, Transition, make_net

SHARED = Path(__file__).parents[2] / "shared" / "nets"
PTNET = "http://www.pnml.org/version-2009/grammar/ptnet"
PARTS = '<place id="p"/><transition id="t"/>'


def read(text: str | bytes, net_id: str | None = None) -> tuple[Net, tuple[str, ...]]:
    data = text.encode() if isinstance(text, str) else text
    return Pnml().read((data,), "file.pnml", net_id)


def document(inside: str, kind: str = PTNET) -> str:
    return f'<pnml>\n<net id="n" type="{kind}">\n{inside}\n</net>\n</pnml>\n'


def net(inside: str) -> Net:
    return read(document(inside))[0]


def warnings(inside: str) -> tuple[str, ...]:
    return read(document(inside))[1]


def refusal(text: str | bytes, net_id: str | None = None) -> InputError:
    with pytest.raises(InputError) as caught:
        read(text, net_id)
    assert caught.value.path == "file.pnml"
    return caught.value


def arc(inside: str = "", attributes: str = "") -> str:
    return f'{PARTS}\n<arc id="a" source="p" target="t" {attributes}>{inside}</arc>'


# What real files contain is read.


def test_every_shared_net_is_read_with_the_size_its_index_tells() -> None:
    if not SHARED.is_dir():
        pytest.skip("the shared nets are not here")
    files = sorted(SHARED.glob("**/*.pnml"))
    assert files
    for file in files:
        found = read_net(file)
        told = json.loads(file.with_suffix(".json").read_text())
        assert len(found.net.places) == told["places"], file
        assert len(found.net.transitions) == told["transitions"], file
        assert {place for place, _, _ in told["target"] or ()} <= set(found.net.places), file
        assert found.warnings == (), file


def test_a_net_is_read_as_written() -> None:
    read_back = net(
        """<place id="p"><name><text> Buffer </text></name>
        <initialMarking><text> 3 </text></initialMarking></place>
        <place id="q"/>
        <transition id="t"><name><text>go</text></name></transition>
        <arc id="a" source="p" target="t"><inscription><text>2</text></inscription></arc>
        <arc id="b" source="t" target="q"/>"""
    )
    transition = Transition("t", ((0, 2),), ((1, 1),))
    assert read_back == Net("n", ("p", "q"), (transition,), (3, 0), ("Buffer", ""))


@pytest.mark.parametrize(
    "opening",
    [
        f'<pnml><net id="n" type="{PTNET}">',
        f'<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="{PTNET}">',
        '<pnml xmlns="pnml.woped.org"><net id="n" type="P/T net">',
        f'<pnml><net xmlns="urn:any" id="n" type="{PTNET}">',
        '<pnml xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="x">'
        '<net id="n" xsi:type="y" type="http://www.informatik.hu-berlin.de/top/pntd/ptNetb">',
    ],
)
def test_any_namespace_or_none_will_do(opening: str) -> None:
    assert read(f"{opening}{arc()}</net></pnml>")[0] == make_net(
        "n", {"p": 0}, {"t": ({"p": 1}, {})}
    )


def test_prefixed_elements_are_read() -> None:
    text = '<x:pnml xmlns:x="urn:x"><x:net id="n"><x:place id="p"/></x:net></x:pnml>'
    assert read(text)[0].places == ("p",)


def test_an_arc_may_stand_before_its_ends_and_cross_nested_pages() -> None:
    read_back = net(
        """<page id="n"><arc id="a" source="t" target="p"/>
        <page id="2"><place id="p"/></page></page>
        <page id="3"><name><text>last</text></name><transition id="t"/></page>"""
    )
    assert read_back == make_net("n", {"p": 0}, {"t": ({}, {"p": 1})})


def test_parallel_arcs_are_summed_and_told() -> None:
    twice = arc("<inscription><text>2</text></inscription>") + '<arc source="p" target="t"/>'
    assert net(twice).transitions == (Transition("t", ((0, 3),), ()),)
    assert warnings(twice) == ("summed parallel arcs: 1",)


def test_arcs_there_and_back_stay_two() -> None:
    loop = arc() + '<arc source="t" target="p"/>'
    assert net(loop).transitions == (Transition("t", ((0, 1),), ((0, 1),)),)
    assert warnings(loop) == ()


def test_references_stand_for_what_they_refer_to_in_the_end() -> None:
    inside = f"""<page id="1"><referencePlace id="r" ref="s"/><referencePlace id="s" ref="p"/>
        <referenceTransition id="u" ref="t"/><arc id="a" source="r" target="u"/></page>
        <page id="2">{PARTS}<arc id="b" source="p" target="t"/></page>"""
    assert net(inside) == make_net("n", {"p": 0}, {"t": ({"p": 2}, {})})
    assert warnings(inside) == ("resolved reference nodes: 3", "summed parallel arcs: 1")


def test_a_long_chain_of_references_is_resolved() -> None:
    chain = "".join(f'<referencePlace id="r{n}" ref="r{n + 1}"/>' for n in range(5000))
    inside = f'{chain}<referencePlace id="r5000" ref="p"/>{PARTS}<arc source="r0" target="t"/>'
    assert net(inside) == make_net("n", {"p": 0}, {"t": ({"p": 1}, {})})


def test_ids_that_are_no_xml_names_are_kept() -> None:
    inside = """<place id="1 &lt;a&gt; &amp; ü €"/><transition id="-"/>
        <arc source="-" target="1 &lt;a&gt; &amp; ü €"/>"""
    assert net(inside) == make_net("n", {"1 <a> & ü €": 0}, {"-": ({}, {"1 <a> & ü €": 1})})


def test_numbers_beyond_64_bits_are_exact() -> None:
    huge = 10**3999 + 1
    inside = f"""<place id="p"><initialMarking><text>{huge}</text></initialMarking></place>
        <transition id="t"/><arc source="p" target="t">
        <inscription><text>{2**64 + 1}</text></inscription></arc>"""
    assert net(inside) == make_net("n", {"p": huge}, {"t": ({"p": 2**64 + 1}, {})})


def test_labels_without_text_mean_the_defaults() -> None:
    inside = """<place id="p"><initialMarking/><name/></place><transition id="t"/>
        <arc id="a" source="p" target="t"><inscription><graphics/></inscription></arc>"""
    assert net(inside) == make_net("n", {"p": 0}, {"t": ({"p": 1}, {})})


def test_what_is_specific_to_a_tool_is_skipped_whole_and_told() -> None:
    inside = """<toolspecific tool="x"><place id="p"/><arc source="a" target="b"/>text
        </toolspecific><place id="p"><graphics><position x="1"/></graphics><toolspecific/>
        </place>"""
    assert net(inside) == make_net("n", {"p": 0}, {})
    assert warnings(inside) == ("ignored what is specific to 'x', an unnamed tool",)


def test_the_claim_that_a_net_is_safe_is_told_and_not_used() -> None:
    inside = """<place id="p"><initialMarking><text>5</text></initialMarking></place>
        <toolspecific tool="nupn" version="1.1"><size places="1"/>
        <structure units="1" root="u" safe="true"><unit id="u"/></structure></toolspecific>"""
    assert net(inside).initial == (5,)
    ignored = "ignored what is specific to 'nupn'"
    assert warnings(inside) == (f"{ignored}, also the claim that the net is safe",)
    assert warnings(inside.replace("true", "false")) == (ignored,)


def test_the_dialect_of_pipe_is_read() -> None:
    inside = """<token id="Default" enabled="true" red="0" green="0" blue="0"/>
        <labels x="1" y="2" border="true"><text>note</text></labels>
        <place id="p"><graphics/><name><value>P</value></name>
        <initialMarking><value>Default,4</value><graphics/></initialMarking>
        <capacity><value>0</value></capacity></place>
        <transition id="t"><orientation><value>0</value></orientation>
        <rate><value>1.0</value></rate><timed><value>false</value></timed>
        <infiniteServer><value>false</value></infiniteServer>
        <priority><value>1</value></priority></transition>
        <arc id="a" source="p" target="t"><graphics/>
        <inscription><value>Default,2</value></inscription>
        <tagged><value>false</value></tagged><arcpath id="000" x="1" y="2" curvePoint="false"/>
        <type value="normal"/></arc>"""
    found, told = read(document(inside, kind="P/T net"))
    assert found == Net("n", ("p",), (Transition("t", ((0, 2),), ()),), (4,), ("P",))
    assert told == ("capacity 0 is read as no limit",)


def test_the_dialect_of_prom_is_read() -> None:
    inside = arc("<name><text>1</text></name><arctype><text>normal</text></arctype>")
    final = (
        '<finalmarkings><marking><place idref="p"><text>1</text></place></marking></finalmarkings>'
    )
    core = "http://www.pnml.org/version-2009/grammar/pnmlcoremodel"
    found, told = read(document(inside + final, kind=core))
    assert found.transitions == (Transition("t", ((0, 1),), ()),)
    assert told == ("final markings are ignored",)


def test_a_net_without_id_or_type_is_read_and_told() -> None:
    found, told = read(f"<pnml><net>{PARTS}</net></pnml>")
    assert found == make_net("", {"p": 0}, {"t": ({}, {})})
    assert told == (
        "the net has no id",
        "the net declares no type; it is read as a place/transition net",
    )


def test_the_net_that_is_named_is_read_whatever_the_others_are() -> None:
    text = f"""<pnml><net id="a" type="symmetricnet"><declaration/></net>
        <net id="b" type="{PTNET}">{PARTS}</net><net id="c"><place id="p"/></net></pnml>"""
    assert read(text, "b")[0] == make_net("b", {"p": 0}, {"t": ({}, {})})


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252"])
def test_declared_encodings_are_respected(encoding: str) -> None:
    declared = encoding.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{declared}"?><pnml><net><place id="größe"/></net></pnml>'
    assert read(text.encode(encoding))[0].places == ("größe",)


def test_an_empty_net_is_a_net() -> None:
    assert net("") == Net("n", (), (), ())


# What would change the meaning is refused, with the line, the reason and a remedy.

LINE = 4
MARKED = '\n<place id="p"><initialMarking>'


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        *(
            (arc(f'<type value="{kind}"/>'), f"'{kind}', but only normal arcs")
            for kind in ("inhibitor", "reset", "read", "test", "timed", "transport", "")
        ),
        *((arc(f"<{tag}/>"), "'', but only normal arcs") for tag in ("type", "arctype")),
        (arc("<type><text/></type>"), "only normal arcs"),
        (arc('<type text="inhibitor"/>'), "only normal arcs"),
        (arc("<type><text>reset</text></type>"), "only normal arcs"),
        (arc("<arctype><text>inhibitor</text></arctype>"), "only normal arcs"),
        (arc('<type value="normal"/><arctype><text>test</text></arctype>'), "only normal arcs"),
        (arc('<type value="normal"/><type value="test"/>'), "several values"),
        (arc('<type value="normal" text="test"/>'), "several values"),
        (arc('<type kind="inhibitor"/>'), "attribute kind='inhibitor'"),
        (arc(attributes='type="inhibitor"'), "only normal arcs"),
        (arc(attributes='weight="2"'), "attribute weight='2'"),
        (arc(attributes='inscription="[0,inf)"'), "attribute inscription"),
        (arc("<hlinscription><text>x</text></hlinscription>"), "high-level"),
        (arc("<inhibitor/>"), "<inhibitor> in <arc> is not supported"),
        (arc("<weight>2</weight>"), "<weight> in <arc> is not supported"),
        (arc("<inscription>2</inscription>"), "stands outside <text>"),
        (arc("2"), "stands outside <text>"),
        (arc('<inscription weight="2"/>'), "attribute weight"),
        (arc("<inscription><text>1<b/></text></inscription>"), "structured content"),
        (arc("<inscription><structure/></inscription>"), "structured content"),
        (arc("<inscription><text>1</text><text>2</text></inscription>"), "several values"),
        (arc("<inscription><text>1</text></inscription>" * 2), "several values"),
        *(
            (arc(f"<inscription><text>{weight}</text></inscription>"), "whole number, at least 1")
            for weight in ("0", "-1", "1.5", "1.0", "1/2", "1e3", "x", "", "1 2", "0x2", "²", "٣")
        ),
        (arc(f"<inscription><text>{'1' * 4001}</text></inscription>"), "4001 digits"),
        (arc("<tagged><value>true</value></tagged>"), "tagged"),
        (f'{PARTS}\n<arc source="p" target="x"/>', "'x', which is no place or transition"),
        (f'{PARTS}\n<arc id="a" source="a" target="t"/>', "'a', which is no place"),
        (f'{PARTS}<place id="q"/>\n<arc source="p" target="q"/>', "joins two places"),
        (f'{PARTS}\n<arc source="p" target="p"/>', "joins two places"),
        (f'{PARTS}\n<arc source="t" target="t"/>', "joins two transitions"),
        (f'{PARTS}\n<arc id="a" source="p"/>', "has no target"),
        (f'{PARTS}\n<arc id="a" target="p"/>', "has no source"),
        (f'{PARTS}\n<place id="p"/>', "id that is taken already"),
        (f'{PARTS}\n<transition id="p"/>', "id that is taken already"),
        (f'{PARTS}\n<referencePlace id="p" ref="p"/>', "id that is taken already"),
        (f'{PARTS}\n<arc id="p" source="p" target="t"/>', "id that is taken already"),
        (f'{arc()}<place id="a"/>', "id that is taken already"),
        (f'{arc()}<arc id="a" source="p" target="t"/>', "id that is taken already"),
        (f'{PARTS}\n<place name="q"/>', "has no id"),
        (f'{PARTS}\n<transition id=""/>', "has no id"),
        (f'{PARTS}\n<referencePlace id="r"/>', "has no ref"),
        (f'{PARTS}\n<referencePlace id="r" ref="x"/>', "'x', which is no place"),
        (f'{PARTS}\n<referencePlace id="r" ref="t"/>', "'t', which is no place"),
        (f'{PARTS}\n<referenceTransition id="r" ref="p"/>', "'p', which is no transition"),
        (f'{PARTS}\n<referencePlace id="r" ref="r"/>', "refers to itself"),
        (f'{PARTS}\n<referencePlace id="r" ref="s"/><referencePlace id="s" ref="r"/>', "itself"),
        *(
            (f"{MARKED}<text>{tokens}</text></initialMarking></place>", "at least 0")
            for tokens in ("-1", "1.5", "Red,1", "Default,1,Red,0", "1'dot", "")
        ),
        ('\n<place id="p"><capacity><text>3</text></capacity></place>', "complement place"),
        ('\n<place id="p"><hlinitialMarking/></place>', "high-level"),
        ('\n<place id="p"><type><text>DOT</text></type></place>', "high-level"),
        ('\n<place id="p" initialMarking="1"/>', "attribute initialMarking='1'"),
        ('\n<place id="p" invariant="&lt; 3"/>', "attribute invariant"),
        ('\n<transition id="t"><condition/></transition>', "high-level"),
        ('\n<transition id="t"><delay/></transition>', "timed nets"),
        (
            f'{PARTS}\n<transition id="u"><timed><value>true</value></timed></transition>',
            "is timed or immediate",
        ),
        ('\n<transition id="t" urgent="true"/>', "attribute urgent='true'"),
        (
            f'{PARTS}\n<transition id="u"><priority><value>2</value></priority></transition>',
            "<priority>",
        ),
        ("\n<declaration><structure/></declaration>", "high-level"),
        ("\n<module/>", "<module> in <net> is not supported"),
        ('\n<place xmlns="urn:other" id="p"/>', "namespace 'urn:other'"),
        ('<place id="q"/>\n<place xmlns="urn:other" id="p"/>', "namespace 'urn:other'"),
        ('\n<place xmlns:o="urn:o" o:kind="k" id="p"/>', "attribute kind='k'"),
        ("\nstray", "stands outside <text>"),
    ],
)
def test_a_construct_with_another_meaning_is_refused(inside: str, words: str) -> None:
    error = refusal(document(inside))
    assert words in str(error)
    assert error.line == LINE
    assert len(str(error)) < 300


@pytest.mark.parametrize(
    "kind",
    [
        "http://www.pnml.org/version-2009/grammar/ptnet",
        "https://www.pnml.org/version-2009/grammar/ptnet",
        "http://www.pnml.org/version-2009/grammar/pnmlcoremodel",
        "http://www.pnml.org/version-2009/grammar/ptnet.pntd",
        "http://www.informatik.hu-berlin.de/top/pntd/ptNetb",
        "http://www.informatik.hu-berlin.de/top/pnml/ptNetb.rng",
        "http://www.yasper.org/specs/epnml-1.1",
        "P/T net",
        "ptnet",
    ],
)
def test_the_types_in_use_for_place_transition_nets_are_read(kind: str) -> None:
    assert read(document(PARTS, kind))[0].places


@pytest.mark.parametrize(
    "kind",
    [
        "http://www.pnml.org/version-2009/grammar/symmetricnet",
        "http://www.pnml.org/version-2009/grammar/highlevelnet",
        "http://www.pnml.org/version-2009/grammar/pt-hlpng",
        "http://www.laas.fr/tina/tpn",
        "http://x/stochastic/ptnet",
        "http://www.pnml.org/stochastic/ptnet",
        "http://www.pnml.org.example.org/version-2009/grammar/ptnet",
        "urn:timed:ptnet",
        "stochastic#ptnet",
        "stochastic",
        "",
    ],
)
def test_other_net_types_are_refused(kind: str) -> None:
    error = refusal(document(PARTS, kind))
    assert "not a place/transition net" in str(error)
    assert error.line == 2


def test_one_of_several_nets_must_be_named() -> None:
    text = '<pnml><net id="a"/><net id="b"/><net id="b"/></pnml>'
    assert "3 nets ('a', 'b', 'b'); say which" in str(refusal(text))
    assert "no nets with id 'c'" in str(refusal(text, "c"))
    assert "2 nets with id 'b'" in str(refusal(text, "b"))


@pytest.mark.parametrize(
    ("data", "words", "line"),
    [
        (b"", "empty", None),
        (b" \n ", "empty", None),
        (b"\xef\xbb\xbf", "no element found", 1),
        (b"%PDF-1.4", "not well-formed XML", 1),
        (b"p1=1", "not well-formed XML", 1),
        (b"\x00\x01\x02", "not well-formed XML", 1),
        (b"<pnml>\n<net>\n</pnml>", "mismatched tag", 3),
        (b"<pnml>\n<net>", "no element found", 2),
        (b"<pnml/>\n<pnml/>", "junk after document element", 2),
        (b"<pnml><net id='a' id='b'/></pnml>", "duplicate attribute", 1),
        (b"<x:pnml/>", "unbound prefix", 1),
        (b"<pnml>&lol;</pnml>", "undefined entity", 1),
        (b"<pnml><net>\n<place id='\xff'/></net></pnml>", "not well-formed", 2),
        (b"<?xml version='1.0' encoding='klingon'?><pnml/>", "encoding", 1),
        (b"<?xml version='1.0' encoding='utf-7'?><pnml/>", "encoding", 1),
        (b"<?xml version='1.0' encoding='hex'?><pnml/>", "encoding", 1),
        (b"<html>\n</html>", "is this another kind of file?", 1),
        (b"<pnml></pnml>", "no <net>", 1),
        (b"<!DOCTYPE pnml><pnml/>", "DOCTYPE", 1),
        (b"\n<!DOCTYPE pnml SYSTEM 'file:///etc/passwd'><pnml/>", "DOCTYPE", 2),
        (b"<!DOCTYPE p [<!ENTITY a 'aa'><!ENTITY b '&a;&a;'>]><pnml>&b;</pnml>", "DOCTYPE", 1),
    ],
)
def test_what_is_no_pnml_document_is_refused(data: bytes, words: str, line: int | None) -> None:
    error = refusal(data)
    assert words in str(error)
    assert error.line == line


def marked(tokens: str) -> bytes:
    return document(f"{MARKED}<text>{tokens}</text></initialMarking></place>").encode()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"<pnml>" + b"<net>" * 2_000_000, "not supported"),
        (b"<pnml><net id='n'>" + b"<page>" * 1_700_000, "nested more than 256 deep"),
        (b"<pnml><net>" + b"<toolspecific>" * 700_000, "nested more than 256 deep"),
        (b"<pnml><!--" + b"x" * (20 << 20), "longer than 16 MiB"),
        (b"<pnml><net id='" + b"x" * (20 << 20), "longer than 16 MiB"),
        (marked("9" * 10**6), "1000000 digits"),
        (marked("9" * (2 << 20)), "1048576 characters"),
        (document(f'<place id="{"x" * 10**6}"/>' * 2).encode(), "taken already"),
    ],
)
def test_a_flood_ends_in_a_short_refusal(data: bytes, words: str) -> None:
    error = refusal(data)
    assert words in str(error)
    assert len(str(error)) < 300


def test_nesting_just_below_the_cap_is_read() -> None:
    pages = 250
    inside = "<page>" * pages + PARTS + "</page>" * pages
    assert net(inside) == make_net("n", {"p": 0}, {"t": ({}, {})})


# Writing.

TEXT = st.text(
    st.one_of(
        st.sampled_from(" \t\n\r<>&\"'p1]é€𝄞"),
        st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff"),
    ),
    max_size=6,
)
NUMBERS = st.one_of(st.integers(1, 3), st.integers(2**63, 2**70), st.just(10**3999))


@st.composite
def odd_nets(draw: st.DrawFn) -> Net:
    """Nets with odd ids and labels, huge numbers, self-loops, sources and sinks."""
    ids = draw(st.lists(TEXT.filter(bool), min_size=1, max_size=8, unique=True))
    split = draw(st.integers(0, len(ids)))
    places = tuple(ids[:split])
    sides = st.just({})
    if places:
        sides = st.dictionaries(st.integers(0, split - 1), NUMBERS, max_size=3)
    transitions = tuple(
        Transition(name, *(tuple(sorted(draw(sides).items())) for _ in range(2)))
        for name in ids[split:]
    )
    initial = tuple(draw(st.one_of(st.just(0), NUMBERS)) for _ in places)
    labels = tuple(draw(TEXT.map(str.strip)) for _ in places)
    return Net(draw(TEXT), places, transitions, initial, labels if any(labels) else ())


@given(odd_nets())
def test_a_net_is_read_back_as_it_was_written(net: Net) -> None:
    written = Pnml().write(net)
    assert read(written)[0] == net
    assert Pnml().write(net) == written


@given(nets())
def test_an_ordinary_net_is_written_without_anything_to_warn_about(net: Net) -> None:
    assert read(Pnml().write(net)) == (net, ())


@pytest.mark.parametrize("name", ["\x00", "\x1b", "\ud800", "\uffff", ""])
def test_an_id_that_xml_cannot_hold_is_refused_when_writing(name: str) -> None:
    with pytest.raises(InputError):
        Pnml().write(make_net("n", {name: 0}, {}))


def test_a_number_that_could_not_be_read_again_is_refused_when_writing() -> None:
    with pytest.raises(InputError, match="4000 digits"):
        Pnml().write(make_net("n", {"p": 10**4000}, {}))


# The family.


def test_a_file_is_read_with_its_hash_and_path(tmp_path: Path) -> None:
    path = tmp_path / "a.pnml"
    data = document('<place id="p"/><toolspecific tool="x"/>').encode()
    path.write_bytes(data)
    found = read_net(path)
    assert found.net == make_net("n", {"p": 0}, {})
    assert found.sha256 == hashlib.sha256(data).hexdigest()
    assert found.warnings == ("ignored what is specific to 'x'",)
    assert found.path == str(path)


def test_an_unknown_extension_is_tried_as_pnml(tmp_path: Path) -> None:
    path = tmp_path / "net.data"
    write_net(make_net("n", {"p": 2}, {}), path)
    assert read_net(str(path)).net == make_net("n", {"p": 2}, {})


def test_a_file_that_cannot_be_read_is_refused_by_name(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.pnml", tmp_path, Path("a\0b.pnml")):
        with pytest.raises(InputError, match="cannot be read") as caught:
            read_net(path)
        assert caught.value.path == str(path)


def test_a_file_over_the_cap_is_refused_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large.pnml"
    path.touch()
    os.truncate(path, formats.MAX_BYTES + 1)
    with pytest.raises(InputError, match="larger than 512 MiB"):
        read_net(path)
    monkeypatch.setattr(formats, "MAX_BYTES", 1 << 20)
    endless = tmp_path / "endless.net"
    endless.symlink_to("/dev/zero")
    with pytest.raises(InputError, match="larger than 1 MiB"):
        read_net(endless)


def test_writing_replaces_the_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "net.pnml"
    path.write_text("old")
    write_net(make_net("n", {"p": 0}, {}), path)
    assert read_net(path).net == make_net("n", {"p": 0}, {})
    assert list(tmp_path.iterdir()) == [path]


def test_a_net_that_cannot_be_written_leaves_the_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "net.pnml"
    path.write_text("old")
    with pytest.raises(InputError):
        write_net(make_net("n", {"\0": 0}, {}), path)
    assert path.read_text() == "old"
    with pytest.raises(InputError, match="cannot be written"):
        write_net(make_net("n", {"p": 0}, {}), tmp_path / "missing" / "net.pnml")


def test_writing_through_a_link_keeps_the_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.pnml", tmp_path / "link.pnml"
    real.write_text("old")
    link.symlink_to(real)
    write_net(make_net("n", {"p": 0}, {}), link)
    assert link.is_symlink()
    assert read_net(real).net.places == ("p",)
