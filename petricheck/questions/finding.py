"""The result of a question: its answer, the claims it follows from, and how these were checked."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace

from petricheck.answer import Answer, Reachable, Statistics, Unknown, Unreachable
from petricheck.claims import (
    Claim,
    Excluded,
    ExcludedAfter,
    ExcludedWith,
    Home,
    Pumped,
    ReachabilitySet,
    Reached,
)
from petricheck.errors import BudgetExhausted, InternalError, QueryError
from petricheck.problem import Problem
from petricheck.questions.checking import Proved, Verdict, exhausted, prepare
from petricheck.questions.kind import Conclusion, Value, kind_of
from petricheck.questions.question import Question
from petricheck.questions.study import Study

_ORDER = (Reached, Pumped, Excluded, ExcludedAfter, ExcludedWith, Home, ReachabilitySet)
"""In which claims are listed."""

_SPARED = 100
"""Of more claims all are kept, even where some of them suffice."""

_SPARING = 0.5
"""Seconds after which the others are kept as well: limits and interruptions wait for the answer."""

_NOTHING_LEFT = Unknown("nothing is left to try", "another engine may settle more")


@dataclass(frozen=True, slots=True, repr=False)
class Finding:
    """An answer that follows from claims which have passed the audit.

    Attributes:
        question: what was asked.
        conclusion: what the claims amount to.
        claims: those that the conclusion follows from.
        audits: how each was checked.
        unknown: why the question has no answer; None where it has.
        engine: who answered a question after one target, or was to; otherwise empty.
        statistics: of that engine.
        seconds: wall time, audits included.
        cpu_seconds: CPU time of this process and of those it started, audits included.
    """

    question: Question
    conclusion: Conclusion
    claims: tuple[Claim, ...]
    audits: tuple[str, ...]
    unknown: Unknown | None
    engine: str = ""
    statistics: Statistics = field(default_factory=Statistics)
    seconds: float = 0.0
    cpu_seconds: float = 0.0

    @property
    def value(self) -> Value | None:
        """The answer: true (reachable, yes) or false, a number, or `UNBOUNDED`; None where open."""
        return self.conclusion.value

    @property
    def headline(self) -> str:
        """The answer in a few words, or what is proved of it."""
        return self.conclusion.headline

    @property
    def problem(self) -> Problem:
        """The question after one target.

        Raises:
            QueryError: it is no such question.
        """
        return self.question.problem

    @property
    def answer(self) -> Answer:
        """The verdict on the target, with its evidence, or why there is none.

        Raises:
            QueryError: the question is not after one target.
        """
        if self.question.target is None:
            raise QueryError(f"a question of kind {self.question.kind} has a value, and claims")
        if self.unknown is not None:
            return self.unknown
        # Evidence may hold claims beside the one that answers the question.
        answering = (c for c in self.claims if self.question.conclude((c,)).complete)
        match next(answering, None):
            case Reached(trace):
                return Reachable(trace, self.statistics)
            case Excluded(_, certificate):
                return Unreachable(certificate, self.statistics)
            case _:
                raise InternalError("no single claim answers the question after one target")

    @property
    def audit(self) -> str:
        """The ways in which the claims were checked, each once; empty without claims."""
        return "; ".join(dict.fromkeys(self.audits))

    @property
    def decider(self) -> str:
        """The engine that gave the answer, one of a portfolio's too; or `reductions`."""
        return self.statistics.engine or self.engine

    # Reports are imported where one is shown: most programs show none.

    def __str__(self) -> str:
        from petricheck.explanation.text import BRIEF
        from petricheck.questions.report import report_lines

        return "\n".join(report_lines(self, BRIEF))

    def __repr__(self) -> str:
        return f"<Finding {self.question.kind}: {self.headline}>"

    def _repr_html_(self) -> str:
        from petricheck.questions.notebook import report_html

        return report_html(self)


def finding_of(question: Question, verdict: Verdict) -> Finding:
    """Return the finding of an audited answer about the question's target."""
    proved = verdict.claims(question.target)
    return _finding(question, proved, _conclude(question, proved), verdict)


def answer(question: Question, study: Study) -> Finding:
    """Search as long as the study's budget lasts, and conclude.

    Raises:
        InternalError: evidence failed the audit.
    """
    ((_, finding),) = answer_all([question], study)
    return finding


def answer_all(questions: Sequence[Question], study: Study) -> Iterator[tuple[int, Finding]]:
    """The same for questions of one kind, in searches that they may share.

    Yields:
        The number of a question with what it comes to, as soon as it is answered; those that are
        not at the end.

    Raises:
        InternalError: evidence failed the audit; of the questions that are left nothing is told.
    """
    left = dict(enumerate(questions))
    ended: Answer | None = None
    try:
        prepare(study.net, study.budget)
        ended = yield from _as_answered(left, study)
        if ended is None:
            study.budget.check()
    except (BudgetExhausted, MemoryError) as error:
        ended = exhausted(error)
    for number, question in left.items():
        yield number, so_far(question, study, ended or _NOTHING_LEFT)


def _as_answered(
    left: dict[int, Question], study: Study
) -> Generator[tuple[int, Finding], None, Answer | None]:
    """Questions as soon as they are answered, which are then no longer left; how it ended."""
    contents = [question.content for question in left.values()]
    search = kind_of(left[0].kind).search_each(study, contents)
    while True:
        try:
            number = next(search)
        except StopIteration as end:
            ended: Answer | None = end.value
            return ended
        yield number, so_far(left.pop(number), study, _NOTHING_LEFT)


def so_far(question: Question, study: Study, ended: Answer) -> Finding:
    """Return the finding that follows from the claims proved so far, where a search ended so."""
    proved, began = tuple(study.proved), time.monotonic()
    conclusion = _conclude(question, proved)
    # What is told at a limit has to be at hand at once, also of large nets.
    if len(proved) <= _SPARED and len(proved) * (time.monotonic() - began) <= _SPARING:
        proved = _needed(question, proved, conclusion)
    engine = "" if question.target is None else study.setting.name
    if isinstance(ended, Unknown) and study.undecided not in ended.reason:
        ended = replace(ended, reason=f"{ended.reason}; {study.undecided}")
    return _finding(question, proved, conclusion, Verdict(ended, "", engine, *study.clock.read()))


def _finding(question: Question, proved: Proved, conclusion: Conclusion, ended: Verdict) -> Finding:
    proved = tuple(sorted(proved, key=lambda pair: _ORDER.index(type(pair[0]))))
    unknown = ended.answer if isinstance(ended.answer, Unknown) else _NOTHING_LEFT
    return Finding(
        question,
        conclusion,
        tuple(claim for claim, _ in proved),
        tuple(audit for _, audit in proved),
        None if conclusion.complete else unknown,
        ended.engine,
        ended.answer.statistics,
        ended.seconds,
        ended.cpu_seconds,
    )


def _conclude(question: Question, proved: Proved) -> Conclusion:
    return question.conclude([claim for claim, _ in proved])


def _needed(question: Question, proved: Proved, conclusion: Conclusion) -> Proved:
    """Claims that suffice for the conclusion; those that were proved first are left out first."""
    needed, end = proved, time.monotonic() + _SPARING
    for pair in proved:
        if time.monotonic() > end:
            break
        others = tuple(other for other in needed if other is not pair)
        if _conclude(question, others) == conclusion:
            needed = others
    return needed
