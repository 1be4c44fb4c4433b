"""Processes that race: who wins, how the others end, and that nothing is left behind."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import closing

import psutil
import pytest

from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted
from petricheck.race import Entrant, Failed, Finished, race

Report = Callable[[str], None]


def spin(_: Report) -> str:
    while True:
        time.sleep(0.01)


def answer(report: Report) -> str:
    report("nearly")
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
    entrants = [Entrant("bad", stumble), Entrant("good", answer)]
    outcomes = set(race(entrants, jobs=2, turn=1.0, budget=Budget()))
    assert outcomes == {Failed("bad", "no way"), Finished("good", "here")}


def test_closing_a_race_kills_who_still_runs_or_waits() -> None:
    before = len(children())
    entrants = [Entrant("a", spin), Entrant("b", answer), Entrant("c", spin), Entrant("d", spin)]
    with closing(race(entrants, jobs=2, turn=0.05, budget=Budget())) as outcomes:
        assert next(outcomes) == Finished("b", "here")
    assert len(children()) == before


def test_entrants_take_turns_so_that_none_starves() -> None:
    entrants = [Entrant("first", spin), Entrant("second", spin), Entrant("last", answer)]
    with closing(race(entrants, jobs=1, turn=0.05, budget=Budget(20))) as outcomes:
        assert next(outcomes) == Finished("last", "here")


def test_the_time_limit_ends_the_race() -> None:
    before = len(children())
    with pytest.raises(BudgetExhausted):
        list(race([Entrant("a", spin)], jobs=1, turn=1.0, budget=Budget(0.3)))
    assert len(children()) == before


def test_a_killed_entrant_is_a_failure_and_the_others_go_on() -> None:
    known = {child.pid for child in children()}

    def kill_the_other(_: Report) -> str:
        siblings = psutil.Process(os.getppid()).children()
        others = [p for p in siblings if p.pid not in known and p.pid != os.getpid()]
        for other in others:
            other.send_signal(signal.SIGKILL)
        return "alone" if others else "too early"

    entrants = [Entrant("victim", spin), Entrant("killer", kill_the_other)]
    with closing(race(entrants, jobs=2, turn=5.0, budget=Budget(20))) as race_:
        outcomes = {outcome.name: outcome for outcome in race_}
    assert outcomes["killer"] == Finished("killer", "alone")
    assert outcomes["victim"] == Failed("victim", "its process was killed by signal 9")


def test_the_largest_process_goes_where_memory_runs_out() -> None:
    limit = psutil.Process().memory_info().rss // (1 << 20) + 400
    entrants = [Entrant("greedy", devour), Entrant("modest", spin)]
    with closing(race(entrants, jobs=2, turn=5.0, budget=Budget(30, limit))) as outcomes:
        outcome = next(outcomes)
    assert outcome == Failed("greedy", f"the memory limit of {limit} MiB is reached")


def test_progress_is_told_with_the_name_of_the_entrant() -> None:
    news: list[str] = []
    list(race([Entrant("a", answer)], jobs=1, turn=1.0, budget=Budget(report=news.append)))
    assert news == ["a: starts", "a: nearly"]


def test_a_race_without_entrants_ends_at_once() -> None:
    assert list(race([], jobs=2, turn=1.0, budget=Budget())) == []
