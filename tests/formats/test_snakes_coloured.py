"""SNAKES fires coloured nets as they fire here."""

from __future__ import annotations

from collections import deque
from typing import Any

import pytest
from coloured_firing import enabled
from coloured_nets import Marking, coloured_nets, reachable
from folders import NETS
from hypothesis import given
from oracle import explore
from snakes_oracle import coloured_to_snakes
from strategies import repeatable

import petricheck
from petricheck.formats.libraries import MAX_COPIES, to_snakes
from petricheck.model.coloured.net import ColouredNet, Place, Transition
from petricheck.model.coloured.sorts import Dot, Enumeration, Partition, Product, Range, Sort
from petricheck.model.coloured.terms import Constant, Shifted, Summand, Variable
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
    assert by_snakes(coloured_to_snakes(net), places, LIMIT) == valued(net, reachable(net, LIMIT))


@repeatable(30)
@given(coloured_nets())
def test_snakes_fires_under_the_same_bindings(net: ColouredNet) -> None:
    converted = coloured_to_snakes(net)
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
    assert by_snakes(coloured_to_snakes(net), ["p", "q"], LIMIT) == expected


@pytest.mark.parametrize("name", ["philosophers", "careful_philosophers"])
def test_the_unfolding_of_a_net_of_the_project_has_the_markings_of_snakes(name: str) -> None:
    flat = petricheck.load(str(NETS / f"{name}.pnml"))
    net = flat.origin.coloured
    assert petricheck.load(net) == flat
    places = [place.name for place in net.places]
    markings, unfolded = by_snakes(coloured_to_snakes(net), places, 100), explore(flat, 100)
    assert markings is not None and unfolded is not None
    assert {frozenset((f"{p}({c})", k) for p, c, k in marking) for marking in markings} == {
        frozenset((name, k) for name, k in zip(flat.places, m, strict=True) if k) for m in unfolded
    }


def test_names_that_python_cannot_spell_are_changed_and_sorts_declared() -> None:
    colours = Enumeration("in", ("a", "b"))
    odd, fine = Variable("a-b", colours), Variable("a_b", colours)
    put = ((0, (Summand(1, fine), Summand(1, odd))),)
    coloured = ColouredNet("n", (Place("p", colours),), (Transition("t", (), put),))
    net = coloured_to_snakes(coloured)
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
        coloured_to_snakes(net)


def test_the_public_conversion_refuses_coloured_nets() -> None:
    with pytest.raises(InputError, match="a place/transition net is converted"):
        to_snakes(ColouredNet("n", (), ()))  # type: ignore[arg-type]
