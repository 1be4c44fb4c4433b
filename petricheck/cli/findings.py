"""What `decide` found, for `prose` and `record` to tell."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from petricheck.answer import Answer, Reachable, Unknown, Unreachable
from petricheck.budget import Budget
from petricheck.certificates import write_evidence
from petricheck.check import Checker
from petricheck.cli.options import Question
from petricheck.errors import Ending, PetricheckError
from petricheck.formats import NetFile
from petricheck.problem import Problem
from petricheck.result import Result

INTERRUPTED = Unknown("interrupted", ending=Ending.INTERRUPTED)
"""The answer where the user stopped the search."""


@dataclass(frozen=True, slots=True)
class Findings:
    """All there is to tell.

    Attributes:
        file: the net.
        question: what was asked.
        result: what was found.
        evidence: the file that holds the evidence; None where there is none.
        page: the file that holds the page; None where there is none.
    """

    file: NetFile
    question: Question
    result: Result
    evidence: str | None = None
    page: str | None = None


def decided(checker: Checker, problem: Problem, budget: Budget) -> Result:
    """What the checker finds; a result also where the user stops it."""
    started = time.process_time()
    try:
        return checker.check(problem, budget)
    except KeyboardInterrupt:
        used = time.process_time() - started
        return Result(problem, INTERRUPTED, "", checker.name, budget.elapsed, used)


def keep_evidence(findings: Findings, path: str | None) -> tuple[Findings, PetricheckError | None]:
    """Write the evidence of a verdict; a failure is returned, since the verdict stands."""
    answer = findings.result.answer
    if path is None or isinstance(answer, Unknown):
        return findings, None
    try:
        write_evidence(path, findings.file.sha256, findings.result.problem, answer)
    except PetricheckError as error:
        return findings, error
    return replace(findings, evidence=path), None


def verdict(answer: Answer) -> str:
    """The verdict's word."""
    match answer:
        case Reachable():
            return "reachable"
        case Unreachable():
            return "unreachable"
        case Unknown():
            return "unknown"
