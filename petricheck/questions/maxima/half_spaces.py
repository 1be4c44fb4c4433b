"""Limits of sums from half-spaces that no transition leaves: certificates that need no solver.

For integers y with y·δ ≤ 0 for every transition, y·m ≤ y·m0 in every reachable marking. Where
b·y ≥ a·c in every place, for a, b ≥ 1, then a·c·m ≤ b·y·m ≤ b·y·m0, so c·m is at most the largest
integer below b·y·m0 / a. Such y are dual solutions of the state equation, found in floating point,
rounded to integers and then confirmed.

Of many places one claim says that they never hold more than so many tokens: its invariant is a
conjunction of half-spaces with y ≥ 0, and each part of what it excludes contradicts one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from itertools import chain, islice
from math import inf

from petricheck.arithmetic.formulas.formulas import Conjunction, Disjunction, disjunction
from petricheck.arithmetic.programs.linear_programs import integer_ray
from petricheck.evidence.certificates.invariant import (
    Certificate,
    CoverHints,
    Hints,
    Separator,
)
from petricheck.evidence.claims import Excluded
from petricheck.model.net import Net, Weights
from petricheck.questions.maxima import Sum, exceeds
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted
from petricheck.support.words import counted
from petricheck.symbolic.facts.place_bounds import (
    PlaceBounds,
    by_invariants,
    by_programs,
    covering,
    lightest_sums,
)
from petricheck.symbolic.linear import HalfSpace, scaled, sparse, term_of, value_at

MOST = 20_000
"""The most places that one claim limits; see `evidence.audit.invariants.basis.CUBES`."""


def limited_sums(
    net: Net, sums: tuple[Sum, ...], budget: Budget, enough: int | None = None
) -> Iterator[Excluded]:
    """Yield, for each sum with one, the claim of the least limit that a half-space gives.

    Where a limit is `enough`, claims of smaller limits state this one; larger are no claim.
    """
    program = lightest_sums(net, budget)
    for number, weights in enumerate(sums):
        remaining = len(sums) - number
        budget.report(f"{counted(remaining, 'sum')} to be limited")
        with covering(program, _numbered(net, weights)):
            optimum = program.optimum(budget.remaining / remaining)
        integers = integer_ray(optimum.values.tolist()) if optimum else None
        # Without positive weights 0 is a limit, also where numbers exceed floats.
        dual = sparse(enumerate(integers or ()))
        claim = _limited(net, weights, dual, enough) or _limited(net, weights, (), enough)
        if claim is not None:
            yield claim


def unchanged(net: Net, weights: Sum) -> Iterator[Excluded]:
    """Yield claims that a sum is neither more nor less than initially, if it never changes."""
    for sign in (1, -1):
        side = tuple((name, sign * weight) for name, weight in weights)
        claim = _limited(net, side, _numbered(net, side), None)
        if claim is not None:
            yield claim


def limited_places(net: Net, sufficient: Mapping[int, float], budget: Budget) -> Iterator[Excluded]:
    """Yield claims that limit as many of these places as the budget allows.

    Each place number has a sufficient limit, or infinity: any limit is sufficient. For a number,
    claims state this limit; a larger one is no claim.
    """
    limits, claimed = PlaceBounds(net, sufficient), dict[int, int]()
    batches = chain(by_invariants(limits, budget), by_programs(limits, budget, inf))
    with suppress(BudgetExhausted):
        for turn, _ in enumerate(batches, 1):
            # Less and less often, since an audit takes longer than most programs.
            if turn.bit_count() == 1:
                yield from _improved_claims(net, limits, sufficient, claimed)
    yield from _improved_claims(net, limits, sufficient, claimed)


def excluded_places(net: Net, limits: Mapping[int, tuple[int, Weights]]) -> Excluded:
    """Return the claim that no place exceeds its limit, which comes with y ≥ 0 that implies it."""
    # Many places share long sums, so identity distinguishes them, not their entries.
    sums = {id(weights): weights for _, weights in limits.values()}
    bounds = (HalfSpace(y, value_at(y, net.initial)).inequality(net) for y in sums.values())
    parts = (exceeds(((net.places[p], 1),), value + 1) for p, (value, _) in limits.items())
    return Excluded(disjunction(parts), Certificate(Conjunction(tuple(bounds)), CoverHints(())))


def _improved_claims(
    net: Net, limits: PlaceBounds, sufficient: Mapping[int, float], claimed: dict[int, int]
) -> Iterator[Excluded]:
    """Yield claims of limits that are not claimed yet; `claimed` has the limits by place."""
    improved: dict[int, tuple[int, Weights]] = {}
    for place, (bound, weights) in limits.best.items():
        limit = sufficient.get(place)
        if limit is None or bound > limit:
            continue
        value = bound if limit == inf else int(limit)
        if value < claimed.get(place, inf):
            improved[place] = value, weights
            claimed[place] = value
    remaining = iter(sorted(improved.items()))
    while part := dict(islice(remaining, MOST)):
        yield excluded_places(net, part)


def _limited(net: Net, weights: Sum, dual: Weights, enough: int | None) -> Excluded | None:
    """Return the limit of the sum by y, in exact arithmetic; None where rounding made y invalid."""
    bound, effects = value_at(dual, net.initial), [t.effect for t in net.transitions]
    half_space = HalfSpace(dual, bound)
    ratio = _ratio(dict(dual), dict(_numbered(net, weights)), bound)
    if ratio is None or not half_space.preserved_by(effects):
        return None
    opposite = HalfSpace(scaled(dual, -1), -bound)
    # The proof needs one side of an equation, but both say more; m ≥ 0 is implied.
    sides = (half_space, opposite)[: 1 + opposite.preserved_by(effects)] if dual else ()
    invariant = Disjunction((Conjunction(tuple(side.inequality(net) for side in sides)),))
    direction = term_of(net, dual).coefficients
    separator = Separator(0, direction, 0, (ratio.numerator,), ratio.denominator)
    hints = Hints(((0,) * len(effects),), (separator,))
    limit = ratio.denominator * bound // ratio.numerator
    if enough is not None and limit > enough:
        return None
    beyond = exceeds(weights, (limit if enough is None else enough) + 1)
    return Excluded(beyond, Certificate(invariant, hints))


def _ratio(dual: Mapping[int, int], weights: Mapping[int, int], bound: int) -> Fraction | None:
    """Return the a / b of least limit with b·y ≥ a·c in every place; None where there is none."""
    if any(weight < 0 for place, weight in dual.items() if place not in weights):
        return None
    # The ratio is at most each of the first, and at least each of the second.
    most = (Fraction(dual.get(p, 0), w) for p, w in weights.items() if w > 0)
    least = (Fraction(dual.get(p, 0), w) for p, w in weights.items() if w < 0)
    low, high = max(least, default=Fraction(0)), min(most, default=None)
    ratio = max(low, Fraction(0)) or high or Fraction(1)
    if high is not None and bound >= 0:
        ratio = high
    fits = ratio > 0 and ratio >= low and (high is None or ratio <= high)
    return ratio if fits else None


def _numbered(net: Net, weights: Sum) -> Weights:
    return tuple((net.place_numbers[name], weight) for name, weight in weights)
