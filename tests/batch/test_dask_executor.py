"""Dask: a real scheduler and worker processes, some of which are killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from cells import asked, cell, descendants, eventually, marked, python, shell, stuck
from folders import ROOT

from petricheck.batch.cells import Cell, CellLimits, CellOutcome
from petricheck.batch.executors import dask
from petricheck.batch.executors.dask import ATTEMPTS, Dask
from petricheck.batch.executors.local import Local
from petricheck.support import plugins
from petricheck.support.errors import InputError, QueryError

pytestmark = pytest.mark.slow

distributed = pytest.importorskip(
    "distributed", reason="DASK IS NOT TESTED: distributed is not installed"
)

NO_DASHBOARD = ["--no-dashboard", "--dashboard-address", "127.0.0.1:0", "--host", "127.0.0.1"]


class Cluster:
    """A scheduler and workers in processes of their own, as on a cluster."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.folder = folder
        self._file = folder / "scheduler.json"
        self._start("scheduler", "--port", "0", "--scheduler-file", str(self._file))
        assert eventually(lambda: self._file.exists() and self._file.read_text() != "", 60)
        for _ in range(workers):
            self._start(
                "worker", "--nthreads", "1", "--scheduler-file", str(self._file),
                "--local-directory", str(folder),
            )  # fmt: skip

    @property
    def address(self) -> str:
        import json

        return str(json.loads(self._file.read_text())["address"])

    def workers(self) -> list[psutil.Process]:
        """The processes in which tasks run; nannies are their parents."""
        found = []
        for nanny in self._processes[1:]:
            with suppress(psutil.Error):
                for process in psutil.Process(nanny.pid).children():
                    if "spawn_main" in " ".join(process.cmdline()):
                        found.append(process)
        return found

    def lose_scheduler(self) -> None:
        self._processes[0].kill()

    def end(self) -> None:
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.wait()
        assert eventually(lambda: not descendants())  # servers end with their workers

    def _start(self, kind: str, *arguments: str) -> None:
        module = f"distributed.cli.dask_{kind}"
        process = subprocess.Popen(
            [sys.executable, "-m", module, *NO_DASHBOARD, *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )
        self._processes = [*getattr(self, "_processes", []), process]


@contextmanager
def running(folder: Path, workers: int) -> Iterator[Cluster]:
    cluster = Cluster(folder, workers)
    try:
        yield cluster
    finally:
        cluster.end()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with running(tmp_path_factory.mktemp("cluster"), workers=2) as cluster:
        yield cluster


@pytest.mark.slow
def test_a_cluster_finds_what_this_machine_finds(cluster: Cluster) -> None:
    names = ("fig8_U", "finkel_km_R", "finkel_km_U", "parity_U", "fms_U2")
    cells = [cell(question=asked(name)) for name in names]
    ours = {done.key: outcome for done, outcome in Local(1).run(cells)}
    theirs = {done.key: outcome for done, outcome in Dask(cluster.address).run(cells)}
    assert ours.keys() == theirs.keys()
    for key, outcome in theirs.items():
        assert (outcome.status, outcome.verdict) == (ours[key].status, ours[key].verdict)
        assert outcome.evidence == ours[key].evidence
        assert bool(outcome.audit) == (outcome.status == "decided")
        assert outcome.host is not None and outcome.attempts == 1
    assert sum(outcome.status == "decided" for outcome in theirs.values()) >= 3
    assert eventually(lambda: not descendants(), 5)


@pytest.mark.slow
def test_files_travel_with_their_cells(cluster: Cluster, tmp_path: Path) -> None:
    here = tmp_path / "here.pnml"
    here.write_bytes(asked().net.read_bytes())
    question = replace(asked(), net=here)
    gone = replace(question, net=tmp_path / "gone.pnml")

    def source() -> Iterator[Cell]:
        yield cell(question=question)
        here.unlink()  # it is under way, and nobody needs it here any more
        yield cell(question=gone)

    found = dict(Dask(cluster.address).run(source()))
    outcomes = {done.question.net.name: outcome for done, outcome in found.items()}
    assert outcomes["here.pnml"].verdict == "unreachable"
    assert outcomes["gone.pnml"].reason == "gone.pnml: cannot be read: No such file or directory"


@pytest.mark.slow
def test_limits_hold_on_workers(cluster: Cluster) -> None:
    hog = python("x = bytearray(400 << 20); import time; time.sleep(600)", "hog")
    sleeper = shell("trap '' TERM; setsid sleep 600 & sleep 600", "sleeper")
    cells = [
        cell(hog, limits=CellLimits(60, memory=200)),
        cell(sleeper, limits=CellLimits(0.5)),
        cell(),
    ]
    found = {done.key[2]: outcome for done, outcome in Dask(cluster.address).run(cells)}
    assert found["hog"].status == "memory"
    assert (found["sleeper"].status, found["sleeper"].attempts) == ("timeout", 1)
    assert found["quick"].status == "decided"


@pytest.mark.slow
def test_workers_that_are_killed_cost_no_cell(cluster: Cluster) -> None:
    def busy() -> list[psutil.Process]:
        with suppress(psutil.Error):
            cells = {process.ppid() for process in descendants()}
            return [worker for worker in cluster.workers() if worker.pid in cells]
        return []

    def kill() -> None:
        for _ in range(3):  # the scheduler forgives a cell three dead workers
            time.sleep(0.5)
            assert eventually(busy)
            with suppress(psutil.Error, IndexError):
                busy()[0].kill()

    work = [shell("sleep 0.15", f"work{number}") for number in range(20)]
    killer = threading.Thread(target=kill)
    killer.start()
    found = list(Dask(cluster.address).run(cell(configuration) for configuration in work))
    killer.join()
    assert sorted(done.key[2] for done, _ in found) == sorted(each.name for each in work)
    assert {(outcome.status, outcome.verdict) for _, outcome in found} == {
        ("decided", "unreachable")
    }
    assert any(outcome.attempts > 1 for _, outcome in found)


def test_closing_kills_the_cells_on_workers(cluster: Cluster) -> None:
    stays = shell("setsid sleep 600 & sleep 600", "stays")
    run = Dask(cluster.address).run([cell(), cell(stays), cell()])
    assert next(run)[1].status == "decided"
    assert descendants()
    run.close()  # type: ignore[attr-defined]
    assert eventually(lambda: not descendants(), 5)


def test_a_batch_that_is_killed_leaves_no_cell_on_workers(cluster: Cluster, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    script = (
        "from cells import *; from petricheck.batch.executors.dask import Dask\n"
        f"stays = scripted('stays', 'sh', '-c', 'sleep 600; true', {str(mark)!r})\n"
        f"list(Dask({cluster.address!r}).run([cell(stays)]))"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    batch = subprocess.Popen([sys.executable, "-c", script], env=environment)
    assert eventually(lambda: marked(mark), 60)
    batch.kill()
    batch.wait()
    assert eventually(lambda: not marked(mark))


@pytest.mark.slow
def test_a_cell_that_kills_its_worker_is_an_error_in_the_end() -> None:
    kills = python("import os, psutil; psutil.Process(os.getppid()).parent().kill()", "kills")
    before = {process.pid for process in descendants()}
    cells = [cell(kills), *[cell(question=asked(name)) for name in ("fig8_U", "finkel_km_R")]]
    found: dict[str, CellOutcome] = {}
    for done, outcome in Dask("local", jobs=2).run(cells):
        found[f"{done.key[1]} {done.key[2]}"] = outcome
    assert found["fig8_U quick"].verdict == "unreachable"
    assert found["finkel_km_R quick"].attempts == 1
    lost = found["fig8_U kills"]
    assert (lost.status, lost.error, lost.attempts) == ("error", "KilledWorker", ATTEMPTS)
    assert lost.reason == f"{ATTEMPTS} workers died while they had this cell"
    assert {process.pid for process in descendants()} <= before


@pytest.mark.slow
def test_a_lost_scheduler_ends_the_batch_with_what_is_done(tmp_path: Path) -> None:
    done: list[Cell] = []
    complaint = r"scheduler was lost; what is done is kept, and --resume continues"
    with running(tmp_path, workers=1) as lost, pytest.raises(InputError, match=complaint):
        for each, _ in Dask(lost.address).run([cell(), cell(stuck(tmp_path))]):
            done.append(each)
            lost.lose_scheduler()
    assert [each.key[2] for each in done] == ["quick"]


@pytest.mark.slow
def test_a_terminal_that_interrupts_all_processes_is_shown_no_traceback(tmp_path: Path) -> None:
    def has_worker() -> bool:
        with suppress(psutil.Error):
            below = psutil.Process(batch.pid).children(recursive=True)
            return any("spawn_main" in " ".join(process.cmdline()) for process in below)
        return False

    words = ["batch", "nets/fig8_U.json", "--dask", "local", "--out", str(tmp_path / "out")]
    with subprocess.Popen(
        [sys.executable, "-m", "petricheck", *words],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as batch:
        assert eventually(has_worker, 60)
        os.killpg(batch.pid, signal.SIGINT)
        complaints = batch.communicate(timeout=60)[1]
    expected = f"petricheck: interrupted; --resume continues {tmp_path / 'out'}\n"
    assert (batch.returncode, complaints) == (130, expected)


def test_where_no_scheduler_answers_the_address_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "CONNECTING", 0.3)
    with pytest.raises(InputError, match=r"^tcp://127.0.0.1:9: no Dask scheduler answers"):
        list(Dask("tcp://127.0.0.1:9").run([cell()]))
    monkeypatch.setattr(distributed, "Client", None)
    for address in ("nonsense", "nonsense://x", "localhost"):
        with pytest.raises(InputError, match=f"^{address}: no Dask scheduler answers"):
            list(Dask(address).run([cell()]))


def test_without_dask_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    executor = plugins.build("batch.executors", "dask", {"jobs": "2"})
    assert executor == Dask(jobs=2)
    with pytest.raises(QueryError, match=r"pip install 'petricheck\[dask\]'"):
        list(executor.run([cell()]))
