"""Firing sequences without a marking: the tokens that they need, and their effect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Disjunction,
    Formula,
    at_least,
    at_most,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.answer import Trace
from petricheck.evidence.audit.limits import integral
from petricheck.model.net import Net
from petricheck.support.budget import Budget, watched
from petricheck.support.errors import EvidenceError


@dataclass(frozen=True, slots=True)
class FiringWord:
    """A firing sequence, by its hurdle and its effect.

    Attributes:
        hurdle: the least marking that can fire it, by place number, without zeros.
        effect: the change of tokens by place number, without zeros.
    """

    hurdle: Mapping[int, int]
    effect: Mapping[int, int]

    def fires(self, tokens: Sequence[int]) -> bool:
        """Return whether it can fire in a marking, given by place number."""
        return all(tokens[place] >= least for place, least in self.hurdle.items())


def word_of(net: Net, trace: Trace, budget: Budget) -> FiringWord:
    """Return hurdle and effect of a firing sequence, computed from its last step to its first.

    A step fires t n times. A marking m can fire it and the remaining steps iff m + k·δ ≥ u for all
    k < n, and m + n·δ is at least the hurdle of the remaining steps. It suffices that m + k·δ ≥ u
    holds for k = 0 and k = n − 1. EvidenceError where a step names no transition of the net, or has
    no positive count.
    """
    hurdle: dict[int, int] = {}
    effect: dict[int, int] = {}
    for name, times in watched(reversed(trace.steps), budget):
        if name not in net.transition_numbers:
            raise EvidenceError(f"a firing sequence names {name!r}, which is no transition")
        if not integral(times) or times < 1:
            raise EvidenceError(f"in a firing sequence {name!r} has no positive count")
        transition = net.transitions[net.transition_numbers[name]]
        changes = dict(transition.effect)
        for place, change in changes.items():
            hurdle[place] = max(0, hurdle.get(place, 0) - times * change)
            effect[place] = effect.get(place, 0) + times * change
        for place, weight in transition.pre:
            last = weight - (times - 1) * changes.get(place, 0)
            hurdle[place] = max(hurdle.get(place, 0), weight, last)
    return FiringWord(
        {place: tokens for place, tokens in hurdle.items() if tokens},
        {place: change for place, change in effect.items() if change},
    )


def disabled(net: Net, words: Iterable[FiringWord]) -> Formula:
    """Return the formula that none of the words can fire."""
    lacking = (
        tuple(at_most(variable(net.places[place]), n - 1) for place, n in word.hurdle.items())
        for word in words
    )
    return Conjunction(tuple(map(Disjunction, lacking)))


def holds_at_least(net: Net, tokens: Iterable[tuple[int, int]]) -> Formula:
    """Return the formula that a marking has at least these tokens, by place number."""
    marked = ((net.places[place], n) for place, n in tokens if n)
    return Conjunction(tuple(at_least(variable(name), n) for name, n in marked))
