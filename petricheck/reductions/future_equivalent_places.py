"""Places whose tokens have the same future (Thierry-Mieg 2020, symmetric choice).

Let p and q be places that the target does not name, and let transitions take at most one token of
each. If for each transition that takes from p there is one that takes from q instead, with the rest
of pre and all of post the same, and the other way round, then it does not matter which of the two
holds a token: they become one place, which holds the sum. Back, the transition fires that takes
from a place that has a token. No transition takes from both: the one for q would take two.

A half-space with weights on both is as good with the lesser one on both. But a trap may have p
without q, and is then no trap of the smaller net; so several targets at once do without this.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from petricheck.budget import Budget
from petricheck.presburger.formulas import variables
from petricheck.problem import Net, Problem, Weights
from petricheck.reductions._fusion import Fused, Steps, fuse


@dataclass(frozen=True)
class FutureEquivalentPlaces:
    """Make one place of those whose tokens have the same future."""

    rank: ClassVar[int] = 58
    for_all: ClassVar[bool] = False

    def apply(self, problem: Problem, budget: Budget) -> Fused | None:
        """The problem with one place for each set; certificates are lifted by substitution."""
        net = problem.net
        named = {net.place_numbers[name] for name in variables(problem.target)}
        classes: dict[frozenset[tuple[Weights, Weights]], list[int]] = defaultdict(list)
        for place, future in sorted(_futures(net).items()):
            if place not in named:
                classes[future].append(place)
        sets = tuple(tuple(places) for places in classes.values() if len(places) > 1)
        return fuse(problem, sets, _Rerouting(net, sets)) if sets else None


def _futures(net: Net) -> dict[int, frozenset[tuple[Weights, Weights]]]:
    """By place, the rest of pre, and post, of each transition that takes from it one token."""
    futures: dict[int, set[tuple[Weights, Weights]]] = defaultdict(set)
    heavy = set()
    for transition in net.transitions:
        for number, (place, weight) in enumerate(transition.pre):
            rest = transition.pre[:number] + transition.pre[number + 1 :]
            futures[place].add((rest, transition.post))
            if weight > 1:
                heavy.add(place)
    return {p: frozenset(future) for p, future in futures.items() if p not in heavy}


@dataclass(frozen=True)
class _Rerouting:
    """In place of a transition, the one that takes from places that have tokens.

    Attributes:
        net: the larger net.
        sets: its places whose tokens have the same future.
    """

    net: Net
    sets: tuple[tuple[int, ...], ...]

    def instead(self, marking: Sequence[int], number: int, times: int) -> tuple[Steps, int]:
        """One transition, as often in a row as it can, of so many."""
        transition = self.net.transitions[number]
        pre: dict[int, int] = {}
        for place, weight in transition.pre:
            pre[self._fullest(place, marking)] = weight
        other = self._numbers[tuple(sorted(pre.items())), transition.post]
        held = tuple(marking)
        while times > 1 and not self.net.transitions[other].fires(held, times):
            times //= 2
        return [(other, times)], times

    def _fullest(self, place: int, marking: Sequence[int]) -> int:
        """The place of its set with the most tokens."""
        return max(self._classes.get(place, (place,)), key=lambda other: marking[other])

    @cached_property
    def _classes(self) -> Mapping[int, tuple[int, ...]]:
        return {place: places for places in self.sets for place in places}

    @cached_property
    def _numbers(self) -> Mapping[tuple[Weights, Weights], int]:
        return {(t.pre, t.post): number for number, t in enumerate(self.net.transitions)}
