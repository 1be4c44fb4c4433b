"""Proofs from place invariants alone, in plain Python, so that small questions load nothing large.

A place invariant y·m = y·m0 excludes a cube of the target where y·m has another value wherever
each place has as many tokens as the literals on it alone allow. Tried are the invariants of minimal
support without negative weights, and those of a basis, short ones first.

Limits: the answer is never "reachable"; a cube that needs several invariants, traps or an
inequality that is no invariant, or that is contradictory, is left to `state_equation`, and so are
large nets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from petricheck.arithmetic.formulas.cubes import listed_cubes
from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Cube,
    Disjunction,
    Equality,
    Inequality,
)
from petricheck.evidence.answer import Answer, Unknown, Unreachable, measure
from petricheck.evidence.certificates.invariant import Certificate, Hints, Separator
from petricheck.model.net import Net, Weights, cached_by_net
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget, watched
from petricheck.support.errors import Ending
from petricheck.symbolic.facts.basis import invariant_basis
from petricheck.symbolic.facts.semiflows import minimal_semiflows
from petricheck.symbolic.linear import scaled, term_of, value_at

PlaceLimits: TypeAlias = Mapping[tuple[int, int], tuple[int, int]]
"""By place and sign s, the literal that bounds s·m(p) from below: the bound, and its number."""

_WORK = 20_000
"""Rays that may be compared, and entries of invariants that may be combined; no more are known."""


class PlaceInvariants:
    """Refute each cube of the target by one place invariant."""

    unit = "invariant"

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Refute every cube, or give up at one that no invariant refutes, or that needs none."""
        statistics, net = measure("place_invariants"), problem.net
        cubes = listed_cubes(problem.target, budget)
        if cubes is None:
            return Unknown(_MANY, "", statistics(0), ending=Ending.NOT_APPLICABLE)
        invariants = _invariants(net, budget)
        needed: dict[Weights, None] = {}
        separators = []
        for number, cube in enumerate(watched(cubes, budget)):
            limits = _limits(net, cube)
            violated = next((y for y in invariants if _exceeds(net, y, limits)), None)
            if violated is None or _contradictory(limits):
                return Unknown(_NONE, "", statistics(len(invariants)))
            needed[max(violated, scaled(violated, -1))] = None
            separators.append(_separator(net, number, cube, violated, limits))
        hints = Hints((tuple(0 for _ in net.transitions),), tuple(separators))
        return Unreachable(_certificate(net, needed, hints), statistics(len(invariants)))


@cached_by_net
def _invariants(net: Net, budget: Budget) -> Sequence[Weights]:
    """Return invariants and their opposites, short ones first."""
    positive, _ = minimal_semiflows(net, _WORK, budget)
    basis = invariant_basis(net, _WORK, budget) or ()
    both = dict.fromkeys((*positive, *basis))
    return [side for y in sorted(both, key=len) for side in (y, scaled(y, -1))]


def _limits(net: Net, cube: Cube) -> PlaceLimits:
    """Return the bounds of the literals about one place; of several for a place the tightest."""
    limits: dict[tuple[int, int], tuple[int, int]] = {}
    for number, literal in enumerate(cube):
        match literal.term.coefficients:
            case ((name, (1 | -1) as weight),) if isinstance(literal, Inequality | Equality):
                place, bound = net.place_numbers[name], literal.term.constant
                signs = (1, -1) if isinstance(literal, Equality) else (-weight,)
                for sign in signs:  # −sign·m(p) + bound ≤ 0
                    side = (bound if sign == -weight else -bound, number)
                    limits[place, sign] = max(side, limits.get((place, sign), side))
    return limits


def _contradictory(limits: PlaceLimits) -> bool:
    """Return whether no number of tokens of some place is within its limits."""
    return any(
        least + limits[place, -sign][0] > 0
        for (place, sign), (least, _) in limits.items()
        if (place, -sign) in limits
    )


def _exceeds(net: Net, y: Weights, limits: PlaceLimits) -> bool:
    """Return whether y·m is larger within the limits than it is initially."""
    least = 0
    for place, weight in y:
        sign = 1 if weight > 0 else -1
        if (place, sign) in limits:
            least += abs(weight) * limits[place, sign][0]
        elif sign < 0:
            return False
    return least > value_at(y, net.initial)


def _separator(net: Net, number: int, cube: Cube, y: Weights, limits: PlaceLimits) -> Separator:
    """Return the sum of literals that contradicts y·m ≤ y·m0, for the audit."""
    multipliers = [0] * len(cube)
    for place, weight in y:
        sign = 1 if weight > 0 else -1
        if (place, sign) in limits:
            literal = limits[place, sign][1]
            ((_, factor),) = cube[literal].term.coefficients
            multipliers[literal] -= weight * factor
    return Separator(number, term_of(net, y).coefficients, 0, tuple(multipliers), 1)


def _certificate(net: Net, invariants: Mapping[Weights, None], hints: Hints) -> Certificate:
    equations = (term_of(net, y) - value_at(y, net.initial) for y in invariants)
    atoms = (atom for term in equations for atom in (Inequality(term), Inequality(-term)))
    return Certificate(Disjunction((Conjunction(tuple(atoms)),)), hints)


_MANY = "the target is a disjunction of too many conjunctions"
_NONE = "no place invariant alone excludes the target, or none is needed"
