"""Searches for the answers of questions, and the findings that follow from what they prove."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from petricheck.engines import EARLIER
from petricheck.evidence.answer import Answer, Statistics, Unknown
from petricheck.evidence.claims import presentation_of
from petricheck.questions.checking import Clock, Proved, exhausted, prepare
from petricheck.questions.finding import Finding
from petricheck.questions.kind import Conclusion, kind_of
from petricheck.questions.question import Question
from petricheck.questions.study import Study
from petricheck.support.errors import BudgetExhausted, InternalError, refusing_faults

_MOST_CLAIMS = 100
"""Of more claims none is removed, even where some of them suffice."""

_SECONDS = 0.5
"""Seconds for removing claims: limits and interruptions wait for the answer meanwhile."""

_NOTHING_LEFT = Unknown("nothing is left to try", "another engine may settle more")


def answer(question: Question, study: Study) -> Finding:
    """Search as long as the study's budget lasts, and conclude; InternalError where that failed."""
    if (finding := answer_again(question, study)) is not None:
        return finding
    ((_, outcome),) = answer_all([question], study)
    if isinstance(outcome, InternalError):
        raise outcome
    return outcome


def answer_again(question: Question, study: Study) -> Finding | None:
    """Return the answer that follows from earlier evidence; None where a search is needed.

    The study keeps what was proved.
    """
    if not question.earlier:
        return None
    from petricheck.questions.earlier import prove_again  # Few questions have earlier evidence.

    with suppress(BudgetExhausted, InternalError):  # What follows reports them.
        prepare(study.net, study.budget)
        prove_again(question, study)
    by_claims = Unknown("the earlier evidence leaves it open", statistics=Statistics(EARLIER))
    finding = so_far(question, study, by_claims)
    conclusion = finding.conclusion
    is_answered = conclusion.complete and (study.brief or not conclusion.facts.get("open"))
    return finding if is_answered else None


def answer_all(
    questions: Sequence[Question], study: Study, *, partly: bool = False
) -> Iterator[tuple[int, Finding | InternalError]]:
    """Answer questions of one kind, or about targets, in searches that they may share.

    Yield the number of a question with its finding, as soon as it is answered, and the open ones at
    last, unless `partly`; or the error where a search failed, or evidence the audit.
    """
    unanswered = dict(enumerate(questions))
    unknown = _NOTHING_LEFT
    try:
        with refusing_faults("the search"):
            prepare(study.net, study.budget)
            contents = [question.content for question in questions]
            search = kind_of(questions[0].kind).search_stepwise(study, contents)
            for number, outcome in search:
                question = unanswered[number]
                if isinstance(outcome, InternalError):
                    finding: Finding | InternalError = outcome
                else:
                    left = _NOTHING_LEFT if outcome is None else outcome
                    finding = so_far(question, study, left)
                del unanswered[number]
                yield number, finding
                if question.target is not None:
                    study.clock = Clock()
            if unanswered:
                study.budget.check()
    except (BudgetExhausted, MemoryError) as error:
        unknown = exhausted(error)
    except InternalError as error:
        yield from ((number, error) for number in unanswered)
        return
    for number, question in unanswered.items() if not partly else ():
        yield number, so_far(question, study, unknown)


def so_far(question: Question, study: Study, outcome: Answer) -> Finding:
    """Return the finding that follows from the claims proved so far, where a search ended so."""
    start, target = time.monotonic(), question.target
    proved = tuple(study.proved) if target is None else study.proved_of(target)
    conclusion = _conclude(question, proved)
    # At a limit the finding is printed at once, also for large nets.
    if len(proved) <= _MOST_CLAIMS and len(proved) * (time.monotonic() - start) <= _SECONDS:
        proved = _needed(question, proved, conclusion)
    proved = tuple(sorted(proved, key=lambda pair: presentation_of(pair[0]).rank))
    # The answer about a target says itself why its audit did not end.
    if target is None and isinstance(outcome, Unknown) and study.undecided not in outcome.reason:
        outcome = replace(outcome, reason=f"{outcome.reason}; {study.undecided}")
    unknown = outcome if isinstance(outcome, Unknown) else _NOTHING_LEFT
    return Finding(
        question,
        conclusion,
        tuple(claim for claim, _ in proved),
        tuple(audit for _, audit in proved),
        None if conclusion.complete else unknown,
        "" if target is None else study.setting.name,
        outcome.statistics,
        *study.clock.read(),
        tuple(study.failures),
        None if question.earlier is None else sum(claim in study.reused for claim, _ in proved),
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
