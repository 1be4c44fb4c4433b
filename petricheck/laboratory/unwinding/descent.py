"""Greedy descents: the part of a local search that comes nearer and nearer to the target.

The distance of a vertex is that of the marking that its path leads to, by the state equation
(`explicit.search.state_equation`). It orders the search, and proves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from petricheck.arithmetic.formulas.cubes import listed_cubes
from petricheck.arithmetic.programs.linear_programs import as_float
from petricheck.explicit.search.state_equation import NOWHERE, DistanceProgram, Estimate
from petricheck.laboratory.unwinding.tree import Unwinding
from petricheck.model.net import Marking, Net
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget

_CUBES = 32
"""Targets of more cubes have no distance."""

_LONGEST = 200.0
"""Firings: from farther away there is no descent, which would refine after each of them."""

_TOLERANCE = 1e-6
"""Differences between distances below this are noise."""


class Distances:
    """Distances of markings to the nearest cube of a target; none at all for many cubes."""

    def __init__(self, problem: Problem, budget: Budget) -> None:
        cubes = listed_cubes(problem.target, budget, most=_CUBES) or ()
        self._programs = [DistanceProgram(problem.net, cube) for cube in cubes]
        self._budget = budget

    def estimate(self, marking: Marking) -> Estimate:
        """Return the distance with a plan of firings, `NOWHERE` where there is none."""
        tokens = np.array([as_float(count) for count in marking])
        solved = (program.estimate(tokens, self._budget.remaining) for program in self._programs)
        known = (estimate for estimate in solved if estimate is not None)
        return min(known, key=lambda estimate: estimate.distance, default=NOWHERE)


class GreedyDescent:
    """The descent from a leaf; empty where the leaf's path cannot fire, or the target is far away.

    Args:
        tree: the unwinding.
        leaf: where a local search begins.
        distances: those to the target; None for an empty descent.
    """

    def __init__(self, tree: Unwinding, leaf: int, distances: Distances | None) -> None:
        self._tree, self._distances = tree, distances
        self._positions: dict[int, tuple[Marking, Estimate]] = {}
        self._least = NOWHERE.distance
        marking = _after(tree.net, tree.actions(tree.path(leaf)))
        if distances is not None and marking is not None:
            estimate = distances.estimate(marking)
            if estimate.distance <= _LONGEST:
                self._reach(leaf, marking, estimate)

    def continues(self, vertex: int) -> bool:
        """Add the vertex if it is nearer to the target than the descent so far; return whether."""
        entry = self._tree.vertices[vertex]
        position = None if entry.parent is None else self._positions.get(entry.parent)
        transition = self._tree.net.transitions[entry.transition]
        if position is None or self._distances is None or not transition.enabled(position[0]):
            return False
        marking, estimate = transition.fire(position[0]), position[1].after(entry.transition, 1)
        return self._reach(vertex, marking, estimate or self._distances.estimate(marking))

    def ranked(self, vertex: int, children: Sequence[int]) -> Sequence[int]:
        """Return the children, planned firings first, of these the ones that disable fewest."""
        if vertex not in self._positions:
            return children
        marking, estimate = self._positions[vertex]
        transitions, plan = self._tree.net.transitions, estimate.plan

        def rank(child: int) -> tuple[bool, int, float]:
            number = self._tree.vertices[child].transition
            if number not in plan or not transitions[number].enabled(marking):
                return True, 0, 0.0
            after = transitions[number].fire(marking)
            return False, sum(not transitions[t].enabled(after) for t in plan), -plan[number]

        return sorted(children, key=rank)

    def _reach(self, vertex: int, marking: Marking, estimate: Estimate) -> bool:
        nearer = estimate.distance < self._least - _TOLERANCE
        if nearer:
            self._least = estimate.distance
            self._positions[vertex] = marking, estimate
        return nearer


def _after(net: Net, actions: Sequence[int]) -> Marking | None:
    """Return the marking after these transitions, None where one is disabled."""
    marking = net.initial
    for action in actions:
        if not net.transitions[action].enabled(marking):
            return None
        marking = net.transitions[action].fire(marking)
    return marking
