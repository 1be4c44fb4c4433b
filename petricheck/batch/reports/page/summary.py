"""How each configuration did, in numbers of cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from petricheck.batch.cells import Record
from petricheck.batch.configurations import Configuration

STATES = ("correct", "solved", "wrong", "unknown", "timeout", "memory", "error")
"""States of a cell; solved is right as far as one knows, where the index does not know."""


@dataclass(frozen=True, slots=True)
class Line:
    """A configuration's row.

    Attributes:
        configuration: the configuration.
        counts: cells by state.
        seconds: CPU time of the cells together, as far as it was taken.
    """

    configuration: Configuration
    counts: Counter[str]
    seconds: float

    @property
    def cells(self) -> int:
        """How many there are."""
        return self.counts.total()

    @property
    def solved(self) -> int:
        """How many have a verdict that nothing contradicts."""
        return self.counts["correct"] + self.counts["solved"]


def state(record: Record) -> str:
    """The cell's state, one of `STATES`."""
    if record.outcome.status != "decided":
        return record.outcome.status
    return "wrong" if record.wrong else "correct" if record.correct else "solved"


def summarise(records: Iterable[Record]) -> tuple[Line, ...]:
    """A line for each configuration, in the order of their first cells."""
    groups: dict[str, list[Record]] = {}
    for record in records:
        groups.setdefault(record.cell.configuration.name, []).append(record)
    return tuple(
        Line(
            group[0].cell.configuration,
            Counter(map(state, group)),
            sum(record.outcome.cpu_seconds or 0.0 for record in group),
        )
        for group in groups.values()
    )
