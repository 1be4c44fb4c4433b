"""Interpolants of two formulas, held to their definition by a solver."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st
from notation import formula, formulas

from petricheck.arithmetic.formulas.cubes import cubes
from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Conjunction,
    Formula,
    Negation,
    at_least,
    at_most,
    congruent,
    conjunction,
    different,
    disjunction,
    equal,
    variables,
)
from petricheck.arithmetic.formulas.terms import linear
from petricheck.arithmetic.programs.linear_programs import integer_ray
from petricheck.arithmetic.solvers.solver import find_model
from petricheck.laboratory.cubes import separators
from petricheck.laboratory.cubes.boolean import interpolant
from petricheck.laboratory.cubes.separators import half_space, residue
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted

SHARED = ("x", "y")


def separated(first: Formula, second: Formula) -> Formula:
    return interpolant(first, second, SHARED, Budget(20))


def implies(stronger: Formula, weaker: Formula) -> bool:
    """Whether it does so for natural numbers; what z3 does not know in time shows nothing."""
    try:
        model = find_model(
            Conjunction((stronger, Negation(weaker))), natural=True, budget=Budget(10)
        )
    except BudgetExhausted:
        reject()
    return model is None


def excludes(one: Formula, other: Formula) -> bool:
    return implies(one, Negation(other))


def is_interpolant(result: Formula, first: Formula, second: Formula) -> bool:
    return (
        implies(first, result)
        and excludes(result, second)
        and set(variables(result)) <= set(SHARED)
    )


@st.composite
def literals(draw: st.DrawFn, names: tuple[str, ...]) -> Formula:
    values = st.integers(-3, 3).filter(bool)
    chosen = draw(st.dictionaries(st.sampled_from(names), values, min_size=1))
    term, number = linear(chosen.items()), draw(st.integers(-6, 6))
    modulus = draw(st.integers(2, 4))
    made = (at_most(term, number), at_least(term, number), equal(term, number))
    others = (different(term, number), congruent(term, number, modulus))
    return draw(st.sampled_from((*made, *made, *others)))


@st.composite
def disjunctions(draw: st.DrawFn, local: str) -> Formula:
    """Disjunctions of up to three conjunctions over the shared variables and a local one."""
    parts = st.lists(literals((*SHARED, local)), min_size=1, max_size=4).map(conjunction)
    return disjunction(draw(st.lists(parts, min_size=1, max_size=3)))


@settings(max_examples=12)
@given(disjunctions("a"), disjunctions("b"))
def test_interpolants_follow_from_the_first_contradict_the_second_and_share_variables(
    first, second
):
    assume(excludes(first, second))
    assert is_interpolant(separated(first, second), first, second)


@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(disjunctions("a"), disjunctions("a"), st.data())
def test_a_separator_contains_one_cube_and_excludes_the_other_despite_rounding(first, second, data):
    def err(values: Sequence[float]) -> tuple[int, ...] | None:
        result = integer_ray(values)
        noise = data.draw(st.lists(st.sampled_from((0, 0, 0, -1, 1)), min_size=40))
        return None if result is None else tuple(n + e for n, e in zip(result, noise, strict=False))

    for left, right in zip(cubes(first), cubes(second), strict=False):
        inside, outside = Conjunction(left), Conjunction(right)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(separators, "integer_ray", err)
            rough = half_space([left], [right], SHARED)
        exact = half_space([left], [right], SHARED)
        for result in (rough, exact, residue(left, right, SHARED)):
            assert result is None or is_interpolant(result, inside, outside)


def cube(text: str) -> tuple[Formula, ...]:
    return tuple(formulas(text))


def test_residues_distinguish_local_variables_of_the_same_name():
    odd, even = cube("x == 2*a + 1"), cube("x == 2*a")
    result = residue(odd, even, SHARED)
    assert result is not None and is_interpolant(result, odd[0], even[0])
    assert residue(cube("x == a"), cube("x == a + 1"), SHARED) is None


def test_one_half_space_separates_several_cubes_at_once():
    points = formula(" or ".join(f"x == {n} and y == {5 - n}" for n in range(6)))
    beyond = formula(" or ".join(f"x == {n} and y >= 7" for n in range(4)))
    assert separated(points, beyond) in formulas("x + y <= 5, y <= 5")


def test_cubes_that_only_residues_separate_get_a_residue():
    even, odd = formulas("x == 2*a, x == 2*b + 1")
    result = separated(even, odd)
    assert isinstance(result, Congruence) and is_interpolant(result, even, odd)
    assert half_space([(even,)], [(odd,)], SHARED) is None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # Neither a half-space nor a residue separates these.
        ("x == 3*a + 5*c", "x == 1 or x == 2 or x == 4 or x == 7"),
        ("x == 10**400 and y == 10**400", "x + y == 2 * 10**400 + 1"),
    ],
)
def test_cubes_that_are_hard_to_separate_are_separated(first, second):
    parts = formula(first), formula(second)
    assert is_interpolant(separated(*parts), *parts)
