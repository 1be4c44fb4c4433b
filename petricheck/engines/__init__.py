"""Engines: each decides a problem within a budget. One file each.

An engine is a value with one method, `solve(problem, budget)`; no state survives the call. It
answers with evidence or with `Unknown`; a limit that is reached may also be raised, as
`BudgetExhausted`, which `petricheck.check` turns into `Unknown`.

An engine may have more methods, which are found by their names: it may be `Preparing`, `Informed`,
or `Selective`. With a class attribute `turns` it takes part in the portfolio (`Turns`). A class
attribute `unit` says what it counts as the iterations of its `Statistics`, a noun in the singular.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from petricheck import plugins
from petricheck.answer import Answer
from petricheck.budget import Budget
from petricheck.presburger.formulas import Formula
from petricheck.problem import Net, Problem


class Engine(Protocol):
    """The frame of every member of this family."""

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Decide the problem, or say why not.

        Raises:
            BudgetExhausted: time or memory ran out.
        """


@dataclass(frozen=True, slots=True)
class Turns:
    """When an engine's turns come in the portfolio, and what they cost.

    Attributes:
        race: engines have their first turn in the race in ascending order of this number.
        sweep: the same in the sweep before it; None where an engine only races.
        seconds: what it gets in the sweep; most of what it decides should need no more.
    """

    race: int
    sweep: int | None = None
    seconds: float = 0.0


def taking_turns() -> dict[str, Turns]:
    """The engines of this package that declare their turns, by name."""
    found = {name: plugins.member("engines", name) for name in plugins.members("engines")}
    return {name: cls.turns for name, cls in found.items() if hasattr(cls, "turns")}


@runtime_checkable
class Selective(Engine, Protocol):
    """An engine that is for some problems only."""

    def unfit(self, problem: Problem) -> str:
        """Why the engine is not for this problem; empty where it is. Quickly told."""


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
    known = name in plugins.members("engines")
    return str(getattr(plugins.member("engines", name), "unit", "")) if known else ""
