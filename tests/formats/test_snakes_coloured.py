"""Coloured nets to SNAKES and back; SNAKES fires them as they fire here."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import Any

import pytest
from coloured_firing import enabled
from coloured_nets import Marking, coloured_nets, reachable
from folders import NETS
from hypothesis import given
from oracle import explore
from strategies import repeatable

import petricheck
from petricheck.formats.libraries import MAX_COPIES, from_snakes, to_snakes
from petricheck.model.coloured.net import Arcs, ColouredNet, Place, Transition
from petricheck.model.coloured.sorts import Dot, Enumeration, Partition, Product, Range, Sort
from petricheck.model.coloured.terms import Constant, Shifted, Summand, Variable
from petricheck.model.net import Net
from petricheck.support.errors import InputError

snakes = pytest.importorskip("snakes.nets")
LIMIT = 30


def by_snakes(net: Any, places: list[str], limit: int) -> set[frozenset[Any]] | None:
    """The markings that a net of SNAKES reaches; None where there are more than `limit`."""
    start = net.get_marking()
    known, queue = {_tokens(start, places)}, deque([start])
    while queue:
        marking = queue.popleft()
        for transition in net.transition():
            net.set_marking(marking)
            for mode in transition.modes():
                net.set_marking(marking)
                transition.fire(mode)
                after = net.get_marking()
                if _tokens(after, places) not in known:
                    known.add(_tokens(after, places))
                    queue.append(after)
        if len(known) > limit:
            return None
    return known


def _tokens(marking: Any, places: list[str]) -> frozenset[Any]:
    return frozenset(
        (name, value, marking[name](value))
        for name in places
        if name in marking
        for value in marking[name].domain()
    )


def valued(net: ColouredNet, markings: set[Marking] | None) -> set[frozenset[Any]] | None:
    """The markings with the tokens that SNAKES has."""
    if markings is None:
        return None
    return {
        frozenset((net.places[p].name, token(net.places[p].sort, c), k) for p, c, k in marking)
        for marking in markings
    }


def token(sort: Sort, colour: int) -> Any:
    """The colour as SNAKES has it."""
    match sort:
        case Dot():
            return snakes.dot
        case Enumeration(constants=names) | Partition(elements=names):
            return names[colour]
        case Range(first=first):
            return first + colour
        case Product(factors=factors):
            parts = []
            for factor in reversed(factors):
                parts.append(token(factor, colour % factor.size))
                colour //= factor.size
            return tuple(reversed(parts))


@repeatable(30)
@given(coloured_nets())
def test_snakes_reaches_the_same_markings(net: ColouredNet) -> None:
    places = [place.name for place in net.places]
    assert by_snakes(to_snakes(net), places, LIMIT) == valued(net, reachable(net, LIMIT))


@repeatable(30)
@given(coloured_nets())
def test_snakes_fires_under_the_same_bindings(net: ColouredNet) -> None:
    converted = to_snakes(net)
    for transition in net.transitions:
        modes = converted.transition(transition.name).modes()
        assert {tuple(mode[v.name] for v in transition.variables) for mode in modes} == {
            tuple(token(v.sort, binding[v.name]) for v in transition.variables)
            for binding in enabled(transition, net.initial)
        }


@pytest.mark.parametrize("steps", [-2, -1, 1, 2])
def test_colours_some_steps_away_are_those_of_snakes(steps: int) -> None:
    sort = Enumeration("S", tuple("abcde"), cyclic=True)
    x, first = Variable("x", sort), (Summand(1, Constant(sort, 0)),)
    onward = Transition("t", ((0, (Summand(1, x),)),), ((1, (Summand(1, Shifted(x, steps)),)),))
    net = ColouredNet("n", (Place("p", sort, first), Place("q", sort)), (onward,))
    expected = {frozenset({("p", "a", 1)}), frozenset({("q", "abcde"[steps], 1)})}
    assert by_snakes(to_snakes(net), ["p", "q"], LIMIT) == expected
    again = from_snakes(to_snakes(net))
    assert again == net


def test_what_takes_nothing_fires_in_snakes() -> None:
    net = petricheck.make_net("n", {"p": 0}, {"t": ({}, {"p": 1}), "all dots": ({"p": 2}, {})})
    converted = to_snakes(net)
    assert len(converted.transition("t").modes()) == 1
    assert converted.place("all dots'").tokens(snakes.dot) == 1
    assert from_snakes(converted) == net


@pytest.mark.parametrize("name", ["philosophers", "careful_philosophers"])
def test_the_unfolding_of_a_net_of_the_project_has_the_markings_of_snakes(name: str) -> None:
    flat = petricheck.load(str(NETS / f"{name}.pnml"))
    net = flat.origin.coloured
    assert petricheck.load(net) == flat
    places = [place.name for place in net.places]
    markings, unfolded = by_snakes(to_snakes(net), places, 100), explore(flat, 100)
    assert markings is not None and unfolded is not None
    assert {frozenset((f"{p}({c})", k) for p, c, k in marking) for marking in markings} == {
        frozenset((name, k) for name, k in zip(flat.places, m, strict=True) if k) for m in unfolded
    }


def without_subtraction(net: ColouredNet) -> ColouredNet:
    """The net with what its arcs to and from transitions add."""

    def added(arcs: Arcs) -> Arcs:
        return tuple((p, tuple(s for s in multiset if s.count > 0)) for p, multiset in arcs)

    transitions = (replace(t, pre=added(t.pre), post=added(t.post)) for t in net.transitions)
    return replace(net, transitions=tuple(transitions))


@repeatable(30)
@given(coloured_nets())
def test_a_coloured_net_comes_back_and_fires_alike(net: ColouredNet) -> None:
    net = without_subtraction(net)
    back = from_snakes(to_snakes(net))
    if isinstance(back, Net):
        assert all(place.sort == Dot() for place in net.places)
        return  # see test_snakes.py
    assert [place.name for place in back.places] == [place.name for place in net.places]
    assert valued(back, reachable(back, LIMIT)) == valued(net, reachable(net, LIMIT))


def philosophers() -> Any:
    """Three who take one fork after the other, as somebody writes them for SNAKES."""
    net = snakes.PetriNet("philosophers")
    net.declare("Phil = ('Kant', 'Marx', 'Hume')")
    names = snakes.OneOf("Kant", "Marx", "Hume")
    for place in ("think", "forks"):
        net.add_place(snakes.Place(place, ["Kant", "Marx", "Hume"], names))
    net.add_place(snakes.Place("hold", [], snakes.CrossProduct(names, snakes.Range(1, 3))))
    x = snakes.Variable("x")
    net.add_transition(snakes.Transition("first"))
    net.add_input("think", "first", x)
    net.add_input("forks", "first", x)
    net.add_output("hold", "first", snakes.Tuple([x, snakes.Value(1)]))
    guard = snakes.Expression("y == Phil[(Phil.index(x) + 1) % 3] and n < 2")
    net.add_transition(snakes.Transition("second", guard))
    net.add_input("hold", "second", snakes.Tuple([x, snakes.Variable("n")]))
    net.add_input("forks", "second", snakes.Variable("y"))
    net.add_output("hold", "second", snakes.Expression("(x, 2)"))
    return net


def test_a_coloured_net_of_snakes_that_was_built_by_hand_is_read() -> None:
    net = from_snakes(philosophers())
    assert isinstance(net, ColouredNet)
    assert petricheck.load(philosophers()).origin.coloured == net
    first, second = net.transitions
    kant = Enumeration("Phil", ("Kant", "Marx", "Hume"), cyclic=True)
    x, y, n = Variable("x", kant), Variable("y", kant), Variable("n", Range("", 1, 2))
    assert [place.sort for place in net.places] == [kant, kant, Product("", (kant, n.sort))]
    assert first.pre == ((0, (Summand(1, x),)), (1, (Summand(1, x),)))
    assert {*second.variables} == {x, y, n}
    markings = reachable(net, 100)
    assert valued(net, markings) == by_snakes(philosophers(), ["think", "forks", "hold"], 100)
    assert markings is not None and len(markings) == 14


def changed(**changes: Any) -> Any:
    """One place of two colours and one transition, joined by arcs, with something changed."""
    net = snakes.PetriNet("n")
    kind = snakes.OneOf("a", "b")
    net.declare(changes.get("declared", "S = ('a', 'b')"))
    net.add_place(snakes.Place("p", changes.get("tokens", ["a"]), changes.get("check", kind)))
    net.add_place(snakes.Place("q", [], snakes.Range(0, 4)))
    net.add_transition(snakes.Transition("t", snakes.Expression(changes.get("guard", "True"))))
    net.add_input("p", "t", changes.get("taken", snakes.Variable("x")))
    net.add_input("q", "t", snakes.Variable("n"))
    net.add_output("p", "t", changes.get("put", snakes.Value("a")))
    return net


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"check": snakes.tString}, "is of type"),
        ({"check": snakes.OneOf("a", 1)}, "is of type"),
        ({"check": snakes.Range(0, 10**9), "tokens": []}, "is of type"),
        ({"taken": snakes.Flush("x")}, "Flush"),
        ({"taken": snakes.Value("c")}, "'c' is none of the values"),
        ({"taken": snakes.Inhibitor(snakes.Value("a"))}, "Inhibitor"),
        ({"taken": snakes.MultiArc([snakes.Test(snakes.Variable("x"))])}, "Test"),
        ({"taken": snakes.MultiArc([snakes.Variable("n")])}, "n is both of"),
        ({"put": snakes.Expression("x.upper()")}, r"'x.upper\(\)' is no term"),
        ({"put": snakes.Expression("n")}, "is of 0..3, but S is needed"),
        ({"put": snakes.Variable("y")}, "'y' is no term"),
        ({"put": snakes.Expression("S[(S.index(x) + 1) % 3]")}, "is no term"),
        ({"put": snakes.Expression("S[S.index(x) + 1]")}, "is no term"),
        ({"guard": "x < 'b'"}, "is no comparison"),
        ({"guard": "x == n"}, "but S is needed"),
        ({"guard": "n + 1 == 2"}, "is no"),
        ({"guard": "n < 4"}, "4 is none of the values of 0..3"),
        ({"guard": "x"}, "'x' is no condition"),
        ({"guard": "x == ['a']"}, r"\['a'\] is none of the values of S"),
        ({"put": snakes.Tuple([snakes.Value("a")])}, "is no label of an arc at a place of S"),
        ({"guard": "x in ('a', 'b')"}, "is no comparison"),
        ({"guard": "S.index(x) == 0"}, "is no comparison"),
        ({"guard": "x", "declared": "x = True"}, "'x' is no condition"),
    ],
)
def test_what_is_no_net_of_this_language_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        from_snakes(changed(**changes))


def test_what_a_transition_tests_it_takes_and_puts_back() -> None:
    net = from_snakes(changed(taken=snakes.Test(snakes.Variable("x"))))
    assert isinstance(net, ColouredNet)
    x = Variable("x", net.places[0].sort)
    assert net.transitions[0].pre[0] == (0, (Summand(1, x),))
    assert net.transitions[0].post == ((0, (Summand(1, x), Summand(1, Constant(x.sort, 0)))),)


def test_names_that_python_cannot_spell_are_changed_and_sorts_declared() -> None:
    colours = Enumeration("in", ("a", "b"))
    odd, fine = Variable("a-b", colours), Variable("a_b", colours)
    put = ((0, (Summand(1, fine), Summand(1, odd))),)
    coloured = ColouredNet("n", (Place("p", colours),), (Transition("t", (), put),))
    net = to_snakes(coloured)
    assert net.globals["in2"] == ("a", "b")
    modes = net.transition("t").modes()
    assert sorted((mode["a_b"], mode["a_b2"]) for mode in modes) == [
        (x, y) for x in "ab" for y in "ab"
    ]


def test_a_sort_that_snakes_would_have_to_list_is_refused_where_it_is_large() -> None:
    variable = Variable("x", Range("", 0, MAX_COPIES))
    put = ((0, (Summand(1, variable),)),)
    net = ColouredNet("n", (Place("p", variable.sort),), (Transition("t", (), put),))
    with pytest.raises(InputError, match="no arc from a place binds"):
        to_snakes(net)
