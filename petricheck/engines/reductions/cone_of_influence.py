"""Removal of what cannot influence the target: a backward slice.

The relevant places are those of the target, and with every transition that changes a relevant place
the places that it needs. Any other transition changes no relevant place, so leaving it out of a
trace disables nothing that is relevant and ends in the same relevant tokens; and an invariant over
relevant places is kept by it. A relevant transition needs relevant places only.
"""

from __future__ import annotations

from collections import defaultdict

from petricheck.arithmetic.formulas.formulas import variables
from petricheck.engines.reductions._selection import Selection, select
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget


class ConeOfInfluence:
    """Leave out places and transitions that the target does not depend on."""

    rank = 30
    for_all = True
    of_net = False

    def apply(self, problem: Problem, budget: Budget) -> Selection | None:
        """Return the problem about relevant places; certificates and traces stay what they are."""
        net = problem.net
        relevant, used = _slice(problem)
        if len(relevant) == len(net.places) and len(used) == len(net.transitions):
            return None
        return select(
            problem,
            places=set(range(len(net.places))) - relevant,
            idle=set(range(len(net.transitions))) - used,
        )


def _slice(problem: Problem) -> tuple[set[int], set[int]]:
    """Return the relevant places, and the transitions that change them."""
    net = problem.net
    changers: dict[int, list[int]] = defaultdict(list)
    for number, transition in enumerate(net.transitions):
        for place, _ in transition.effect:
            changers[place].append(number)
    relevant = {net.place_numbers[name] for name in variables(problem.target)}
    used: set[int] = set()
    pending = sorted(relevant)
    while pending:
        for number in changers[pending.pop()]:
            if number not in used:
                used.add(number)
                needed = {place for place, _ in net.transitions[number].pre} - relevant
                relevant |= needed
                pending.extend(sorted(needed))
    return relevant, used
