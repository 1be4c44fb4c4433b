"""Exact bounds of linear functions over a cube, with the multipliers that prove them.

What a bound or a residue is proved by is a `Separator`: integers that anybody can check.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import TypeAlias

from petricheck.evidence.invariant import Separator
from petricheck.presburger.formulas import Congruence, Cube, Equality, Inequality, at_least
from petricheck.presburger.linear_programs import INFINITY, LinearProgram
from petricheck.presburger.terms import Term, linear

MANY = 64
"""From this modulus on, residues are too many to be told apart one by one."""


def combination(cube: Cube, multipliers: Sequence[int]) -> Term:
    """Σ multiplier·term over the cube's literals."""
    coefficients = [
        (name, multiplier * value)
        for literal, multiplier in zip(cube, multipliers, strict=True)
        if multiplier
        for name, value in literal.term.coefficients
    ]
    constant = sum(m * x.term.constant for x, m in zip(cube, multipliers, strict=True))
    return linear(coefficients, constant)


def proved_bound(separator: Separator, listed: Sequence[Cube]) -> int:
    """The lower bound of c·m that an inequality separator proves over its cube."""
    constant = combination(listed[separator.cube], separator.multipliers).constant
    return -(-constant // separator.scale)


def floors(cube: Cube) -> tuple[Inequality, ...]:
    """What congruences say of m ≥ 0 beside residues: a·m ≡ r (mod q), a ≥ 0, 0 ≤ r < q has a·m ≥ r.

    Only of those with so many residues that they cannot be explored one by one.
    """
    found = []
    for literal in cube:
        if isinstance(literal, Congruence) and literal.modulus >= MANY:
            pairs = literal.term.coefficients
            least = -literal.term.constant % literal.modulus
            if least and all(value > 0 for _, value in pairs):
                found.append(at_least(linear(pairs), least))
    return tuple(found)


Box: TypeAlias = dict[str, tuple[tuple[Fraction, int] | None, tuple[Fraction, int] | None]]
"""By place: the largest lower and the smallest upper bound, each with its literal's number."""


def box_of(cube: Cube) -> Box | None:
    """The cube's bounds on single places, or None where a literal speaks of several."""
    box: Box = {}
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


def box_bound(
    direction: Sequence[tuple[str, int]], box: Box, cube: Cube
) -> tuple[tuple[int, ...], int] | None:
    """Multipliers and scale for the least value of c·m over a box, where it is bounded."""
    chosen: list[tuple[int, Fraction]] = []
    for name, value in direction:
        lower, upper = box.get(name, (None, None))
        side = lower if value > 0 else upper
        if side is not None and (value < 0 or side[0] > 0):
            weight = cube[side[1]].term.coefficients[0][1]
            chosen.append((side[1], Fraction(-value, weight)))
        elif value < 0:
            return None
    scale = lcm(*(factor.denominator for _, factor in chosen))
    multipliers = [0] * len(cube)
    for number, factor in chosen:
        multipliers[number] += int(factor * scale)
    return tuple(multipliers), scale


def program_bound(
    direction: Sequence[tuple[str, int]], cube: Cube
) -> tuple[tuple[int, ...], int] | None:
    """The same over any cube: a linear program suggests multipliers, exact arithmetic confirms."""
    program = LinearProgram()
    largest = max((abs(literal.term.constant) for literal in cube), default=0) or 1
    columns = [
        program.column(
            cost=-literal.term.constant / largest,
            lower=-INFINITY if isinstance(literal, Equality) else 0.0,
            upper=0.0 if isinstance(literal, Congruence) else INFINITY,
        )
        for literal in cube
    ]
    wanted = dict(direction)
    names = sorted(wanted.keys() | {n for literal in cube for n in literal.term.variables})
    for name in names:
        entries = {
            column: dict(literal.term.coefficients).get(name, 0)
            for column, literal in zip(columns, cube, strict=True)
        }
        program.row(entries, lower=-wanted.get(name, 0))
    values = program.solve()
    if values is None:
        return None
    fractions = [Fraction(value).limit_denominator(1000) for value in values]
    scale = lcm(*(fraction.denominator for fraction in fractions))
    multipliers = tuple(int(fraction * scale) for fraction in fractions)
    return (multipliers, scale) if _is_separator(direction, cube, multipliers, scale) else None


def _is_separator(
    direction: Sequence[tuple[str, int]], cube: Cube, multipliers: Sequence[int], scale: int
) -> bool:
    signs = all(
        isinstance(literal, Equality) or (multiplier >= 0 and isinstance(literal, Inequality))
        for literal, multiplier in zip(cube, multipliers, strict=True)
        if multiplier
    )
    total = combination(cube, multipliers) + linear(direction) * scale
    return signs and all(value >= 0 for _, value in total.coefficients)


def pinned(
    number: int, direction: tuple[tuple[str, int], ...], modulus: int, cube: Cube
) -> Separator | None:
    """A modular separator for a direction whose places the cube fixes one by one."""
    fixed = {
        literal.term.coefficients[0]: position
        for position, literal in enumerate(cube)
        if isinstance(literal, Equality) and len(literal.term.coefficients) == 1
    }
    multipliers = [0] * len(cube)
    for name, value in direction:
        if value % modulus == 0:
            continue
        if (name, 1) in fixed:
            multipliers[fixed[name, 1]] = value
        elif (name, -1) in fixed:
            multipliers[fixed[name, -1]] = -value
        else:
            return None
    return Separator(number, direction, modulus, tuple(multipliers), 1)
