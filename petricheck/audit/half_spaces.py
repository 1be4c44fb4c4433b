"""Half-spaces Y·m ≤ K of markings, in integer arithmetic; `basis` says why it suffices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from petricheck.audit.limits import integral
from petricheck.audit.upward import Demand, Row
from petricheck.budget import Budget, watched
from petricheck.presburger.formulas import Formula, Inequality
from petricheck.presburger.terms import Term
from petricheck.problem import Net, Transition


@dataclass(frozen=True, slots=True)
class Bound:
    """Y·m ≤ K: of the conjunct with this number, or of a sum of several (-1)."""

    weights: Mapping[int, int]
    most: int
    conjunct: int

    @property
    def positive(self) -> bool:
        """Whether Y ≥ 0."""
        return all(weight > 0 for weight in self.weights.values())

    def kept_by(self, transition: Transition) -> bool:
        """Whether a firing of the transition plainly leads nowhere out of the half-space."""
        weights = self.weights
        if sum(weights.get(place, 0) * change for place, change in transition.effect) <= 0:
            return True
        put = sum(weights.get(place, 0) * weight for place, weight in transition.post)
        return put <= self.most and all(weight < 0 for weight in weights.values())

    def demands(self, row: Row) -> Iterator[Demand]:
        """What it demands, above the row, of the places where Y is negative."""
        negative = tuple((place, -weight) for place, weight in self.weights.items() if weight < 0)
        positive = sum(w * row.get(place, 0) for place, w in self.weights.items() if w > 0)
        if negative and positive > self.most:
            yield negative, positive - self.most


def weights_of(net: Net, term: Term) -> Row:
    """The coefficients by place number."""
    return {net.place_numbers[name]: value for name, value in term.coefficients}


def bound_of_sum(
    net: Net, parts: Sequence[Formula], terms: Sequence[tuple[int, int]], budget: Budget
) -> Bound | None:
    """The sum of conjuncts, given by number and multiplier; None where it makes no sense.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
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
    return Bound({place: weight for place, weight in weights.items() if weight}, most, -1)
