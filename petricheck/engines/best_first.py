"""Best-first search over packed markings, in compiled loops. It finds traces; it proves no absence.

The marking that is nearest to the target is expanded next, of equally near ones the latest. How
near is told by the target's formula alone (`kernel.loops.distance`): what its atoms lack, added up
in conjunctions, the least of it in disjunctions. `directed_search` asks the state equation instead,
which sees much further and takes a thousand times as long for a marking.

Several targets of one net are aimed at in turn, each for a while, and all watch every search.

Limits: the distance sees neither guards nor effects; markings are kept until the memory is full;
traces are far from shortest; numbers beyond 2^40 are not searched.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import ClassVar

from petricheck.answer import Answer, Reachable, Statistics, Unknown, joined
from petricheck.budget import MEBIBYTE, Budget
from petricheck.errors import BudgetExhausted
from petricheck.kernel.compiled import how, is_compiled
from petricheck.kernel.explore import BestFirst as Markings
from petricheck.problem import Problem

_FIRST, _LONGER = 0.4, 4
"""Seconds for each target in the first round; each further round has so many times as many."""

_LOOKED = 20_000
"""Markings between two looks at the budget."""


@dataclass(frozen=True)
class BestFirst:
    """Expand the marking first that is nearest to the target by its formula."""

    rank: ClassVar[int] = 25

    memory: int = field(default=1024, metadata={"help": "most memory for markings, in MiB"})

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Search until the target is met, or nothing is left to be searched.

        Raises:
            BudgetExhausted: time or memory ran out, or numbers are too large.
        """
        search = _Search(self.memory, [problem], 0)
        for _, answer in search.run(budget):
            return answer
        if search.exhausted:
            reason = f"none of {search.statistics.states} markings is in the target"
            return Unknown(reason, "the engine explicit would prove that", search.statistics)
        return Unknown("the memory is full", "raise the option memory", search.statistics)

    def solve_together(
        self, problems: Sequence[Problem], budget: Budget
    ) -> Iterator[tuple[int, Reachable]]:
        """Aim at each target in turn, for longer and longer.

        Raises:
            BudgetExhausted: time or memory ran out, with some targets open.
        """
        left = dict(enumerate(problems))
        for turn in count():
            for aim in tuple(left):
                if aim not in left:
                    continue
                budget.check()
                numbers = tuple(left)
                with suppress(BudgetExhausted):
                    search = _Search(self.memory, list(left.values()), numbers.index(aim))
                    for number, answer in search.run(budget.within(_FIRST * _LONGER**turn)):
                        del left[numbers[number]]
                        yield numbers[number], answer
                    if search.exhausted or not left:
                        return


class _Search:
    """A search that aims at one of several targets.

    Attributes:
        exhausted: whether all reachable markings are known.
    """

    def __init__(self, mebibytes: int, problems: Sequence[Problem], aim: int) -> None:
        self._started = time.monotonic()
        self._net = problems[0].net
        targets = [problem.target for problem in problems]
        self._markings = Markings(self._net, targets, mebibytes * MEBIBYTE, aim)
        self._aim = aim

    @property
    def exhausted(self) -> bool:
        """Whether all reachable markings are known."""
        return self._markings.exhausted

    @property
    def statistics(self) -> Statistics:
        """What it cost so far."""
        seconds = time.monotonic() - self._started
        return Statistics("best_first", 0, self._markings.size, seconds)

    def run(self, budget: Budget) -> Iterator[tuple[int, Reachable]]:
        """The targets that are met, until the one that is aimed at is, or nothing goes on.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        markings = self._markings
        budget.report(how())
        while self._aim in markings.open:
            for met in markings.run(_LOOKED if is_compiled() else _LOOKED // 100):
                trace = joined(((number, 1) for number in met.trace), self._net.actions)
                yield met.target, Reachable(trace, self.statistics)
            if markings.exhausted or markings.full or markings.overflowed:
                return
            budget.report(f"{markings.size} markings")
            budget.check()
