"""The question after deadlocks: what it means, how small it stays, and what is answered."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from folders import NETS
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import net_of
from oracle import known_verdict, replay
from questions import parse_query
from questions import problem as ask
from strategies import markings, nets

import petricheck
from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    at_most,
    atoms,
    conjunction,
    disjunction,
    evaluate,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.answer import Trace, Unreachable
from petricheck.formats.language.enabling import minimal
from petricheck.formats.nets import read_net
from petricheck.model.net import make_net
from petricheck.questions import VERDICTS, check
from petricheck.support.budget import Budget
from petricheck.support.errors import QueryError

EIGHT = str(NETS / "manufacturing_8_U.pnml")
NINE = str(NETS / "manufacturing_9_R.pnml")


@given(st.data())
def test_it_holds_exactly_where_no_transition_is_enabled(data):
    net = data.draw(nets())
    marking = data.draw(markings(net))
    enabled = any(transition.enabled(marking) for transition in net.transitions)
    assert evaluate(parse_query("deadlock", net, ""), net.values(marking)) == (not enabled)


@pytest.mark.parametrize("word", ["deadlock", "(deadlock)", "( not not deadlock )"])
def test_the_word_in_a_formula_means_the_same(word):
    net = net_of("p=1 q=0, t: p -> q, u: 2 q -> p")
    deadlock = parse_query("deadlock", net, "")
    assert parse_query("formula", net, word) == deadlock
    joined = parse_query("formula", net, f"q = 1 and {word} or p mod 2 = 1")
    for p, q in [(0, 0), (0, 1), (1, 1), (0, 2), (2, 1), (2, 0)]:
        values = {"p": p, "q": q}
        assert evaluate(joined, values) == ((q == 1 and evaluate(deadlock, values)) or p == 1)


@pytest.mark.parametrize("name", ["deadlock", '"deadlock"'])
@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("{} = 2", lambda d: d == 2),
        ("{}!=0", lambda d: d != 0),
        ("1 <= {}", lambda d: d >= 1),
        ("2 * ({} + 1) > 4", lambda d: d > 1),
        ("{} mod 2 = 1", lambda d: d % 2 == 1),
        ("not({}-1<1) and true", lambda d: d >= 2),
    ],
)
def test_a_place_called_deadlock_is_one_where_it_is_compared(name, text, meaning):
    formula = parse_query("formula", make_net("n", {"deadlock": 1}, {}), text.format(name))
    assert [evaluate(formula, {"deadlock": d}) for d in range(4)] == list(map(meaning, range(4)))


@pytest.mark.parametrize("text", ["deadlock", "p = 1 and (deadlock)", "deadlock -> deadlock = 0"])
def test_the_word_alone_is_refused_where_a_place_is_called_so(text):
    for places, labels in [(("p", "deadlock"), ("", "")), (("p", "q"), ("", "deadlock"))]:
        net = make_net("n", dict.fromkeys(places, 0), {"deadlock": ({"p": 1}, {})})
        with pytest.raises(QueryError, match="deadlock is a place of this net: write") as refusal:
            parse_query("formula", replace(net, labels=labels), text)
        assert refusal.value.position == text.index("deadlock")
        assert parse_query("formula", net, "p = 1 and enabled(deadlock)")


vectors = st.dictionaries(st.integers(0, 3), st.integers(1, 3)).map(
    lambda v: tuple(sorted(v.items()))
)


@given(st.lists(vectors, max_size=8))
def test_minimal_vectors_are_those_above_no_other(given_vectors):
    def below(lower, upper):
        return all(weight <= dict(upper).get(place, 0) for place, weight in lower)

    distinct = set(given_vectors)
    expected = {v for v in distinct if not any(below(w, v) for w in distinct - {v})}
    found = minimal(given_vectors)
    assert set(found) == expected
    assert len(found) == len(expected)


def test_a_transition_that_needs_more_than_another_adds_nothing():
    net = net_of("p=0 q=0, more: 3 p + q ->, less: 2 p -> q, again: 2 p ->, other: q + p ->")
    few = at_most(variable("p"), 1)
    either = disjunction([at_most(variable("p"), 0), at_most(variable("q"), 0)])
    assert parse_query("deadlock", net, "") == conjunction([few, either])


def test_a_net_with_a_transition_that_needs_nothing_never_stops():
    net = make_net("n", {"p": 1}, {"source": ({}, {"p": 1}), "t": ({"p": 1}, {})})
    assert parse_query("deadlock", net, "") == FALSE
    result = check(ask(net, deadlock=""))
    assert isinstance(result.answer, Unreachable)
    assert result.audit


def test_a_net_without_transitions_has_stopped_already():
    net = make_net("n", {"p": 1}, {})
    assert parse_query("deadlock", net, "") == TRUE
    assert check(ask(net, deadlock="")).answer.trace == Trace(())


def test_thousands_of_transitions_make_a_formula_of_their_arcs_and_not_its_cubes():
    count = 5_000
    arcs = {f"t{n}": ({f"p{n}": 1, f"p{n + 1}": 2}, {f"p{n}": 1}) for n in range(count)}
    net = make_net("n", {f"p{n}": 0 for n in range(count + 1)}, arcs)
    target = ask(net, deadlock="").target
    assert len(target.operands) == count
    assert sum(1 for _ in atoms(target)) == 2 * count


def test_words_are_refused_where_they_begin():
    with pytest.raises(QueryError) as caught:
        parse_query("deadlock", make_net("n", {"p": 1}, {}), "  p=1")
    assert caught.value.position == 2


@settings(deadline=None, max_examples=15)
@given(nets(max_places=3, max_transitions=4))
def test_verdicts_agree_with_brute_force(net):
    problem = ask(net, deadlock="")
    finding = check(problem, budget=Budget(seconds=0.5))
    known = known_verdict(problem, 300)
    assert finding.value is None or known in (None, VERDICTS.describe(finding.value))


def test_eight_pieces_never_block_the_manufacturing_system():
    result = check(ask(read_net(EIGHT).net, deadlock=""), budget=Budget(seconds=60))
    assert isinstance(result.answer, Unreachable)
    assert result.audit


def test_nine_pieces_can_block_the_manufacturing_system():
    net = read_net(NINE).net
    witness = tuple(json.loads((NETS / "manufacturing_9_R.json").read_text())["witness"])
    marking = replay(net, witness)
    assert evaluate(ask(net, deadlock="").target, net.values(marking))


def test_the_answer_is_also_told_in_the_word_for_such_a_net():
    alive, dead = (net_of(f"p=1 q=0, go: p -> {to}") for to in "pq")
    for net, sentence, words in (
        (alive, "The net is deadlock-free.", "deadlock-free"),
        (dead, "The net has a deadlock.", "a deadlock"),
    ):
        finding = check(petricheck.ask(net, deadlock=True))
        assert str(finding).splitlines()[1] == sentence
        assert finding.question.answers.read(words) is finding.value
        assert finding.headline == ("reachable" if finding.value else "unreachable")
