"""Exact markings as arrays: what is enabled, how often, what follows, and a compact key.

Markings are `int64` where every number that can occur fits with room to spare, and Python integers
otherwise. A firing that would leave the room is refused, never wrapped around: a search then
misses a marking, which it may.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np

from petricheck.presburger.formulas import atoms
from petricheck.problem import Problem, Transition, Weights

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

_ROOM = 1 << 60
"""No array of machine integers ever holds more."""

_SMALL = 1 << 30
"""Problems whose weights, initial tokens and constants stay below use machine integers."""


class Firing:
    """The net of a problem, compiled for firing.

    Attributes:
        initial: the initial marking.
        transitions: those of the net, in its order.
    """

    def __init__(self, problem: Problem) -> None:
        net = problem.net
        self.transitions = net.transitions
        self._machine = _largest(problem) < _SMALL
        self._kind: Any = np.int64 if self._machine else object
        self.initial = np.array(net.initial, dtype=self._kind)
        self._effects = [self._sparse(t.effect) for t in net.transitions]
        guards = [(t, t.pre) for t in net.transitions]
        self._free = np.array([n for n, (_, pre) in enumerate(guards) if not pre], dtype=np.intp)
        self._guarded = np.array([n for n, (_, pre) in enumerate(guards) if pre], dtype=np.intp)
        arcs = [arc for _, pre in guards for arc in pre]
        self._places, self._weights = self._sparse(tuple(arcs))
        sizes = [len(pre) for _, pre in guards if pre]
        self._starts = np.cumsum([0, *sizes[:-1]]) if sizes else np.zeros(0, dtype=np.intp)
        self._drains = [_drain(t) for t in net.transitions]

    def _sparse(self, weights: Weights) -> tuple[Array, Array]:
        places = np.array([place for place, _ in weights], dtype=np.intp)
        return places, np.array([weight for _, weight in weights], dtype=self._kind)

    def enabled(self, marking: Array) -> Array:
        """Numbers of the enabled transitions, those without a guard first."""
        if not len(self._guarded):
            return self._free
        held = np.asarray(marking[self._places] >= self._weights, dtype=bool)
        fit = self._guarded[np.logical_and.reduceat(held, self._starts)]
        return np.concatenate((self._free, fit)) if len(self._free) else fit

    def most(self, marking: Array, transition: int) -> int | None:
        """How often an enabled transition can fire in a row; None where nothing stops it."""
        drain = self._drains[transition]
        if not drain:
            return None
        return min((int(marking[p]) - need) // loss + 1 for p, need, loss in drain)

    def fire(self, marking: Array, transition: int, times: int) -> Array | None:
        """The marking after firings that `most` allows; None where it needs too much room."""
        places, weights = self._effects[transition]
        if self._machine and times > _SMALL:
            return None
        after = marking.copy()
        after[places] += times * weights
        if self._machine and len(places) and after[places].max() > _ROOM:
            return None
        return after

    def blocked(self, marking: Array, plan: Mapping[int, float]) -> float:
        """How many of the planned firings stay disabled even if no token is ever taken.

        Such a plan goes round in circles apart from the marking: some place that it needs can be
        filled only by transitions outside it.
        """
        marked = set(np.flatnonzero(marking).tolist())
        left = list(plan)
        while left:
            waiting = []
            for number in left:
                transition = self.transitions[number]
                if all(place in marked for place, _ in transition.pre):
                    marked.update(place for place, _ in transition.post)
                else:
                    waiting.append(number)
            if len(waiting) == len(left):
                break
            left = waiting
        return sum(plan[number] for number in left)

    def pack(self, marking: Array) -> bytes:
        """A key: equal for equal markings only, and as short as the largest entry allows."""
        if not self._machine:
            return b",".join(b"%d" % int(tokens) for tokens in marking)
        largest = int(marking.max()) if len(marking) else 0
        for kind in (np.uint8, np.uint16, np.uint32):
            if largest <= np.iinfo(kind).max:
                return marking.astype(kind).tobytes()
        return marking.tobytes()

    def unpack(self, key: bytes) -> Array:
        """The marking of a key."""
        size = len(self.initial)
        if not size:
            return self.initial
        if not self._machine:
            return np.array([int(part) for part in key.split(b",")], dtype=object)
        kinds: dict[int, Any] = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.int64}
        return np.frombuffer(key, dtype=kinds[len(key) // size]).astype(np.int64)


def _largest(problem: Problem) -> int:
    net = problem.net
    arcs = (weight for t in net.transitions for _, weight in (*t.pre, *t.post))
    asked = (abs(atom.term.constant) for atom in atoms(problem.target))
    return max((*arcs, *net.initial, *asked), default=0)


def _drain(transition: Transition) -> tuple[tuple[int, int, int], ...]:
    """(place, tokens needed, tokens lost) for each place that a firing empties a little."""
    needed = dict(transition.pre)
    return tuple((place, needed[place], -loss) for place, loss in transition.effect if loss < 0)
