"""Cells on a Dask cluster, or on worker processes of this machine that Dask looks after.

A task carries the contents of its cell's files and brings back the outcome with its evidence, so
that no file system need be shared. Workers decide cells as `Local` does: each in a process of its
own, within its limits. petricheck must be installed on them, in the same version.

Where a worker dies, the scheduler has its tasks begun again on others, and after a number of
deaths (its setting `allowed-failures`) it gives them up as killers; such a cell is recorded as an
error. As it suspects every task of the dead worker, a worker should have one thread.
"""

from __future__ import annotations

import logging
import math
import queue
import secrets
import time
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from multiprocessing import resource_tracker
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from petricheck.batch.cells import Cell, CellOutcome
from petricheck.support.errors import InputError, QueryError
from petricheck.support.extras import optional
from petricheck.support.plugins import option
from petricheck.support.processes.system import signals_waiting

ATTEMPTS = 3
"""How often a cell is begun at most, where its worker is lost."""

LOCAL = "local"
"""The address that stands for workers of this machine."""

CONNECTING = 15.0
"""Seconds in which a scheduler has to answer."""

WITHOUT_WORKERS = 120.0
"""Seconds without any worker after which a batch is given up."""

TICK = 1.0
"""Seconds between two looks at the cluster."""


@dataclass(frozen=True)
class Dask:
    """Workers of a Dask cluster (needs petricheck[dask])."""

    address: str = option(
        LOCAL, "of the scheduler, such as tcp://host:8786, or local for a new cluster"
    )
    jobs: int = option(1, "how many workers a local cluster has")

    def run(self, cells: Iterable[Cell]) -> Iterator[tuple[Cell, CellOutcome]]:
        """Decide the cells, as many at a time as the workers have threads.

        InputError where no scheduler answers, it was lost, or it has no workers.
        """
        if self.jobs < 1:
            raise QueryError(f"jobs: at least 1 is expected, not {self.jobs}")
        distributed = optional("distributed", "Dask", "dask")
        with ExitStack() as stack:
            address = self.address
            if address == LOCAL:
                address = stack.enter_context(_local_cluster(distributed, self.jobs))
            client = stack.enter_context(_client(distributed, address))
            yield from stack.enter_context(closing(_Batch(client, address))).run(cells)


@contextmanager
def _local_cluster(distributed: Any, jobs: int) -> Iterator[str]:
    """Yield the address of a cluster of this machine, reached from here only."""
    with _quiet_loops(), TemporaryDirectory(prefix="petricheck-dask-") as folder:
        # What is begun here, workers too, keeps its signals waiting: a terminal that interrupts all
        # processes leaves them to this one, and Dask cannot be interrupted while it starts.
        resource_tracker.ensure_running()  # it would let them through where workers are begun
        with signals_waiting():
            cluster = distributed.LocalCluster(
                n_workers=jobs,
                threads_per_worker=1,
                host="127.0.0.1",
                # The limits are the cells'; workers themselves hold next to nothing.
                memory_limit=0,
                dashboard_address="127.0.0.1:0",
                scheduler_kwargs={"dashboard": False, "allowed_failures": ATTEMPTS - 1},
                local_directory=folder,
                silence_logs=logging.CRITICAL,
            )
        with cluster:
            yield cluster.scheduler_address


@contextmanager
def _quiet_loops() -> Iterator[None]:
    """Suppress messages about requests that an interruption leaves without an answer."""
    logger = logging.getLogger("asyncio")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


@contextmanager
def _client(distributed: Any, address: str) -> Iterator[Any]:
    try:
        # A client that is made of a senseless address hangs when it is deleted.
        distributed.comm.get_address_host_port(address)
        client = distributed.Client(address, timeout=CONNECTING, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        reason = f"no Dask scheduler answers: {str(error) or type(error).__name__}"
        raise InputError(reason, path=address) from None
    try:
        yield client
    finally:
        with suppress(Exception):
            client.close()


class _Batch:
    def __init__(self, client: Any, address: str) -> None:
        """Prepare the workers; InputError where they cannot run petricheck."""
        from petricheck.batch.executors._dask_worker import Cells

        self._name = f"petricheck-{secrets.token_hex(8)}"
        self._client = client
        self._address = address
        self._sent: dict[str, tuple[Cell, Any]] = {}
        self._ended: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._capacity = 0
        self._last_look, self._last_worker = -math.inf, time.monotonic()
        self._begun: Counter[str] = Counter()
        client.subscribe_topic(self._name, lambda event: self._begun.update([event[1]]))
        try:
            client.register_plugin(Cells(), name=self._name)
        except Exception as error:  # whatever a worker raises is raised here
            reason = f"a worker cannot run petricheck: {str(error) or type(error).__name__}"
            reason += "; the same version must be installed there"
            raise InputError(reason, path=address) from error

    def run(self, cells: Iterable[Cell]) -> Iterator[tuple[Cell, CellOutcome]]:
        """Decide them; InputError where the scheduler was lost, or it has no workers."""
        waiting = iter(cells)
        ended: list[tuple[Cell, CellOutcome]] = []
        while True:
            self._look()
            cell = None
            while len(self._sent) < self._capacity and (cell := next(waiting, None)) is not None:
                ended += self._send(cell)
            # Before a caller keeps an outcome, the next cell runs.
            yield from ended
            if cell is None and not self._sent and self._capacity:
                return
            ended = self._receive()

    def close(self) -> None:
        """Cancel what is not decided; cells on workers are killed."""
        if self._client.status != "running":
            return
        with suppress(Exception):
            self._client.cancel([future for _, future in self._sent.values()], force=True)
            self._client.unsubscribe_topic(self._name)
        with suppress(Exception):
            self._client.unregister_worker_plugin(self._name)

    def _look(self) -> None:
        """Count how many cells can run on the cluster at once."""
        now = time.monotonic()
        if self._client.status != "running":
            raise self._loss()
        if now - self._last_look < TICK:
            return
        try:
            self._capacity = sum(self._client.nthreads().values())
        except (OSError, TimeoutError, ValueError):
            raise self._loss() from None
        self._last_look = now
        if self._capacity:
            self._last_worker = now
        elif now - self._last_worker > WITHOUT_WORKERS:
            reason = f"the Dask scheduler has had no worker for {WITHOUT_WORKERS:g} s"
            raise InputError(f"{reason}; --resume continues", path=self._address)

    def _send(self, cell: Cell) -> list[tuple[Cell, CellOutcome]]:
        """Send the cell to the cluster; the cell has ended where its files cannot be read."""
        from petricheck.batch.executors._dask_worker import decide

        try:
            files = {path: zlib.compress(path.read_bytes()) for path in cell.files}
        except OSError as error:
            reason = f"{Path(error.filename).name}: cannot be read: {error.strerror}"
            return [(cell, CellOutcome("error", reason=reason, error="InputError"))]
        future = self._client.submit(
            decide, self._name, cell, files, pure=False, retries=ATTEMPTS - 1
        )
        self._sent[future.key] = (cell, future)
        future.add_done_callback(lambda finished: self._ended.put(finished.key))
        return []

    def _receive(self) -> list[tuple[Cell, CellOutcome]]:
        """Return a cell that has ended, with its outcome; none within a tick."""
        try:
            key = self._ended.get(timeout=TICK)
        except queue.Empty:
            return []
        cell, future = self._sent[key]
        outcome = self._outcome(future)
        del self._sent[key]
        return [(cell, outcome)]

    def _outcome(self, future: Any) -> CellOutcome:
        """Return the outcome of a task; InputError where the scheduler was lost."""
        begun = self._begun[future.key]
        try:
            outcome: CellOutcome = future.result()
            return replace(outcome, attempts=max(1, begun))
        except Exception as error:
            if future.status not in ("error", "finished"):
                raise self._loss() from None
            failure: Any = error
            kind, reason, deaths = type(error).__name__, str(error), 1
            if kind == "KilledWorker":
                deaths = failure.allowed_failures + 1
                reason = f"{deaths} workers died while they had this cell"
            attempts = max(deaths, begun)
            return CellOutcome("error", reason=reason or kind, error=kind, attempts=attempts)

    def _loss(self) -> InputError:
        reason = "the Dask scheduler was lost; what is done is kept, and --resume continues"
        return InputError(reason, path=self._address)
