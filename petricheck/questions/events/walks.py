"""Walks through much of a net, watched by all open events; they go on while events are settled."""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress

from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted
from petricheck.kernel.tour import Tour
from petricheck.presburger.formulas import Formula
from petricheck.questions.events.settling import Settling

FIRINGS = 500
"""Of walks in plain Python, which take some hundredths of a second."""

PATIENCE, SHORT = 0.5, 0.1
"""CPU seconds of walks without news that are the last: compiled, and in plain Python."""

LONGEST, SLICES = 1 << 16, 16
"""Firings of the longest of these walks; parts of some hundredths of a second after which a walk
starts over in any case."""

KEPT, ANEW = 64, 4
"""Traces that passed events, where walks go on; one of so many walks begins at the start."""

FOURS = (2, 6)
"""The least and the greatest power of four of firings that a walk goes on for."""


class Walks:
    """They may be interrupted, and go on in another step.

    An event often happens near others, in a part of the net that is hard to get into. So most walks
    go on where one has passed open events before, as in Ecoffet, Huizinga, Lehman, Stanley, Clune:
    First return, then explore (2021).
    """

    def __init__(self, plain: bool = False) -> None:
        """Nothing has begun; plain ones run as plain Python."""
        self._plain = plain
        self._tour: Tour | None = None
        self._parts: Sequence[Formula] = ()
        self._traces: deque[tuple[int, ...]] = deque(maxlen=KEPT)
        self._chance, self._number = random.Random(0), 0

    def take(self, settling: Settling, limits: Budget) -> None:
        """Walk as long as this settles events."""
        if not settling.prepares(limits):
            return
        patience = SHORT if self._plain else PATIENCE
        with suppress(BudgetExhausted):  # Also where numbers do not fit the compiled loops.
            tour = self._begun(settling)
            end = time.process_time() + patience
            while tour.open and not (tour.stuck or settling.enough or time.process_time() > end):
                before = len(settling.open)
                self._walk(tour, settling)
                if len(settling.open) < before:
                    end = time.process_time() + patience
                settling.study.budget.report(f"walks, {len(settling.open)} events open")
                limits.check()

    def _begun(self, settling: Settling) -> Tour:
        if self._tour is None:
            self._parts = settling.parts()
            self._tour = Tour(settling.study.net, self._parts, plain=self._plain)
        return self._tour

    def _walk(self, tour: Tour, settling: Settling) -> None:
        """A walk from the start, or one that goes on."""
        self._number += 1
        if self._traces and self._number % ANEW:
            tour.resume(self._chance.choice(self._traces))
            firings = 4 ** self._chance.randint(*FOURS)
        else:
            tour.go_to(tour.start)
            firings = FIRINGS if self._plain else max(1, tour.pace // SLICES)
        passed = tour.wander(firings, LONGEST)
        if passed is not None:
            settling.pass_by(passed.trace, ((n, self._parts[k]) for n, k in passed.stops))
            self._traces.append(passed.trace)
