"""Walks through much of a net, which report all targets that they pass.

A walk may *wander*: it prefers transitions that it has fired the least so far, so that it leaves
loops and tries transitions that are enabled for the first time. Or it may *follow* numbers of
firings, such as a solution of the state equation, in any order that fires. A walk is at a point,
may continue from there, and may go back.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.explicit.kernel.arrays import Integers
from petricheck.explicit.kernel.circuit import no_aim, watching
from petricheck.explicit.kernel.constants import FIRED, TRUE
from petricheck.explicit.kernel.targets import READS, WatchedWalk
from petricheck.model.net import Net
from petricheck.support.compiled import pace

LONGEST = 1 << 20
"""Firings of the longest walk."""


@dataclass(frozen=True, slots=True)
class TourPoint:
    """A marking, and the number of firings of the current trace that lead to it."""

    marking: Integers
    firings: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A firing sequence from the initial marking, and the targets that it passes.

    Attributes:
        trace: numbers of transitions; it ends with the last stop.
        stops: (number of firings before it, number of a target), in ascending order.
    """

    trace: tuple[int, ...]
    stops: tuple[tuple[int, int], ...]


class Tour(WatchedWalk):
    """A walk that starts at the initial marking; the same seed gives the same walk.

    Attributes:
        start: the initial marking.
        fired: by transition, the number of its firings.
    """

    def __init__(
        self,
        net: Net,
        targets: Sequence[Formula],
        seed: int = 0,
        plain: bool = False,
        fired: Integers | None = None,
    ) -> None:
        """Start a walk, see `WatchedSearch`; `fired` may contain firings of earlier walks."""
        super().__init__(net, targets, seed, plain)
        self.start = TourPoint(self._initial, 0)
        self.fired = np.zeros(len(net.transitions), dtype=np.int64) if fired is None else fired
        size = max(len(net.places), len(net.transitions))
        self._spaces = np.zeros((4, size), dtype=np.int64)
        self._log = np.zeros((len(self.open) + 1, 2), dtype=np.int64)
        self._targets: dict[int, list[int]] = defaultdict(list)
        for target, node in self._nodes.items():
            self._targets[node].append(target)

    @property
    def position(self) -> TourPoint:
        """The current point of the walk."""
        return TourPoint(self._state.marking.copy(), int(self._state.numbers[FIRED]))

    @property
    def trace(self) -> Integers:
        """The transitions fired up to the current point, by number."""
        return self._trace[: self._state.numbers[FIRED]].copy()

    @property
    def counts(self) -> Integers:
        """The number of firings of a transition up to the current point, by transition."""
        return np.bincount(self.trace, minlength=len(self._net.transitions))

    def go_to(self, point: TourPoint) -> None:
        """Return to a point of the current trace."""
        self._loop("go_to")(self._arcs, self._circuit, self._state, no_aim(), point.marking)
        self._state.numbers[FIRED] = point.firings

    def resume(self, trace: Sequence[int]) -> None:
        """Set the marking to the one that a firing sequence leads to."""
        marking = self._initial.copy()
        for number, times in Counter(trace).items():
            for place, change in self._net.transitions[number].effect:
                marking[place] += times * change
        self._set_length(max(len(self._trace), len(trace)))
        self._trace[: len(trace)] = trace
        self.go_to(TourPoint(marking, len(trace)))

    def wander(self, firings: int, length: int) -> Passage | None:
        """Fire up to `firings` transitions; return the open targets that are passed, or None.

        A walk starts over where nothing is enabled or where it is longer than `length`, at least 1.
        The walk that passes open targets is the last.
        """
        self._set_length(min(length, LONGEST))
        self._log_targets()
        if self.stuck:
            return self._take_log()
        arguments = self._arcs, self._circuit, self._state, no_aim(), self.fired
        outputs = self._trace, self._log
        self.firings += self._loop("wander")(*arguments, self._initial, *outputs, firings)
        return self._take_log()

    def follow(self, counts: Integers) -> Passage | None:
        """Fire each transition at most `counts` times, until none of them is enabled.

        The counts are reduced by the firings. The result is as for `wander`.
        """
        self._set_length(min(self.position.firings + int(counts.sum()), LONGEST))
        self._log_targets()
        arguments = self._arcs, self._circuit, self._state, no_aim(), counts, np.flatnonzero(counts)
        before = int(self._state.numbers[FIRED])
        reads = READS * pace()
        self._loop("follow")(*arguments, self._spaces, reads, self._trace, self._log)
        self.firings += int(self._state.numbers[FIRED]) - before
        return self._take_log()

    def _log_targets(self) -> None:
        """Log the targets that are true before the next firing."""
        if self._state.numbers[TRUE] > 0:
            self._loop("log_targets")(self._circuit, self._state, self._log)

    def _take_log(self) -> Passage | None:
        """Return the logged targets, which are watched no longer; None without any."""
        size = int(self._log[0, 0])
        if not size:
            return None
        self._log[0, 0] = 0
        logged = self._log[1 : size + 1].tolist()
        stops = tuple((fired, n) for node, fired in logged for n in self._targets[node])
        numbers = {number for _, number in stops}
        self.open = tuple(number for number in self.open if number not in numbers)
        self._circuit = watching(self._circuit, np.flatnonzero(self._circuit.roots))
        return Passage(tuple(self._trace[: stops[-1][0]].tolist()), stops)
