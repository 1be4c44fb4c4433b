"""The properties of a file, one after the other: `petricheck NET --properties FILE`.

Each is told as soon as it is decided, so that nothing is lost where a later one takes too long. One
that cannot be decided does not keep the others from it. What they have in common is done once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias
from urllib.parse import quote

from petricheck.answer import Unknown
from petricheck.budget import Budget
from petricheck.check import Result
from petricheck.cli.findings import INTERRUPTED, Findings, keep_evidence
from petricheck.cli.options import Question
from petricheck.cli.outcomes import Status, complain_of
from petricheck.cli.record import property_record
from petricheck.cli.terminal import complain, say
from petricheck.errors import Ending, InternalError, PetricheckError, QueryError
from petricheck.formats import NetFile
from petricheck.presburger.text import printable
from petricheck.problem import Problem, make_problem
from petricheck.properties import Invariant, Meaning, Property, Refused, holds

PLACEHOLDER = "{id}"
"""Stands for the property's id in the name of a file of evidence."""


@dataclass(frozen=True, slots=True)
class Told:
    """What there is to tell of one property.

    Attributes:
        asked: the property.
        found: what was found; or, where the property was not even asked, why.
    """

    asked: Property
    found: Findings | Unknown

    @property
    def holds(self) -> bool | None:
        """Whether the property is true; None where that is open."""
        match self.found:
            case Findings(result=result):
                return holds(self.asked.meaning, result.answer)
            case Unknown():
                return None

    @property
    def unknown(self) -> Unknown | None:
        """Why there is no verdict; None where there is one."""
        answer = self.found.result.answer if isinstance(self.found, Findings) else self.found
        return answer if isinstance(answer, Unknown) else None


Tell: TypeAlias = Callable[[Told], None]
Asked: TypeAlias = tuple[Property, Problem | Unknown]
Decide: TypeAlias = Callable[[Problem, Budget], Result]
Prepare: TypeAlias = Callable[[Sequence[Problem], Budget], Decide]
Limits: TypeAlias = Callable[[Callable[[Unknown], None]], AbstractContextManager[Budget]]


def select(properties: Sequence[Property], wanted: Sequence[str]) -> tuple[Property, ...]:
    """The properties with these ids, in the order of the file; all where none is named.

    Raises:
        QueryError: the file has no such property.
    """
    known = {each.id for each in properties}
    for name in wanted:
        if name not in known:
            raise QueryError(f"the file has no property {name!r}; without --property all are asked")
    return tuple(each for each in properties if not wanted or each.id in wanted)


def check_evidence(pattern: str | None, properties: Sequence[Property]) -> None:
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


def evidence_files(pattern: str | None, properties: Sequence[Property]) -> tuple[str, ...]:
    """The names of the files of evidence, one for each property; none where none are wanted.

    Warns of names that differ in case only.
    """
    if pattern is None:
        return ()
    files = tuple(_evidence_file(pattern, each) for each in properties)
    seen: dict[str, str] = {}
    for path in files:
        other = seen.setdefault(path.casefold(), path)
        if other != path:
            complain(
                f"{path}: warning: where file systems ignore case, this file of evidence replaces "
                f"{other}"
            )
    return files


def _evidence_file(pattern: str, asked: Property) -> str:
    """Where the evidence of a property goes: ids are quoted, so that none leads elsewhere."""
    folder, name = os.path.split(pattern)
    return os.path.join(folder, name.replace(PLACEHOLDER, quote(asked.id, safe="")))


def questions(file: NetFile, properties: Sequence[Property]) -> tuple[Asked, ...]:
    """What is to be decided for each property; or why it is not."""
    return tuple((each, _question(file, each.meaning)) for each in properties)


def _question(file: NetFile, meaning: Meaning) -> Problem | Unknown:
    if isinstance(meaning, Refused):
        return Unknown(meaning.reason, ending=Ending.NOT_APPLICABLE)
    return make_problem(file.net, meaning.target)


def decide_properties(
    file: NetFile,
    asked: Sequence[Asked],
    prepare: Prepare,
    limits: Limits,
    tell: Tell,
    evidence: str | None,
) -> Status:
    """Decide one property after the other, and tell of each at once.

    Args:
        file: the net.
        asked: what is asked, from `questions`.
        prepare: does what the questions have in common; the result answers one of them.
        limits: a budget for the preparation and for each property, which ends the command where
            it is not kept, and before that tells of all properties that are left.
        tell: writes what was found.
        evidence: name of the evidence files, with `PLACEHOLDER`; None where none are wanted.

    Evidence that failed its audit or could not be written is complained of after all properties;
    the first such failure is how the command ends.
    """
    failures: list[PetricheckError] = []
    status = Status.DECIDED
    with limits(partial(_tell_all, tell, asked)) as budget:
        decide = prepare([each for _, each in asked if isinstance(each, Problem)], budget)
    for number, (each, question) in enumerate(asked):
        with limits(partial(_tell_rest, tell, asked[number:])) as budget:
            found = _found(file, question, decide, budget, failures)
        told = _with_evidence(Told(each, found), evidence, failures)
        tell(told)
        if told.unknown is INTERRUPTED:
            return Status.INTERRUPTED
        if told.unknown is not None:
            status = Status.UNKNOWN
    return complain_of(failures[0]) if failures else status


def _tell_all(tell: Tell, asked: Sequence[Asked], answer: Unknown) -> None:
    """Tell of properties that there is one answer for; each that was refused has its own."""
    for each, question in asked:
        tell(Told(each, question if isinstance(question, Unknown) else answer))


def _tell_rest(tell: Tell, asked: Sequence[Asked], answer: Unknown) -> None:
    """Tell of the property that outlasted its limit, and of those that have no turn any more."""
    _tell_all(tell, asked[:1], answer)
    reason = f"it has no turn, since {asked[0][0].id} did not end at its time limit"
    _tell_all(tell, asked[1:], replace(answer, reason=reason))


def _found(
    file: NetFile,
    question: Problem | Unknown,
    decide: Decide,
    budget: Budget,
    failures: list[PetricheckError],
) -> Findings | Unknown:
    if isinstance(question, Unknown):
        return question
    try:
        return Findings(file, Question(question, ()), decide(question, budget))
    except InternalError as error:
        failures.append(error)
        return Unknown(f"internal error: {error}", ending=Ending.FAILED)


def _with_evidence(told: Told, pattern: str | None, failures: list[PetricheckError]) -> Told:
    if pattern is None or not isinstance(told.found, Findings):
        return told
    findings, failure = keep_evidence(told.found, _evidence_file(pattern, told.asked))
    if failure is not None:
        failures.append(failure)
    return replace(told, found=findings)


def tell_briefly(told: Told) -> None:
    """The property's id and the word."""
    say(f"{printable(told.asked.id)}: {_word(told.holds)}")


def tell_json(told: Told) -> None:
    """One line, an object."""
    say(property_record(told.asked.id, told.holds, told.found))


def tell_contest(told: Told) -> None:
    """The line that the Model Checking Contest asks for; reasons go to the standard error."""
    name = printable(told.asked.id)
    if told.unknown is not None:
        say(f"FORMULA {name} CANNOT_COMPUTE")
        complain(f"{name}: {printable(told.unknown.reason)}")
        return
    assert isinstance(told.found, Findings)
    result = told.found.result
    engine = result.answer.statistics.engine or result.engine
    say(f"FORMULA {name} {_word(told.holds).upper()} TECHNIQUES {engine.upper()} AUDITED")


def tell_fully(told: Told, report: Callable[[Findings], str]) -> None:
    """A paragraph: whether the property is true and why, then the report but for its headline."""
    name = printable(told.asked.id)
    match told.found:
        case Unknown(reason):
            say(f"{name}: unknown: {printable(reason)}\n")
        case Findings() as found:
            headline, _, rest = report(found).partition("\n")
            say(f"{name}: {_reason(told) or headline}\n{rest}\n")


def _word(truth: bool | None) -> str:
    return {True: "true", False: "false", None: "unknown"}[truth]


def _reason(told: Told) -> str:
    """The word with what it means for the reachable markings; empty where it is unknown."""
    if told.holds is None:
        return ""
    invariant = isinstance(told.asked.meaning, Invariant)
    reached = told.holds != invariant
    what = "violates" if invariant else "satisfies"
    found = f"a marking that {what} it is" if reached else f"no marking that {what} it is"
    return f"{_word(told.holds)}, {found} reachable"
