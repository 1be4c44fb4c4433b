"""What `decide` found, for `prose` and `record` to tell."""

from __future__ import annotations

from dataclasses import dataclass, replace

from petricheck.answer import Answer, Reachable, Unknown, Unreachable
from petricheck.certificates import write_evidence
from petricheck.check import Result
from petricheck.cli.options import Question
from petricheck.errors import Ending, PetricheckError
from petricheck.formats import NetFile
from petricheck.presburger.formulas import Formula
from petricheck.presburger.text import name_to_text, printable, to_text

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
    """

    file: NetFile
    question: Question
    result: Result
    evidence: str | None = None


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


def formula_text(formula: Formula) -> str:
    """The formula as text, or why it has none: Python prints no number of over 4300 digits."""
    try:
        return to_text(formula)
    except ValueError:
        return "(a formula with numbers too long to be shown)"


def shown_formula(formula: Formula) -> str:
    """The formula for people, on one line whatever its names hold."""
    return printable(formula_text(formula))


def shown_name(name: str) -> str:
    """The name for people, on one line and quoted where it has to be."""
    return printable(name_to_text(name))


def number_text(value: int) -> str:
    """The number in decimal, or in hexadecimal where Python refuses to print that many digits."""
    try:
        return str(value)
    except ValueError:
        return hex(value)


def counted(number: int, noun: str) -> str:
    """The number with its noun, in the plural where that is due."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
