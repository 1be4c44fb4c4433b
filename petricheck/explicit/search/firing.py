"""Exact markings as arrays of machine integers: enabled transitions, firing, compact keys.

A firing that needs larger numbers is refused and never wraps around. A search may then miss a
marking. No verdict becomes wrong by that, since each is audited.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np

from petricheck.arithmetic.formulas.formulas import atoms
from petricheck.model.problem import Problem
from petricheck.model.weights import vectors, weights_of
from petricheck.support.errors import BudgetExhausted

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

_LARGEST = 10**15
"""Integers up to this one are exact in floating point too."""


class FiringRule:
    """The net of a problem, prepared for firing, and its initial marking."""

    def __init__(self, problem: Problem) -> None:
        """Prepare the net; raise `BudgetExhausted` if a number is too large."""
        net = problem.net
        constants = (abs(atom.term.constant) for atom in atoms(problem.target))
        weights = [w for t in net.transitions for _, w in (*t.pre, *t.post)]
        if max((*weights, *net.initial, *constants), default=0) > _LARGEST:
            raise BudgetExhausted("numbers beyond 10^15 are not searched")
        self._transitions, self._heaviest = net.transitions, max(weights, default=0)
        self.initial = np.array(net.initial, dtype=np.int64)
        self._effects = weights_of(net).effects
        # Transitions without input places come first: the last in the queue is tried first.
        order = sorted(range(len(net.transitions)), key=lambda n: bool(net.transitions[n].pre))
        self._order = np.array(order, dtype=np.intp)
        self._guards = vectors([net.transitions[number].pre for number in order])
        self._owners = self._guards.owners

    def enabled(self, marking: Array) -> list[int]:
        """Return the numbers of the enabled transitions, those without input places first."""
        lacking = self._owners[marking[self._guards.indices] < self._guards.values]
        counts = np.bincount(lacking, minlength=len(self._transitions))
        numbers: list[int] = self._order[counts == 0].tolist()
        return numbers

    def most(self, marking: Array, transition: int) -> int | None:
        """Return the number of firings in a row of an enabled transition; None where unlimited."""
        return self._transitions[transition].most(marking.tolist())

    def fire(self, marking: Array, transition: int, times: int) -> Array | None:
        """Return the marking after firings that `most` allows; None if a number is too large."""
        if times * self._heaviest > _LARGEST:
            return None
        first, end = self._effects.starts[transition : transition + 2]
        places = self._effects.indices[first:end]
        after = marking.copy()
        after[places] += times * self._effects.values[first:end]
        return after if after[places].max(initial=0) <= _LARGEST else None

    def blocked(self, marking: Array, plan: Mapping[int, float]) -> float:
        """Return the number of planned firings that stay disabled even if no token is ever taken.

        A plan with such firings is circular: some place that it needs can be marked only by
        transitions that need this place, or by transitions outside the plan.
        """
        marked = set(np.flatnonzero(marking).tolist())
        remaining, size = list(plan), -1
        while len(remaining) != size:
            size, disabled = len(remaining), []
            for number in remaining:
                transition = self._transitions[number]
                if all(place in marked for place, _ in transition.pre):
                    marked.update(place for place, _ in transition.post)
                else:
                    disabled.append(number)
            remaining = disabled
        return sum(plan[number] for number in remaining)

    def pack(self, marking: Array) -> bytes:
        """Return a key, different for different markings, as short as the largest entry allows."""
        kind = np.min_scalar_type(int(marking.max(initial=0)))
        return marking.astype(kind).tobytes()

    def unpack(self, key: bytes) -> Array:
        """Return the marking of a key."""
        size = len(self.initial)
        return np.frombuffer(key, f"u{len(key) // size}").astype(np.int64) if size else self.initial
