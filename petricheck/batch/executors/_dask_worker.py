"""What runs on a worker of a Dask cluster: cells, in processes as on the own machine.

Needs `distributed`, so only `dask` imports it, and workers do.
"""

from __future__ import annotations

import tempfile
import zlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from distributed import Worker, WorkerPlugin, get_worker

from petricheck.batch.cells import Cell, Outcome
from petricheck.batch.executors import ATTEMPTS, lost_cell
from petricheck.batch.isolated import host, isolated, preload, remove_remains
from petricheck.budget import unwatched
from petricheck.processes.child import Child, Failed, Finished, speaking

TICK = 0.1
"""Seconds between two looks whether a cell is still wanted."""


@dataclass(frozen=True, slots=True)
class Task:
    """A cell with the contents of its files, since no file system need be shared.

    Attributes:
        batch: the name of the batch's plugin on workers.
        cell: the cell.
        files: path and content of each of its files, compressed by zlib.
    """

    batch: str
    cell: Cell
    files: tuple[tuple[Path, bytes], ...] = field(repr=False)


def decide(task: Task) -> Outcome:
    """Decide the task's cell on this worker, in whose thread this runs.

    Raises:
        OSError: the worker has no room for files or processes; another may have.
    """
    worker = get_worker()
    cells = worker.plugins[task.batch]
    assert isinstance(cells, Cells)
    key = worker.get_current_task()
    worker.log_event(task.batch, key)
    with tempfile.TemporaryDirectory(dir=worker.local_directory) as folder:
        return cells.decide(key, task.cell.at(_written(task, Path(folder))))


class Cells(WorkerPlugin):
    """The cells of a batch that are decided on a worker."""

    def setup(self, worker: Worker) -> None:
        """Begin; called on the worker."""
        preload()
        self._host = host()
        self._wanted: set[Any] = set()

    def teardown(self, worker: Worker) -> None:
        """End all cells; called on the worker, as is `transition`."""
        self._wanted.clear()

    def transition(self, key: Any, start: Any, finish: Any, **_: Any) -> None:
        """End the cell of a task that nobody waits for any more."""
        if finish in ("released", "cancelled"):
            self._wanted.discard(key)

    def decide(self, key: Any, cell: Cell) -> Outcome:
        """Decide the cell, once more where the process that watches its limits is lost.

        Raises:
            OSError: no process can be started.
        """
        self._wanted.add(key)
        reason = ""
        for attempt in range(1, ATTEMPTS + 1):
            match self._outcome(key, cell):
                case Finished(_, outcome):
                    return replace(outcome, host=self._host, attempts=attempt)
                case Failed(_, reason):
                    pass
                case None:
                    break
        return lost_cell(reason, attempt)

    def _outcome(self, key: Any, cell: Cell) -> Finished[Outcome] | Failed | None:
        """What comes of a process for the cell; None where it is not wanted any more."""
        child = Child(isolated(cell), unwatched)
        outcome: Finished[Outcome] | Failed | None = None
        try:
            child.start()
            while outcome is None and key in self._wanted:
                if speaking([child], TICK):
                    outcome = child.receive()
        finally:
            child.kill()
        if isinstance(outcome, Failed):
            remove_remains(outcome)
        return outcome


def _written(task: Task, folder: Path) -> dict[Path, Path]:
    copies = {}
    for number, (path, content) in enumerate(task.files):
        copies[path] = folder / str(number) / path.name
        copies[path].parent.mkdir()
        copies[path].write_bytes(zlib.decompress(content))
    return copies
