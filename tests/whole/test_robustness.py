"""The command, as users run it, when its processes are killed, interrupted, or short of something.

Every run is a process of its own, and in the end nothing of its family may be left.
"""

from __future__ import annotations

import json
import os
import pty
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path

import psutil
import pytest
from folders import NETS

from petricheck.commands.shell.live_lines import PERIOD

FIG8 = [str(NETS / "fig8_U.pnml"), "--target", "p1=1"]
RACE = ["--no-reductions", "-o", "sweep="]
ENDLESS = [*FIG8, *RACE, "-o", "members=random_walk,explicit"]
"""A race that nobody wins: nothing is reachable, and the markings never end."""


class Family:
    """A running command with the processes that it has started."""

    def __init__(self, *arguments: str, stderr: int = subprocess.PIPE) -> None:
        self.main = psutil.Popen(
            [sys.executable, "-m", "petricheck", *arguments],
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            start_new_session=True,
        )

    def workers(self) -> list[psutil.Process]:
        """What runs in the session of the command, save for the command and its supervisor."""
        members = [process for pid in psutil.pids() if (process := self._member(pid)) is not None]
        return [process for process in members if self._is_worker(process)]

    def _is_worker(self, process: psutil.Process) -> bool:
        with suppress(psutil.NoSuchProcess):
            return self.main.pid not in (process.pid, process.ppid())
        return False

    def _member(self, pid: int) -> psutil.Process | None:
        with suppress(psutil.NoSuchProcess, ProcessLookupError, PermissionError):
            process = psutil.Process(pid)
            if os.getsid(pid) == self.main.pid and process.status() != psutil.STATUS_ZOMBIE:
                return process
        return None

    def await_workers(self, count: int) -> list[psutil.Process]:
        await_(lambda: len(self.workers()) >= count)
        return self.workers()

    def finish(self) -> tuple[str, str]:
        """Both outputs, once the command has ended and all its processes are gone."""
        printed, complaints = self.main.communicate(timeout=60)
        self.await_nobody()
        return printed, complaints

    def await_nobody(self) -> None:
        await_(lambda: not self.workers())

    def close(self) -> None:
        for process in (self.main, *self.workers()):
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self.main.communicate()


def await_(condition: Callable[[], bool], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.fixture
def start() -> Iterator[Callable[..., Family]]:
    """Starts commands, and cleans up after those that failed a test."""
    started: list[Family] = []

    def begin(*arguments: str, stderr: int = subprocess.PIPE) -> Family:
        started.append(Family(*arguments, stderr=stderr))
        return started[-1]

    yield begin
    for family in started:
        with closing(family):
            pass


Start = Callable[..., Family]


def test_where_a_worker_is_killed_the_others_go_on_to_a_verdict(start: Start) -> None:
    members = "members=random_walk,cegar"
    family = start(*FIG8, *RACE, "-o", members, "-o", "turn=60", "--jobs", "1")
    family.await_workers(1)[0].send_signal(signal.SIGKILL)
    printed, complaints = family.finish()
    assert printed.startswith("unreachable\n")
    assert "(engine cegar)" in printed
    assert complaints == ""
    assert family.main.returncode == 0


@pytest.mark.slow
def test_where_all_workers_are_killed_the_answer_is_unknown_and_says_so(start: Start) -> None:
    family = start(*ENDLESS)
    for worker in family.await_workers(2):
        worker.send_signal(signal.SIGKILL)
    printed, complaints = family.finish()
    assert printed.splitlines()[:3] == [
        "unknown: no engine decides it",
        "  random_walk: its process was killed by SIGKILL",
        "  explicit: its process was killed by SIGKILL",
    ]
    assert complaints == ""
    assert family.main.returncode == 1


@pytest.mark.slow
def test_memory_stays_within_its_limit_and_who_holds_most_goes(
    start: Start, tmp_path: Path
) -> None:
    limit = 130
    net = tmp_path / "wide.pnml"
    write_net(net, dict.fromkeys("abcdefgh", 1), {f"t{p}": ({}, {p: 1}) for p in "abcdefgh"})
    family = start(
        str(net), "--formula", "a + b < 1", *RACE, "-o", "members=explicit",
        "--memory", str(limit), "--timeout", "20",
    )  # fmt: skip
    peak = 0
    while family.main.poll() is None:
        peak = max(peak, resident(family))
        time.sleep(0.05)
    printed, complaints = family.finish()
    assert f"explicit: the memory limit of {limit} MiB is reached" in printed
    assert complaints == ""
    assert family.main.returncode == 1
    assert limit / 2 < peak / (1 << 20) < limit * 1.1


def resident(family: Family) -> int:
    """Bytes of all processes, what they share counted once."""
    total = 0
    for process in (family.main, *family.workers()):
        with suppress(psutil.Error):
            total += process.memory_full_info().pss
    return total


def interrupt_group(process: psutil.Popen) -> None:
    os.killpg(process.pid, signal.SIGINT)


@pytest.mark.parametrize(
    "interrupt",
    [
        interrupt_group,
        pytest.param(lambda process: process.send_signal(signal.SIGINT), marks=pytest.mark.slow),
        pytest.param(lambda process: process.send_signal(signal.SIGTERM), marks=pytest.mark.slow),
    ],
    ids=["as a terminal does", "the parent alone", "terminated"],
)
def test_an_interrupted_race_ends_at_once(
    start: Start, interrupt: Callable[[psutil.Popen], None]
) -> None:
    family = start(*ENDLESS)
    family.await_workers(2)
    interrupt(family.main)
    printed, complaints = family.finish()
    assert printed.startswith("unknown: interrupted\n")
    assert complaints == ""
    assert family.main.returncode == 130


def test_workers_die_with_a_parent_that_is_killed(start: Start) -> None:
    family = start(*ENDLESS, "-o", "turn=0.1", "--jobs", "1")
    family.await_workers(2)
    family.main.send_signal(signal.SIGKILL)
    family.await_nobody()


def test_jobs_say_how_many_run_at_a_time_and_go_with_the_portfolio_only(start: Start) -> None:
    running = (psutil.STATUS_RUNNING, psutil.STATUS_SLEEPING)
    family = start(*ENDLESS, "-o", "turn=0.2", "--jobs", "1")
    family.await_workers(2)
    # One that was told to stop may need a moment.
    await_(lambda: sum(worker.status() in running for worker in family.workers()) <= 1)
    refused = start(*FIG8, "--engine", "cegar", "--jobs", "1")
    assert "--jobs goes with the engine portfolio, not cegar" in refused.finish()[1]
    assert refused.main.returncode == 2


def test_each_running_engine_has_a_line_of_its_own_on_a_terminal(start: Start) -> None:
    terminal, side = pty.openpty()
    began = time.monotonic()
    family = start(*ENDLESS, "--timeout", "60", stderr=side)
    os.close(side)
    clear, walk, explicit = (
        r"\r(\x1b\[1A)?\x1b\[J",
        r"random_walk: [^\n\r]* \(\d+ s\)",
        r"explicit: [^\n\r]* \(\d+ s\)",
    )
    # The second one runs where a processor is idle.
    drawn = read(terminal, f"{clear}({walk}\r\n{explicit}|{walk}|{explicit})")
    family.main.send_signal(signal.SIGINT)
    drawn += read(terminal)
    printed, _ = family.finish()
    assert re.search(f"{clear}$", drawn)
    drawings = len(re.findall(r"\r(?:\x1b\[1A)?\x1b\[J", drawn))
    assert (drawings - 2) * PERIOD <= time.monotonic() - began  # The last one removes the lines.
    assert "\x1b" not in printed


def read(terminal: int, awaited: str | None = None) -> str:
    """What is written to the terminal until this pattern is, or until its other side is closed."""
    text = ""
    with suppress(OSError):
        while piece := os.read(terminal, 4096):
            text += piece.decode()
            if awaited is not None and re.search(awaited, text):
                return text
    os.close(terminal)
    assert awaited is None, text
    return text


def test_verbose_progress_says_what_each_engine_tried_and_why_it_gave_up(start: Start) -> None:
    net, members = str(NETS / "finkel_km_R.pnml"), "members=state_equation,directed_search"
    family = start(net, "--target", "p2=7, p3=5", *RACE, "-o", members, "--jobs", "1", "-v")
    told = family.finish()[1].splitlines()
    assert told[0] == "petricheck: state_equation: starts"
    assert "petricheck: state_equation: gave up: the state equation" in "\n".join(told)
    assert "petricheck: directed_search: starts" in told


def test_a_huge_net_obeys_a_limit_of_one_second(start: Start, tmp_path: Path) -> None:
    draw = random.Random(7)
    places = {f"p{n}": draw.choice([0, 0, 1, 2]) for n in range(5000)}
    transitions = {}
    for n in range(5000):
        a, b, c, d = draw.sample(list(places), 4)
        transitions[f"t{n}"] = {a: draw.randint(1, 3), b: 1}, {c: draw.randint(1, 3), d: 2}
    net = tmp_path / "huge.pnml"
    write_net(net, places, transitions)
    question = "p0 + p1 >= 40 and p2 = p3 + 17 and p7 >= 30"
    began = time.monotonic()
    printed, complaints = start(
        str(net), "--formula", question, "--timeout", "1", "--json"
    ).finish()
    told = json.loads(printed)
    # A fast machine may decide it within the second.
    if told["verdict"] == "unknown":
        assert "the time limit of 1 s is reached" in told["reason"]
    assert time.monotonic() - began < 10
    assert complaints == ""


Weights = Mapping[str, int]


def write_net(
    path: Path, places: Weights, transitions: Mapping[str, tuple[Weights, Weights]]
) -> None:
    nodes = [
        f'<place id="{p}"><initialMarking><text>{m}</text></initialMarking></place>'
        for p, m in places.items()
    ]
    nodes += [f'<transition id="{t}"/>' for t in transitions]
    ends = [
        (source, target, weight)
        for t, (pre, post) in transitions.items()
        for source, target, weight in (
            *((p, t, w) for p, w in pre.items()),
            *((t, p, w) for p, w in post.items()),
        )
    ]
    nodes += [
        f'<arc id="a{n}" source="{source}" target="{target}">'
        f"<inscription><text>{weight}</text></inscription></arc>"
        for n, (source, target, weight) in enumerate(ends)
    ]
    page = f'<page id="g">{"".join(nodes)}</page>'
    path.write_text(
        '<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" '
        f'type="http://www.pnml.org/version-2009/grammar/ptnet">{page}</net></pnml>'
    )
