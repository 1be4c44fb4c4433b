"""Several engines, one question: the cheap proofs first, then all in a race.

First each of the `sweep` engines gets a short slice in this process, so that a small question is
answered without starting another one. Then the `members` that have not given up race in processes
of their own, `jobs` at a time and taking turns; the first answer whose evidence passes the audit
wins, and the others are killed. An answer that fails the audit is no answer: its engine is named in
the reason, should no other engine decide.

Which engine wins may depend on the machine's load; one engine, named, repeats exactly.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial

from petricheck import plugins
from petricheck.answer import Answer, Unknown
from petricheck.audit import audit
from petricheck.budget import Budget
from petricheck.engines import Engine
from petricheck.errors import BudgetExhausted, EvidenceError
from petricheck.problem import Problem
from petricheck.race import Entrant, Failed, Finished, race


@dataclass(frozen=True)
class Portfolio:
    """Cheap proofs first, then all engines in a race; the first audited answer wins."""

    sweep: tuple[str, ...] = field(
        default=("state_equation:0.5", "directed_search:0.1", "cegar:0.5"),
        metadata={"help": "engines to try first, in this process, each with its seconds"},
    )
    members: tuple[str, ...] = field(
        default=(
            "directed_search", "cegar", "state_equation", "coverability", "explicit", "random_walk",
        ),
        metadata={"help": "engines that race, in the order of their first turn"},
    )  # fmt: skip
    jobs: int = field(default=2, metadata={"help": "how many engines run at a time"})
    turn: float = field(default=4.0, metadata={"help": "seconds until a waiting engine goes on"})

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Sweep, then race."""
        reasons: dict[str, str] = {}
        for entry in self.sweep:
            name, _, seconds = entry.partition(":")
            try:
                answer = _slice(name, problem, budget, float(seconds or "inf"))
            except BudgetExhausted:
                budget.check()
                continue
            if not isinstance(answer, Unknown):
                return answer
            reasons[name] = answer.reason
            budget.report(f"{name} gave up: {answer.reason}")
        return self._race(problem, budget, reasons)

    def _race(self, problem: Problem, budget: Budget, reasons: dict[str, str]) -> Answer:
        limits = replace(budget, report=_nobody)
        entrants = [Entrant(name, partial(_member, name, problem, limits)) for name in self.members]
        try:
            outcomes = race(entrants, jobs=max(1, self.jobs), turn=self.turn, budget=budget)
            with closing(outcomes):
                for outcome in outcomes:
                    match outcome:
                        case Finished(name, Unknown(reason)) | Failed(name, reason):
                            reasons[name] = reason
                            budget.report(f"{name} gave up: {reason}")
                        case Finished(name, answer):
                            refused = _refused(problem, answer, budget)
                            if not refused:
                                return answer
                            reasons[name] = refused
        except BudgetExhausted as error:
            for name, reason in reasons.items():
                error.add_note(f"{name}: {reason}")
            raise
        summary = "; ".join(f"{name}: {reason}" for name, reason in reasons.items())
        return Unknown(f"no engine decides it ({summary})", "allow more time or memory")


def _slice(name: str, problem: Problem, budget: Budget, seconds: float) -> Answer:
    """What the engine answers within its slice; Unknown where it gives up before the slice ends.

    Raises:
        BudgetExhausted: the slice, or the budget itself, is used up.
    """
    engine: Engine = plugins.build("engines", name)
    limit = replace(
        budget,
        seconds=budget.elapsed + min(seconds, budget.remaining),
        report=lambda text: budget.report(f"{name}: {text}"),
    )
    answer = engine.solve(problem, limit)
    refused = "" if isinstance(answer, Unknown) else _refused(problem, answer, budget)
    return Unknown(refused) if refused else answer


def _refused(problem: Problem, answer: Answer, budget: Budget) -> str:
    """Why the audit refuses the evidence; empty where it does not."""
    assert not isinstance(answer, Unknown)
    try:
        audit(problem, answer, budget=budget)
    except EvidenceError as error:
        return f"internal error: its evidence failed the audit: {error}"
    return ""


def _member(name: str, problem: Problem, budget: Budget, report: object) -> Answer:
    assert callable(report)
    engine: Engine = plugins.build("engines", name)
    return engine.solve(problem, replace(budget, report=report, memory=None))


def _nobody(_: str) -> None:
    """The race reports instead."""
