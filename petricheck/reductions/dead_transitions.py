"""Transitions that never fire, since what they need is never there.

Let a place grow if some transition that may fire has a positive effect on it, and a transition may
fire if each of its input places grows or holds enough initially; both least. A place that does not
grow never holds more than initially, as long as only these transitions fire; and those are the only
ones that ever do, for every other one needs more of such a place. The places that start empty and
do not grow are the greatest unmarked siphon, if weights are 1 (Murata 1989, section V.C).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from petricheck.budget import Budget
from petricheck.problem import Net, Problem
from petricheck.reductions._selection import Selection, blocking_facts, select


@dataclass(frozen=True)
class DeadTransitions:
    """Leave out transitions that need what never comes."""

    rank: ClassVar[int] = 10
    for_all: ClassVar[bool] = True
    of_net: ClassVar[bool] = True

    def apply(self, problem: Problem, budget: Budget) -> Selection | None:
        """The problem without them; that each lacks some place joins the certificate."""
        net = problem.net
        dead, growing = _fixpoint(net)
        if not dead:
            return None
        chosen = _blocking(net, dead, growing)
        empty = [p for p, n in enumerate(net.initial) if not n and p not in growing]
        siphon = tuple(net.places[place] for place in empty)
        names = set(empty)
        emptied = all(any(p in names for p, _ in net.transitions[t].pre) for t in dead)
        return select(
            problem,
            dead=set(dead),
            facts=blocking_facts(net, chosen),
            siphon=siphon if emptied else None,
        )


def _fixpoint(net: Net) -> tuple[list[int], set[int]]:
    """The transitions that may not fire, and the places that grow."""
    waiting: dict[int, list[int]] = defaultdict(list)
    missing = [0] * len(net.transitions)
    for number, transition in enumerate(net.transitions):
        for place, weight in transition.pre:
            if net.initial[place] < weight:
                waiting[place].append(number)
                missing[number] += 1
    growing: set[int] = set()
    pending = [number for number, count in enumerate(missing) if not count]
    while pending:
        for place, change in net.transitions[pending.pop()].effect:
            if change > 0 and place not in growing:
                growing.add(place)
                for number in waiting[place]:
                    missing[number] -= 1
                    if not missing[number]:
                        pending.append(number)
    return [number for number, count in enumerate(missing) if count], growing


def _blocking(net: Net, dead: Sequence[int], growing: set[int]) -> set[int]:
    """For each dead transition a place that disables it, preferably one that others need too."""
    reasons = [
        [p for p, w in net.transitions[t].pre if p not in growing and w > net.initial[p]]
        for t in dead
    ]
    chosen: set[int] = set()
    for places in sorted(reasons, key=len):
        if chosen.isdisjoint(places):
            chosen.add(min(places, key=lambda place: (net.initial[place], place)))
    return chosen
