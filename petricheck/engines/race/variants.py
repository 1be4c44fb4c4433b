"""One question of a race: the nets on which it is tried, by all engines in turn."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol, TypeVar

from petricheck.engines import isolated
from petricheck.engines.race.attempts import Attempt, try_in_turn
from petricheck.engines.race.record import End, Record
from petricheck.engines.reductions import REDUCTIONS, Reduced, common, in_order
from petricheck.evidence.answer import Answer
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.errors import NotLifted, Refused

_REDUCTION = 2
"""The reduction of the net has at most one part in so many of a slice."""

T = TypeVar("T", covariant=True)


class AnswerJudge(Protocol[T]):
    """A function that makes a result from an answer about the smaller problem."""

    def __call__(self, way: Reduced, answer: Answer, budget: Budget) -> T:
        """Return the result.

        Raises:
            NotLifted: the evidence cannot be lifted.
            Refused: it is not accepted.
            BudgetExhausted: time or memory ran out.
        """


@dataclass(eq=False)
class _Variant:
    """The question on one net.

    Attributes:
        rewrites: names of the reductions of the net.
        way: the reduction so far.
        record: how the engines ended on this net.
    """

    rewrites: Sequence[str]
    way: Reduced
    record: Record

    def attempt(
        self, engines: Sequence[Attempt], budget: Budget, judge: AnswerJudge[T]
    ) -> T | None:
        """Run the engines on this variant."""
        if self.rewrites:  # They may have had too little time in the last slice.
            self.way = self.way.then(budget.part(_REDUCTION), self.rewrites)
        if (answer := self.way.decided()) is not None:
            try:
                return judge(self.way, answer, budget)
            except Refused as refusal:  # No engine is to blame: try another net.
                raise NotLifted from refusal
        accept = partial(judge, self.way, budget=budget)
        return try_in_turn(self.way.problem, engines, budget, self.record, accept)


@dataclass(eq=False)
class Variants:
    """A question, tried on a net whose transitions are merged, and on one that is simplified only.

    Searches have less to do on the first; the second preserves what proofs need.

    Attributes:
        problem: the question itself.
        start: its net, reduced before.
        reductions: whether the net is reduced further.
        record: how the engines ended on the net as it is; those do not try again.
        budget: receives events of the reductions.
    """

    problem: Problem
    start: Reduced
    reductions: bool
    record: Record
    budget: Budget
    _variants: list[_Variant] = field(init=False)

    def __post_init__(self) -> None:
        """Prepare both nets; no engine has tried yet."""
        ways = (in_order(), common()) if self.reductions else ((),)
        self._variants = [_Variant(way, self.start, self.record.copy()) for way in ways]

    def attempt(
        self, engines: Sequence[Attempt], budget: Budget, judge: AnswerJudge[T]
    ) -> T | None:
        """Run the engines on the net whose turn it is.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        variant = self._variants.pop(0)
        self._variants.append(variant)
        with isolated(REDUCTIONS, self.budget.watch), suppress(NotLifted):
            return variant.attempt(engines, budget, judge)
        self._variants.remove(variant)
        if not self._variants and (variant.rewrites or variant.way.steps):
            self.budget.report("once more, without reductions: the evidence cannot be lifted")
            unreduced = Reduced(self.problem, (), ())
            self._variants.append(_Variant((), unreduced, self.record.copy()))
        return None

    @property
    def ends(self) -> dict[str, End]:
        """How engines ended, on the net that was tried last."""
        return {name: end for v in self._variants for name, end in v.record.ends.items()}

    def is_given_up(self, engines: Sequence[Attempt]) -> bool:
        """Return whether all these engines ended on all nets."""
        return all(e.engine in v.record.ends for v in self._variants for e in engines)
