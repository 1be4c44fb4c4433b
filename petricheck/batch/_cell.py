"""One cell of the bench: a question under a configuration, decided in this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from petricheck.answer import Answer, Reachable, Unknown, Unreachable
from petricheck.batch.index import Question, question_formula
from petricheck.budget import Budget
from petricheck.check import Result, check
from petricheck.errors import InputError
from petricheck.formats import read_net
from petricheck.problem import make_problem

Status: TypeAlias = Literal["decided", "unknown", "timeout", "error"]


@dataclass(frozen=True, slots=True)
class Cell:
    """What is asked of a process.

    Attributes:
        question: the question.
        engine: name of the engine.
        options: the engine's options as text.
        seconds: the limit, counted from the parsed problem.
    """

    question: Question
    engine: str
    options: tuple[tuple[str, str], ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Measurement:
    """What came of a cell; None is a number that nobody could take.

    Attributes:
        status: decided (an audited verdict), unknown (the engine gave up), timeout, or error.
        verdict: reachable, unreachable or unknown.
        audit: how the evidence was checked; empty without a verdict.
        reason: why there is no verdict; empty with one.
        error: the kind of error, a class of Python or how the process died; else empty.
        refinements: the engine's iterations.
        states: the engine's states.
        cpu_seconds: of the process, from the parsed problem to the audited answer.
        seconds: wall time of the same.
        memory: peak resident bytes of the process.
    """

    status: Status
    verdict: str = "unknown"
    audit: str = ""
    reason: str = ""
    error: str = ""
    refinements: int | None = None
    states: int | None = None
    cpu_seconds: float | None = None
    seconds: float | None = None
    memory: int | None = None


def measure(cell: Cell, started: Callable[[], None]) -> Measurement:
    """Decide a cell; whatever goes wrong becomes part of the measurement.

    Args:
        cell: the cell.
        started: called when the problem is parsed and the clock starts.
    """
    try:
        net = read_net(cell.question.net).net
        problem = make_problem(net, question_formula(cell.question, net))
        started()
        budget = Budget(seconds=cell.seconds)
        result = check(problem, engine=cell.engine, options=dict(cell.options), budget=budget)
        return _measurement(result, budget)
    except Exception as error:
        return Measurement("error", reason=_reason(error), error=type(error).__name__)


def _measurement(result: Result, budget: Budget) -> Measurement:
    status, verdict, reason = _outcome(result.answer, budget)
    statistics = result.answer.statistics
    counted = statistics.engine != ""  # an engine that was interrupted reports nothing
    return Measurement(
        status,
        verdict,
        audit=result.audit,
        reason=reason,
        refinements=statistics.iterations if counted else None,
        states=statistics.states if counted else None,
        cpu_seconds=result.cpu_seconds,
        seconds=result.seconds,
    )


def _outcome(answer: Answer, budget: Budget) -> tuple[Status, str, str]:
    match answer:
        case Reachable():
            return "decided", "reachable", ""
        case Unreachable():
            return "decided", "unreachable", ""
        case Unknown(reason):
            return "timeout" if budget.remaining == 0.0 else "unknown", "unknown", reason


def _reason(error: Exception) -> str:
    """The error's text; of a path only the name, since tables are read elsewhere."""
    if isinstance(error, InputError):
        where = [Path(error.path).name] if error.path else []
        where += [] if error.line is None else [f"line {error.line}"]
        return ": ".join([*where, error.message])
    return str(error) or type(error).__name__
