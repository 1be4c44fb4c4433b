"""Which way to the target: to the nearest cube by the state equation; downhill if there are many.

Up to `_CUBES` cubes have a linear program each; a marking asks a few of them, those first whose
last dual solution promises the least. Targets of more cubes (deadlock has exponentially many) are
judged by the distance of the whole formula, without a program.
"""

from __future__ import annotations

import numpy as np

from petricheck.budget import Budget
from petricheck.kernel.arrays import vectors
from petricheck.presburger.cubes import listed_cubes
from petricheck.presburger.formulas import evaluate
from petricheck.problem import Problem
from petricheck.search.distance import Distance
from petricheck.search.firing import Array
from petricheck.search.state_equation import NOWHERE, Estimate, StateEquation, as_float

_CUBES = 32
_ASKED = 3
"""How many cubes are asked for each marking after the first."""

_TOUCHING = 0.5
"""Distances are whole numbers or lower bounds on them, so what is in the target is nearer."""


class Guidance:
    """Estimates for the markings of one problem.

    Attributes:
        programs: how many linear programs were solved.
    """

    def __init__(self, problem: Problem, budget: Budget) -> None:
        self.programs = 0
        self._problem = problem
        self._budget = budget
        self._effects = vectors([transition.effect for transition in problem.net.transitions])
        self._owners = self._effects.entries(np.arange(len(problem.net.transitions)))[0]
        found = listed_cubes(problem.target, budget, most=_CUBES)
        self._many = found is None
        self._single = found is not None and len(found) == 1
        self._near = [StateEquation(problem.net, cube) for cube in found or ()]
        self._distance = Distance(problem.net, problem.target)
        self._first = True

    def estimate(self, marking: Array) -> Estimate:
        """The estimate for a marking; `NOWHERE` where the search should not go on from it."""
        if self._many:
            self._distance.load(marking.tolist())
            return Estimate(as_float(self._distance.value), {}, _FLAT)
        if self._first:
            self._first = False
            return self._first_estimate(marking)
        best = NOWHERE
        for asked, equation in enumerate(sorted(self._near, key=lambda e: e.bound(marking))):
            if best is not NOWHERE and (
                asked >= _ASKED or equation.bound(marking) >= best.distance
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
        found = equation.estimate(marking, self._budget.remaining)
        if found is None:
            self._budget.check()
            return Estimate(max(0.0, equation.bound(marking)), {}, np.zeros(len(marking)))
        return found

    def after(self, estimate: Estimate, transition: int, times: int) -> Estimate | None:
        """The estimate after following the plan; None where a new one is needed."""
        return None if self._many else estimate.after(transition, times)

    def gains(self, estimate: Estimate, marking: Array, enabled: list[int]) -> list[float]:
        """By how much one firing of each of these transitions lowers the distance, at most."""
        if not self._many:
            products = estimate.slopes[self._effects.indices] * self._effects.values
            all_gains = np.bincount(self._owners, products, len(self._problem.net.transitions))
            return list(all_gains[enabled])
        self._distance.load(marking.tolist())
        here = self._distance.value
        gains = []
        for number in enabled:
            effect = self._problem.net.transitions[number].effect
            gains.append(as_float(here - self._distance.shift(effect)))
            self._distance.shift(effect, -1)
        return gains

    def is_goal(self, marking: Array, distance: float) -> bool:
        """Whether the marking is in the target, exactly.

        Args:
            marking: the marking.
            distance: a lower bound on its distance, if there is a single cube; saves the test.
        """
        if self._single and distance >= _TOUCHING:
            return False
        values = (int(tokens) for tokens in marking)
        return evaluate(self._problem.target, self._problem.net.values(tuple(values)))


_FLAT = np.zeros(0)


def _distance(estimate: Estimate) -> float:
    return estimate.distance
