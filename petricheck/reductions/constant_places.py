"""Places that no transition changes.

Such a place holds what it holds initially: a number that replaces it in the target. A transition
that needs more of it is dead, and to the others it says nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from petricheck.budget import Budget
from petricheck.presburger.terms import constant
from petricheck.problem import Net, Problem
from petricheck.reductions._selection import Selection, blocking_facts, select


@dataclass(frozen=True)
class ConstantPlaces:
    """Leave out places that no transition changes, and put their numbers into the target."""

    rank: ClassVar[int] = 20
    for_all: ClassVar[bool] = True

    def apply(self, problem: Problem, budget: Budget) -> Selection | None:
        """The problem without them; where it matters, their equations join the certificate."""
        net = problem.net
        changed = {place for t in net.transitions for place, _ in t.effect}
        places = set(range(len(net.places))) - changed
        if not places:
            return None
        values = {net.places[place]: constant(net.initial[place]) for place in sorted(places)}
        dead, blocking = _disabled(net, places)
        facts = blocking_facts(net, blocking)
        marked = any(net.initial[place] for place in blocking)
        siphon = None if marked else tuple(net.places[place] for place in sorted(blocking))
        return select(problem, places=places, dead=dead, facts=facts, values=values, siphon=siphon)


def _disabled(net: Net, places: set[int]) -> tuple[set[int], set[int]]:
    """The transitions that need more of a constant place than it holds, and such a place each."""
    dead, blocking = set(), set()
    for number, transition in enumerate(net.transitions):
        lacking = [p for p, w in transition.pre if p in places and w > net.initial[p]]
        if lacking:
            dead.add(number)
            blocking.add(min(lacking, key=lambda place: (net.initial[place], place)))
    return dead, blocking
