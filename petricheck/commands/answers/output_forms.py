"""Forms of output: as text, as one word, as JSON, or as the contest requires it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from petricheck.commands.answers.reports import NamedQuestion, Report, status_of
from petricheck.commands.answers.request import Request
from petricheck.commands.shell.exit_status import Status
from petricheck.commands.shell.files import size_text
from petricheck.commands.shell.terminal import complain, say, say_verdict
from petricheck.evidence.answer import Unknown
from petricheck.evidence.claims import presentation_of
from petricheck.formats.language.quantifier import HOLDS, VIOLATED, Quantifier
from petricheck.formats.nets import NetFile
from petricheck.questions import UNBOUNDED, UNKNOWN, Finding, Question
from petricheck.reports.explanation.text import Style
from petricheck.reports.report import report_lines
from petricheck.support.words import printable

_NUMBERS = {
    "STATES": "markings",
    "TRANSITIONS": "firings",
    "MAX_TOKEN_PER_MARKING": "tokens_in_marking",
    "MAX_TOKEN_IN_PLACE": "tokens_in_place",
}
"""The names of the contest for facts about a state space, and ours."""

REFUSED = "refused"
"""The word for a property that is no question about its net."""


class Form:
    """A form of output for answers."""

    def write(self, report: Report) -> None:
        """Print the whole report."""
        raise NotImplementedError

    def write_cutoff(self, report: Report, limit: str = "") -> None:
        """Print what can be printed at once, where a limit ends the command.

        Args:
            report: what is proved by then.
            limit: the limit that prevents the full report; empty where the search was ended.
        """
        self.write(report)

    def finish(self) -> None:
        """Print the summary after all questions."""

    def status(self, report: Report) -> Status:
        """Return the exit status of the command after this report."""
        return status_of(report)


def form_of(request: Request) -> Form:
    """Return the form that the options choose."""
    if request.mcc:
        return Contest()
    if request.as_json:
        return Json()
    if request.quiet:
        return Headline()
    return Text(Style(request.trace, request.invariant), request.verbose)


def write_unread(form: Form, unknown: Unknown, file: NetFile | None = None) -> Status:
    """Report that the time was over before the question was read.

    A coloured net is being unfolded then: the reason gets its size.
    """
    if file is not None and (size := size_text(file)):
        unknown = replace(unknown, reason=f"{unknown.reason} while the net was unfolded, {size}")
    form.write_cutoff(Report(NamedQuestion(unknown), unknown, None))
    return Status.UNKNOWN


class Headline(Form):
    """The answer in a few words."""

    def write(self, report: Report) -> None:
        """Print the answer, after the id of a property."""
        say_verdict(_word(report), before=_before(report), tone=_tone(report))


class Contest(Form):
    """The lines of the Model Checking Contest; reasons go to the standard error."""

    def write(self, report: Report) -> None:
        """Print FORMULA, the id and the answer; the numbers of a state space."""
        result, name = report.result, report.name
        if isinstance(result, Finding) and (answers := _contest_answers(report, result)):
            for answer in answers:
                say(f"{answer} TECHNIQUES {' '.join(_techniques(result))} AUDITED")
            return
        is_formula = name and not _is_space(report)
        say(f"FORMULA {name} CANNOT_COMPUTE" if is_formula else "CANNOT_COMPUTE")
        partial = "" if isinstance(result, Unknown) else result.conclusion.partial
        reason = "" if report.unknown is None else one_line(report.unknown.reason)
        complain(": ".join(filter(None, (name, partial, reason))))


class Json(Form):
    """JSON: one object, or one object a line where there may be several questions."""

    def write(self, report: Report) -> None:
        """Print the object."""
        from petricheck.commands.answers.json_answer import (  # what most runs print needs none
            json_lines,
            record,
        )

        fields = record(report)
        say(json.dumps(fields) if report.name or report.file is None else json_lines(fields))

    def write_cutoff(self, report: Report, limit: str = "") -> None:
        """Print only the reason where nothing is proved: targets may be long, questions many."""
        from petricheck.commands.answers.json_answer import conclusion_fields, named_fields
        from petricheck.model.node_names import with_names

        result = report.result
        if limit and isinstance(result, Finding):
            fields = named_fields(report) | conclusion_fields(result)
            fields |= {"evidence": None, "report": limit}
            say(json.dumps(with_names(result.question.net.shown, fields)))
            return
        nothing = isinstance(result, Finding) and not result.claims
        unknown = report.unknown if nothing else None
        self.write(report if unknown is None else replace(report, result=unknown))


class Text(Form):
    """A report for people; after several questions the number of each answer."""

    def __init__(self, style: Style, verbose: bool) -> None:
        """Store the style; a verbose report contains the target and the number of states."""
        self._style, self._verbose = style, verbose
        self._counts = Counter[str]()

    def write(self, report: Report) -> None:
        """Print the report; for a property, a paragraph."""
        answer = "answered" if report.unknown is None else UNKNOWN
        word = _word(report) if report.is_property else answer
        self._counts[{HOLDS: "hold"}.get(word, word)] += 1
        self._write_report(report, claims=True)

    def write_cutoff(self, report: Report, limit: str = "") -> None:
        """Print the report without its evidence; after the audit, just the answer."""
        if limit and isinstance(report.result, Finding):
            remark = f"Its evidence passed the audit; {limit}: no report."
            lines = (_word(report), *report.result.conclusion.details, remark)
            _say_lines(lines, _before(report), tone=_tone(report))
        else:
            self._write_report(report, claims=False)

    def finish(self) -> None:
        """Print how many of several properties hold."""
        total = self._counts.total()
        if total > 1:
            listed = ("hold", VIOLATED, "answered", UNKNOWN, REFUSED)
            parts = [f"{self._counts[word]} {word}" for word in listed if self._counts[word]]
            say(f"{total} properties: {', '.join(parts)}.")

    def _write_report(self, report: Report, *, claims: bool) -> None:
        before, result = _before(report), report.result
        if isinstance(result, Unknown):
            hint = [f"Hint: {result.hint}."] if result.hint else []
            lines: Iterable[str] = (f"{_word(report)}: {one_line(result.reason)}", *hint)
        else:
            style, files = self._style, tuple(_files(report))
            lines = report_lines(result, style, verbose=self._verbose, claims=claims, files=files)
        after = ""
        if isinstance(result, Finding) and report.holds is not None:
            _, *details = lines
            lines, after = (_word(report), *details), _meaning(report, result)
        _say_lines((*lines, *([""] if before else [])), before, after, _tone(report))


def _files(report: Report) -> Iterator[str]:
    """Yield a line for each file that was written."""
    if report.evidence is not None:
        yield f"The evidence is in {printable(report.evidence)}."
    if report.page is not None:
        yield f"The page is {printable(report.page)}."
    if report.graph is not None:
        yield f"The graph is in {printable(report.graph)}."


def one_line(reason: str) -> str:
    """Return a reason, which may have a line for each engine, in one line."""
    return "; ".join(map(printable, reason.split("\n")))


def _say_lines(lines: Iterable[str], before: str, after: str = "", tone: str = "") -> None:
    """Print lines: `before`, the first line, in colour up to its colon, `after`, the others."""
    first, *details = lines
    word, colon, reason = first.partition(": ")
    tail = "".join(f"\n{line}" for line in details)
    say_verdict(word, f"{after}{colon}{reason}{tail}", before=before, tone=tone)


def _before(report: Report) -> str:
    return f"{report.name}: " if report.name else ""


def _tone(report: Report) -> str:
    """Return the tone of the answer; empty where the word itself has one, as *holds*."""
    result = report.result
    return "" if report.is_property or isinstance(result, Unknown) else result.tone


def _word(report: Report) -> str:
    if isinstance(report.result, Unknown):
        return REFUSED if report.is_refused else UNKNOWN
    quantifier = report.subject.quantifier
    if quantifier is not None:
        return quantifier.word(report.result.value) or UNKNOWN
    return report.result.headline


def _meaning(report: Report, finding: Finding) -> str:
    """Return the answer to the question of a property, in the words of its evidence."""
    question, verdict = finding.question, finding.headline
    match report.subject.quantifier, question.kind:
        case Quantifier.ALWAYS, _:
            return f", what violates it is {verdict}"
        case _, "live":
            return f", {printable(question.text)} is {verdict}"
        case _, "home" if finding.value:
            return f", what satisfies it is a {verdict}"
    return f", what satisfies it is {verdict}"


def _contest_answers(report: Report, finding: Finding) -> list[str]:
    """Return the answer's lines: four numbers of a state space, else one; none if unknown."""
    value = report.holds if report.is_property else finding.value
    if value is None:
        return []
    if _is_space(report):
        facts = finding.conclusion.facts
        return [f"STATE_SPACE {words} {_infinite(facts[key])}" for words, key in _NUMBERS.items()]
    number = None if value == UNBOUNDED else value
    return [f"FORMULA {report.name} {_infinite(number)}"]


def _infinite(value: int | None) -> str:
    """Return the number or truth value; infinity for None."""
    return "+inf" if value is None else str(value).upper()


def _is_space(report: Report) -> bool:
    question = report.subject.question
    return isinstance(question, Question) and question.kind == "state_space"


def _techniques(finding: Finding) -> list[str]:
    if finding.decider:
        return [finding.decider.upper()]
    return sorted({presentation_of(claim).technique for claim in finding.claims})
