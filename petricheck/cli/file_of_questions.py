"""All questions of a file: `petricheck NET --properties FILE`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from petricheck.analyses import Study
from petricheck.answer import Unknown
from petricheck.budget import Budget, Shares
from petricheck.cli import named, properties, telling
from petricheck.cli.asking import (
    limits_of,
    limits_on_all,
    prepared,
    prose_of,
    read_net_of,
    tell_late,
)
from petricheck.cli.ids import check_words
from petricheck.cli.outcomes import Status
from petricheck.cli.properties import Tell
from petricheck.cli.request import Request, check_analysing, check_outputs_apart
from petricheck.cli.telling import Told
from petricheck.cli.terminal import complain, say
from petricheck.errors import QueryError
from petricheck.properties import read_properties


def decide_file(request: Request, path: str, options: dict[str, str]) -> Status:
    """Decide them with an engine that has these options, and tell of each."""

    limits = partial(limits_of, request)
    times = Shares(request.timeout, 1, request.timeout_all)
    with limits_on_all(request, times.own(1), partial(_tell_unread, request)):
        file = read_net_of(request)
        found = read_properties(path, file.net)
        asked = properties.select(found, request.selected)
        if request.mcc:
            check_words(asked, path)
    for warning in () if request.quiet else found[0].warnings:
        complain(f"{path}: warning: {warning}")
    properties.check_evidence(request.evidence, asked)
    check_outputs_apart(request, options, properties.evidence_files(request.evidence, asked))
    for name in ("graph", "log") if len(asked) > 1 else ():
        if name in options:
            raise QueryError(f"--{name} would be written anew for each property; use --property")
    reached, maxima = properties.split(asked)
    words = Counter[str]()
    files = properties.evidence_files(request.evidence, maxima) or (None,) * len(maxima)
    questions = [named.maximum(each, path) for each, path in zip(maxima, files, strict=True)]
    inquiry = named.Inquiry(file, "bound", questions, _tell_named(request, words))
    if maxima:
        check_analysing(request, options)
        inquiry.keep_unanswered(Budget(request.timeout or request.timeout_all, request.memory))
    status = properties.decide_properties(
        file,
        properties.questions(file, reached),
        partial(prepared, request, options),
        limits,
        replace(times, count=len(reached)),
        _tell(request, words),
        request.evidence,
    )
    if maxima and status is not Status.INTERRUPTED:
        status = max(status, _decide_maxima(request, inquiry, options, times))
    if words.total() > 1:
        say(telling.summary(words))
    return status


def _decide_maxima(
    request: Request, inquiry: named.Inquiry, options: dict[str, str], times: Shares
) -> Status:
    """Answer the properties that ask for a maximum, in the time that they have together."""
    whole = None if times.whole is None else max(0.0, times.whole - times.elapsed)
    return inquiry.decide(
        lambda budget: Study(
            inquiry.file.net, request.engine, options, budget, request.second_solver, brief=True
        ),
        partial(limits_of, request),
        Shares(request.timeout, len(inquiry.asked), whole).left(),
    )


def _tell_named(request: Request, words: Counter[str]) -> Callable[[named.Told], None]:
    """How to tell of a maximum; what is told to people is counted."""

    if request.mcc:
        return named.tell_contest
    if request.as_json:
        return named.tell_json
    if request.quiet:
        return named.tell_briefly

    def tell(told: named.Told) -> None:
        words["answered" if told.found.finding.complete else "unknown"] += 1
        named.tell_fully(told, request)

    return tell


def _tell_unread(request: Request, answer: Unknown) -> Status:
    """Tell that the time was over before it was known which properties there are."""
    if request.mcc:
        say("CANNOT_COMPUTE")
        complain(answer.reason)
        return Status.UNKNOWN
    return tell_late(request, answer)


def _tell(request: Request, words: Counter[str]) -> Tell:
    """How to tell of a property; what is told to people is counted by its word."""

    if request.mcc:
        return telling.tell_contest
    if request.as_json:
        return telling.tell_json
    if request.quiet:
        return telling.tell_briefly

    def tell(told: Told) -> None:
        words[telling.word(told.holds)] += 1
        telling.tell_fully(told, partial(prose_of, request))

    return tell
