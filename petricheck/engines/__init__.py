"""Engines: each decides a problem within a budget. One file each.

An engine is a value with one method, `solve(problem, budget)`; no state survives the call. It
answers with evidence or with `Unknown`; a limit that is reached may also be raised, as
`BudgetExhausted`, which `petricheck.check` turns into `Unknown`.
"""

from __future__ import annotations

from typing import Protocol

from petricheck.answer import Answer
from petricheck.budget import Budget
from petricheck.problem import Problem


class Engine(Protocol):
    """The frame of every member of this family."""

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Decide the problem, or say why not.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
