"""Quantifier elimination agrees with enumeration."""

from __future__ import annotations

from itertools import product

import pytest
from equivalence import equivalent
from hypothesis import given, settings
from notation import formula
from strategies import FORMULAS, box, boxed

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    conjunction,
    equal,
    evaluate,
    substitute,
    variables,
)
from petricheck.arithmetic.formulas.terms import constant, variable
from petricheck.arithmetic.solvers.solver import find_model
from petricheck.laboratory.elimination import eliminate
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted


@settings(max_examples=20)
@given(FORMULAS)
def test_elimination_is_the_projection_of_the_models(formula):
    projected = eliminate("yz", boxed(formula, "yz"))
    assert set(variables(projected)) <= {"x"}
    for value in range(-12, 13):
        witnessed = any(evaluate(formula, {"x": value, **others}) for others in box("yz"))
        assert evaluate(projected, {"x": value}) == witnessed


def test_atoms_that_an_equation_decides_are_left_out():
    start = "z == 0 and z <= 49 and x == z + 1 and y == 2*x"
    assert eliminate(["z"], formula(start)) == formula("x == 1 and y == 2")
    assert eliminate(["z"], formula(f"{start} and y >= 3")) == FALSE


@pytest.mark.slow
def test_small_congruences_do_not_let_elimination_run_forever():
    either = "((x - 2*a - y) % 3 == 0 or -2*a - x <= 3)"
    equations = "x - 2*y - u == 2 and -x - 2*y - v == -3"
    goal = formula(f"2*a + x + 2*y <= 0 and (a + 2*x + y) % 2 == 1 and {either} and {equations}")
    projected = eliminate("axy", goal)
    for point in product(range(-2, 3), repeat=2):
        values = dict(zip("uv", point, strict=True))
        fixed = substitute(goal, {name: constant(value) for name, value in values.items()})
        assert evaluate(projected, values) == (find_model(fixed) is not None)
    assert set(variables(projected)) <= {"u", "v"}


def test_unbounded_values_are_projected_by_their_divisors():
    goal = formula("2*y <= x and 3*y >= x and (y + x) % 4 == 1")
    projected = eliminate("y", goal)
    for value in range(-30, 31):
        fixed = substitute(goal, {"x": constant(value)})
        assert evaluate(projected, {"x": value}) == (find_model(fixed) is not None)


def test_a_variable_may_have_any_name_and_any_factor():
    names = ["", "p 1", "|", "x'"]
    several = conjunction(equal(variable(name), number) for number, name in enumerate(names))
    assert equivalent(eliminate(names[1:], several), equal(variable(""), 0))
    huge = 10**40
    assert evaluate(eliminate("y", equal(variable("x"), variable("y") * huge)), {"x": huge * 7})


def test_a_limit_ends_elimination():
    with pytest.raises(BudgetExhausted, match="limit"):
        eliminate("y", formula("2*y <= x and 3*y >= x"), Budget(0))
