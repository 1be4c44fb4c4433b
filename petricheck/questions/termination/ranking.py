"""A sum of tokens that firings lower, by linear programs.

For the transitions T, let y ≥ 0 have y·δ_t ≤ 0 for all t of T, and y·δ_t ≤ −1 for as many of them
as possible. By strict duality the others are exactly those with x_t > 0 in some x ≥ 0 whose effect
Σ x_t·δ_t takes nothing: the only ones that a loop may fire. So one sum is as strong as several,
each of which counts where those before it stay the same.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from petricheck.arithmetic.programs.linear_programs import LinearProgram, integer_ray
from petricheck.evidence.certificates.ranked_set import RankedTable
from petricheck.evidence.certificates.ranking import RankingFunction
from petricheck.evidence.claims import Terminating
from petricheck.model.net import Net, Weights
from petricheck.symbolic.linear import product, sparse


@dataclass(frozen=True, slots=True)
class Lowering:
    """A sum of tokens that some transitions lower, and no other raises but exempt ones.

    Attributes:
        exempt: numbers of transitions that may raise it.
        weights: of the sum, by place number.
        level: numbers of the transitions that do not change it.
    """

    exempt: frozenset[int]
    weights: Weights
    level: tuple[int, ...]

    def claim(self, net: Net, table: RankedTable | None = None) -> Terminating:
        """Return the claim that all others lower this, or the ranks of the table."""
        names = tuple(net.actions[number] for number in sorted(self.exempt))
        weights = tuple(sorted((net.places[place], weight) for place, weight in self.weights))
        return Terminating(names, RankingFunction(weights, table))


def lowering(net: Net, exempt: Collection[int], seconds: float) -> Lowering:
    """Return a sum that as many transitions as possible lower; without weights if none is found."""
    none = without_sum(net, exempt)
    weights = _sum(net, none.level, seconds / 2)
    changes = {n: product(weights, net.transitions[n].effect) for n in none.level}
    if max(changes.values(), default=0) > 0:  # Floating point was too coarse.
        return none
    level = tuple(number for number, change in changes.items() if not change)
    return Lowering(none.exempt, weights, level)


def without_sum(net: Net, exempt: Collection[int]) -> Lowering:
    """Return the sum without weights, which nothing lowers."""
    others = (number for number in range(len(net.transitions)) if number not in exempt)
    return Lowering(frozenset(exempt), (), tuple(others))


def _sum(net: Net, others: Sequence[int], seconds: float) -> Weights:
    """Return the weights: positive integers, which nobody has confirmed."""
    # Lowered by at most 1, so that all count alike; then by at least 1, with little weights.
    program = LinearProgram()
    for _ in net.places:
        program.column()
    lowered = [program.column(cost=-1.0, upper=1.0) for _ in others]
    for column, number in zip(lowered, others, strict=True):
        program.row({**dict(net.transitions[number].effect), column: 1.0}, upper=0.0)
    most = program.solve(seconds)
    if most is None:
        return ()
    program = LinearProgram()
    for _ in net.places:
        program.column(cost=1.0)
    for column, number in zip(lowered, others, strict=True):
        program.row(dict(net.transitions[number].effect), upper=-round(most[column]))
    least = program.solve(seconds)
    integers = integer_ray(least) if least is not None else None
    return sparse(enumerate(integers or ()))


def unlimited_places(net: Net, seconds: float) -> frozenset[int]:
    """Return the places of no sum with weights ≥ 0 that no firing raises, as a program suggests."""
    program, places = LinearProgram(), range(len(net.places))
    for _ in places:
        program.column()
    for transition in net.transitions:
        program.row(dict(transition.effect), upper=0.0)
    for place in places:
        program.row({program.column(cost=-1.0, upper=1.0): 1.0, place: -1.0}, upper=0.0)
    values = program.solve(seconds)
    return frozenset(p for p in places if values is None or values[p] < 0.5)
