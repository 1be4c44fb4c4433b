"""The properties of a file: `petricheck NET --properties FILE`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from urllib.parse import quote

from petricheck.commands.answers.answering import Answering, Asked
from petricheck.commands.answers.output_forms import form_of, write_unread
from petricheck.commands.answers.reports import NamedQuestion, is_word, one_word
from petricheck.commands.answers.request import Request, check_kind, check_outputs_apart
from petricheck.commands.shell.exit_status import Status
from petricheck.commands.shell.limits import ANSWER, prepare_cutoff
from petricheck.commands.shell.terminal import warn
from petricheck.evidence.answer import Unknown
from petricheck.formats.properties import Property, read_properties
from petricheck.model.net import Net
from petricheck.questions import Question, Setting
from petricheck.questions.colours import questions_by_net
from petricheck.questions.properties import property_question
from petricheck.questions.question import with_earlier
from petricheck.support.budget import Shares
from petricheck.support.errors import Ending, InputError, QueryError, suggestion

PLACEHOLDER = "{id}"
"""The text that is replaced by the property's id in the name of a file of evidence."""


def decide_file(request: Request, path: str, setting: Setting) -> Status:
    """Decide the properties, and report each."""
    form = form_of(request)
    times = Shares(request.timeout, 1, request.timeout_all)
    with request.limits(times.own(1), at_cutoff=partial(write_unread, form)) as budget:
        options = {"words": request.mcc, "quiet": request.quiet}
        given_file = request.read_net()
        prepare_cutoff(ANSWER, partial(write_unread, form, file=given_file), budget)

        def ask(net: Net) -> Sequence[NamedQuestion]:
            questions = read_named_questions(path, net, request.selected, **options)
            if request.earlier is not None:
                questions = tuple(_with_earlier(request.earlier, questions))
            return questions if request.expect is None else tuple(map(expected_to_hold, questions))

        asked = Asked(questions_by_net(given_file, ask, is_refused))
    questions = asked.questions
    files = _evidence_files(request.evidence, questions)
    check_outputs_apart(request, setting.options, files)
    for name in ("graph", "log") if len(questions) > 1 else ():
        if name in setting.options:
            raise QueryError(f"--{name} is one file for all properties; choose one with --property")
    decidable = [named.question for named in questions if isinstance(named.question, Question)]
    for kind in {question.kind for question in decidable}:
        check_kind(kind, setting)

    times = replace(times, count=len(questions if asked.file.colours == "none" else decidable))
    asked.evidence = files
    with request.limits(None) as budget:
        return Answering(asked, setting, times, budget, form, brief=True).run()


def read_named_questions(
    path: str, net: Net, ids: Sequence[str] = (), *, words: bool = False, quiet: bool = False
) -> tuple[NamedQuestion, ...]:
    """Return the questions of a file's properties, in order: those with the ids, or all.

    Unless it is quiet, it warns of unusual parts of the file. With `words`, as lines of the contest
    require, ids must be words; InputError otherwise. QueryError where the file has no such
    property.
    """
    properties = read_properties(path, net)
    declared = {formula.id for formula in properties}
    for name in ids:
        if name not in declared:
            without = f"without --property all are decided{suggestion(name, declared)}"
            raise QueryError(f"the file has no property {name!r}; {without}")
    selected = [formula for formula in properties if not ids or formula.id in ids]
    for formula in selected if words else ():
        if not is_word(formula.id):
            raise InputError(
                f"the id {one_word(formula.id)} is not one word, so that a line of the contest "
                "could be misread; rename the property",
                path=path,
            )
    if not quiet:
        warn(path, *properties[0].warnings)
    return tuple(_named_question(net, formula) for formula in selected)


def expected_to_hold(named: NamedQuestion) -> NamedQuestion:
    """Return the question of a property that is expected to hold; of a maximum nothing is."""
    if isinstance(named.question, Unknown):
        return replace(named, expected=True)
    quantifier = named.quantifier
    return named if quantifier is None else replace(named, expected=quantifier.answer(True))


def is_refused(questions: Sequence[NamedQuestion]) -> bool:
    """Return whether a question is refused, perhaps since it names merged colours."""
    return any(isinstance(named.question, Unknown) for named in questions)


def _named_question(net: Net, formula: Property) -> NamedQuestion:
    """Return the question of a property; or the reason why it has none."""
    question: Question | Unknown
    try:
        question = property_question(net, formula.meaning)
    except QueryError as error:
        question = Unknown(error.message, ending=Ending.NOT_APPLICABLE)
    return NamedQuestion(question, formula.id, formula.meaning.quantifier)


def _with_earlier(pattern: str, questions: Sequence[NamedQuestion]) -> Iterator[NamedQuestion]:
    """Yield the questions with earlier evidence, where there is a file of it.

    InputError where there is no such file for any question, or one is no evidence.
    """
    files = _evidence_files(pattern, questions, "--from")
    if not any(map(os.path.exists, files)):
        raise InputError("there is no such file of evidence", path=pattern)
    for named, path in zip(questions, files, strict=True):
        question = named.question
        if isinstance(question, Question) and os.path.exists(path):
            question = with_earlier(question, path)
        yield replace(named, question=question)


def _evidence_files(
    pattern: str | None, questions: Sequence[NamedQuestion], option: str = "--evidence"
) -> tuple[str, ...]:
    """Return the names of the files of evidence, one for each property; none without the option.

    QueryError where all properties would have the same file.
    """
    if pattern is None:
        return ()
    if len(questions) > 1 and PLACEHOLDER not in os.path.basename(pattern):
        root, extension = os.path.splitext(pattern)
        raise QueryError(
            f"{option} {pattern} is one file for {len(questions)} properties; write "
            f"{option} '{root}-{PLACEHOLDER}{extension}', or name one with --property"
        )
    return tuple(_evidence_names(pattern, questions))


def _evidence_names(pattern: str, questions: Sequence[NamedQuestion]) -> Iterator[str]:
    """Yield file names with quoted ids; warn of names that differ in case only.

    A quoted id cannot lead to another folder.
    """
    folder, name = os.path.split(pattern)
    seen: dict[str, str] = {}
    for named in questions:
        path = os.path.join(folder, name.replace(PLACEHOLDER, quote(named.name, safe="")))
        other = seen.setdefault(path.casefold(), path)
        if other != path:
            warn(path, f"where file systems ignore case, this file of evidence replaces {other}")
        yield path
