"""Limits on a command, and the reports for the case that one of them ends it.

Loops check their `Budget` and end in time. What does not, such as reading a pipe without a writer
or a step of z3 on very long numbers, is ended by the supervisor of the process
(`processes.supervision`), which prints the reports that were prepared here.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TypeAlias, TypeVar

from petricheck.commands.shell.exit_status import Status, exit_with
from petricheck.commands.shell.terminal import prepared, progress, publish
from petricheck.evidence.answer import Unknown
from petricheck.support.budget import Budget, memory_limit, time_limit
from petricheck.support.errors import BudgetExhausted, Ending
from petricheck.support.processes import supervision

Result = TypeVar("Result")

AtCutoff: TypeAlias = Callable[[Unknown], int]
"""Reports an answer where the command is ended; returns the exit status."""

ANSWER = "answer"
"""The key of the prepared report, where the command has one answer."""

_SHARE = 0.1
"""Share of the time that preparing reports may take."""

_PERIOD = 0.02
"""Seconds between two looks whether the version has changed."""

INTERRUPTED = Unknown("interrupted", ending=Ending.INTERRUPTED)
"""The answer where the user stopped the search."""

_DIED = Unknown(
    "its process died; the machine's memory may have run out",
    "set --memory below what the machine has",
    ending=Ending.FAILED,
)


@contextmanager
def limited(
    seconds: float | None,
    memory: int | None,
    at_cutoff: AtCutoff | None = None,
    *,
    limit: float | None = None,
    verbose: bool = False,
    whole: bool = True,
) -> Iterator[Budget]:
    """Yield a budget; the supervisor ends what exceeds it.

    Args:
        seconds: the limit on time, or None.
        memory: the limit on memory in MiB, or None.
        at_cutoff: reports when the command is ended; if None, `prepare_cutoff` sets the report.
        limit: the limit in seconds that the user set, where `seconds` is a share of it.
        verbose: how progress is shown.
        whole: whether the limit is for the whole command, and counts from its beginning.
    """
    with progress(verbose=verbose) as watch:
        started = supervision.began() if whole else time.monotonic()
        budget = Budget(seconds, memory, watch, started, limit)
        if at_cutoff is not None:
            prepare_cutoff(ANSWER, at_cutoff, budget)
        deadline = None if seconds is None else budget.started + seconds
        supervision.limit(deadline, memory)
        try:
            yield budget
        except BudgetExhausted as error:  # A net that is too large to be unfolded.
            if at_cutoff is None:
                raise
            unknown = Unknown(str(error), ending=error.ending)
            exit_with(Status(answer_with(lambda: at_cutoff(unknown))))
        finally:
            supervision.limit(None, None)
            if at_cutoff is not None:
                supervision.settle(ANSWER)


def prepare_cutoff(key: str, at_cutoff: AtCutoff, budget: Budget) -> None:
    """Prepare the report under this key for the case that the command is ended."""
    if not supervision.is_supervised():
        return
    answers = {answer.ending.value: answer for answer in _cutoff_answers(budget)}
    pieces = {ending: prepared(partial(at_cutoff, answer)) for ending, answer in answers.items()}
    interrupted = pieces[INTERRUPTED.ending.value]
    if interrupted.status == Status.UNKNOWN:
        pieces[INTERRUPTED.ending.value] = replace(interrupted, status=Status.INTERRUPTED.value)
    supervision.keep(key, pieces)


def _cutoff_answers(budget: Budget) -> Iterator[Unknown]:
    """Yield the answer for each way in which the process can be ended."""
    if budget.whole is not None:
        yield Unknown(time_limit(budget.whole), "allow more time", ending=Ending.TIME)
    if budget.memory is not None:
        yield Unknown(memory_limit(budget.memory), "allow more memory", ending=Ending.MEMORY)
    yield INTERRUPTED
    yield _DIED


def answer_with(write: Callable[[], Result], key: str | None = ANSWER) -> Result:
    """Print the answer in place of the report prepared under a key, or of all reports."""
    return publish(write, lambda: supervision.settle(key))


@contextmanager
def refreshed(version: Callable[[], object], prepare: Callable[[], None]) -> Iterator[None]:
    """Call `prepare` from a thread whenever the version has changed, while the block runs."""
    if not supervision.is_supervised():
        yield
        return
    done = threading.Event()

    def prepare_again() -> None:
        prepared_version, pause = version(), _PERIOD
        while not done.wait(pause):
            pause = _PERIOD
            if (current := version()) != prepared_version:
                began = time.monotonic()
                prepare()
                prepared_version = current
                pause = max(_PERIOD, (time.monotonic() - began) / _SHARE)

    thread = threading.Thread(target=prepare_again, daemon=True)
    thread.start()
    try:
        yield
    finally:
        with supervision.undisturbed():
            done.set()
            thread.join()
