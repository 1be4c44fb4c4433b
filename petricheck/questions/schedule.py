"""The order in which questions about one net are answered, within one budget.

An engine that decides several targets together (`Deciding`) has all the time for them. An engine
that searches for several at once (`Sharing`) has half of it, and the targets that it leaves open
are decided one after the other. Questions of other kinds follow; those of one kind share searches.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol, TypeAlias

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.evidence.answer import Unknown
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.questions.answering import answer, answer_all, so_far
from petricheck.questions.checking import DEFAULT_ENGINE, Checker, Setting
from petricheck.questions.finding import Finding
from petricheck.questions.question import Question, plain, question_of
from petricheck.questions.study import Study
from petricheck.support.budget import Budget, Shares
from petricheck.support.errors import InternalError, QueryError

if TYPE_CHECKING:
    from petricheck.formats.libraries.libraries import AnyNet

Outcome: TypeAlias = tuple[int, Finding | InternalError]
"""The number of a question, and its finding or the error where its evidence failed the audit."""


class Limits(Protocol):
    """A function that makes budgets for the steps of a schedule."""

    def __call__(
        self, seconds: float | None, patience: float, numbers: Sequence[int]
    ) -> AbstractContextManager[Budget]:
        """Return a budget of so many seconds from now on.

        Args:
            seconds: the limit on a step, or None.
            patience: seconds more for computations that do not check the budget.
            numbers: of the questions that the step is for.
        """


@dataclass(eq=False)
class Schedule:
    """Questions about one net, and the state of their search.

    Attributes:
        questions: about one net, in the order of the user.
        setting: the engine and the audit.
        times: how many seconds the questions have.
        limits: makes the budget of each step.
        brief: whether the verdicts suffice, without all places or transitions that they are about.
    """

    questions: Sequence[Question]
    setting: Setting
    times: Shares
    limits: Limits
    brief: bool = False
    _studies: dict[int, Study] = field(default_factory=dict, init=False)

    @property
    def proved(self) -> int:
        """The number of claims proved by the studies that have begun."""
        return sum(len(study.proved) for study in dict.fromkeys(self._studies.values()))

    def so_far(self, number: int, unknown: Unknown) -> Finding:
        """Return the proved part of a question's answer; an open one is `unknown`."""
        question = self.questions[number]
        study = self._studies.get(number) or Study(question.net, self.setting, Budget())
        return so_far(question, study, unknown)

    def findings(self) -> Generator[Outcome, None, None]:
        """Yield the answer to each question as soon as it is decided."""
        targets = [n for n, question in enumerate(self.questions) if question.target is not None]
        if targets:
            yield from self._decide(targets)
        for kind in dict.fromkeys(q.kind for q in self.questions if q.target is None):
            numbers = [n for n, question in enumerate(self.questions) if question.kind == kind]
            yield from self._answer(numbers, self.times.remaining())

    def _decide(self, targets: Sequence[int]) -> Iterator[Outcome]:
        """Decide the targets."""
        checker = self.setting.checker()
        if checker.takes_all:
            yield from self._answer(targets, self.times.remaining(), checker)
            return
        remaining = dict.fromkeys(targets)
        if len(targets) > 1:
            for number, outcome in self._answer(
                targets, self.times.together(), checker, partly=True
            ):
                del remaining[number]
                yield number, outcome
        for position, number in enumerate(remaining):
            seconds = self.times.own(len(remaining) - position)
            yield from self._answer([number], seconds, checker)

    def _answer(
        self,
        numbers: Sequence[int],
        seconds: float | None,
        checker: Checker | None = None,
        *,
        partly: bool = False,
    ) -> Iterator[Outcome]:
        """Answer questions of one kind, or about targets; those in part that one search decides."""
        # A search for a part of them that takes longer delays the others but ends nothing.
        patience = (seconds or 0.0) if partly else 0.0
        with self.limits(seconds, patience, numbers) as budget:
            questions = [self.questions[number] for number in numbers]
            study = Study(questions[0].net, self.setting, budget, self.brief, checker)
            self._studies |= dict.fromkeys(numbers, study)
            for position, outcome in answer_all(questions, study, partly=partly):
                yield numbers[position], outcome


def check(
    question: Question | Problem | AnyNet,
    target: Formula | None = None,
    *,
    engine: str = DEFAULT_ENGINE,
    options: Mapping[str, str] | None = None,
    budget: Budget | None = None,
    second_solver: bool = False,
) -> Finding:
    """Answer a question; all claims that the answer follows from have passed the audit.

    Args:
        question: from `ask`; or a problem; or a net, as `ask` takes it, together with a target.
        target: with a net, a formula over its place ids.
        engine: name of the engine, maybe with options: 'cegar:guide=lattice'.
        options: the engine's options as text.
        budget: limits; none by default.
        second_solver: whether cvc5 checks the obligations of certificates as well.

    Raises:
        QueryError: no such engine or option.
        InternalError: evidence failed the audit; there is no answer.
    """
    if isinstance(question, Question | Problem):
        posed = _question(question.net, question)
    elif target is None:
        raise QueryError("a net needs a target to be checked for")
    else:
        posed = question_of(plain(question), target)
    setting = Setting(engine, options or {}, second_solver)
    study = Study(posed.net, setting, budget or Budget(), checker=setting.checker())
    return answer(posed, study)


def check_all(
    net: AnyNet,
    questions: Sequence[Question | Problem | Formula],
    *,
    engine: str = DEFAULT_ENGINE,
    options: Mapping[str, str] | None = None,
    budget: Budget | None = None,
    second_solver: bool = False,
) -> Iterator[Finding]:
    """Answer several questions about one net, which share searches.

    Args:
        net: the net, as `ask` takes it.
        questions: from `ask`, or targets: formulas over its place ids.
        engine: name of the engine, maybe with options: 'cegar:guide=lattice'.
        options: the engine's options as text.
        budget: limits on each question. First a search for all of them takes up to half of the time
            that they have together; then the time of each counts from when its turn comes.
        second_solver: whether cvc5 checks the obligations of certificates as well.

    Yields:
        One finding for each question, in their order.

    Raises:
        QueryError: no such engine or option, or a question is about another net.
        InternalError: evidence failed the audit; the questions after that one are not answered.
    """
    limits, plain_net = budget or Budget(), plain(net)
    posed = [_question(plain_net, question) for question in questions]
    setting = Setting(engine, options or {}, second_solver)
    setting.checker()  # Refuses a misspelt engine also where no question needs it.
    schedule = Schedule(posed, setting, Shares(limits.seconds, len(posed)), _limits_of(limits))
    outcomes: dict[int, Finding | InternalError] = {}
    with closing(schedule.findings()) as findings:
        for number in range(len(posed)):
            while number not in outcomes:
                position, outcome = next(findings)
                outcomes[position] = outcome
            outcome = outcomes.pop(number)
            if isinstance(outcome, InternalError):
                raise outcome
            yield outcome


def _question(net: Net, question: Question | Problem | Formula) -> Question:
    """Return the question about this net.

    Raises:
        QueryError: it is about another net, for which claims about this one prove nothing.
    """
    if isinstance(question, Question | Problem) and question.net != net:
        raise QueryError(f"a question is about the net {question.net.name!r}, not {net.name!r}")
    match question:
        case Question():
            return question
        case Problem():
            return Question(net, "formula", "", question.target)
        case _:
            return question_of(net, question)


def _limits_of(budget: Budget) -> Limits:
    """Return a function that makes budgets with these limits."""

    def limits(
        seconds: float | None, patience: float, numbers: Sequence[int]
    ) -> AbstractContextManager[Budget]:
        return nullcontext(
            replace(budget, seconds=seconds, started=Budget().started, limit=budget.whole)
        )

    return limits
