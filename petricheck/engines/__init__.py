"""Engines: each decides a problem within a budget. One file each.

An engine is a value with one method, `solve(problem, budget)`; no state survives the call. It
answers with evidence or with `Unknown`; a limit that is reached may also be raised, as
`BudgetExhausted`, which `petricheck.check` turns into `Unknown`.

An engine may have more methods, which are found by their names: it may be `Preparing`, or
`Informed`. It may have a class attribute `unit`: what it counts as the iterations of its
`Statistics`, as a noun in the singular.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from petricheck.answer import Answer
from petricheck.budget import Budget
from petricheck.plugins import member, members
from petricheck.presburger.formulas import Formula
from petricheck.problem import Net, Problem


class Engine(Protocol):
    """The frame of every member of this family."""

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Decide the problem, or say why not.

        Raises:
            BudgetExhausted: time or memory ran out.
        """


@runtime_checkable
class Preparing(Engine, Protocol):
    """An engine that does some work once for many targets of one net."""

    def prepare(self, net: Net, targets: Sequence[Formula], budget: Budget) -> Engine:
        """An engine for these targets, and for no others.

        Raises:
            BudgetExhausted: time or memory ran out; the engine is as good as before.
        """


@runtime_checkable
class Informed(Engine, Protocol):
    """An engine that has a use for what others found out about the net."""

    def solve_informed(self, problem: Problem, budget: Budget, facts: Sequence[Formula]) -> Answer:
        """The same as `solve`; the facts are hints, and need not be true.

        Args:
            problem: the question.
            budget: its limits.
            facts: formulas over the net's places, as `Unknown.learnt` holds them.
        """


def unit(name: str) -> str:
    """What the engine counts, in the singular; empty where it counts nothing or is not ours."""
    known = name in members("engines")
    return str(getattr(member("engines", name), "unit", "")) if known else ""
