"""Ranges of sums of places over the reachable markings, by proved claims.

A *sum* is a vector of coprime weights with names, as the coefficients of a `Term`. Its maximum is
searched; a minimum is a maximum of the opposite sum.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Disjunction,
    Formula,
    Inequality,
    at_least,
)
from petricheck.arithmetic.formulas.terms import Term
from petricheck.evidence.claims import Claim, Excluded, Pumped, Reached

Sum: TypeAlias = tuple[tuple[str, int], ...]
"""(place id, weight), sorted, without zeros, weights coprime."""


@dataclass(frozen=True, slots=True)
class SumRange:
    """The proved bounds on a sum's maximum.

    Attributes:
        reached: a reachable marking has at least this value; None where no such value is proved.
        limit: no reachable marking has more; None where no limit is proved.
        unbounded: whether it exceeds every number.
    """

    reached: int | None = None
    limit: int | None = None
    unbounded: bool = False

    @property
    def decided(self) -> bool:
        """Return whether the maximum, or that there is none, is proved."""
        return self.unbounded or (self.reached is not None and self.reached == self.limit)

    @property
    def finite(self) -> bool | None:
        """Return whether there is a maximum; None where that is open."""
        return False if self.unbounded else None if self.limit is None else True


def exceeds(weights: Sum, value: int) -> Formula:
    """Return the formula that the sum is at least this value."""
    return at_least(Term(weights, 0), value)


def value(weights: Sum, tokens: Mapping[str, int]) -> int:
    """Return the sum in a marking by place id."""
    return sum(weight * tokens[name] for name, weight in weights)


def ranges(claims: Iterable[Claim]) -> Mapping[Sum, SumRange]:
    """Return the range of each sum by proved claims; an empty one for sums they do not name."""
    by_sum: defaultdict[Sum, SumRange] = defaultdict(SumRange)
    for claim in claims:
        match claim:
            case Reached(stops=stops):
                for _, formula in stops:
                    for weights, value in _bounds(formula, Conjunction):
                        before = by_sum[weights].reached
                        best = value if before is None else max(before, value)
                        by_sum[weights] = replace(by_sum[weights], reached=best)
            case Excluded(formula=formula):
                for weights, value in _bounds(formula, Disjunction):
                    before = by_sum[weights].limit
                    limit = value - 1 if before is None else min(before, value - 1)
                    by_sum[weights] = replace(by_sum[weights], limit=limit)
            case Pumped(sums=sums):
                for term in sums:
                    weights = term.coefficients
                    by_sum[weights] = replace(by_sum[weights], unbounded=True)
    return by_sum


def undecided(sums: Iterable[Sum], claims: Iterable[Claim]) -> tuple[Sum, ...]:
    """Return the sums for which proved claims give neither a limit nor unboundedness."""
    by_sum = ranges(claims)
    return tuple(weights for weights in sums if by_sum[weights].finite is None)


def _bounds(
    formula: Formula, joined: type[Conjunction] | type[Disjunction]
) -> Iterable[tuple[Sum, int]]:
    """Yield (c, k) for the parts c·m ≥ k of a conjunction or disjunction of this type."""
    parts = formula.operands if isinstance(formula, joined) else (formula,)
    for part in parts:
        if isinstance(part, Inequality):
            yield (-part.term).coefficients, part.term.constant
