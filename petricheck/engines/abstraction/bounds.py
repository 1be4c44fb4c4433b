"""Exact lower bounds and residues of linear functions over a cube, with their proofs.

A bound or a residue is proved by a `Separator`: multipliers of the cube's literals that anybody can
check. They come from the bounds of single places where the cube has no others, else from a linear
program, which only suggests them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import gcd, lcm
from typing import TypeAlias

from petricheck.arithmetic.formulas.cubes import weighted_sum
from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Cube,
    Equality,
    Inequality,
    at_least,
)
from petricheck.arithmetic.formulas.terms import linear
from petricheck.arithmetic.programs.linear_programs import INFINITY, LinearProgram
from petricheck.evidence.certificates.invariant import Separator
from petricheck.support.budget import Budget

MANY = 64
"""From this modulus on, residues are too many to be told apart one by one."""

Direction: TypeAlias = tuple[tuple[str, int], ...]
"""(place id, coefficient), sorted."""

_Multipliers: TypeAlias = tuple[tuple[int, ...], int]
"""One for each literal, and the scale."""


def floors(cube: Cube) -> tuple[Inequality, ...]:
    """Return lower bounds that congruences and m ≥ 0 imply: a·m ≡ r (mod q), a ≥ 0, 0 ≤ r < q.

    Then a·m ≥ r. Only for moduli with too many residues to explore one by one.
    """
    bounds = []
    for literal in cube:
        if isinstance(literal, Congruence) and literal.modulus >= MANY:
            pairs = literal.term.coefficients
            least = -literal.term.constant % literal.modulus
            if least and all(value > 0 for _, value in pairs):
                bounds.append(at_least(linear(pairs), least))
    return tuple(bounds)


class BoundedCube:
    """A numbered cube of a target, and what has been found out about it.

    Its `literals` are the cube's, and its floors.
    """

    def __init__(self, number: int, cube: Cube, budget: Budget | None = None) -> None:
        self._number, self._budget = number, budget or Budget()
        self._size = len(cube)
        self.literals = (*cube, *floors(cube))
        self._box = _box_of(self.literals)
        self._separators: dict[tuple[Direction, int], Separator | None] = {}

    def learn(self, separator: Separator) -> None:
        """Store a separator, unless a stored one proves as much."""
        key = (separator.direction, separator.modulus)
        best = self._separators.get(key)
        if best is None or (not separator.modulus and self._least(separator) > self._least(best)):
            self._separators[key] = separator

    def least(self, direction: Direction) -> int | None:
        """Return a lower bound of the direction; None where there is none."""
        if (direction, 0) not in self._separators:
            of_place = self._box is not None
            multipliers = self._box_bound(direction) if of_place else self._program_bound(direction)
            self._remember(direction, 0, multipliers)
        separator = self._separators[direction, 0]
        return None if separator is None else self._least(separator)

    def residue(self, direction: Direction, modulus: int) -> int | None:
        """Return the only residue of the direction that the cube allows; None where unknown."""
        if (direction, modulus) not in self._separators:
            self._remember(direction, modulus, self._pinned(direction, modulus))
        separator = self._separators[direction, modulus]
        if separator is None or gcd(separator.scale, modulus) > 1:
            return None
        return -self._constant(separator) * pow(separator.scale, -1, modulus) % modulus

    def separators(self) -> Iterator[Separator]:
        """Yield the directions that need nothing but the cube itself."""
        for separator in self._separators.values():
            if separator is not None and not any(separator.multipliers[self._size :]):
                yield replace(separator, multipliers=separator.multipliers[: self._size])

    def _remember(
        self, direction: Direction, modulus: int, multipliers: _Multipliers | None
    ) -> None:
        self._separators[direction, modulus] = (
            None
            if multipliers is None
            else Separator(self._number, direction, modulus, *multipliers)
        )

    def _constant(self, separator: Separator) -> int:
        literals = self.literals[: len(separator.multipliers)]
        return weighted_sum(literals, separator.multipliers).constant

    def _least(self, separator: Separator) -> int:
        return -(-self._constant(separator) // separator.scale)

    def _box_bound(self, direction: Direction) -> _Multipliers | None:
        """Return the least value of c·m over bounds of single places, where it is bounded."""
        assert self._box is not None
        selection: list[tuple[int, Fraction]] = []
        for name, value in direction:
            lower, upper = self._box.get(name, (None, None))
            side = lower if value > 0 else upper
            if side is not None and (value < 0 or side[0] > 0):
                weight = self.literals[side[1]].term.coefficients[0][1]
                selection.append((side[1], Fraction(-value, weight)))
            elif value < 0:
                return None
        scale = lcm(*(factor.denominator for _, factor in selection))
        multipliers = [0] * len(self.literals)
        for number, factor in selection:
            multipliers[number] += int(factor * scale)
        return tuple(multipliers), scale

    def _program_bound(self, direction: Direction) -> _Multipliers | None:
        """Return the bound that a linear program suggests, over any cube, confirmed exactly."""
        program = LinearProgram()
        largest = max((abs(x.term.constant) for x in self.literals), default=0) or 1
        columns = [
            program.column(
                cost=-literal.term.constant / largest,
                lower=-INFINITY if isinstance(literal, Equality) else 0.0,
                upper=0.0 if isinstance(literal, Congruence) else INFINITY,
            )
            for literal in self.literals
        ]
        rows: dict[str, dict[int, float]] = {name: {} for name, _ in direction}
        for column, literal in zip(columns, self.literals, strict=True):
            for name, value in literal.term.coefficients:
                rows.setdefault(name, {})[column] = value
        weights = dict(direction)
        for name in sorted(rows):
            program.row(rows[name], lower=-weights.get(name, 0))
        values = program.solve(self._budget.remaining)
        if values is None:
            return None
        fractions = [Fraction(value).limit_denominator(1000) for value in values]
        scale = lcm(*(fraction.denominator for fraction in fractions))
        multipliers = tuple(int(fraction * scale) for fraction in fractions)
        return (multipliers, scale) if self._separates(direction, multipliers, scale) else None

    def _separates(self, direction: Direction, multipliers: Sequence[int], scale: int) -> bool:
        signs = all(
            isinstance(literal, Equality) or (multiplier >= 0 and isinstance(literal, Inequality))
            for literal, multiplier in zip(self.literals, multipliers, strict=True)
            if multiplier
        )
        total = weighted_sum(self.literals, multipliers) + linear(direction) * scale
        return signs and all(value >= 0 for _, value in total.coefficients)

    def _pinned(self, direction: Direction, modulus: int) -> _Multipliers | None:
        """Return multipliers if the cube fixes the direction's places, but for multiples of q."""
        fixed = {
            literal.term.coefficients[0]: position
            for position, literal in enumerate(self.literals)
            if isinstance(literal, Equality) and len(literal.term.coefficients) == 1
        }
        multipliers = [0] * len(self.literals)
        for name, value in direction:
            if value % modulus:
                sign = next((sign for sign in (1, -1) if (name, sign) in fixed), None)
                if sign is None:
                    return None
                multipliers[fixed[name, sign]] = sign * value
        return tuple(multipliers), 1


_Box: TypeAlias = dict[str, tuple[tuple[Fraction, int] | None, tuple[Fraction, int] | None]]
"""By place: the largest lower and the smallest upper bound, each with its literal's number."""


def _box_of(cube: Cube) -> _Box | None:
    """Return the cube's bounds on single places, or None where a literal has several places."""
    box: _Box = {}
    for number, literal in enumerate(cube):
        if len(literal.term.coefficients) != 1:
            return None
        if isinstance(literal, Congruence):
            continue
        (name, weight), value = literal.term.coefficients[0], literal.term.constant
        bound = Fraction(-value, weight)
        lower, upper = box.get(name, (None, None))
        below = weight < 0 or isinstance(literal, Equality)
        above = weight > 0 or isinstance(literal, Equality)
        if below and (lower is None or bound > lower[0]):
            lower = (bound, number)
        if above and (upper is None or bound < upper[0]):
            upper = (bound, number)
        box[name] = (lower, upper)
    return box
