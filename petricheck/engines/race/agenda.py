"""Several questions about one net: which of them are open, and results made from answers."""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic

from petricheck.engines import Check, Checked
from petricheck.engines.reductions import Reduced
from petricheck.evidence.answer import Answer, Reachable, Unreachable
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.errors import NotLifted


@dataclass(frozen=True)
class Agenda(Generic[Checked]):
    """Several questions, and which of them are decided; forked processes share this.

    Attributes:
        problems: the questions, about one net.
        check: makes the result from an answer with evidence.
        space: as in `Budget`, of each process.
    """

    problems: Sequence[Problem]
    check: Check[Checked]
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
    def open(self) -> tuple[int, ...]:
        """Numbers of the questions that are open."""
        return tuple(filter(self.is_open, range(len(self.problems))))

    def is_open(self, number: int) -> bool:
        """Return whether the question of this number is open."""
        return not self._decided[number]

    def close(self, number: int) -> None:
        """Mark the question of this number as decided."""
        self._decided[number] = 1

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
