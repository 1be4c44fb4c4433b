"""What runs on a worker of a Dask cluster: cells, by the same servers as on the own machine.

Needs `distributed`, so only `dask` imports it, and workers do.
"""

from __future__ import annotations

import tempfile
import threading
import zlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from distributed import Worker, WorkerPlugin, get_worker

from petricheck.batch.cells import Cell, Outcome
from petricheck.batch.executors import ATTEMPTS
from petricheck.batch.processes.servers import Server

IDLE = 60.0
"""Seconds after which a server without a cell ends; its batch may have been killed."""


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
    servers = worker.plugins[task.batch]
    assert isinstance(servers, Servers)
    key = worker.get_current_task()
    worker.log_event(task.batch, key)
    with tempfile.TemporaryDirectory(dir=worker.local_directory) as folder:
        return servers.decide(key, task.cell.at(_written(task, Path(folder))))


class Servers(WorkerPlugin):
    """The servers of a worker: one for each of its threads that has a cell of the batch."""

    def setup(self, worker: Worker) -> None:
        """Begin; called on the worker."""
        self._lock = threading.Lock()
        self._idle: list[Server] = []
        self._busy: dict[Any, Server] = {}

    def teardown(self, worker: Worker) -> None:
        """End all servers and their cells; called on the worker, as is `transition`."""
        with self._lock:
            idle, busy = self._idle, self._busy
            self._idle, self._busy = [], {}
        for server in (*idle, *busy.values()):
            server.quit()
        for server in idle:
            server.end()

    def transition(self, key: Any, start: Any, finish: Any, **_: Any) -> None:
        """End the cell of a task that nobody waits for any more."""
        if finish in ("released", "cancelled"):
            with self._lock:
                server = self._busy.pop(key, None)
            if server is not None:
                server.quit()

    def decide(self, key: Any, cell: Cell) -> Outcome:
        """Decide the cell; where its server is lost, on another one.

        Raises:
            OSError: no process can be started.
        """
        for attempt in range(1, ATTEMPTS + 1):
            server = self._take(key)
            server.send(cell)
            answer = server.receive()
            wanted = self._give_back(key, server, isinstance(answer, Outcome))
            if isinstance(answer, Outcome):
                return replace(answer, attempts=attempt)
            if not wanted:
                break
        return Outcome("error", reason=answer.reason, error="Crash", attempts=attempt)

    def _take(self, key: Any) -> Server:
        with self._lock:
            self._idle, gone = _split(self._idle)
            server = self._idle.pop() if self._idle else Server(IDLE)
            self._busy[key] = server
        for ended in gone:
            ended.end()
        return server

    def _give_back(self, key: Any, server: Server, alive: bool) -> bool:
        """Whether the cell was wanted to its end."""
        with self._lock:
            wanted = self._busy.pop(key, None) is server
            if wanted and alive:
                self._idle.append(server)
        if not wanted:
            server.end()
        return wanted


def _split(servers: list[Server]) -> tuple[list[Server], list[Server]]:
    """Those that are there, and those that have ended by themselves."""
    gone = [server for server in servers if server.gone]
    return [server for server in servers if server not in gone], gone


def _written(task: Task, folder: Path) -> dict[Path, Path]:
    copies = {}
    for number, (path, content) in enumerate(task.files):
        copies[path] = folder / str(number) / path.name
        copies[path].parent.mkdir()
        copies[path].write_bytes(zlib.decompress(content))
    return copies
