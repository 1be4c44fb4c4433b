"""What there is to tell of a question, and the files that are written of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from petricheck.answer import Unknown
from petricheck.certificates import write_evidence
from petricheck.claim_files import Claimed, plain, write_claims
from petricheck.errors import PetricheckError
from petricheck.formats import NetFile
from petricheck.questions import Finding, Question


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, as the command has it.

    Attributes:
        question: what is to be answered; or why it is not.
        name: the id of the property; empty of the only question of a command.
        negated: whether the property is true where the target is unreachable.
        evidence: the file that is to hold the evidence; None where none is wanted.
    """

    question: Question | Unknown
    name: str = ""
    negated: bool = False
    evidence: str | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """What there is to tell of a question.

    Attributes:
        asked: the question.
        file: the net.
        result: what was found; or why it was not even looked for.
        evidence: the file that holds the evidence; None where there is none.
        page: the file that holds the page; None where there is none.
    """

    asked: Asked
    file: NetFile
    result: Finding | Unknown
    evidence: str | None = None
    page: str | None = None

    @property
    def unknown(self) -> Unknown | None:
        """Why there is no answer; None where there is one."""
        return self.result if isinstance(self.result, Unknown) else self.result.unknown

    @property
    def holds(self) -> bool | None:
        """Whether the property is true; None where that is open, or it is none."""
        match self.result:
            case Finding(conclusion=conclusion) if isinstance(conclusion.value, bool):
                return conclusion.value is not self.asked.negated
            case _:
                return None

    @property
    def is_property(self) -> bool:
        """Whether the question is a property that is true or false."""
        question = self.asked.question
        target = isinstance(question, Unknown) or question.target is not None
        return bool(self.asked.name) and target


def keep_evidence(told: Told) -> tuple[Told, PetricheckError | None]:
    """Write the evidence where it is wanted; a failure is returned, since the answer stands."""
    path, finding = told.asked.evidence, told.result
    if path is None or isinstance(finding, Unknown):
        return told, None
    if finding.question.target is not None and not finding.claims:
        return told, None
    try:
        _write(path, told.file, finding)
    except PetricheckError as error:
        return told, error
    return replace(told, evidence=path), None


def _write(path: str, file: NetFile, finding: Finding) -> None:
    answer = None if finding.question.target is None else finding.answer
    if answer is None or isinstance(answer, Unknown):
        write_claims(path, claimed(finding, file))
    else:
        write_evidence(path, file.sha256, finding.problem, answer)


def claimed(finding: Finding, file: NetFile) -> Claimed:
    """What a file of claims says of a finding."""
    question = finding.question
    facts: Mapping[str, Any] = plain(finding.conclusion.facts)
    return Claimed(file.net.name, file.sha256, question.kind, question.text, facts, finding.claims)
