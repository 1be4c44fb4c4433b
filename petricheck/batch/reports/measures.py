"""The results of a batch in order, and what they come to in numbers.

Rows are questions, columns are configurations, whatever order cells end in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import TypeVar

from petricheck.batch.cells import Cell, CellLimits, CellRecord, Key
from petricheck.batch.configurations import CONFIGURATIONS, Configuration
from petricheck.batch.questions.index import BatchQuestion
from petricheck.support.words import natural_key

K = TypeVar("K")
T = TypeVar("T")

BOUNDEDNESS: tuple[bool | None, ...] = (True, False, None)
"""In the order in which they are shown; None is not known."""

PENALTY = 2
"""An unsolved cell counts as so many times its limit (PAR2)."""


@dataclass(frozen=True, slots=True)
class Results:
    """Records in order, question by question.

    Questions, the rows, are by collection, in it those of bounded nets first; configurations are
    the columns. `cells` has the records by key, `planned` all cells that there will be, or nothing
    where that is not known.
    """

    questions: tuple[BatchQuestion, ...]
    configurations: tuple[Configuration, ...]
    records: tuple[CellRecord, ...]
    cells: Mapping[Key, CellRecord]
    planned: tuple[Cell, ...]

    @property
    def missing(self) -> int:
        """The number of cells that are planned and not done yet."""
        return len({cell.key for cell in self.planned} - self.cells.keys())

    @property
    def collections(self) -> tuple[str, ...]:
        """The collections, in order."""
        return tuple(dict.fromkeys(question.collection for question in self.questions))

    def cell(self, question: BatchQuestion, configuration: Configuration) -> CellRecord | None:
        """Return the record of the cell, where there is one."""
        return self.cells.get((question.collection, question.name, configuration.name))

    def of(self, configuration: Configuration) -> tuple[CellRecord, ...]:
        """Return the records of a configuration."""
        name = configuration.name
        return tuple(record for record in self.records if record.cell.configuration.name == name)


def arrange(records: Iterable[CellRecord], planned: Sequence[Cell] = ()) -> Results:
    """Return the records in order, at most one for each key.

    Without all planned cells, in their order, configurations stand in the order of the built-in
    ones, then by name; and questions by name.
    """
    cells = {record.cell.key: record for record in records}
    every = [*planned, *(record.cell for record in cells.values())]
    questions = {(c.question.collection, c.question.name): c.question for c in reversed(every)}
    configurations = {c.configuration.name: c.configuration for c in reversed(every)}
    names = [*dict.fromkeys(c.configuration.name for c in every)]
    if not planned:
        built_in = {configuration.name: n for n, configuration in enumerate(CONFIGURATIONS)}
        names.sort(key=lambda name: (built_in.get(name, len(built_in)), natural_key(name)))
    columns = tuple(configurations[name] for name in names)
    rows = tuple(sorted(questions.values(), key=_row_order))
    keys = [(row.collection, row.name, column.name) for row in rows for column in columns]
    ordered = tuple(cells[key] for key in keys if key in cells)
    return Results(rows, columns, ordered, cells, tuple(planned))


def _row_order(question: BatchQuestion) -> tuple[object, ...]:
    bounded = BOUNDEDNESS.index(question.bounded)
    return natural_key(question.collection), bounded, natural_key(question.name), question.name


def grouped(items: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Return the items by their keys, in the order of the first of each."""
    groups: dict[K, list[T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def disputes(records: Iterable[CellRecord]) -> tuple[tuple[CellRecord, ...], ...]:
    """Return the verdicts of each question that has both, where neither is proved wrong."""
    answers = grouped((record for record in records if record.right), lambda r: r.cell.key[:2])
    return tuple(
        tuple(group) for group in answers.values() if len({r.outcome.value for r in group}) > 1
    )


def exit_status(records: Iterable[CellRecord], *, all_decided: bool = False) -> int:
    """Return 5 if a verdict is wrong, disputed or violates a property; else that of the gravest
    error; else 1 if all cells have to be decided and one is not; else 0.
    """
    all_records = tuple(records)
    if disputes(all_records) or any(record.fails for record in all_records):
        return 5
    statuses = {"": 0, "QueryError": 2, "InputError": 3}
    gravest = max((statuses.get(record.outcome.error, 4) for record in all_records), default=0)
    undecided = all_decided and any(record.outcome.value is None for record in all_records)
    return max(gravest, int(undecided))


def median_time(records: Iterable[CellRecord]) -> float | None:
    """Return the median of the CPU seconds of the solved cells; None without one."""
    times = _times(records)
    return median(times) if times else None


def par2(records: Sequence[CellRecord]) -> float | None:
    """Return the mean CPU seconds of all cells; an unsolved cell counts as twice its limit.

    None without a cell. Solved cells without a measured time are left out.
    """
    costs = _times(records) + [PENALTY * time_limit(r.cell.limits) for r in records if not r.right]
    return fmean(costs) if costs else None


def _times(records: Iterable[CellRecord]) -> list[float]:
    return [time for record in records if record.right and (time := spent(record)) is not None]


def spent(record: CellRecord) -> float | None:
    """Return CPU seconds of the cell, or else wall seconds, or None."""
    outcome = record.outcome
    return outcome.seconds if outcome.cpu_seconds is None else outcome.cpu_seconds


def time_limit(limits: CellLimits) -> float:
    """Return seconds after which a cell on one core is given up."""
    return min(limits.seconds, limits.cpu_seconds or limits.seconds)
