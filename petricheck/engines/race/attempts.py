"""Attempts of engines at one question in one process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import TypeVar

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.engines import Engine, Selective, isolated, solve_with
from petricheck.engines.race.record import End, Record, refused
from petricheck.evidence.answer import Answer, Reachable, Unknown, Unreachable
from petricheck.model.problem import Problem
from petricheck.support import plugins
from petricheck.support.budget import Budget, Event, Turn
from petricheck.support.errors import BudgetExhausted, Ending, QueryError, Refused

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Attempt:
    """An engine with its seconds.

    Attributes:
        engine: its name, maybe with options.
        seconds: its time.
        patience: it does not try for less time than this, in seconds.
    """

    engine: str
    seconds: float
    patience: float = 0.0


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


def try_in_turn(
    problem: Problem,
    attempts: Sequence[Attempt],
    budget: Budget,
    record: Record,
    accept: Callable[[Reachable | Unreachable], Result],
) -> Result | None:
    """Run one engine after the other, each for its seconds, in this process.

    Args:
        problem: the question.
        attempts: the engines; those that ended before are skipped.
        budget: limits on all together.
        record: receives how the engines ended, and which facts they learnt.
        accept: makes the result from an answer with evidence, or raises `Refused`.

    Raises:
        BudgetExhausted: time or memory ran out.
    """

    def watch(event: Event) -> None:
        record.note(event)
        budget.watch(event)

    for attempt in attempts:
        name, slice_ = attempt.engine, min(attempt.seconds, budget.remaining)
        if name in record.ends:
            continue
        limits = budget.of(name).within(slice_)
        limits.watch(Event("", turn=Turn.STARTS))
        with isolated(name, watch), budget.tolerate_overruns():
            try:
                answer = solve(name, problem, limits, record.facts)
                if not isinstance(answer, Unknown):
                    return accept(answer)
                record.facts += answer.learnt
                # Short of time an engine may give up what it would not otherwise.
                if limits.remaining >= 0.1 * slice_:
                    record.ends[name] = End(answer.reason, answer.ending, answer.hint)
            except Refused as refusal:
                record.ends[name] = refused(refusal)
            if name in record.ends:
                budget.watch(Event(record.ends[name].reason, name, Turn.GAVE_UP))
        if name not in record.ends:
            limits.watch(Event("", turn=Turn.WAITS))
    return None


def solve(name: str, problem: Problem, budget: Budget, facts: Sequence[Formula]) -> Answer:
    """Return the engine's answer, `Unknown` at a limit of its own; an `Informed` one gets facts.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    engine: Engine = plugins.build("engines", name)
    if isinstance(engine, Selective) and (reason := engine.unfit(problem)):
        return Unknown(reason, ending=Ending.NOT_APPLICABLE)
    try:
        return solve_with(engine, problem, budget, facts)
    except BudgetExhausted as limit:
        if limit.ending is not Ending.GAVE_UP:
            raise
        return Unknown(str(limit), ending=limit.ending)
