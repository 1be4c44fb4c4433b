"""Processes side by side: what comes of them, in a race or a queue, and that nothing is left."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from petricheck.support.budget import Budget, Event, Turn
from petricheck.support.errors import BudgetExhausted, Ending
from petricheck.support.processes import tree
from petricheck.support.processes.child import Failed, Finished, Outcome, PartialResult, Pause, Task
from petricheck.support.processes.limits import TaskStage
from petricheck.support.processes.parallel import run_parallel
from petricheck.support.processes.system import open_files

Report = Callable[[Event], None]

QUEUE = {"jobs": 2, "budget": Budget()}
RACE = QUEUE | {"turn": 0.05}


def spin(_: Report) -> str:
    while True:
        time.sleep(0.01)


def compute(_: Report) -> str:
    while True:
        pass


def answer(report: Report) -> str:
    report(Event("nearly"))
    return "here"


def stumble(_: Report) -> str:
    raise ValueError("no way")


def devour(_: Report) -> str:
    kept = []
    while True:
        kept.append(bytearray(b"x" * (8 << 20)))
        time.sleep(0.005)


def signalled(number: signal.Signals, report: Report) -> str:
    os.kill(os.getpid(), number)
    return answer(report)


def first(*tasks: Task[Any], **how: Any) -> Outcome[Any]:
    with closing(run_parallel(tasks, **how)) as outcomes:
        return next(outcomes)


def children() -> list[psutil.Process]:
    return psutil.Process().children(recursive=True)


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    before = children(), psutil.Process().num_fds()
    yield
    assert (children(), psutil.Process().num_fds()) == before


@pytest.mark.parametrize("how", [RACE, QUEUE])
def test_outcomes_come_as_they_end_and_a_failure_stops_nobody(how: dict[str, Any]) -> None:
    die = partial(signalled, signal.SIGKILL)
    tasks = [Task("bad", stumble), Task("dead", die), Task("good", answer)]
    assert set(run_parallel(tasks, **how)) == {
        Failed("bad", "ValueError: no way", fault=True),
        Failed("dead", "its process was killed by SIGKILL"),
        Finished("good", "here"),
    }
    assert not list(run_parallel([], **how))


@pytest.mark.parametrize("how", [RACE, QUEUE])
def test_closing_kills_those_that_run_or_wait(how: dict[str, Any]) -> None:
    tasks = [Task("a", spin), Task("b", answer), Task("c", spin), Task("d", spin)]
    assert first(*tasks, **how) == Finished("b", "here")


def test_closing_kills_what_a_task_started(tmp_path: Path) -> None:
    def start(_: Report) -> str:
        with subprocess.Popen(["sleep", "600"]) as program:
            (tmp_path / "id").write_text(str(program.pid))
            (tmp_path / "id").rename(tmp_path / "started")
        return ""

    def wait(_: Report) -> str:
        while not (tmp_path / "started").exists():
            time.sleep(0.01)
        return "seen"

    assert first(Task("a", start), Task("b", wait), **QUEUE) == Finished("b", "seen")
    with suppress(psutil.NoSuchProcess):
        psutil.Process(int((tmp_path / "started").read_text())).wait(10)


def test_tasks_take_turns_in_a_race_so_that_none_starves() -> None:
    tasks = [Task("first", spin), Task("second", spin), Task("last", answer)]
    assert first(*tasks, **RACE | {"jobs": 1}) == Finished("last", "here")


def test_in_a_queue_one_begins_where_another_has_ended() -> None:
    begun: list[str] = []

    def tasks() -> Iterator[Task[str]]:
        for name, run in (("slow", spin), ("a", answer), ("bad", stumble), ("b", answer)):
            begun.append(name)
            yield Task(name, run)

    with closing(run_parallel(tasks(), jobs=2, budget=Budget())) as outcomes:
        assert next(outcomes) == Finished("a", "here")
        assert begun == ["slow", "a", "bad"]
        failed = Failed("bad", "ValueError: no way", fault=True)
        assert [next(outcomes), next(outcomes)] == [failed, Finished("b", "here")]


def test_the_time_limit_ends_all() -> None:
    with pytest.raises(BudgetExhausted):
        first(Task("a", spin), jobs=1, budget=Budget(0.3))


def test_who_outlasts_its_seconds_is_killed_alone() -> None:
    tasks = [
        Task("slow", spin, TaskStage(0.3)),
        Task("a", answer),
        Task("b", answer, TaskStage(20)),
    ]
    assert list(run_parallel(tasks, jobs=1, budget=Budget())) == [
        Failed("slow", "it did not end at its time limit", Ending.TIME),
        Finished("a", "here"),
        Finished("b", "here"),
    ]


def test_a_share_of_the_cpu_time_is_named_as_one_and_not_in_seconds() -> None:
    outcome = first(Task("a", compute, TaskStage(cpu_seconds=0.0107997, memory=inf)), **QUEUE)
    assert outcome == Failed("a", "its share of the time is used up", Ending.TIME)


def test_the_largest_process_goes_where_memory_runs_out() -> None:
    limit = psutil.Process().memory_info().rss // (1 << 20) + 400
    outcome = first(Task("greedy", devour), Task("modest", spin), jobs=2, budget=Budget(30, limit))
    reason = f"the memory limit of {limit} MiB is reached"
    assert outcome == Failed("greedy", reason, Ending.MEMORY)


def test_memory_that_grows_fast_is_looked_at_before_it_passes_its_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = began = 100.0

    def peak(speed: int) -> int:
        """Where more than 1100 is seen, if so much is taken in a second."""
        nonlocal now, began
        began = now
        monkeypatch.setattr(tree, "memory", lambda *_: int((now - began) * speed))
        meter = tree.MemoryMeter(1000, overshoot=1.1)
        while (held := meter.look([])) < 1100:
            now = max(meter.next_look, now + 0.001)
        return held

    monkeypatch.setattr(tree, "time", SimpleNamespace(monotonic=lambda: now))
    assert all(peak(speed) < 1111 for speed in (100, 1000, 3000))


def test_no_news_are_lost_or_out_of_order_and_all_bear_the_name_of_the_task() -> None:
    def chatter(report: Report) -> str:
        for number in range(20_000):
            report(Event(str(number)))
        return "told"

    news: list[Event] = []
    outcome = first(Task("a", chatter), jobs=1, budget=Budget(60, watch=news.append))
    assert outcome == Finished("a", "told")
    told = (Event(str(number), "a") for number in range(20_000))
    assert news == [Event("", "a", Turn.STARTS), *told]


def test_a_result_larger_than_a_pipe_arrives_whole_although_its_sender_is_stopped() -> None:
    large = bytes(range(256)) * (1 << 16)
    tasks = [Task(name, lambda _: large) for name in "abc"]
    outcomes = run_parallel(tasks, jobs=1, turn=0.0, budget=Budget(60))
    assert set(outcomes) == {Finished(name, large) for name in "abc"}


def test_one_who_is_stopped_by_others_delays_nobody() -> None:
    def stop_halfway(_: Report) -> bytes:
        watcher = psutil.Process()
        if os.fork() == 0:
            time.sleep(0.05)
            watcher.suspend()
            os._exit(0)
        return bytes(1 << 28)

    started = time.monotonic()
    with suppress(BudgetExhausted):
        first(Task("stopped", stop_halfway), jobs=1, budget=Budget(1))
    assert time.monotonic() - started < 10


def test_what_cannot_be_sent_is_a_failure() -> None:
    outcome = first(Task("a", lambda _: lambda: 0), **QUEUE)
    assert isinstance(outcome, Failed) and "pickle" in outcome.reason


def test_an_interruption_leaves_nobody_behind() -> None:
    def interrupt_the_parent(report: Report) -> str:
        os.kill(os.getppid(), signal.SIGINT)
        return spin(report)

    with pytest.raises(KeyboardInterrupt):
        first(Task("a", spin), Task("b", interrupt_the_parent), Task("c", spin), **RACE)


def test_a_terminal_that_closes_ends_no_task_by_itself() -> None:
    assert first(Task("a", partial(signalled, signal.SIGHUP)), **RACE) == Finished("a", "here")


def test_where_no_process_can_be_started_all_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise OSError(errno.EAGAIN, "too many")

    monkeypatch.setattr(os, "fork", refuse)
    outcomes = list(run_parallel([Task("a", answer), Task("b", answer)], **RACE | {"jobs": 1}))
    reason = "no process could be started: too many"
    assert outcomes == [Failed(name, reason, began=False) for name in "ab"]


def test_a_parent_that_ignores_its_children_is_served_as_well() -> None:
    previous = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert first(Task("a", answer), Task("b", spin), **RACE) == Finished("a", "here")
    finally:
        signal.signal(signal.SIGCHLD, previous)


# Parts, pauses, and turns that grow


def in_turns(name: str, report: Callable[[Any], None]) -> str:
    for turn in range(3):
        report(PartialResult(name, turn))
        report(Pause.UNTIL_NEXT_TURN)
    return "done"


@pytest.mark.parametrize("jobs", [1, 2])
def test_tasks_that_pause_take_turns_and_send_parts_before_their_end(jobs: int) -> None:
    tasks = [Task(name, partial(in_turns, name)) for name in "ab"]
    came = list(run_parallel(tasks, jobs=jobs, budget=Budget(), turn=60.0))
    parts = [(part.name, part.content) for part in came if isinstance(part, PartialResult)]
    assert sorted(parts) == [(name, turn) for name in "ab" for turn in range(3)]
    if jobs == 1:
        assert parts == [(name, turn) for turn in range(3) for name in "ab"]
    for name in "ab":
        assert [end for end in came if end.name == name][-1] == Finished(name, "done")


def test_a_task_that_pauses_may_be_ended_and_one_that_died_is_told_of() -> None:
    tasks = [Task("a", partial(in_turns, "a")), Task("dead", partial(signalled, signal.SIGKILL))]
    with closing(run_parallel(tasks, jobs=2, budget=Budget(), turn=60.0)) as outcomes:
        assert any(isinstance(outcome, Failed) for outcome in outcomes)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("growth", "share", "few"), [(3.0, 1.0, True), (1.0, 1.0, False), (1.0, 30.0, True)]
)
def test_turns_grow_and_are_as_long_as_the_share_of_the_task(
    growth: float, share: float, few: bool
) -> None:
    turns: list[Turn | None] = []
    budget = Budget(1.5, watch=lambda event: turns.append(event.turn))
    tasks = [Task(name, spin, share=share) for name in "ab"]
    with pytest.raises(BudgetExhausted):
        list(run_parallel(tasks, jobs=1, budget=budget, turn=0.02, growth=growth))
    assert (turns.count(Turn.WAITS) < 11) == few


def test_open_files_are_known_where_the_system_lists_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def lists_nothing(_: str) -> list[str]:
        raise FileNotFoundError

    reader, writer = os.pipe()
    monkeypatch.setattr(os, "listdir", lists_nothing)
    assert {0, 1, 2, reader, writer} <= open_files()
    os.close(reader)
    assert reader not in open_files()
    os.close(writer)


@pytest.mark.parametrize("listed", [True, False])
def test_a_task_is_done_where_the_system_lists_no_open_files(
    monkeypatch: pytest.MonkeyPatch, listed: bool
) -> None:
    list_folder = os.listdir

    def lists(folder: str) -> list[str]:
        if not listed and folder.endswith("/fd"):
            raise FileNotFoundError
        return list_folder(folder)

    monkeypatch.setattr(os, "listdir", lists)
    with closing(run_parallel([Task("task", lambda _: 7)], jobs=1, budget=Budget())) as outcomes:
        (ended,) = outcomes
    assert isinstance(ended, Finished) and ended.result == 7


def test_a_task_that_depends_on_an_outcome_begins_after_it() -> None:
    came: list[str] = []

    def tasks() -> Iterator[Task[str] | None]:
        yield Task("first", answer)
        while not came:
            yield None
        yield Task(f"after {came[0]}", answer)

    for outcome in run_parallel(tasks(), jobs=2, budget=Budget(60), turn=60.0):
        came.append(outcome.name)
    assert came == ["first", "after first"]
