"""The report of a question, and the file of its evidence."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from petricheck.commands.shell.exit_status import Status
from petricheck.commands.shell.terminal import complain
from petricheck.evidence.answer import Unknown
from petricheck.formats.language.quantifier import HOLDS, Quantifier
from petricheck.formats.nets import NetFile
from petricheck.questions import Finding, Question, Value
from petricheck.support.errors import Ending, QueryError
from petricheck.support.words import is_printable, printable


@dataclass(frozen=True, slots=True)
class NamedQuestion:
    """A question with its name and its file of evidence.

    Attributes:
        question: what is to be answered; or why it is refused.
        name: the id of the property; empty for the only question of a command.
        quantifier: of a property that holds or is violated; None for another question.
        expected: any other answer is a failure; None for no expectation.
        evidence: the file for the evidence; None for none.
    """

    question: Question | Unknown
    name: str = ""
    quantifier: Quantifier | None = None
    expected: Value | None = None
    evidence: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The report of a question.

    Attributes:
        subject: the question.
        result: the finding; or why there was no search.
        file: the net; None where it is not read.
        evidence: the file that contains the evidence; None where there is none.
        page: the file that contains the page; None where there is none.
        graph: the file that contains the graph of markings; None where there is none.
    """

    subject: NamedQuestion
    result: Finding | Unknown
    file: NetFile | None
    evidence: str | None = None
    page: str | None = None
    graph: str | None = None

    @property
    def name(self) -> str:
        """The id of the property, as one word; empty where there is none."""
        return self.subject.name and one_word(self.subject.name)

    @property
    def unknown(self) -> Unknown | None:
        """The reason why there is no answer; None where there is one."""
        return self.result if isinstance(self.result, Unknown) else self.result.unknown

    @property
    def failures(self) -> tuple[str, ...]:
        """The faults that ended an engine or a search while others went on."""
        return () if isinstance(self.result, Unknown) else self.result.failures

    @property
    def holds(self) -> bool | None:
        """Return whether the property holds; None where that is open, or for no property."""
        quantifier = self.subject.quantifier
        if quantifier is None or isinstance(self.result, Unknown):
            return None
        return quantifier.holds(self.result.value)

    @property
    def is_property(self) -> bool:
        """Return whether the question is a property that holds or is violated, or is refused."""
        refused = bool(self.subject.name) and isinstance(self.subject.question, Unknown)
        return refused or self.subject.quantifier is not None

    @property
    def is_refused(self) -> bool:
        """Return whether the property is no question about the net, all of whose colours count."""
        known = self.file is not None and self.file.colours != "none"
        return known and isinstance(self.subject.question, Unknown)


def is_word(name: str) -> bool:
    """Return whether an id is a single printable word, which needs no quotes in a line."""
    return bool(name) and is_printable(name) and " " not in name and '"' not in name


def one_word(name: str) -> str:
    """Return the id on one line, in double quotes where it is not one word."""
    return name if is_word(name) else printable(json.dumps(name, ensure_ascii=False))


def save_evidence(report: Report) -> Report:
    """Write the evidence if a file is named for it; where that fails, the answer stands."""
    path, finding, file = report.subject.evidence, report.result, report.file
    if path is None or file is None or isinstance(finding, Unknown):
        return report
    if not finding.claims and finding.value is None:
        return report
    # Not at the top: most runs write none.
    from petricheck.evidence.files import write_evidence
    from petricheck.questions.verification import evidence_of

    write_evidence(path, file.net, evidence_of(finding, file.sha256))
    return replace(report, evidence=path)


def expected_answer(question: Question, text: str | None) -> Value | None:
    """Return the answer that is expected; QueryError where the question has no such answer."""
    if text is None:
        return None
    try:
        value = question.answers.read(text)
    except QueryError as error:
        raise QueryError(f"--expect: {error.message}, not {text!r}") from None
    if value is None:
        raise QueryError("--expect: name an answer; without an answer the exit status is 1")
    return value


def check_expected(finding: Finding, expected: Value | None, name: str = "") -> Status:
    """Return the exit status of an answer; report that another one was expected, or to hold."""
    if expected is None or finding.value == expected:
        return Status.DECIDED
    words = finding.conclusion.answers.describe(expected)
    complain(f"{name}: {HOLDS} was expected" if name else f"{words} was expected")
    return Status.UNKNOWN if finding.value is None else Status.CONTRADICTED


def status_of(report: Report) -> Status:
    """Return the exit status of a question; of several the highest counts."""
    if isinstance(report.result, Finding) and report.unknown is None:
        return check_expected(report.result, report.subject.expected, report.name)
    if report.is_refused and report.subject.expected is not None:
        return Status.USAGE
    interrupted = report.unknown is not None and report.unknown.ending is Ending.INTERRUPTED
    if interrupted:
        return Status.INTERRUPTED
    return Status.REJECTED if report.failures else Status.UNKNOWN
