"""The natural solutions of a formula as linear sets: bases, and periods that may be added.

Each cube becomes a system of homogeneous equations: an inequality gets a slack variable, a
congruence a quotient, and constants are multiples of one more variable. The minimal solutions are
found breadth first (E. Contejean and H. Devie, An Efficient Incremental Algorithm for Solving
Systems of Linear Diophantine Equations, 1994): the periods are those in which this variable is 0,
the bases those in which it is 1. Lower bounds of single variables are subtracted before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import add
from typing import TypeAlias

from petricheck.arithmetic.formulas.cubes import listed_cubes
from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    Atom,
    Congruence,
    Cube,
    Equality,
    Formula,
    Inequality,
    conjuncts,
    substitute,
    tighten,
    variables,
)
from petricheck.arithmetic.formulas.terms import Term, variable
from petricheck.support.errors import BudgetExhausted

VECTORS = 20_000
"""The most vectors that are looked at, for each cube."""

Vector: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LinearSet:
    """All sums of one of the bases and of periods, each any number of times."""

    bases: tuple[Vector, ...]
    periods: tuple[Vector, ...]


def linear_sets(formula: Formula) -> tuple[LinearSet, ...]:
    """Return sets whose union is the natural solutions, in the order of `variables`.

    Of a formula without solutions there are none. BudgetExhausted where too many vectors would have
    to be looked at.
    """
    names, cubes = variables(formula), listed_cubes(formula)
    if cubes is None:
        raise BudgetExhausted("it has too many alternatives")
    bases: dict[tuple[Vector, ...], set[Vector]] = {}  # by periods
    for cube in cubes:
        found = _linear_set(cube, names)
        if found.bases:
            bases.setdefault(found.periods, set()).update(found.bases)
    return tuple(LinearSet(tuple(sorted(own)), periods) for periods, own in bases.items())


def _linear_set(cube: Cube, names: Sequence[str]) -> LinearSet:
    """Return the solutions of a conjunction of atoms."""
    least = _lower_bounds(cube)
    shifted = {name: variable(name) + bound for name, bound in least.items()}
    parts = [part for atom in cube for part in conjuncts(tighten(substitute(atom, shifted)))]
    atoms = [part for part in parts if isinstance(part, Atom) and not _is_plain(part)]
    if FALSE in parts:
        return LinearSet((), ())
    columns = [[0] * len(atoms) for _ in (*names, "constants")]
    for row, atom in enumerate(atoms):
        for name, factor in atom.term.coefficients:
            columns[names.index(name)][row] = factor
        columns[len(names)][row] = atom.term.constant
        if not isinstance(atom, Equality):
            extra = -atom.modulus if isinstance(atom, Congruence) else 1
            columns.append([extra if other == row else 0 for other in range(len(atoms))])
    one = len(names)
    found = {solution[: one + 1] for solution in _minimal_solutions(columns, one)}
    shift = tuple(least.get(name, 0) for name in names)
    bases = sorted(tuple(map(add, solution, shift)) for solution in found if solution[one])
    periods = sorted(solution[:one] for solution in found if not solution[one])
    return LinearSet(tuple(bases), tuple(filter(any, periods)))


def _lower_bounds(cube: Cube) -> dict[str, int]:
    """Return the greatest number that a single atom makes each variable have at least."""
    least: dict[str, int] = {}
    for atom in map(tighten, cube):
        match atom:
            case Inequality(Term(((name, -1),), bound)) | Equality(Term(((name, -1),), bound)):
                least[name] = max(bound, least.get(name, 0))
            case Equality(Term(((name, 1),), opposite)):
                least[name] = max(-opposite, least.get(name, 0))
    return least


def _is_plain(atom: Atom) -> bool:
    """Return whether the atom holds since no number is negative."""
    term = atom.term
    falls = isinstance(atom, Inequality) and all(factor < 0 for _, factor in term.coefficients)
    return falls and term.constant <= 0


def _minimal_solutions(columns: Sequence[Sequence[int]], once: int) -> Iterator[Vector]:
    """Yield the minimal non-zero x ≥ 0 with Σ x_j·columns[j] = 0 and x[once] ≤ 1.

    A vector is only increased where this brings its sum nearer to 0, in the sense of scalar
    products; so all minimal solutions are found, and the search ends.
    """
    rows, minimal = range(len(columns[0])), list[Vector]()
    zero = (0,) * len(columns)
    frontier = {zero: (0,) * len(rows)}
    looked_at = 0
    while frontier:
        following: dict[Vector, Vector] = {}
        for vector, value in frontier.items():
            for number, column in enumerate(columns):
                nearer = sum(v * c for v, c in zip(value, column, strict=True)) < 0
                if not (nearer or vector == zero) or (number == once and vector[once]):
                    continue
                larger = (*vector[:number], vector[number] + 1, *vector[number + 1 :])
                if larger not in following and not any(_below(low, larger) for low in minimal):
                    following[larger] = tuple(map(add, value, column))
        looked_at += len(following)
        if looked_at > VECTORS:
            raise BudgetExhausted(f"more than {VECTORS} vectors would have to be looked at")
        solutions = [vector for vector, value in following.items() if not any(value)]
        yield from solutions
        minimal += solutions
        frontier = {
            vector: value
            for vector, value in following.items()
            if any(value) and not any(_below(solution, vector) for solution in solutions)
        }


def _below(lower: Vector, upper: Vector) -> bool:
    return all(a <= b for a, b in zip(lower, upper, strict=True))
