"""Engines: each decides a problem within a budget. One file each.

An engine is a value with one method, `solve(problem, budget)`; no state survives the call. It
answers with evidence or with `Unknown`; a limit that is reached may also be raised, as
`BudgetExhausted`, which `petricheck.check` turns into `Unknown`.

An engine may have more methods, which are found by their names: it may be `Sharing`, `Deciding`,
`Informed`, or `Selective`. With a class attribute `rank` it takes part in the portfolio's race, and
has its first turn in this order; with `patience` it does where a question may be tried for so many
seconds without a break. A class attribute
`unit` says what it counts as the iterations of its `Statistics`, a noun in the singular,
`promise` what is true of every trace that it finds, in a sentence, and `paper` names authors and
years of what it implements, for those who list the engines.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeAlias, TypeVar, runtime_checkable

from petricheck import plugins
from petricheck.answer import Answer, Reachable, Unreachable
from petricheck.budget import Budget
from petricheck.presburger.formulas import Formula
from petricheck.problem import Problem
from petricheck.reductions import REDUCTIONS

Checked = TypeVar("Checked")


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


@functools.cache
def patient() -> tuple[tuple[str, float], ...]:
    """The engines, installed ones too, that take part in long races, with their patience."""
    names = plugins.everywhere("engines")
    loaded = ((name, getattr(plugins.member("engines", name), "patience", None)) for name in names)
    return tuple((name, seconds) for name, seconds in loaded if seconds is not None)


@runtime_checkable
class Selective(Engine, Protocol):
    """An engine that is for some problems only."""

    def unfit(self, problem: Problem) -> str:
        """Return why the engine does not suit the problem, or ""; takes little time."""


IsOpen: TypeAlias = Callable[[int], bool]


def all_open(number: int) -> bool:
    """Return True: the problem of any number is open."""
    return True


@runtime_checkable
class Sharing(Engine, Protocol):
    """An engine that searches for several targets of one net at once."""

    def solve_together(
        self, problems: Sequence[Problem], budget: Budget, is_open: IsOpen = all_open
    ) -> Iterator[tuple[int, Reachable | Unreachable]]:
        """Decide some of the problems.

        Args:
            problems: several questions about one net.
            budget: limits on all together.
            is_open: whether the problem of a number is not decided by others meanwhile.

        Yields:
            The number of a problem and its answer, as soon as it is found; each problem once at
            most. Of those that are left nothing is known.

        Raises:
            BudgetExhausted: time or memory ran out, with some problems left.
        """


Check: TypeAlias = Callable[[int, Reachable | Unreachable, Budget], Checked]
"""The audit, where an engine needs it in the process that has the evidence: what an answer about
the problem of a number comes to. It raises `Refused` where another engine may find better evidence,
and `BudgetExhausted` where it takes too long."""


class Refused(Exception):
    """Evidence is not accepted; the message says why."""


@runtime_checkable
class Deciding(Engine, Protocol):
    """An engine that decides several targets of one net, and uses all the time for that."""

    def decide_all(
        self,
        problems: Sequence[Problem],
        check: Check[Checked],
        budget: Budget,
        is_open: IsOpen = all_open,
    ) -> Iterator[tuple[int, Checked]]:
        """Decide as many of the problems as the limits allow.

        Args:
            problems: several questions about one net.
            check: makes of an answer what is wanted.
            budget: limits on all together.
            is_open: whether the problem of a number is still one after what was yielded; results
                may answer others as well.

        Yields:
            The number of a problem with what `check` made of an answer, as soon as it is there.
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
    """Return the noun that the engine counts, or "" where it counts nothing or is another's."""
    return _declared(name, "unit")


def promise(name: str) -> str:
    """Return what holds for the engine's traces besides that they fire, or ""."""
    return _declared(name, "promise")


def decided_by(name: str) -> str:
    """Return what decided a question: 'engine cegar', or 'reductions', which are no engine."""
    return name if name == REDUCTIONS else f"engine {name}"


def _declared(name: str, attribute: str) -> str:
    is_engine = name not in ("", REDUCTIONS) and name in plugins.everywhere("engines")
    return str(getattr(plugins.member("engines", name), attribute, "")) if is_engine else ""
