"""Modular separators: congruences that actions keep and a target contradicts."""

from __future__ import annotations

from collections.abc import Sequence

from petricheck.abstraction.directions import along, dense_direction, sparse_direction
from petricheck.abstraction.domain import Residue
from petricheck.abstraction.graph import AbstractPath
from petricheck.answer import Separator
from petricheck.presburger.algebra import congruence_separator, dot, is_separable
from petricheck.presburger.formulas import Congruence, Equality
from petricheck.problem import Net, Weights

_LARGEST = 40_000
"""Entries of a matrix above which its Hermite form takes too long to be tried."""


def modular_separator(
    net: Net, path: AbstractPath, effects: Sequence[Weights]
) -> tuple[Residue, tuple[Separator, ...]] | None:
    """A direction whose residue no effect changes, and that the target contradicts.

    None where there is none, or where the matrix of effects is too large to look for one.
    """
    cube = path.met.cube
    rows = [
        (number, dense_direction(net, literal.term.coefficients), literal)
        for number, literal in enumerate(cube)
        if isinstance(literal, Equality | Congruence)
    ]
    distinct = dict.fromkeys(effects)
    if len(rows) * len(distinct) > _LARGEST:
        return None
    generators = [[along(row, effect) for _, row, _ in rows] for effect in distinct]
    for position, (_, _, literal) in enumerate(rows):
        if isinstance(literal, Congruence):
            generators.append([literal.modulus * int(n == position) for n in range(len(rows))])
    values = [-literal.term.constant - dot(row, net.initial) for _, row, literal in rows]
    if not rows or not is_separable(generators, len(rows)):
        return None
    separated = congruence_separator(generators, values)
    if separated is None:
        return None
    weights, modulus = separated
    columns = zip(*(row for _, row, _ in rows), strict=True)
    direction = tuple(dot(weights, column) % modulus for column in columns)
    if path.met.number is None:
        return Residue(direction, modulus), ()
    multipliers = [0] * len(cube)
    for weight, (number, _, _) in zip(weights, rows, strict=True):
        multipliers[number] = weight
    sparse = sparse_direction(net, direction)
    separator = Separator(path.met.number, sparse, modulus, tuple(multipliers), 1)
    return Residue(direction, modulus), (separator,)
