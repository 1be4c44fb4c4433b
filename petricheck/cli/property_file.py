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
from petricheck.cli.findings import Asked
from petricheck.cli.ids import check_words
from petricheck.cli.outcomes import Status
from petricheck.cli.request import Request, check_kind, check_outputs_apart
from petricheck.cli.telling import tell_unread
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
        asked = tuple(asked_of(file.net, each) for each in selected)
    if not request.quiet:
        warn(path, *properties[0].warnings)
    _check_evidence(request.evidence, selected)
    files = tuple(_evidence_files(request.evidence, selected))
    check_outputs_apart(request, setting.options, files)
    for name in ("graph", "log") if len(selected) > 1 else ():
        if name in setting.options:
            raise QueryError(f"--{name} would be written anew for each property; use --property")
    for kind in {each.question.kind for each in asked if isinstance(each.question, Question)}:
        check_kind(kind, setting)
    if files:
        pairs = zip(asked, files, strict=True)
        asked = tuple(replace(question, evidence=file) for question, file in pairs)
    return Inquiry(
        file,
        asked,
        setting,
        replace(times, count=sum(isinstance(each.question, Question) for each in asked)),
        partial(limits_of, request),
        form,
        brief=True,
    ).answer()


def asked_of(net: Net, asked: Property) -> Asked:
    """What is to be answered for a property; or why it is not."""
    match asked.meaning:
        case Refused(reason):
            return Asked(Unknown(reason, ending=Ending.NOT_APPLICABLE), asked.id)
        case Maximum(sum):
            return Asked(read_question(net, "bound", term_to_text(sum)), asked.id)
        case meaning:
            negated = isinstance(meaning, Invariant)
            return Asked(question_of(net, meaning.target), asked.id, negated)


def select(properties: Sequence[Property], wanted: Sequence[str]) -> tuple[Property, ...]:
    """The properties with these ids, in the order of the file; all where none is named.

    Raises:
        QueryError: the file has no such property.
    """
    known = {each.id for each in properties}
    for name in wanted:
        if name not in known:
            without = f"without --property all are asked{suggestion(name, known)}"
            raise QueryError(f"the file has no property {name!r}; {without}")
    return tuple(each for each in properties if not wanted or each.id in wanted)


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
    for each in properties:
        path = os.path.join(folder, name.replace(PLACEHOLDER, quote(each.id, safe="")))
        other = seen.setdefault(path.casefold(), path)
        if other != path:
            warn(path, f"where file systems ignore case, this file of evidence replaces {other}")
        yield path
