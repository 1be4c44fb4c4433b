"""One question: `petricheck NET --target …`, and the page about its answer, `--html FILE`."""

from __future__ import annotations

import os
import platform
import shlex
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from petricheck.commands.answers.answering import Answering, Asked
from petricheck.commands.answers.output_forms import form_of, write_unread
from petricheck.commands.answers.reports import NamedQuestion, Report, expected_answer
from petricheck.commands.answers.request import Request
from petricheck.commands.shell.exit_status import Status
from petricheck.commands.shell.limits import ANSWER, prepare_cutoff
from petricheck.model.net import Net
from petricheck.questions import Finding, Setting, make_question
from petricheck.questions.colours import questions_by_net
from petricheck.questions.question import with_earlier
from petricheck.support.budget import Shares
from petricheck.support.outputs import write_file
from petricheck.support.plugins import as_option
from petricheck.support.version import __version__
from petricheck.support.words import counted

if TYPE_CHECKING:
    from petricheck.reports.page.document import Fact


def decide_question(request: Request, kind: str, text: str, setting: Setting) -> Status:
    """Answer the question, and print the answer."""
    form = form_of(request)
    with request.limits(request.timeout, at_cutoff=partial(write_unread, form)) as budget:
        given_file = request.read_net()
        prepare_cutoff(ANSWER, partial(write_unread, form, file=given_file), budget)

        def ask(net: Net) -> tuple[NamedQuestion]:
            question = make_question(net, kind, text)
            if request.earlier is not None:
                question = with_earlier(question, request.earlier)
            expected = expected_answer(question, request.expect)
            return (NamedQuestion(question, expected=expected, evidence=request.evidence),)

        asked = Asked(questions_by_net(given_file, ask))
        return Answering(
            asked,
            setting,
            Shares(None, 1),
            budget,
            form,
            brief=request.quiet,
            writers=tuple(_writers(request)),
        ).run()


def _writers(request: Request) -> Iterator[Callable[[Report], Report]]:
    """Yield the functions that write files other than the evidence."""
    if request.html is not None:
        yield partial(save_page, request, request.html)
    if request.graph is not None:
        yield partial(save_graph, request.graph)


def save_graph(path: str, report: Report) -> Report:
    """Write the graph of the reachable markings; where it cannot be written, the answer stands."""
    from petricheck.reports.graphs import write_graph  # most runs write none

    assert report.file is not None
    write_graph(report.file.net, path)
    return replace(report, graph=path)


def save_page(request: Request, path: str, report: Report) -> Report:
    """Write the page about an answer; where it cannot be written, the answer stands."""
    from petricheck.reports.page.answer import answer_page  # most runs write none

    finding, file = report.result, report.file
    assert isinstance(finding, Finding) and file is not None
    option, text = as_option(finding.question.kind), finding.question.text
    question = f"{option} {shlex.quote(text)}" if text else option
    question += f" --initial {shlex.quote(request.initial)}" if request.initial else ""
    write_file(path, answer_page(file, question, finding, _run(request, report)))
    return replace(report, page=path)


def _run(request: Request, report: Report) -> Iterator[Fact]:
    """Yield the arguments of the command, and the machine and versions."""
    from petricheck.reports.page.document import Fact

    assert report.file is not None
    seconds = [] if request.timeout is None else [f"{request.timeout:g} s"]
    memory = [] if request.memory is None else [f"{request.memory} MiB"]
    yield Fact("Limits", ", ".join((*seconds, *memory)) or "none")
    if report.evidence is not None:
        files = map(shlex.quote, (report.file.path, report.evidence))
        yield Fact("Check again", f"petricheck verify {' '.join(files)}")
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    yield Fact("Machine", f"{system}, {counted(os.cpu_count() or 1, 'core')}")
    yield Fact("Version", f"petricheck {__version__}, Python {platform.python_version()}")
    yield Fact("SHA-256", report.file.sha256, "of the net's file")
