"""Answers of questions about one net, printed as a command does it.

Each answer is printed as soon as it is there, so that nothing is lost if a later question takes
too long. A question that fails does not prevent the answers of others. At any time the reports
are prepared for the case that the command is ended. A huge coloured net is first analysed
without its colours, for a part of the time. What remains open is decided on the unfolding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from petricheck.commands.answers.output_forms import Form
from petricheck.commands.answers.reports import (
    NamedQuestion,
    Report,
    check_expected,
    save_evidence,
)
from petricheck.commands.shell.exit_status import Status, report_failure
from petricheck.commands.shell.files import size_text
from petricheck.commands.shell.limits import (
    ANSWER,
    INTERRUPTED,
    answer_with,
    prepare_cutoff,
    refreshed,
)
from petricheck.evidence.answer import Unknown
from petricheck.formats.nets import NetFile
from petricheck.questions import Finding, Question, Schedule, Setting, Value
from petricheck.support.budget import Budget, Shares
from petricheck.support.errors import (
    BudgetExhausted,
    Ending,
    InputError,
    InternalError,
    PetricheckError,
)
from petricheck.support.processes import supervision

_BEFORE_ITS_TURN = "the command ended before its turn"


SKELETON_PART, _SKELETON_SECONDS = 3, 60.0
"""A net without its colours gets one part in so many of the time, and at most so many seconds."""

QuestionsByNet: TypeAlias = Iterator[tuple[NetFile, Sequence[NamedQuestion]]]
"""Nets with their questions, whose order is the same for each net: a huge coloured net without its
colours, then its unfolding, which is made when it is requested."""

Limits: TypeAlias = Callable[[float | None, float], AbstractContextManager[Budget]]
"""Makes the budget of a number of seconds. What does not look at the budget gets a second number of
seconds more, before the command is ended."""


_instances: list[Answering] = []
"""These objects exist until the process ends, since freeing them one by one may take seconds."""


def answer_questions(
    nets: QuestionsByNet, times: Shares, limits: Limits, answering: Callable[..., Answering]
) -> Status:
    """Answer the questions about each net that the nets before it leave open.

    Args:
        nets: the nets with the questions.
        times: the available seconds.
        limits: makes the budgets.
        answering: makes an `Answering` of a net, questions, times and limits.
    """
    file, questions = next(nets)
    if file.colours != "none":
        return answering(file, questions, times=times, limits=limits).run()
    part = times.part(SKELETON_PART, _SKELETON_SECONDS)
    counting = answering(file, questions, times=part, limits=limits, defer_open=True)
    status = counting.run()
    if not counting.open:
        return status
    remark = ""
    try:
        with limits(times.remaining(), 0.0):
            counting.prepare_open(f" while the net was unfolded, {size_text(file)}")
            file, questions = next(nets)
    except (BudgetExhausted, InputError) as error:
        remark = f"; {error}"  # Only the analysis without colours remains.
    open_questions = [named for named in questions if named.name in counting.open]
    answered = answering(file, open_questions, times=times, limits=limits, remark=remark).run()
    return max(status, answered)


class Answering:
    """Answers questions and prints the answers."""

    def __init__(
        self,
        file: NetFile,
        questions: Sequence[NamedQuestion],
        setting: Setting,
        times: Shares,
        limits: Limits,
        form: Form,
        *,
        brief: bool = False,
        expected: Value | None = None,
        writers: Sequence[Callable[[Report], Report]] = (),
        defer_open: bool = False,
        remark: str = "",
    ) -> None:
        """Prepare to answer the questions.

        Args:
            file: the net.
            questions: what is to be answered.
            setting: the engine and its options.
            times: the available seconds.
            limits: makes the budgets.
            form: prints the answers.
            brief: whether verdicts are enough, without all claims that support them.
            expected: any other answer to the only question is a failure; None for no expectation.
            writers: write more files about an answer than its evidence.
            defer_open: whether nothing is printed about questions that stay `open`.
            remark: text after the reason why a question is open.
        """
        self.open: set[str] = set()
        self._defer_open, self._remark = defer_open, remark
        self._file, self._limits, self._form = file, limits, form
        self._expected, self._writers = expected, (save_evidence, *writers)
        self._only = len(questions) == 1
        # Questions have the numbers of the schedule; refused ones follow.
        ordered = sorted(questions, key=lambda named: isinstance(named.question, Unknown))
        scheduled = tuple(q for named in ordered if isinstance(q := named.question, Question))
        self._pending = dict(enumerate(ordered))
        self._schedule = Schedule(scheduled, setting, times, self._step, brief=brief)
        self._current: Sequence[int] = ()
        self._budget = Budget()
        self._waiting: set[int] = set()
        self._failures: list[PetricheckError] = []
        self._status = Status.DECIDED

    def run(self) -> Status:
        """Answer the questions, and report each at once.

        Failures are reported after all questions; the first of them determines the exit status.
        """
        _instances.append(self)
        try:
            with closing(self._schedule.findings()) as findings:
                for _ in self._schedule.questions:
                    with self._refreshed():
                        number, outcome = next(findings)
                    self._settle(number, self._result(outcome))
            for number, named in tuple(self._pending.items()):
                if isinstance(named.question, Unknown):
                    self._settle(number, named.question)
        except KeyboardInterrupt:
            self._report_interruption()
        return self._status if self.open else self._finish()

    def _finish(self) -> Status:
        self._form.finish()
        if self._status is Status.INTERRUPTED or not self._failures:
            return self._status
        return report_failure(self._failures[0])

    def prepare_open(self, remark: str) -> None:
        """Prepare the reports of open questions for the case that the command is ended."""
        self._remark = remark
        for number in self._pending:
            self._prepare(number)

    @contextmanager
    def _step(
        self, seconds: float | None, patience: float, numbers: Sequence[int]
    ) -> Iterator[Budget]:
        """Yield the budget of a step of the schedule; prepare the reports of all questions."""
        with self._limits(seconds, patience) as budget:
            self._current, self._budget = numbers, budget
            for number in self._pending:
                if number in numbers:
                    self._prepare(number)
                elif number not in self._waiting:
                    self._waiting.add(number)
                    self._prepare(number, _BEFORE_ITS_TURN)
            yield budget

    def _prepare_current(self) -> None:
        for number in self._current:
            if number in self._pending:
                self._prepare(number)

    def _prepare(self, number: int, reason: str = "") -> None:
        """Prepare the report of a question for the case that the command is ended.

        Args:
            number: of the question.
            reason: why there is no answer, where that is not the limit which ends the command.
        """

        def at_cutoff(unknown: Unknown) -> int:
            report = self._report(
                number,
                self._proved_so_far(number, replace(unknown, reason=reason or unknown.reason)),
            )
            with suppress(PetricheckError):
                report = save_evidence(report)
            self._form.write_cutoff(report)
            return Status.DECIDED if report.unknown is None else Status.UNKNOWN

        prepare_cutoff(self._key(number), at_cutoff, self._budget)

    def _report(self, number: int, result: Finding | Unknown) -> Report:
        match result:
            case Unknown():
                result = self._remarked(result)
            case Finding(unknown=Unknown() as unknown):
                result = replace(result, unknown=self._remarked(unknown))
        return Report(self._pending[number], result, self._file)

    def _remarked(self, unknown: Unknown) -> Unknown:
        return replace(unknown, reason=f"{unknown.reason}{self._remark}")

    def _proved_so_far(self, number: int, unknown: Unknown) -> Finding | Unknown:
        """Return the claims proved about a question; for a refused question, the reason."""
        question = self._pending[number].question
        if isinstance(question, Unknown):
            return question
        return self._schedule.so_far(number, unknown)

    @contextmanager
    def _refreshed(self) -> Iterator[None]:
        """Prepare the reports again whenever a study has proved more."""
        if all(question.target is not None for question in self._schedule.questions):
            yield
            return
        with refreshed(lambda: self._schedule.proved, self._prepare_current):
            yield

    def _key(self, number: int) -> str:
        name = self._pending[number].name
        return f"question {name}" if name else ANSWER

    def _result(self, outcome: Finding | InternalError) -> Finding | Unknown:
        if isinstance(outcome, Finding):
            return outcome
        if self._only and not self._pending[0].name:
            raise outcome
        self._fail(outcome)
        return Unknown(f"internal error: {outcome}", ending=Ending.FAILED)

    def _fail(self, error: PetricheckError) -> None:
        """Store a failure, which is reported at the end, also if the command is ended before."""
        self._failures.append(error)
        if len(self._failures) == 1:
            prepare_cutoff("failure", lambda _: report_failure(error), Budget())

    def _settle(self, number: int, result: Finding | Unknown) -> None:
        """Print the report of a question, and save its evidence."""
        report = self._report(number, result)
        if self._defer_open and report.unknown is not None:
            self.open.add(report.subject.name)
            return

        def at_cutoff(unknown: Unknown) -> Status:
            self._form.write_cutoff(report, unknown.reason)
            return self._status_of(report)

        if self._only and report.unknown is None:
            # If the report takes longer than the limit, the answer is still printed.
            prepare_cutoff(self._key(number), at_cutoff, self._budget)
        answer_with(partial(self._write, number, report), self._key(number))

    def _write(self, number: int, report: Report) -> None:
        del self._pending[number]
        for keep in self._writers:
            try:
                report = keep(report)
            except PetricheckError as error:
                self._fail(error)
        self._form.write(report)
        self._status = max(self._status, self._status_of(report))

    def _status_of(self, report: Report) -> Status:
        if isinstance(report.result, Finding) and report.unknown is None:
            return check_expected(report.result, self._expected)
        interrupted = report.unknown is not None and report.unknown.ending is Ending.INTERRUPTED
        return Status.INTERRUPTED if interrupted else Status.UNKNOWN

    def _report_interruption(self) -> None:
        """Report the questions that are being answered, and no more."""
        self._defer_open, self.open = False, set()
        if not self._pending:
            return
        current = [number for number in self._current if number in self._pending] or [
            *self._pending
        ]
        first = self._pending[current[0]].question
        shared = isinstance(first, Question) and first.target is None
        for number in current if shared else current[:1]:
            self._settle(number, self._proved_so_far(number, INTERRUPTED))
        if self._pending:
            self._status = Status.INTERRUPTED
            self._pending = {}
        supervision.settle(None)
