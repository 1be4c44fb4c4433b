"""What there is to tell of a question, and the files that are written of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from petricheck.answer import Unknown
from petricheck.errors import PetricheckError, QueryError
from petricheck.formats import NetFile
from petricheck.questions import Finding, Question, Value


@dataclass(frozen=True, slots=True)
class NamedQuestion:
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
class Report:
    """What there is to tell of a question.

    Attributes:
        subject: the question.
        file: the net.
        result: the finding; or why it was not even looked for.
        evidence: the file that holds the evidence; None where there is none.
        page: the file that holds the page; None where there is none.
    """

    subject: NamedQuestion
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
                return conclusion.value is not self.subject.negated
            case _:
                return None

    @property
    def is_property(self) -> bool:
        """Whether the question is a property that is true or false."""
        question = self.subject.question
        target = isinstance(question, Unknown) or question.target is not None
        return bool(self.subject.name) and target


def keep_evidence(report: Report) -> tuple[Report, PetricheckError | None]:
    """Write the evidence where it is wanted; a failure is returned, since the answer stands."""
    path, finding = report.subject.evidence, report.result
    if path is None or isinstance(finding, Unknown):
        return report, None
    if not finding.claims and finding.value is None:
        return report, None
    # Not at the top: most runs write none.
    from petricheck.evidence import write_evidence
    from petricheck.questions.verification import evidence_of

    try:
        write_evidence(path, report.file.net, evidence_of(finding, report.file.sha256))
    except PetricheckError as error:
        return report, error
    return replace(report, evidence=path), None


def expected_answer(question: Question, text: str | None) -> Value | None:
    """The answer that is expected.

    Raises:
        QueryError: the question has no such answer.
    """
    if text is None:
        return None
    try:
        value = question.answers.read(text)
    except QueryError as error:
        raise QueryError(f"--expect: {error.message}, not {text!r}") from None
    if value is None:
        raise QueryError("--expect: name an answer; the exit status tells where there is none")
    return value
