"""The page about one question, `--html FILE`: what was asked of the command, and where it ran."""

from __future__ import annotations

import os
import platform
import shlex
from collections.abc import Iterator
from dataclasses import replace

from petricheck import __version__
from petricheck.cli.reports import Report
from petricheck.cli.request import Request
from petricheck.errors import PetricheckError
from petricheck.files import write_file
from petricheck.formats import NetFile
from petricheck.page.answer import Answered, answer_page
from petricheck.page.facts import Fact
from petricheck.plugins import as_option
from petricheck.questions import Finding, Question
from petricheck.words import counted


def keep_page(report: Report, path: str, request: Request) -> tuple[Report, PetricheckError | None]:
    """Write the page of an answer; a failure is returned, since the answer stands."""
    assert isinstance(report.result, Finding)
    run = tuple(_run(report.file, report.evidence, request))
    page = Answered(report.file, _asked(report.result.question), report.result, run)
    try:
        write_file(path, answer_page(page))
    except PetricheckError as error:
        return report, error
    return replace(report, page=path), None


def _asked(question: Question) -> str:
    """The question as it was put, in the command's words."""
    option = as_option(question.kind)
    return f"{option} {shlex.quote(question.text)}" if question.text else option


def _run(file: NetFile, evidence: str | None, request: Request) -> Iterator[Fact]:
    yield Fact("Limits", ", ".join(_limits(request)) or "none")
    if evidence is not None:
        files = map(shlex.quote, (file.path, evidence))
        yield Fact("Check again", f"petricheck verify {' '.join(files)}")
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    yield Fact("Machine", f"{system}, {counted(os.cpu_count() or 1, 'core')}")
    yield Fact("Version", f"petricheck {__version__}, Python {platform.python_version()}")
    yield Fact("SHA-256", file.sha256, "of the net's file")


def _limits(request: Request) -> Iterator[str]:
    if request.timeout is not None:
        yield f"{request.timeout:g} s"
    if request.memory is not None:
        yield f"{request.memory} MiB"
