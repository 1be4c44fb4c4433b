"""Cells in processes of this machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace

from petricheck.batch.cells import Cell, CellOutcome
from petricheck.batch.isolated import isolated, outcome_of, ready_to_fork
from petricheck.support.budget import Budget
from petricheck.support.errors import QueryError
from petricheck.support.plugins import option
from petricheck.support.processes.child import PartialResult, Task
from petricheck.support.processes.parallel import run_parallel


@dataclass(frozen=True)
class Local:
    """Processes of this machine, each cell in one of its own."""

    jobs: int = option(1, "how many cells run at a time")

    def run(self, cells: Iterable[Cell]) -> Iterator[tuple[Cell, CellOutcome]]:
        """Decide the cells, whose limits are looked at while the next outcome is waited for."""
        if self.jobs < 1:
            raise QueryError(f"jobs: at least 1 is expected, not {self.jobs}")
        begun: dict[str, Cell] = {}

        def tasks() -> Iterator[Task[CellOutcome]]:
            for cell in cells:
                task = isolated(cell, mark)
                begun[task.name] = cell
                yield task

        with (
            ready_to_fork() as (mark, host),
            closing(run_parallel(tasks(), jobs=self.jobs, budget=Budget())) as outcomes,
        ):
            for ended in outcomes:
                if not isinstance(ended, PartialResult):
                    cell = begun.pop(ended.name)
                    yield cell, replace(outcome_of(cell, ended), host=host)
