"""Scores: what a configuration made of a set of questions, in a few numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from petricheck.batch.cells import Limits, Record

PENALTY = 2
"""An unsolved cell counts as so many times its limit (PAR2)."""

DEFINITIONS = (
    "solved: cells with a verdict that nothing is known to contradict."
    " correct: those whose verdict is the expected one, of the cells where one is known.\n"
    "wrong: the verdict contradicts the expected one. unknown: gave up."
    " timeout, memory: a limit was hit. error: the cell failed.\n"
    "median: of the CPU seconds of the solved cells."
    f" PAR{PENALTY}: mean over all cells of the CPU seconds, where a cell that is not solved counts"
    f" as {PENALTY} times its limit, the smaller one of CPU and wall time."
)
"""What the numbers of a score mean, for people."""


@dataclass(frozen=True, slots=True)
class Score:
    """Numbers of cells, and seconds.

    Attributes:
        cells: all of them.
        solved: with a verdict that nothing is known to contradict.
        correct: with the verdict that is known.
        known: for which a verdict is known.
        wrong: with a verdict that contradicts it.
        unknown: that gave up.
        timeout: that hit the limit on time.
        memory: that hit the limit on memory.
        error: that failed.
        median: of the CPU seconds of the solved cells; None without one.
        par2: mean of the CPU seconds of all cells, those of an unsolved one being twice its
            limit; None without a cell.
    """

    cells: int
    solved: int
    correct: int
    known: int
    wrong: int
    unknown: int
    timeout: int
    memory: int
    error: int
    median: float | None
    par2: float | None


def score(records: Sequence[Record]) -> Score:
    """The score of the records; a solved cell whose time nobody could take has no part in times."""
    statuses = [record.outcome.status for record in records]
    times = [time for record in records if record.right and (time := spent(record)) is not None]
    penalties = [PENALTY * time_limit(r.cell.limits) for r in records if not r.right]
    return Score(
        cells=len(records),
        solved=_count(record.right for record in records),
        correct=_count(record.correct for record in records),
        known=_count(record.cell.question.expected is not None for record in records),
        wrong=_count(record.wrong for record in records),
        unknown=statuses.count("unknown"),
        timeout=statuses.count("timeout"),
        memory=statuses.count("memory"),
        error=statuses.count("error"),
        median=median(times) if times else None,
        par2=fmean(times + penalties) if times or penalties else None,
    )


def spent(record: Record) -> float | None:
    """CPU seconds of the cell; wall seconds where nobody could take those, or None."""
    outcome = record.outcome
    return outcome.seconds if outcome.cpu_seconds is None else outcome.cpu_seconds


def time_limit(limits: Limits) -> float:
    """Seconds after which a cell on one core is given up."""
    return min(limits.seconds, limits.cpu_seconds or limits.seconds)


def _count(holds: Iterable[bool]) -> int:
    return sum(holds)
