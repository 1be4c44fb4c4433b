"""Runs of plain elements in PNML mean what the elements mean one by one."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pnml_documents import read_pieces, read_singly

from petricheck.formats.nets import pnml
from petricheck.support.errors import InputError

_HEAD = '<pnml xmlns="http://www.pnml.org/2009"><net id="n" type="ptnet"><page id="g">'
_TAIL = "</page></net></pnml>"
_PLACES, _TRANSITIONS = ("p0", "p1", "p2"), ("t0", "t1")
_HIDDEN = "".join(f'<arc id="h{n}" source="p0" target="t0"/>' for n in range(3))

_space = st.sampled_from(["", " ", "\n", "\r\n", "\n\n  "])
_name = st.sampled_from(["", "<name><text>a b</text></name>", "<name>\n<text> x-1 </text></name>"])
_marking = st.sampled_from(["", "<initialMarking><text>12</text>\n</initialMarking>"])
_ODD = (
    "<!-- <place id='hidden'/> -->",
    f'<toolspecific tool="x" version="1">{_HIDDEN}</toolspecific>',
    f"<!-- {_HIDDEN} -->",
    f"<![CDATA[ ]]>{_HIDDEN}",
    f"<![CDATA[{_HIDDEN}]]>",
    "<name><text>page</text></name>",
    "stray",
    '<page id="inner"><arc id="i" source="p1" target="t1"/></page>',
    '<arc id="typed" source="p0" target="t0"><type value="inhibitor"/></arc>',
    '<referencePlace id="p9" ref="p0"/>',
    '<arc id="far" source="p9" target="t0"/>',
    '<arc xmlns="other" id="foreign" source="p0" target="t0"/>',
    '<transition id="hot"><priority><text>1</text></priority></transition>',
    "<place id='quoted'/>",
    '<place id="pö"/>',
    '<place id="named"><name><text></text></name><initialMarking><text>1</text></initialMarking>'
    "<name><text>b</text></name></place>",
    '<place id="cut" <arc id="e" source="p0" target="t0"/>>',
)


@st.composite
def _nodes(draw: st.DrawFn) -> list[str]:
    places = [f'<place id="{p}">{draw(_name)}{draw(_marking)}</place>' for p in _PLACES]
    return [*places, '<transition id="t0"/>', f'<transition id="t1">{draw(_name)}</transition>']


@st.composite
def _arc(draw: st.DrawFn) -> str:
    ends = [draw(st.sampled_from(_PLACES)), draw(st.sampled_from(_TRANSITIONS))]
    if draw(st.booleans()):
        ends.reverse()
    if not draw(st.integers(0, 30)):
        ends = [draw(st.sampled_from(["p0", "nowhere", "p9"])), "p1"]
    start = f'<arc id="a{draw(st.integers(0, 1 << 60))}" source="{ends[0]}" target="{ends[1]}"'
    weight = draw(
        st.sampled_from(["", "1", "3", "007", "0", "-1"] if ends[1] == "p1" else ["", "2"])
    )
    if not weight:
        return start + draw(st.sampled_from(["/>", " />", "></arc>", ">\n</arc>"]))
    return f"{start}><inscription><text> {weight} </text>\n</inscription></arc>"


@st.composite
def _documents(draw: st.DrawFn) -> bytes:
    elements = draw(_nodes()) + draw(st.lists(_arc(), max_size=30))
    if not draw(st.integers(0, 5)):
        elements.append(draw(st.sampled_from(elements)))
    if draw(st.booleans()):
        elements = draw(st.permutations(elements))
    for odd in draw(st.lists(st.sampled_from(_ODD), max_size=1)):
        elements.insert(draw(st.integers(0, len(elements))), odd)
    body = "".join(element + draw(_space) for element in elements)
    return (_HEAD + body + _TAIL).encode()


@pytest.mark.parametrize("odd", _ODD)
def test_what_is_odd_ends_a_run(odd: str) -> None:
    plain = [f'<place id="{p}"/>' for p in _PLACES] + [
        f'<transition id="{t}"/>' for t in _TRANSITIONS
    ]
    plain += [f'<arc id="a{n}" source="p{n % 3}" target="t1"></arc>' for n in range(4)]
    for position in range(len(plain) + 1):
        body = "\n".join([*plain[:position], odd, *plain[position:]])
        document = (_HEAD + body + _TAIL).encode()
        assert read_pieces([document]) == read_singly(document)


@given(_documents(), st.lists(st.integers(0, 3000), max_size=3))
def test_runs_are_read_as_their_elements_are(document: bytes, cuts: list[int]) -> None:
    ends = sorted({0, len(document), *(min(cut, len(document)) for cut in cuts)})
    pieces = [document[begin:end] for begin, end in pairwise(ends)]
    assert read_pieces(pieces) == read_singly(document)


def test_a_line_end_of_two_characters_counts_once_wherever_the_file_is_cut() -> None:
    nodes = '\r\n<place id="p"/>\r\n<place id="q"/>\r\n<place id="p"/>'
    document = (_HEAD + nodes + _TAIL).encode()
    errors = {str(read_pieces([document[:cut], document[cut:]])) for cut in range(len(document))}
    assert errors == {str(read_pieces([document]))}


def test_arcs_of_different_runs_may_share_an_id_if_their_ends_differ() -> None:
    nodes = '<place id="p"/><place id="q"/><transition id="t"/><transition id="u"/>'
    first = '<arc id="x" source="p" target="u"/><arc id="a" source="p" target="t"/>'
    between = '<name><text>n</text></name><arc id="y" source="q" target="u"/>'
    other = '<arc id="a" source="q" target="t"/>'
    same = '<arc id="a" source="p" target="t"/>'
    net, _ = pnml.Pnml().read([f"{_HEAD}{nodes}{first}{between}{other}{_TAIL}".encode()], "n")
    assert net.transitions[0].pre == ((0, 1), (1, 1))
    with pytest.raises(InputError, match="arc 'a' has an id that is taken already"):
        pnml.Pnml().read([f"{_HEAD}{nodes}{first}{between}{same}{_TAIL}".encode()], "n")


def test_whitespace_is_passed_over_once() -> None:
    document = f'{_HEAD}<place id="p"/>{" " * (1 << 20)}{_TAIL}'
    net, _ = pnml.Pnml().read([document.encode()], "n")
    assert net.places == ("p",)
