"""A cell, decided in this process; whatever goes wrong becomes its outcome."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from petricheck.analyses import Analysed, Study, Value
from petricheck.analyses import run as analyse
from petricheck.answer import Answer, Reachable, Unknown, Unreachable
from petricheck.batch.cells import Cell, Outcome, Status
from petricheck.batch.questions.index import VERDICTS, question_formula, question_words
from petricheck.budget import Budget
from petricheck.certificates.json import Json
from petricheck.check import check
from petricheck.claim_files import claims_data
from petricheck.errors import Ending, InputError, PetricheckError, QueryError
from petricheck.formats import NetFile, read_net
from petricheck.presburger.text import to_text
from petricheck.problem import Problem, make_problem

LONGEST = 10_000
"""Characters of a question's formula that are kept."""


@dataclass(frozen=True, slots=True)
class Started:
    """The problem is parsed, and the clock starts.

    Attributes:
        cpu_seconds: that parsing took.
        target: the question as a formula, cut where it is very long; empty where it is none.
    """

    cpu_seconds: float
    target: str


@dataclass(frozen=True, slots=True)
class Answered:
    """There is a result, and the clock stops; the outcome follows."""


def decide(cell: Cell, tell: Callable[[Started | Answered], None]) -> Outcome:
    """Decide the cell.

    Args:
        cell: the cell.
        tell: receives how far it is.
    """
    try:
        file = read_net(cell.question.net)
        if cell.question.analysed:
            return _by_analysis(cell, question_words(cell.question, file.net), file, tell)
        problem = make_problem(file.net, question_formula(cell.question, file.net))
        shown = _shown(problem)
        tell(Started(time.process_time(), shown))
        return _by_engine(cell, problem, file, tell)
    except MemoryError:
        return Outcome("memory", reason="memory ran out")
    except Exception as error:
        return Outcome("error", reason=_reason(error), error=type(error).__name__)


def _by_engine(
    cell: Cell, problem: Problem, file: NetFile, tell: Callable[[Answered], None]
) -> Outcome:
    configuration = cell.configuration
    result = check(
        problem,
        engine=configuration.engine,
        options=dict(configuration.options),
        budget=_budget(cell),
    )
    tell(Answered())
    evidence, lost = _evidence(problem, file.sha256, result.answer)
    status, value, reason = _judged(result.answer)
    statistics = result.answer.statistics
    counted = statistics.engine != ""  # an engine that was interrupted reports nothing
    return Outcome(
        status,
        VERDICTS.tell(value),
        value,
        engine=result.decider if status == "decided" else "",
        audit=result.audit,
        reason=reason or lost,
        iterations=statistics.iterations if counted else None,
        states=statistics.states if counted else None,
        cpu_seconds=result.cpu_seconds,
        seconds=result.seconds,
        evidence=evidence,
    )


def _by_analysis(
    cell: Cell, text: str, file: NetFile, tell: Callable[[Started | Answered], None]
) -> Outcome:
    """The complete answer as the verdict; otherwise what is proved of it within the limits."""
    configuration = cell.configuration
    tell(Started(time.process_time(), ""))
    options = dict(configuration.options)
    study = Study(file.net, configuration.engine, options, _budget(cell))
    found = analyse(cell.question.kind, text, study)
    tell(Answered())
    evidence, lost = _kept(file, found)
    return Outcome(
        "decided" if found.unknown is None else _ended(found.unknown),
        found.finding.headline,
        found.finding.value,
        audit="; ".join(dict.fromkeys(found.audits)),
        reason=lost if found.unknown is None else found.unknown.reason,
        evidence=evidence,
    )


def _budget(cell: Cell) -> Budget:
    return Budget(seconds=cell.limits.seconds, memory=cell.limits.memory)


def _judged(answer: Answer) -> tuple[Status, Value | None, str]:
    match answer:
        case Reachable():
            return "decided", True, ""
        case Unreachable():
            return "decided", False, ""
        case Unknown(reason):
            return _ended(answer), None, reason


def _ended(unknown: Unknown) -> Status:
    match unknown.ending:
        case Ending.MEMORY:
            return "memory"
        case Ending.TIME:
            return "timeout"
        case _:
            return "unknown"


def _evidence(problem: Problem, sha256: str, answer: Answer) -> tuple[bytes, str]:
    """The evidence as a file's bytes; or why there is none, since the audited verdict stands."""
    if isinstance(answer, Unknown):
        return b"", ""
    return _written(lambda: Json().write(problem, sha256, answer))


def _kept(file: NetFile, found: Analysed) -> tuple[bytes, str]:
    """The claims as a file's bytes; or why there are none, since what is proved stands."""
    if not found.claims:
        return b"", ""
    return _written(lambda: claims_data(found.claimed(file.net.name, file.sha256)))


def _written(write: Callable[[], bytes]) -> tuple[bytes, str]:
    try:
        return write(), ""
    except PetricheckError as error:
        return b"", f"the evidence was checked and could not be kept: {error}"


def _shown(problem: Problem) -> str:
    try:
        text = to_text(problem.target)
    except ValueError:  # Python prints no number of over 4300 digits
        return "(a formula with numbers too long to be shown)"
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _reason(error: Exception) -> str:
    """The error's text; of a path only the name, since reports are read elsewhere."""
    if isinstance(error, InputError):
        where = [Path(error.path).name] if error.path else []
        where += [] if error.line is None else [f"line {error.line}"]
        return ": ".join([*where, error.message])
    if isinstance(error, QueryError):
        return error.message  # Where it stumbled takes lines of its own to be shown.
    return str(error) or type(error).__name__
