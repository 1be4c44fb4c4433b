"""How often transitions fire on the way from a marking into a cube, as the state equation says.

The Parikh vector x of a firing sequence solves m' = m + D·x, x ≥ 0, m' ≥ 0. One linear program is
kept for a net; a marking and a cube on single places are bounds of its rows, so that each solution
starts from the last one. Solutions are hints: of least Σ x, rounded up, and blind to the order of
firings. Where one fires nothing that marks a place which its firings need, a transition is demanded
that does.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from petricheck.presburger.formulas import Atom, Congruence, Cube, Equality
from petricheck.presburger.linear_programs import INFINITY, LinearProgram
from petricheck.problem import Net

_NOTHING = 1e-6
"""Numbers of firings that count as none."""


class ParikhVectors:
    """The program of a net; literals on several places, and congruences, say nothing here."""

    def __init__(self, net: Net) -> None:
        self._net = net
        self._program = LinearProgram()
        self._producers: dict[int, list[int]] = defaultdict(list)
        rows: list[dict[int, float]] = [{} for _ in net.places]
        for number, transition in enumerate(net.transitions):
            self._program.column(1.0)
            for place, change in transition.effect:
                rows[place][number] = change
                if change > 0:
                    self._producers[place].append(number)
        for row in rows:
            self._program.row(row, lower=0.0)
        self._demanded: list[int] = []

    def solve(
        self, marking: NDArray[np.int64], cube: Cube, seconds: float
    ) -> NDArray[np.int64] | None:
        """Numbers of firings from the marking into the cube, beside what is demanded.

        Returns:
            By transition; empty where there are none, None where HiGHS does not know.
        """
        lower, upper = -marking.astype(np.float64), np.full(len(marking), INFINITY)
        for literal in cube:
            self._bound(literal, marking, lower, upper)
        if (lower > upper).any():
            return np.zeros(0, dtype=np.int64)
        self._program.bound_rows(lower, upper)
        optimum = self._program.optimum(seconds)
        if optimum is None:
            return None
        counts: NDArray[np.int64] = np.ceil(optimum.values - _NOTHING).astype(np.int64)
        return counts

    def demand(self, transition: int) -> None:
        """Solutions fire this transition from now on."""
        self._program.bound(transition, 1.0, INFINITY)
        self._demanded.append(transition)

    def demand_nothing(self) -> None:
        """Solutions may leave out all transitions."""
        for transition in self._demanded:
            self._program.bound(transition, 0.0, INFINITY)
        self._demanded.clear()

    def missing(
        self, marking: NDArray[np.int64], counts: NDArray[np.int64], cube: Cube
    ) -> tuple[int, ...]:
        """Transitions outside of `counts` that mark places which these firings, or the cube, need.

        They need those that stay empty in whatever order they fire, however often.
        """
        marked = set(np.flatnonzero(marking).tolist())
        waiting: dict[int, list[int]] = defaultdict(list)
        pending = deque(np.flatnonzero(counts).tolist())
        while pending:
            number = pending.popleft()
            transition = self._net.transitions[number]
            empty = next((place for place, _ in transition.pre if place not in marked), None)
            if empty is not None:
                waiting[empty].append(number)
                continue
            for place, change in transition.effect:
                if change > 0 and place not in marked:
                    marked.add(place)
                    pending.extend(waiting.pop(place, ()))
        return self._marking_some(waiting, counts)

    def feeding(self, places: Iterable[int], counts: NDArray[np.int64]) -> tuple[int, ...]:
        """Transitions outside of `counts` that put tokens on one of these places."""
        return self._marking_some(places, counts)

    def _marking_some(
        self, places: Iterable[int], counts: Sequence[int] | NDArray[np.int64]
    ) -> tuple[int, ...]:
        numbers = (n for place in places for n in self._producers[place] if not counts[n])
        return tuple(dict.fromkeys(numbers))

    def _bound(
        self,
        literal: Atom,
        marking: NDArray[np.int64],
        lower: NDArray[np.float64],
        upper: NDArray[np.float64],
    ) -> None:
        """Let the literal, c·m(p) + k ≤ 0 or = 0, bound the row of its place."""
        if isinstance(literal, Congruence) or len(literal.term.coefficients) != 1:
            return
        ((name, weight),) = literal.term.coefficients
        place = self._net.place_numbers[name]
        value = -literal.term.constant / weight - float(marking[place])
        if weight > 0 or isinstance(literal, Equality):
            upper[place] = min(upper[place], value)
        if weight < 0 or isinstance(literal, Equality):
            lower[place] = max(lower[place], value)
