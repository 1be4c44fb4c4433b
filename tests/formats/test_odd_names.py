"""Odd names are read without quotes where nothing else can be meant, and never otherwise."""

from __future__ import annotations

import pytest
from questions import parse_query

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.model.net import Net, make_net
from petricheck.support.errors import QueryError


def net_of(*places: str) -> Net:
    return make_net("odd", dict.fromkeys(places, 0), {})


def read(net: Net, text: str) -> Formula:
    return parse_query("formula", net, text)


@pytest.mark.parametrize(
    ("places", "bare", "quoted"),
    [
        (["P-start_2"], "P-start_2 = 1", '"P-start_2" = 1'),
        (["P-start_2", "q"], "2*P-start_2+q<=3", '2*"P-start_2" + q <= 3'),
        (["a.b", "a"], "a.b=1 and a=0", '"a.b" = 1 and "a" = 0'),
        (["1st", "p[1]", "x:y/z"], "1st + p[1] = x:y/z", '"1st" + "p[1]" = "x:y/z"'),
        (["a-b", "a"], "a-b = 1", '"a-b" = 1'),
        (["a-b", "c-d"], "-a-b-c-d = 1", '- "a-b" - "c-d" = 1'),
        (["a-1"], "a-1 = 1 -> a-1=0", '"a-1" = 1 -> "a-1" = 0'),
        (["-x", "y"], "y--x = 1", 'y - "-x" = 1'),
        (["1", "2", "x-y"], "2*x-y+1 = 0", '2*"x-y" + 1 = 0'),
    ],
)
def test_an_odd_name_needs_no_quotes_where_nothing_else_can_be_meant(places, bare, quoted):
    net = net_of(*places)
    assert read(net, bare) == read(net, quoted)


@pytest.mark.parametrize(
    ("places", "text", "meant"),
    [
        (["a-b", "a", "b"], "a-b = 1", '"a" - "b" = 1'),
        (["a-1", "a"], "a-1 = 1", '"a" - 1 = 1'),
        (["12", "p"], "p = 12", '"p" - 12 = 0'),
        (["a*2", "a"], "a*2 = 2", '2*"a" = 2'),
        (["a-", "a", "b"], "a = 1 and b=a->b=1", "(a = 1 and b = a) -> b = 1"),
        (["a-b", "a", "b"], '"a-b" = 1 # a-b', '"a-b" = 1'),
        (["not-a", "a"], "not-a = 1", 'not (- "a" = 1)'),
        (["1and-a", "a"], "a=1and-a=0", '"a" = 1 and - "a" = 0'),
    ],
)
def test_what_can_be_read_without_odd_names_is_read_so(places, text, meant):
    net = net_of(*places)
    assert read(net, text) == read(net, meant)


@pytest.mark.parametrize(
    ("places", "text", "hint"),
    [
        (["a-b", "b-c", "a", "c"], "a-b-c = 1", '"a-b-c"'),
        (["busy", "idle"], "busy-1-x = 1", '; a name with odd characters is quoted: "busy-1-x"'),
        (["p"], "q = 1", "there is no place 'q'\n"),
        (["a-b"], "a-b2 = 1", 'did you mean "a-b"?'),
    ],
)
def test_what_is_not_clear_is_refused_with_a_hint(places, text, hint):
    with pytest.raises(QueryError) as caught:
        read(net_of(*places), text)
    assert hint in str(caught.value)


def test_names_that_people_gave_may_be_odd_as_well():
    net = Net("named", ("p1", "p2"), (), (0, 0), ("robot-busy", "robot idle"))
    assert read(net, "robot-busy > p2") == read(net, "p1 > p2")


def test_a_long_word_of_many_readings_is_refused_soon():
    net = net_of("a-a", "a-a-a", "b")
    with pytest.raises(QueryError):
        read(net, "-".join(["a"] * 99) + "-b = 1")
