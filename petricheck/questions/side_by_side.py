"""Several questions about one net at the same time, each in a process of its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from functools import partial

from petricheck.answer import Unknown
from petricheck.budget import MEBIBYTE, Budget, Event, Shares, Turn, resident_memory
from petricheck.errors import InternalError
from petricheck.problem import Problem
from petricheck.processes.child import Failed, Finished, Task
from petricheck.processes.limits import Stage
from petricheck.processes.parallel import run_parallel
from petricheck.processes.supervisor import GRACE
from petricheck.questions.checking import Checker, Verdict


def jobs_within(checker: Checker, memory: int | None) -> int:
    """How many questions are decided at a time: as many as the engine has jobs.

    One, where the part of the memory that each gets would be full when it begins.
    """
    jobs = max(1, checker.jobs)
    return 1 if memory is not None and _part(memory, jobs) * MEBIBYTE < resident_memory() else jobs


def decide_side_by_side(
    checker: Checker, problems: Mapping[int, Problem], times: Shares, budget: Budget
) -> Iterator[tuple[int, Verdict | InternalError]]:
    """Decide all of them where several jobs may run, and audit their evidence in their processes.

    Args:
        checker: answers them, each with one job.
        problems: by number, in the order in which they begin.
        times: how many seconds each of them has; one that outlasts them is killed.
        budget: the memory that all share; told what each does.

    Yields:
        The number of a problem with its verdict, as soon as there is one; or the error where the
        evidence failed the audit. Where its process gave no answer, the verdict says why.
    """
    jobs = jobs_within(checker, budget.memory)
    if jobs == 1:
        return
    alone = checker.with_one_job()
    memory = None if budget.memory is None else _part(budget.memory, jobs)

    def tasks() -> Iterator[Task[Verdict | InternalError]]:
        for begun, (number, problem) in enumerate(problems.items()):
            seconds = times.own(len(problems) - begun, jobs)
            own = Budget(seconds, memory, limit=budget.limit)
            decide = partial(_decide, alone, problem, own)
            yield Task(str(number), decide, Stage(own.remaining + GRACE))

    unlimited = replace(budget, seconds=None)  # each has its own
    with closing(run_parallel(tasks(), jobs=jobs, budget=unlimited)) as outcomes:
        for outcome in outcomes:
            budget.watch(Event("", outcome.name, Turn.ENDS))
            match outcome:
                case Finished(name, verdict):
                    yield int(name), verdict
                case Failed(name, reason, ending):
                    unknown = Unknown(reason, "allow more time or memory", ending=ending)
                    yield int(name), Verdict(unknown, "", checker.name)


def _part(memory: int, jobs: int) -> int:
    """MiB for each of those that are decided side by side; this process keeps what it holds."""
    return (memory - math.ceil(resident_memory() / MEBIBYTE)) // jobs


def _decide(
    checker: Checker, problem: Problem, budget: Budget, watch: Callable[[Event], None]
) -> Verdict | InternalError:
    """What happens in the process of a question, whose engines' news become one line."""
    watched = replace(budget, watch=lambda event: watch(Event(str(event))))
    try:
        return checker.check(problem, watched)
    except InternalError as error:
        return error
