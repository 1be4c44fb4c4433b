"""The page about one question, `--html FILE`: what was asked of the command, and where it ran."""

from __future__ import annotations

import os
import platform
import shlex
from collections.abc import Iterator
from dataclasses import replace

from petricheck import __version__
from petricheck.analyses import Analysed
from petricheck.cli.findings import Findings
from petricheck.cli.options import given
from petricheck.cli.request import Request
from petricheck.errors import PetricheckError
from petricheck.files import write_file
from petricheck.formats import NetFile
from petricheck.page.analysis import Inquired, analysis_page
from petricheck.page.answer import Answered, answer_page
from petricheck.page.facts import Fact
from petricheck.plugins import as_option
from petricheck.queries import query
from petricheck.words import counted


def keep_page(
    findings: Findings, path: str, request: Request
) -> tuple[Findings, PetricheckError | None]:
    """Write the page of an answer; a failure is returned, since the answer stands."""
    run = tuple(_run(findings.file, findings.evidence, request))
    remarks = tuple(_remarks(findings, request))
    answered = Answered(findings.file, _asked(request), findings.result, remarks, run)
    try:
        write_file(path, answer_page(answered))
    except PetricheckError as error:
        return findings, error
    return replace(findings, page=path), None


def _remarks(findings: Findings, request: Request) -> Iterator[str]:
    ((kind, _),) = given(request.questions)
    yield f"{as_option(kind)}: {query(kind).meaning}"
    if unnamed := len(findings.question.unnamed):
        places = "1 place is" if unnamed == 1 else f"{unnamed} places are"
        yield f"{places} not named by the target and taken as empty."


def keep_analysis_page(
    file: NetFile, found: Analysed, evidence: str | None, path: str, request: Request
) -> PetricheckError | None:
    """Write the page of what several claims answer; a failure is returned, since they stand."""
    run = tuple(_run(file, evidence, request))
    try:
        write_file(path, analysis_page(Inquired(file, _asked(request), found, run)))
    except PetricheckError as error:
        return error
    return None


def _asked(request: Request) -> str:
    """The question as it was put, in the command's words."""
    ((kind, text),) = (*given(request.questions), *given(request.analyses))
    option = as_option(kind)
    return f"{option} {shlex.quote(text)}" if text else option


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
