"""Deciding a cell in this process; every failure becomes its outcome."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from petricheck.arithmetic.formulas.text import to_text
from petricheck.batch.cells import Cell, CellLimits, CellOutcome, Status
from petricheck.batch.questions.index import file_of, question_about
from petricheck.evidence.answer import Unknown
from petricheck.evidence.files import evidence_data
from petricheck.formats.nets import NetFile
from petricheck.questions import Finding, Question, check
from petricheck.questions.verification import evidence_of
from petricheck.support.budget import Budget
from petricheck.support.errors import (
    BudgetExhausted,
    Ending,
    InputError,
    PetricheckError,
    QueryError,
    show_traceback,
)
from petricheck.support.processes.limits import TaskStage

LONGEST = 10_000
"""Characters of a question's formula that are kept."""


FILES = 60.0
"""Seconds for reading a question before the clock of the cell starts, and for writing its evidence
after it has stopped."""

GRACE = 1.0
"""Seconds beyond a limit after which an engine is killed: it knows the limit too."""


def filing(what: str, target: str = "") -> TaskStage:
    """Return the stage of a cell in which files are read or written."""
    return TaskStage(FILES, f"{what} took more than {FILES:g} s", memory=math.inf, subject=target)


def deciding(limits: CellLimits, target: str) -> TaskStage:
    """Return the stage of a cell that its limits are for; its subject is what is asked."""
    return TaskStage(
        limits.seconds + GRACE,
        f"killed {GRACE:g} s after the time limit of {limits.seconds:g} s",
        limits.cpu_seconds,
        f"killed at the CPU limit of {limits.cpu_seconds or math.inf:g} s",
        math.inf if limits.memory is None else limits.memory,
        target,
    )


def decide(cell: Cell, begin: Callable[[TaskStage], None]) -> CellOutcome:
    """Decide the cell; `begin` is told of each stage but the first when it begins."""
    target = ""
    try:
        file = file_of(cell.question)
        question = question_about(cell.question, file.net)
        target = _description(question)
        begin(deciding(cell.limits, target))
        configuration = cell.configuration
        finding = check(
            question,
            engine=configuration.engine,
            options=dict(configuration.options),
            budget=Budget(seconds=cell.limits.seconds, memory=cell.limits.memory),
            earlier=cell.earlier,
        )
        begin(filing("writing the evidence", target))
        return replace(_outcome(finding, file), target=target)
    except BudgetExhausted as error:
        unknown = Unknown(str(error), ending=error.ending)
        return CellOutcome(_ended(unknown), reason=unknown.reason, target=target)
    except MemoryError:
        return CellOutcome("memory", reason="memory ran out", target=target)
    except Exception as error:
        show_traceback(error)
        kind = type(error).__name__
        return CellOutcome("error", reason=_reason(error), error=kind, target=target)


def _outcome(finding: Finding, file: NetFile) -> CellOutcome:
    """Return the answer as the verdict; otherwise what is proved of it within the limits."""
    evidence, lost = _evidence(finding, file)
    statistics, unknown = finding.statistics, finding.unknown
    counted = statistics.engine != ""  # an engine that was interrupted reports nothing
    return CellOutcome(
        "decided" if unknown is None else _ended(unknown),
        finding.headline,
        finding.value,
        engine=finding.decider if unknown is None else "",
        audit=finding.audit,
        reason=lost if unknown is None else unknown.reason,
        iterations=statistics.iterations if counted else None,
        states=statistics.states if counted else None,
        predicates=statistics.predicates,
        interpolation=statistics.interpolation,
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
    """Return the claims as a file's bytes; or why there are none, since what is proved stands."""
    if not finding.claims:
        return b"", ""
    try:
        evidence = evidence_of(finding, file.sha256)
        return evidence_data("evidence.json", file.net, evidence), ""
    except PetricheckError as error:
        return b"", f"the evidence was checked and could not be kept: {error}"


def _description(question: Question) -> str:
    target = question.shown_target
    if target is None:
        return ""
    initials = question.net.initials
    try:
        text = to_text(target)
        if initials is not None and initials.asked:
            text = (
                f"{text}, where initially {to_text(question.net.shown.formula(initials.formula))}"
            )
    except ValueError:  # Python prints no number of over 4300 digits
        return "(a formula with numbers too long to be shown)"
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _reason(error: Exception) -> str:
    """Return the error's text; of a path only the name, since reports are read elsewhere."""
    if isinstance(error, InputError):
        location = [Path(error.path).name] if error.path else []
        location += [] if error.line is None else [f"line {error.line}"]
        return ": ".join([*location, error.message])
    if isinstance(error, QueryError):
        return error.message  # Where it stumbled takes lines of its own to be shown.
    return str(error) or type(error).__name__
