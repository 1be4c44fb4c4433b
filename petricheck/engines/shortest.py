"""Shortest traces: breadth-first exploration, and a prover for targets that are unreachable.

A trace is returned only where every marking nearer to the initial one was explored, so that no
trace of fewer firings leads into the target. First few markings are explored, then the prover has
a part of the time, then exploration has the remaining time. If the prover finds that the target is
unreachable, that is the answer. If it finds a trace, exploration continues.

Limits: the exploration is of the net as it is, since reductions change the length of traces, and
all of its markings are stored.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from petricheck.engines import Engine
from petricheck.evidence.answer import Answer, Reachable, Unknown, Unreachable
from petricheck.model.problem import Problem
from petricheck.support import plugins
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted
from petricheck.support.plugins import option

FIRST = 100_000
"""Markings explored before the prover has its turn."""

PART = 3
"""The prover has one part in so many of the remaining time."""

LONGEST = 60.0
"""Most seconds of the prover."""


@dataclass(frozen=True)
class Shortest:
    """Find a trace of least length; prove that there is none at all; or say that it is unknown."""

    promise = "No shorter one exists: all nearer markings were explored."

    markings: int = option(0, "most markings to explore; 0 for as many as fit the memory")
    memory: int = option(0, "most memory for them, in MiB; 0 for a part of what there is")
    prover: str = option("portfolio", "engine that may prove it unreachable", family="engines")

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Explore a little, try the prover, then explore until the target or a limit is reached."""
        started = time.monotonic()
        answer = self._explore(problem, budget, min(FIRST, self.markings or FIRST))
        if isinstance(answer, Unknown):
            answer = self._prove_or_explore(problem, answer, budget)
        if isinstance(answer, Reachable):
            seconds = time.monotonic() - started
            statistics = replace(answer.statistics, engine="shortest", seconds=seconds)
            return replace(answer, statistics=statistics)
        return answer

    def _prove_or_explore(self, problem: Problem, explored: Unknown, budget: Budget) -> Answer:
        """Return the prover's proof, or else the answer of an exploration of more markings."""
        proved = self._prove(problem, budget)
        if isinstance(proved, Unreachable):
            return proved
        note = _LONGER_TRACE.format(proved.trace.length) if isinstance(proved, Reachable) else ""
        try:
            more = not 0 < self.markings <= FIRST
            answer = self._explore(problem, budget, self.markings) if more else explored
        except BudgetExhausted as error:
            if note:
                error.add_note(note)
            raise
        if isinstance(answer, Unknown) and note:
            return replace(answer, reason=f"{answer.reason}, {note}", hint=_ANY)
        return answer

    def _explore(self, problem: Problem, budget: Budget, most: int) -> Answer:
        options = {"markings": str(most), "memory": str(self.memory)}
        explicit: Engine = plugins.build("engines", "explicit", options)
        return explicit.solve(problem, budget)

    def _prove(self, problem: Problem, budget: Budget) -> Answer | None:
        """Return the prover's answer; None where its part of the time is over."""
        prover: Engine = plugins.build("engines", self.prover)
        try:
            return prover.solve(problem, budget.within(min(LONGEST, budget.remaining / PART)))
        except BudgetExhausted:
            budget.check()
            return None


_LONGER_TRACE = "there is a trace of {} firings, but a shorter one may exist"
_ANY = "allow more time or memory; without --shortest any trace will do"
