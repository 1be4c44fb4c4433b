"""Inductive congruences: residues that every transition keeps and a target cube contradicts.

Where m0 + D·x meets the equalities and congruences of a cube for some rational x, but for no
integral one (negative ones included), there are integers w and a modulus q such that c = Σ w·a has
c·δ_t ≡ 0 (mod q) for every transition and c·m0 ≢ c·m (mod q) for every m in the cube.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from petricheck.presburger.algebra import congruence_separator, is_separable
from petricheck.presburger.formulas import Congruence, Cube, Equality
from petricheck.presburger.terms import Term, linear
from petricheck.problem import Net, Transition, Weights

_LARGEST = 40_000
"""Entries of the matrix of equalities by effects, above which its diagonal form is not computed."""


@dataclass(frozen=True, slots=True)
class KeptResidue:
    """c·m ≡ c·m0 (mod modulus).

    Attributes:
        term: c·m without a constant.
        modulus: at least 2.
        multipliers: w, one for each literal of the cube.
    """

    term: Term
    modulus: int
    multipliers: tuple[int, ...]


def separating_congruence(
    net: Net, transitions: Sequence[Transition], cube: Cube
) -> KeptResidue | None:
    """A congruence that the transitions keep and the cube contradicts, or None."""
    literals = [(n, a) for n, a in enumerate(cube) if isinstance(a, Equality | Congruence)]
    generators = _generators(net, transitions, [literal.term for _, literal in literals])
    for position, (_, literal) in enumerate(literals):
        if isinstance(literal, Congruence):
            generators.append([literal.modulus * (n == position) for n in range(len(literals))])
    if not literals or len(literals) * (len(literals) + len(generators)) > _LARGEST:
        return None
    if not is_separable(generators, len(literals)):
        return None
    start = net.values(net.initial)
    separated = congruence_separator(generators, [-a.term.evaluate(start) for _, a in literals])
    if separated is None:
        return None
    weights, modulus = separated
    multipliers = [0] * len(cube)
    pairs = []
    for weight, (number, literal) in zip(weights, literals, strict=True):
        multipliers[number] = weight
        pairs += [(name, weight * value) for name, value in literal.term.coefficients]
    reduced = ((name, value % modulus) for name, value in linear(pairs).coefficients)
    return KeptResidue(linear(reduced), modulus, tuple(multipliers))


def _generators(
    net: Net, transitions: Sequence[Transition], terms: Sequence[Term]
) -> list[list[int]]:
    """What the transitions change the terms by, each change once."""
    uses: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, term in enumerate(terms):
        for name, value in term.coefficients:
            uses[net.place_numbers[name]].append((number, value))
    changes = {_change(uses, transition.effect): None for transition in transitions}
    sparse = [dict(change) for change in changes if change]
    if len(terms) * (len(terms) + len(sparse)) > _LARGEST:
        return [[0]] * (_LARGEST + 1)
    return [[change.get(number, 0) for number in range(len(terms))] for change in sparse]


def _change(uses: dict[int, list[tuple[int, int]]], effect: Weights) -> Weights:
    """By number of the term, the change; without zeros."""
    sums: dict[int, int] = {}
    for place, weight in effect:
        for number, value in uses.get(place, ()):
            sums[number] = sums.get(number, 0) + value * weight
    return tuple(sorted((number, value) for number, value in sums.items() if value))
