"""Local: what becomes of a cell, whatever it does, and that nothing of it gets away."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from cells import (
    QUICK,
    asked,
    cell,
    descendants,
    eventually,
    marked,
    python,
    scripted,
    shell,
    stuck,
)

from petricheck.batch import solve
from petricheck.batch.cells import Cell, CellLimits, CellOutcome
from petricheck.batch.configurations import Configuration, parse_configuration
from petricheck.batch.executors.local import Local
from petricheck.support.errors import QueryError

STAY = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for again in range(3):
    if os.fork() == 0:
        os.setsid()
time.sleep(600)
"""


def stays(mark: Path) -> Configuration:
    """Eight processes, most of them in sessions of their own, that only SIGKILL ends."""
    return scripted("stays", sys.executable, "-c", STAY, str(mark))


def outcomes(*cells: Cell, jobs: int = 1) -> list[CellOutcome]:
    return [outcome for _, outcome in Local(jobs).run(cells)]


def when_a_cell_runs(act: Callable[[psutil.Process], None]) -> threading.Thread:
    """Once a cell is there, `act` on its process, from a thread."""

    def watch() -> None:
        while not (running := descendants()):
            time.sleep(0.01)
        act(running[0])

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return thread


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    assert not descendants()


# What is decided


def test_a_cell_has_a_verdict_with_evidence_and_numbers() -> None:
    (outcome,) = outcomes(cell())
    assert (outcome.status, outcome.verdict) == ("decided", "unreachable")
    assert outcome.engine == "state_equation" and outcome.audit
    assert outcome.target == "p1 = 1 and p2 = 0"
    assert json.loads(outcome.evidence)["answer"] is False
    assert outcome.iterations is not None and outcome.states is not None
    assert outcome.cpu_seconds is not None and 0 < outcome.cpu_seconds < 10
    assert outcome.seconds is not None and outcome.seconds > 0
    assert outcome.memory is not None and 1 << 20 < outcome.memory < 1 << 32
    assert outcome.host is not None and outcome.host.cores >= 1
    assert {"Python", "z3-solver"} <= dict(outcome.host.versions).keys()


def test_cells_are_taken_when_they_begin() -> None:
    taken = []

    def source() -> Iterator[Cell]:
        for number in range(6):
            taken.append(number)
            yield cell()

    # Two may end at once; then the second still waits to be told while two others run.
    for done, _ in enumerate(Local(2).run(source()), 1):
        assert len(taken) <= done + 3
    assert len(taken) == 6


def test_no_cells_have_no_outcomes_and_no_jobs_are_refused() -> None:
    assert outcomes() == []
    with pytest.raises(QueryError, match="jobs: at least 1"):
        outcomes(cell(), jobs=0)


# What fails


def test_a_refusal_costs_no_other_cell(tmp_path: Path) -> None:
    (tmp_path / "bad.pnml").write_text("<pnml>")
    bad = cell(question=replace(asked(), net=tmp_path / "bad.pnml"))
    missing = cell(question=replace(asked(), net=tmp_path / "missing.pnml"))
    refused, lost, query, solved = outcomes(
        bad, missing, cell(parse_configuration("nowhere=cegar:predicates=nowhere")), cell()
    )
    assert (refused.status, refused.error) == ("error", "InputError")
    assert refused.reason.startswith("bad.pnml: ") and str(tmp_path) not in refused.reason
    assert refused.cpu_seconds is None and refused.seconds is None
    assert lost.reason.startswith("missing.pnml: ")
    assert (query.error, "'nowhere'" in query.reason) == ("QueryError", True)
    assert query.target
    assert solved.status == "decided"


def test_a_cell_that_crashes_is_an_error_that_names_the_signal(tmp_path: Path) -> None:
    thread = when_a_cell_runs(lambda process: process.send_signal(signal.SIGSEGV))
    crashed, solved = outcomes(cell(stuck(tmp_path)), cell())
    thread.join()
    assert (crashed.status, crashed.error) == ("error", "Crash")
    assert crashed.reason == "its process was killed by SIGSEGV"
    assert solved.status == "decided"


# What overruns


def test_an_engine_that_ends_at_its_limit_tells_what_it_did() -> None:
    diverging = Configuration("diverging", "cegar", (("guide", "none"), ("heuristics", "")))
    (outcome,) = outcomes(cell(diverging, asked("parity_U"), CellLimits(0.5)))
    assert (outcome.status, outcome.verdict) == ("timeout", "unknown")
    assert outcome.reason.startswith("the time limit of 0.5 s is reached")
    assert outcome.evidence == b"" and outcome.engine == ""


def test_an_engine_that_ignores_its_limit_is_killed(tmp_path: Path) -> None:
    killed, solved = outcomes(cell(stuck(tmp_path), limits=CellLimits(0.2)), cell())
    assert killed.status == "timeout" and killed.reason.startswith("killed 1 s after")
    assert killed.seconds is not None and killed.seconds >= 1.2
    assert killed.cpu_seconds is not None and killed.memory and killed.target
    assert solved.status == "decided"


def starts_and(then: str, mark: Path) -> Configuration:
    """A program starts `STAY`, and does something then."""
    popen = f"subprocess.Popen([sys.executable, '-c', {STAY!r}, {str(mark)!r}])"
    wait = "time.sleep(1)"  # until there are eight of them
    return python(f"import os, subprocess, sys, time; {popen}; {wait}; {then}", then)


@pytest.mark.slow
def test_processes_that_hide_from_a_cell_end_with_it(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    seen: list[bool] = []

    def look() -> None:  # 2 ** 3 processes in sessions of their own
        seen.append(eventually(lambda: len(marked(mark)) == 8))

    watch = threading.Thread(target=look)
    watch.start()
    cells = [
        cell(stays(mark), limits=CellLimits(6.0)),
        cell(starts_and("sys.exit()", mark)),
        cell(starts_and("os.kill(os.getppid(), 9)", mark)),
    ]
    ended = []
    for _, outcome in Local(1).run(cells):
        assert not marked(mark)
        ended.append((outcome.status, outcome.reason))
    watch.join()
    assert seen == [True]
    assert ended == [
        ("timeout", "killed 1 s after the time limit of 6 s"),
        ("decided", ""),
        ("error", "its process was killed by SIGKILL"),
    ]


def test_the_memory_of_all_processes_counts_together() -> None:
    half = "x = bytearray(120 << 20); import time; time.sleep(600)"
    several = python(
        "import subprocess, sys;"
        f"[p.wait() for p in [subprocess.Popen([sys.executable, '-c', {half!r}]) for _ in '123']]"
    )
    (outcome,) = outcomes(cell(several, limits=CellLimits(60, memory=300)))
    assert outcome.status == "memory"
    assert outcome.reason == "killed at the memory limit of 300 MiB"
    assert outcome.memory is not None and outcome.memory > 300 << 20


def test_an_engine_that_is_short_of_memory_says_so_itself() -> None:
    diverging = Configuration("diverging", "cegar", (("guide", "none"), ("heuristics", "")))
    (outcome,) = outcomes(cell(diverging, asked("parity_U"), CellLimits(20, memory=1)))
    assert outcome.status == "memory"


def test_the_cpu_time_of_all_processes_counts_together() -> None:
    busy = shell("(while :; do :; done) & (while :; do :; done) & wait")
    (outcome,) = outcomes(cell(busy, limits=CellLimits(60, cpu_seconds=0.6)))
    assert (outcome.status, outcome.reason) == ("timeout", "killed at the CPU limit of 0.6 s")
    assert outcome.cpu_seconds is not None and 0.5 < outcome.cpu_seconds < 5


def test_a_portfolio_that_is_killed_leaves_no_member() -> None:
    race = parse_configuration(
        "race=portfolio:sweep=,members=explicit,random_walk,reductions=false"
    )
    (outcome,) = outcomes(cell(race, asked("exponential_U_33"), CellLimits(30, cpu_seconds=0.5)))
    assert outcome.status in ("timeout", "decided", "unknown")


def test_reading_a_question_is_limited_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "net.pnml")
    monkeypatch.setattr(solve, "FILES", 0.2)
    (late,) = outcomes(cell(question=replace(asked(), net=tmp_path / "net.pnml")))
    assert (late.status, late.error) == ("error", "Overrun")
    assert late.reason == "reading the question took more than 0.2 s"


# What is left


def test_closing_kills_everything(tmp_path: Path) -> None:
    run = Local(2).run([cell(), cell(shell(f"setsid sleep 600 {tmp_path} & sleep 600")), cell()])
    assert next(run)[1].status == "decided"
    assert descendants()
    run.close()  # type: ignore[attr-defined]


def test_an_interruption_kills_everything(tmp_path: Path) -> None:
    seen: list[psutil.Process] = []

    def interrupt(process: psutil.Process) -> None:
        seen.append(process)
        # Another thread that took the signal would not delay it while the main one forks.
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    thread = when_a_cell_runs(interrupt)
    with pytest.raises(KeyboardInterrupt):
        outcomes(cell(stuck(tmp_path)))
    thread.join()
    assert len(seen) == 1
    assert not any(process.is_running() and process.memory_info().rss for process in seen)


def test_a_batch_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    script = (
        "from pathlib import Path; from cells import cell; from test_local_executor import stays;"
        "from petricheck.batch.executors.local import Local;"
        f"list(Local(2).run([cell(stays(Path({str(mark)!r})))] * 2))"
    )
    environment = {"PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(tmp_path)}
    batch = subprocess.Popen([sys.executable, "-c", script], env=os.environ | environment)
    assert eventually(lambda: len(marked(mark)) == 16)
    batch.kill()
    batch.wait()
    assert eventually(lambda: not marked(mark) and not list(tmp_path.iterdir()))


@pytest.mark.slow
def test_many_cells_leave_no_file_and_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    found = outcomes(*[cell(QUICK, limits=CellLimits(60)) for _ in range(80)], jobs=2)
    assert [outcome.status for outcome in found] == ["decided"] * 80
    assert not list(tmp_path.iterdir())
