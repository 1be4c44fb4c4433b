"""PNML: what real files contain is read, what would change the meaning is refused."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest
from folders import SHARED
from hypothesis import given
from hypothesis import strategies as st
from notation import net_of
from pnml_documents import MARKED, PARTS, PTNET, REFUSED, arc, document, read, refusal, weighted

from petricheck.formats import nets as formats
from petricheck.formats.nets import read_net, write_net
from petricheck.formats.nets.pnml import Pnml
from petricheck.formats.scanning.xml import XmlScanner
from petricheck.model.net import Net, Transition, make_net
from petricheck.support.errors import InputError

SMALL = make_net("n", {"p": 0}, {})


def parsed(text: str | bytes, net_id: str | None = None) -> tuple[Net, tuple[str, ...]]:
    data = text.encode() if isinstance(text, str) else text
    return Pnml().read((data,), "file.pnml", net_id)


def refused(text: str | bytes, net_id: str | None = None) -> InputError:
    with pytest.raises(InputError) as caught:
        parsed(text, net_id)
    assert caught.value.path == "file.pnml"
    assert len(str(caught.value)) < 300
    return caught.value


# What real files contain is read.


def test_every_shared_net_is_read_with_the_size_its_index_tells() -> None:
    if not SHARED.is_dir():
        pytest.skip("the shared nets are not here")
    files = sorted((SHARED / "nets").glob("**/*.pnml"))
    assert files
    for file in files:
        found = read_net(file)
        told = json.loads(file.with_suffix(".json").read_text())
        assert len(found.net.places) == told["places"], file
        assert len(found.net.transitions) == told["transitions"], file
        assert {place for place, _, _ in told["target"] or ()} <= set(found.net.places), file
        assert found.warnings == (), file


def test_labels_are_read_and_stripped() -> None:
    inside = """<place id="p"><name><text> Buffer </text></name>
        <initialMarking><text> 3 </text></initialMarking></place><place id="q"/>
        <transition id="t"><name><text> go </text></name></transition>"""
    found = read(inside)[0]
    assert (found.places, found.initial, found.labels) == (("p", "q"), (3, 0), ("Buffer", ""))
    assert found.transitions[0].label == "go"


HUGE = 10**3999 + 1
NUPN = """<place id="p"><initialMarking><text>5</text></initialMarking></place>
    <toolspecific tool="nupn" version="1.1"><size places="1"/>
    <structure units="1" root="u" safe="true"><unit id="u"/></structure></toolspecific>"""
PIPE = """<token id="Default" enabled="true" red="0" green="0" blue="0"/>
    <labels x="1" y="2" border="true"><text>note</text></labels>
    <place id="p"><graphics/><initialMarking><value>Default,4</value><graphics/></initialMarking>
    <capacity><value>0</value></capacity></place>
    <transition id="t"><orientation><value>0</value></orientation>
    <rate><value>1.0</value></rate><timed><value>false</value></timed>
    <infiniteServer><value>false</value></infiniteServer>
    <priority><value>1</value></priority></transition>
    <arc id="a" source="p" target="t"><graphics/>
    <inscription><value>Default,2</value></inscription>
    <tagged><value>false</value></tagged><arcpath id="000" x="1" y="2" curvePoint="false"/>
    <type value="normal"/></arc>"""

READ: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "an empty net": ("", "", ()),
    "an arc before its ends, across nested pages": (
        """<page id="n"><arc id="a" source="t" target="p"/><page id="2"><place id="p"/></page>
        </page><page id="3"><name><text>last</text></name><transition id="t"/></page>""",
        "p=0, -> p",
        (),
    ),
    "parallel arcs": (
        f'{weighted(2)}<arc source="p" target="t"/>',
        "p=0, 3 p ->",
        ("summed parallel arcs: 1",),
    ),
    "arcs there and back": (f'{arc()}<arc source="t" target="p"/>', "p=0, p -> p", ()),
    "references to references": (
        f"""<page id="1"><referencePlace id="r" ref="s"/><referencePlace id="s" ref="p"/>
        <referenceTransition id="u" ref="t"/><arc id="a" source="r" target="u"/></page>
        <page id="2">{PARTS}<arc id="b" source="p" target="t"/></page>""",
        "p=0, 2 p ->",
        ("resolved reference nodes: 3", "summed parallel arcs: 1"),
    ),
    "a long chain of references": (
        "".join(f'<referencePlace id="r{n}" ref="r{n + 1}"/>' for n in range(5000))
        + f'<referencePlace id="r5000" ref="p"/>{PARTS}<arc source="r0" target="t"/>',
        "p=0, p ->",
        ("resolved reference nodes: 5001",),
    ),
    "pages just below the cap": ("<page>" * 250 + PARTS + "</page>" * 250, "p=0, ->", ()),
    "numbers beyond 64 bits": (
        f"""<place id="p"><initialMarking><text>{HUGE}</text></initialMarking></place>
        <transition id="t"/><arc source="p" target="t">
        <inscription><text>{2**64 + 1}</text></inscription></arc>""",
        f"p=10**3999+1, {2**64 + 1} p ->",
        (),
    ),
    "labels without text": (
        """<place id="p"><initialMarking/><name/></place><transition id="t"/>
        <arc id="a" source="p" target="t"><inscription><graphics/></inscription></arc>""",
        "p=0, p ->",
        (),
    ),
    "what is specific to a tool": (
        """<toolspecific tool="x"><place id="p"/><arc source="a" target="b"/>text
        </toolspecific><place id="p"><graphics><position x="1"/></graphics><toolspecific/>
        </place>""",
        "p=0",
        ("ignored what is specific to 'x', an unnamed tool",),
    ),
    "a claim that the net is safe": (
        NUPN,
        "p=5",
        ("ignored what is specific to 'nupn', also the claim that the net is safe",),
    ),
    "no claim that the net is safe": (
        NUPN.replace("true", "false"),
        "p=5",
        ("ignored what is specific to 'nupn'",),
    ),
    "the dialect of PIPE": (PIPE, "p=4, 2 p ->", ("capacity 0 is read as no limit",)),
    "the dialect of ProM": (arc("<arctype><text>normal</text></arctype>"), "p=0, p ->", ()),
}


@pytest.mark.parametrize("what", READ)
def test_what_files_contain_is_read_and_what_is_passed_over_is_told(what: str) -> None:
    inside, system, warnings = READ[what]
    assert read(inside) == (net_of(system), warnings)


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
    assert parsed(f"{opening}{arc()}</net></pnml>")[0] == net_of("p=0, p ->")


def test_a_net_without_id_or_type_is_read_and_told() -> None:
    found, told = parsed(f"<pnml><net>{PARTS}</net></pnml>")
    assert found == make_net("", {"p": 0}, {"t": ({}, {})})
    assert told == (
        "the net has no id",
        "the net declares no type; it is read as a place/transition net",
    )


def test_one_of_several_nets_must_be_named_and_the_others_may_be_anything() -> None:
    text = f"""<pnml><net id="a" type="symmetricnet"><declaration/></net>
        <net id="n" type="{PTNET}">{PARTS}</net><net id="c"><place id="p"/></net></pnml>"""
    assert parsed(text, "n")[0] == net_of("p=0, ->")
    text = '<pnml><net id="a"/><net id="b"/><net id="b"/></pnml>'
    assert "3 nets ('a', 'b', 'b'); say which" in str(refused(text))
    assert "no nets with id 'c'" in str(refused(text, "c"))
    assert "2 nets with id 'b'" in str(refused(text, "b"))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252"])
def test_declared_encodings_are_respected(encoding: str) -> None:
    declared = encoding.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{declared}"?><pnml><net><place id="größe"/></net></pnml>'
    assert parsed(text.encode(encoding))[0].places == ("größe",)


# What would change the meaning is refused, with the line, the reason and a remedy.


@pytest.mark.parametrize(
    ("inside", "words"), [(inside, words) for words, row in REFUSED.items() for inside in row]
)
def test_a_construct_with_another_meaning_is_refused(inside: str, words: str) -> None:
    assert words in refusal(inside)


GRAMMAR = "http://www.pnml.org/version-2009/grammar"
KNOWN = (
    *(f"{GRAMMAR}/ptnet", f"https{GRAMMAR[4:]}/ptnet", f"{GRAMMAR}/pnmlcoremodel"),
    *(f"{GRAMMAR}/ptnet.pntd", "http://www.informatik.hu-berlin.de/top/pntd/ptNetb"),
    "http://www.informatik.hu-berlin.de/top/pnml/ptNetb.rng",
    *("http://www.yasper.org/specs/epnml-1.1", "P/T net", "ptnet", "PTNetB", "PT-Net"),
    *("P/T-net", "P/T", "pnmlCoreModel", "epnml-1.1", "http://www.laas.fr/tina/tpn"),
)
STRANGE = (
    *("http://www.laas.fr/tina/tpn/x", "http://x/tina/tpn", "tpn"),
    *("http://x/stochastic/ptnet", "stochastic"),
    *("http://www.pnml.org/stochastic/ptnet", "urn:timed:ptnet", "stochastic#ptnet", ""),
    "http://www.pnml.org.example.org/version-2009/grammar/ptnet",
)


@pytest.mark.parametrize("kind", KNOWN)
def test_the_types_in_use_for_place_transition_nets_are_read(kind: str) -> None:
    assert parsed(document(PARTS).replace(PTNET, kind))[0].places


@pytest.mark.parametrize("kind", STRANGE)
def test_other_net_types_are_refused(kind: str) -> None:
    error = refused(document(PARTS).replace(PTNET, kind))
    assert "not a place/transition net" in str(error)
    assert error.line == 2


def test_a_time_net_of_tina_is_read_if_nothing_in_it_waits() -> None:
    text = document(
        '<place id="p"><label><text>lamp</text></label></place><transition id="t">\n{}</transition>'
    ).replace(PTNET, "http://www.laas.fr/tina/tpn")
    net, _ = parsed(text.format("<label><text>on</text></label>"))
    assert (net.places, net.labels, net.transitions[0].label) == (("p",), (), "")
    for delay in ("<delay><interval/></delay>", "<interval/>", "<timed><text>2</text></timed>"):
        refused(text.format(delay))


def marked(tokens: str) -> bytes:
    return document(f"{MARKED}<text>{tokens}</text></initialMarking></place>").encode()


LOLS = b"<!DOCTYPE p [<!ENTITY a 'aa'><!ENTITY b '&a;&a;'>]><pnml>&b;</pnml>"


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
        (LOLS, "DOCTYPE", 1),
        (b"<pnml>" + b"<net>" * 2_000_000, "not supported", 1),
        (b"<pnml><net id='n'>" + b"<page>" * 1_700_000, "nested more than 256 deep", 1),
        (b"<pnml><net>" + b"<toolspecific>" * 700_000, "nested more than 256 deep", 1),
        (b"<pnml><!--" + b"x" * (20 << 20), "longer than 16 MiB", 1),
        (b"<pnml><net id='" + b"x" * (20 << 20), "longer than 16 MiB", 1),
        (marked("9" * 10**6), "1000000 digits", 4),
        (marked("9" * (2 << 20)), "1048576 characters", 4),
        (document(f'<place id="{"x" * 10**6}"/>' * 2).encode(), "taken already", 3),
    ],
    ids=lambda value: value[:20] if isinstance(value, bytes) else None,
)
def test_what_is_no_pnml_document_is_refused_in_few_words(
    data: bytes, words: str, line: int | None
) -> None:
    error = refused(data)
    assert words in str(error)
    assert error.line == line


@pytest.mark.parametrize("mistake", [LookupError, KeyError, ValueError])
@pytest.mark.parametrize("declared", [b"", b"<?xml version='1.0' encoding='latin-1'?>"])
def test_a_mistake_of_the_reader_is_no_encoding_that_cannot_be_read(
    mistake: type[Exception], declared: bytes
) -> None:
    def fail(*_: object) -> None:
        raise mistake

    def ignore(*_: object) -> None:
        pass

    for handlers in ((fail, ignore, ignore), (ignore, fail, ignore), (ignore, ignore, fail)):
        with pytest.raises(mistake):
            XmlScanner("net.pnml").run([declared + b"<a>text</a>"], *handlers)


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
    marking = st.tuples(*(st.one_of(st.just(0), NUMBERS) for _ in places))
    finals = tuple(draw(st.lists(marking, max_size=2)))
    shown = labels if any(labels) else ()
    return Net(draw(TEXT), places, transitions, initial, shown, finals=finals)


def final(*marks: str) -> str:
    """A net with places p and q, to which r refers, and one final marking, from line 5 on."""
    lines = "\n".join(("", *marks))
    places = '<place id="p"/><place id="q"/><transition id="t"/><referencePlace id="r" ref="q"/>'
    return f"{places}\n<finalmarkings><marking>{lines}</marking><marking/></finalmarkings>"


def mark(place: str, tokens: object) -> str:
    return f'<place idref="{place}"><text>{tokens}</text></place>'


def test_final_markings_are_read_and_places_that_they_do_not_name_are_empty_there() -> None:
    net, told = read(final(mark("r", " 2 ")) + final(mark("q", 0), mark("p", 1)).partition("\n")[2])
    assert (net.finals, told) == (
        ((0, 2), (0, 0), (1, 0), (0, 0)),
        ("resolved reference nodes: 1",),
    )
    assert net.without({0}).finals == net.without(set(), [0]).finals == ()


@pytest.mark.parametrize(
    "second",
    [
        *(mark("q", tokens) for tokens in ("-1", "1.5", "", "x", "9" * 4001)),
        *(mark(place, 1) for place in ("x", "t", "p", "")),
        '<place idref="q"/>',
        '<place idref="q"><text>1</text><text>1</text></place>',
        '<place id="q"><text>1</text></place>',
        '<place idref="q" weight="2"><text>1</text></place>',
        '<place idref="q"><value>1</value></place>',
        "<or/>",
        "2",
    ],
)
def test_a_final_marking_that_is_not_plain_is_refused_by_its_line(second: str) -> None:
    assert refused(document(final(mark("p", 1), second))).line == 6


@given(odd_nets())
def test_a_net_is_read_back_as_it_was_written(net: Net) -> None:
    written = Pnml().write(net)
    assert parsed(written) == (net, () if net.name else ("the net has no id",))
    assert Pnml().write(net) == written


@pytest.mark.parametrize(
    ("name", "tokens"),
    [*((name, 0) for name in ("\x00", "\x1b", "\ud800", "\uffff", "")), ("p", 10**4000)],
)
def test_what_could_not_be_read_again_is_not_written(name: str, tokens: int) -> None:
    with pytest.raises(InputError, match="4000 digits" if tokens else None):
        Pnml().write(make_net("n", {name: tokens}, {}))


# The family.


def test_a_file_is_read_with_its_hash_and_path(tmp_path: Path) -> None:
    path = tmp_path / "a.pnml"
    data = document('<place id="p"/><toolspecific tool="x"/>').encode()
    path.write_bytes(data)
    found = read_net(path)
    assert (found.net, found.path) == (SMALL, str(path))
    assert found.sha256 == hashlib.sha256(data).hexdigest()
    assert found.warnings == ("ignored what is specific to 'x'",)


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


def test_writing_replaces_the_file_or_leaves_it_alone(tmp_path: Path) -> None:
    path, link = tmp_path / "net.data", tmp_path / "link"  # an unknown ending is tried as PNML
    path.write_text("old")
    link.symlink_to(path)
    with pytest.raises(InputError):
        write_net(make_net("n", {"\0": 0}, {}), path)
    assert path.read_text() == "old"
    write_net(SMALL, link)
    assert link.is_symlink() and read_net(str(path)).net == SMALL
    assert {*tmp_path.iterdir()} == {path, link}
    with pytest.raises(InputError, match="cannot be written"):
        write_net(SMALL, tmp_path / "missing" / "net.pnml")
