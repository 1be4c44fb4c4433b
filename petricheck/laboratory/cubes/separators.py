"""Separators of two lists of cubes: one half-space, or one residue, by linear algebra.

Variables are natural numbers; those that both sides share may occur in a separator. A half-space
c·s ≤ b contains every cube of the first list, and is disjoint from every cube of the second. By the
lemma of Farkas, with rows a·x + k ≤ 0 (multipliers λ, μ ≥ 0) or = 0 (free),

    Σ λ·a ≥ c  on shared variables, ≥ 0 on others     for each cube of the first list
    Σ μ·a ≥ −c on shared variables, ≥ 0 on others     for each cube of the second list
    −Σ λ·k ≤ b < Σ μ·k                                for all of them

One linear program finds the c of least weights; its floats are rounded, and the bounds computed
exactly. It gives no half-space where only integrality separates. Then two cubes whose equations and
congruences together have no integral solution are separated by a residue.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import Congruence, Cube, Equality, Inequality
from petricheck.arithmetic.formulas.terms import Term, linear
from petricheck.arithmetic.programs.algebra import congruence_separator, is_separable
from petricheck.arithmetic.programs.linear_programs import INFINITY, LinearProgram, integer_ray


def half_space(
    lefts: Sequence[Cube],
    rights: Sequence[Cube],
    shared: Sequence[str],
    seconds: float = INFINITY,
) -> Inequality | None:
    """Return a half-space that contains `lefts` and excludes `rights`; None if none is computed.

    Its bound is as low as the multipliers allow.

    Args:
        lefts: cubes over natural numbers.
        rights: others; local variables of different cubes are different, whatever their names.
        shared: variables that the half-space may have.
        seconds: limit for the linear program.
    """
    program = _Program(lefts, rights, shared)
    values = program.solve(seconds)
    integers = None if values is None else integer_ray(values)
    return None if integers is None else program.confirm(integers)


_Row: TypeAlias = Inequality | Equality


class _Program:
    """The linear program. Columns: c as plus − minus, b, and a multiplier of each cube's rows."""

    def __init__(
        self, lefts: Sequence[Cube], rights: Sequence[Cube], shared: Sequence[str]
    ) -> None:
        self._sides = [(1, _rows(cube)) for cube in lefts] + [(-1, _rows(c)) for c in rights]
        self._program = program = LinearProgram()
        names = {n for _, rows in self._sides for row in rows for n in row.term.variables}
        self._plus = {name: program.column(1.0) for name in shared if name in names}
        self._minus = {name: program.column(1.0) for name in self._plus}
        self._bound = program.column(lower=-INFINITY)
        self._multipliers = [self._add_side(sign, rows) for sign, rows in self._sides]
        self._add_gap()

    def solve(self, seconds: float) -> list[float] | None:
        """Return values of c and of the multipliers, one after the other, or None."""
        values = self._program.solve(seconds)
        if values is None:
            return None
        c = [values[plus] - values[self._minus[name]] for name, plus in self._plus.items()]
        return [*c, *(values[column] for side in self._multipliers for column in side)]

    def confirm(self, integers: Sequence[int]) -> Inequality | None:
        """Return the half-space, if its conditions hold for these integers."""
        numbers = iter(integers)
        c = linear((name, next(numbers)) for name in self._plus)
        bounds: dict[int, list[int]] = {1: [], -1: []}
        for sign, rows in self._sides:
            bound = _bound(c * sign, [(row, next(numbers)) for row in rows])
            if bound is None:
                return None
            bounds[sign].append(bound)
        highest, lowest = max(bounds[1]), -max(bounds[-1])
        return _at_most(c, highest) if highest < lowest else None

    def _add_side(self, sign: int, rows: Sequence[_Row]) -> list[int]:
        free = (isinstance(row, Equality) for row in rows)
        columns = [self._program.column(lower=-INFINITY if f else 0.0) for f in free]
        entries: dict[str, dict[int, float]] = {}
        for column, row in zip(columns, rows, strict=True):
            for name, value in row.term.coefficients:
                entries.setdefault(name, {})[column] = value
        for name, plus in self._plus.items():
            entries.setdefault(name, {}).update({plus: -sign, self._minus[name]: sign})
        for row_entries in entries.values():
            self._program.row(row_entries, lower=0.0)
        return columns

    def _add_gap(self) -> None:
        """Require that lefts end at b, and rights begin at least one unit above.

        The unit is the largest constant, and at least 1.
        """
        unit = max((1, *(abs(row.term.constant) for _, rows in self._sides for row in rows)))
        for (sign, rows), columns in zip(self._sides, self._multipliers, strict=True):
            pairs = zip(columns, rows, strict=True)
            entries = {column: row.term.constant / unit for column, row in pairs}
            entries[self._bound] = float(sign)
            self._program.row(entries, lower=0.0 if sign > 0 else 1.0)


def _rows(cube: Cube) -> tuple[_Row, ...]:
    return tuple(atom for atom in cube if not isinstance(atom, Congruence))


def _bound(c: Term, multipliers: Sequence[tuple[_Row, int]]) -> int | None:
    """Return the b of c·x ≤ b in the cube, as the multipliers prove it; None where they do not."""
    if any(weight < 0 and isinstance(row, Inequality) for row, weight in multipliers):
        return None
    total = sum((row.term * weight for row, weight in multipliers), -c)
    return None if any(value < 0 for _, value in total.coefficients) else -total.constant


def _at_most(c: Term, bound: int) -> Inequality:
    divisor = c.content or 1
    return Inequality(linear(((n, v // divisor) for n, v in c.coefficients), -(bound // divisor)))


def residue(left: Cube, right: Cube, shared: Iterable[str]) -> Congruence | None:
    """Return a congruence over shared variables that holds in `left` and nowhere in `right`.

    None where there is none, or its computation would be too large. Inequalities are ignored.
    """
    rows = [(atom, True) for atom in left if not isinstance(atom, Inequality)]
    rows += [(atom, False) for atom in right if not isinstance(atom, Inequality)]
    names = set(shared)
    columns: dict[tuple[str, bool], dict[int, int]] = defaultdict(dict)
    for number, (atom, is_left) in enumerate(rows):
        for name, value in atom.term.coefficients:
            columns[name, name in names or is_left][number] = value
    generators = [_dense(column, len(rows)) for column in columns.values()]
    generators += [
        _dense({number: atom.modulus}, len(rows))
        for number, (atom, _) in enumerate(rows)
        if isinstance(atom, Congruence)
    ]
    if not rows or not is_separable(generators, len(rows)):
        return None
    solution = congruence_separator(generators, [-atom.term.constant for atom, _ in rows])
    if solution is None:
        return None
    weights, modulus = solution
    total = sum(
        (
            atom.term * weight
            for weight, (atom, is_left) in zip(weights, rows, strict=True)
            if is_left
        ),
        Term((), 0),
    )
    return _modulo(total, modulus)


def _modulo(term: Term, modulus: int) -> Congruence:
    """Return term ≡ 0, without local variables: their coefficients are 0 modulo the modulus."""
    coefficients = ((name, value % modulus) for name, value in term.coefficients)
    return Congruence(linear(coefficients, term.constant % modulus), modulus)


def _dense(column: Mapping[int, int], size: int) -> list[int]:
    return [column.get(number, 0) for number in range(size)]
