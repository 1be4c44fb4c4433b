"""Cells in processes of this machine."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace

from petricheck.batch.cells import Cell, Outcome
from petricheck.batch.isolated import MARK, host, isolated, outcome_of, preload, sharing_memory
from petricheck.budget import Budget
from petricheck.errors import QueryError
from petricheck.processes.child import Task
from petricheck.processes.marks import none_left
from petricheck.processes.parallel import run_parallel


@dataclass(frozen=True)
class Local:
    """Processes of this machine, each cell in one of its own."""

    jobs: int = field(default=1, metadata={"help": "how many cells run at a time"})

    def run(self, cells: Iterable[Cell]) -> Iterator[tuple[Cell, Outcome]]:
        """Decide the cells.

        Raises:
            QueryError: there are no jobs.
            OSError: no process can be started.
        """
        if self.jobs < 1:
            raise QueryError(f"jobs: at least 1 is expected, not {self.jobs}")
        batch = secrets.token_hex(8)
        with none_left(MARK, batch):
            preload()
            here = host()
            begun: dict[str, Cell] = {}

            def tasks() -> Iterator[Task[Outcome]]:
                for cell in cells:
                    task = isolated(cell, batch)
                    begun[task.name] = cell
                    yield task

            parallel = run_parallel(tasks(), jobs=self.jobs, budget=Budget())
            with sharing_memory(), closing(parallel) as outcomes:
                for ended in outcomes:
                    cell = begun.pop(ended.name)
                    yield cell, replace(outcome_of(cell, ended), host=here)
