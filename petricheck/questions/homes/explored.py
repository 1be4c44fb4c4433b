"""Home spaces of bounded nets, by exploration of all reachable markings.

One home space is proved by the distance from every marking to it. Where some markings have none,
the search finds a *bottom component* behind one of them: markings that can all be reached from each
other, and from which no others can. None of its markings is in the formula.

For several formulas all bottom components are examined. One of them can be reached from every
marking; so one marking of each makes a home space, and from each a trace leads into every formula
that has a marking in its component.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from petricheck.arithmetic.formulas.formulas import Formula, disjunction
from petricheck.evidence.answer import Trace, Unreachable, trace_of
from petricheck.evidence.audit.tables.evaluation import Evaluation
from petricheck.evidence.certificates.onward import OnwardTraces
from petricheck.evidence.certificates.ranked_set import RankedTable
from petricheck.evidence.claims import Claim, ExcludedAfter, Home
from petricheck.explicit.kernel.arrays import Integers, integers
from petricheck.explicit.kernel.backwards import Backwards
from petricheck.explicit.kernel.explore import Exploration
from petricheck.explicit.kernel.packing import fields_of, ranked_certificate, tighten
from petricheck.model.net import Marking, Net
from petricheck.model.problem import Problem
from petricheck.questions.deciding import tokens_held
from petricheck.support import plugins
from petricheck.support.budget import Budget, watched
from petricheck.support.words import counted

COMPONENTS = 100
"""The most bottom components that are examined."""

BLOCK = 1 << 14
"""The number of markings on which a formula is evaluated at a time."""


def home_claims(
    net: Net, formulas: Sequence[Formula], budget: Budget, most: float = inf
) -> Iterator[Claim]:
    """Yield claims which of these different formulas are home spaces.

    There are none where the net has more than the most markings.
    """
    space = explored(net, budget, most)
    if space.exhausted:
        search = _MarkingSearch(net, space, Backwards(net, space), budget)
        yield from search.one(formulas[0]) if len(formulas) == 1 else search.several(formulas)


@dataclass(frozen=True, slots=True)
class _MarkingSearch:
    """A search among all reachable markings, `space`; `backwards`: those that lead to rank 0."""

    net: Net
    space: Exploration
    backwards: Backwards
    budget: Budget

    def one(self, formula: Formula) -> Iterator[Claim]:
        """Yield the claim whether one formula is a home space."""
        self._lead_to(np.concatenate([*_inside(self.space, formula, self.budget)]))
        if (unranked := self._unranked()) is not None:
            yield from self._excluded(*self._component(unranked), [formula])
        elif table := self._table():
            yield Home((formula,), table)

    def several(self, formulas: Sequence[Formula]) -> Iterator[Claim]:
        """Yield claims which of several formulas are home spaces."""
        homes = list[Marking]()
        traces = {formula: list[Trace]() for formula in formulas}
        while traces and (unranked := self._unranked()) is not None:
            if len(homes) == COMPONENTS:
                return
            path, component = self._component(unranked)
            firsts = {formula: _first(component, formula, self.budget) for formula in traces}
            lost = [formula for formula, first in firsts.items() if first is None]
            if lost:
                yield from self._excluded(path, component, lost)
            homes.append(component.marking(0))
            traces = {
                formula: [*traces[formula], self._trace(component.trace(first))]
                for formula, first in firsts.items()
                if first is not None
            }
            self._lead_to(integers([self.space.number(homes[-1])]))
        if traces and (table := self._table()):
            markings = tuple(tuple(tokens_held(self.net, home).items()) for home in homes)
            onward = tuple(zip(*traces.values(), strict=True))
            yield Home(tuple(traces), OnwardTraces(markings, table, onward))

    def _lead_to(self, numbers: Integers) -> None:
        """Rank all markings that lead to these."""
        rank_before(self.backwards, numbers, self.space.pace, self.budget)

    def _unranked(self) -> int | None:
        """Return the number of the last marking without a rank; None where all have one."""
        unranked = np.flatnonzero(self.backwards.ranks < 0)
        return int(unranked[-1]) if len(unranked) else None

    def _table(self) -> RankedTable | None:
        """Return all markings with their ranks; None where the table is too large to be read."""
        bits, words = tighten(self.space.bits, self.space.words)
        return ranked_certificate(
            bits, words, self.backwards.ranks, self.backwards.actions, self.net.actions
        )

    def _component(self, number: int) -> tuple[Trace, Exploration]:
        """Return a bottom component behind a marking, and a trace to its first marking.

        The component is an exploration from that marking.
        """
        space, path = self.space, tuple[int, ...]()
        while True:
            path, net = path + space.trace(number), self.net.beginning(space.marking(number))
            space = explored(net, self.budget)
            back = Backwards(net, space)
            rank_before(back, integers([0]), space.pace, self.budget)
            unranked = np.flatnonzero(back.ranks < 0)
            if not len(unranked):
                return self._trace(path), space
            number = int(unranked[-1])

    def _excluded(
        self, trace: Trace, component: Exploration, formulas: Sequence[Formula]
    ) -> Iterator[Claim]:
        """Yield the claim that no marking of a component is in one of the formulas."""
        later, formula = self.net.beginning(component.marking(0)), disjunction(formulas)
        # A certificate of the first is shorter and clearer than all markings of the component.
        for engine, seconds in (("state_equation", 2.0), ("explicit", inf)):
            with self.budget.tolerate_overruns():
                limits = self.budget.part(2, seconds)
                answer = plugins.build("engines", engine).solve(Problem(later, formula), limits)
                if isinstance(answer, Unreachable):
                    yield ExcludedAfter(trace, formula, answer.certificate)
                    return

    def _trace(self, numbers: Sequence[int]) -> Trace:
        return trace_of(numbers, self.net.actions)


def explored(net: Net, budget: Budget, most: float = inf) -> Exploration:
    """Return the explored markings: all, unless there are more or they exceed the memory."""
    space = Exploration(net, [], budget.memory_left)
    while not space.ended and space.size <= most:
        budget.check()
        budget.report(counted(space.size, "marking"))
        space.run(int(min(space.pace, 100_000, most + 1 - space.size)))
    return space


def rank_before(backwards: Backwards, numbers: Integers, pace: int, budget: Budget) -> None:
    """Rank these markings 0, and all markings that lead to them."""
    backwards.begin(numbers)
    while backwards.run(pace):
        budget.check()


def _inside(space: Exploration, formula: Formula, budget: Budget) -> Iterator[Integers]:
    """Yield the numbers of the markings in a formula, block by block."""
    fields = {field.place: field for field in fields_of(space.bits)}
    for start in watched(range(0, space.size, BLOCK), budget, 1):
        words = np.ascontiguousarray(space.words[start : start + BLOCK].T)
        yield np.flatnonzero(Evaluation(fields, words, budget).holds(formula)) + start


def _first(space: Exploration, formula: Formula, budget: Budget) -> int | None:
    """Return the number of the first marking in a formula; None where there is none."""
    blocks = _inside(space, formula, budget)
    return next((int(numbers[0]) for numbers in blocks if len(numbers)), None)
