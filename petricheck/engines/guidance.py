"""Distances to the target: to the nearest of its cubes by the state equation.

Each cube has a linear program. For a marking a few of them are solved, in the order of the lower
bounds that their last dual solutions give.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from petricheck.arithmetic.formulas.formulas import Cube, evaluate, variables
from petricheck.explicit.kernel.arrays import weights_of
from petricheck.explicit.search.firing import Array
from petricheck.explicit.search.state_equation import NOWHERE, Estimate, StateEquation
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget

_PROGRAMS = 3
"""Programs solved for each marking after the first, at most."""


class Guidance:
    """Estimates of distances, for a problem whose target is the union of the cubes.

    Attributes:
        programs: how many linear programs were solved.
    """

    def __init__(self, problem: Problem, cubes: Sequence[Cube], budget: Budget) -> None:
        self.programs = 0
        self._budget, self._target = budget, problem.target
        self._columns = [(n, problem.net.place_numbers[n]) for n in variables(problem.target)]
        self._effects = weights_of(problem.net).effects
        self._owners = self._effects.owners
        self._equations = [StateEquation(problem.net, cube) for cube in cubes]
        self._first = True

    def estimate(self, marking: Array) -> Estimate:
        """Return the estimate for a marking; `NOWHERE` if the search should abandon it."""
        if self._first:
            self._first = False
            return self._first_estimate(marking)
        best = NOWHERE
        for number, equation in enumerate(sorted(self._equations, key=lambda e: e.bound(marking))):
            if best is not NOWHERE and (
                number >= _PROGRAMS or equation.bound(marking) >= best.distance
            ):
                break
            best = min(best, self._solve(equation, marking), key=_distance)
        return best

    def _first_estimate(self, marking: Array) -> Estimate:
        """Return the best estimate of all cubes; drop those that are unreachable."""
        answers = [(equation, self._solve(equation, marking)) for equation in self._equations]
        self._equations = [equation for equation, answer in answers if answer is not NOWHERE]
        return min((answer for _, answer in answers), key=_distance, default=NOWHERE)

    def _solve(self, equation: StateEquation, marking: Array) -> Estimate:
        self._budget.check()
        self.programs += 1
        estimate = equation.estimate(marking, self._budget.remaining)
        if estimate is None:
            self._budget.check()
            return Estimate(max(0.0, equation.bound(marking)), {}, np.zeros(len(marking)))
        return estimate

    def gains(self, estimate: Estimate, enabled: list[int]) -> list[float]:
        """Return, for each of these transitions, how much a firing lowers the distance at most."""
        products = estimate.slopes[self._effects.indices] * self._effects.values
        all_gains = np.bincount(self._owners, products, self._effects.size)
        return list(all_gains[enabled])

    def is_goal(self, marking: Array) -> bool:
        """Return whether the marking is in the target, exactly."""
        return evaluate(self._target, {name: int(marking[n]) for name, n in self._columns})


def _distance(estimate: Estimate) -> float:
    return estimate.distance
