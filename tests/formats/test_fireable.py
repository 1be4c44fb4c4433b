"""The question after markings that enable transitions, asked by itself and within formulas."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from questions import parse_query
from strategies import markings, nets

from petricheck.arithmetic.formulas.formulas import TRUE, evaluate
from petricheck.formats.language.enabling import minimal
from petricheck.model.net import make_net
from petricheck.support.errors import QueryError

ODD = make_net("n", {"p": 1, "fireable": 0}, {"t-1": ({"p": 2}, {}), "or": ({}, {}), "t": ({}, {})})


@settings(max_examples=10)
@given(st.data())
def test_it_holds_exactly_where_one_of_the_named_transitions_is_enabled(data):
    net = data.draw(nets())
    chosen = data.draw(st.lists(st.sampled_from(net.transitions), min_size=1, max_size=3))
    marking = data.draw(markings(net))
    names = ", ".join(transition.name for transition in chosen)
    expected = any(transition.enabled(marking) for transition in chosen)
    for kind, text in (
        ("fireable", names),
        ("formula", f"true and fireable({names})"),
        ("formula", f"enabled({names})"),
    ):
        assert evaluate(parse_query(kind, net, text), net.values(marking)) == expected
    denied = parse_query("formula", net, f"not fireable({names})")
    assert evaluate(denied, net.values(marking)) != expected


_needs = st.dictionaries(st.integers(0, 3), st.integers(1, 3)).map(
    lambda n: tuple(sorted(n.items()))
)


@given(st.lists(_needs, max_size=12))
def test_what_is_above_another_is_not_minimal(needs):
    def below(lower, upper):
        return all(weight <= dict(upper).get(place, 0) for place, weight in lower)

    kept = minimal(needs)
    assert len(kept) == len(set(kept))
    assert set(kept) == {n for n in needs if all(n == m or not below(m, n) for m in needs)}
    assert [len(n) for n in kept] == sorted(len(n) for n in kept)


def test_names_stand_between_commas_and_new_lines_quoted_where_they_are_odd():
    asked = parse_query("formula", ODD, "p >= 2")
    for text in ("t-1", '"t-1" # this one', " t-1,\n"):
        assert parse_query("fireable", ODD, text) == asked
    assert parse_query("fireable", ODD, "t-1\nor") == TRUE
    assert parse_query("formula", ODD, 'fireable ( "t-1" )') == asked


def test_an_odd_name_within_fireable_needs_no_quotes_and_is_no_sum():
    net = replace(ODD, places=("t", "t-1"))
    meant = parse_query("formula", net, 't - 1 = 0 and fireable(t, "t-1")')
    assert parse_query("formula", net, "t - 1 = 0 and fireable(t,t-1)") == meant
    assert parse_query("formula", net, "t - 1 = 0 and enabled (t,t-1)") == meant
    with pytest.raises(QueryError, match="there is no transition 't-2'; did you mean"):
        parse_query("formula", net, "fireable(t-2)")


def test_a_transition_is_called_by_its_human_name_where_it_alone_has_it():
    labels = ("start, now", "go!", "go!")
    labelled = [replace(t, label=label) for t, label in zip(ODD.transitions, labels, strict=True)]
    net = replace(ODD, transitions=tuple(labelled))
    asked = parse_query("fireable", net, "t-1")
    assert parse_query("fireable", net, '"start, now"') == asked
    assert parse_query("formula", net, 'fireable("start, now")') == asked
    with pytest.raises(QueryError, match=r"several transitions; write \"go! \(or\)\" or"):
        parse_query("fireable", net, "go!")


@pytest.mark.parametrize("word", ["fireable", "enabled"])
def test_a_place_may_be_called_like_the_word(word):
    net = replace(ODD, places=("p", word))
    assert parse_query("formula", net, f'{word} = 0 or enabled("or")') == TRUE
    assert evaluate(parse_query("formula", net, f"{word} = 0"), {"p": 0, word: 0})
    with pytest.raises(QueryError, match=f'the place called {word} are written "{word}"') as error:
        parse_query("formula", net, f"{word}(a) = 0")
    assert error.value.position == len(word) + 1


@pytest.mark.parametrize(
    ("kind", "text", "complaint", "rest"),
    [
        ("fireable", "", "no transition is named; name one, as in '\"t-1\"'", ""),
        ("fireable", "t, t_1", "there is no transition 't_1'; did you mean", "t_1"),
        ("fireable", "p", "there is no transition 'p'; it is a place", "p"),
        ("fireable", "t or", "expected a comma or a new line", "or"),
        ("fireable", "t, t t, t", "expected a comma or a new line", "t, t"),
        ("fireable", "t t, t", "expected a comma or a new line", "t, t"),
        ("cover", "p = 1, fireable = 1 p = 2, p = 3", "expected a comma or", "p = 2, p = 3"),
        ("target", "p = 1 fireable = 1, p = 3", "expected a comma or", "fireable = 1, p = 3"),
        ("fireable", 't, "or', "this quote is never closed", '"or'),
        ("formula", "fireable(q)", "there is no transition 'q'", "q)"),
        ("formula", "fireable()", "expected the name of a transition", ")"),
        ("formula", "fireable(t t)", "expected ',' or ')'", "t)"),
        ("formula", "p = 1, p = 1", "conditions are joined by 'and'", ", p = 1"),
    ],
)
def test_what_makes_no_sense_is_refused_where_it_stands(kind, text, complaint, rest):
    with pytest.raises(QueryError) as caught:
        parse_query(kind, ODD, text)
    assert complaint in caught.value.message
    assert text[caught.value.position :] == rest
