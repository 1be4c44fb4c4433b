"""One marking that walks: cheap steps, because only what a firing touches is looked at again."""

from __future__ import annotations

import random
from collections.abc import Sequence
from operator import itemgetter

from petricheck.budget import Budget
from petricheck.problem import Net, Problem
from petricheck.search import luby
from petricheck.search.distance import Distance
from petricheck.search.visited import Steps

_CHECKED = 256
"""How many leaning steps are taken between two looks at the budget."""

_HABITS = ((1, 0.0), (2, 0.1), (3, 0.05), (8, 0.02))
"""(transitions compared, probability of a surprise), in turn: from aimless to greedy."""

_JUMPS = 7
"""A surprise fires up to 2^6 times at once."""


class TokenGame:
    """A marking that changes by firing, from the initial one on, in exact integers.

    Attributes:
        tokens: by place.
        enabled: numbers of the enabled transitions, in any order.
    """

    def __init__(self, net: Net) -> None:
        self._net = net
        self._consumers: list[list[tuple[int, int]]] = [[] for _ in net.places]
        for number, transition in enumerate(net.transitions):
            for place, weight in transition.pre:
                self._consumers[place].append((number, weight))
        self.restart()

    def restart(self) -> None:
        """Back to the initial marking."""
        self.tokens = list(self._net.initial)
        self._lacking = [
            sum(self.tokens[place] < weight for place, weight in transition.pre)
            for transition in self._net.transitions
        ]
        self.enabled = [n for n, lacking in enumerate(self._lacking) if not lacking]
        self._positions = {number: position for position, number in enumerate(self.enabled)}

    def fire(self, number: int, times: int = 1) -> None:
        """Fire a transition that can fire so often in a row."""
        for place, change in self._net.transitions[number].effect:
            before = self.tokens[place]
            after = self.tokens[place] = before + times * change
            for consumer, weight in self._consumers[place]:
                if before < weight <= after:
                    self._lacking[consumer] -= 1
                    if not self._lacking[consumer]:
                        self._positions[consumer] = len(self.enabled)
                        self.enabled.append(consumer)
                elif after < weight <= before:
                    self._lacking[consumer] += 1
                    if self._lacking[consumer] == 1:
                        self._disable(consumer)

    def _disable(self, number: int) -> None:
        position, last = self._positions.pop(number), self.enabled.pop()
        if last != number:
            self.enabled[position] = last
            self._positions[last] = position


class LeaningWalk(TokenGame):
    """A walk that leans towards a target, and starts over where it is stuck or too long.

    Attributes:
        steps: the firings since it started over.
        taken: how many steps it took.
        restarts: how often it started over.
    """

    def __init__(self, problem: Problem, seed: int, length: int) -> None:
        """A walk that has not begun.

        Args:
            problem: the net and the target.
            seed: of the random numbers.
            length: steps of the shortest walks; longer ones follow Luby's sequence.
        """
        self._distance = Distance(problem.net, problem.target)
        self._chance, self._length = random.Random(seed), length
        self.taken = self.restarts = 0
        super().__init__(problem.net)

    def restart(self) -> None:
        """Back to the initial marking."""
        super().restart()
        self.steps: Steps = []
        self._distance.load(self.tokens)

    @property
    def distance(self) -> int:
        """How far the target is; 0 exactly inside it."""
        return self._distance.value

    def fire(self, number: int, times: int = 1) -> None:
        """Fire a transition that can fire so often in a row."""
        super().fire(number, times)
        self._distance.shift(self._net.transitions[number].effect, times)
        self.steps.append((number, times))

    def run(self, steps: int, budget: Budget) -> None:
        """Take so many steps, or fewer into the target; something is enabled initially.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        for step in range(steps):
            if not self.distance:
                return
            longest = self._length * luby(self.restarts // len(_HABITS) + 1)
            if not self.enabled or len(self.steps) >= longest:
                self.restarts += 1
                self.restart()
            if step % _CHECKED == 0:
                budget.report(f"{self.restarts} restarts, {self.taken} leaning steps")
                budget.check()
            self._step(*_HABITS[self.restarts % len(_HABITS)])
            self.taken += 1

    def _step(self, candidates: int, surprise: float) -> None:
        """Fire the best of a few random enabled transitions, as often as that leads downhill.

        Args:
            candidates: how many transitions to compare; each is drawn with replacement.
            surprise: the probability to fire some transition, some number of times, instead.
        """
        draw = self._chance
        if draw.random() < surprise:
            number, times = draw.choice(self.enabled), 1 << draw.randrange(_JUMPS)
            most = self._net.transitions[number].most(self.tokens)
            self.fire(number, times if most is None else min(times, most))
            return
        drawn = (draw.choice(self.enabled) for _ in range(min(candidates, len(self.enabled))))
        _, number, times = min((self._descend(n) for n in drawn), key=itemgetter(0))
        self.fire(number, times)

    def _descend(self, number: int) -> tuple[int, int, int]:
        """The least distance by firing 1, 2, 4, … times while it decreases; number, how often."""
        transition = self._net.transitions[number]
        most = transition.most(self.tokens)
        nearest, times = self._distance.shift(transition.effect), 1
        fired = 1
        while most is None or 2 * fired <= most:
            distance = self._distance.shift(transition.effect, fired)
            fired *= 2
            if distance >= nearest:
                break
            nearest, times = distance, fired
        self._distance.shift(transition.effect, -fired)
        return nearest, number, times


class Wanderer:
    """Walks from the initial marking that prefer what they have fired the least, in all walks.

    Of the enabled transitions one is fired that fired least often so far; among several of these
    it is drawn. So a walk leaves loops behind, and tries what it meets for the first time.
    """

    def __init__(self, net: Net, seed: int = 0) -> None:
        self._game, self._chance = TokenGame(net), random.Random(seed)
        self._fired = [0] * len(net.transitions)

    def walk(self, firings: int, limits: Budget) -> Sequence[int]:
        """The numbers of the transitions that are fired: at most so many, in the time there is."""
        self._game.restart()
        trace: list[int] = []
        while (enabled := self._game.enabled) and len(trace) < firings and limits.remaining:
            least = min(self._fired[number] for number in enabled)
            rarest = sorted(number for number in enabled if self._fired[number] == least)
            chosen = self._chance.choice(rarest)
            self._fired[chosen] += 1
            trace.append(chosen)
            self._game.fire(chosen)
        return trace
