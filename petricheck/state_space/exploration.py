"""Breadth-first exploration of the reachable markings, a whole level of the search at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from petricheck.answer import Trace, joined
from petricheck.budget import Budget
from petricheck.problem import Problem
from petricheck.state_space.arcs import Arcs, Numbers, Rows, flatten
from petricheck.state_space.evaluation import satisfying
from petricheck.state_space.visited import Collision, Visited, factors

CELLS = 1 << 20
"""Matrix entries that one step of the search handles; bounds its memory beside the visited set."""

CHECKED = 256
"""Markings explored between two looks at the budget, at least."""


class Exploration:
    """The reachable markings in the order of their distance, explored as far as asked.

    Attributes:
        visited: the markings met.
        found: number of a marking in the target, or None as long as none was met.
        closed: how many markings, from the first, have all successors in `visited`.
    """

    def __init__(
        self,
        problem: Problem,
        budget: Budget,
        mebibytes: int,
        draw: Callable[[int, int], list[int]] = factors,
    ) -> None:
        """An exploration that has met the initial marking; see `Visited` for the arguments."""
        self._problem, self._budget = problem, budget
        net = problem.net
        self._guards = [transition.pre for transition in net.transitions]
        self._effects = flatten([transition.effect for transition in net.transitions])
        self.visited = Visited(net.initial, budget, mebibytes, draw)
        self.closed = 0
        self.found: int | None = None
        self._prepare()
        self._look(0)

    @property
    def exhausted(self) -> bool:
        """Whether all reachable markings are known."""
        return self.closed == self.visited.size

    def run(self, markings: int) -> None:
        """Explore until the target is met, all markings are known, or more than so many.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        due = self.closed
        while self.found is None and not self.exhausted and self.visited.size <= markings:
            # Narrow levels take less time than asking how much memory is in use.
            if self.closed >= due:
                self._budget.check()
                self._budget.report(f"{self.visited.size} markings, {self.closed} explored")
                due = self.closed + CHECKED
            self._expand(min(self.visited.size, self.closed + self._chunk))

    def trace(self, number: int) -> Trace:
        """How the marking of this number was reached; shortest by number of firings."""
        actions = []
        while number:
            actions.append(int(self.visited.actions[number]))
            number = int(self.visited.parents[number])
        return joined(((action, 1) for action in reversed(actions)), self._problem.net.actions)

    def _prepare(self) -> None:
        """What depends on the type of the rows, or on the keys."""
        most, kind = self.visited.most, self.visited.rows.dtype
        live = [n for n, g in enumerate(self._guards) if all(w <= most for _, w in g)]
        self._free = np.array([n for n in live if not self._guards[n]], dtype=np.int64)
        self._guarded = np.array([n for n in live if self._guards[n]], dtype=np.int64)
        guards = flatten([self._guards[n] for n in self._guarded])
        self._guard = Arcs(guards.starts, guards.places, guards.weights.astype(kind))
        # Unsigned arithmetic wraps around, so a negative change is added modulo 2^bits.
        modulus = 1 << 8 * kind.itemsize
        wrapped = [int(weight) % modulus for weight in self._effects.weights]
        self._wrapped = np.array(wrapped, dtype=kind)
        # Where the change alone is too large no count is small enough, except that none is below 0.
        rooms = [most - int(weight) for weight in self._effects.weights]
        self._room = np.array([min(max(room, 0), most) for room in rooms], dtype=kind)
        self._never = np.array([room < 0 for room in rooms], dtype=bool)
        changes = [self.visited.change(t.effect) for t in self._problem.net.transitions]
        self._changes = np.array(changes, dtype=np.uint64)
        width = len(guards.places) + len(self._free) + self.visited.rows.shape[1] + 1
        self._chunk = max(1, CELLS // width)

    def _expand(self, stop: int) -> None:
        """Add the successors of the markings from `closed` up to `stop`."""
        start = self.closed
        size = self.visited.size
        for owners, actions in self._slices(self.visited.rows[start:stop]):
            while not self._fire(start + owners, actions):
                self._prepare()
        self.closed = stop
        self._look(size)

    def _slices(self, rows: Rows) -> Iterator[tuple[Numbers, Numbers]]:
        """(row number, transition number) of the enabled transitions, some at a time."""
        owners, actions = self._enabled(rows)
        step = max(1, CELLS // (rows.shape[1] + 1))
        for start in range(0, len(owners), step):
            yield owners[start : start + step], actions[start : start + step]

    def _enabled(self, rows: Rows) -> tuple[Numbers, Numbers]:
        always = np.ones((len(self._free), len(rows)), dtype=bool)
        enabled: NDArray[np.bool_] = always
        if len(self._guarded):
            reached = rows.T[self._guard.places] >= self._guard.weights[:, None]
            sometimes = np.logical_and.reduceat(reached, self._guard.starts[:-1], axis=0)
            enabled = np.concatenate((sometimes, always))
        numbers = np.concatenate((self._guarded, self._free))
        owners, positions = np.nonzero(enabled.T)
        return owners, numbers[positions]

    def _fire(self, owners: Numbers, actions: Numbers) -> bool:
        """Add these successors; False where rows or keys had to be prepared anew first."""
        visited = self.visited
        rows = visited.rows[owners]
        where, entries = self._effects.entries(actions)
        places = self._effects.places[entries]
        before = rows[where, places]
        if (self._never[entries] | (before > self._room[entries])).any():
            visited.widen()
            return False
        rows[where, places] = before + self._wrapped[entries]
        try:
            visited.add(rows, visited.keys[owners] + self._changes[actions], owners, actions)
        except Collision:
            visited.redraw()
            return False
        return True

    def _look(self, start: int) -> None:
        """Look for the target among the markings from `start`."""
        net = self._problem.net
        rows = self.visited.rows[start : self.visited.size]
        hits = np.flatnonzero(satisfying(self._problem.target, net.place_numbers, rows))
        if len(hits):
            self.found = start + int(hits[0])
