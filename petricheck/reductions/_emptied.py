"""Reasons why the larger target is missed, where it wants places empty that the smaller net lacks.

A separator for a cube of the smaller target is a combination S of its literals with s + σ·c ≥ 0.
The larger cube says the same of other places, but c may be negative on a place p that is gone, and
S may be. The cube's literal that p is empty is added as often as makes up for that.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from petricheck.evidence.invariant import Separator
from petricheck.presburger.cubes import weighted_sum
from petricheck.presburger.emptied import empties
from petricheck.presburger.formulas import Cube, Formula
from petricheck.presburger.terms import constant
from petricheck.reductions._larger_cubes import of_larger_cubes


def empties_separated(
    known: Sequence[Separator], before: Formula, after: Formula, gone: Collection[str]
) -> tuple[Separator, ...]:
    """Separators for the cubes of the larger target.

    Args:
        known: those for the smaller target's cubes, their directions about the larger net.
        before: the larger target.
        after: the smaller target.
        gone: places; those that the larger target names, it wants empty.
    """
    values = dict.fromkeys(gone, constant(0))
    found = of_larger_cubes(known, before, after, values)
    return tuple(dict.fromkeys(_balanced(cube, separator, gone) for cube, separator in found))


def _balanced(cube: Cube, separator: Separator, gone: Collection[str]) -> Separator:
    """The separator, with as much of the literals that empty places as it needs."""
    if separator.modulus:
        return separator
    multipliers, direction = list(separator.multipliers), dict(separator.direction)
    for name in gone:
        total = dict(weighted_sum(cube, multipliers).coefficients)
        lacking = -total.get(name, 0) - separator.scale * direction.get(name, 0)
        if lacking > 0:
            for position, literal in enumerate(cube):
                if name in empties(literal):
                    share = dict(literal.term.coefficients)[name]
                    multipliers[position] += -(-lacking // share)
                    break
    return replace(separator, multipliers=tuple(multipliers))
