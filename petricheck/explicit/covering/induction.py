"""Clauses that exclude what covers a target, learnt by induction.

Kloos, Majumdar, Niksic, Piskac: Incremental, inductive coverability (2013): property-directed
reachability for upward-closed targets, without a solver. An *obligation* is a row, all markings
above which lead above the target. If a transition leads from the frame below above the row, the
least marking before is the next obligation. If none does, a clause excludes the row, and as many
markings besides as possible: what the reasons need of the row, and of that one place or token less
as long as none leads there. Clauses are moved up as far as they are inductive. Where a frame keeps
none for itself, those above are an inductive invariant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count

from petricheck.evidence.audit.invariants.upward import Row
from petricheck.explicit.covering.frames import ClauseFrames
from petricheck.explicit.covering.loops.entries import CEILING, OPEN
from petricheck.model.net import Net, Weights
from petricheck.support.budget import Budget
from petricheck.support.words import counted

_REPORTED = 1 << 10
"""Obligations after which there is news again."""


@dataclass(frozen=True, slots=True)
class CoverObligation:
    """A row, and the transition and obligation to which it leads; None where it is the target."""

    row: Row
    step: tuple[int, CoverObligation] | None = None

    def transitions(self) -> list[int]:
        """Return the transitions that lead from any marking above the row above the target."""
        numbers, rest = [], self
        while rest.step is not None:
            number, rest = rest.step
            numbers.append(number)
        return numbers


@dataclass(frozen=True, slots=True)
class ClauseProof:
    """Clauses that together with ceilings are inductive, by their elements, and the ceilings."""

    elements: tuple[Row, ...]
    ceilings: tuple[Weights, ...]


class Induction:
    """The search, which goes on after a limit where it was.

    Attributes:
        obligations: number of obligations so far.
    """

    def __init__(self, net: Net, targets: Sequence[Row], ceilings: Sequence[Weights]) -> None:
        """Prepare a search for what excludes all markings above any of these rows."""
        self._net, self._targets, self._given = net, targets, ceilings
        self._frames = ClauseFrames(net, ceilings)
        self._queue: list[tuple[int, int, CoverObligation]] = []
        self._numbers = count(0, -1)  # Of obligations at a level, the last one comes first.
        self._last = self.obligations = 0
        self._deepen()

    def run(self, budget: Budget) -> ClauseProof | list[int]:
        """Return the clauses, or transitions that lead above a row of the target.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        while True:
            if (trace := self._exclude(budget)) is not None:
                return trace
            if (level := self._move_up(budget)) is not None:
                return self._proof(level)
            self._deepen()

    def _deepen(self) -> None:
        """Begin a frame, from which the rows of the target are to be excluded."""
        self._last += 1
        for row in self._targets:
            self._queue_up(self._last, CoverObligation(row))

    def _exclude(self, budget: Budget) -> list[int] | None:
        """Exclude all obligations; return the transitions where that is impossible."""
        frames, queue = self._frames, self._queue
        while queue:
            budget.check()
            level, _, obligation = heappop(queue)
            row = obligation.row
            if self._is_initial(row):
                return obligation.transitions()
            if frames.reason(row, level) != OPEN:
                continue
            self.obligations += 1
            if self.obligations % _REPORTED == 0:
                budget.report(f"frame {self._last}: {counted(self.obligations, 'obligation')}")
            entry = frames.entry(row, level - 1)
            if isinstance(entry, int):
                before = CoverObligation(self._before(row, entry), (entry, obligation))
                self._queue_up(level - 1, before)
                self._queue_up(level, obligation)
            else:
                level = self._forbid(row, entry, level)
                if level < self._last:
                    self._queue_up(level + 1, obligation)
        return None

    def _queue_up(self, level: int, obligation: CoverObligation) -> None:
        heappush(self._queue, (level, next(self._numbers), obligation))

    def _forbid(self, row: Row, needed: Row, level: int) -> int:
        """Exclude the row, and more, from frames up to one that is as high as possible."""
        wide = self._generalised(row, needed, level - 1)
        while level < self._last and not isinstance(self._frames.entry(wide, level), int):
            level += 1
        self._frames.forbid(wide, level)
        return level

    def _generalised(self, row: Row, needed: Row, level: int) -> Row:
        """Return a part of the row that is not entered either, and not above the initial marking.

        Of each place all tokens are left out, or else one.
        """
        row = self._outside(needed, row)
        for place in sorted(row, key=row.__getitem__, reverse=True):
            for tokens in dict.fromkeys((0, row[place] - 1)) if place in row else ():
                smaller = {p: n for p, n in (row | {place: tokens}).items() if n}
                if self._is_initial(smaller):
                    continue
                entry = self._frames.entry(smaller, level)
                if not isinstance(entry, int):
                    row = self._outside(entry, smaller)
                    break
        return row

    def _outside(self, part: Row, row: Row) -> Row:
        """Return the part, with one more place of the row where it is below the initial marking."""
        if not self._is_initial(part):
            return part
        initial = self._net.initial
        place = next(place for place, tokens in row.items() if tokens > initial[place])
        return part | {place: initial[place] + 1}

    def _move_up(self, budget: Budget) -> int | None:
        """Move clauses up where they hold; return the level of a frame that keeps none."""
        frames = self._frames
        levels = frames.levels()
        for level in range(1, self._last + 1):
            stay = False
            for clause in (levels == level).nonzero()[0].tolist():
                budget.check()
                if isinstance(frames.entry(frames.element(clause), level), int):
                    stay = True
                else:
                    frames.lift(clause, level + 1)
            if not stay:
                return level
            levels = frames.levels()
        return None

    def _proof(self, level: int) -> ClauseProof:
        """Return those clauses of the frame that are needed, from the target backwards."""
        frames, needed = self._frames, dict[int, None]()
        pending = [frames.reason(row, level) for row in self._targets]
        while pending:
            reason = pending.pop()
            if reason not in needed:
                needed[reason] = None
                if reason >= 0:
                    frames.entry(frames.element(reason), level)
                    pending += frames.reasons()
        elements = tuple(frames.element(reason) for reason in needed if reason >= 0)
        ceilings = tuple(self._given[CEILING - reason] for reason in needed if reason < 0)
        return ClauseProof(elements, ceilings)

    def _before(self, row: Row, transition: int) -> Row:
        """Return the least marking from which the transition leads above the row."""
        action = self._net.transitions[transition]
        before, effect = dict(action.pre), dict(action.effect)
        for place, tokens in row.items():
            least = tokens - effect.get(place, 0)
            if least > before.get(place, 0):
                before[place] = least
        return before

    def _is_initial(self, row: Row) -> bool:
        return all(self._net.initial[place] >= tokens for place, tokens in row.items())
