"""Distance to a target cube by the state equation over the rationals.

Blondin, Haase, Offtermatt: Directed reachability for infinite-state systems (2021), section 4: the
distance of m is the least Σx over x ≥ 0 such that m + Dx is non-negative and lies in the cube. It
is a lower bound on the number of firings; without a solution the cube is unreachable from m.

One linear program serves all markings, since only its row bounds depend on m; HiGHS then starts
from the last basis. Its dual solution bounds the distances of the successors from below without
another program. Congruences are ignored. All of this is floating point: it orders a search and
prunes it, and neither ever justifies a verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from petricheck.arithmetic.formulas.formulas import Congruence, Cube
from petricheck.arithmetic.programs.linear_programs import INFINITY, LinearProgram, as_float
from petricheck.explicit.search.firing import Array
from petricheck.model.net import Net, Weights
from petricheck.symbolic.linear import Hyperplane, constraint

_ZERO = 1e-9


@dataclass(frozen=True, slots=True)
class Estimate:
    """The distance of a marking, and a plan of that many firings that ignores guards.

    Attributes:
        distance: the least Σx.
        plan: number of firings by transition, positive, maybe fractional.
        slopes: for each place, by how much one more token lowers the distance, from the dual.
    """

    distance: float
    plan: Mapping[int, float]
    slopes: Array

    def after(self, transition: int, times: int) -> Estimate | None:
        """Return the estimate after these firings of the plan; None if it has fewer.

        No linear program is needed: the remainder of an optimal plan is optimal, and the dual
        solution stays the same.
        """
        remaining = self.plan.get(transition, 0.0) - times
        if remaining < -_ZERO:
            return None
        plan = dict(self.plan)
        if remaining > _ZERO:
            plan[transition] = remaining
        else:
            plan.pop(transition, None)
        return Estimate(self.distance - times, plan, self.slopes)


NOWHERE = Estimate(INFINITY, {}, np.zeros(0))
"""The estimate of a marking without a way to the target; by floats, so it may be wrong."""


class DistanceProgram:
    """The linear program of one cube."""

    def __init__(self, net: Net, cube: Cube) -> None:
        lower, upper, forms = _bounds(net, cube)
        rows = _rows(net)
        bounded_places = [
            place
            for place in range(len(net.places))
            if lower[place] > 0
            or upper[place] is not None
            or any(weight < 0 for weight in rows[place].values())
        ]
        self._places = np.array(bounded_places, dtype=np.intp)
        self._forms = np.zeros((len(forms), len(net.places)))
        least = [*(lower[place] for place in bounded_places), *(low for _, low, _ in forms)]
        most = [*(upper[place] for place in bounded_places), *(high for _, _, high in forms)]
        self._lower, self._upper = _limits(least, -INFINITY), _limits(most, INFINITY)
        self._program = LinearProgram()
        for _ in net.transitions:
            self._program.column(cost=1.0)
        for place in bounded_places:
            self._program.row(dict(rows[place]))
        for number, (form, _, _) in enumerate(forms):
            entries: dict[int, float] = {}
            for place, value in form:
                self._forms[number, place] = as_float(value)
                for transition, weight in rows[place].items():
                    entries[transition] = entries.get(transition, 0.0) + as_float(value) * weight
            self._program.row(entries)
        self._last: tuple[Estimate, Array] | None = None

    def bound(self, marking: Array) -> float:
        """Return a lower bound on the distance from the last estimate; solve no program."""
        if self._last is None:
            return 0.0
        estimate, at = self._last
        return estimate.distance - float(np.dot(estimate.slopes, marking - at))

    def estimate(self, marking: Array, seconds: float) -> Estimate | None:
        """Return the distance: `NOWHERE` if there is no way; None if time runs out."""
        tokens = marking.astype(np.float64)
        values = np.concatenate((tokens[self._places], self._forms @ tokens))
        self._program.bound_rows(self._lower - values, self._upper - values)
        optimum = self._program.optimum(seconds)
        if optimum is None:
            return None
        if optimum.cost == INFINITY:
            return NOWHERE
        support = np.flatnonzero(optimum.values > _ZERO)
        plan = {int(t): float(optimum.values[t]) for t in support}
        estimate = Estimate(optimum.cost, plan, self._slopes(optimum.duals))
        self._last = estimate, tokens
        return estimate

    def _slopes(self, duals: Array) -> Array:
        slopes = np.zeros(self._forms.shape[1])
        if not len(duals):
            return slopes
        slopes[self._places] = duals[: len(self._places)]
        return slopes + duals[len(self._places) :] @ self._forms


def _bounds(
    net: Net, cube: Cube
) -> tuple[list[int], list[int | None], list[tuple[Weights, int | None, int | None]]]:
    """Return the least and the greatest tokens by place, and the other forms with their bounds."""
    lower: list[int] = [0] * len(net.places)
    upper: list[int | None] = [None] * len(net.places)
    forms: list[tuple[Weights, int | None, int | None]] = []
    for atom in cube:
        if isinstance(atom, Congruence):
            continue
        bounds = constraint(net, atom)
        high, is_equality = bounds.bound, isinstance(bounds, Hyperplane)
        if len(bounds.direction) > 1:
            forms.append((bounds.direction, high if is_equality else None, high))
            continue
        for place, value in bounds.direction:
            if is_equality or value < 0:
                lower[place] = max(lower[place], -(-high // value))
            if is_equality or value > 0:
                below = upper[place]
                upper[place] = high // value if below is None else min(below, high // value)
    return lower, upper, forms


def _limits(numbers: Sequence[int | None], absent: float) -> Array:
    return np.array([absent if number is None else as_float(number) for number in numbers])


def _rows(net: Net) -> list[dict[int, float]]:
    """Return, for each place, the change by each transition."""
    rows: list[dict[int, float]] = [{} for _ in net.places]
    for number, transition in enumerate(net.transitions):
        for place, weight in transition.effect:
            rows[place][number] = as_float(weight)
    return rows
