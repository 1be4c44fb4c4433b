"""Places that no transition changes.

Such a place holds what it holds initially: a number that replaces it in the target. To transitions
that need no more of it, it says nothing; where one needs more, `dead_transitions` comes first.
"""

from __future__ import annotations

from petricheck.arithmetic.formulas.terms import constant
from petricheck.engines.reductions._selection import Selection, select
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget


class ConstantPlaces:
    """Leave out places that no transition changes, and put their numbers into the target."""

    rank = 20
    for_all = True
    of_net = True

    def apply(self, problem: Problem, budget: Budget) -> Selection | None:
        """Return the problem without them; their equations join the certificate if needed."""
        net = problem.net
        places = set(range(len(net.places)))
        for transition in net.transitions:
            places.difference_update(place for place, _ in transition.effect)
            places.difference_update(p for p, weight in transition.pre if weight > net.initial[p])
        values = {net.places[place]: constant(net.initial[place]) for place in sorted(places)}
        return select(problem, places=places, values=values) if places else None
