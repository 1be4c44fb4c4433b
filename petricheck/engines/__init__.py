"""Engines: each decides a problem within a budget. One file each.

An engine is a value with one method, `solve(problem, budget)`; no state survives the call. It
answers with evidence or with `Unknown`. Where a limit is reached it may also raise
`BudgetExhausted`, which `petricheck.check` turns into `Unknown`.

An engine may have the methods of `Sharing`, `Deciding`, `Informed` or `Selective`. It may have
class attributes:

    rank: the engine takes part in the portfolio's race; lower ranks have their first turn earlier.
    patience: it takes part where a question is tried so many seconds or more without a break.
    unit: what its `Statistics` count as iterations, a noun in the singular.
    promise: a sentence that is true of every trace that it returns.
    paper: authors and years of the papers that it implements.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Protocol, TypeAlias, TypeVar, runtime_checkable

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.engines.reductions import REDUCTIONS
from petricheck.evidence.answer import Answer, Reachable, Unknown, Unreachable
from petricheck.model.problem import Problem
from petricheck.support import plugins
from petricheck.support.budget import Budget, Event, Turn
from petricheck.support.errors import (
    BudgetExhausted,
    Ending,
    EvidenceError,
    InternalError,
    PetricheckError,
    Refused,
    described,
    is_fault,
    show_traceback,
)

Checked = TypeVar("Checked")

EARLIER = "earlier"
"""Stands for an engine where earlier evidence answers a question."""

_OTHERS = {REDUCTIONS: REDUCTIONS, EARLIER: "earlier evidence"}
"""What stands for an engine, in words."""


class Engine(Protocol):
    """The frame of every member of this family."""

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Decide the problem, or return `Unknown` with the reason.

        Raises:
            BudgetExhausted: time or memory ran out.
        """


def racing() -> tuple[str, ...]:
    """Return the engines of this package that declare a rank, by rank; loads all engines."""
    loaded = [(plugins.member("engines", name), name) for name in plugins.members("engines")]
    ranked = [(cls.rank, name) for cls, name in loaded if hasattr(cls, "rank")]
    return tuple(name for _, name in sorted(ranked))


@functools.cache
def patient() -> tuple[tuple[str, float], ...]:
    """Return the engines that declare a patience, installed ones too, with it in seconds."""
    names = plugins.all_members("engines")
    loaded = ((name, getattr(plugins.member("engines", name), "patience", None)) for name in names)
    return tuple((name, seconds) for name, seconds in loaded if seconds is not None)


@runtime_checkable
class Selective(Engine, Protocol):
    """An engine that suits some problems only."""

    def unfit(self, problem: Problem) -> str:
        """Return the reason why the engine does not suit the problem, or "". Takes little time."""


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
            is_open: returns False where the problem of a number has been decided elsewhere.

        Yields:
            The number of a problem and its answer; each problem at most once. A problem that is not
            yielded stays undecided.

        Raises:
            BudgetExhausted: time or memory ran out, and some problems are undecided.
        """


Check: TypeAlias = Callable[[int, Reachable | Unreachable, Budget], Checked]
"""The audit, run in the process that has the evidence: makes the result from an answer about the
problem of a number. It raises `Refused` where another engine may find better evidence, and
`BudgetExhausted` where it takes too long."""


@runtime_checkable
class Deciding(Engine, Protocol):
    """An engine that decides several targets of one net, and uses all the time that it has."""

    def decide_all(
        self,
        problems: Sequence[Problem],
        check: Check[Checked],
        budget: Budget,
        is_open: IsOpen = all_open,
        facts: Sequence[Formula] = (),
    ) -> Generator[tuple[int, Checked], None, Mapping[int, Unknown | InternalError]]:
        """Decide as many of the problems as the limits allow.

        Args:
            problems: several questions about one net.
            check: makes the result from an answer.
            budget: limits on all together.
            is_open: returns False where the problem of a number needs no answer any longer; a
                result that was yielded may answer other problems too.
            facts: as those of `Informed`.

        Yields:
            The number of a problem with its result, as soon as there is one.

        Returns:
            Why each of the others has none; an error where the program is to blame for that.
        """


@runtime_checkable
class Informed(Engine, Protocol):
    """An engine that can use facts that other engines have derived."""

    def solve_informed(self, problem: Problem, budget: Budget, facts: Sequence[Formula]) -> Answer:
        """Decide as `solve` does; the facts are hints, and need not be true.

        Args:
            problem: the question.
            budget: its limits.
            facts: formulas over the net's places, such as those in `Unknown.learnt`.
        """


def solve_with(
    engine: Engine, problem: Problem, budget: Budget, facts: Sequence[Formula]
) -> Answer:
    """Return the engine's answer; an `Informed` engine gets the facts, if there are any."""
    if facts and isinstance(engine, Informed):
        return engine.solve_informed(problem, budget, facts)
    return engine.solve(problem, budget)


def decide_one(
    engine: Deciding,
    problem: Problem,
    check: Check[Checked],
    budget: Budget,
    facts: Sequence[Formula] = (),
) -> Checked | Unknown:
    """Return the engine's result for one problem, or why there is none.

    Raises:
        InternalError: there is none, and the program is to blame for that.
    """
    with closing(engine.decide_all([problem], check, budget, facts=facts)) as results:
        try:
            return next(results)[1]
        except StopIteration as end:
            failures: Mapping[int, Unknown | InternalError] = end.value
    failure = failures[0]
    if isinstance(failure, InternalError):
        raise failure
    return failure


@contextmanager
def refusing(budget: Budget) -> Iterator[None]:
    """Refuse evidence whose audit inside fails or comes to no end, so that other engines go on.

    Raises:
        Refused: the audit rejects the evidence, or has come to no end.
        BudgetExhausted: time or memory ran out.
    """
    try:
        yield
    except EvidenceError as error:
        if isinstance(error.__cause__, BudgetExhausted):
            budget.check()
            raise Refused(f"its evidence was not audited to the end: {error.__cause__}") from error
        show_traceback(error)
        failure = f"internal error: its evidence failed the audit: {error}"
        raise Refused(failure, is_false=True) from error


@contextmanager
def isolated(name: str, watch: Callable[[Event], None]) -> Iterator[None]:
    """Report an error that ends the work of an engine inside, so that others go on."""
    try:
        yield
    except MemoryError:
        watch(Event("memory ran out", name, Turn.GAVE_UP, Ending.MEMORY))
    except Exception as error:
        if isinstance(error, PetricheckError) and not is_fault(error):
            raise
        show_traceback(error)
        watch(Event(described(error), name, Turn.FAILED))


def unit(name: str) -> str:
    """Return the noun that the engine counts, or ""."""
    return _declared(name, "unit")


def promise(name: str) -> str:
    """Return a property of the engine's traces besides that they fire, or ""."""
    return _declared(name, "promise")


def decided_by(name: str) -> str:
    """Return the name of what decided a question: 'engine cegar', or 'reductions'."""
    return _OTHERS.get(name) or f"engine {name}"


def _declared(name: str, attribute: str) -> str:
    is_engine = name not in ("", *_OTHERS) and name in plugins.all_members("engines")
    return str(getattr(plugins.member("engines", name), attribute, "")) if is_engine else ""
