"""Walks that prefer what they have fired the least: one trace through much of a net."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence

from petricheck.budget import Budget
from petricheck.problem import Net


class Wanderer:
    """Walks from the initial marking that prefer what they have fired the least, in all walks.

    Of the enabled transitions one is fired that fired least often so far; among several of these
    it is drawn. So a walk leaves loops behind, and tries what it meets for the first time.
    """

    def __init__(self, net: Net, seed: int = 0) -> None:
        self._net, self._chance = net, random.Random(seed)
        self._fired = [0] * len(net.transitions)
        self._consumers: dict[int, list[int]] = defaultdict(list)
        for number, transition in enumerate(net.transitions):
            for place, _ in transition.pre:
                self._consumers[place].append(number)

    def walk(self, firings: int, limits: Budget) -> Sequence[int]:
        """The numbers of the transitions that are fired: at most so many, in the time there is."""
        net, marking = self._net, list(self._net.initial)
        enabled = {n for n, t in enumerate(net.transitions) if t.enabled(net.initial)}
        trace: list[int] = []
        while enabled and len(trace) < firings and limits.remaining:
            least = min(self._fired[number] for number in enabled)
            chosen = self._chance.choice(
                sorted(number for number in enabled if self._fired[number] == least)
            )
            self._fired[chosen] += 1
            trace.append(chosen)
            effect = net.transitions[chosen].effect
            for place, change in effect:
                marking[place] += change
            for number in {n for place, _ in effect for n in self._consumers[place]}:
                pre = net.transitions[number].pre
                if all(marking[place] >= weight for place, weight in pre):
                    enabled.add(number)
                else:
                    enabled.discard(number)
        return trace
