"""Satisfiability agrees with enumeration."""

from __future__ import annotations

import math
import subprocess
import sys
from random import Random

import pytest
from equivalence import equivalent
from hypothesis import given, settings
from notation import formula, formulas
from strategies import FORMULAS, box, boxed

from petricheck.arithmetic.formulas.formulas import (
    TRUE,
    Congruence,
    Conjunction,
    Disjunction,
    Formula,
    at_least,
    at_most,
    conjunction,
    different,
    equal,
    evaluate,
)
from petricheck.arithmetic.formulas.terms import linear, variable
from petricheck.arithmetic.solvers import solver as module
from petricheck.arithmetic.solvers.solver import Solver, find_model
from petricheck.arithmetic.solvers.z3_writer import BITS
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted

X, Y, Z = variable("x"), variable("y"), variable("z")


@settings(max_examples=16)
@given(FORMULAS)
def test_a_model_exists_exactly_where_enumeration_finds_one(formula):
    model = find_model(boxed(formula, "xyz"))
    if model is None:
        assert not any(evaluate(formula, point) for point in box("xyz"))
    else:
        assert evaluate(formula, model)


def test_natural_models_are_nowhere_negative_and_numbers_exact():
    assert find_model(formula("x + y == 1 and x <= 0"), natural=True) == {"x": 0, "y": 1}
    assert find_model(formula("x + y == -1"), natural=True) is None
    assert find_model(equal(X * 3, 3 * 10**40)) == {"x": 10**40}
    assert find_model(equal(X * 2, 2 * 10**40 + 1)) is None


def test_a_variable_may_have_any_name():
    names = ["", "p 1", "|", 'a"b', "π₁", "a\\u{41}", "(", "x0", "x1", "x'", "\n"]
    formula = conjunction(equal(variable(name), i) for i, name in enumerate(names))
    assert find_model(formula) == {name: i for i, name in enumerate(names)}
    assert not equivalent(TRUE, formula)


def test_scopes_forget_what_was_added_and_assumed_in_them():
    low, high = formulas("x <= 2, x >= 3")
    with Solver() as solver:
        solver.add(high)
        solver.push()
        assert solver.check([low]) is None and solver.core == (low,)
        solver.add(low)
        assert solver.check() is None
        solver.pop()
        assert solver.check()["x"] >= 3
        assert solver.check([low]) is None


def test_the_core_names_assumptions_that_contradict_each_other():
    with Solver() as solver:
        low, odd, high = formulas("x <= 2, x % 2 == 1, x >= 5")
        assert solver.check([low, odd, high]) is None
        assert set(solver.core) == {low, high}
        assert solver.check([low, odd]) is not None
        assert solver.core == ()
        assert solver.check([odd, high]) is not None


def test_an_undecided_question_exhausts_the_budget():
    names = [f"x{j}" for j in range(50)]
    source = Random(1)
    rows = [[source.randrange(100) for _ in names] for _ in range(6)]
    market_split = [equal(linear(zip(names, row, strict=True)), sum(row) // 2) for row in rows]
    bits = formulas(", ".join(f"{name} >= 0, {name} <= 1" for name in names))
    with Solver() as solver:
        solver.add(conjunction([*market_split, *bits]))
        solver.budget = Budget(0.05)  # for z3 alone, however long it took to write the question
        with pytest.raises(BudgetExhausted, match=r"time limit of 0\.05 s"):
            solver.check()
    with pytest.raises(BudgetExhausted, match="limit"):
        find_model(TRUE, budget=Budget(0))


def test_the_same_question_has_the_same_model_whatever_was_asked_before():
    asked = formula("x + 2*y >= 7 and 3*x - z <= 40 and y != z")
    first = find_model(asked)
    find_model(formula("5*z - y >= 100 or x % 7 == 2"))
    assert find_model(asked) == first


def test_deep_and_wide_formulas_are_translated_without_recursion():
    deep: Formula = at_least(X, 0)
    for depth in range(600):
        deep = Conjunction((Disjunction((deep, equal(X, -depth))), at_most(X, depth)))
    wide = Disjunction(tuple(formulas(", ".join(f"x == {i} and y >= {i}" for i in range(1000)))))
    with Solver() as solver:
        solver.add(Conjunction((deep, wide)))
        assert solver.check() is not None


def test_importing_the_module_does_not_import_z3():
    command = "import sys, petricheck.arithmetic.solvers.solver; sys.exit('z3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", command], check=False).returncode == 0


LONG = 1 << BITS


@pytest.mark.parametrize(
    "formula",
    [at_most(LONG * X, 1), at_most(X, LONG), equal(X, -LONG), Congruence(X, LONG)],
    ids=["coefficient", "bound", "value", "modulus"],
)
def test_z3_is_not_given_longer_numbers_than_it_stops_in(formula):
    with pytest.raises(BudgetExhausted, match=f"a number has {BITS + 1} bits"):
        find_model(formula)
    with Solver() as solver, pytest.raises(BudgetExhausted):
        solver.check([formula])


def test_numbers_that_z3_finds_may_be_longer_than_those_it_is_given_until_they_cannot_be_read():
    near = LONG - 1
    found = find_model(Conjunction((equal(X, near * Y), equal(Y, near * Z), equal(Z, near))))
    assert found == {"x": near**3, "y": near**2, "z": near}
    powers = [equal(variable(f"v{n + 1}"), near * variable(f"v{n}")) for n in range(5)]
    with pytest.raises(BudgetExhausted, match="too long to be read"):
        find_model(Conjunction((*powers, equal(variable("v0"), near))))


@pytest.mark.parametrize(
    ("seconds", "spent", "error"),
    [
        (0.0019, 0.0011, BudgetExhausted),  # z3 counts whole milliseconds
        (0.0019, 0.0005, KeyboardInterrupt),
        (2.0, 2.0, BudgetExhausted),
        (2.0, 0.3, KeyboardInterrupt),
        (None, 5.0, KeyboardInterrupt),
    ],
)
def test_what_ends_before_its_limit_was_interrupted(seconds, spent, error):
    budget = Budget(seconds)
    limit = math.inf if seconds is None else seconds
    assert type(module._undecided("canceled", budget, limit, spent)) is error


def test_telling_z3_of_a_formula_has_a_limit():
    many = Conjunction(tuple(different(X, n) for n in range(20_000)))
    with Solver(Budget(0.01)) as solver, pytest.raises(BudgetExhausted, match=r"0\.01 s"):
        solver.add(many)
