"""Elements of coloured nets that repeat earlier ones mean what they mean one by one."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from coloured_documents import (
    SORTS,
    TYPE,
    VARIABLES,
    const,
    every,
    integer,
    label,
    sort,
    tag,
    times,
    var,
)
from hypothesis import given
from hypothesis import strategies as st
from pnml_documents import read_pieces, read_singly

from petricheck.formats.nets import pnml
from petricheck.support.errors import InputError

_XMLNS = "http://www.pnml.org/version-2009/grammar/pnml"
_HEAD = f'<pnml xmlns="{_XMLNS}"><net id="n" type="{TYPE}">\n'
_TAIL = "</page></net></pnml>"
_DECLARED = label("declaration", f"<declarations>\n{SORTS}\n{VARIABLES}</declarations>")
_HIDDEN = f'<arc id="h" source="p0" target="t0">{label("hlinscription", var("x"))}</arc>'
_ODD = (
    f"<!-- {_HIDDEN} -->",
    f'<toolspecific tool="x" version="1">{_HIDDEN}</toolspecific>',
    f"<![CDATA[{_HIDDEN}]]>",
    f'<page id="inner">{_HIDDEN}</page>',
    "stray",
    _HIDDEN.replace("<arc ", '<arc xmlns="other" '),
    _HIDDEN.replace('"h"', '"h>"'),
    _HIDDEN.replace('"h"', '"h\t"'),
    _HIDDEN.replace('"h"', '"&lt;"'),
    _HIDDEN.replace('"h"', '"ö"'),
    _HIDDEN.replace('"h"', "'h'"),
    _HIDDEN.replace('"h"', '"h" kind="test"'),
    _HIDDEN.replace('"h"', '"h"><!--').replace("</arc>", "--></arc>"),
    _HIDDEN.replace('"h"', '"h" name="inhibitor"'),
    _HIDDEN.replace("<arc", "<arc\n"),
    _HIDDEN.replace(">said<", ">two\nlines<"),
    _HIDDEN.replace(">said<", "> a ]]> b <"),
    _HIDDEN.replace(">said<", "> a <b/> c <"),
    _HIDDEN.replace("<structure>", "<structure><!-- . -->"),
    _HIDDEN.replace("</hlinscription>", "</hlinscription><type value='inhibitor'/>"),
    _HIDDEN.replace("</arc>", "<graphics><position x='1' y='2'/></graphics></arc>"),
    '<arc id="h" source="p0" target="t0"/>',
    '<referencePlace id="r" ref="p0"/>',
    '<place id="d"><type><structure><dot/></structure></type></place>',
    '<transition id="c"><condition><text>x</text></condition></transition>',
    '<transition id="c"><condition><text> </text></condition></transition>',
)

_space = st.sampled_from(["", "\n", "\r\n", "\n\n  ", "\r"])
_drawn = st.sampled_from(
    ["", "", '<graphics><position x="1" y="2"/></graphics>', "<graphics/>",
     '<graphics>\n<position x="-1.5" y="2"/>\r\n<dimension x="1" y="2" />\n</graphics>',
     '<graphics><position x="inhibitor" y="2"/></graphics>',
     '<graphics><fill color="red"/></graphics>']
)  # fmt: skip
_text = st.sampled_from(["said", "1'(x)", "a -> b", " ", "ö", "&lt;", "two\nlines", '"'])
_term = st.sampled_from(
    [const("c0"), const("c1"), var("x"), var("y"), tag("successor", var("x")), const("f0"),
     tag("successor", var("y")), every("c"), times(2, var("x")), times(3, const("c2")), var("z"),
     integer(1)]
)  # fmt: skip


@st.composite
def _label(draw: st.DrawFn, name: str, inside: str) -> str:
    written = label(name, draw(_space) + inside)
    return written.replace(">said<", f">{draw(_text)}<")


@st.composite
def _element(draw: st.DrawFn, number: int) -> str:
    named = draw(st.sampled_from(["", "", "<name><text>N</text></name>", "<name>N</name>"]))
    named = named.replace("N", draw(st.sampled_from(["one", " two ", "3"])))
    kind = draw(st.sampled_from(["place", "transition", "arc", "arc", "arc"]))
    inside = draw(_drawn) + named
    if kind == "place":
        inside += draw(_label("type", sort(draw(st.sampled_from(["c", "c", "f"])))))
        if draw(st.booleans()):
            inside += draw(_label("hlinitialMarking", const(draw(st.sampled_from(["c0", "c1"])))))
    elif kind == "transition":
        if draw(st.booleans()):
            other = draw(st.sampled_from([var("y"), var("y"), const("c1"), var("i")]))
            inside += draw(_label("condition", tag("equality", var("x"), other)))
    else:
        inside += draw(_label("hlinscription", draw(_term)))
    ends = draw(st.sampled_from(["p0 t0", "t0 p0", "p0 t1", "p1 t0"])).split()
    joins = f' source="{ends[0]}" target="{ends[1]}"' if kind == "arc" else ""
    return f'<{kind} id="e{number}"{joins}>{draw(_space)}{inside}</{kind}>'


@st.composite
def _documents(draw: st.DrawFn) -> bytes:
    kind = label("type", sort("c"))
    nodes = [f'<place id="p{n}">{kind}</place>' for n in range(2)]
    nodes += [f'<transition id="t{n}"/>' for n in range(2)]
    elements = nodes + [draw(_element(n)) for n in range(draw(st.integers(0, 12)))]
    if not draw(st.integers(0, 5)):
        elements.append(draw(st.sampled_from(elements)))
    for odd in draw(st.lists(st.sampled_from(_ODD), max_size=1)):
        elements.insert(draw(st.integers(0, len(elements))), odd)
    body = "".join(element + draw(_space) for element in elements)
    return f'{_HEAD}{_DECLARED}<page id="g">{body}{_TAIL}'.encode()


@pytest.mark.parametrize("odd", _ODD)
def test_what_is_odd_is_no_repetition(odd: str) -> None:
    kind = label("type", sort("c"))
    nodes = [f'<place id="p{n}">{kind}</place>' for n in range(2)]
    nodes += [f'<transition id="t{n}"></transition>' for n in range(2)]
    arcs = [_HIDDEN.replace('"h"', f'"a{n}"') for n in range(3)]
    for position in range(4, 8):
        elements = nodes + arcs
        elements.insert(position, odd)
        body = "\n".join(elements)
        document = f'{_HEAD}{_DECLARED}<page id="g">{body}{_TAIL}'.encode()
        assert read_pieces([document]) == read_singly(document)


@given(_documents(), st.lists(st.integers(0, 9000), max_size=3))
def test_repetitions_are_read_as_their_elements_are(document: bytes, cuts: list[int]) -> None:
    ends = sorted({0, len(document), *(min(cut, len(document)) for cut in cuts)})
    pieces = [document[begin:end] for begin, end in pairwise(ends)]
    assert read_pieces(pieces) == read_singly(document)


_constants = st.lists(st.integers(0, 30), min_size=1, max_size=12, unique=True)
_forms = st.sampled_from(
    ['<feconstant id="N" name="nN"/>', '<feconstant id="N" name=""/>', '<feconstant id="N"/>',
     '<feconstant id="N" name="same" />', "<feconstant id='N' name='nN'/>", "<!-- N -->",
     '<feconstant id="N" name="ö"></feconstant>', '<feconstant id="N" name="a&amp;b"/>']
)  # fmt: skip


@given(st.data(), _constants, st.integers(0, 2000))
def test_runs_of_constants_are_read_as_constants_are(
    data: st.DataObject, numbers: list[int], cut: int
) -> None:
    if not data.draw(st.integers(0, 3)):
        numbers.append(numbers[0])
    written = [data.draw(_forms).replace("N", f"k{n}") + data.draw(_space) for n in numbers]
    inside = f"<finiteenumeration>{''.join(written)}</finiteenumeration>"
    declared = f'<declarations><namedsort id="s" name="S">{inside}</namedsort></declarations>'
    place = f'<place id="p">{label("type", sort("s"))}</place>'
    body = f'{label("declaration", declared)}<page id="g">{place}'
    document = f"{_HEAD}{body}{_TAIL}".encode()
    assert read_pieces([document[:cut], document[cut:]]) == read_singly(document)


def test_an_error_in_a_repetition_tells_its_line() -> None:
    kind = label("type", sort("c"))
    arcs = [f'<arc id="a{n}" source="p" target="t">\n{label("hlinscription", var("x"))}</arc>'
            for n in range(5)]  # fmt: skip
    nodes = f'<place id="p">{kind}</place>\n<transition id="t"/>\n'
    arcs[3] = arcs[3].replace("vx", "vz")
    text = f'{_HEAD}{_DECLARED}<page id="g">{nodes}{"".join(arcs)}{_TAIL}'
    with pytest.raises(InputError, match="names 'vz'") as caught:
        pnml.Pnml().read([text.encode()], "net.pnml")
    assert caught.value.line == text[: text.index("vz")].count("\n") + 1


_COMMENT = "<!-- <text>said</text> -->"
_NAME = "<name><text>said</text></name>"
_DRAWN = '<graphics><position x="1" y="2"/></graphics>'
_SAID = "<text>said</text>"
_TOOL = '<toolspecific tool="x" version="1"/>'


@pytest.mark.parametrize(
    ("inside", "written", "instead"),
    [
        (_COMMENT, "said", "said -- so"),
        ("<condition><text> </text></condition>", "<text> <", "<text>x<"),
        (_TOOL, 'tool="x"', 'tool="inhibitor"'),
        (_TOOL, 'tool="x"', 'tool="y"'),
        ("<timed><text>true</text></timed>", "true", "false"),
        ("<name>said</name><condition><text> </text></condition>", "said", "so"),
        (_NAME, "said", "so &lt; so"),
        (_DRAWN, '"2"', '"reset"'),
        (_DRAWN, '"2"', '"2" z="3"'),
        (_DRAWN, "<position", "<reset"),
        (_DRAWN, "</graphics>", "\n</graphics></transition><transition id='c'>"),
        (f"{_NAME}{_DRAWN}", "</text>", "</text><graphics></graphics>"),
        (_NAME, "said", "so <text/> so"),
        (_NAME, "said", "so ]]> so"),
        (_NAME, '"b"', '"b\tb"'),
        (_NAME, '"b"', '"b&gt;b"'),
        ("<comment><text>said</text></comment>", "said", "resetArc"),
        (_TOOL.replace("/>", f"><priority>{_SAID}</priority></toolspecific>"), "said", "3"),
        (f"<name/>{_NAME}", "said", "so"),
        (f"<name>{_SAID}{_TOOL.replace('/>', f'>{_SAID}</toolspecific>')}</name>", "said", "read"),
    ],
)
def test_what_may_change_the_meaning_is_no_repetition(
    inside: str, written: str, instead: str
) -> None:
    _compare_pair(f'<transition id="a">{inside}</transition>', written, instead)


def test_the_kind_of_an_arc_is_looked_at() -> None:
    arc = _HIDDEN.replace('"h"', '"a" kind="normal"')
    _compare_pair(arc, '"normal"', '"inhibitor"')
    for aside in (
        "<comment>N</comment>",
        "<type>N</type>",
        f"{_TOOL[:-2]}><arctype>N</arctype></toolspecific>",
        "<name>N</name>",
        "<name>N</name><comment>N</comment>",
    ):
        inside = aside.replace("N", "<text>normal</text>")
        arc = _HIDDEN.replace('"h"', '"a"').replace("</arc>", f"{inside}</arc>")
        _compare_pair(arc, "normal", "inhibitor")


def _compare_pair(first: str, written: str, instead: str) -> None:
    """An element, and another one in whose text something else stands."""
    second = first.replace('"a"', '"b"').replace(written, instead)
    nodes = f'<place id="p0">{label("type", sort("c"))}</place><transition id="t0"/>'
    document = f'{_HEAD}{_DECLARED}<page id="g">{nodes}{first}\n{second}{_TAIL}'.encode()
    assert read_pieces([document]) == read_singly(document)


_PIECES = re.compile(rb'<[^>]*>|"[^"]*"|[^<"]+')


@given(_documents(), st.data())
def test_spoilt_files_are_read_or_refused(document: bytes, data: st.DataObject) -> None:
    """Tags are lost, repeated and exchanged, as by a slip of an editor or on purpose."""
    parts = _PIECES.findall(document)
    for _ in range(data.draw(st.integers(1, 4))):
        at, other = (data.draw(st.integers(0, len(parts) - 1)) for _ in range(2))
        change = data.draw(st.sampled_from(["lose", "repeat", "exchange", "insert"]))
        if change == "lose":
            parts[at] = b""
        elif change == "repeat":
            parts[at] *= 2
        elif change == "insert":
            parts[at] += data.draw(st.sampled_from([b"<", b"&", b'"', b"]]>", b"<!--", b"\0"]))
        else:
            parts[at], parts[other] = parts[other], parts[at]
    spoilt = b"".join(parts)
    assert read_pieces([spoilt]) == read_singly(spoilt)
