"""Exact linear algebra, compared with sympy, with minors and with enumeration of small lattices."""

from __future__ import annotations

from itertools import combinations, permutations
from math import gcd, prod

import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from petricheck.arithmetic.programs.algebra import (
    congruence_separator,
    dot,
    hermite_form,
    is_separable,
    orthogonal_complement,
    rank,
    saturate,
    smith_form,
)

HUGE = 10**30
entries = st.one_of(st.integers(-4, 4), st.integers(-(10**25), 10**25))
small = st.integers(-4, 4)


def matrices(numbers, most_rows=4, most_columns=4):
    def of_width(width):
        row = st.lists(numbers, min_size=width, max_size=width).map(tuple)
        return st.lists(row, min_size=1, max_size=most_rows)

    return st.integers(1, most_columns).flatmap(of_width)


def determinant(rows) -> int:
    size = range(len(rows))
    return sum(
        (-1) ** sum(p[i] > p[j] for i in size for j in range(i + 1, len(rows)))
        * prod(rows[i][p[i]] for i in size)
        for p in permutations(size)
    )


def multiply(left, right):
    return [[dot(row, column) for column in zip(*right, strict=True)] for row in left]


def minors_divisor(rows, order: int) -> int:
    """The greatest common divisor of all minors of this order."""
    columns = range(len(rows[0]))
    return gcd(
        *(
            determinant([[row[c] for c in chosen] for row in picked])
            for picked in combinations(rows, order)
            for chosen in combinations(columns, order)
        )
    )


def generates(generators, vector) -> bool:
    """Whether the vector is an integer combination (Heger: same rank, same divisor of minors)."""
    before, after = sympy.Matrix(generators).rank(), sympy.Matrix([*generators, vector]).rank()
    if before != after:
        return False
    return before == 0 or (
        minors_divisor(generators, before) == minors_divisor([*generators, vector], before)
    )


@given(matrices(entries))
def test_the_rank_is_the_rank_over_the_rationals(rows):
    assert rank(rows) == sympy.Matrix(rows).rank()


@given(matrices(entries))
def test_the_orthogonal_complement_is_orthogonal_and_has_all_integer_vectors_of_its_span(rows):
    dimension = len(rows[0])
    basis = orthogonal_complement(rows, dimension)
    assert all(dot(row, vector) == 0 for row in rows for vector in basis)
    assert len(basis) == dimension - sympy.Matrix(rows).rank()
    assert not basis or sympy.Matrix(basis).rank() == len(basis)
    assert not basis or minors_divisor(basis, len(basis)) == 1


def test_what_is_made_of_nothing():
    assert rank([]) == rank([()]) == 0
    assert saturate([]) == ()
    assert orthogonal_complement([], 3) == ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    assert orthogonal_complement([(1, 1), (1, 2)], 2) == ()


def test_the_basis_of_a_complement_is_short_where_a_short_one_exists():
    basis = orthogonal_complement([(HUGE, HUGE, HUGE, HUGE)], 4)
    assert all(sum(entry**2 for entry in vector) == 2 for vector in basis)


@given(matrices(small))
def test_saturation_is_the_lattice_of_all_integer_vectors_of_the_span(rows):
    assume(sympy.Matrix(rows).rank() == len(rows))
    basis = saturate(rows)
    assert len(basis) == len(rows)
    assert sympy.Matrix([*basis, *rows]).rank() == len(rows)
    assert minors_divisor(basis, len(basis)) == 1


@given(matrices(entries))
def test_a_smith_form_diagonalises_by_unimodular_matrices_with_the_zeros_last(matrix):
    form = smith_form(matrix)
    height, width = len(matrix), len(matrix[0])
    assert len(form.left) == height and len(form.right) == width
    assert abs(determinant(form.left)) == abs(determinant(form.right)) == 1
    diagonal = [
        [form.diagonal[i] if i == j else 0 for j in range(width)] for i in range(height)
    ]  # fmt: skip
    assert multiply(multiply(form.left, matrix), form.right) == diagonal
    positive = sympy.Matrix(matrix).rank()
    assert len(form.diagonal) == min(height, width)
    assert all(entry > 0 for entry in form.diagonal[:positive])
    assert not any(form.diagonal[positive:])


@given(matrices(entries))
def test_a_hermite_form_is_reduced_echelon_and_generates_the_same_lattice(matrix):
    form = hermite_form(matrix)
    found = [next((c for c, entry in enumerate(row) if entry), None) for row in form]
    pivots = [pivot for pivot in found if pivot is not None]
    size = sympy.Matrix(matrix).rank()
    assert found == [*pivots, *[None] * (len(matrix) - size)]
    assert pivots == sorted(set(pivots))
    for number, pivot in enumerate(pivots):
        assert form[number][pivot] > 0
        assert all(0 <= row[pivot] < form[number][pivot] for row in form[:number])
    for row in matrix:
        rest = list(row)
        for number, pivot in enumerate(pivots):
            times = rest[pivot] // form[number][pivot]
            rest = [a - times * b for a, b in zip(rest, form[number], strict=True)]
        assert not any(rest)
    if size:
        assert minors_divisor(form, size) == minors_divisor(matrix, size)


def separates(generators, vector, separator) -> bool:
    weights, modulus = separator
    return (
        modulus >= 2
        and all(dot(weights, generator) % modulus == 0 for generator in generators)
        and dot(weights, vector) % modulus != 0
    )


@settings(max_examples=20)
@given(matrices(small, 3, 3), st.data())
def test_a_congruence_separates_exactly_what_is_no_integer_combination(generators, data):
    width = len(generators[0])
    vector = data.draw(st.lists(small, min_size=width, max_size=width).map(tuple))
    separator = congruence_separator(generators, vector)
    if separator is None:
        assert generates(generators, vector)
    else:
        assert separates(generators, vector, separator)


@given(matrices(entries, 3, 3), st.lists(st.integers(-HUGE, HUGE), min_size=3, max_size=3))
def test_integer_combinations_of_huge_vectors_are_never_separated(generators, counts):
    chosen = counts[: len(generators)]
    vector = [dot(chosen, column) for column in zip(*generators, strict=True)]
    assert congruence_separator(generators, vector) is None


@pytest.mark.parametrize(
    ("generators", "vector", "separable"),
    [
        ([(2,)], (HUGE + 1,), True),
        ([(2,)], (HUGE,), False),
        ([], (0, -HUGE), True),  # without generators only zero is a combination
        ([], (0, 0), False),
        ([], (), False),
        ([(2, 0)], (1, 1), True),
        ([(0, 2)], (1, 1), True),
    ],
)
def test_separators_at_the_edges(generators, vector, separable):
    separator = congruence_separator(generators, vector)
    assert (separator is not None) == separable
    if separator is not None:
        assert separates(generators, vector, separator)
        if len(vector) > 1:  # a rational impossibility is shown by an orthogonal vector
            assert all(dot(separator[0], generator) == 0 for generator in generators)


def test_matrices_whose_diagonal_form_takes_long_are_told_apart():
    assert is_separable([[1] * 95] * 400, 95)
    assert is_separable([[1] * 100] * 100, 100)
    assert not is_separable([[1] * 400] * 95, 400)
    assert is_separable([[2**1300] * 30] * 20, 30)
    assert not is_separable([[2**13_000] * 20] * 20, 20)
    assert is_separable([], 3)
