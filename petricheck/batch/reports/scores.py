"""Scores: what a configuration made of a set of questions, in a few numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
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
        counts: cells by state, one of `cells.STATES`.
        known: for how many a verdict is known.
        median: of the CPU seconds of the solved cells; None without one.
        par2: mean of the CPU seconds of all cells, those of an unsolved one being twice its
            limit; None without a cell.
    """

    counts: Mapping[str, int]
    known: int
    median: float | None
    par2: float | None

    @property
    def cells(self) -> int:
        """How many there are."""
        return sum(self.counts.values())

    @property
    def solved(self) -> int:
        """How many have a verdict that nothing is known to contradict."""
        return self.counts["correct"] + self.counts["solved"]


def score(records: Sequence[Record]) -> Score:
    """The score of the records; a solved cell whose time nobody could take has no part in times."""
    times = [time for record in records if record.right and (time := spent(record)) is not None]
    penalties = [PENALTY * time_limit(r.cell.limits) for r in records if not r.right]
    return Score(
        Counter(record.state for record in records),
        sum(record.cell.question.expected is not None for record in records),
        median(times) if times else None,
        fmean(times + penalties) if times or penalties else None,
    )


def spent(record: Record) -> float | None:
    """CPU seconds of the cell; wall seconds where nobody could take those, or None."""
    outcome = record.outcome
    return outcome.seconds if outcome.cpu_seconds is None else outcome.cpu_seconds


def time_limit(limits: Limits) -> float:
    """Seconds after which a cell on one core is given up."""
    return min(limits.seconds, limits.cpu_seconds or limits.seconds)
