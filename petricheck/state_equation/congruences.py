"""Inductive congruences: residues that every transition keeps and a target cube contradicts.

Where m0 + D·x meets the equalities and congruences of a cube for some rational x, but for no
integral one (negative ones included), there are integers w and a modulus q such that c = Σ w·a has
c·δ_t ≡ 0 (mod q) for every transition and c·m0 ≢ c·m (mod q) for every m in the cube.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from petricheck.linear import Residue, combination, dense, direction_of, sparse, value_at
from petricheck.presburger.algebra import congruence_separator, is_separable
from petricheck.presburger.formulas import Congruence, Cube, Equality
from petricheck.problem import Net, Weights

_LARGEST = 40_000
"""Entries of the matrix of literals by changes, above which it is not made."""


@dataclass(frozen=True, slots=True)
class KeptResidue:
    """c·m ≡ c·m0, confirmed to be inductive and to contradict a cube.

    Attributes:
        residue: c and its modulus, at least 2.
        multipliers: w, one for each literal of the cube.
    """

    residue: Residue
    multipliers: tuple[int, ...]


def separating_congruence(net: Net, effects: Iterable[Weights], cube: Cube) -> KeptResidue | None:
    """A residue that no effect changes and the cube contradicts.

    None where there is none, or where there are too many effects to look for one.
    """
    literals = [(n, a) for n, a in enumerate(cube) if isinstance(a, Equality | Congruence)]
    directions = [direction_of(net, literal.term) for _, literal in literals]
    changes = _changes(directions, effects)
    moduli = [(n, a.modulus) for n, (_, a) in enumerate(literals) if isinstance(a, Congruence)]
    size = len(literals)
    if not size or size * len(changes) > _LARGEST:
        return None
    generators = [dense(change, range(size)) for change in (*changes, *((m,) for m in moduli))]
    if not is_separable(generators, size):
        return None
    gaps = [
        -literal.term.constant - value_at(direction, net.initial)
        for direction, (_, literal) in zip(directions, literals, strict=True)
    ]
    separated = congruence_separator(generators, gaps)
    if separated is None:
        return None
    weights, modulus = separated
    multipliers = [0] * len(cube)
    for weight, (number, _) in zip(weights, literals, strict=True):
        multipliers[number] = weight
    whole = combination(zip(weights, directions, strict=True))
    direction = sparse((place, weight % modulus) for place, weight in whole)
    return KeptResidue(Residue(direction, modulus), tuple(multipliers))


def _changes(directions: Sequence[Weights], effects: Iterable[Weights]) -> tuple[Weights, ...]:
    """What the effects change c·m by, for all directions c, by their numbers; each change once."""
    uses: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, direction in enumerate(directions):
        for place, weight in direction:
            uses[place].append((number, weight))
    changes = (
        sparse((n, weight * change) for place, change in effect for n, weight in uses[place])
        for effect in dict.fromkeys(effects)
    )
    return tuple(dict.fromkeys(change for change in changes if change))
