"""What runs on a worker of a Dask cluster: cells, in processes as on the own machine.

Needs `distributed`, so only `dask` imports it, and workers do.
"""

from __future__ import annotations

import secrets
import tempfile
import zlib
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from distributed import Worker, WorkerPlugin, get_worker

from petricheck.batch.cells import Cell, Outcome
from petricheck.batch.isolated import MARK, host, isolated, outcome_of, preload
from petricheck.budget import unwatched
from petricheck.processes.child import Child, wait_for_news
from petricheck.processes.marks import none_left

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
        self._batch = secrets.token_hex(8)
        self._guarded = ExitStack()
        self._guarded.enter_context(none_left(MARK, self._batch))
        preload()
        self._host = host()
        self._wanted: set[Any] = set()

    def teardown(self, worker: Worker) -> None:
        """End all cells; called on the worker, as is `transition`."""
        self._wanted.clear()
        self._guarded.close()

    def transition(self, key: Any, start: Any, finish: Any, **_: Any) -> None:
        """End the cell of a task that nobody waits for any more."""
        if finish in ("released", "cancelled"):
            self._wanted.discard(key)

    def decide(self, key: Any, cell: Cell) -> Outcome:
        """Decide the cell; what comes of one that nobody waits for any more is of no account.

        Raises:
            OSError: no process can be started.
        """
        self._wanted.add(key)
        child = Child(isolated(cell, self._batch), unwatched)
        try:
            child.start()
            while (ended := child.outcome()) is None:
                if key not in self._wanted:
                    ended = child.fail("nobody waits for it any more")
                    break
                wait_for_news([child], TICK)
            return replace(outcome_of(cell, ended), host=self._host)
        finally:
            child.kill()


def _written(task: Task, folder: Path) -> dict[Path, Path]:
    copies = {}
    for number, (path, content) in enumerate(task.files):
        copies[path] = folder / str(number) / path.name
        copies[path].parent.mkdir()
        copies[path].write_bytes(zlib.decompress(content))
    return copies
