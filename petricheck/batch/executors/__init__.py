"""Executors: where the cells of a batch are decided. One file each.

An executor never loses a cell: one whose process dies has an outcome with the status error, and one
whose worker or machine is lost is begun again, or in the end has such an outcome too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from petricheck.batch.cells import Cell, CellOutcome


class Executor(Protocol):
    """The frame of every member of this family."""

    def run(self, cells: Iterable[Cell]) -> Iterator[tuple[Cell, CellOutcome]]:
        """Decide the cells; each with its outcome, in the order in which they end.

        A cell is taken from `cells` when it is about to begin, so the caller can tell what runs.
        Closing the iterator, or an exception in it, kills every process that was started.
        """
