"""One marking that walks: cheap steps, because only what a firing touches is looked at again."""

from __future__ import annotations

import random

from petricheck.problem import Problem, Transition
from petricheck.search.distance import Distance
from petricheck.search.frontier import Steps


class Walker:
    """A walk from the initial marking, in exact integers.

    Attributes:
        steps: the firings so far.
    """

    def __init__(self, problem: Problem) -> None:
        self._net = problem.net
        self._distance = Distance(problem.net, problem.target)
        self._consumers: list[list[tuple[int, int]]] = [[] for _ in problem.net.places]
        for number, transition in enumerate(problem.net.transitions):
            for place, weight in transition.pre:
                self._consumers[place].append((number, weight))
        self.restart()

    def restart(self) -> None:
        """Back to the initial marking."""
        self.steps: Steps = []
        self._tokens = list(self._net.initial)
        self._distance.load(self._tokens)
        self._missing = [_missing(t, self._tokens) for t in self._net.transitions]
        self._enabled = [n for n, missing in enumerate(self._missing) if not missing]
        self._positions = {number: position for position, number in enumerate(self._enabled)}

    @property
    def distance(self) -> int:
        """How far the target is; 0 exactly inside it."""
        return self._distance.value

    @property
    def stuck(self) -> bool:
        """Whether nothing is enabled."""
        return not self._enabled

    def step(self, chance: random.Random, candidates: int, surprise: float) -> None:
        """Fire the best of a few random enabled transitions, as often as that leads downhill.

        Args:
            chance: the source of randomness.
            candidates: how many transitions to compare; each is drawn with replacement.
            surprise: the probability to fire some transition, some number of times, instead.
        """
        if chance.random() < surprise:
            number = chance.choice(self._enabled)
            times = 1 << chance.randrange(_JUMPS)
            self._fire(number, self._at_most(number, times))
            return
        best: tuple[int, int, int] | None = None
        for _ in range(min(candidates, len(self._enabled))):
            number = chance.choice(self._enabled)
            distance, times = self._descend(number)
            if best is None or distance < best[0]:
                best = distance, number, times
        if best is not None:
            self._fire(best[1], best[2])

    def _descend(self, number: int) -> tuple[int, int]:
        """The least distance met by firing 1, 2, 4, … times while it decreases, and how often."""
        effect = self._net.transitions[number].effect
        nearest, times = self._distance.shift(effect), 1
        fired = 1
        while self._at_most(number, fired * 2) == fired * 2:
            distance = self._distance.shift(effect, fired)
            fired *= 2
            if distance >= nearest:
                break
            nearest, times = distance, fired
        self._distance.shift(effect, -fired)
        return nearest, times

    def _at_most(self, number: int, times: int) -> int:
        """`times`, or as often as the enabled transition can fire in a row if that is less."""
        transition = self._net.transitions[number]
        needed = dict(transition.pre)
        for place, change in transition.effect:
            if change < 0:
                times = min(times, (self._tokens[place] - needed[place]) // -change + 1)
        return times

    def _fire(self, number: int, times: int) -> None:
        effect = self._net.transitions[number].effect
        self._distance.shift(effect, times)
        self.steps.append((number, times))
        for place, change in effect:
            before = self._tokens[place]
            after = self._tokens[place] = before + times * change
            for consumer, weight in self._consumers[place]:
                if before < weight <= after:
                    self._free(consumer)
                elif after < weight <= before:
                    self._hinder(consumer)

    def _free(self, number: int) -> None:
        self._missing[number] -= 1
        if not self._missing[number]:
            self._positions[number] = len(self._enabled)
            self._enabled.append(number)

    def _hinder(self, number: int) -> None:
        self._missing[number] += 1
        if self._missing[number] == 1:
            position, last = self._positions.pop(number), self._enabled.pop()
            if last != number:
                self._enabled[position] = last
                self._positions[last] = position


_JUMPS = 7
"""A surprise fires up to 2^6 times at once."""


def _missing(transition: Transition, tokens: list[int]) -> int:
    """How many places hold too little."""
    return sum(tokens[place] < weight for place, weight in transition.pre)
