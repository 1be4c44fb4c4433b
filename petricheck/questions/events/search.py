"""A search for events that happen and proofs of those that never do, for many at once.

Cheap and shared work comes first: walks through much of the net and a short exploration, both
watched for all open events. Where one event that never happens is enough, proofs of a random sample
follow. Then, in rounds of growing length: proofs by the state equation, best-first searches, walks
along its solutions, an exploration, and the engine for all open events together. At last the engine
decides all as one question, and one by one.
"""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.evidence.answer import Reachable, Trace, Unreachable
from petricheck.evidence.certificates.stubborn_sets import StubbornTable
from petricheck.explicit.kernel.tour import Tour
from petricheck.model.problem import make_problem
from petricheck.questions.events.settling import Settling
from petricheck.support import plugins
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
    """Walks, watched by all open events, that may be interrupted, and resume in another step.

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


Step: TypeAlias = Callable[[Settling, Budget], None]
"""Settles some events within limits."""

WANDERING, EXPLORING, WALKING, REFUTING = 0.6, 20.0, 3.0, 8.0
"""The most seconds of the first steps; each has at most a part of the remaining time."""

ROUNDS, LONGER = 7, 2
"""The number of rounds of the other steps, and how many times longer each round is."""

SOME, PROVING = 8, (("state_equation", 2), ("coverability", 8))
"""The number of events in the sample; the engines that try to prove that one never happens, each
with the part of its remaining time for one event."""

ROUND = 4.0
"""Seconds for each question to the engine in the first round."""


def decide_events(settling: Settling) -> None:
    """Prove of events that they happen, or that they never do, until it is enough."""
    walks, prove = Walks(), partial(_refute_some, chance=random.Random(0))
    first: tuple[tuple[Step, float, float], ...] = (
        (Walks(plain=True).take, 8, WANDERING),
        (partial(_search, engine="explicit:markings=50000"), 8, EXPLORING),
        (walks.take, 6, WALKING),
        (prove, 6, REFUTING),
    )
    for step, part, seconds in first:
        _take(step, settling, settling.study.budget.part(part, seconds))
    steps: tuple[tuple[Step, float], ...] = (
        (partial(_aim, engine="state_equation"), 1),
        (partial(_search, engine="best_first"), 1),
        (partial(_aim, engine="parikh_walk"), 1),
        (walks.take, 1),
        (prove, 1),
        (partial(_search, engine="explicit:markings=2000000,memory=512"), 1),
        (_query_together, 2),
    )
    for number in range(ROUNDS):
        for step, seconds in steps:
            _take(step, settling, settling.study.budget.within(seconds * LONGER**number))
    _take(_query, settling, settling.study.budget)


def try_quickly(settling: Settling) -> None:
    """Run walks and the state equation, for nets in which few events never happen."""
    for step in (Walks(plain=True).take, partial(_aim, engine="state_equation")):
        _take(step, settling, settling.study.budget.part(4, WALKING))


def _take(step: Step, settling: Settling, limits: Budget) -> None:
    """Run a step, unless enough is settled."""
    if not settling.enough:
        settling.study.budget.check()
        step(settling, limits)


def _search(settling: Settling, limits: Budget, engine: str) -> None:
    """Run an engine that watches for all open events; prove the others as one question."""
    if not settling.prepares(limits):
        return
    questions, names = zip(*settling.questions().items(), strict=True)
    problems = [make_problem(settling.study.net, target) for target in questions]
    traces, exhausted = dict[str, Trace](), False
    with suppress(BudgetExhausted):  # Also where numbers do not fit the compiled loops.
        for number, answer in plugins.build("engines", engine).solve_together(problems, limits):
            match answer:
                case Reachable(trace):
                    traces[names[number]] = trace
                case Unreachable(StubbornTable() as certificate):  # It says nothing of the others.
                    settling.refute(questions[number], certificate)
                case _:
                    exhausted = True
                    break
    # The longest trace first, since it shows the most.
    for name in sorted(traces, key=lambda name: -len(traces[name].steps)):
        if name in settling.open:
            settling.follow(traces[name])
    if exhausted and not settling.enough:
        settling.decide(tuple(settling.open), settling.study.budget.part(2))


def _refute_some(settling: Settling, limits: Budget, chance: random.Random) -> None:
    """Try to prove of a sample that an event never happens, where one such is enough."""
    if not settling.one_never_suffices or not settling.prepares(limits):
        return
    for number, (engine, part) in enumerate(PROVING):
        share = limits.part(len(PROVING) - number)
        for name in chance.sample(tuple(settling.open), min(SOME, len(settling.open))):
            if settling.enough:
                return
            if name in settling.open:
                settling.decide((name,), share.part(part), engine)


def _aim(settling: Settling, limits: Budget, engine: str) -> None:
    """Run an engine that decides one event after the other and shares work between them."""
    if not settling.prepares(limits):
        return
    questions, names = zip(*settling.questions().items(), strict=True)
    problems = [make_problem(settling.study.net, target) for target in questions]
    sharing = plugins.build("engines", engine)

    def is_open(number: int) -> bool:
        return names[number] in settling.open

    with suppress(BudgetExhausted):  # Also where numbers do not fit the compiled loops.
        for number, answer in sharing.solve_together(problems, limits, is_open):
            if isinstance(answer, Reachable):
                settling.follow(answer.trace)
            else:
                settling.refute(questions[number], answer.certificate)
            if settling.enough:
                return


def _query_together(settling: Settling, limits: Budget) -> None:
    """Query the engine about each open event, in shared searches."""
    if not settling.prepares(limits):
        return
    if len(settling.open) > 1:
        settling.decide_together(limits)
    else:
        settling.decide(tuple(settling.open), limits)


def _query(settling: Settling, limits: Budget) -> None:
    """Query the engine about all events as one question, then about each, until it gives up."""
    seconds, hopeless = ROUND, set[str]()
    while not settling.enough and not hopeless.issuperset(settling.open):
        limits.check()
        if len(settling.open) > 1:
            settling.decide(tuple(settling.open), limits.part(2, seconds))
        for name in tuple(settling.open):
            if settling.enough:
                return
            if name in settling.open and name not in hopeless:
                limits.check()  # Each engine's start costs, even without time.
                own = limits.part(len(settling.open), seconds)
                settling.decide((name,), own)
                if own.remaining:
                    hopeless.add(name)
        seconds *= 2
