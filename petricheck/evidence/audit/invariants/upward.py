"""Upward-closed sets of markings by minimal elements, and half-spaces, in integer arithmetic.

A row is a marking by place number, without zeros; it stands for all markings at or above it.
`basis` proves what follows from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import Formula, Inequality
from petricheck.arithmetic.formulas.terms import Term
from petricheck.evidence.audit.limits import integral
from petricheck.model.net import Net, Transition, Weights
from petricheck.support.budget import Budget, watched

Row: TypeAlias = dict[int, int]
"""By place number, the least number of tokens, which is positive."""

Demand: TypeAlias = tuple[Weights, int]
"""(w, k) demands w·m ≥ k; all weights of w are positive."""


def least(demands: Iterable[Demand], most: int, above: Row, budget: Budget) -> list[Row] | None:
    """Return rows whose upward closure is the markings m ≥ `above` that satisfy all demands.

    All minimal such markings are among them, and perhaps others. None if there are more than
    `most`.
    """
    rows = [above]
    for weights, needed in watched(demands, budget):
        wider: dict[Weights, Row] = {}
        for row in watched(rows, budget):
            missing = needed - sum(weight * row.get(place, 0) for place, weight in weights)
            additions = _additions(weights, missing, most)
            if additions is None:
                return None
            for more in watched(additions, budget):
                new = row | {place: row.get(place, 0) + tokens for place, tokens in more}
                wider[tuple(sorted(new.items()))] = new
            if len(wider) > most:
                return None
        rows = list(wider.values())
    return rows


def _additions(weights: Weights, growth: int, most: int) -> list[Weights] | None:
    """Return the minimal additions for which w·m grows by `growth`; None if more than `most`.

    Each place in turn gets all that is missing, or less; then later places get the difference.
    """
    if growth <= 0:
        return [()]
    ways: list[Weights] = []
    pending: list[tuple[int, int, Weights]] = [(0, growth, ())]
    while pending:
        start, missing, selection = pending.pop()
        for position in range(start, len(weights)):
            place, weight = weights[position]
            enough = -(-missing // weight)
            ways.append((*selection, (place, enough)))
            partial = enough if position + 1 < len(weights) else 1
            # Each of these leads to a way of its own. They may be too many for `len` of a range.
            if len(ways) + len(pending) + partial - 1 > most:
                return None
            for tokens in range(1, partial):
                remainder = missing - tokens * weight
                pending.append((position + 1, remainder, (*selection, (place, tokens))))
    return ways


@dataclass(frozen=True, slots=True)
class BasisBound:
    """Y·m ≤ K: the conjunct with this number, or a sum of several conjuncts (number −1)."""

    weights: Mapping[int, int]
    most: int
    conjunct: int

    @property
    def positive(self) -> bool:
        """Return whether Y ≥ 0."""
        return all(weight > 0 for weight in self.weights.values())

    def is_preserved_by(self, transition: Transition) -> bool:
        """Return whether a simple criterion shows that the transition preserves Y·m ≤ K.

        The criterion is that of `basis`: Y·δ ≤ 0, or Y ≤ 0 and Y·v ≤ K.
        """
        weights = self.weights
        if sum(weights.get(place, 0) * change for place, change in transition.effect) <= 0:
            return True
        production = sum(weights.get(place, 0) * weight for place, weight in transition.post)
        return production <= self.most and all(weight < 0 for weight in weights.values())

    def demands(self, row: Row) -> Iterator[Demand]:
        """Yield the demand that Y·m ≤ K and m ≥ row make of the places where Y is negative."""
        negative = tuple((place, -weight) for place, weight in self.weights.items() if weight < 0)
        positive = sum(w * row.get(place, 0) for place, w in self.weights.items() if w > 0)
        if negative and positive > self.most:
            yield negative, positive - self.most


def weights_of(net: Net, term: Term) -> Row:
    """Return the coefficients by place number."""
    return {net.place_numbers[name]: value for name, value in term.coefficients}


def bound_of_sum(
    net: Net, parts: Sequence[Formula], terms: Sequence[tuple[int, int]], budget: Budget
) -> BasisBound | None:
    """Return the sum of conjuncts, given as (number, multiplier); None if one is not allowed."""
    weights: dict[int, int] = {}
    most = 0
    for number, multiplier in watched(terms, budget):
        if not integral(number, multiplier) or multiplier < 1:
            return None
        part = parts[number] if 0 <= number < len(parts) else None
        if not isinstance(part, Inequality):
            return None
        for place, weight in weights_of(net, part.term).items():
            weights[place] = weights.get(place, 0) + weight * multiplier
        most -= part.term.constant * multiplier
    return BasisBound({place: weight for place, weight in weights.items() if weight}, most, -1)
