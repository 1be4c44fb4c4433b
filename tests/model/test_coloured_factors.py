"""What a coloured transition needs, taken apart: the same markings, in fewer words."""

from __future__ import annotations

from itertools import product

import pytest

from petricheck.arithmetic.formulas.formulas import Formula, evaluate
from petricheck.arithmetic.formulas.text import to_text
from petricheck.formats.language.model import deadlocked
from petricheck.model.coloured.net import ColouredNet, Place, Transition
from petricheck.model.coloured.sorts import Enumeration
from petricheck.model.coloured.terms import (
    TRUE,
    All,
    Comparison,
    Constant,
    Guard,
    Not,
    Some,
    Summand,
    Term,
    Variable,
)
from petricheck.model.coloured.unfolding import unfold
from petricheck.model.net import Net
from petricheck.questions import ask
from petricheck.support.budget import Budget

COLOURS = Enumeration("C", ("a", "b"))
X, Y, Z = (Variable(name, COLOURS) for name in "xyz")


def same(left: Term, right: Term) -> Guard:
    return Comparison("=", left, right)


def taking(guard: Guard, *taken: tuple[Variable, ...]) -> Net:
    """The unfolding of a transition that takes these variables from a place each, all marked."""
    every = (Summand(1, X, (X,)),)
    places = tuple(Place(f"p{n}", COLOURS, every) for n in range(len(taken)))
    pre = tuple((n, tuple(Summand(1, v) for v in names)) for n, names in enumerate(taken))
    return unfold(ColouredNet("net", places, (Transition("t", pre, (), guard),)), Budget())


PARITY = Some(
    (
        All((same(X, Y), same(Z, Constant(COLOURS, 0)))),
        All((Not(same(X, Y)), same(Z, Constant(COLOURS, 1)))),
    )
)
"""Each two of the variables have all four pairs of colours, but all three not all eight."""
OTHERWISE = Some((All((same(X, Y), same(X, Z))), Not(same(X, Y))))

NEEDS = {
    "p0(a) + p0(b) >= 1": (TRUE, (X,)),
    "p0(a) + p0(b) >= 1 and p1(a) + p1(b) >= 1": (TRUE, (X,), (Y,)),
    "p0(a) + p0(b) >= 2": (TRUE, (X, Y)),
    "p0(a) + p0(b) >= 2 and p1(a) + p1(b) >= 1": (TRUE, (X, Y), (Z,)),
    "(p0(a) >= 1 and p1(a) >= 1) or (p0(b) >= 1 and p1(b) >= 1)": (TRUE, (X,), (X,)),
    "(p0(a) >= 1 and p1(b) >= 1) or (p0(b) >= 1 and p1(a) >= 1)": (Not(same(X, Y)), (X,), (Y,)),
    "p0(a) >= 1 and p0(b) >= 1": (Not(same(X, Y)), (X, Y)),
    "p1(a) + p1(b) >= 1 and ((p0(a) >= 1 and p2(a) >= 1) or (p0(b) >= 1 and p2(b) >= 1))": (
        same(X, Z), (X,), (Y,), (Z,)
    ),
    "false": (Not(same(X, X)), (X,), (Y,)),
}  # fmt: skip


@pytest.mark.parametrize("text", NEEDS)
def test_what_does_not_depend_is_told_apart(text: str) -> None:
    assert to_text(ask(taking(*NEEDS[text]), fireable="t").target) == text


@pytest.mark.parametrize(
    "guard", [TRUE, PARITY, OTHERWISE, same(X, Y), Not(same(X, Y)), Not(same(X, X))]
)
@pytest.mark.parametrize("taken", [((X,), (Y,), (Z,)), ((X, Y), (Z,)), ((X, Y, Z),)])
def test_it_holds_where_a_binding_finds_its_tokens(
    guard: Guard, taken: tuple[tuple[Variable, ...], ...]
) -> None:
    net = taking(guard, *taken)
    fires, stops = ask(net, fireable="t").target, deadlocked(net)
    assert fires is not None
    for marking in product(range(3), repeat=len(net.places)):
        enabled = any(transition.enabled(marking) for transition in net.transitions)
        assert [holds(fires, net, marking), holds(stops, net, marking)] == [enabled, not enabled]


def holds(formula: Formula, net: Net, marking: tuple[int, ...]) -> bool:
    return evaluate(formula, net.values(marking))


def test_three_parts_that_depend_together_only_stay_together() -> None:
    target = ask(taking(PARITY, (X,), (Y,), (Z,)), fireable="t").target
    assert target is not None
    assert "+" not in to_text(target)
