"""Answers of questions about one net, printed as a command does it.

Each answer is printed as soon as it is there, so that nothing is lost if a later question takes
too long. A question that fails does not prevent the answers of others. At any time the reports
are prepared for the case that the command is ended.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence, Set
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from dataclasses import InitVar, dataclass, field, replace
from functools import partial

from petricheck.commands.answers.output_forms import Form
from petricheck.commands.answers.reports import NamedQuestion, Report, save_evidence
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
from petricheck.questions import Finding, Question, Schedule, Setting
from petricheck.questions.schedule import Answered, Event, Outcome, Started, UnfoldingStarted
from petricheck.support.budget import Budget, Shares
from petricheck.support.errors import Ending, InternalError, PetricheckError
from petricheck.support.processes import supervision

_BEFORE_ITS_TURN = "the command ended before its turn"


@dataclass(eq=False)
class Asked:
    """The questions of a command, and the net that they are about.

    Attributes:
        nets: the net with the questions, whose order is the same for each net: a huge coloured net
            without its colours, then its unfolding, which is made when its limits are sent.
        evidence: the files for their evidence, in the same order; empty for none.
        file: the net that the questions are about now.
    """

    nets: Generator[tuple[NetFile, Sequence[NamedQuestion]], Budget | None, None]
    evidence: Sequence[str] = ()
    file: NetFile = field(init=False)
    _questions: Sequence[NamedQuestion] = field(init=False)

    def __post_init__(self) -> None:
        """Take the first net."""
        self.file, self._questions = next(self.nets)

    @property
    def questions(self) -> Sequence[NamedQuestion]:
        """The questions about the net."""
        if not self.evidence:
            return self._questions
        pairs = zip(self._questions, self.evidence, strict=True)
        return [replace(named, evidence=path) for named, path in pairs]

    def schedule(
        self, setting: Setting, times: Shares, budget: Budget, brief: bool, in_full: Set[str]
    ) -> Schedule:
        """Return the schedule in which they are answered."""
        questions = [named.question for named in self.questions]
        schedule = Schedule(questions, setting, times, budget, brief, in_full)
        if self.file.colours == "none":
            schedule.unfold, schedule.share = self._unfold, self.file.counting_share
        return schedule

    def _unfold(self, limits: Budget) -> Sequence[Question | Unknown]:
        self.file, self._questions = self.nets.send(limits)
        return [named.question for named in self.questions]


_instances: list[Answering] = []
"""These objects exist until the process ends, since freeing them one by one may take seconds."""


@dataclass(eq=False)
class Answering:
    """Answers questions, and prints the answers.

    Attributes:
        asked: the questions.
        setting: the engine and its options.
        times: the available seconds.
        budget: limits on all questions together; of the current step once there is one.
        form: prints the reports.
        brief: whether verdicts are enough, without all claims that support them.
        in_full: kinds of questions whose answers have all claims even so.
        writers: write more files about an answer than its evidence.
    """

    asked: Asked
    setting: InitVar[Setting]
    times: InitVar[Shares]
    budget: Budget
    form: Form
    brief: InitVar[bool] = False
    in_full: InitVar[Set[str]] = frozenset()
    writers: Sequence[Callable[[Report], Report]] = ()
    _schedule: Schedule = field(init=False)
    _pending: dict[int, None] = field(init=False)  # questions without a report
    _current: Sequence[int] = ()  # questions that are being answered
    _waiting: set[int] = field(default_factory=set)
    _failures: list[PetricheckError] = field(default_factory=list)
    _status: Status = Status.DECIDED

    def __post_init__(
        self, setting: Setting, times: Shares, brief: bool, in_full: Set[str]
    ) -> None:
        """Plan the answers; all questions are without a report."""
        self._schedule = self.asked.schedule(setting, times, self.budget, brief, in_full)
        self._pending = dict.fromkeys(range(len(self.asked.questions)))
        self._only = len(self._pending) == 1

    def run(self) -> Status:
        """Answer the questions, and report each at once.

        Failures are reported after all questions. Of the exit statuses the highest counts.
        """
        _instances.append(self)
        try:
            for event in self._events():
                if isinstance(event, Answered):
                    self._settle(event.number, self._result(event.outcome))
        except KeyboardInterrupt:
            self._report_interruption()
        self.form.finish()
        if self._status is Status.INTERRUPTED or not self._failures:
            return self._status
        return max(self._status, report_failure(self._failures[0]))

    def _events(self) -> Iterator[Event]:
        """Yield the events of the schedule; prepare reports when a step begins."""
        targets = [q.target for q in self._schedule.questions if isinstance(q, Question)]
        # A study of several claims, each of which may be an answer.
        several = None in targets
        with closing(self._schedule.events()) as events:
            while True:
                with self._refreshed() if several else nullcontext():
                    event = next(events, None)
                match event:
                    case None:
                        return
                    case Started(numbers, budget, patience):
                        self._begin(numbers, budget, patience)
                    case UnfoldingStarted(numbers, budget):
                        self.budget = budget
                        for number in numbers:
                            self._prepare(number, while_unfolded=True)
                yield event

    def _refreshed(self) -> AbstractContextManager[None]:
        def prepare_current() -> None:
            for number in self._current:
                if number in self._pending:
                    self._prepare(number)

        return refreshed(lambda: self._schedule.proved, prepare_current)

    def _begin(self, numbers: Sequence[int], budget: Budget, patience: float) -> None:
        """Set the limits of a step, and prepare the reports of all questions."""
        self._current, self.budget = numbers, budget
        whole = self._schedule.budget
        end, patience = (budget, patience) if whole.seconds is None else (whole, 0.0)
        deadline = None if end.seconds is None else end.started + end.seconds + patience
        supervision.limit(deadline, budget.memory)
        for number in self._pending:
            if number in numbers:
                self._prepare(number)
            elif number not in self._waiting:
                self._waiting.add(number)
                self._prepare(number, _BEFORE_ITS_TURN)

    def _prepare(self, number: int, reason: str = "", *, while_unfolded: bool = False) -> None:
        """Prepare the report of a question for the case that the command is ended.

        The reason, if one is given, is why there is no answer, where that is not the limit which
        ends the command.
        """
        remark = f" while the net was unfolded, {size_text(self.asked.file)}"

        def at_cutoff(unknown: Unknown) -> int:
            why = f"{reason or unknown.reason}{remark if while_unfolded else ''}"
            result = self._schedule.so_far(number, replace(unknown, reason=why))
            report = self._report(number, result)
            with suppress(PetricheckError):
                report = save_evidence(report)
            self.form.write_cutoff(report)
            return self.form.status(report)

        prepare_cutoff(self._key(number), at_cutoff, self.budget)

    def _report(self, number: int, result: Finding | Unknown) -> Report:
        return Report(self.asked.questions[number], result, self.asked.file)

    def _key(self, number: int) -> str:
        """Return the key of the prepared report."""
        name = self.asked.questions[number].name
        return f"question {name}" if name else ANSWER

    def _result(self, outcome: Outcome) -> Finding | Unknown:
        if not isinstance(outcome, InternalError):
            return outcome
        if self._only and not self.asked.questions[0].name:
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
        report, key = self._report(number, result), self._key(number)

        def at_cutoff(unknown: Unknown) -> Status:
            self.form.write_cutoff(report, unknown.reason)
            return self.form.status(report)

        if self._only and report.unknown is None:
            # If the report takes longer than the limit, the answer is still printed.
            prepare_cutoff(key, at_cutoff, self.budget)
        answer_with(partial(self._write, number, report), key)

    def _write(self, number: int, report: Report) -> None:
        del self._pending[number]
        for keep in (save_evidence, *self.writers):
            try:
                report = keep(report)
            except PetricheckError as error:
                self._fail(error)
        self.form.write(report)
        if report.unknown is not None and report.failures:
            self._fail(InternalError("; ".join(report.failures)))
        self._status = max(self._status, status := self.form.status(report))
        if status is self._status > Status.UNKNOWN:
            # It counts also where the command is ended before the other questions have answers.
            prepare_cutoff("status", lambda _: status, Budget())

    def _report_interruption(self) -> None:
        """Report the questions that are being answered, and no more."""
        if not self._pending:
            return
        current = [n for n in self._current if n in self._pending] or [*self._pending]
        first = self._schedule.questions[current[0]]
        shared = isinstance(first, Question) and first.target is None
        for number in current if shared else current[:1]:
            self._settle(number, self._schedule.so_far(number, INTERRUPTED))
        if self._pending:
            self._status = Status.INTERRUPTED
            self._pending.clear()
        supervision.settle(None)
