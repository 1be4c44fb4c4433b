"""Explicit search: breadth-first over all reachable markings, packed and a level at a time.

A marking in the target gives a shortest trace. Where no marking is left, the net is bounded and
the target unreachable. A short certificate is tried first: the finitely many projections of the
markings onto some of the places, which also proves some unbounded nets; all markings listed; one
inductive conjunction around them. What these do not prove, in a share of the time that the
exploration took, is proved by the table of all markings.

Limits: unbounded nets end at a limit unless a projection proves them; a table that is too large to
be kept ends in "certificate too large".
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from petricheck.answer import Answer, Reachable, Unknown, Unreachable, joined, measure
from petricheck.budget import MEBIBYTE, Budget
from petricheck.errors import BudgetExhausted, Ending, noting
from petricheck.evidence.finite_set import MarkingTable
from petricheck.evidence.invariant import Certificate
from petricheck.kernel.compiled import is_compiled
from petricheck.kernel.explore import Exploration as SharedExploration
from petricheck.plugins import option
from petricheck.problem import Net, Problem
from petricheck.state_space.arcs import Rows
from petricheck.state_space.exploration import Exploration
from petricheck.state_space.hull import hull
from petricheck.state_space.listing import listing
from petricheck.state_space.projection import markings, projected
from petricheck.state_space.table import sealed, tabled, tightened

FIRST = 2_000
"""Markings explored before a projection is tried for the first time."""

PROJECTED = 20_000
"""Markings that the first try may explore."""

AGAIN = 4
"""After a complete exploration a second try may explore so many times as many."""

SHARE, LEAST = 0.5, 0.2
"""What is tried before a table takes so much of the time of the exploration, or so many seconds."""

_TOGETHER = 100_000
"""Markings that one exploration for many targets meets between two looks at the budget."""

_FEW = 1 << 18
"""Words of packed markings; of more, nothing shorter than a table is tried for several targets."""

AUDITED = 5_000_000
"""Markings times places times transitions that the audit of a listing may look at."""


@dataclass(frozen=True)
class Explicit:
    """Explore all reachable markings, breadth first, and prove that the target is not among them.

    Attributes:
        markings: see the option's help.
        memory: see the option's help.
        listed: see the option's help.
    """

    rank: ClassVar[int] = 50

    markings: int = option(5_000_000, "most markings to explore")
    memory: int = option(1024, "most memory for them, in MiB")
    listed: int = option(10_000, "most markings that a certificate may list")

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Explore until the target is met or no marking is left."""
        statistics = measure("explicit")
        exploration = Exploration(problem, budget, self.memory)
        with noting(lambda: f"after {exploration.visited.size} markings"):
            certificate: Certificate | MarkingTable | None
            certificate = self._explore_some(problem, exploration, budget)
            left = certificate is None and exploration.found is None
            compiled = left and is_compiled() and self._fits(problem)
            if left and not compiled:
                # Numbers that do not fit the compiled loops are explored by numpy.
                certificate = self._explore_all(problem, exploration, budget)
        if compiled:
            return self._explore_compiled(problem, budget)
        size = exploration.visited.size
        if exploration.found is not None:
            return Reachable(exploration.trace(exploration.found), statistics(0, size))
        if certificate is not None:
            return Unreachable(certificate, statistics(0, size))
        if exploration.exhausted:
            return Unknown(_TOO_LARGE.format(size), _PROVER, statistics(0, size))
        return Unknown(_TOO_MANY.format(size), _MORE, statistics(0, size))

    def solve_together(
        self, problems: Sequence[Problem], budget: Budget
    ) -> Iterator[tuple[int, Reachable | Unreachable]]:
        """Explore once, watched by all targets; prove those that are open where it ends.

        Raises:
            BudgetExhausted: time or memory ran out, with some targets open.
        """
        yield from self._found(problems, self._shared(problems), budget)

    def _shared(self, problems: Sequence[Problem]) -> SharedExploration:
        targets = [problem.target for problem in problems]
        return SharedExploration(problems[0].net, targets, self.memory * MEBIBYTE)

    def _found(
        self, problems: Sequence[Problem], shared: SharedExploration, budget: Budget
    ) -> Iterator[tuple[int, Reachable | Unreachable]]:
        """What a compiled exploration finds."""
        statistics = measure("explicit")
        while shared.open and not shared.exhausted:
            budget.check()
            budget.report(f"{shared.size} markings, {len(shared.open)} targets open")
            if shared.full:
                full = f"{shared.size} markings fill the {self.memory} MiB they may take"
                raise BudgetExhausted(full, Ending.MEMORY)
            if shared.overflowed or shared.size > self.markings:
                return
            for met in shared.run(min(_TOGETHER, shared.pace, self.markings)):
                trace = joined(((number, 1) for number in met.trace), problems[0].net.actions)
                yield met.target, Reachable(trace, statistics(0, shared.size))
        spent = statistics(0, shared.size).seconds
        for number, certificate in self._proofs(problems, shared, spent, budget):
            yield number, Unreachable(certificate, statistics(0, shared.size))

    def _proofs(
        self, problems: Sequence[Problem], shared: SharedExploration, spent: float, budget: Budget
    ) -> Iterator[tuple[int, Certificate | MarkingTable]]:
        """One certificate for each target that no marking is in."""
        if not shared.open:
            return
        net = problems[0].net
        layout = tuple(zip(net.places, shared.layout.bits.tolist(), strict=True))
        table = sealed(*tightened(layout, shared.words.T))
        rows = shared.markings(0, shared.size) if shared.words.size <= _FEW else None
        for number in shared.open:
            seconds = max(LEAST, SHARE * spent / len(shared.open))
            shorter = None
            if rows is not None and seconds < budget.remaining * SHARE:
                shorter = _shorter(problems[number], rows, self._most(net), budget, seconds)
            certificate = shorter or table
            if certificate is not None:
                yield number, certificate

    def _explore_some(
        self, problem: Problem, exploration: Exploration, budget: Budget
    ) -> Certificate | None:
        """A certificate of few markings or places; the target may have been met instead."""
        most = self._most(problem.net)
        exploration.run(min(FIRST, self.markings))
        if exploration.found is not None:
            return None
        if exploration.exhausted and exploration.visited.size <= most:
            return listing(problem, markings(exploration))
        return projected(problem, most, PROJECTED, budget)

    def _fits(self, problem: Problem) -> bool:
        """Whether the compiled loops can take the numbers of the net and of the target."""
        try:
            return not self._shared([problem]).unwatched
        except BudgetExhausted:
            return False

    def _explore_compiled(self, problem: Problem, budget: Budget) -> Answer:
        shared = self._shared([problem])
        statistics = measure("explicit")
        with noting(lambda: f"after {shared.size} markings"):
            for _, answer in self._found([problem], shared, budget):
                return answer
        cost = statistics(0, shared.size)
        if shared.exhausted:
            return Unknown(_TOO_LARGE.format(shared.size), _PROVER, cost)
        return Unknown(_TOO_MANY.format(shared.size), _MORE, cost)

    def _explore_all(
        self, problem: Problem, exploration: Exploration, budget: Budget
    ) -> Certificate | MarkingTable | None:
        """A certificate of all markings; the target may have been met instead."""
        started = time.monotonic()
        exploration.run(self.markings)
        if exploration.found is not None or not exploration.exhausted:
            return None
        seconds = max(LEAST, SHARE * (time.monotonic() - started))
        rows = exploration.visited.rows[: exploration.visited.size]
        certificate = _shorter(problem, rows, self._most(problem.net), budget, seconds)
        return certificate or tabled(problem.net.places, rows)

    def _most(self, net: Net) -> int:
        """How many markings a certificate may list so that its audit stays short."""
        work = max(1, len(net.places)) * max(1, len(net.transitions))
        return min(self.listed, max(1, AUDITED // work))


def _shorter(
    problem: Problem, rows: Rows, most: int, budget: Budget, seconds: float
) -> Certificate | None:
    """A certificate that is no table of all these markings, where one is found in the time.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    limits = budget.within(seconds)
    try:
        certificate = hull(problem, rows, limits)
        return certificate or projected(problem, most, AGAIN * len(rows), limits)
    except BudgetExhausted:
        budget.check()
        return None


_TOO_LARGE = "certificate too large: none of {} markings is in the target, but no proof fits a file"
_PROVER = "another engine may prove it"
_TOO_MANY = "{} markings were met without an end"
_MORE = "raise the option markings, or try another engine"
