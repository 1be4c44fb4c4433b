"""Best-first search over packed markings, in compiled loops. It finds traces, and some proofs.

The marking that is nearest to the target is expanded next. Its distance is computed from the
target's formula: what an atom lacks is added up in conjunctions, and the least counts in
disjunctions (`kernel.loops.distances`). Near-sighted searches count missing tokens. Far-sighted
ones, which take ten times as long, count the firings that would supply them, guards included, if
no firing took a token from another. Of equally near markings the latest comes first, or any. Some
searches fire in each marking only the transitions of a stubborn set for the target
(`kernel.loops.stubborn`). Where no marking is left to expand, those that were visited are a proof.
`directed_search` uses the state equation instead, which sees what firings take but no guards, and
needs a hundred times as long for a marking.

Searches of these kinds take turns, each longer than the one before. Several targets of one net are
aimed at in turn, each for a while, and every search tests all of them.

Limits: markings are stored until the memory is full; traces are far from shortest; numbers beyond
2^40 are not searched.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from petricheck.engines import IsOpen, all_open
from petricheck.evidence.answer import Answer, Reachable, Unknown, Unreachable, measure
from petricheck.explicit.kernel.circuit import TOO_LARGE
from petricheck.explicit.kernel.explore import Exploration, Nearest, Order
from petricheck.explicit.kernel.targets import Witness, named_trace, watch
from petricheck.model.problem import Problem
from petricheck.support.budget import MEBIBYTE, Budget
from petricheck.support.compiled import status
from petricheck.support.errors import BudgetExhausted
from petricheck.support.plugins import option
from petricheck.support.words import counted

_FIRST, _LONGER = 0.1, 2
"""Seconds for each target in the first round; each further round has so many times as many."""

_KINDS = (
    (Nearest(0, False, Order.LATEST), True),
    (Nearest(0, True, Order.LATEST), True),
    (Nearest(0, False, Order.LATEST), False),
    (Nearest(0, True, Order.ANY), False),
    (Nearest(0, False, Order.ANY), True),
)
"""The kinds of searches: the order, and whether only transitions of stubborn sets fire."""

_TOO_LARGE = "certificate too large: none of {} markings is in the target, but no proof fits a file"

_CHECK_INTERVAL = 5_000
"""Markings between two checks of the budget."""


@dataclass(frozen=True)
class BestFirst:
    """Expand the marking first that is nearest to the target by its formula."""

    rank = 25

    memory: int = option(0, "most memory for markings, in MiB; 0 for a part of what there is")

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Search until a marking is in the target, or no marking is left to expand."""
        statistics = measure("best_first")
        exploration = None
        for exploration, witnesses in self._turns([problem], budget):
            for witness in witnesses:
                return Reachable(named_trace(witness, problem.net), statistics(0, exploration.size))
        if exploration is None:
            raise BudgetExhausted(TOO_LARGE)
        cost = statistics(0, exploration.size)
        if not exploration.exhausted:
            return Unknown(
                "the memory is full", "raise the option memory, or try another engine", cost
            )
        if (certificate := exploration.exclusion) is None:
            return Unknown(_TOO_LARGE.format(exploration.size), "another engine may prove it", cost)
        return Unreachable(certificate, cost)

    def solve_together(
        self, problems: Sequence[Problem], budget: Budget, is_open: IsOpen = all_open
    ) -> Iterator[tuple[int, Reachable | Unreachable]]:
        """Aim at each target in turn, for longer and longer.

        Where all markings are explored, the engine `explicit` proves more with them at once.
        """
        statistics, net = measure("best_first"), problems[0].net
        for exploration, witnesses in self._turns(problems, budget, is_open):
            cost = statistics(0, exploration.size)
            for witness in witnesses:
                yield witness.target, Reachable(named_trace(witness, net), cost)
            excluded = exploration.excluded if exploration.reduced else ()
            if excluded and (certificate := exploration.exclusion) is not None:
                for number in excluded:
                    yield number, Unreachable(certificate, cost)

    def _turns(
        self, problems: Sequence[Problem], budget: Budget, is_open: IsOpen = all_open
    ) -> Iterator[tuple[Exploration, tuple[Witness, ...]]]:
        """Yield explorations that aim at one target after the other, and targets that they reach.

        Ends where no target is left to aim at.
        """
        net, remaining = problems[0].net, tuple(range(len(problems)))
        watched = watch(net, [problem.target for problem in problems])
        aims = set(watched.nodes)
        if aims:
            budget.report(status())
        for turn in count():
            for aim in sorted(aims):
                remaining = tuple(number for number in remaining if is_open(number))
                if aim not in remaining:
                    continue
                budget.check()
                limits = budget.within(_FIRST * _LONGER**turn)
                memory = self.memory * MEBIBYTE or budget.memory_left
                first, reduced = _KINDS[turn % len(_KINDS)]
                first, watched = replace(first, target=aim), watched.only(remaining)
                preserved = [aim] if reduced else []
                exploration = Exploration(net, watched, memory, first, preserved)
                while aim in remaining and limits.remaining and not exploration.ended:
                    witnesses = exploration.run(min(exploration.pace, _CHECK_INTERVAL))
                    remaining = exploration.open
                    yield exploration, witnesses
                    budget.report(counted(exploration.size, "marking"))
                    budget.check()
                remaining = tuple(n for n in remaining if n not in exploration.excluded)
                if exploration.ended and turn >= len(_KINDS):
                    aims.remove(aim)
            aims &= set(remaining)
            if not aims:
                return
