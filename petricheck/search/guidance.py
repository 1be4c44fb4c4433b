"""Distances to the target: to the nearest of its cubes by the state equation.

Each cube has a linear program; a marking asks a few of them, those first whose last dual solution
promises the least.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from petricheck.budget import Budget
from petricheck.kernel.arrays import weights_of
from petricheck.presburger.formulas import Cube, evaluate, variables
from petricheck.problem import Problem
from petricheck.search.firing import Array
from petricheck.search.state_equation import NOWHERE, Estimate, StateEquation

_ASKED = 3
"""How many cubes are asked for each marking after the first."""


class Guidance:
    """Estimates for the markings of a problem whose target has these cubes.

    Attributes:
        programs: how many linear programs were solved.
    """

    def __init__(self, problem: Problem, cubes: Sequence[Cube], budget: Budget) -> None:
        self.programs = 0
        self._budget, self._target = budget, problem.target
        self._columns = [(n, problem.net.place_numbers[n]) for n in variables(problem.target)]
        self._effects = weights_of(problem.net).effects
        self._owners = self._effects.owners
        self._near = [StateEquation(problem.net, cube) for cube in cubes]
        self._first = True

    def estimate(self, marking: Array) -> Estimate:
        """The estimate for a marking; `NOWHERE` where the search should not go on from it."""
        if self._first:
            self._first = False
            return self._first_estimate(marking)
        best = NOWHERE
        for number, equation in enumerate(sorted(self._near, key=lambda e: e.bound(marking))):
            if best is not NOWHERE and (
                number >= _ASKED or equation.bound(marking) >= best.distance
            ):
                break
            best = min(best, self._ask(equation, marking), key=_distance)
        return best

    def _first_estimate(self, marking: Array) -> Estimate:
        """Asks every cube, and forgets those that no firing sequence can lead to."""
        answers = [(equation, self._ask(equation, marking)) for equation in self._near]
        self._near = [equation for equation, answer in answers if answer is not NOWHERE]
        return min((answer for _, answer in answers), key=_distance, default=NOWHERE)

    def _ask(self, equation: StateEquation, marking: Array) -> Estimate:
        self._budget.check()
        self.programs += 1
        estimate = equation.estimate(marking, self._budget.remaining)
        if estimate is None:
            self._budget.check()
            return Estimate(max(0.0, equation.bound(marking)), {}, np.zeros(len(marking)))
        return estimate

    def gains(self, estimate: Estimate, enabled: list[int]) -> list[float]:
        """By how much one firing of each of these transitions lowers the distance, at most."""
        products = estimate.slopes[self._effects.indices] * self._effects.values
        all_gains = np.bincount(self._owners, products, self._effects.size)
        return list(all_gains[enabled])

    def is_goal(self, marking: Array) -> bool:
        """Whether the marking is in the target, exactly."""
        return evaluate(self._target, {name: int(marking[n]) for name, n in self._columns})


def _distance(estimate: Estimate) -> float:
    return estimate.distance
