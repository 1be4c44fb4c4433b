"""The page of one answer, `--html FILE`: what was asked of the command, and where it ran."""

from __future__ import annotations

import os
import platform
import shlex
from collections.abc import Iterator
from dataclasses import replace

from petricheck import __version__
from petricheck.cli.findings import Findings
from petricheck.cli.request import Request
from petricheck.errors import PetricheckError
from petricheck.files import write_file
from petricheck.page.answer import Answered, answer_page
from petricheck.page.facts import Fact


def keep_page(
    findings: Findings, path: str, request: Request
) -> tuple[Findings, PetricheckError | None]:
    """Write the page; a failure is returned, since the answer stands."""
    try:
        write_file(path, answer_page(_answered(findings, request)))
    except PetricheckError as error:
        return findings, error
    return replace(findings, page=path), None


def _answered(findings: Findings, request: Request) -> Answered:
    unnamed = len(findings.question.unnamed)
    places = "1 place is" if unnamed == 1 else f"{unnamed} places are"
    remarks = (f"{places} not named by the target and taken as empty.",) if unnamed else ()
    circumstances = tuple(_circumstances(findings, request))
    return Answered(findings.file, _asked(request), findings.result, remarks, circumstances)


def _asked(request: Request) -> str:
    """The question as it was put, in the command's words."""
    for kind, text in request.questions.items():
        if isinstance(text, str):
            return f"--{kind} {shlex.quote(text)}"
        if text:
            return f"--{kind}"
    return ""


def _circumstances(findings: Findings, request: Request) -> Iterator[Fact]:
    yield Fact("Limits", ", ".join(_limits(request)) or "none")
    if findings.evidence is not None:
        files = map(shlex.quote, (findings.file.path, findings.evidence))
        yield Fact("Check again", f"petricheck verify {' '.join(files)}")
    cores = os.cpu_count() or 1
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    yield Fact("Machine", f"{system}, {cores} core{'' if cores == 1 else 's'}")
    yield Fact("Version", f"petricheck {__version__}, Python {platform.python_version()}")


def _limits(request: Request) -> Iterator[str]:
    if request.timeout is not None:
        yield f"{request.timeout:g} s"
    if request.memory is not None:
        yield f"{request.memory} MiB"
