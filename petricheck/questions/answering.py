"""Searches for the answers of questions, and the findings that follow from what they prove."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace

from petricheck.evidence.answer import Answer, Unknown
from petricheck.evidence.claims import (
    Excluded,
    ExcludedAfter,
    ExcludedWith,
    Home,
    Pumped,
    ReachabilitySet,
    Reached,
)
from petricheck.questions.checking import Proved, Verdict, exhausted, prepare
from petricheck.questions.finding import Finding
from petricheck.questions.kind import Conclusion, kind_of
from petricheck.questions.question import Question
from petricheck.questions.study import Study
from petricheck.support.errors import BudgetExhausted, refusing_faults

_ORDER = (Reached, Pumped, Excluded, ExcludedAfter, ExcludedWith, Home, ReachabilitySet)
"""The order in which claims are listed."""

_MOST_CLAIMS = 100
"""Of more claims none is removed, even where some of them suffice."""

_SECONDS = 0.5
"""Seconds for removing claims: limits and interruptions wait for the answer meanwhile."""

_NOTHING_LEFT = Unknown("nothing is left to try", "another engine may settle more")


def finding_of(question: Question, verdict: Verdict) -> Finding:
    """Return the finding of an audited answer about the question's target."""
    proved = verdict.claims(question.target)
    return _finding(question, proved, _conclude(question, proved), verdict)


def answer(question: Question, study: Study) -> Finding:
    """Search as long as the study's budget lasts, and conclude.

    Raises:
        InternalError: the search failed, or evidence the audit.
    """
    ((_, finding),) = answer_all([question], study)
    return finding


def answer_all(questions: Sequence[Question], study: Study) -> Iterator[tuple[int, Finding]]:
    """Answer questions of one kind, in searches that they may share.

    Yields:
        The number of a question with its finding, as soon as it is answered; the open ones at last.

    Raises:
        InternalError: the search failed, or evidence the audit; the remaining questions have no
            finding.
    """
    unanswered = dict(enumerate(questions))
    outcome: Answer | None = None
    try:
        with refusing_faults("the search"):
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
