"""Walks through much of a net, watched by all open events; they go on while events are settled."""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.explicit.kernel.tour import Tour
from petricheck.questions.events.settling import Settling
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted
from petricheck.support.words import counted

FIRINGS = 500
"""Firings of walks in plain Python, which take some hundredths of a second."""

PATIENCE, SHORT = 0.5, 0.1
"""Walks end after so many CPU seconds that settle no event: compiled, and in plain Python."""

LONGEST, SLICES = 1 << 16, 16
"""Firings after which a walk starts over; it does so as well after this part of the firings of
some hundredths of a second."""

TRACES, RESTARTS = 64, 4
"""The number of stored traces that passed events; one of so many walks begins at the start."""

FOURS = (2, 6)
"""The least and the greatest power of four of firings of a walk that resumes."""


class Walks:
    """Walks that may be interrupted, and resume in another step.

    An event often happens near others, in a part of the net that is hard to get into. So most walks
    resume where one has passed open events before, as in Ecoffet, Huizinga, Lehman, Stanley, Clune:
    First return, then explore (2021).
    """

    def __init__(self, plain: bool = False) -> None:
        """Prepare walks; plain ones run as plain Python."""
        self._plain = plain
        self._tour: Tour | None = None
        self._parts: Sequence[Formula] = ()
        self._traces: deque[tuple[int, ...]] = deque(maxlen=TRACES)
        self._chance, self._number = random.Random(0), 0

    def take(self, settling: Settling, limits: Budget) -> None:
        """Walk as long as this settles events."""
        if not settling.prepares(limits):
            return
        patience = SHORT if self._plain else PATIENCE
        with suppress(BudgetExhausted):  # Also where numbers do not fit the compiled loops.
            tour = self._tour_for(settling)
            end = time.process_time() + patience
            while tour.open and not (tour.stuck or settling.enough or time.process_time() > end):
                before = len(settling.open)
                self._walk(tour, settling)
                if len(settling.open) < before:
                    end = time.process_time() + patience
                settling.study.budget.report(f"walks, {counted(len(settling.open), 'event')} open")
                limits.check()

    def _tour_for(self, settling: Settling) -> Tour:
        if self._tour is None:
            self._parts = settling.parts()
            self._tour = Tour(settling.study.net, self._parts, plain=self._plain)
        return self._tour

    def _walk(self, tour: Tour, settling: Settling) -> None:
        """Walk from the start, or from the end of a stored trace."""
        self._number += 1
        if self._traces and self._number % RESTARTS:
            tour.resume(self._chance.choice(self._traces))
            firings = 4 ** self._chance.randint(*FOURS)
        else:
            tour.go_to(tour.start)
            firings = FIRINGS if self._plain else max(1, tour.pace // SLICES)
        passed = tour.wander(firings, LONGEST)
        if passed is not None:
            settling.prove_passed(passed.trace, ((n, self._parts[k]) for n, k in passed.stops))
            self._traces.append(passed.trace)
