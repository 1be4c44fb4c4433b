"""Processes that race: who wins, how the others end, and that nothing is left behind."""

from __future__ import annotations

import errno
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from types import SimpleNamespace

import psutil
import pytest

from petricheck.budget import Budget, Event, Turn
from petricheck.errors import BudgetExhausted, Ending
from petricheck.processes import tree
from petricheck.processes.child import Failed, Finished, Task
from petricheck.processes.parallel import run_parallel

Report = Callable[[Event], None]


def spin(_: Report) -> str:
    while True:
        time.sleep(0.01)


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


def children() -> list[psutil.Process]:
    return psutil.Process().children(recursive=True)


def test_outcomes_come_as_they_end_and_a_failure_stops_nobody() -> None:
    tasks = [Task("bad", stumble), Task("good", answer)]
    outcomes = set(run_parallel(tasks, jobs=2, turn=1.0, budget=Budget()))
    assert outcomes == {Failed("bad", "no way"), Finished("good", "here")}


def test_closing_a_race_kills_who_still_runs_or_waits() -> None:
    before = len(children())
    tasks = [Task("a", spin), Task("b", answer), Task("c", spin), Task("d", spin)]
    with closing(run_parallel(tasks, jobs=2, turn=0.05, budget=Budget())) as outcomes:
        assert next(outcomes) == Finished("b", "here")
    assert len(children()) == before


def test_tasks_take_turns_so_that_none_starves() -> None:
    tasks = [Task("first", spin), Task("second", spin), Task("last", answer)]
    with closing(run_parallel(tasks, jobs=1, turn=0.05, budget=Budget(20))) as outcomes:
        assert next(outcomes) == Finished("last", "here")


def test_the_time_limit_ends_the_run_parallel() -> None:
    before = len(children())
    with pytest.raises(BudgetExhausted):
        list(run_parallel([Task("a", spin)], jobs=1, turn=1.0, budget=Budget(0.3)))
    assert len(children()) == before


def test_a_killed_entrant_is_a_failure_and_the_others_go_on() -> None:
    known = {child.pid for child in children()}

    def kill_the_other(_: Report) -> str:
        siblings = psutil.Process(os.getppid()).children()
        others = [p for p in siblings if p.pid not in known and p.pid != os.getpid()]
        for other in others:
            other.send_signal(signal.SIGKILL)
        return "alone" if others else "too early"

    tasks = [Task("victim", spin), Task("killer", kill_the_other)]
    with closing(run_parallel(tasks, jobs=2, turn=5.0, budget=Budget(20))) as race_:
        outcomes = {outcome.name: outcome for outcome in race_}
    assert outcomes["killer"] == Finished("killer", "alone")
    assert outcomes["victim"] == Failed("victim", "its process was killed by SIGKILL")


def test_the_largest_process_goes_where_memory_runs_out() -> None:
    limit = psutil.Process().memory_info().rss // (1 << 20) + 400
    tasks = [Task("greedy", devour), Task("modest", spin)]
    with closing(run_parallel(tasks, jobs=2, turn=5.0, budget=Budget(30, limit))) as outcomes:
        outcome = next(outcomes)
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
        while meter.look([]) < 1100:
            now = max(meter.next_look, now + 0.001)
        return meter.peak

    monkeypatch.setattr(tree, "time", SimpleNamespace(monotonic=lambda: now))
    assert all(peak(speed) < 1111 for speed in (100, 1000, 3000))


def test_progress_is_told_with_the_name_of_the_entrant() -> None:
    news: list[Event] = []
    list(run_parallel([Task("a", answer)], jobs=1, turn=1.0, budget=Budget(watch=news.append)))
    assert news == [Event("", "a", Turn.STARTS), Event("nearly", "a")]


def large(_: Report) -> bytes:
    return bytes(range(256)) * (1 << 16)


def test_a_result_larger_than_a_pipe_arrives_whole_although_its_sender_is_stopped_meanwhile() -> (
    None
):
    tasks = [Task(name, large) for name in "abc"]
    outcomes = run_parallel(tasks, jobs=1, turn=0.0, budget=Budget(60))
    assert set(outcomes) == {Finished(name, large(lambda _: None)) for name in "abc"}


def test_one_who_is_stopped_by_others_delays_nobody() -> None:
    def stop_halfway(_: Report) -> bytes:
        watcher = psutil.Process()
        if os.fork() == 0:
            time.sleep(0.05)
            watcher.suspend()
            os._exit(0)
        return bytes(1 << 28)

    with closing(
        run_parallel([Task("stopped", stop_halfway)], jobs=1, turn=1.0, budget=Budget(1))
    ) as r:
        started = time.monotonic()
        with suppress(BudgetExhausted):
            list(r)
        assert time.monotonic() - started < 10


def chatter(report: Report) -> str:
    for number in range(20_000):
        report(Event(str(number)))
    return "told"


def test_no_word_of_much_progress_is_lost_or_out_of_order() -> None:
    news: list[Event] = []
    outcomes = list(
        run_parallel([Task("a", chatter)], jobs=1, turn=1.0, budget=Budget(60, watch=news.append))
    )
    assert outcomes == [Finished("a", "told")]
    told = (Event(str(number), "a") for number in range(20_000))
    assert news == [Event("", "a", Turn.STARTS), *told]


def test_no_descriptor_stays_open_however_an_entrant_ends() -> None:
    def die(_: Report) -> str:
        os.kill(os.getpid(), signal.SIGKILL)
        return ""

    before = psutil.Process().num_fds()
    tasks = [Task(run.__name__, run) for run in (stumble, die, answer, spin, spin)]
    with closing(run_parallel(tasks, jobs=2, turn=0.02, budget=Budget(60))) as outcomes:
        assert {next(outcomes).name for _ in range(3)} == {"stumble", "die", "answer"}
    assert psutil.Process().num_fds() == before


def test_what_cannot_be_sent_is_a_failure() -> None:
    (outcome,) = run_parallel([Task("a", lambda _: lambda: 0)], jobs=1, turn=1.0, budget=Budget(60))
    assert isinstance(outcome, Failed)
    assert "pickle" in outcome.reason


def test_an_interruption_leaves_nobody_behind() -> None:
    def interrupt_the_parent(_: Report) -> str:
        os.kill(os.getppid(), signal.SIGINT)
        return spin(_)

    before = children()
    tasks = [Task("a", spin), Task("b", interrupt_the_parent), Task("c", spin)]
    with pytest.raises(KeyboardInterrupt):
        list(run_parallel(tasks, jobs=2, turn=0.5, budget=Budget(60)))
    assert children() == before


def test_a_terminal_that_closes_ends_no_entrant_by_itself() -> None:
    def hang_up(_: Report) -> str:
        os.kill(os.getpid(), signal.SIGHUP)
        return "here"

    assert list(run_parallel([Task("a", hang_up)], jobs=1, turn=1, budget=Budget(60))) == [
        Finished("a", "here")
    ]


def test_where_no_process_can_be_started_all_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise OSError(errno.EAGAIN, "too many")

    before = psutil.Process().num_fds()
    monkeypatch.setattr(os, "fork", refuse)
    tasks = [Task("a", answer), Task("b", answer)]
    reason = "no process could be started: too many"
    outcomes = list(run_parallel(tasks, jobs=1, turn=1.0, budget=Budget()))
    assert outcomes == [Failed(name, reason, began=False) for name in "ab"]
    assert psutil.Process().num_fds() == before


def test_a_parent_that_ignores_its_children_is_served_as_well() -> None:
    previous = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        tasks = [Task("a", answer), Task("b", spin)]
        with closing(run_parallel(tasks, jobs=2, turn=1.0, budget=Budget(60))) as outcomes:
            assert next(outcomes) == Finished("a", "here")
    finally:
        signal.signal(signal.SIGCHLD, previous)


def test_a_race_without_tasks_ends_at_once() -> None:
    assert list(run_parallel([], jobs=2, turn=1.0, budget=Budget())) == []


# A queue


def test_in_a_queue_one_begins_where_another_has_ended() -> None:
    begun: list[str] = []

    def tasks() -> Iterator[Task[str]]:
        for name, run in (("slow", spin), ("a", answer), ("bad", stumble), ("b", answer)):
            begun.append(name)
            yield Task(name, run)

    with closing(run_parallel(tasks(), jobs=2, budget=Budget())) as outcomes:
        assert next(outcomes) == Finished("a", "here")
        assert begun == ["slow", "a", "bad"]
        assert [next(outcomes), next(outcomes)] == [Failed("bad", "no way"), Finished("b", "here")]


def test_who_outlasts_its_seconds_in_a_queue_is_killed_alone() -> None:
    before = len(children())
    tasks = [Task("slow", spin, 0.3), Task("a", answer), Task("b", answer, 20)]
    late, *ended = run_parallel(tasks, jobs=1, budget=Budget())
    assert ended == [Finished("a", "here"), Finished("b", "here")]
    assert late == Failed("slow", "it did not end at its time limit", Ending.TIME)
    assert len(children()) == before


def test_closing_a_queue_kills_who_runs() -> None:
    before = len(children())
    tasks = [Task("a", spin), Task("b", answer), Task("c", spin)]
    with closing(run_parallel(tasks, jobs=2, budget=Budget())) as outcomes:
        assert next(outcomes) == Finished("b", "here")
    assert len(children()) == before


def test_a_queue_tells_who_begins_and_who_ends() -> None:
    told: list[Event] = []
    list(run_parallel([Task("a", answer)], jobs=2, budget=Budget(watch=told.append)))
    assert told == [Event("", "a", Turn.STARTS), Event("nearly", "a")]
