"""Transitions that never fire, since what they need is never there.

It is a place that does not grow (`facts.growth`), and does not hold enough of it initially.
"""

from __future__ import annotations

from collections.abc import Sequence

from petricheck.engines.reductions._selection import Selection, select
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.symbolic.facts.growth import blocking_facts, growth


class DeadTransitions:
    """Leave out transitions that need what never comes."""

    rank = 10
    for_all = True
    of_net = True

    def apply(self, problem: Problem, budget: Budget) -> Selection | None:
        """Return the problem without them; that each lacks some place joins the certificate."""
        net = problem.net
        dead, growing = growth(net)
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


def _blocking(net: Net, dead: Sequence[int], growing: set[int]) -> set[int]:
    """Return for each dead transition a place that disables it, if possible a shared one."""
    reasons = [
        [p for p, w in net.transitions[t].pre if p not in growing and w > net.initial[p]]
        for t in dead
    ]
    selection: set[int] = set()
    for places in sorted(reasons, key=len):
        if selection.isdisjoint(places):
            selection.add(min(places, key=lambda place: (net.initial[place], place)))
    return selection
