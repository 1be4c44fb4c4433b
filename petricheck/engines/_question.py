"""One of several questions: the nets that it is tried on, and all engines in turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol, TypeVar

from petricheck.answer import Answer
from petricheck.budget import Budget
from petricheck.engines import Refused
from petricheck.engines._agenda import NotLifted
from petricheck.engines._course import Attempt, Course, sweep
from petricheck.problem import Problem
from petricheck.reductions import Reduced, common, in_order

_REDUCING = 2
"""At most such a part of a slice is for reducing the net."""

T = TypeVar("T", covariant=True)


class Judge(Protocol[T]):
    """Turn an answer about the smaller problem into a result."""

    def __call__(self, way: Reduced, answer: Answer, budget: Budget) -> T:
        """Return the result.

        Raises:
            NotLifted: the evidence cannot be lifted.
            Refused: it fails the audit.
            BudgetExhausted: time or memory ran out.
        """


@dataclass(eq=False)
class _Variant:
    """The question on one net.

    Attributes:
        rewrites: what the net is reduced by.
        way: the reduction so far.
        course: what became of the engines on it.
    """

    rewrites: Sequence[str]
    way: Reduced
    course: Course

    def attempt(self, engines: Sequence[Attempt], budget: Budget, judge: Judge[T]) -> T | None:
        """Let the engines try."""
        if self.rewrites:  # What was too short for them last time is continued.
            self.way = self.way.then(budget.part(_REDUCING), self.rewrites)
        if (answer := self.way.decided()) is not None:
            try:
                return judge(self.way, answer, budget)
            except Refused as refusal:  # As good as not lifted: engines have no part in it.
                raise NotLifted from refusal
        accept = partial(judge, self.way, budget=budget)
        return sweep(self.way.problem, engines, budget, self.course, accept)


@dataclass(eq=False)
class Question:
    """It is tried on a net whose transitions are merged, and on one that is only cleaned up.

    On the first, searches have less to do; the second keeps all that proves.

    Attributes:
        problem: the question itself.
        start: its net, reduced for others as well.
        reductions: whether it is reduced further.
        budget: told what becomes of the engines.
    """

    problem: Problem
    start: Reduced
    reductions: bool
    budget: Budget
    _variants: list[_Variant] = field(init=False)

    def __post_init__(self) -> None:
        """Nothing was tried."""
        ways = (in_order(), common()) if self.reductions else ((),)
        self._variants = [_Variant(way, self.start, Course(self.budget)) for way in ways]

    def attempt(self, engines: Sequence[Attempt], budget: Budget, judge: Judge[T]) -> T | None:
        """Let the engines try on the net whose turn it is.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        variant = self._variants.pop(0)
        self._variants.append(variant)
        try:
            return variant.attempt(engines, budget, judge)
        except NotLifted:
            self._variants.remove(variant)
            if not self._variants:
                whole = Reduced(self.problem, (), ())
                self._variants.append(_Variant((), whole, Course(self.budget)))
            return None

    def is_given_up(self, engines: Sequence[Attempt]) -> bool:
        """Whether all these engines gave up for good."""
        return all(e.engine in v.course.reasons for v in self._variants for e in engines)
