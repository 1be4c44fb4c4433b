"""Cells in processes of this machine."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from multiprocessing.connection import wait

from petricheck.batch.cells import Cell, Outcome
from petricheck.batch.executors import ATTEMPTS
from petricheck.batch.processes.servers import Lost, Server
from petricheck.errors import QueryError


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
        waiting = iter(cells)
        crew = _Crew()
        try:
            while True:
                # Before a caller keeps an outcome, the next cell runs.
                while len(crew.busy) < self.jobs and (cell := next(waiting, None)) is not None:
                    crew.begin(cell, 1)
                yield from crew.ended
                crew.ended.clear()
                if not crew.busy:
                    return
                crew.wait()
        finally:
            crew.end()


class _Crew:
    """Servers of cells.

    Attributes:
        busy: those that have a cell, which cell, and how often it was begun.
        ended: the cells that have an outcome.
    """

    def __init__(self) -> None:
        self.busy: dict[Server, tuple[Cell, int]] = {}
        self.ended: list[tuple[Cell, Outcome]] = []
        self._idle: list[Server] = []

    def begin(self, cell: Cell, attempt: int) -> None:
        """Have an idle server decide the cell, or a new one."""
        while self._idle:
            server = self._idle.pop()
            if not server.gone:
                break
            server.end()
        else:
            server = Server()
        self.busy[server] = (cell, attempt)
        server.send(cell)

    def wait(self) -> None:
        """Until a cell has an outcome, or is begun once more since its server was lost."""
        patience = min(server.deadline for server in self.busy) - time.monotonic()
        ready = wait([server.channel for server in self.busy], max(0.0, patience))
        now = time.monotonic()
        for server in list(self.busy):
            if server.channel in ready or server.deadline <= now:
                self._receive(server)

    def _receive(self, server: Server) -> None:
        cell, attempt = self.busy[server]
        answer = server.receive()
        if isinstance(answer, Outcome):
            self._idle.append(server)
        del self.busy[server]
        match answer:
            case Outcome():
                self.ended.append((cell, replace(answer, attempts=attempt)))
            case Lost() if attempt < ATTEMPTS:
                self.begin(cell, attempt + 1)
            case Lost(reason):
                lost = Outcome("error", reason=reason, error="Crash", attempts=attempt)
                self.ended.append((cell, lost))

    def end(self) -> None:
        """End all servers and their cells."""
        servers = [*self._idle, *self.busy]
        for server in servers:
            server.dismiss()
        for server in servers:
            server.end()
