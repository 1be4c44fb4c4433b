"""Attempts of engines in one process, and the record of how they ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import TypeVar

from petricheck import plugins
from petricheck.answer import Answer, Reachable, Unknown, Unreachable
from petricheck.audit import audit
from petricheck.budget import Budget, Event, Turn
from petricheck.engines import Engine, Informed, Refused
from petricheck.errors import BudgetExhausted, Ending, EvidenceError, QueryError
from petricheck.presburger.formulas import Formula
from petricheck.problem import Problem

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
        reasons: why engines gave up, by name.
        facts: the facts that they had learnt.
    """

    def __init__(self, budget: Budget) -> None:
        self.reasons: dict[str, str] = {}
        self.facts: tuple[Formula, ...] = ()
        self._endings: set[Ending] = set()
        self._hints: dict[str, None] = {}
        self._latest: dict[str, str] = {}
        self._budget = budget

    @property
    def ending(self) -> Ending:
        """The common ending of the engines that gave up, or `GAVE_UP` where they differ."""
        return next(iter(self._endings)) if len(self._endings) == 1 else Ending.GAVE_UP

    def watch(self, event: Event) -> None:
        """Pass the event on, and store an engine's last message, or why it gave up."""
        if event.turn is Turn.GAVE_UP:
            self.reasons.setdefault(event.engine, event.text)
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
        self._endings.add(ending)
        if hint:
            self._hints[hint] = None
        self._budget.watch(Event(reason, name, Turn.GAVE_UP))

    def unknown(self, names: Sequence[str], headline: str, ending: Ending) -> Unknown:
        """Return the headline, and a line for each engine."""
        lines = [f"{name}: {self._end_of(name)}" for name in names]
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
        try:
            answer = solve(name, problem, limits, record.facts)
            if not isinstance(answer, Unknown):
                return accept(answer)
            record.learn(answer.learnt)
            # Short of time an engine may give up what it would not otherwise.
            if limits.remaining >= 0.1 * slice_:
                record.gave_up(name, answer.reason, answer.ending, answer.hint)
                continue
        except Refused as refusal:
            record.gave_up(name, str(refusal), Ending.FAILED)
            continue
        except BudgetExhausted:
            budget.check()
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


def refused(problem: Problem, answer: Answer, budget: Budget) -> str:
    """Return the reason why the audit rejects the evidence, or "" where it accepts it.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    assert not isinstance(answer, Unknown)
    try:
        audit(problem, answer, budget=budget)
    except EvidenceError as error:
        if isinstance(error.__cause__, BudgetExhausted):
            budget.check()
            return f"its evidence was not audited to the end: {error.__cause__}"
        return f"internal error: its evidence failed the audit: {error}"
    return ""
