"""Coloured nets that are put together in Python: what is of a wrong sort is refused."""

from __future__ import annotations

import pytest
from coloured_nets import coloured_nets
from hypothesis import given
from strategies import repeatable

import petricheck
from petricheck.model.coloured.net import Arcs, ColouredNet, Place, Transition
from petricheck.model.coloured.sorts import Dot, Enumeration, Partition, Product, Range
from petricheck.model.coloured.terms import (
    TRUE,
    Comparison,
    Constant,
    ElementOf,
    Guard,
    Multiset,
    Not,
    Shifted,
    Some,
    Summand,
    Term,
    Tuple,
    Variable,
)
from petricheck.model.coloured.well_sorted import check_sorts
from petricheck.support.errors import InputError

S, R = Enumeration("S", ("a", "b"), cyclic=True), Range("R", 1, 2)
PAIR, PARTS = Product("Pair", (S, R)), Partition("Parts", S, ("u",), (0, 0))
X, N = Variable("x", S), Variable("n", R)


def net(
    post: Multiset = (), guard: Guard = TRUE, initial: Multiset = (), pre: Arcs = ()
) -> ColouredNet:
    """A place of a cyclic enumeration, one of pairs, and a transition."""
    places = Place("p", S, initial), Place("q", PAIR), Place("r", PARTS)
    return ColouredNet("n", places, (Transition("t", pre, ((0, post),) if post else (), guard),))


def one(term: Term) -> Multiset:
    return (Summand(1, term),)


@repeatable(25)
@given(coloured_nets())
def test_random_nets_are_well_sorted(coloured: ColouredNet) -> None:
    check_sorts(coloured)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (net(one(N)), "'t': n is of R, but its place of S"),
        (net(one(Constant(S, 2))), "number 2 is no colour of S"),
        (net(one(X), Comparison("=", Variable("x", R), N)), "x is of two sorts"),
        (net(guard=Comparison("=", X, N)), "compares colours of two sorts"),
        (net(guard=Some((Not(Comparison("<", *[Tuple((X, N))] * 2)),))), "no order"),
        (net(guard=Comparison("=", Shifted(N, 1), N)), "R, which is no cyclic"),
        (net(pre=((2, one(ElementOf(PARTS, N))),)), "Parts takes another sort apart"),
        (net(pre=((1, one(Tuple((X, Shifted(N, 1))))),)), "no cyclic"),
        (net(pre=((3, one(X)),)), "by its number"),
        (net(pre=((0, one(X)), (0, one(X)))), "each place once"),
        (net(initial=one(X)), "'p': initially there is no variable x"),
        (net(initial=one(Constant(Dot(), 0))), "of dot, but its place of S"),
    ],
)
def test_what_is_of_a_wrong_sort_is_refused(wrong: ColouredNet, words: str) -> None:
    with pytest.raises(InputError, match=words):
        petricheck.unfold(wrong)


def test_what_ranges_is_no_variable_of_the_transition() -> None:
    every = Variable("x", S)
    fine = net((Summand(1, every, (every,)),), Comparison("=", Variable("x", R), N))
    assert len(petricheck.unfold(fine).transitions) == 2
