"""How what was found is told: in words, in one word, as JSON, or as the contest asks for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from petricheck.answer import Unknown
from petricheck.claims import Excluded, Pumped, Reached
from petricheck.cli.ids import shown_id
from petricheck.cli.outcomes import Status
from petricheck.cli.reports import Report
from petricheck.cli.terminal import complain, say, say_verdict
from petricheck.explanation.text import Style
from petricheck.questions import UNBOUNDED, UNKNOWN, Finding
from petricheck.questions.report import report_lines
from petricheck.words import printable

_TECHNIQUES = {Reached: "TRACE", Excluded: "INVARIANT", Pumped: "REPEATED_LOOP"}
"""What the contest is told of how claims answer a question that no engine answers alone."""


class Form:
    """A way to tell."""

    def tell(self, report: Report) -> None:
        """All there is to tell."""
        raise NotImplementedError

    def tell_briefly(self, report: Report, late: Unknown) -> None:
        """The answer, where a limit came before the whole report."""
        self.tell(report)

    def tell_late(self, report: Report) -> None:
        """What is proved when the search is ended: as much as can be told at once."""
        self.tell(report)

    def tell_unread(self, unknown: Unknown) -> None:
        """That there was no time to read what is asked."""
        raise NotImplementedError

    def finish(self, words: Counter[str]) -> None:
        """What is told after all of several questions, of which so many have each `word_of`."""


def tell_unread(form: Form, unknown: Unknown) -> Status:
    """Tell that the time was over before it was known what is asked."""
    form.tell_unread(unknown)
    return Status.UNKNOWN


class Word(Form):
    """The answer in a few words."""

    def tell(self, report: Report) -> None:
        """After the id of a property."""
        say_verdict(_word(report), before=_named(report))

    def tell_unread(self, unknown: Unknown) -> None:
        """That it is unknown."""
        say_verdict(UNKNOWN)


class Contest(Form):
    """The lines that the Model Checking Contest asks for; reasons go to the standard error."""

    def tell(self, report: Report) -> None:
        """FORMULA, the id and the answer."""
        name, value = shown_id(report.subject.name), _contest_value(report)
        if value:
            say(f"FORMULA {name} {value} TECHNIQUES {' '.join(_techniques(report))} AUDITED")
            return
        say(f"FORMULA {name} CANNOT_COMPUTE")
        partial = report.result.conclusion.partial if isinstance(report.result, Finding) else ""
        reasons = "" if report.unknown is None else one_line(report.unknown.reason)
        complain(": ".join(filter(None, (name, partial, reasons))))

    def tell_unread(self, unknown: Unknown) -> None:
        """That nothing could be computed."""
        say("CANNOT_COMPUTE")
        complain(unknown.reason)


@dataclass(frozen=True, slots=True)
class Text(Form):
    """A report for people; after several questions how many have which answer.

    Attributes:
        style: what of the evidence is shown whole.
        verbose: whether the target and the number of states are told too.
    """

    style: Style
    verbose: bool

    def tell(self, report: Report) -> None:
        """The report; of a property a paragraph."""
        self._tell(report, claims=True)

    def tell_late(self, report: Report) -> None:
        """The report without the evidence."""
        self._tell(report, claims=False)

    def tell_briefly(self, report: Report, late: Unknown) -> None:
        """The answer, and that its evidence was checked."""
        assert isinstance(report.result, Finding)
        remark = f"Its evidence passed the audit; {late.reason}: no report."
        _say((_word(report), *report.result.conclusion.details, remark), _named(report))

    def tell_unread(self, unknown: Unknown) -> None:
        """Why it is unknown."""
        hint = f"\nHint: {unknown.hint}." if unknown.hint else ""
        say_verdict(UNKNOWN, f": {unknown.reason}{hint}")

    def finish(self, words: Counter[str]) -> None:
        """Of several properties, how many are true."""
        if words.total() > 1:
            listed = ("true", "false", "answered", UNKNOWN)
            parts = [f"{words[word]} {word}" for word in listed if words[word]]
            say(f"{words.total()} properties: {', '.join(parts)}.")

    def _tell(self, report: Report, *, claims: bool) -> None:
        before, files = _named(report), tuple(_files(report))
        if isinstance(report.result, Unknown):
            say_verdict(UNKNOWN, f": {one_line(report.result.reason)}\n", before=before)
            return
        headline, *rest = report_lines(
            report.result, self.style, verbose=self.verbose, claims=claims, files=files
        )
        if report.is_property and report.holds is not None:
            _say((_word(report), *rest, ""), before, _meaning(report))
        else:
            _say((headline, *rest, *([""] if before else [])), before)


def _files(report: Report) -> Iterator[str]:
    """Which files were written."""
    if report.evidence is not None:
        yield f"The evidence is in {printable(report.evidence)}."
    if report.page is not None:
        yield f"The page is {printable(report.page)}."


def word_of(report: Report) -> str:
    """What a question is counted as: true, false, answered or unknown."""
    if report.is_property:
        return _word(report)
    return UNKNOWN if report.unknown is not None else "answered"


def one_line(reason: str) -> str:
    """A reason, which may have a line for each engine, on one line."""
    return "; ".join(map(printable, reason.split("\n")))


def _say(report: Iterable[str], before: str = "", after: str = "") -> None:
    """Tell lines, the first in colour up to its colon, with what stands before and after that."""
    first, *rest = report
    word, colon, reason = first.partition(": ")
    tail = "".join(f"\n{line}" for line in rest)
    say_verdict(word, f"{after}{colon}{reason}{tail}", before=before)


def _named(report: Report) -> str:
    return f"{shown_id(report.subject.name)}: " if report.subject.name else ""


def _word(report: Report) -> str:
    if report.is_property:
        return {True: "true", False: "false", None: UNKNOWN}[report.holds]
    return UNKNOWN if isinstance(report.result, Unknown) else report.result.headline


def _meaning(report: Report) -> str:
    """What the truth of a property means for the reachable markings."""
    assert isinstance(report.result, Finding)
    what = "violates" if report.subject.negated else "satisfies"
    marking = "a marking" if report.result.value else "no marking"
    return f", {marking} that {what} it is reachable"


def _contest_value(report: Report) -> str:
    """The number, infinity, or truth that was asked for; empty where it is unknown."""
    if isinstance(report.result, Unknown):
        return ""
    match report.holds if report.is_property else report.result.value:
        case None:
            return ""
        case value if value == UNBOUNDED:
            return "+inf"
        case value:
            return str(value).upper()


def _techniques(report: Report) -> Iterator[str]:
    assert isinstance(report.result, Finding)
    if report.result.decider:
        yield report.result.decider.upper()
    else:
        yield from sorted({_TECHNIQUES[type(claim)] for claim in report.result.claims})
