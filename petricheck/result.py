"""What a question comes to: the answer, and how it was found and checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from petricheck.answer import Answer
from petricheck.engines import decided_by
from petricheck.markup import note
from petricheck.problem import Problem
from petricheck.words import printable


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """An answer that has passed the audit.

    Attributes:
        problem: the question.
        answer: the verdict with its evidence, or why there is none.
        audit: how the evidence was checked; empty for `Unknown`.
        engine: name of the engine that was asked.
        seconds: wall time, audit included.
        cpu_seconds: CPU time of this process and of those it started, audit included.
    """

    problem: Problem
    answer: Answer
    audit: str
    engine: str
    seconds: float
    cpu_seconds: float

    @property
    def decider(self) -> str:
        """Name of the engine that gave the answer, one of a portfolio's too; or `reductions`."""
        return self.answer.statistics.engine or self.engine

    # Explanations are imported where one is shown: most programs show none.

    def __str__(self) -> str:
        from petricheck.explanation.notebook import answer_lines

        return "\n".join((*answer_lines(self.problem, self.answer), *self._remarks()))

    def __repr__(self) -> str:
        return f"<Result {self.answer!r}, {self.seconds:.3f} s>"

    def _repr_html_(self) -> str:
        from petricheck.explanation.notebook import answer_html

        return answer_html(self.problem, self.answer) + "".join(map(note, self._remarks()))

    def _remarks(self) -> Iterator[str]:
        if self.audit:
            yield f"Audit: {printable(self.audit)}."
        yield f"{self.seconds:.3f} s ({decided_by(self.decider)})."
