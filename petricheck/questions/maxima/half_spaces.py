"""Limits of sums from half-spaces that no transition leaves: certificates that need no solver.

For integers y with y·δ ≤ 0 for every transition, y·m ≤ y·m0 in every reachable marking. Where
b·y ≥ a·c in every place, for a, b ≥ 1, then a·c·m ≤ b·y·m ≤ b·y·m0, so c·m is at most the largest
integer below b·y·m0 / a.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, isfinite

from petricheck.answer import Certificate, Hints, Separator
from petricheck.claims import Excluded
from petricheck.flows.sums import effects
from petricheck.linear import HalfSpace, scaled, sparse, term_of, value_at
from petricheck.presburger.formulas import Conjunction, Disjunction
from petricheck.presburger.linear_programs import INFINITY, LinearProgram, integer_ray
from petricheck.problem import Net, Weights
from petricheck.questions.maxima import Sum, exceeds


@dataclass(frozen=True, slots=True)
class Limit:
    """c·m ≤ value, since a·c ≤ b·y in every place and no transition increases y.

    Attributes:
        sum: c.
        kept: y.
        value: the limit.
        multiplier: a.
        scale: b.
        firings: how often each transition would fire on the way to the limit, if the state
            equation were all there is; a hint, maybe empty.
    """

    sum: Sum
    kept: Weights
    value: int
    multiplier: int
    scale: int
    firings: tuple[int, ...] = ()

    def claim(self, net: Net) -> Excluded:
        """The claim that the limit is not exceeded."""
        half_space = HalfSpace(self.kept, value_at(self.kept, net.initial))
        opposite = HalfSpace(scaled(self.kept, -1), -half_space.bound)
        unchanged = opposite.kept_by(t.effect for t in net.transitions)
        # Of an equation the proof needs one side only, but both say more; m ≥ 0 needs no saying.
        sides = (half_space, opposite)[: 1 + unchanged] if self.kept else ()
        atoms = [side.inequality(net) for side in sides]
        direction = term_of(net, self.kept).coefficients
        separator = Separator(0, direction, 0, (self.multiplier,), self.scale)
        invariant = Disjunction((Conjunction(tuple(atoms)),))
        row = (0,) * len(net.transitions)
        beyond = exceeds(self.sum, self.value + 1)
        return Excluded(beyond, Certificate(invariant, Hints((row,), (separator,))))


class HalfSpaces:
    """The half-space of least limit for one sum after the other: dual solutions of the state
    equation, found in floating point, rounded to integers and then confirmed.
    """

    def __init__(self, net: Net) -> None:
        self._net, self._effects = net, effects(net)
        self._program = LinearProgram()
        for tokens in net.initial:
            self._program.column(tokens)
        for effect in self._effects:
            self._program.row(dict(effect), upper=0.0)

    def above(self, weights: Sum, seconds: float) -> Limit | None:
        """The half-space of least limit for the sum; None where none is found.

        Args:
            weights: the sum.
            seconds: limit for the linear program.
        """
        places = [(self._net.place_numbers[name], weight) for name, weight in weights]
        for place, weight in places:
            self._program.bound(place, weight, INFINITY)
        optimum = self._program.optimum(seconds)
        for place, _ in places:
            self._program.bound(place, 0.0, INFINITY)
        integers = integer_ray(optimum.values.tolist()) if optimum else None
        kept = sparse(enumerate(integers or ()))
        limit = self._confirmed(weights, kept)
        if limit is not None and optimum and integers:
            return replace(limit, firings=self._firings(optimum.duals.tolist()))
        # Without positive weights there is a limit, whatever becomes of numbers beyond floats.
        return self._confirmed(weights, ())

    def _firings(self, duals: Sequence[float]) -> tuple[int, ...]:
        """The solution of the state equation that is dual to a half-space, rounded up."""
        finite = (-dual if isfinite(dual) else 0.0 for dual in duals)
        counts = {e: max(0, ceil(n)) for e, n in zip(self._effects, finite, strict=True)}
        return tuple(counts.get(t.effect, 0) for t in self._net.transitions)

    def _confirmed(self, weights: Sum, kept: Weights) -> Limit | None:
        """What y says of the sum, in exact arithmetic; None where rounding has spoilt it."""
        bound = value_at(kept, self._net.initial)
        if not HalfSpace(kept, bound).kept_by(self._effects):
            return None
        entries, named = dict(kept), {self._net.place_numbers[name]: w for name, w in weights}
        if any(weight < 0 for place, weight in kept if place not in named):
            return None
        # a / b is at most each of the first and at least each of the second.
        most = [Fraction(entries.get(p, 0), w) for p, w in named.items() if w > 0]
        least = [Fraction(entries.get(p, 0), w) for p, w in named.items() if w < 0]
        low, high = max(least, default=Fraction(0)), min(most, default=None)
        ratio = (
            high
            if high is not None and bound >= 0
            else max(low, Fraction(0)) or high or Fraction(1)
        )
        if ratio <= 0 or ratio < low or (high is not None and ratio > high):
            return None
        multiplier, scale = ratio.numerator, ratio.denominator
        return Limit(weights, kept, scale * bound // multiplier, multiplier, scale)
