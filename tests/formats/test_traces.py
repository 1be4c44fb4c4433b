"""Firing sequences in the notations of users, of petricheck's own output, of TAPAAL and of Tina."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from notation import net_of

from petricheck.evidence.answer import Trace
from petricheck.formats.traces import read_trace
from petricheck.model.net import make_net
from petricheck.support.errors import QueryError

NET = net_of("p=1 q=0, t: p -> q, u: q -> p, t2: p -> p")
NET = replace(
    NET, transitions=(*NET.transitions, replace(NET.transitions[0], name="a-b", label="go on"))
)
ODD = make_net("n", {"p": 1}, dict.fromkeys(("t^2", "x y", "3", "t(1)", 'q"', "t"), ({}, {})))


@pytest.mark.parametrize(
    "text",
    [
        "t u^2 a-b",
        "  t\n  u^2 a-b\n",
        "t, u*2, a-b # the end",
        "t\nu * 2\n# a comment\n{a-b}",
        't "u" ^ 2 "a-b"',
        't,u^2,"go on"',
        '[["t", 1], ["u", 2], "a-b"]',
        '{"claims": [{"trace": [["t", 1], ["u", 2], ["a-b", 1]], "stops": []}]}',
        '{"after": ["t", ["u", 2], "a-b"]}',
        ' {"value": 1, "evidence": {"claims": [{"trace": ["t", ["u", 2], "a-b"]}, {"home": 1}]}}',
    ],
)
def test_notations_of_one_sequence(text: str) -> None:
    assert read_trace(NET, text) == Trace((("t", 1), ("u", 2), ("a-b", 1)))


XML = """<trace>
  <transition id="t">
    <token place="p" age="0"/>
  </transition>
  <transition id="go on" index="4"/>
  <deadlock/>
</trace>"""


@pytest.mark.parametrize(
    "text", [XML, f"Trace:\n{XML}\nQuery is satisfied.\n", f"<?xml version='1.0'?>{XML}"]
)
def test_a_trace_of_tapaal_is_read_with_the_lines_around_it(text: str) -> None:
    assert read_trace(NET, text) == Trace((("t", 1), ("a-b", 1)))


def test_odd_names_are_quoted_and_counts_have_no_bound() -> None:
    names = [*ODD.actions]
    listed = " ".join(f'"{name}"^{10**30}'.replace('q""', 'q\\""') for name in names)
    assert read_trace(ODD, listed).steps == tuple((name, 10**30) for name in names)
    assert read_trace(ODD, "t^2 3*3 t(1)^4 {x y} {t^2}").steps == (
        ("t", 2), ("3", 3), ("t(1)", 4), ("x y", 1), ("t^2", 1),
    )  # fmt: skip
    assert read_trace(ODD, json.dumps(names)).steps == tuple((name, 1) for name in names)


@pytest.mark.parametrize(
    ("text", "message", "position"),
    [
        ("", "no transition is named", 0),
        (" # nothing", "no transition is named", 0),
        ("t v", "there is no transition 'v'", 2),
        ("t p", "there is no transition 'p'; it is a place", 2),
        ("t u^0", "fires once or more often", 4),
        ("t u^", "expected the name of a transition", 3),
        ("t u^-2", "expected the name of a transition", 3),
        ("t ^2 ^3", "expected the name of a transition", 5),
        ("3*t", "there is no transition '3'", 0),
        ('t "u', "expected the name of a transition", 2),
        ("t u^2 … and 7 more steps", "was shortened where it was printed; --trace", 6),
        ("t@5", "there is no transition 't@5'", 0),
        (f"t^{'9' * 5000}", "digits is refused", 2),
        ("[", "not readable as JSON", None),
        ('["t", ["u", 0]]', "fires once or more often", None),
        ('["t", ["u"]]', r"no list of \[transition, how often\]", None),
        ('["t", ["u", 1.5]]', r"no list of \[transition, how often\]", None),
        ('["t", 3]', r"no list of \[transition, how often\]", None),
        ('{"claims": []}', "has no trace", None),
        ('{"claims": [{"trace": []}, {"trace": []}]}', "has 2 traces", None),
        ('["v"]', "there is no transition 'v'", None),
        (
            XML.replace("<deadlock/>", "<delay>1</delay>"),
            "<delay> in a trace of TAPAAL is not",
            None,
        ),
        (XML.replace("</trace>", ""), "not well-formed XML", None),
        ('<!DOCTYPE trace [<!ENTITY t "t">]><trace><transition id="&t;"/></trace>', "XML", None),
    ],
)
def test_what_is_no_sequence_is_refused_where_it_stands(
    text: str, message: str, position: int | None
) -> None:
    with pytest.raises(QueryError, match=message) as refusal:
        read_trace(NET, text)
    assert refusal.value.position == position
