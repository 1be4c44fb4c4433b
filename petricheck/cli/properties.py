"""The properties of a file: `petricheck NET --properties FILE`.

First a search for all of them at once, then what it leaves open: as many at the same time as there
are jobs, one after the other where there is one. Each is told as soon as it is decided, so that
nothing is lost where a later one takes too long. One that cannot be decided does not keep the
others from it. What they have in common is done once.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from typing import Protocol, TypeAlias
from urllib.parse import quote

from petricheck.answer import Unknown
from petricheck.budget import Budget, Shares
from petricheck.check import Checker
from petricheck.cli.backstop import TellLate
from petricheck.cli.findings import INTERRUPTED, Findings, decided, keep_evidence
from petricheck.cli.ids import shown_id
from petricheck.cli.options import Question
from petricheck.cli.outcomes import Status, complain_of
from petricheck.cli.side_by_side import decide_side_by_side, jobs_within
from petricheck.cli.telling import Told
from petricheck.cli.terminal import complain
from petricheck.errors import Ending, InternalError, PetricheckError, QueryError, suggestion
from petricheck.formats import NetFile
from petricheck.problem import Problem, make_problem
from petricheck.properties import Maximum, Meaning, Property, Refused
from petricheck.result import Result

PLACEHOLDER = "{id}"
"""Stands for the property's id in the name of a file of evidence."""

_PATIENCE = 1.0
"""Seconds in which processes that have outlasted the limit of all are ended in an orderly way."""

Tell: TypeAlias = Callable[[Told], None]
Asked: TypeAlias = tuple[Property, Problem | Unknown]
Answered: TypeAlias = Result | InternalError | Unknown
Prepare: TypeAlias = Callable[[Sequence[Problem], Budget], Checker]


class Limits(Protocol):
    """A budget of so many seconds, which ends the command where it is not kept."""

    def __call__(
        self, seconds: float | None, tell: TellLate, patience: float = 0.0
    ) -> AbstractContextManager[Budget]:
        """Before it ends the command, after so much patience, it tells what is left."""


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


def split(properties: Sequence[Property]) -> tuple[tuple[Property, ...], tuple[Property, ...]]:
    """Those that are decided by reachability, and those that ask for a maximum."""
    maxima = tuple(each for each in properties if isinstance(each.meaning, Maximum))
    return tuple(each for each in properties if each not in maxima), maxima


def questions(file: NetFile, properties: Sequence[Property]) -> tuple[Asked, ...]:
    """What is to be decided for each property; or why it is not."""
    return tuple((each, _question(file, each.meaning)) for each in properties)


def _question(file: NetFile, meaning: Meaning) -> Problem | Unknown:
    match meaning:
        case Refused(reason):
            return Unknown(reason, ending=Ending.NOT_APPLICABLE)
        case Maximum():
            return Unknown("it asks for a maximum", ending=Ending.NOT_APPLICABLE)
        case _:
            return make_problem(file.net, meaning.target)


def decide_properties(
    file: NetFile,
    asked: Sequence[Asked],
    prepare: Prepare,
    limits: Limits,
    times: Shares,
    tell: Tell,
    evidence: str | None,
) -> Status:
    """Decide the properties, and tell of each at once.

    Args:
        file: the net.
        asked: what is asked, from `questions`.
        prepare: does what the questions have in common; the result answers them.
        limits: budgets; told of all properties that are left.
        times: how many seconds there are.
        tell: writes what was found.
        evidence: name of the evidence files, with `PLACEHOLDER`; None where none are wanted.

    Evidence that failed its audit or could not be written is complained of after all properties;
    the first such failure is how the command ends.
    """
    deciding = _Deciding(file, list(asked), tell, evidence)
    # What outlasts its part here, such as compiling, delays the others but ends nothing.
    with limits(times.own(1), deciding.tell_all, times.together() or 0.0) as budget:
        checker = prepare(deciding.problems, budget)
    with limits(times.together(), deciding.tell_all, times.together() or 0.0) as budget:
        deciding.together(checker, budget)
    with limits(times.left(), deciding.tell_all, _PATIENCE) as budget:
        deciding.side_by_side(checker, times, budget)
    while deciding.left:
        with limits(times.own(len(deciding.left)), deciding.tell_rest) as budget:
            deciding.next(checker, budget)
    return deciding.status


class _Deciding:
    """The properties that are left, and how the command would end.

    Attributes:
        left: those that have not been told of, in the order of the file.
    """

    def __init__(self, file: NetFile, asked: list[Asked], tell: Tell, evidence: str | None) -> None:
        self.left = asked
        self._file = file
        self._tell = tell
        self._evidence = evidence
        self._failures: list[PetricheckError] = []
        self._status = Status.DECIDED
        # The thread that ends the command tells what is left while this one may tell of one more.
        self._telling = threading.Lock()

    @property
    def problems(self) -> list[Problem]:
        """What is left to be decided."""
        return [question for _, question in self.left if isinstance(question, Problem)]

    @property
    def status(self) -> Status:
        """How the command ends."""
        if self._status is Status.INTERRUPTED or not self._failures:
            return self._status
        return complain_of(self._failures[0])

    def together(self, checker: Checker, budget: Budget) -> None:
        """Decide what one search for all of them decides."""
        self._each(self._open, checker.check_together(self.problems, budget))

    def side_by_side(self, checker: Checker, times: Shares, budget: Budget) -> None:
        """Decide all that is open, if there are several and more than one can be at a time."""
        open_ = self._open
        jobs = jobs_within(checker, budget.memory)
        if jobs == 1 or len(open_) < 2:
            return
        names = [each.id for each, _ in open_]
        questions = tuple(zip(names, self.problems, strict=True))
        self._each(open_, decide_side_by_side(checker, questions, jobs, times, budget))

    @property
    def _open(self) -> list[Asked]:
        """What is left to be decided, with its property."""
        return [each for each in self.left if isinstance(each[1], Problem)]

    def _each(
        self, asked: Sequence[Asked], results: Generator[tuple[int, Answered], None, None]
    ) -> None:
        """Tell the results as they come, of questions by their numbers."""
        try:
            with closing(results):
                for number, result in results:
                    self._told(asked[number], self._found(result))
        except KeyboardInterrupt:
            self._stop()

    def next(self, checker: Checker, budget: Budget) -> None:
        """Decide the first of those that are left."""
        asked = self.left[0]
        _, question = asked
        found: Findings | Unknown
        if isinstance(question, Unknown):
            found = question
        else:
            try:
                found = self._found(decided(checker, question, budget))
            except InternalError as error:
                found = self._found(error)
        self._told(asked, found)
        if isinstance(found, Findings) and found.result.answer is INTERRUPTED:
            self._status = Status.INTERRUPTED
            self.left = []

    def tell_all(self, answer: Unknown) -> None:
        """Tell one answer of all that are left; those that were refused have their own."""
        with self._telling:
            for each, question in self.left:
                self._tell(Told(each, question if isinstance(question, Unknown) else answer))

    def tell_rest(self, answer: Unknown) -> None:
        """Tell of the property that outlasted its limit, and of those that get no turn."""
        first, *rest = self.left
        self.left = [first]
        self.tell_all(answer)
        reason = f"it has no turn, since {shown_id(first[0].id)} did not end at its time limit"
        self.left = rest
        self.tell_all(replace(answer, reason=reason))

    def _stop(self) -> None:
        """The user ends it: the first that is left is told to be interrupted."""
        for each, _ in self.left[:1]:
            self._tell(Told(each, INTERRUPTED))
        self._status = Status.INTERRUPTED
        self.left = []

    def _found(self, result: Answered) -> Findings | Unknown:
        if isinstance(result, Unknown):
            return result
        if isinstance(result, InternalError):
            self._failures.append(result)
            return Unknown(f"internal error: {result}", ending=Ending.FAILED)
        return Findings(self._file, Question(result.problem, ()), result)

    def _told(self, asked: Asked, found: Findings | Unknown) -> None:
        each, _ = asked
        told = _with_evidence(Told(each, found), self._evidence, self._failures)
        with self._telling:
            self._tell(told)
            self.left = [other for other in self.left if other is not asked]
        if told.unknown is not None:
            self._status = Status.UNKNOWN


def _with_evidence(told: Told, pattern: str | None, failures: list[PetricheckError]) -> Told:
    if pattern is None or not isinstance(told.found, Findings):
        return told
    findings, failure = keep_evidence(told.found, _evidence_file(pattern, told.asked))
    if failure is not None:
        failures.append(failure)
    return replace(told, found=findings)
