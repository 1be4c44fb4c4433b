"""Walks through much of a net, which tell of all targets that they pass.

A walk may *wander*, where it prefers what it has fired the least so far, so that it leaves loops
behind and tries what it meets for the first time; or *follow* numbers of firings, such as a
solution of the state equation, in any order that fires. It is at a point, may go on from there, and
may go back.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from petricheck.kernel.arrays import Integers
from petricheck.kernel.circuit import no_aim, watching
from petricheck.kernel.loops.constants import FIRED, TRUE
from petricheck.kernel.targets import WatchedWalk
from petricheck.presburger.formulas import Formula
from petricheck.problem import Net

LONGEST = 1 << 20
"""Firings of the longest walk."""


@dataclass(frozen=True, slots=True)
class Point:
    """A marking, and how many firings of the current trace led there."""

    marking: Integers
    firings: int


@dataclass(frozen=True, slots=True)
class Passed:
    """A firing sequence from the initial marking, and the targets that it passes.

    Attributes:
        trace: numbers of transitions; it ends with the last stop.
        stops: (after how many firings, number of a target), in ascending order.
    """

    trace: tuple[int, ...]
    stops: tuple[tuple[int, int], ...]


class Tour(WatchedWalk):
    """A walk that starts at the initial marking; the same seed walks the same way.

    Attributes:
        start: the initial marking.
        fired: by transition, how often it was fired.
    """

    def __init__(
        self,
        net: Net,
        targets: Sequence[Formula],
        seed: int = 0,
        plain: bool = False,
        fired: Integers | None = None,
    ) -> None:
        """A walk that has not begun; plain ones run as plain Python.

        Firings of walks before may be counted in `fired`.

        Raises:
            BudgetExhausted: the numbers of the net are too large.
        """
        super().__init__(net, targets, seed, plain)
        self.start = Point(self._initial, 0)
        self.fired = np.zeros(len(net.transitions), dtype=np.int64) if fired is None else fired
        self._log = np.zeros((len(self.open) + 1, 2), dtype=np.int64)
        self._targets: dict[int, list[int]] = defaultdict(list)
        for target, node in self._nodes.items():
            self._targets[node].append(target)

    @property
    def here(self) -> Point:
        """Where the walk is."""
        return Point(self._state.marking.copy(), int(self._state.numbers[FIRED]))

    @property
    def trace(self) -> Integers:
        """The transitions fired on the way here, by number."""
        return self._trace[: self._state.numbers[FIRED]].copy()

    @property
    def counts(self) -> Integers:
        """How often each transition fired on the way here."""
        return np.bincount(self.trace, minlength=len(self._net.transitions))

    def go_to(self, point: Point) -> None:
        """Go back to a point of the current trace."""
        self._loop("go")(self._arcs, self._circuit, self._state, no_aim(), point.marking)
        self._state.numbers[FIRED] = point.firings

    def resume(self, trace: Sequence[int]) -> None:
        """Go to where a firing sequence leads."""
        marking = self._initial.copy()
        for number, times in Counter(trace).items():
            for place, change in self._net.transitions[number].effect:
                marking[place] += times * change
        self._make_room(max(len(self._trace), len(trace)))
        self._trace[: len(trace)] = trace
        self.go_to(Point(marking, len(trace)))

    def wander(self, firings: int, length: int) -> Passed | None:
        """Fire so many times; the open targets that are passed, or None.

        Walks start over where they are stuck or too long; the one that passes open targets is the
        last.

        Args:
            firings: how many at most, in all walks.
            length: of the longest walks, at least 1.
        """
        self._make_room(min(length, LONGEST))
        self._look()
        if self.stuck:
            return self._passed()
        arguments = self._arcs, self._circuit, self._state, no_aim(), self.fired
        rest = self._initial, self._trace, self._log, firings
        self.firings += self._loop("wander")(*arguments, *rest)
        return self._passed()

    def follow(self, counts: Integers) -> Passed | None:
        """Fire each transition so often at most, from here on, until none of them is enabled.

        The counts become those that are left. What is told is what `wander` tells.
        """
        self._make_room(min(self.here.firings + int(counts.sum()), LONGEST))
        self._look()
        arguments = self._arcs, self._circuit, self._state, no_aim(), counts, self._trace, self._log
        self._loop("follow")(*arguments)
        return self._passed()

    def _look(self) -> None:
        """Log what is true before the next firing."""
        if self._state.numbers[TRUE] > 0:
            self._loop("sight")(self._circuit, self._state, self._log)

    def _passed(self) -> Passed | None:
        """The targets that are logged; they are watched no longer."""
        size = int(self._log[0, 0])
        if not size:
            return None
        self._log[0, 0] = 0
        logged = self._log[1 : size + 1].tolist()
        stops = tuple((fired, n) for node, fired in logged for n in self._targets[node])
        gone = {number for _, number in stops}
        self.open = tuple(number for number in self.open if number not in gone)
        self._circuit = watching(self._circuit, np.flatnonzero(self._circuit.roots))
        return Passed(tuple(self._trace[: stops[-1][0]].tolist()), stops)
