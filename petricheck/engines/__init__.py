"""Engines: each decides a problem within a budget. One file each.

An engine is a value with one method, `solve(problem, budget)`; no state survives the call. It
answers with evidence or with `Unknown`; a limit that is reached may also be raised, as
`BudgetExhausted`, which `petricheck.check` turns into `Unknown`.

An engine may have more methods, which are found by their names: it may be `Preparing`, `Sharing`,
`Parallel`, `Informed`, or `Selective`. With a class attribute `rank` it takes part in the
portfolio's race, and has its first turn in this order. A class
attribute `unit` says what it counts as the iterations of its `Statistics`, a noun in the singular,
`promise` what is true of every trace that it finds, in a sentence, and `paper` names authors and
years of what it implements, for those who list the engines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, runtime_checkable

from petricheck import plugins
from petricheck.answer import Answer, Reachable, Unreachable
from petricheck.budget import Budget
from petricheck.presburger.formulas import Formula
from petricheck.problem import Net, Problem
from petricheck.reductions import REDUCTIONS


class Engine(Protocol):
    """The frame of every member of this family."""

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Decide the problem, or say why not.

        Raises:
            BudgetExhausted: time or memory ran out.
        """


def racing() -> tuple[str, ...]:
    """The engines of this package that declare a rank, in its order; loads all engines."""
    loaded = [(plugins.member("engines", name), name) for name in plugins.members("engines")]
    ranked = [(cls.rank, name) for cls, name in loaded if hasattr(cls, "rank")]
    return tuple(name for _, name in sorted(ranked))


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
class Sharing(Engine, Protocol):
    """An engine that searches for several targets of one net at once."""

    def solve_together(
        self, problems: Sequence[Problem], budget: Budget
    ) -> Iterator[tuple[int, Reachable | Unreachable]]:
        """Decide some of the problems.

        Args:
            problems: several questions about one net.
            budget: limits on all together.

        Yields:
            The number of a problem and its answer, as soon as it is found; each problem once at
            most. Of those that are left nothing is known.

        Raises:
            BudgetExhausted: time or memory ran out, with some problems left.
        """


@runtime_checkable
class Parallel(Engine, Protocol):
    """An engine that runs several computations at a time."""

    @property
    def jobs(self) -> int:
        """How many."""

    def with_one_job(self) -> Engine:
        """The same, with one computation at a time."""


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
    return _declared(name, "unit")


def promise(name: str) -> str:
    """What is true of the engine's traces beside that they fire; empty where that is nothing."""
    return _declared(name, "promise")


def decided_by(name: str) -> str:
    """What decided a question: 'engine cegar'; or 'reductions', which are no engine."""
    return name if name == REDUCTIONS else f"engine {name}"


def _declared(name: str, attribute: str) -> str:
    known = name not in ("", REDUCTIONS) and name in plugins.everywhere("engines")
    return str(getattr(plugins.member("engines", name), attribute, "")) if known else ""
