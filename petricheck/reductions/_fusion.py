"""One place for several, which holds the sum of what they hold.

φ adds up the places of each set, in markings as in pre and post of each transition: what fires in m
fires in φ(m), and leads to the φ of what it led to. Transitions that touched a set and are then
without effect go. Which firings of the larger net stand for one of the smaller net is for each
rewrite to say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from petricheck.answer import Answer, Trace, Unreachable, joined
from petricheck.evidence.state_equation import StateEquationCertificate
from petricheck.presburger.formulas import Formula
from petricheck.problem import Problem, Transition, Weights
from petricheck.reductions._substitution import Substitution

STEPS = 1_000_000
"""Traces that would have more steps are not lifted."""

Steps = list[tuple[int, int]]
"""Transitions of the larger net, each with how often it fires."""


class Firings(Protocol):
    """What fires in the larger net."""

    def instead(self, marking: Sequence[int], number: int, times: int) -> tuple[Steps, int]:
        """Firings that have the effect of the transition's, but for the places of the sets.

        Args:
            marking: of the larger net.
            number: a transition that stays.
            times: how often it fires in the smaller net.

        Returns:
            The firings, and for how many of the transition's they stand, one at least.
        """


def fuse(problem: Problem, sets: tuple[tuple[int, ...], ...], firings: Firings) -> Fused:
    """The step that makes one place of each set, which is the first of it."""
    net = problem.net
    homes = {place: places[0] for places in sets for place in places}
    transitions = tuple(_fused(transition, homes) for transition in net.transitions)
    gone = frozenset(
        number
        for number, (old, new) in enumerate(zip(net.transitions, transitions, strict=True))
        if new is not old and not new.effect
    )
    initial = list(net.initial)
    for place, home in homes.items():
        if place != home:
            initial[home] += initial[place]
    whole = replace(net, transitions=transitions, initial=tuple(initial))
    kept = [number for number in range(len(transitions)) if number not in gone]
    after = whole.without({place for place, home in homes.items() if place != home}, kept)
    return Fused(problem, replace(problem, net=after), sets, gone, firings)


def _fused(transition: Transition, homes: Mapping[int, int]) -> Transition:
    """The transition after φ."""
    if not any(place in homes for place, _ in (*transition.pre, *transition.post)):
        return transition
    pre, post = (_sums(weights, homes) for weights in (transition.pre, transition.post))
    return Transition(transition.name, pre, post)


def _sums(weights: Weights, homes: Mapping[int, int]) -> Weights:
    total: Counter[int] = Counter()
    for place, weight in weights:
        total[homes.get(place, place)] += weight
    return tuple(sorted(total.items()))


@dataclass(frozen=True)
class Fused:
    """The step of rewrites that make one place of several.

    Attributes:
        before: the larger problem.
        after: the smaller problem.
        sets: places of the larger net in ascending order; the first of each set stays.
        gone: the transitions that were removed.
        firings: what fires in the larger net.
    """

    before: Problem
    after: Problem
    sets: tuple[tuple[int, ...], ...]
    gone: frozenset[int]
    firings: Firings

    @property
    def count(self) -> int:
        """How many places and transitions were removed."""
        return sum(len(places) - 1 for places in self.sets) + len(self.gone)

    def about(self, target: Formula) -> Fused:
        """The same places fused, of another question that names none of them."""
        before, after = (replace(p, target=target) for p in (self.before, self.after))
        return replace(self, before=before, after=after)

    def lift(self, answer: Answer) -> Answer | None:
        """The trace as it fires in the larger net; the certificate after the substitution."""
        match answer:
            case Unreachable(StateEquationCertificate(traps, siphon)):
                wide = tuple(map(self._whole, traps))
                certificate = StateEquationCertificate(wide, self._whole(siphon))
                return replace(answer, certificate=certificate)
            case _:
                return self._substitution.lift(answer, self._replayed)

    def _replayed(self, trace: Trace) -> Trace | None:
        """What fires in the larger net; None where it would be too long."""
        net = self.before.net
        marking, steps = list(net.initial), list[tuple[int, int]]()
        for name, times in trace.steps:
            number, left = net.transition_numbers[name], times
            while left:
                fired, done = self.firings.instead(marking, number, left)
                left -= done
                for each, count in fired:
                    for place, change in net.transitions[each].effect:
                        marking[place] += count * change
                steps.extend(fired)
                if len(steps) > STEPS:
                    return None
        return joined(steps, net.actions)

    @cached_property
    def _substitution(self) -> Substitution:
        merges = tuple((place, ((first, 1),)) for first, *others in self.sets for place in others)
        return Substitution(self.before.net, merges, self.gone)

    def _whole(self, places: Sequence[str]) -> tuple[str, ...]:
        """The places, with the others of each set of which the first is among them."""
        names, chosen = self.before.net.places, set(places)
        others = (names[p] for first, *rest in self.sets if names[first] in chosen for p in rest)
        return (*places, *others)
