"""Firing sequences by themselves: what they need and change, whatever marking they fire from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from petricheck.answer import Trace
from petricheck.audit.limits import integral
from petricheck.budget import Budget, watched
from petricheck.errors import EvidenceError
from petricheck.presburger.formulas import Conjunction, Disjunction, Formula, at_least, at_most
from petricheck.presburger.terms import variable
from petricheck.problem import Net


@dataclass(frozen=True, slots=True)
class Word:
    """A firing sequence.

    Attributes:
        hurdle: tokens by place number, without zeros, of the least marking from which it fires.
        effect: what it changes, by place number, without zeros.
    """

    hurdle: Mapping[int, int]
    effect: Mapping[int, int]

    def fires(self, tokens: Sequence[int]) -> bool:
        """Whether it can fire where places hold so many tokens, by their number."""
        return all(tokens[place] >= least for place, least in self.hurdle.items())


def word_of(net: Net, trace: Trace, budget: Budget) -> Word:
    """Hurdle and effect of a firing sequence, from its last step back to its first.

    A marking m fires t n times, and the rest then, where m + k·δ ≥ u for every k < n, of which the
    first and the last suffice, and m + n·δ is at least the hurdle of the rest.

    Raises:
        EvidenceError: a step is none of the net.
        BudgetExhausted: time or memory ran out.
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
    return Word(
        {place: tokens for place, tokens in hurdle.items() if tokens},
        {place: change for place, change in effect.items() if change},
    )


def disabled(net: Net, words: Iterable[Word]) -> Formula:
    """That none of the words can fire."""
    return Conjunction(tuple(Disjunction(tuple(_lacking(net, word))) for word in words))


def _lacking(net: Net, word: Word) -> Iterable[Formula]:
    return (at_most(variable(net.places[place]), n - 1) for place, n in word.hurdle.items())


def holds_at_least(net: Net, tokens: Iterable[tuple[int, int]]) -> Formula:
    """That a marking has at least so many tokens, by place number."""
    return Conjunction(tuple(at_least(variable(net.places[place]), n) for place, n in tokens))
