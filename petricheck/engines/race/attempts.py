"""Attempts of engines in one process, and the record of how they ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import TypeVar

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.engines import Engine, Informed, isolated
from petricheck.evidence.answer import Answer, Reachable, Unknown, Unreachable
from petricheck.evidence.audit import audit
from petricheck.model.problem import Problem
from petricheck.support import plugins
from petricheck.support.budget import Budget, Event, Turn
from petricheck.support.errors import (
    BudgetExhausted,
    Ending,
    EvidenceError,
    InternalError,
    QueryError,
    Refused,
    show_traceback,
)

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Attempt:
    """An engine with its seconds."""

    engine: str
    seconds: float


def read_attempt(entry: str, otherwise: float = 1.0) -> Attempt:
    """Return an entry of an option that names engines with seconds; NAME may have options.

    Raises:
        QueryError: it is not NAME or NAME:SECONDS.
    """
    name, _, text = entry.rpartition(":")
    if not name or "=" in text:
        return Attempt(entry, otherwise)
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < inf:
        raise QueryError(f"{entry!r} is not NAME or NAME:SECONDS")
    return Attempt(name, seconds)


class Record:
    """The record of how the engines ended so far.

    Attributes:
        reasons: why engines gave up, or failed, by name.
        facts: the facts that they had learnt.
    """

    def __init__(self, budget: Budget) -> None:
        self.reasons: dict[str, str] = {}
        self.facts: tuple[Formula, ...] = ()
        self._endings: dict[str, Ending] = {}
        self._failed: set[str] = set()
        self._is_contradicted = False
        self._hints: dict[str, None] = {}
        self._latest: dict[str, str] = {}
        self._budget = budget

    @property
    def ending(self) -> Ending:
        """The common ending of the engines that gave up, or `GAVE_UP` where they differ."""
        endings = set(self._endings.values())
        return endings.pop() if len(endings) == 1 else Ending.GAVE_UP

    def watch(self, event: Event) -> None:
        """Pass the event on, and store an engine's last message, or why it gave up or failed."""
        if event.turn is Turn.GAVE_UP:
            self.reasons.setdefault(event.engine, event.text)
        if event.turn is Turn.FAILED:
            self.reasons[event.engine] = f"failed: {event.text}"
            self._endings[event.engine] = Ending.FAILED
            self._failed.add(event.engine)
        if event.turn is None:
            self._latest[event.engine] = event.text
        else:
            self._latest.setdefault(event.engine, "")
        self._budget.watch(event)

    def learn(self, facts: tuple[Formula, ...]) -> None:
        """Add facts for the engines that run later."""
        self.facts += facts

    def gave_up(self, name: str, reason: str, ending: Ending, hint: str = "") -> None:
        """Record that an engine ended without an answer."""
        self.reasons[name] = reason
        self._endings[name] = ending
        if hint:
            self._hints[hint] = None
        self._budget.watch(Event(reason, name, Turn.GAVE_UP))

    def refuse(self, name: str, refusal: Refused) -> None:
        """Record that the evidence of an engine is no answer."""
        self._is_contradicted |= refusal.is_false
        self.gave_up(name, str(refusal), Ending.FAILED)

    def unknown(self, names: Sequence[str], headline: str, ending: Ending) -> Unknown:
        """Return the headline, and a line for each engine.

        Raises:
            InternalError: no engine is to blame for less than a fault of the program: all failed,
                or the evidence of one failed the audit.
        """
        lines = [f"{name}: {self._end_of(name)}" for name in dict.fromkeys((*names, *self._failed))]
        able = {name for name in names if self._endings.get(name) is not Ending.NOT_APPLICABLE}
        if self._is_contradicted or (self._failed and able <= self._failed):
            raise InternalError("\n".join([headline, *lines]))
        if len(self.reasons) == len(names) and self._hints:
            hint = "; ".join(self._hints)
        else:
            hint = "allow more time or memory, or name an engine and set its options"
        return Unknown("\n".join([headline, *lines]), hint, ending=ending)

    def _end_of(self, name: str) -> str:
        if name in self.reasons:
            return self.reasons[name].replace("\n", " ")
        if name not in self._latest:
            return "had no turn"
        return ", ".join(filter(None, ("no result yet", self._latest[name])))


def sweep(
    problem: Problem,
    attempts: Sequence[Attempt],
    budget: Budget,
    record: Record,
    accept: Callable[[Reachable | Unreachable], Result],
) -> Result | None:
    """Run one engine after the other, each for its seconds, in this process.

    Args:
        problem: the question.
        attempts: the engines; those that gave up before are skipped.
        budget: limits on all together.
        record: receives which engines gave up, and which facts they learnt.
        accept: makes the result from an answer with evidence, or raises `Refused`.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    for attempt in attempts:
        name, slice_ = attempt.engine, min(attempt.seconds, budget.remaining)
        if name in record.reasons:
            continue
        limits = budget.of(name).within(slice_)
        limits.watch(Event("", turn=Turn.STARTS))
        with isolated(name, record.watch), budget.tolerate_overruns():
            try:
                answer = solve(name, problem, limits, record.facts)
                if not isinstance(answer, Unknown):
                    return accept(answer)
                record.learn(answer.learnt)
                # Short of time an engine may give up what it would not otherwise.
                if limits.remaining >= 0.1 * slice_:
                    record.gave_up(name, answer.reason, answer.ending, answer.hint)
            except Refused as refusal:
                record.refuse(name, refusal)
        if name not in record.reasons:
            limits.watch(Event("", turn=Turn.WAITS))
    return None


def solve(name: str, problem: Problem, budget: Budget, facts: Sequence[Formula]) -> Answer:
    """Return the engine's answer; an `Informed` engine also receives the facts.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    engine: Engine = plugins.build("engines", name)
    if facts and isinstance(engine, Informed):
        return engine.solve_informed(problem, budget, facts)
    return engine.solve(problem, budget)


def audited(problem: Problem, answer: Answer, budget: Budget) -> Answer:
    """Return the answer, whose evidence the audit has accepted.

    Raises:
        Refused: the audit rejects it, or has come to no end.
        BudgetExhausted: time or memory ran out.
    """
    assert not isinstance(answer, Unknown)
    try:
        audit(problem, answer, budget=budget)
    except EvidenceError as error:
        if isinstance(error.__cause__, BudgetExhausted):
            budget.check()
            raise Refused(f"its evidence was not audited to the end: {error.__cause__}") from error
        show_traceback(error)
        failure = f"internal error: its evidence failed the audit: {error}"
        raise Refused(failure, is_false=True) from error
    return answer
