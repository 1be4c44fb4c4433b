"""Cells in processes of this machine."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace

from petricheck.batch.cells import Cell, Outcome
from petricheck.batch.executors import ATTEMPTS, lost_cell
from petricheck.batch.isolated import host, isolated, preload, remove_remains, sharing_memory
from petricheck.budget import Budget
from petricheck.errors import QueryError
from petricheck.processes.child import Failed, Finished, Task
from petricheck.processes.parallel import run_parallel


@dataclass(frozen=True)
class Local:
    """Processes of this machine, each cell in one of its own."""

    jobs: int = field(default=1, metadata={"help": "how many cells run at a time"})

    def run(self, cells: Iterable[Cell]) -> Iterator[tuple[Cell, Outcome]]:
        """Decide the cells; those that were lost are begun again when the others are done.

        Raises:
            QueryError: there are no jobs.
            OSError: no process can be started.
        """
        if self.jobs < 1:
            raise QueryError(f"jobs: at least 1 is expected, not {self.jobs}")
        preload()
        here = host()
        with sharing_memory():
            for attempt in range(1, ATTEMPTS + 1):
                lost: list[Cell] = []
                with closing(self._decide(cells)) as outcomes:
                    for cell, outcome in outcomes:
                        match outcome:
                            case Finished(_, decided):
                                yield cell, replace(decided, host=here, attempts=attempt)
                            case Failed(_, reason) if attempt < ATTEMPTS:
                                lost.append(cell)
                            case Failed(_, reason):
                                yield cell, lost_cell(reason, attempt)
                cells = lost

    def _decide(
        self, cells: Iterable[Cell]
    ) -> Generator[tuple[Cell, Finished[Outcome] | Failed], None, None]:
        begun: dict[str, Cell] = {}

        def tasks() -> Iterator[Task[Outcome]]:
            for cell in cells:
                task = isolated(cell)
                begun[task.name] = cell
                yield task

        with closing(run_parallel(tasks(), jobs=self.jobs, budget=Budget())) as outcomes:
            for outcome in outcomes:
                if isinstance(outcome, Failed):
                    remove_remains(outcome)
                yield begun.pop(outcome.name), outcome
