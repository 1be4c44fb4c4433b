"""Separators of two lists of cubes: one half-space, or one residue, by linear algebra.

Variables are natural numbers; those that both sides share may occur in a separator. A half-space
c·s ≤ b contains every cube of the first list and meets none of the second. By the lemma of Farkas,
with rows a·x + k ≤ 0 (multipliers λ, μ ≥ 0) or = 0 (free),

    Σ λ·a ≥ c  on shared variables, ≥ 0 on others     for each cube of the first list
    Σ μ·a ≥ −c on shared variables, ≥ 0 on others     for each cube of the second list
    −Σ λ·k ≤ b < Σ μ·k                                for all of them

One linear program finds the c of least weights; its floats are rounded, and the bounds computed
exactly. It gives no half-space where only integrality separates: two cubes
whose equations and congruences have no integral solution are then told apart by a residue.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from petricheck.presburger.algebra import congruence_separator, is_separable
from petricheck.presburger.formulas import Congruence, Cube, Equality, Inequality
from petricheck.presburger.linear_programs import INFINITY, LinearProgram, integer_ray
from petricheck.presburger.terms import Term, linear


def half_space(
    lefts: Sequence[Cube],
    rights: Sequence[Cube],
    shared: Sequence[str],
    seconds: float = INFINITY,
) -> Inequality | None:
    """A half-space around all of `lefts` that misses all of `rights`; None where none is found.

    Its bound is as low as the multipliers allow.

    Args:
        lefts: cubes over natural numbers.
        rights: others; local variables of different cubes are different, whatever their names.
        shared: what the half-space may speak of.
        seconds: limit for the linear program.
    """
    program = _Program(lefts, rights, shared)
    values = program.solve(seconds)
    integers = None if values is None else integer_ray(values)
    return None if integers is None else program.confirmed(integers)


class _Program:
    """Columns: c as plus − minus, b, multipliers of each cube's rows."""

    def __init__(
        self,
        lefts: Sequence[Cube],
        rights: Sequence[Cube],
        shared: Sequence[str],
    ) -> None:
        self._sides = [(1, _rows(cube)) for cube in lefts] + [(-1, _rows(c)) for c in rights]
        self._program = program = LinearProgram()
        spoken = [name for name in shared if any(name in side.names for _, side in self._sides)]
        self._plus = {name: program.column(1.0) for name in spoken}
        self._minus = {name: program.column(1.0) for name in spoken}
        self._bound = program.column(lower=-INFINITY)
        self._multipliers = [self._side(sign, rows) for sign, rows in self._sides]
        self._gap()

    def solve(self, seconds: float) -> list[float] | None:
        """Values of c and of the multipliers, one after the other."""
        values = self._program.solve(seconds)
        if values is None:
            return None
        c = [values[plus] - values[self._minus[name]] for name, plus in self._plus.items()]
        return [*c, *(values[column] for side in self._multipliers for column in side)]

    def confirmed(self, integers: Sequence[int]) -> Inequality | None:
        """The half-space, if its conditions hold for these integers."""
        c = {name: value for name, value in zip(self._plus, integers, strict=False) if value}
        place = len(self._plus)
        bounds: dict[int, list[int]] = {1: [], -1: []}
        for sign, rows in self._sides:
            multipliers = integers[place : place + len(rows.atoms)]
            place += len(rows.atoms)
            bound = rows.bound({name: sign * value for name, value in c.items()}, multipliers)
            if bound is None:
                return None
            bounds[sign].append(bound)
        highest, lowest = max(bounds[1]), -max(bounds[-1])
        return _at_most(c, highest) if highest < lowest else None

    def _side(self, sign: int, rows: _Rows) -> list[int]:
        free = (isinstance(atom, Equality) for atom in rows.atoms)
        columns = [self._program.column(lower=-INFINITY if f else 0.0) for f in free]
        for name in dict.fromkeys((*rows.names, *self._plus)):
            column = rows.names.get(name, {})
            entries = {columns[number]: value for number, value in column.items()}
            if name in self._plus:
                entries |= {self._plus[name]: -sign, self._minus[name]: sign}
            self._program.row(entries, lower=0.0)
        return columns

    def _gap(self) -> None:
        """Lefts end at b at the latest, rights begin one unit of the largest number above."""
        constants = [atom.term.constant for _, rows in self._sides for atom in rows.atoms]
        unit = max((1, *map(abs, constants)))
        for (sign, rows), columns in zip(self._sides, self._multipliers, strict=True):
            pairs = zip(columns, rows.atoms, strict=True)
            entries = {column: atom.term.constant / unit for column, atom in pairs}
            entries[self._bound] = float(sign)
            self._program.row(entries, lower=0.0 if sign > 0 else 1.0)


@dataclass(frozen=True, slots=True)
class _Rows:
    """Inequalities and equations of a cube, and by variable its coefficients in them."""

    atoms: tuple[Inequality | Equality, ...]
    names: Mapping[str, Mapping[int, int]]

    def bound(self, c: Mapping[str, int], multipliers: Sequence[int]) -> int | None:
        """The b of c·x ≤ b in the cube, as the multipliers prove it; None where they do not."""
        pairs = list(zip(multipliers, self.atoms, strict=True))
        if any(w < 0 and isinstance(atom, Inequality) for w, atom in pairs):
            return None
        for name in dict.fromkeys((*self.names, *c)):
            column = self.names.get(name, {})
            if sum(multipliers[n] * v for n, v in column.items()) < c.get(name, 0):
                return None
        return -sum(w * atom.term.constant for w, atom in pairs)


def _rows(cube: Cube) -> _Rows:
    atoms = tuple(atom for atom in cube if not isinstance(atom, Congruence))
    names: dict[str, dict[int, int]] = defaultdict(dict)
    for number, atom in enumerate(atoms):
        for name, value in atom.term.coefficients:
            names[name][number] = value
    return _Rows(atoms, dict(names))


def _at_most(c: Mapping[str, int], bound: int) -> Inequality:
    term = linear(c.items())
    divisor = term.content or 1
    return Inequality(linear(((n, v // divisor) for n, v in c.items()), -(bound // divisor)))


def residue(left: Cube, right: Cube, shared: Iterable[str]) -> Congruence | None:
    """A congruence over shared variables that holds in `left` and nowhere in `right`.

    None where there is none, or too much would have to be computed. Inequalities do not count.
    """
    rows = [(atom, True) for atom in left if not isinstance(atom, Inequality)]
    rows += [(atom, False) for atom in right if not isinstance(atom, Inequality)]
    known = set(shared)
    columns: dict[tuple[str, bool], dict[int, int]] = defaultdict(dict)
    for number, (atom, is_left) in enumerate(rows):
        for name, value in atom.term.coefficients:
            columns[name, name in known or is_left][number] = value
    generators = [_dense(column, len(rows)) for column in columns.values()]
    generators += [
        _dense({number: atom.modulus}, len(rows))
        for number, (atom, _) in enumerate(rows)
        if isinstance(atom, Congruence)
    ]
    if not rows or not is_separable(generators, len(rows)):
        return None
    separated = congruence_separator(generators, [-atom.term.constant for atom, _ in rows])
    if separated is None:
        return None
    weights, modulus = separated
    whole = sum(
        (
            atom.term * weight
            for weight, (atom, is_left) in zip(weights, rows, strict=True)
            if is_left
        ),
        Term((), 0),
    )
    return _modulo(whole, modulus)


def _modulo(term: Term, modulus: int) -> Congruence:
    """The congruence of the term, whose local variables have multiples of the modulus."""
    reduced = ((name, value % modulus) for name, value in term.coefficients)
    return Congruence(linear(reduced, term.constant % modulus), modulus)


def _dense(column: Mapping[int, int], size: int) -> list[int]:
    return [column.get(number, 0) for number in range(size)]
