"""Several questions about one net at the same time, each in a process of its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial

from petricheck.answer import Answer, Unknown
from petricheck.budget import MEBIBYTE, Budget, Event, Shares, Turn, resident_memory
from petricheck.check import Checker
from petricheck.errors import InternalError
from petricheck.problem import Problem
from petricheck.processes.child import Failed, Finished, Task
from petricheck.processes.parallel import run_parallel
from petricheck.processes.supervision import GRACE
from petricheck.result import Result

Named = tuple[str, Problem]
"""A question with the name that its progress bears; no other has it."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A `check.Result` without the problem, which this process has."""

    answer: Answer
    audit: str
    seconds: float
    cpu_seconds: float


def jobs_within(checker: Checker, memory: int | None) -> int:
    """How many questions are decided at a time: as many as the engine has jobs.

    One, where the part of the memory that each gets would be full when it begins.
    """
    jobs = max(1, checker.jobs)
    return 1 if memory is not None and _part(memory, jobs) * MEBIBYTE < resident_memory() else jobs


def decide_side_by_side(
    checker: Checker, questions: Sequence[Named], jobs: int, times: Shares, budget: Budget
) -> Generator[tuple[int, Result | InternalError | Unknown], None, None]:
    """Decide all of them, each with one job, and audit their evidence in their processes.

    Args:
        checker: answers them.
        questions: in the order in which they begin.
        jobs: how many are decided at a time.
        times: how many seconds each of them has; one that outlasts them is killed.
        budget: the memory that all share; told what each does.

    Yields:
        The number of a question with its result, as soon as there is one; or the error where the
        evidence failed the audit; or why its process gave no answer.
    """
    numbers = {name: number for number, (name, _) in enumerate(questions)}
    alone = checker.with_one_job()
    memory = None if budget.memory is None else _part(budget.memory, jobs)

    def tasks() -> Iterator[Task[_Found | InternalError]]:
        for number, (name, problem) in enumerate(questions):
            seconds = times.own(len(questions) - number, jobs)
            own = Budget(seconds, memory, limit=budget.limit)
            yield Task(name, partial(_decide, alone, problem, own), own.remaining + GRACE)

    unlimited = replace(budget, seconds=None)  # each has its own
    with closing(run_parallel(tasks(), jobs=jobs, budget=unlimited)) as outcomes:
        for outcome in outcomes:
            budget.watch(Event("", outcome.name, Turn.ENDS))
            number = numbers[outcome.name]
            problem = questions[number][1]
            match outcome:
                case Finished(_, InternalError() as error):
                    yield number, error
                case Finished(_, _Found(answer, audit, seconds, cpu_seconds)):
                    yield number, Result(problem, answer, audit, checker.name, seconds, cpu_seconds)
                case Failed(_, reason, ending):
                    yield number, Unknown(reason, "allow more time or memory", ending=ending)


def _part(memory: int, jobs: int) -> int:
    """MiB for each of those that are decided side by side; this process keeps what it holds."""
    return (memory - math.ceil(resident_memory() / MEBIBYTE)) // jobs


def _decide(
    checker: Checker, problem: Problem, budget: Budget, watch: Callable[[Event], None]
) -> _Found | InternalError:
    """What happens in the process of a question, whose engines' news become one line."""
    told = replace(budget, watch=lambda event: watch(Event(str(event))))
    try:
        result = checker.check(problem, told)
    except InternalError as error:
        return error
    return _Found(result.answer, result.audit, result.seconds, result.cpu_seconds)
