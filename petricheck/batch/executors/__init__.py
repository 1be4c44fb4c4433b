"""Executors: where the cells of a batch are decided. One file each.

An executor never loses a cell: one whose process dies, or whose worker or machine is lost, is
retried and in the end has an outcome with the status error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from petricheck.batch.cells import Cell, Outcome

ATTEMPTS = 3
"""How often a cell is begun at most, where its worker is lost."""


def lost_cell(reason: str, attempts: int, error: str = "Crash") -> Outcome:
    """What comes of a cell whose worker was lost as often as the cell was begun."""
    return Outcome("error", reason=reason, error=error, attempts=attempts)


class Executor(Protocol):
    """The frame of every member of this family."""

    def run(self, cells: Iterable[Cell]) -> Iterator[tuple[Cell, Outcome]]:
        """Decide the cells; each with its outcome, in the order in which they end.

        A cell is taken from `cells` when it is about to begin, so the caller can tell what runs.
        Closing the iterator, or an exception in it, kills every process that was started.
        """
