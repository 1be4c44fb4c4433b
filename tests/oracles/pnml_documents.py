"""Short PNML documents, what each part of them may hold, and what is refused."""

from __future__ import annotations

import pytest

from petricheck.formats.nets import pnml
from petricheck.formats.nets.pnml import Pnml
from petricheck.model.coloured.net import ColouredNet
from petricheck.model.guarded.net import GuardedNet
from petricheck.model.net import Net
from petricheck.support.errors import InputError

PTNET = "http://www.pnml.org/version-2009/grammar/ptnet"
XSI = "http://www.w3.org/2001/XMLSchema-instance"
PARTS = '<place id="p"/><transition id="t"/>'
NORMAL = "only normal, "
HOLDS = "may hold back transitions"
LINE = 4
PLACES = {
    "net": "\n{}",
    "page": '<page id="g">\n{}</page>',
    "place": '<place id="q">\n{}</place>',
    "marking": '<place id="q"><initialMarking>\n{}<text>1</text></initialMarking></place>',
    "transition": '<transition id="u">\n{}</transition>',
}


def document(inside: str, opening: str = "") -> str:
    return (
        f'<pnml xmlns:xsi="{XSI}" xmlns:o="urn:o" {opening}>\n<net id="n" type="{PTNET}">\n'
        f"{inside}\n</net>\n</pnml>\n"
    )


def read(inside: str) -> tuple[Net, tuple[str, ...]]:
    return Pnml().read((document(inside).encode(),), "file.pnml")


def arc(inside: str = "", attributes: str = "") -> str:
    return f'{PARTS}\n<arc id="a" source="p" target="t" {attributes}>{inside}</arc>'


def tool(inside: str = "", attributes: str = "") -> str:
    return f'<toolspecific tool="x" version="1" {attributes}>{inside}</toolspecific>'


def refusal(inside: str) -> str:
    with pytest.raises(InputError) as caught:
        read(inside)
    assert caught.value.line == LINE
    assert len(str(caught.value)) < 300
    return str(caught.value)


def within(place: str, inside: str) -> str:
    return PLACES[place].format(inside)


def weighted(weight: int | str) -> str:
    return arc(f"<inscription><text>{weight}</text></inscription>")


MARKED = '\n<place id="p"><initialMarking>'
TIMED = '\n<transition id="u"><timed><value>true</value></timed></transition>'
CYCLE = '\n<referencePlace id="r" ref="s"/><referencePlace id="s" ref="r"/>'
MARKINGS = ("-1", "1.5", "Red,1", "Default,1,Red,0", "1'dot", "Default,")
WEIGHTS = ("0", "-1", "1.5", "1.0", "1/2", "1e3", "x", "", "1 2", "0x2", "²", "٣")
REFUSED: dict[str, tuple[str, ...]] = {
    "but only normal, inhibitor, read and reset arcs": (
        *(arc(f'<type value="{kind}"/>') for kind in ("timed", "transport", "zero test", "")),
        *(arc(f"<{tag}/>") for tag in ("type", "arctype")),
        arc("<type><text/></type>"),
        arc('<type text="inhibitors"/>'),
        arc("<arctype><text>clear</text></arctype>"),
        arc(attributes='type="tapnInhibitor"'),
    ),
    "is of several types": (arc('<type value="normal"/><arctype><text>test</text></arctype>'),),
    "several values": (
        arc('<type value="normal"/><type value="test"/>'),
        arc('<type value="normal" text="test"/>'),
        arc("<inscription><text>1</text><text>2</text></inscription>"),
        arc("<inscription><text>1</text></inscription>" * 2),
    ),
    "attribute kind='inhibitor'": (arc('<type kind="inhibitor"/>'),),
    "attribute kind='k'": ('\n<place xmlns:o="urn:o" o:kind="k" id="p"/>',),
    "attribute weight='2'": (
        arc(attributes='weight="2"'),
        arc('<inscription weight="2"/>'),
    ),
    "attribute inscription": (arc(attributes='inscription="[0,inf)"'),),
    "attribute initialMarking='1'": ('\n<place id="p" initialMarking="1"/>',),
    "attribute invariant": ('\n<place id="p" invariant="&lt; 3"/>',),
    "attribute urgent='true'": ('\n<transition id="t" urgent="true"/>',),
    "high-level": (
        arc("<hlinscription><text>x</text></hlinscription>"),
        '\n<place id="p"><hlinitialMarking/></place>',
        '\n<place id="p"><type><text>DOT</text></type></place>',
        '\n<transition id="t"><condition/></transition>',
        "\n<declaration><structure/></declaration>",
    ),
    "<inhibitor> in <arc> is not supported": (arc("<inhibitor/>"),),
    "<weight> in <arc> is not supported": (arc("<weight>2</weight>"),),
    "<module> in <net> is not supported": ("\n<module/>",),
    "stands outside <text>": (arc("<inscription>2</inscription>"), arc("2"), "\nstray"),
    "structured content": (
        arc("<inscription><text>1<b/></text></inscription>"),
        arc("<inscription><structure/></inscription>"),
    ),
    "whole number, at least 1": tuple(map(weighted, WEIGHTS)),
    "4001 digits": (weighted("1" * 4001),),
    "tagged": (arc("<tagged><value>true</value></tagged>"),),
    "'x', which is no place or transition": (f'{PARTS}\n<arc source="p" target="x"/>',),
    "'a', which is no place": (f'{PARTS}\n<arc id="a" source="a" target="t"/>',),
    "joins two places": (
        f'{PARTS}<place id="q"/>\n<arc source="p" target="q"/>',
        f'{PARTS}\n<arc source="p" target="p"/>',
    ),
    "joins two transitions": (f'{PARTS}\n<arc source="t" target="t"/>',),
    "has no target": (f'{PARTS}\n<arc id="a" source="p"/>',),
    "has no source": (f'{PARTS}\n<arc id="a" target="p"/>',),
    "id that is taken already": (
        f'{PARTS}\n<place id="p"/>',
        f'{PARTS}\n<transition id="p"/>',
        f'{PARTS}\n<referencePlace id="p" ref="p"/>',
        f'{PARTS}\n<arc id="p" source="p" target="t"/>',
        f'{arc()}<place id="a"/>',
        f'{arc()}<arc id="a" source="p" target="t"/>',
    ),
    "has no id": (f'{PARTS}\n<place name="q"/>', f'{PARTS}\n<transition id=""/>'),
    "has no ref": (f'{PARTS}\n<referencePlace id="r"/>',),
    "'x', which is no place": (f'{PARTS}\n<referencePlace id="r" ref="x"/>',),
    "'t', which is no place": (f'{PARTS}\n<referencePlace id="r" ref="t"/>',),
    "'p', which is no transition": (f'{PARTS}\n<referenceTransition id="r" ref="p"/>',),
    "itself": (f'{PARTS}\n<referencePlace id="r" ref="r"/>', f"{PARTS}{CYCLE}"),
    "at least 0": tuple(
        f"{MARKED}<text>{tokens}</text></initialMarking></place>" for tokens in MARKINGS
    ),
    "<capacity>; write a whole number": (
        '\n<place id="p"><capacity><text>inf</text></capacity></place>',
    ),
    "timed nets": ('\n<transition id="t"><delay/></transition>',),
    "is timed or immediate": (PARTS + TIMED,),
    "another priority than": (
        f'{PARTS}\n<transition id="u"><priority><value>2</value></priority></transition>',
    ),
    "namespace 'urn:other'": (
        '\n<place xmlns="urn:other" id="p"/>',
        '<place id="q"/>\n<place xmlns="urn:other" id="p"/>',
    ),
}
"""By words of the reason."""


def read_pieces(pieces: list[bytes]) -> object:
    """The net with its labels and the warnings, or why it is refused and where."""
    try:
        net, warnings = pnml.Pnml().read(pieces, "net.pnml")
    except InputError as error:
        # What stray text is quoted, and which column is named, depends on the pieces.
        odd = error.message.startswith(("text ", "this is not well-formed XML"))
        return "odd" if odd else error.message, error.line
    nodes = (*net.places, *net.transitions) if isinstance(net, ColouredNet) else net.transitions
    labels = net.plain.labels if isinstance(net, GuardedNet) else net.labels
    return net, warnings, labels, [node.label for node in nodes]


def read_singly(document: bytes) -> object:
    """The same, read element by element."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pnml, "without_runs", lambda pieces, _: pieces)
        return read_pieces([document])
