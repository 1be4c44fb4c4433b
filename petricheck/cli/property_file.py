"""The properties of a file: `petricheck NET --properties FILE`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from urllib.parse import quote

from petricheck.answer import Unknown
from petricheck.budget import Shares
from petricheck.cli.answering import Inquiry
from petricheck.cli.asking import form_of, limits_of, read_net_of
from petricheck.cli.forms import tell_unread
from petricheck.cli.ids import check_words
from petricheck.cli.outcomes import Status
from petricheck.cli.reports import NamedQuestion
from petricheck.cli.request import Request, check_kind, check_outputs_apart
from petricheck.cli.terminal import warn
from petricheck.errors import Ending, QueryError, suggestion
from petricheck.presburger.text import term_to_text
from petricheck.problem import Net
from petricheck.properties import Invariant, Maximum, Property, Refused, read_properties
from petricheck.questions import Question, Setting, question_of, read_question

PLACEHOLDER = "{id}"
"""Stands for the property's id in the name of a file of evidence."""


def decide_file(request: Request, path: str, setting: Setting) -> Status:
    """Decide the properties, and tell of each."""
    form = form_of(request)
    times = Shares(request.timeout, 1, request.timeout_all)
    with limits_of(request, times.own(1), late=partial(tell_unread, form)):
        file = read_net_of(request)
        properties = read_properties(path, file.net)
        selected = select(properties, request.selected)
        if request.mcc:
            check_words(selected, path)
        questions = tuple(named_question(file.net, formula) for formula in selected)
    if not request.quiet:
        warn(path, *properties[0].warnings)
    _check_evidence(request.evidence, selected)
    files = tuple(_evidence_files(request.evidence, selected))
    check_outputs_apart(request, setting.options, files)
    for name in ("graph", "log") if len(selected) > 1 else ():
        if name in setting.options:
            raise QueryError(f"--{name} would be written anew for each property; use --property")
    answered = [named.question for named in questions if isinstance(named.question, Question)]
    for kind in {question.kind for question in answered}:
        check_kind(kind, setting)
    if files:
        pairs = zip(questions, files, strict=True)
        questions = tuple(replace(named, evidence=path) for named, path in pairs)
    return Inquiry(
        file,
        questions,
        setting,
        replace(times, count=len(answered)),
        partial(limits_of, request),
        form,
        brief=True,
    ).answer()


def named_question(net: Net, formula: Property) -> NamedQuestion:
    """What is to be answered for a property; or why it is not."""
    match formula.meaning:
        case Refused(reason):
            return NamedQuestion(Unknown(reason, ending=Ending.NOT_APPLICABLE), formula.id)
        case Maximum(sum):
            return NamedQuestion(read_question(net, "bound", term_to_text(sum)), formula.id)
        case meaning:
            negated = isinstance(meaning, Invariant)
            return NamedQuestion(question_of(net, meaning.target), formula.id, negated)


def select(properties: Sequence[Property], wanted: Sequence[str]) -> tuple[Property, ...]:
    """The properties with these ids, in the order of the file; all where none is named.

    Raises:
        QueryError: the file has no such property.
    """
    known = {formula.id for formula in properties}
    for name in wanted:
        if name not in known:
            without = f"without --property all are asked{suggestion(name, known)}"
            raise QueryError(f"the file has no property {name!r}; {without}")
    return tuple(formula for formula in properties if not wanted or formula.id in wanted)


def _check_evidence(pattern: str | None, properties: Sequence[Property]) -> None:
    """Refuse one name for the evidence of several properties.

    Raises:
        QueryError: a file would be replaced again and again.
    """
    if pattern is None or len(properties) == 1 or PLACEHOLDER in os.path.basename(pattern):
        return
    root, extension = os.path.splitext(pattern)
    raise QueryError(
        f"--evidence {pattern} is one file for {len(properties)} properties; write "
        f"--evidence '{root}-{PLACEHOLDER}{extension}', or name one with --property"
    )


def _evidence_files(pattern: str | None, properties: Sequence[Property]) -> Iterator[str]:
    """The names of the files of evidence, one for each property; none where none are wanted.

    Ids are quoted, so that none leads elsewhere. Warns of names that differ in case only.
    """
    if pattern is None:
        return
    folder, name = os.path.split(pattern)
    seen: dict[str, str] = {}
    for formula in properties:
        path = os.path.join(folder, name.replace(PLACEHOLDER, quote(formula.id, safe="")))
        other = seen.setdefault(path.casefold(), path)
        if other != path:
            warn(path, f"where file systems ignore case, this file of evidence replaces {other}")
        yield path
