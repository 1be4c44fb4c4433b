"""One question: `petricheck NET --target …`."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial

from petricheck.budget import Shares
from petricheck.cli.answering import Inquiry
from petricheck.cli.asking import form_of, limits_of, read_net_of
from petricheck.cli.forms import tell_unread
from petricheck.cli.outcomes import Status
from petricheck.cli.reports import NamedQuestion, Report, expected_answer
from petricheck.cli.request import Request
from petricheck.errors import PetricheckError
from petricheck.questions import Setting, make_question


def decide_question(request: Request, kind: str, text: str, setting: Setting) -> Status:
    """Answer it, and tell what was found."""
    form = form_of(request)
    with limits_of(request, request.timeout, late=partial(tell_unread, form)) as budget:
        file = read_net_of(request)
        question = make_question(file.net, kind, text)
        return Inquiry(
            file,
            (NamedQuestion(question, evidence=request.evidence),),
            setting,
            Shares(None, 1),
            lambda seconds, patience=0.0: nullcontext(budget),
            form,
            request.quiet,
            expected_answer(question, request.expect),
            None if request.html is None else partial(_draw, request, request.html),
        ).answer()


def _draw(request: Request, path: str, report: Report) -> tuple[Report, PetricheckError | None]:
    from petricheck.cli.page import keep_page  # most runs write none

    return keep_page(report, path, request)
