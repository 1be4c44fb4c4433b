"""Places that disable nothing: they hold enough from the start, and never lose any.

Nor is the target about them. So the net fires the same sequences without them, and an invariant
that was shown without their guards holds with them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from petricheck.budget import Budget
from petricheck.presburger.formulas import variables
from petricheck.problem import Problem
from petricheck.reductions._selection import Selection, select


@dataclass(frozen=True)
class RedundantPlaces:
    """Leave out places that always hold enough."""

    rank: ClassVar[int] = 40
    for_all: ClassVar[bool] = True

    def apply(self, problem: Problem, budget: Budget) -> Selection | None:
        """The problem without them; certificates and traces stay what they are."""
        net = problem.net
        places = set(range(len(net.places)))
        places -= {net.place_numbers[name] for name in variables(problem.target)}
        for transition in net.transitions:
            places.difference_update(p for p, change in transition.effect if change < 0)
            places.difference_update(p for p, w in transition.pre if w > net.initial[p])
        return select(problem, places=places) if places else None
