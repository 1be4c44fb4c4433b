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
from dataclasses import dataclass, field
from typing import ClassVar

from petricheck.answer import (
    Answer,
    Certificate,
    MarkingTable,
    Reachable,
    Statistics,
    Unknown,
    Unreachable,
    joined,
)
from petricheck.budget import MEBIBYTE, Budget
from petricheck.errors import BudgetExhausted
from petricheck.kernel.explore import Exploration as SharedExploration
from petricheck.problem import Net, Problem
from petricheck.state_space.arcs import Rows
from petricheck.state_space.exploration import Exploration
from petricheck.state_space.hull import hull
from petricheck.state_space.listing import listing
from petricheck.state_space.projection import markings, projected
from petricheck.state_space.table import sealed, tabled

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

    markings: int = field(default=5_000_000, metadata={"help": "most markings to explore"})
    memory: int = field(default=1024, metadata={"help": "most memory for them, in MiB"})
    listed: int = field(
        default=10_000, metadata={"help": "most markings that a certificate may list"}
    )

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Explore until the target is met or no marking is left."""
        started = time.monotonic()
        exploration = Exploration(problem, budget, self.memory)

        def statistics() -> Statistics:
            size = exploration.visited.size
            return Statistics("explicit", 0, size, time.monotonic() - started)

        try:
            certificate = self._explore(problem, exploration, budget)
        except BudgetExhausted as error:
            error.add_note(f"after {exploration.visited.size} markings")
            raise
        if exploration.found is not None:
            return Reachable(exploration.trace(exploration.found), statistics())
        if certificate is not None:
            return Unreachable(certificate, statistics())
        if exploration.exhausted:
            return Unknown(_TOO_LARGE.format(exploration.visited.size), _PROVER, statistics())
        return Unknown(_TOO_MANY.format(exploration.visited.size), _MORE, statistics())

    def solve_together(
        self, problems: Sequence[Problem], budget: Budget
    ) -> Iterator[tuple[int, Reachable | Unreachable]]:
        """Explore once, watched by all targets; prove those that are open where it ends.

        Raises:
            BudgetExhausted: time or memory ran out, with some targets open.
        """
        started = time.monotonic()
        net = problems[0].net
        shared = SharedExploration(net, [p.target for p in problems], self.memory * MEBIBYTE)

        def statistics() -> Statistics:
            return Statistics("explicit", 0, shared.size, time.monotonic() - started)

        while shared.open and not shared.exhausted:
            budget.check()
            budget.report(f"{shared.size} markings, {len(shared.open)} targets open")
            if shared.full or shared.overflowed or shared.size > self.markings:
                return
            for met in shared.run(_TOGETHER):
                trace = joined(((number, 1) for number in met.trace), net.actions)
                yield met.target, Reachable(trace, statistics())
        for number, certificate in self._proofs(problems, shared, budget):
            yield number, Unreachable(certificate, statistics())

    def _proofs(
        self, problems: Sequence[Problem], shared: SharedExploration, budget: Budget
    ) -> Iterator[tuple[int, Certificate | MarkingTable]]:
        """One certificate for each target that no marking is in."""
        if not shared.open:
            return
        net = problems[0].net
        table = sealed(
            tuple(zip(net.places, shared.layout.bits.tolist(), strict=True)), shared.words.T
        )
        rows = shared.markings(0, shared.size) if shared.words.size <= _FEW else None
        for number in shared.open:
            seconds = min(LEAST, budget.remaining * SHARE / len(shared.open))
            shorter = None
            if rows is not None:
                shorter = _shorter(problems[number], rows, self._most(net), budget, seconds)
            certificate = shorter or table
            if certificate is not None:
                yield number, certificate

    def _explore(
        self, problem: Problem, exploration: Exploration, budget: Budget
    ) -> Certificate | MarkingTable | None:
        """A certificate where one is found; the target may have been met instead."""
        most = self._most(problem.net)
        exploration.run(min(FIRST, self.markings))
        if exploration.found is not None:
            return None
        if exploration.exhausted and exploration.visited.size <= most:
            return listing(problem, markings(exploration))
        certificate = projected(problem, most, PROJECTED, budget)
        if certificate is not None:
            return certificate
        started = time.monotonic()
        exploration.run(self.markings)
        if exploration.found is not None or not exploration.exhausted:
            return None
        spent = time.monotonic() - started
        rows = exploration.visited.rows[: exploration.visited.size]
        certificate = _shorter(problem, rows, most, budget, max(LEAST, SHARE * spent))
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
