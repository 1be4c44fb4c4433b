"""`petricheck NET` without a question: what everybody asks of a net, on one screen.

The JSON object has `net`, `places`, `transitions`, `arcs`, `tokens` and `classes` (those of `info`,
of the unfolding; null where that is not made), then each property by its kind of question: null if
it is not asked of such nets, else the keys `verdict` to `ending` of an answer and `seconds`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from petricheck.commands.answers.answering import Answering, Asked
from petricheck.commands.answers.json_answer import json_lines, overview_fields, property_fields
from petricheck.commands.answers.output_forms import Form, form_of, write_unread
from petricheck.commands.answers.reports import NamedQuestion, Report
from petricheck.commands.answers.request import Request
from petricheck.commands.shell.exit_status import Status
from petricheck.commands.shell.limits import ANSWER, INTERRUPTED, answer_with, prepare_cutoff
from petricheck.commands.shell.terminal import say, say_verdict
from petricheck.evidence.answer import Unknown
from petricheck.model.net import Net
from petricheck.questions import Finding, Setting
from petricheck.questions.colours import questions_by_net
from petricheck.reports.overview import (
    IN_FULL,
    SECONDS,
    head,
    properties,
    property_line,
    tone_of,
)
from petricheck.support.budget import Budget, Shares
from petricheck.support.errors import Ending
from petricheck.support.outputs import write_file
from petricheck.support.words import printable


def show_overview(request: Request, setting: Setting) -> Status:
    """Decide the properties, and print each as soon as it is decided."""
    if request.timeout is None and request.timeout_all is None:
        request = replace(request, timeout_all=SECONDS)
    times = Shares(request.timeout, 1, request.timeout_all)
    unread = partial(write_unread, form_of(request))
    with request.limits(times.own(1), at_cutoff=unread) as budget:
        given_file = request.read_net()
        prepare_cutoff(ANSWER, partial(unread, file=given_file), budget)
        asked = Asked(questions_by_net(given_file, _questions))
    times = replace(times, count=len(asked.questions))
    with request.limits(times.remaining()) as budget:
        form = (_JsonScreen if request.as_json else _Screen)(asked, budget, request.quiet)
        status = Answering(asked, setting, times, budget, form, brief=True, in_full=IN_FULL).run()
    if request.html is not None and status is not Status.INTERRUPTED:
        from petricheck.reports.page.overview import overview_page  # most runs write none

        write_file(request.html, overview_page(asked.file, form.results))
        if not request.as_json:
            say(f"The page is {printable(request.html)}.")
    return status


def _questions(net: Net) -> Sequence[NamedQuestion]:
    return [NamedQuestion(question, kind) for kind, question in properties(net)]


class _Screen(Form):
    """Lines of text: the net, then each property."""

    def __init__(self, asked: Asked, budget: Budget, brief: bool) -> None:
        self._brief = brief
        self._kinds = {named.name for named in asked.questions}
        self.results: dict[str, Finding | Unknown] = {}
        say("\n".join(head(asked.file)))

    def write(self, report: Report) -> None:
        """Print the line of a property."""
        self.results[report.name] = result = report.result
        title, word, rest = property_line(report.name, result, brief=self._brief)
        say_verdict(word, rest, before=title, tone=tone_of(report.name, result, self._kinds))

    def status(self, report: Report) -> Status:
        """Return that all is well: a screen may have open properties."""
        unknown = report.unknown
        interrupted = unknown is not None and unknown.ending is Ending.INTERRUPTED
        return Status.INTERRUPTED if interrupted else Status.DECIDED


class _JsonScreen(_Screen):
    """One JSON object, printed after the last property or at a limit."""

    def __init__(self, asked: Asked, budget: Budget, brief: bool) -> None:
        self._budget = budget
        self.results = {}
        self._fields: dict[str, Any] = overview_fields(asked.file)
        self._open = {named.name for named in asked.questions}
        self._prepare()

    def write(self, report: Report) -> None:
        """Store the property."""
        self.results[report.name] = report.result
        self._fields[report.name] = property_fields(report)
        self._open.discard(report.name)
        self._prepare()

    def write_cutoff(self, report: Report, limit: str = "") -> None:
        """Print nothing: the object is printed as it is."""

    def finish(self) -> None:
        """Print the object."""
        answer_with(partial(self._say, INTERRUPTED))

    def _prepare(self) -> None:
        prepare_cutoff(ANSWER, self._say, self._budget)

    def _say(self, unknown: Unknown) -> Status:
        reports = {name: Report(NamedQuestion(unknown, name), unknown, None) for name in self._open}
        missing = {name: property_fields(report) for name, report in reports.items()}
        say(json_lines(self._fields | missing))
        interrupted = unknown.ending is Ending.INTERRUPTED
        return Status.INTERRUPTED if interrupted else Status.DECIDED
