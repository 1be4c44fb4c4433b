"""One question: `petricheck NET --target …`."""

from __future__ import annotations

from functools import partial

from petricheck.budget import Shares
from petricheck.cli.answering import Inquiry, within
from petricheck.cli.asking import form_of, limits_on_all, read_net_of, tell_unread
from petricheck.cli.findings import Asked, Told
from petricheck.cli.outcomes import Status
from petricheck.cli.request import Request
from petricheck.errors import PetricheckError, QueryError
from petricheck.questions import Question, Setting, Value, make_question


def decide_question(request: Request, kind: str, text: str, setting: Setting) -> Status:
    """Answer it, and tell what was found."""
    with limits_on_all(request, request.timeout, partial(tell_unread, request)) as budget:
        file = read_net_of(request)
        question = make_question(file.net, kind, text)
        return Inquiry(
            file,
            (Asked(question, evidence=request.evidence),),
            setting,
            Shares(None, 1),
            within(budget),
            form_of(request),
            request.quiet,
            _expected(question, request.expect),
            None if request.html is None else partial(_draw, request, request.html),
        ).answer()


def _expected(question: Question, text: str | None) -> Value | None:
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


def _draw(request: Request, path: str, told: Told) -> tuple[Told, PetricheckError | None]:
    from petricheck.cli.page import keep_page  # most runs write none

    return keep_page(told, path, request)
