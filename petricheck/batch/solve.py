"""A cell, decided in this process; whatever goes wrong becomes its outcome."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from petricheck.answer import Unknown
from petricheck.batch.cells import Cell, Outcome, Status
from petricheck.batch.questions.index import question_about
from petricheck.budget import Budget
from petricheck.errors import Ending, InputError, PetricheckError, QueryError
from petricheck.evidence import evidence_data
from petricheck.formats import NetFile, read_net
from petricheck.presburger.text import to_text
from petricheck.questions import Finding, Question, check
from petricheck.questions.verification import evidence_of

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
        question = question_about(cell.question, file.net)
        tell(Started(time.process_time(), _shown(question)))
        configuration = cell.configuration
        finding = check(
            question,
            engine=configuration.engine,
            options=dict(configuration.options),
            budget=Budget(seconds=cell.limits.seconds, memory=cell.limits.memory),
        )
        tell(Answered())
        return _outcome(finding, file)
    except MemoryError:
        return Outcome("memory", reason="memory ran out")
    except Exception as error:
        return Outcome("error", reason=_reason(error), error=type(error).__name__)


def _outcome(finding: Finding, file: NetFile) -> Outcome:
    """The answer as the verdict; otherwise what is proved of it within the limits."""
    evidence, lost = _evidence(finding, file)
    statistics, unknown = finding.statistics, finding.unknown
    counted = statistics.engine != ""  # an engine that was interrupted reports nothing
    return Outcome(
        "decided" if unknown is None else _ended(unknown),
        finding.headline,
        finding.value,
        engine=finding.decider if unknown is None else "",
        audit=finding.audit,
        reason=lost if unknown is None else unknown.reason,
        iterations=statistics.iterations if counted else None,
        states=statistics.states if counted else None,
        cpu_seconds=finding.cpu_seconds,
        seconds=finding.seconds,
        evidence=evidence,
    )


def _ended(unknown: Unknown) -> Status:
    match unknown.ending:
        case Ending.MEMORY:
            return "memory"
        case Ending.TIME:
            return "timeout"
        case _:
            return "unknown"


def _evidence(finding: Finding, file: NetFile) -> tuple[bytes, str]:
    """The claims as a file's bytes; or why there are none, since what is proved stands."""
    if not finding.claims:
        return b"", ""
    try:
        evidence = evidence_of(finding, file.sha256)
        return evidence_data("evidence.json", file.net, evidence), ""
    except PetricheckError as error:
        return b"", f"the evidence was checked and could not be kept: {error}"


def _shown(question: Question) -> str:
    if question.target is None:
        return ""
    try:
        text = to_text(question.target)
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
