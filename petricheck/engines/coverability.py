"""Coverability: whether some reachable marking is at least one of the target's minimal markings.

Backward search from the target with pruning by the state equation and traps, for upward-closed
targets only; on these it is complete. What it finds is a firing sequence, replayed forward; what
it proves is the complement of its minimal markings, with the facts that pruned it.

Limits: the minimal markings may be very many; their number says how long the audit takes too.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from petricheck.answer import Answer, Reachable, Statistics, Unknown, Unreachable
from petricheck.budget import Budget
from petricheck.covering.backward import Backward, as_row
from petricheck.covering.certify import certificate
from petricheck.covering.facts import Facts
from petricheck.covering.targets import minimal_markings
from petricheck.errors import BudgetExhausted, QueryError
from petricheck.problem import Problem


@dataclass(frozen=True)
class Coverability:
    """Search backward from an upward-closed target, pruned by the state equation and traps."""

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Take predecessors until the initial marking covers one, or none is new."""
        started = time.monotonic()
        net = problem.net
        try:
            targets = minimal_markings(problem.target)
        except QueryError as error:
            return Unknown(error.message, "another engine may decide it")
        search = Backward(net, [as_row(net, bounds) for bounds in targets], Facts(net, budget))

        def statistics() -> Statistics:
            seconds = time.monotonic() - started
            return Statistics("coverability", search.rounds, len(search.steps), seconds)

        try:
            trace = search.run(budget)
        except BudgetExhausted as error:
            error.add_note(
                f"after {search.rounds} rounds with {len(search.basis)} minimal markings"
            )
            raise
        if trace is not None:
            return Reachable(trace, statistics())
        return Unreachable(certificate(problem, search.facts, search.proof()), statistics())
