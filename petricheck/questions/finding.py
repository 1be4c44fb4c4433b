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
"""The order in which claims are listed."""

_MOST_CLAIMS = 100
"""Of more claims none is removed, even where some of them suffice."""

_SECONDS = 0.5
"""Seconds for removing claims: limits and interruptions wait for the answer meanwhile."""

_NOTHING_LEFT = Unknown("nothing is left to try", "another engine may settle more")


@dataclass(frozen=True, slots=True, repr=False)
class Finding:
    """An answer that follows from claims which have passed the audit.

    Attributes:
        question: the question.
        conclusion: the answer that follows from the claims.
        claims: those that the conclusion follows from.
        audits: how each claim was checked.
        unknown: why the question has no answer; None where it has.
        engine: the engine that answered a question about one target, or was to; otherwise empty.
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
        """The answer in a few words, or the part of it that is proved."""
        return self.conclusion.headline

    @property
    def problem(self) -> Problem:
        """The problem of a question about one target.

        Raises:
            QueryError: the question is of another kind.
        """
        return self.question.problem

    @property
    def answer(self) -> Answer:
        """The verdict on the target, with its evidence, or why there is none.

        Raises:
            QueryError: the question is not about one target.
        """
        if self.question.target is None:
            raise QueryError(f"a question of kind {self.question.kind} has a value, and claims")
        if self.unknown is not None:
            return self.unknown
        # Evidence may have more claims than the one that answers the question.
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
        """The ways in which the claims were checked, without repetitions; empty without claims."""
        return "; ".join(dict.fromkeys(self.audits))

    @property
    def decider(self) -> str:
        """The engine that gave the answer, where needed one of a portfolio; or `reductions`."""
        return self.statistics.engine or self.engine

    # Reports are imported where one is shown, since most programs show none.

    def draw(self) -> str:
        """Return the net as a picture (SVG), with the question, the answer and its reason below.

        After a trace the net has the marking that the trace ends in.

        Raises:
            QueryError: the net has more than 100 places and transitions.
        """
        from petricheck.questions.notebook import draw

        return draw(self)

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
    """Answer questions of one kind, in searches that they may share.

    Yields:
        The number of a question with its finding, as soon as it is answered; the open ones at last.

    Raises:
        InternalError: evidence failed the audit; the remaining questions have no finding.
    """
    unanswered = dict(enumerate(questions))
    outcome: Answer | None = None
    try:
        prepare(study.net, study.budget)
        outcome = yield from _as_answered(unanswered, study)
        if outcome is None:
            study.budget.check()
    except (BudgetExhausted, MemoryError) as error:
        outcome = exhausted(error)
    for number, question in unanswered.items():
        yield number, so_far(question, study, outcome or _NOTHING_LEFT)


def _as_answered(
    unanswered: dict[int, Question], study: Study
) -> Generator[tuple[int, Finding], None, Answer | None]:
    """Yield the findings of questions as soon as they are answered; remove these.

    Returns:
        The engine's answer, where the question is one target.
    """
    contents = [question.content for question in unanswered.values()]
    search = kind_of(unanswered[0].kind).search_stepwise(study, contents)
    while True:
        try:
            number = next(search)
        except StopIteration as end:
            outcome: Answer | None = end.value
            return outcome
        yield number, so_far(unanswered.pop(number), study, _NOTHING_LEFT)


def so_far(question: Question, study: Study, outcome: Answer) -> Finding:
    """Return the finding that follows from the claims proved so far, where a search ended so."""
    proved, start = tuple(study.proved), time.monotonic()
    conclusion = _conclude(question, proved)
    # At a limit the finding is printed at once, also for large nets.
    if len(proved) <= _MOST_CLAIMS and len(proved) * (time.monotonic() - start) <= _SECONDS:
        proved = _needed(question, proved, conclusion)
    engine = "" if question.target is None else study.setting.name
    if isinstance(outcome, Unknown) and study.undecided not in outcome.reason:
        outcome = replace(outcome, reason=f"{outcome.reason}; {study.undecided}")
    return _finding(question, proved, conclusion, Verdict(outcome, "", engine, *study.clock.read()))


def _finding(
    question: Question, proved: Proved, conclusion: Conclusion, verdict: Verdict
) -> Finding:
    proved = tuple(sorted(proved, key=lambda pair: _ORDER.index(type(pair[0]))))
    unknown = verdict.answer if isinstance(verdict.answer, Unknown) else _NOTHING_LEFT
    return Finding(
        question,
        conclusion,
        tuple(claim for claim, _ in proved),
        tuple(audit for _, audit in proved),
        None if conclusion.complete else unknown,
        verdict.engine,
        verdict.answer.statistics,
        verdict.seconds,
        verdict.cpu_seconds,
    )


def _conclude(question: Question, proved: Proved) -> Conclusion:
    return question.conclude([claim for claim, _ in proved])


def _needed(question: Question, proved: Proved, conclusion: Conclusion) -> Proved:
    """Return claims that suffice for the conclusion; later claims are preferred."""
    needed, end = proved, time.monotonic() + _SECONDS
    for pair in proved:
        if time.monotonic() > end:
            break
        others = tuple(other for other in needed if other is not pair)
        if _conclude(question, others) == conclusion:
            needed = others
    return needed
