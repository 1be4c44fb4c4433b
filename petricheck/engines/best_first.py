"""Best-first search over packed markings, in compiled loops. It finds traces; it proves no absence.

The marking that is nearest to the target is expanded next. How near is told by the target's
formula: what its atoms lack, added up in conjunctions, the least of it in disjunctions. Far-sighted
searches count for that the firings that would get there, guards included, if no firing took a token
from another (`kernel.loops.estimate`); near-sighted ones, which are ten times as fast, the tokens
alone (`kernel.loops.distance`). Of equally near markings the latest comes first, or any.
`directed_search` asks the state equation instead, which sees what firings take but no guards, and
needs a hundred times as long for a marking.

Searches of these kinds take turns, each longer than the one before. Several targets of one net are
aimed at in turn, each for a while, and all watch every search.

Limits: markings are kept until the memory is full; traces are far from shortest; numbers beyond
2^40 are not searched.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import ClassVar

from petricheck.answer import Answer, Reachable, Statistics, Unknown
from petricheck.budget import MEBIBYTE, Budget
from petricheck.errors import BudgetExhausted
from petricheck.kernel.compiled import how, is_compiled
from petricheck.kernel.explore import Exploration, Nearest, Order
from petricheck.kernel.targets import named
from petricheck.plugins import option
from petricheck.problem import Problem

_FIRST, _LONGER = 0.4, 2
"""Seconds for each target in the first round; each further round has so many times as many."""

_KINDS = ((True, Order.LATEST), (False, Order.LATEST), (True, Order.ANY), (False, Order.ANY))
"""Whether a round is far-sighted, and its order of equally near markings."""

_LOOKED = 5_000
"""Markings between two looks at the budget."""


@dataclass(frozen=True)
class BestFirst:
    """Expand the marking first that is nearest to the target by its formula."""

    rank: ClassVar[int] = 25

    memory: int = option(1024, "most memory for markings, in MiB")

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Search until the target is met, or nothing is left to be searched.

        Raises:
            BudgetExhausted: time or memory ran out, or numbers are too large.
        """
        for turn in count():
            search = _Search(self.memory, [problem], 0, turn)
            with suppress(_Over):
                for _, answer in search.run(budget, turn):
                    return answer
            if search.exhausted:
                reason = f"none of {search.statistics.states} markings is in the target"
                hint = "the engine explicit would prove that"
                return Unknown(reason, hint, search.statistics)
            if search.full and turn >= len(_KINDS):
                return Unknown("the memory is full", "raise the option memory", search.statistics)
        raise AssertionError("rounds do not end")

    def solve_together(
        self, problems: Sequence[Problem], budget: Budget
    ) -> Iterator[tuple[int, Reachable]]:
        """Aim at each target in turn, for longer and longer.

        Raises:
            BudgetExhausted: time or memory ran out, with some targets open.
        """
        left = dict(enumerate(problems))
        aims = set(left)
        for turn in count():
            for aim in sorted(aims & left.keys()):
                if aim not in left:
                    continue
                numbers = tuple(left)
                try:
                    search = _Search(self.memory, list(left.values()), numbers.index(aim), turn)
                except BudgetExhausted:  # Its numbers are too large.
                    aims.remove(aim)
                    continue
                with suppress(_Over):
                    for number, answer in search.run(budget, turn):
                        del left[numbers[number]]
                        yield numbers[number], answer
                if search.exhausted:
                    return
                if search.full and turn >= len(_KINDS):
                    aims.remove(aim)
            if not aims & left.keys():
                return


class _Over(Exception):
    """The time of a round is."""


class _Search:
    """A search that aims at one of several targets."""

    def __init__(self, mebibytes: int, problems: Sequence[Problem], aim: int, turn: int) -> None:
        self._started = time.monotonic()
        self._net = problems[0].net
        targets = [problem.target for problem in problems]
        kind = _KINDS[turn % len(_KINDS)]
        self._markings = Exploration(self._net, targets, mebibytes * MEBIBYTE, Nearest(aim, *kind))
        self._aim = aim

    @property
    def exhausted(self) -> bool:
        """Whether all reachable markings are known."""
        return self._markings.exhausted

    @property
    def full(self) -> bool:
        """Whether it cannot go on, for want of memory or since numbers have become too large."""
        return self._markings.full or self._markings.overflowed

    @property
    def statistics(self) -> Statistics:
        """What it cost so far."""
        seconds = time.monotonic() - self._started
        return Statistics("best_first", 0, self._markings.size, seconds)

    def run(self, budget: Budget, turn: int) -> Iterator[tuple[int, Reachable]]:
        """The targets that are met, until the one that is aimed at is, or nothing goes on.

        Raises:
            _Over: the time of the round is.
            BudgetExhausted: time or memory ran out.
        """
        markings = self._markings
        budget.report(how())
        limits = budget.within(_FIRST * _LONGER**turn)
        while self._aim in markings.open:
            for witness in markings.run(_LOOKED if is_compiled() else _LOOKED // 100):
                yield witness.target, Reachable(named(witness, self._net), self.statistics)
            if self.exhausted or self.full:
                return
            budget.report(f"{markings.size} markings")
            budget.check()
            if not limits.remaining:
                raise _Over
