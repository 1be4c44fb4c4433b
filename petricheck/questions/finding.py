"""What a question comes to: the answer, the claims it follows from, and how these were checked."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from petricheck.answer import Answer, Reachable, Statistics, Unknown, Unreachable
from petricheck.budget import Budget
from petricheck.claims import Claim, Excluded, Pumped, Reached, claim_of
from petricheck.errors import BudgetExhausted, QueryError
from petricheck.problem import Problem
from petricheck.questions.answers import Value
from petricheck.questions.checking import Verdict, exhausted
from petricheck.questions.kind import Conclusion, Kind, Sharing, kind_of
from petricheck.questions.question import Question
from petricheck.questions.study import Study

_ORDER = (Reached, Pumped, Excluded)
"""In which claims are listed."""

_SPARED = 100
"""Of more claims all are kept, even where some of them suffice."""

_SPARING = 0.5
"""Seconds after which the others are kept as well: limits and interruptions wait for the answer."""

_NOTHING_LEFT = Unknown("nothing is left to try", "another engine may settle more")

Proved = tuple[tuple[Claim, str], ...]
"""Claims, and how each was checked."""


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
        match self.claims:
            case (Reached(trace),):
                return Reachable(trace, self.statistics)
            case (Excluded(_, certificate),):
                return Unreachable(certificate, self.statistics)
            case _:
                assert self.unknown is not None
                return self.unknown

    @property
    def audit(self) -> str:
        """How the claims were checked, each way once; empty without any."""
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
    """What an audited answer about the question's target comes to."""
    assert question.target is not None
    answer = verdict.answer
    unknown = answer if isinstance(answer, Unknown) else None
    claims = () if isinstance(answer, Unknown) else (claim_of(question.target, answer),)
    return Finding(
        question,
        kind_of(question.kind).conclude(question.net, question.content, claims),
        claims,
        (verdict.audit,) if claims else (),
        unknown,
        verdict.engine,
        answer.statistics,
        verdict.seconds,
        verdict.cpu_seconds,
    )


def answer(question: Question, study: Study) -> Finding:
    """Search as long as the study's budget lasts, and conclude.

    Raises:
        InternalError: evidence failed the audit.
    """
    (finding,) = answer_all([question], study)
    return finding


def answer_all(questions: Sequence[Question], study: Study) -> tuple[Finding, ...]:
    """The same for questions of one kind, in searches that they share where it is `Sharing`.

    Raises:
        InternalError: evidence failed the audit.
    """
    kind = kind_of(questions[0].kind)
    ended: Answer | None = None
    try:
        if isinstance(kind, Sharing):
            kind.search_together(study, [question.content for question in questions])
        else:
            for question in questions:
                ended = kind.search(study, question.content)
        if ended is None:
            study.budget.check()
    except (BudgetExhausted, MemoryError) as error:
        ended = exhausted(error)
    return tuple(so_far(question, study, ended or _NOTHING_LEFT) for question in questions)


def so_far(question: Question, study: Study, ended: Answer) -> Finding:
    """What follows from what is proved by now.

    Args:
        question: what is asked.
        study: what is proved.
        ended: what the search came to, or what stopped it.
    """
    kind, proved, began = kind_of(question.kind), study.proved, time.monotonic()
    conclusion = _conclude(kind, question, proved)
    # What is told at a limit has to be at hand at once, also of large nets.
    if len(proved) <= _SPARED and len(proved) * (time.monotonic() - began) <= _SPARING:
        proved = _needed(kind, question, proved, conclusion)
    proved = tuple(sorted(proved, key=lambda pair: _ORDER.index(type(pair[0]))))
    unknown = ended if isinstance(ended, Unknown) else _NOTHING_LEFT
    seconds, cpu_seconds = study.clock.read()
    return Finding(
        question,
        conclusion,
        tuple(claim for claim, _ in proved),
        tuple(audit for _, audit in proved),
        None if conclusion.complete else unknown,
        "" if question.target is None else study.engine,
        ended.statistics,
        seconds,
        cpu_seconds,
    )


def _conclude(kind: Kind, question: Question, proved: Proved) -> Conclusion:
    return kind.conclude(question.net, question.content, [claim for claim, _ in proved])


def _needed(kind: Kind, question: Question, proved: Proved, conclusion: Conclusion) -> Proved:
    """Claims that suffice for the conclusion; those that were proved first are left out first."""
    needed, end = list(proved), time.monotonic() + _SPARING
    for pair in proved:
        if time.monotonic() > end:
            break
        others = [other for other in needed if other is not pair]
        if _conclude(kind, question, tuple(others)) == conclusion:
            needed = others
    return tuple(needed)


def unanswered(question: Question, unknown: Unknown, budget: Budget | None = None) -> Finding:
    """The finding where nothing is proved."""
    conclusion = kind_of(question.kind).conclude(question.net, question.content, ())
    elapsed = 0.0 if budget is None else budget.elapsed
    return Finding(question, conclusion, (), (), unknown, seconds=elapsed)
