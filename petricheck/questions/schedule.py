"""The order in which questions about one net are answered, within one budget.

An engine that decides several targets together (`Deciding`) has all the time for them. An engine
that searches for several at once (`Sharing`) has half of it, and the targets that it leaves open
are decided one after the other. Questions of one other kind share searches. Of questions that do
not share any, each has its share of the time, in the order in which the user asks first.

A huge coloured net is walked through, and analysed without its colours first, for a part of the
time. What stays open is decided on its unfolding.
"""

from __future__ import annotations

import math
import os
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from petricheck.arithmetic.formulas.formulas import TRUE, Formula
from petricheck.engines import isolated
from petricheck.evidence.answer import Unknown
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.questions.answering import answer, answer_again, answer_all, so_far
from petricheck.questions.checking import DEFAULT_ENGINE, Checker, Setting
from petricheck.questions.finding import Finding
from petricheck.questions.question import Question, plain, question_of, with_earlier
from petricheck.questions.study import Study
from petricheck.support.arguments import require_type
from petricheck.support.budget import Budget, Shares, require_budget
from petricheck.support.errors import BudgetExhausted, InputError, InternalError, QueryError

if TYPE_CHECKING:
    from petricheck.formats.libraries.libraries import AnyNet

SKELETON = 3, 60.0
"""A huge net gets one part in so many of the time without its colours, and at most so many seconds.
A smaller one gets a share of this, and of what follows, but for `FIRST_COUNTING`."""

SHORT_WALK, WALK_OF_TOTALS, LONG_WALK = (20, 1.0), (12, 6.0), (6, 10.0)
"""Before that, and after it, walks get one part in so many of the time, and at most so many
seconds."""

FIRST_COUNTING, COUNTING = (20, 3.0), (4, 30.0)
"""After the first walk, and after the last, proofs by classes of colours get one part in so many,
and so many seconds at most; at first, colours that nothing tells apart are in one class."""

UNFOLDING_PART = 2
"""Then a net is unfolded, for targets within one part in so many of the remaining time."""

_NO_TOTALS = Unknown("without colours nothing follows about it")

Outcome: TypeAlias = Finding | Unknown | InternalError


@dataclass(frozen=True, slots=True)
class Started:
    """A step of the schedule begins, for these questions, within these limits.

    The patience is seconds more for computations that do not look at the budget.
    """

    numbers: Sequence[int]
    budget: Budget
    patience: float = 0.0


@dataclass(frozen=True, slots=True)
class UnfoldingStarted:
    """A net is unfolded for the questions that are open without its colours."""

    numbers: Sequence[int]
    budget: Budget


@dataclass(frozen=True, slots=True)
class Answered:
    """A question has its answer, or the search for it has ended.

    The outcome is its finding; the reason where it was refused; or the error where the program is
    to blame that there is none.
    """

    number: int
    outcome: Outcome


_Value = TypeVar("_Value")

Event: TypeAlias = Started | UnfoldingStarted | Answered


@dataclass(eq=False)
class Schedule:
    """Questions about one net, and the state of their search.

    Attributes:
        questions: about one net, in the order of the user, or why one is refused; of a net without
            colours, those that stay open become questions about the unfolding.
        setting: the engine and the audit.
        times: how many seconds the questions have.
        budget: limits on all together.
        brief: whether the verdicts suffice, without all places or transitions that they are about.
        in_full: the kinds of questions that are answered with these even so.
        unfold: makes the questions about the unfolding, where these are about a net without its
            colours; None otherwise.
        share: what is done without colours has such a part of its longest time.
    """

    questions: Sequence[Question | Unknown]
    setting: Setting
    times: Shares
    budget: Budget = field(default_factory=Budget)
    brief: bool = False
    in_full: Set[str] = frozenset()
    unfold: Callable[[Budget], Sequence[Question | Unknown]] | None = None
    share: float = 1.0
    _studies: dict[int, Study] = field(default_factory=dict, init=False)
    _earlier: dict[int, Study] = field(default_factory=dict, init=False)

    @property
    def proved(self) -> int:
        """The number of claims proved by the studies that have begun."""
        return sum(len(study.proved) for study in dict.fromkeys(self._studies.values()))

    def so_far(self, number: int, unknown: Unknown) -> Finding | Unknown:
        """Return the proved part of a question's answer; an open one is `unknown`."""
        question = self.questions[number]
        if isinstance(question, Unknown):  # Of a net without colours it may be asked later.
            return question if self.unfold is None else unknown
        study = self._studies.get(number)
        if study is None:
            return Finding(question, question.conclude(()), (), (), unknown)
        return so_far(question, study, unknown)

    def events(self) -> Generator[Event, None, None]:
        """Answer the questions; yield what happens, and each answer as soon as there is one."""
        if self.unfold is None:
            yield from self._pass(range(len(self.questions)), self.times, self.budget)
            return
        asked = dict.fromkeys(range(len(self.questions)))
        yield from self._reuse(asked, self.times, self.budget)
        yield from self._walk(asked, *self._shared(SHORT_WALK))
        yield from self._count(asked, *FIRST_COUNTING, first=True)
        yield from self._walk(asked, *self._shared(WALK_OF_TOTALS), colours=False)
        times = self.times.part(*self._shared(SKELETON))
        limits = self.budget.part(*self._shared(SKELETON))
        remaining = {number: Answered(number, _NO_TOTALS) for number in self._without_totals(asked)}
        for event in self._pass([n for n in asked if n not in remaining], times, limits):
            if isinstance(event, Answered) and _is_open(event.outcome):
                remaining[event.number] = event
            else:
                yield event
        yield from self._walk(remaining, *self._shared(LONG_WALK))
        yield from self._count(remaining, *self._shared(COUNTING))
        if not remaining:
            return
        try:
            limits = self._within(self.times.remaining(), self.budget)
            yield UnfoldingStarted([*remaining], limits)
            questions = [*self.questions]
            part = limits.part(UNFOLDING_PART) if self._targets(remaining) else limits
            for number, question in enumerate(self.unfold(part)):
                questions[number] = question
        except (BudgetExhausted, InputError) as error:
            # Only the analysis without colours remains.
            yield from self._walk(remaining, 1, math.inf)
            yield from (_with_remark(event, f"; {error}") for event in remaining.values())
            return
        self.questions, self._studies, self._earlier, self.unfold = questions, {}, {}, None
        yield from self._pass([*remaining], self.times, self.budget)

    def _shared(self, longest: tuple[int, float]) -> tuple[float, float]:
        """Return the share of a part of the time, and of seconds."""
        part, seconds = longest
        return part / self.share, seconds * self.share

    def _walk(
        self, numbers: dict[int, _Value], part: float, most: float, *, colours: bool = True
    ) -> Iterator[Event]:
        """Search for traces to targets by walks, with or without colours; as `_search`."""
        from petricheck.questions.walking import walked  # Few nets are coloured.

        yield from self._search(partial(walked, colours=colours), numbers, part, most)

    def _count(
        self, numbers: dict[int, _Value], part: float, most: float, *, first: bool = False
    ) -> Iterator[Event]:
        """Search for proofs that targets are excluded, by classes of colours; as `_search`."""
        from petricheck.questions.class_counting import excluded_by_classes

        yield from self._search(partial(excluded_by_classes, first=first), numbers, part, most)

    def _search(
        self,
        search: Callable[[Sequence[Question], Study], Iterator[tuple[int, Finding]]],
        numbers: dict[int, _Value],
        part: float,
        most: float,
    ) -> Iterator[Event]:
        """Answer questions about targets of a skeleton by a search; remove what is answered.

        The search has one part in so many of the time, and at most so many seconds. A failure ends
        it alone.
        """
        asked = self._targets(numbers)
        budget = self._within(self.times.remaining(), self.budget).part(part, most)
        if not asked or budget.remaining == math.inf:
            return
        yield Started([number for number, _ in asked], budget)
        study = Study(asked[0][1].net, self.setting, budget, self.brief)
        with isolated("", study.budget.watch):
            for position, finding in search([question for _, question in asked], study):
                del numbers[asked[position][0]]
                yield Answered(asked[position][0], finding)

    def _without_totals(self, numbers: Iterable[int]) -> Iterator[int]:
        """Yield those of the targets of a skeleton of which no totals are needed."""
        from petricheck.questions.lifting import searched_target  # Few nets are coloured.

        for number, question in self._targets(numbers):
            if searched_target(question.net, question.target or TRUE) == TRUE:
                yield number

    def _targets(self, numbers: Iterable[int]) -> list[tuple[int, Question]]:
        """Return those of the questions that are about a target, with their numbers."""
        asked = [(n, q) for n in numbers if isinstance(q := self.questions[n], Question)]
        return [(n, q) for n, q in asked if q.target is not None]

    def _pass(self, numbers: Sequence[int], times: Shares, limits: Budget) -> Iterator[Event]:
        """Answer these questions, within these limits on each and on all together."""
        asked = {number: self.questions[number] for number in numbers}
        yield from self._reuse(asked, times, limits)
        questions = {n: q for n, q in asked.items() if isinstance(q, Question)}
        groups: defaultdict[str, list[int]] = defaultdict(list)
        for number, question in questions.items():
            groups["" if question.target is not None else question.kind].append(number)
        left = len(questions)
        for kind, alike in groups.items():
            share = times if len(groups) == 1 else times.some(len(alike), left)
            if kind:
                yield from self._answer(alike, self._within(share.remaining(), limits))
            else:
                yield from self._decide(alike, share, limits)
            left -= len(alike)
        yield from (Answered(n, q) for n, q in asked.items() if isinstance(q, Unknown))

    def _reuse(self, numbers: dict[int, _Value], times: Shares, limits: Budget) -> Iterator[Event]:
        """Answer questions by earlier evidence, before any search; remove what is answered."""
        for number in [n for n in numbers if n not in self._earlier]:
            question = self.questions[number]
            if not isinstance(question, Question) or not question.earlier:
                continue
            budget = self._within(times.own(len(numbers)), limits)
            yield Started([number], budget)
            brief = self.brief and question.kind not in self.in_full
            study = Study(question.net, self.setting, budget, brief)
            self._earlier[number] = self._studies[number] = study
            if (finding := answer_again(question, study)) is not None:
                del numbers[number]
                yield Answered(number, finding)

    def _decide(self, targets: Sequence[int], times: Shares, limits: Budget) -> Iterator[Event]:
        """Decide the targets."""
        checker = self.setting.checker()
        if checker.takes_all:
            yield from self._answer(targets, self._within(times.remaining(), limits), checker)
            return
        remaining = dict.fromkeys(targets)
        if len(targets) > 1:
            together = self._within(times.together(), limits)
            for event in self._answer(targets, together, checker, partly=True):
                if isinstance(event, Answered):
                    del remaining[event.number]
                yield event
        for position, number in enumerate(remaining):
            own = self._within(times.own(len(remaining) - position), limits)
            yield from self._answer([number], own, checker)

    def _answer(
        self,
        numbers: Sequence[int],
        budget: Budget,
        checker: Checker | None = None,
        *,
        partly: bool = False,
    ) -> Iterator[Event]:
        """Answer questions of one kind, or about targets; those in part that one search decides."""
        # A search for a part of them that takes longer delays the others but ends nothing.
        patience = budget.remaining if partly and budget.seconds is not None else 0.0
        yield Started(numbers, budget, patience)
        questions = [q for n in numbers if isinstance(q := self.questions[n], Question)]
        brief = self.brief and questions[0].kind not in self.in_full
        study = Study(questions[0].net, self.setting, budget, brief, checker)
        for study_of_earlier in (self._earlier[n] for n in numbers if n in self._earlier):
            study.include(study_of_earlier)
        if questions[0].target is None:
            self._studies |= dict.fromkeys(numbers, study)
        for position, outcome in answer_all(questions, study, partly=partly):
            yield Answered(numbers[position], outcome)

    @staticmethod
    def _within(seconds: float | None, limits: Budget) -> Budget:
        """Return a budget that begins now, of so many seconds at most."""
        if seconds is None:
            return limits
        part = limits.within(seconds)
        return replace(part, seconds=part.remaining, started=limits.clock(), limit=part.whole)


def _is_open(outcome: Outcome) -> bool:
    return not isinstance(outcome, Finding) or outcome.unknown is not None


def _with_remark(event: Answered, remark: str) -> Answered:
    """Return the event, with a remark after the reason why the question is open."""
    match event.outcome:
        case Unknown(reason) as unknown:
            return replace(event, outcome=replace(unknown, reason=f"{reason}{remark}"))
        case Finding(unknown=Unknown(reason) as unknown) as finding:
            unknown = replace(unknown, reason=f"{reason}{remark}")
            return replace(event, outcome=replace(finding, unknown=unknown))
    return event


def check(
    question: Question | Problem | AnyNet,
    target: Formula | None = None,
    *,
    engine: str = DEFAULT_ENGINE,
    options: Mapping[str, str] | None = None,
    budget: Budget | None = None,
    second_solver: bool = False,
    earlier: str | os.PathLike[str] | Finding | None = None,
) -> Finding:
    """Answer a question; all claims that the answer follows from have passed the audit.

    Args:
        question: from `ask`; or a problem; or a net, as `ask` takes it, together with a target.
        target: with a net, a formula over its place ids.
        engine: name of the engine, maybe with options: 'cegar:guide=lattice'.
        options: the engine's options as text.
        budget: limits; none by default.
        second_solver: whether cvc5 checks the obligations of certificates as well.
        earlier: a finding about an earlier version of the net, or a file of its evidence; its
            claims are tried before any search.

    Raises:
        QueryError: no such engine or option, or there is no question.
        InputError: the net is none, an argument is of a wrong type, or the file is no evidence.
        InternalError: evidence failed the audit; there is no answer.
    """
    setting, limits = _checked_setting(engine, options, budget, second_solver)
    if not isinstance(question, Question | Problem):
        net = plain(question)
        if target is None:
            raise QueryError("a net alone is no question; ask one: check(ask(net, deadlock=True))")
        posed = question_of(net, target)
    elif target is None:
        posed = _question(question.net, question)
    else:
        raise QueryError("this question has its own target; ask for another with the net alone")
    if isinstance(earlier, Finding):
        posed = replace(posed, earlier=earlier.claims)
    elif earlier is not None:
        require_type(earlier, str | os.PathLike, "earlier= is a finding, or a file of evidence")
        posed = with_earlier(posed, os.fspath(earlier))
    study = Study(posed.net, setting, limits, checker=setting.checker())
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
        InputError: the net is none, or an argument is of a wrong type.
        InternalError: evidence failed the audit; the questions after that one are not answered.
    """
    setting, limits = _checked_setting(engine, options, budget, second_solver)
    plain_net = plain(net)
    require_type(questions, Iterable, "the questions are a list")
    posed = [_question(plain_net, question) for question in questions]
    setting.checker()  # Refuses a misspelt engine also where no question needs it.
    whole = replace(limits, seconds=None, limit=limits.whole)
    schedule = Schedule(posed, setting, Shares(limits.seconds, len(posed)), whole)
    outcomes: dict[int, Outcome] = {}
    with closing(schedule.events()) as events:
        for number in range(len(posed)):
            while number not in outcomes:
                event = next(events)
                if isinstance(event, Answered):
                    outcomes[event.number] = event.outcome
            outcome = outcomes.pop(number)
            if isinstance(outcome, InternalError):
                raise outcome
            assert isinstance(outcome, Finding)
            yield outcome


def _checked_setting(
    engine: str, options: Mapping[str, str] | None, budget: Budget | None, second_solver: bool
) -> tuple[Setting, Budget]:
    """Return the setting and the limits; InputError for arguments of a wrong type."""
    require_budget(budget)
    require_type(second_solver, bool, "second_solver is True or False")
    return Setting(engine, {} if options is None else options, second_solver), budget or Budget()


def _question(net: Net, question: Question | Problem | Formula) -> Question:
    """Return the question about this net; QueryError for one about another net."""
    if isinstance(question, Question | Problem) and question.net != net:
        raise QueryError(f"a question is about the net {question.net.name!r}, not {net.name!r}")
    match question:
        case Question():
            return question
        case Problem():
            return Question(net, "formula", "", question.target)
        case _:
            return question_of(net, question)
