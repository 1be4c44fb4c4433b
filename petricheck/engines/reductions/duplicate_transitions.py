"""Transitions that another one can stand for, and transitions that change nothing.

Where two have the same effect and one needs no more than the other, it fires wherever the other
does, with the same result. What is shown of it under its weaker guard holds of the other one too.
A transition without effect can be left out of any trace and keeps any invariant.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from petricheck.engines.reductions._selection import Selection, select
from petricheck.model.net import Transition, Weights
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget

COMPARED = 8
"""With how many others of the same effect one is compared, so that the effort stays linear."""


class DuplicateTransitions:
    """Leave out transitions that another one can stand for, or that change nothing."""

    rank = 60
    for_all = True
    of_net = True

    def apply(self, problem: Problem, budget: Budget) -> Selection | None:
        """Return the problem without them; certificates and traces stay what they are."""
        idle: set[int] = set()
        groups: dict[Weights, list[int]] = defaultdict(list)
        for number, transition in enumerate(problem.net.transitions):
            if transition.effect:
                groups[transition.effect].append(number)
            else:
                idle.add(number)
        twins: dict[int, int] = {}
        for group in groups.values():
            twins |= _twins(problem.net.transitions, group)
        doubles = {number: (twin,) for number, twin in twins.items()}
        return select(problem, idle=idle, doubles=doubles) if idle or doubles else None


def _twins(transitions: Sequence[Transition], group: Sequence[int]) -> dict[int, int]:
    """Return for each removed transition of the group the one that stays for it."""
    if len(group) == 1:
        return {}
    twins = {}
    distinct: list[tuple[int, Weights]] = []
    for number in sorted(group, key=lambda n: (sum(w for _, w in transitions[n].pre), n)):
        needed = dict(transitions[number].pre)
        for other, pre in distinct[:COMPARED]:
            if all(weight <= needed.get(place, 0) for place, weight in pre):
                twins[number] = other
                break
        else:
            distinct.append((number, transitions[number].pre))
    return twins
