"""Simplification: what is left of a target says the same in every reachable marking."""

from __future__ import annotations

import pytest
from hypothesis import given
from notation import formula, net_of
from oracle import first_markings
from strategies import nets, repeatable, targets

from petricheck.arithmetic.formulas.formulas import FALSE, TRUE, Formula, evaluate, normal
from petricheck.model.net import Net
from petricheck.support.budget import Budget
from petricheck.symbolic.facts.simplification import SimplifiedTarget, Simplifier

SWITCH = "p=1 q=0 r=0 s=2, t: p -> q, u: q -> p + r"
"""p + q = 1, s stays 2, and r grows."""


def simplified(net: Net, target: Formula, budget: Budget | None = None) -> SimplifiedTarget:
    return Simplifier(net).simplified(target, budget or Budget())


@pytest.mark.parametrize(
    ("target", "left"),
    [
        ("p >= 2", FALSE),
        ("p <= 1", TRUE),
        ("p >= 1", "p >= 1"),
        ("p >= 2 or r >= 1", "r >= 1"),
        ("p + q == 1 and r >= 1", "r >= 1"),
        ("p >= 1 and q >= 1", FALSE),
        ("p >= 1 and (q >= 1 or r >= 1)", "p >= 1 and r >= 1"),
        ("p >= 1 and (q <= 0 or r >= 1)", "p >= 1"),
        ("p <= 0 or q <= 0", TRUE),
        ("r >= 1 or p >= 1 and q >= 1 or s != 2", "r >= 1"),
    ],
)
def test_parts_that_the_state_equation_decides_are_gone(target: str, left: str | Formula) -> None:
    expected = formula(left) if isinstance(left, str) else left
    assert simplified(net_of(SWITCH), formula(target)).target == normal(expected)


def test_where_the_time_is_over_nothing_is_gone() -> None:
    asked = formula("p >= 2 or r >= 1")
    assert simplified(net_of(SWITCH), asked, Budget(seconds=0)) == SimplifiedTarget(asked, ())


def test_what_goes_is_refuted_by_half_spaces_about_its_cube() -> None:
    ((cube, fact),) = simplified(net_of(SWITCH), formula("p >= 2 or r >= 1")).refutations
    assert cube == (formula("p >= 2"),)
    assert fact.atom == formula("p + q <= 1")


@repeatable(60)
@given(nets().flatmap(lambda net: targets(net).map(lambda target: (net, target))))
def test_target_and_rest_agree_in_first_markings(asked: tuple[Net, Formula]) -> None:
    net, target = asked
    result = simplified(net, target)
    for marking in first_markings(net, 200):
        values = net.values(marking)
        assert evaluate(target, values) == evaluate(result.target, values)
        assert all(evaluate(fact.atom, values) for _, fact in result.refutations)
