"""Programs as hints: optimal on small problems, and integers in the proportions of floats."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from petricheck.arithmetic.programs.linear_programs import INFINITY, LinearProgram, integer_ray

coefficient = st.integers(-3, 3)


PLAIN, FREE, WHOLE = {"cost": 1.0}, {"cost": 1.0, "lower": -INFINITY}, {"integral": True}


@pytest.mark.parametrize(
    ("columns", "rows", "expected"),
    [
        ([{"cost": 1.0, "upper": 2.0}, {"cost": 3.0}], [({0: 1, 1: 1}, 5, INFINITY)], (2, 3)),
        ([FREE], [({0: 1}, 2, 7)], (2,)),  # a row bounds from both sides
        ([FREE | {"cost": -1.0}], [({0: 1}, 2, 7)], (7,)),
        ([PLAIN, {"cost": 1.0, "lower": -4.0}], [({0: 1, 1: 1}, -100, INFINITY)], (0, -4)),
        ([PLAIN | WHOLE], [({0: 2}, 3, INFINITY)], (2,)),
        ([WHOLE | {"upper": 1.0}, PLAIN], [({0: 2, 1: 2}, 3, 3)], (1, 0.5)),
        ([{}], [({0: 1}, -INFINITY, -1)], None),
        ([{"cost": -1.0}], [], None),  # there is no least value
        ([{}], [({0: 2}, 1, 1)], (0.5,)),
        ([WHOLE], [({0: 2}, 1, 1)], None),
        ([{}], [({}, 1, INFINITY), ({0: 0}, 1, INFINITY)], None),  # rows without entries
        ([], [({}, -1, INFINITY)], ()),
        ([], [({}, 1, INFINITY)], None),
        ([{}], [({0: 10**400}, 1, INFINITY)], None),  # a number beyond floats
    ],
)
def test_the_optimum_is_between_the_bounds_of_rows_and_columns(columns, rows, expected):
    program = LinearProgram()
    assert [program.column(**column) for column in columns] == list(range(len(columns)))
    for number, (entries, lower, upper) in enumerate(rows):
        assert program.row(entries, lower, upper) == number
    assert program.columns == len(columns)
    for number, column in enumerate(columns):  # before the first solve as after it
        program.bound(number, column.get("lower", 0.0), column.get("upper", INFINITY))
    for _ in range(2):  # the second time as the first
        assert program.solve() == (None if expected is None else pytest.approx(expected))


def test_bounds_changed_before_and_after_a_solve_count():
    program = LinearProgram()
    x, y = program.column(cost=1.0), program.column(cost=3.0)
    program.row({x: 1, y: 1}, lower=5)
    program.row({x: 1}, upper=2)
    for total, most, expected in ((7, 4, (4, 3)), (5, 2, (2, 3)), (9, 9, (9, 0))):
        program.bound_rows(np.array([total, -INFINITY]), np.array([INFINITY, most], dtype=float))
        found = program.optimum()
        assert found is not None and found.values == pytest.approx(expected)
        assert found.cost == pytest.approx(expected[0] + 3 * expected[1])
        assert program.solve() == pytest.approx(expected)
    program.bound(y, 4, 4)
    assert program.solve() == pytest.approx((5, 4))
    program.bound(x, 0, 1)
    assert program.solve() is None


def test_duals_say_by_how_much_the_optimum_grows_with_the_active_bound():
    program = LinearProgram()
    x, y = program.column(cost=1.0), program.column(cost=3.0)
    program.row({x: 1, y: 1}, lower=5)
    program.row({x: 1}, upper=2)
    program.row({y: 1}, lower=1)
    found = program.optimum()
    assert found is not None and found.duals == pytest.approx([3, -2, 0])


def test_without_a_solution_the_optimum_is_infinite_and_at_a_limit_there_is_none():
    program = LinearProgram()
    columns = [program.column(cost=1.0) for _ in range(8)]
    for n in range(8):
        program.row({columns[n]: 2, columns[n - 1]: -1, columns[n - 3]: 1}, lower=n + 1)
    assert program.optimum(iterations=0) is None
    assert program.optimum() is not None
    program.bound_rows(np.full(8, 1.0), np.full(8, -1.0))
    found = program.optimum()
    assert found is None or found.cost == INFINITY
    program.bound_rows(np.full(8, -INFINITY), np.full(8, -99.0))
    found = program.optimum()
    assert found is not None and found.cost == INFINITY and len(found.values) == 0


@settings(max_examples=20)
@given(
    st.lists(st.tuples(coefficient, coefficient, st.integers(-6, 6)), max_size=4),
    st.tuples(st.integers(-3, 3), st.integers(-3, 3)),
)
def test_integer_programs_find_the_optimum_of_enumeration(rows, costs):
    program = LinearProgram()
    columns = [program.column(cost=cost, upper=5.0, integral=True) for cost in costs]
    for a, b, lower in rows:
        program.row({columns[0]: a, columns[1]: b}, lower=lower)
    points = [
        (x, y)
        for x, y in product(range(6), repeat=2)
        if all(a * x + b * y >= lower for a, b, lower in rows)
    ]
    values = program.solve()
    assert (values is None) == (not points)
    if values is not None:
        found = tuple(round(value) for value in values)
        assert found in points
        assert all(abs(a - b) < 1e-6 for a, b in zip(found, values, strict=True))
        cost = sum(c * n for c, n in zip(costs, found, strict=True))
        assert cost == min(costs[0] * x + costs[1] * y for x, y in points)


def ratios(values):
    pivot = next(value for value in values if value)
    return [Fraction(value, pivot) for value in values]


@given(st.lists(st.integers(-30, 30), min_size=1, max_size=6).filter(any), st.floats(1e-3, 1e6))
def test_a_scaled_vector_of_small_integers_is_recovered_as_coprime_integers(vector, scale):
    assume(math.isfinite(scale))
    ray = integer_ray([entry * scale for entry in vector])
    assert ray is not None and math.gcd(*ray) == 1
    assert ratios(ray) == ratios(vector)
    assert [value > 0 for value in ray] == [value > 0 for value in vector]


@pytest.mark.parametrize(
    ("values", "ray"),
    [
        ((0.0, -0.0), (0, 0)),
        ((), ()),
        ((1.0, math.inf), None),
        ((-math.inf,), None),
        ((1.0, math.nan), None),
        ([1.0, *(1 + 1 / prime for prime in (9973, 9967, 9949, 9941, 9931))], None),
    ],
)
def test_rays_at_the_edges(values, ray):
    assert integer_ray(values) == ray


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=5).filter(any), st.data())
def test_noise_below_the_solvers_tolerance_does_not_change_the_ray(vector, data):
    noise = st.floats(-1e-10, 1e-10)
    shifted = [entry + data.draw(noise) for entry in vector]
    assert integer_ray(shifted) == integer_ray([float(entry) for entry in vector])


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=8))
def test_whatever_the_values_a_ray_is_none_or_coprime_integers(values):
    ray = integer_ray(values)
    if ray is not None:
        assert len(ray) == len(values)
        assert all(type(entry) is int for entry in ray)
        assert math.gcd(*ray) == (1 if any(ray) else 0)


def test_a_row_added_after_a_solve_counts():
    program = LinearProgram()
    x = program.column(cost=1.0, upper=5)
    assert program.solve() == (0.0,)
    program.row({x: 1}, lower=1)
    program.solve(0.0)
    assert program.solve() == (1.0,)
