"""Files of petrify and Workcraft: what they mean as nets, and what is refused."""

from __future__ import annotations

import pytest
from oracle import explore

from petricheck.formats.nets.stg import Stg
from petricheck.model.net import Net, make_net
from petricheck.support.errors import InputError


def stg(text: str, net_id: str | None = None) -> tuple[Net, tuple[str, ...]]:
    return Stg().read((text.encode(),), "n.g", net_id)


def refused(text: str) -> str:
    with pytest.raises(InputError) as caught:
        stg(text)
    assert caught.value.path == "n.g"
    return str(caught.value)


SMALL = """.model small
.inputs a
.outputs b
.internal c
.dummy d
.graph
a+ b- d
d p(3)
p c~/2 d/1
b- c~/2
.marking { <a+,b->=2 p }
.end
"""


def test_signals_dummies_and_implicit_places_are_read_as_a_net() -> None:
    net, warnings = stg(SMALL)
    names = ("<a+,b->", "<a+,d>", "p", "<b-,c~/2>")
    assert net == make_net(
        "small",
        dict(zip(names, (2, 0, 1, 0), strict=True)),
        {
            "a+": ({}, {"<a+,b->": 1, "<a+,d>": 1}),
            "b-": ({"<a+,b->": 1}, {"<b-,c~/2>": 1}),
            "d": ({"<a+,d>": 1}, {"p": 3}),
            "c~/2": ({"p": 1, "<b-,c~/2>": 1}, {}),
            "d/1": ({"p": 1}, {}),
        },
    )
    assert warnings == ()


def test_a_ring_of_signals_reaches_as_many_markings_as_it_has_places() -> None:
    ring = ".inputs r\n.outputs a\n.graph\nr+ a+\na+ r-\nr- a-\na- r+\n.marking{<a-,r+>}\n.end"
    net, _ = stg(ring)
    assert (net.name, len(explore(net, 9) or ())) == ("", 4)


def test_values_of_signals_are_ignored_and_what_follows_the_end_is_not_read() -> None:
    net, warnings = stg(SMALL.replace(".end", ".initial_state !a b\n.end\n} ( what"))
    assert net == stg(SMALL)[0]
    assert warnings == ("values of signals are ignored, since no arc asks for them",)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (".outputs b", ".outputs", "line 7: 'b-' is written like a transition, but no signal"),
        (".dummy d", "", "line 8: an arc joins two places, 'd' and 'p'"),
        (".dummy d", ".capacity p=3", "line 5: the file gives capacities of places"),
        (".graph", ".state graph", "line 6: this is a state graph and no Petri net"),
        (".dummy d", ".dummy d\n.slowenv", "line 6: .slowenv is not known here"),
        (".graph", ".graph\n.outputs e", "line 7: .outputs comes too late"),
        ("p c~/2", "p q", "line 9: an arc joins two places, 'p' and 'q'"),
        ("p c~/2", "p c~/2 c~/2", "line 9: the arc from 'p' to 'c~/2' is given twice"),
        ("a+ b-", "a+ b-(2)", "line 7: an arc between two transitions has a weight"),
        ("p(3)", "p(0)", "line 8: an arc of weight 0 is none"),
        ("p(3)", "p(1,3)", "line 8: ',' stands where ')' was expected"),
        ("p(3)", "p(-3)", "line 8: '-3' is no number"),
        ("p(3)", f"p({'9' * 5000})", "line 8: a number of 5000 digits is refused"),
        ("d/1", "d/0", "line 9: d and d/0 are one transition to some tools"),
        ("{ <a+", "{ p <a+", "line 11: 'p' is marked twice"),
        ("<a+,b->=2", "<a+,c~>", "line 11: there is no place '<a+,c~>'"),
        (".marking", "# .marking", "the file has no .marking; add it"),
        (".end", "", "the file ends where a section, such as .graph, or .end was expected"),
        (".end", ".model two\n.end", ".model is given twice"),
        (".end", "rest\n.end", "line 12: 'rest' stands where a section"),
    ],
)  # fmt: skip
def test_what_could_mean_another_net_is_refused(old: str, new: str, said: str) -> None:
    assert SMALL.count(old) >= 1
    assert said in refused(SMALL.replace(old, new, 1))


def test_every_beginning_of_a_file_is_refused_with_one_sentence() -> None:
    whole = SMALL.rstrip()
    for length in range(len(whole)):
        assert "\n" not in refused(whole[:length])


def test_a_net_of_another_name_is_not_there_and_none_is_written() -> None:
    assert stg(SMALL, "small")[0].name == "small"
    with pytest.raises(InputError, match="none called 'other'"):
        stg(SMALL, "other")
    with pytest.raises(InputError, match="not written"):
        Stg().write(stg(SMALL)[0])


def test_a_large_file_is_read() -> None:
    size = 10_000
    lines = "".join(f"p{number} a+/{number}\n" for number in range(1, size))
    net, _ = stg(f".inputs a\n.graph\n{lines}.marking {{}}\n.end")
    assert (len(net.places), len(net.transitions)) == (size - 1, size - 1)
