"""Reductions: a smaller problem with the same verdict, and the way back for its evidence.

A rewrite is a value with one method, `apply(problem)`: a step to a smaller problem, or None where
it finds nothing. One file each. A step knows how evidence about the smaller net becomes evidence
about the larger one, so whatever an engine proves is audited on the net that was asked about, and
nothing of a reduction has to be trusted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from petricheck import plugins
from petricheck.answer import Answer, Certificate, Hints, Reachable, Trace, Unreachable
from petricheck.budget import Budget
from petricheck.presburger.formulas import FALSE, TRUE, Disjunction, evaluate
from petricheck.problem import Problem

ORDER = (
    "dead_transitions",
    "constant_places",
    "cone_of_influence",
    "redundant_places",
    "parallel_places",
    "duplicate_transitions",
    "agglomeration",
)
"""All rewrites; those come first that make the others cheaper."""

ROUNDS = 50
"""How often the rewrites take turns at most."""

GAIN = 100
"""They stop before, once all together remove less than this part of a net."""


class Step(Protocol):
    """One rewrite, applied."""

    @property
    def after(self) -> Problem:
        """The smaller problem; it has the same verdict."""

    @property
    def count(self) -> int:
        """How many places and transitions were removed."""

    def lift(self, answer: Answer) -> Answer | None:
        """The answer about the larger problem; None where its evidence cannot be lifted."""


class Rewrite(Protocol):
    """The frame of every member of this family."""

    def apply(self, problem: Problem) -> Step | None:
        """A step to a smaller problem, or None where there is nothing to do."""


@dataclass(frozen=True, slots=True)
class Reduced:
    """A problem, made smaller.

    Attributes:
        problem: the smaller problem.
        steps: what led to it, in order.
        applied: names of the rewrites that found something, each with the sum of its counts.
    """

    problem: Problem
    steps: tuple[Step, ...]
    applied: tuple[tuple[str, int], ...]

    def decided(self) -> Answer | None:
        """The answer about the smaller problem where it needs no engine: nothing is left to ask.

        The smaller net may have no places or no transitions, which engines need not expect.
        """
        net, target = self.problem.net, self.problem.target
        if evaluate(target, net.values(net.initial)):
            return Reachable(Trace(()))
        if target == FALSE:
            row = (0,) * len(net.transitions)
            return Unreachable(Certificate(Disjunction((TRUE,)), Hints((row,), ())))
        return None

    def lift(self, answer: Answer) -> Answer | None:
        """The answer about the input problem, with evidence about the input net.

        None where a step cannot lift this kind of evidence; the unreduced problem is then to be
        decided. An answer `Unknown` stays what it is.
        """
        lifted: Answer | None = answer
        for step in reversed(self.steps):
            lifted = None if lifted is None else step.lift(lifted)
        return lifted


def reduce(problem: Problem, budget: Budget, rewrites: Sequence[str] = ORDER) -> Reduced:
    """Apply the rewrites in turns until none finds anything.

    Raises:
        BudgetExhausted: time or memory ran out.
        QueryError: there is no such rewrite.
    """
    members: list[tuple[str, Rewrite]] = [(n, plugins.build("reductions", n)) for n in rewrites]
    steps: list[Step] = []
    counts: dict[str, int] = {}
    for _ in range(ROUNDS):
        before = _size(problem)
        for name, rewrite in members:
            budget.check()
            step = rewrite.apply(problem)
            if step is not None:
                problem = step.after
                steps.append(step)
                counts[name] = counts.get(name, 0) + step.count
                budget.report(_progress(problem))
        if _size(problem) == before or (before - _size(problem)) * GAIN < before:
            break
    return Reduced(problem, tuple(steps), tuple(counts.items()))


def _size(problem: Problem) -> int:
    return len(problem.net.places) + len(problem.net.transitions)


def _progress(problem: Problem) -> str:
    net = problem.net
    return f"reduced to {len(net.places)} places and {len(net.transitions)} transitions"
