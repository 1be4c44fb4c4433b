"""The properties of a file: `petricheck NET --properties FILE`.

First a search for all of them at once, then what it leaves open: as many at the same time as there
are jobs, one after the other where there is one. Each is told as soon as it is decided, so that
nothing is lost where a later one takes too long. One that cannot be decided does not keep the
others from it. What they have in common is done once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from typing import Protocol, TypeAlias
from urllib.parse import quote

from petricheck.answer import Unknown
from petricheck.budget import Budget, Shares
from petricheck.check import Checker
from petricheck.cli.findings import INTERRUPTED, Findings, decided, keep_evidence
from petricheck.cli.limits import Late, answer_with, keep_late
from petricheck.cli.options import Question
from petricheck.cli.outcomes import Status, complain_of
from petricheck.cli.side_by_side import decide_side_by_side, jobs_within
from petricheck.cli.telling import Told
from petricheck.cli.terminal import complain
from petricheck.errors import Ending, InternalError, PetricheckError, QueryError, suggestion
from petricheck.formats import NetFile
from petricheck.problem import Problem, make_problem
from petricheck.processes import supervision
from petricheck.properties import Maximum, Meaning, Property, Refused
from petricheck.result import Result

PLACEHOLDER = "{id}"
"""Stands for the property's id in the name of a file of evidence."""

_PATIENCE = 1.0
"""Seconds to end the processes of properties in order, where there is no limit on all of them."""

Tell: TypeAlias = Callable[[Told], None]
Asked: TypeAlias = tuple[Property, Problem | Unknown]
Answered: TypeAlias = Result | InternalError | Unknown
Prepare: TypeAlias = Callable[[Sequence[Problem], Budget], Checker]


class Limits(Protocol):
    """A budget of so many seconds, which ends the command where it is not kept."""

    def __call__(
        self, seconds: float | None, late: Late | None = None, patience: float = 0.0
    ) -> AbstractContextManager[Budget]:
        """With what is told late, and seconds more for what does not look at the budget."""


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
            what = f"this file of evidence replaces {other}"
            complain(f"{path}: warning: where file systems ignore case, {what}")
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
    deciding = _Deciding(file, asked, tell, evidence)
    # What outlasts its part here, such as compiling, delays the others but ends nothing.
    own = times.own(1)
    with limits(own, patience=(times.left() or 0.0) - (own or 0.0)) as budget:
        deciding.keep_late(budget)
        checker = prepare(deciding.problems, budget)
    with limits(times.together(), patience=times.together() or 0.0) as budget:
        deciding.together(checker, budget)
    with limits(times.left(), patience=_PATIENCE if times.whole is None else 0.0) as budget:
        deciding.side_by_side(checker, times, budget)
        deciding.keep_late(budget, "the command ended before its turn")
    while deciding.left:
        with limits(times.own(len(deciding.left))) as budget:
            deciding.next(checker, budget)
    return deciding.status


class _Deciding:
    """The properties that are left, and how the command would end.

    Attributes:
        left: those that have not been told of, in the order of the file, by their keys.
    """

    def __init__(
        self, file: NetFile, asked: Sequence[Asked], tell: Tell, evidence: str | None
    ) -> None:
        self.left = {f"property {number}": each for number, each in enumerate(asked)}
        self._file = file
        self._tell = tell
        self._evidence = evidence
        self._failures: list[PetricheckError] = []
        self._status = Status.DECIDED

    @property
    def problems(self) -> list[Problem]:
        """What is left to be decided."""
        return [question for _, question in self.left.values() if isinstance(question, Problem)]

    @property
    def status(self) -> Status:
        """How the command ends."""
        if self._status is Status.INTERRUPTED or not self._failures:
            return self._status
        return complain_of(self._failures[0])

    def keep_late(self, budget: Budget, reason: str = "") -> None:
        """Prepare what is told of those that are left if the command is ended.

        Args:
            budget: says which limits there are.
            reason: why there is no answer, where that is not the limit which ends the command.
        """
        for key in self.left:
            self._keep_late(key, budget, reason)

    def _keep_late(self, key: str, budget: Budget, reason: str = "") -> None:
        name, question = self.left[key]

        def late(answer: Unknown) -> int:
            given = replace(answer, reason=reason or answer.reason)
            self._tell(Told(name, question if isinstance(question, Unknown) else given))
            return Status.UNKNOWN

        keep_late(key, late, budget)

    def together(self, checker: Checker, budget: Budget) -> None:
        """Decide what one search for all of them decides."""
        self._tell_results(self._open, checker.check_together(self.problems, budget))

    def side_by_side(self, checker: Checker, times: Shares, budget: Budget) -> None:
        """Decide all that is open, if there are several and more than one can be at a time."""
        open_ = self._open
        jobs = jobs_within(checker, budget.memory)
        if jobs == 1 or len(open_) < 2:
            return
        questions = tuple(zip((self.left[key][0].id for key in open_), self.problems, strict=True))
        self._tell_results(open_, decide_side_by_side(checker, questions, jobs, times, budget))

    @property
    def _open(self) -> list[str]:
        """The keys of those that are left to be decided."""
        return [key for key, (_, question) in self.left.items() if isinstance(question, Problem)]

    def _tell_results(
        self, keys: Sequence[str], results: Generator[tuple[int, Answered], None, None]
    ) -> None:
        """Tell the results as they come, of questions by their numbers."""
        try:
            with closing(results):
                for number, result in results:
                    self._settle(keys[number], self._finding(result))
        except KeyboardInterrupt:
            self._stop()

    def next(self, checker: Checker, budget: Budget) -> None:
        """Decide the first of those that are left."""
        key, (_, question) = next(iter(self.left.items()))
        self._keep_late(key, budget)
        given: Answered
        try:
            given = (
                question if isinstance(question, Unknown) else decided(checker, question, budget)
            )
        except InternalError as error:
            given = error
        self._settle(key, self._finding(given))
        if isinstance(given, Result) and given.answer is INTERRUPTED:
            self._end()

    def _stop(self) -> None:
        """The user ends it: the first that is left is told to be interrupted."""
        for key in [*self.left][:1]:
            self._settle(key, INTERRUPTED)
        self._end()

    def _end(self) -> None:
        """Tell of no more."""
        self._status = Status.INTERRUPTED
        self.left = {}
        supervision.settle(None)

    def _finding(self, result: Answered) -> Findings | Unknown:
        if isinstance(result, Unknown):
            return result
        if isinstance(result, InternalError):
            self._fail(result)
            return Unknown(f"internal error: {result}", ending=Ending.FAILED)
        return Findings(self._file, Question(result.problem, ()), result)

    def _fail(self, error: PetricheckError) -> None:
        """Note a failure, which the command complains of in the end, also where it is ended."""
        self._failures.append(error)
        if len(self._failures) == 1:
            keep_late("failure", lambda _: complain_of(error), Budget())

    def _settle(self, key: str, finding: Findings | Unknown) -> None:
        """Keep the evidence of a property, and tell of it."""
        answer_with(lambda: self._report(self.left.pop(key)[0], finding), key)

    def _report(self, asked: Property, finding: Findings | Unknown) -> None:
        if self._evidence is not None and isinstance(finding, Findings):
            finding, failure = keep_evidence(finding, _evidence_file(self._evidence, asked))
            if failure is not None:
                self._fail(failure)
        told = Told(asked, finding)
        if told.unknown is not None:
            self._status = Status.UNKNOWN
        self._tell(told)
