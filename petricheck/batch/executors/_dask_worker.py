"""Cells on a worker of a Dask cluster, in processes as on the own machine.

Needs `distributed`, so only `dask` imports it, and workers do.
"""

from __future__ import annotations

import tempfile
import zlib
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from distributed import Worker, WorkerPlugin, get_worker

from petricheck.batch.cells import Cell, CellOutcome
from petricheck.batch.isolated import isolated, outcome_of, ready_to_fork
from petricheck.support.budget import unwatched
from petricheck.support.processes.child import Child, wait_for_news

TICK = 0.1
"""Seconds between two looks whether a cell is still wanted."""


def decide(batch: str, cell: Cell, files: Mapping[Path, bytes]) -> CellOutcome:
    """Decide a cell on this worker, in whose thread this runs; `batch` is the name of its plugin.

    The contents of the cell's files are compressed by zlib, so that no file system need be shared.
    OSError where the worker has no room for files or processes; another may have.
    """
    worker = get_worker()
    cells = worker.plugins[batch]
    assert isinstance(cells, Cells)
    key = worker.get_current_task()
    worker.log_event(batch, key)
    with tempfile.TemporaryDirectory(dir=worker.local_directory) as folder:
        copies = {}
        for number, (path, content) in enumerate(files.items()):
            copies[path] = Path(folder) / str(number) / path.name
            copies[path].parent.mkdir()
            copies[path].write_bytes(zlib.decompress(content))
        return cells.decide(key, cell.at(copies))


class Cells(WorkerPlugin):
    """The cells of a batch that are decided on a worker."""

    def setup(self, worker: Worker) -> None:
        """Prepare to fork; called on the worker."""
        self._keys: set[Any] = set()
        self._stack = ExitStack()
        self._mark, self._host = self._stack.enter_context(ready_to_fork())

    def teardown(self, worker: Worker) -> None:
        """End all cells; called on the worker, as is `transition`."""
        self._keys.clear()
        self._stack.close()

    def transition(self, key: Any, start: Any, finish: Any, **_: Any) -> None:
        """End the cell of a task that has been cancelled."""
        if finish in ("released", "cancelled"):
            self._keys.discard(key)

    def decide(self, key: Any, cell: Cell) -> CellOutcome:
        """Decide the cell of a task, unless it is cancelled; OSError where no process can start."""
        self._keys.add(key)
        child = Child(isolated(cell, self._mark), unwatched)
        try:
            child.start()
            while (ended := child.outcome()) is None:
                if key not in self._keys:
                    ended = child.fail("nobody waits for it")
                    break
                wait_for_news([child], TICK)
            return replace(outcome_of(cell, ended), host=self._host)
        finally:
            child.kill()
