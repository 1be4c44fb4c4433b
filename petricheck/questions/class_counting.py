"""Proofs by nets that count tokens by classes of colours, for questions about a skeleton.

First colours that nothing tells apart are in one class each; then more and more of them are classes
of their own.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, suppress

from petricheck.arithmetic.formulas.formulas import Formula, tighten
from petricheck.evidence.answer import Unknown, Unreachable
from petricheck.evidence.audit.colours.class_counts import Apart, ClassCounts
from petricheck.evidence.audit.colours.counted_formulas import (
    class_counts,
    counted_formula,
    named_colours,
)
from petricheck.evidence.certificates.classes import ColourClasses
from petricheck.evidence.claims import Excluded
from petricheck.model.coloured.sorts import Sort
from petricheck.model.problem import Problem
from petricheck.questions.answering import so_far
from petricheck.questions.checking import Audited, Checker, prepare
from petricheck.questions.finding import Finding
from petricheck.questions.question import Question
from petricheck.questions.study import Study
from petricheck.support.budget import Budget, watched
from petricheck.support.errors import BudgetExhausted, InternalError

STEPS = Apart(0), Apart(1), Apart(2), Apart(1, 64)
"""The colours that are classes of their own, in the order in which these are tried."""

_NO_PROOF = Unknown("no proof was found by classes of colours", "another engine may settle more")


def excluded_by_classes(
    questions: Sequence[Question], study: Study, *, first: bool = False
) -> Iterator[tuple[int, Finding]]:
    """Yield the number of a question about a target with its finding, where it is excluded.

    Args:
        questions: about a skeleton.
        study: about it.
        first: whether only the first of the steps is tried.

    Raises:
        InternalError: evidence was refused.
    """
    left, tried = dict(enumerate(questions)), set[tuple[object, ...]]()
    with suppress(BudgetExhausted):
        prepare(study.net, study.budget)
        steps = STEPS[:1] if first else STEPS
        for position, apart in enumerate(steps):
            step = study.budget.part(len(steps) - position)
            groups = _by_named_colours(left, study)
            for turn, (named, group) in enumerate(groups.items()):
                budget = step.part(len(groups) - turn)
                with study.budget.tolerate_overruns():
                    counts = class_counts(study.net, apart, named, budget)
                    if (named, counts.sizes) in tried:  # There are no more colours of that kind.
                        continue
                    tried.add((named, counts.sizes))
                    for number in _excluded(group, counts, apart, study, budget):
                        yield number, so_far(left.pop(number), study, _NO_PROOF)
            if not left:
                return


def _by_named_colours(
    questions: Mapping[int, Question], study: Study
) -> dict[frozenset[tuple[Sort, int]], dict[int, Question]]:
    """Return the questions by the colours that their targets name; the audit sees one target."""
    groups: dict[frozenset[tuple[Sort, int]], dict[int, Question]] = {}
    for number, question in questions.items():
        named = frozenset(named_colours(study.net, [_target(question)]))
        groups.setdefault(named, {})[number] = question
    return groups


def _excluded(
    questions: Mapping[int, Question],
    counts: ClassCounts,
    apart: Apart,
    study: Study,
    budget: Budget,
) -> Iterator[int]:
    """Yield the numbers of questions whose targets are excluded; the study has the claims."""
    numbers = [*questions]
    targets = [_target(question) for question in questions.values()]
    problems = [
        Problem(counts.net, tighten(counted_formula(study.net, counts, target)))
        for target in watched(targets, budget, 1)
    ]
    with closing(_results(study.setting.checker(), problems, budget)) as results:
        for position, result in results:
            if isinstance(result, InternalError):
                raise result
            if isinstance(result.answer, Unreachable):
                classes = ColourClasses(*apart, result.answer.certificate)
                study.prove(Excluded(targets[position], classes), budget)
                yield numbers[position]


def _results(
    checker: Checker, problems: Sequence[Problem], budget: Budget
) -> Generator[tuple[int, Audited | InternalError], None, None]:
    if checker.takes_all:
        yield from checker.check_together(problems, budget)
        return
    for number, problem in enumerate(problems):
        yield number, checker.check(problem, budget.part(len(problems) - number))


def _target(question: Question) -> Formula:
    assert question.target is not None
    return question.target
