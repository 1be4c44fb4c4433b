"""Sums that exceed every number, from the loops of a tree of Karp and Miller (1969).

Its markings have ω on the places that loops fill. Limits: the tree holds so many markings and no
more; a sum with a negative weight on a place that has to be filled beside it may be missed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np

from petricheck.answer import Trace, joined
from petricheck.audit.limits import watched
from petricheck.budget import Budget
from petricheck.claims import Pumped, Stage
from petricheck.covering.karp_miller import KarpMiller
from petricheck.covering.tokens import OMEGA
from petricheck.presburger.terms import Term
from petricheck.problem import Net
from petricheck.questions.maxima import Sum

_TURNS = 64
"""Markings expanded between two looks for loops."""

_SMALL = 1 << 40
"""A net with greater numbers is explored in Python's integers."""


class Pumping:
    """The tree of one net, as far as it was explored."""

    def __init__(self, net: Net) -> None:
        """A tree of the initial marking alone."""
        numbers = [w for t in net.transitions for _, w in (*t.pre, *t.post)]
        kind = np.int64 if max((*numbers, *net.initial), default=0) < _SMALL else object
        self._net = net
        self._tree = KarpMiller(net, range(len(net.transitions)), kind)

    @property
    def complete(self) -> bool:
        """Whether every reachable marking is below one of the tree."""
        return self._tree.complete

    def claims(self, sums: Collection[Sum], budget: Budget) -> Iterator[Pumped]:
        """Explore until each of these sums is pumped, or the tree ends; each is claimed once.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        none = np.zeros((0, len(self._net.places)), dtype=np.int64)
        left, looked = dict.fromkeys(sums), 0
        while left and not self._tree.ended:
            self._tree.explore(none, np.zeros(0, dtype=np.int64), _TURNS, budget)
            budget.report(f"{len(self._tree.nodes)} markings of a coverability tree")
            for number in watched(range(looked, len(self._tree.nodes)), budget):
                pumped = self._pumped(number, left) if self._tree.nodes[number].loops else None
                if pumped is not None:
                    for term in pumped.sums:
                        del left[term.coefficients]
                    yield pumped
            looked = len(self._tree.nodes)

    def greatest(self, weights: Sum) -> int:
        """The greatest value of the sum in a marking of the tree without ω in it; a guess."""
        values = (self._value(number, weights) for number in range(len(self._tree.nodes)))
        return int(max(value for value in values if value < OMEGA))

    def _value(self, number: int, weights: Sum) -> float:
        tokens = self._tree.nodes[number].tokens
        held = [(tokens.get(self._net.place_numbers[name], 0), w) for name, w in weights]
        return OMEGA if any(n == OMEGA for n, _ in held) else sum(n * w for n, w in held)

    def _pumped(self, number: int, sums: Collection[Sum]) -> Pumped | None:
        """The claim that loops on the way to a node pump some of these sums; None where none is."""
        filled = {
            self._net.places[place]
            for place, tokens in self._tree.nodes[number].tokens.items()
            if tokens == OMEGA
        }
        words = self._tree.stages(number)
        once = self._gain(words[0][1]) if len(words) == 1 else {}
        grown = [weights for weights in sums if _grows(weights, filled, once)]
        if not grown:
            return None
        stages = tuple(Stage(self._trace(stem), self._trace(loop)) for stem, loop in words)
        return Pumped(tuple(Term(weights, 0) for weights in grown), stages)

    def _trace(self, word: tuple[int, ...]) -> Trace:
        return joined(((action, 1) for action in word), self._net.actions)

    def _gain(self, word: tuple[int, ...]) -> Mapping[str, int]:
        gain: dict[str, int] = {}
        for action in word:
            for place, change in self._net.transitions[action].effect:
                name = self._net.places[place]
                gain[name] = gain.get(name, 0) + change
        return gain


def _grows(weights: Sum, filled: Collection[str], once: Mapping[str, int]) -> bool:
    """Whether the sum counts a filled place and takes off none, or the only loop raises it."""
    counted = [weight for name, weight in weights if name in filled]
    raised = sum(weight * once.get(name, 0) for name, weight in weights)
    return raised > 0 or (bool(counted) and min(counted) > 0)
