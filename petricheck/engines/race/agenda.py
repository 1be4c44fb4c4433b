"""The questions of a race: which of them are open, and how the engines ended on each so far."""

from __future__ import annotations

import mmap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.engines import Check, Checked
from petricheck.engines.race.record import Record
from petricheck.engines.reductions import Reduced
from petricheck.evidence.answer import Answer, Reachable, Unreachable
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget, Event
from petricheck.support.errors import NotLifted


@dataclass(frozen=True)
class Agenda(Generic[Checked]):
    """Questions about one net; forked processes share which of them are decided.

    Attributes:
        problems: the questions.
        check: audits an answer with evidence, and makes the result from it.
        records: how the engines ended on each question, on the net as it is.
        space: as in `Budget`, of each process.
    """

    problems: Sequence[Problem]
    check: Check[Checked]
    records: Sequence[Record]
    space: int | None = None
    _decided: mmap.mmap = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Make all questions open."""
        object.__setattr__(self, "_decided", mmap.mmap(-1, max(1, len(self.problems))))

    @property
    def net(self) -> Net:
        """The net of the questions."""
        return self.problems[0].net

    @property
    def targets(self) -> Mapping[int, Formula]:
        """The targets of the open questions, by number."""
        return {number: self.problems[number].target for number in self.open}

    @property
    def open(self) -> tuple[int, ...]:
        """Numbers of the questions that are open."""
        return tuple(filter(self.is_open, range(len(self.problems))))

    def is_open(self, number: int) -> bool:
        """Return whether the question of this number is open."""
        return not self._decided[number]

    def close(self, number: int) -> None:
        """Mark the question of this number as decided."""
        self._decided[number] = 1

    def note(self, event: Event) -> None:
        """Store what the event says of an engine; of several questions it says nothing of each."""
        if len(self.records) == 1:
            self.records[0].note(event)

    def result(self, number: int, way: Reduced, answer: Answer, budget: Budget) -> Checked:
        """Return the audited result of an answer about the smaller problem.

        Raises:
            NotLifted: the evidence cannot be lifted.
            Refused: it is not accepted.
            BudgetExhausted: time or memory ran out.
        """
        lifted = way.lift(answer) if way.steps else answer
        if not isinstance(lifted, Reachable | Unreachable):
            raise NotLifted
        return self.check(number, lifted, budget)
