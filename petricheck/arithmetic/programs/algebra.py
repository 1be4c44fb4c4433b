"""Exact linear algebra over the integers and rationals, on python-flint: only this module knows it.

Vectors are sequences of Python integers; a matrix is a sequence of equally long rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Vector: TypeAlias = tuple[int, ...]
Matrix: TypeAlias = tuple[Vector, ...]

_SEPARABLE = 40_000
"""Entries of a matrix and its transformation, in words, that are brought to a diagonal form."""

_WORD = 64
"""Bits of a number that arithmetic takes at once."""


def dot(left: Sequence[int], right: Sequence[int]) -> int:
    """Return the scalar product."""
    return sum(a * b for a, b in zip(left, right, strict=True))


def rank(rows: Sequence[Sequence[int]]) -> int:
    """Return the rank over the rationals."""
    return int(_matrix(rows).rank()) if rows and rows[0] else 0


def orthogonal_complement(rows: Sequence[Sequence[int]], dimension: int) -> Matrix:
    """Return a basis, of short integer vectors, of all x with row·x = 0 for every row.

    The basis spans the lattice of integer solutions, not only the rational space: it is
    saturated, then LLL-reduced.
    """
    if not rows:
        return tuple(unit(number, dimension) for number in range(dimension))
    nullspace, nullity = _matrix(rows).nullspace()
    columns = [[int(nullspace[i, j]) for i in range(dimension)] for j in range(nullity)]
    if not columns:
        return ()
    return tuple(map(_positive, _integers(_matrix(saturate(columns)).lll())))


def saturate(rows: Sequence[Sequence[int]]) -> Matrix:
    """Return a basis of all integer vectors in the rational span of independent `rows`."""
    if not rows:
        return ()
    form = smith_form(tuple(zip(*rows, strict=True)))
    # rows^T = left^-1 · diagonal · right^-1: the span is that of left^-1's first columns.
    inverse = _matrix(form.left).inv().numer_denom()[0]
    return tuple(tuple(int(inverse[i, j]) for i in range(len(rows[0]))) for j in range(len(rows)))


def unit(number: int, dimension: int) -> Vector:
    """Return the unit vector with a 1 at `number`."""
    return tuple(int(position == number) for position in range(dimension))


@dataclass(frozen=True, slots=True)
class SmithForm:
    """left · matrix · right = diagonal, with unimodular left and right.

    Attributes:
        left: square, as many rows as the matrix.
        diagonal: the diagonal entries, all ≥ 0, zeros last; as many as the smaller dimension.
        right: square, as many columns as the matrix.
    """

    left: Matrix
    diagonal: Vector
    right: Matrix


def smith_form(matrix: Sequence[Sequence[int]]) -> SmithForm:
    """Return a diagonal form of the matrix with both transformations.

    Divisibility between the diagonal entries is not arranged: solving congruences needs only
    that the form is diagonal. Alternates Hermite forms of rows and columns, which ends.
    """
    height, width = len(matrix), len(matrix[0])
    current = [list(row) for row in matrix]
    left, right = _identity(height), _identity(width)
    while not _is_diagonal(current):
        current, left = _row_reduce(current, left)
        transposed, right = _row_reduce(_transpose(current), right)
        current = _transpose(transposed)
    size = min(height, width)
    for number in range(size):
        if current[number][number] < 0:
            left[number] = [-entry for entry in left[number]]
            current[number] = [-entry for entry in current[number]]
    order = sorted(range(size), key=lambda k: (current[k][k] == 0, k))
    rows = [*order, *range(size, height)]
    columns = [*order, *range(size, width)]
    turned = _transpose(right)
    return SmithForm(
        tuple(tuple(left[row]) for row in rows),
        tuple(current[number][number] for number in order),
        tuple(tuple(turned[i][column] for column in columns) for i in range(width)),
    )


def hermite_form(matrix: Sequence[Sequence[int]]) -> Matrix:
    """Return the row-style Hermite normal form, zero rows last."""
    return _integers(_matrix(matrix).hnf())


def is_separable(generators: Sequence[Sequence[int]], dimension: int) -> bool:
    """Return whether `congruence_separator` takes seconds at most; it cannot be interrupted."""
    longest = max((entry.bit_length() for row in generators for entry in row), default=0)
    width = dimension + min(dimension, len(generators))
    return dimension * width * (1 + longest // _WORD) <= _SEPARABLE


def congruence_separator(
    generators: Sequence[Sequence[int]], vector: Sequence[int]
) -> tuple[Vector, int] | None:
    """Return a proof that `vector` is no integer combination of `generators`, or None.

    Returns:
        (w, q) with q ≥ 2, w·g ≡ 0 (mod q) for every generator g, and w·vector ≢ 0 (mod q).
        Where even a rational combination is impossible, w is orthogonal to the generators, and
        q any modulus that shows w·vector ≠ 0.
    """
    dimension = len(vector)
    if not dimension:
        return None
    # The Hermite form first: it leaves at most as many generators as there are dimensions.
    reduced = [row for row in hermite_form(generators) if any(row)] if generators else []
    form = smith_form(tuple(zip(*(reduced or [(0,) * dimension]), strict=True)))
    image = [dot(row, vector) for row in form.left]
    divisors = [*form.diagonal, *[0] * (dimension - len(form.diagonal))]
    for number in range(dimension):
        if divisors[number] == 0 and image[number] != 0:
            return form.left[number], abs(image[number]) + 1
    for number in range(dimension):
        divisor = divisors[number]
        if divisor and image[number] % divisor:
            return tuple(entry % divisor for entry in form.left[number]), divisor
    return None


def _row_reduce(
    matrix: list[list[int]], transform: list[list[int]]
) -> tuple[list[list[int]], list[list[int]]]:
    """Return the Hermite form of `matrix`, with the same row operations applied to `transform`."""
    width = len(matrix[0])
    extended = [row + extra for row, extra in zip(matrix, transform, strict=True)]
    reduced = [list(row) for row in _integers(_matrix(extended).hnf())]
    return [row[:width] for row in reduced], [row[width:] for row in reduced]


def _is_diagonal(matrix: list[list[int]]) -> bool:
    return all(entry == 0 for i, row in enumerate(matrix) for j, entry in enumerate(row) if i != j)


def _transpose(matrix: list[list[int]]) -> list[list[int]]:
    return [list(column) for column in zip(*matrix, strict=True)]


def _identity(size: int) -> list[list[int]]:
    return [list(unit(number, size)) for number in range(size)]


def _positive(vector: Vector) -> Vector:
    """Return the vector or its negation: the one with the larger sum of entries."""
    return vector if sum(vector) >= 0 else tuple(-entry for entry in vector)


def _matrix(rows: Sequence[Sequence[int]]) -> Any:
    from flint import fmpz_mat

    return fmpz_mat([list(map(int, row)) for row in rows])


def _integers(matrix: Any) -> Matrix:
    return tuple(tuple(map(int, row)) for row in matrix.tolist())
