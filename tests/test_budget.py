"""Limits: reached or not, and what is said when they are."""

from __future__ import annotations

import math

import pytest

from petricheck import budget as module
from petricheck.budget import MEBIBYTE, Budget, Event, Turn, milliseconds, resident_memory
from petricheck.errors import BudgetExhausted, Ending


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    fake = Clock()
    monkeypatch.setattr(module, "time", fake)
    return fake


def test_without_limits_nothing_is_ever_reached(clock: Clock) -> None:
    budget = Budget(started=clock.now)
    clock.now += 10**9
    budget.check()
    assert budget.remaining == math.inf


def test_what_remains_shrinks_to_zero_and_no_further(clock: Clock) -> None:
    budget = Budget(seconds=2.5, started=clock.now)
    assert (budget.elapsed, budget.remaining) == (0.0, 2.5)
    clock.now += 1
    assert (budget.elapsed, budget.remaining) == (1.0, 1.5)
    budget.check()
    clock.now += 100
    assert (budget.elapsed, budget.remaining) == (101.0, 0.0)


def test_the_time_limit_is_named_when_it_is_reached(clock: Clock) -> None:
    budget = Budget(seconds=2.5, started=clock.now)
    clock.now += 2.5
    with pytest.raises(BudgetExhausted, match=r"time limit of 2\.5 s"):
        budget.check()


def test_the_clock_starts_when_the_budget_is_made() -> None:
    first, second = Budget(seconds=60), Budget(seconds=60)
    assert first.started <= second.started
    assert 0 < first.remaining <= 60


def test_the_memory_limit_is_named_when_it_is_exceeded(monkeypatch: pytest.MonkeyPatch) -> None:
    budget = Budget(memory=100)
    monkeypatch.setattr(module, "resident_memory", lambda: 100 * MEBIBYTE)
    budget.check()
    monkeypatch.setattr(module, "resident_memory", lambda: 100 * MEBIBYTE + 1)
    with pytest.raises(BudgetExhausted, match="memory limit of 100 MiB"):
        budget.check()


def test_the_resident_memory_is_that_of_a_running_interpreter() -> None:
    assert MEBIBYTE < resident_memory() < 2**40


def test_progress_goes_nowhere_unless_somebody_listens() -> None:
    Budget().report("nobody hears this")
    heard: list[Event] = []
    Budget(watch=heard.append).report("somebody does")
    assert heard == [Event("somebody does")]


def test_news_of_an_engine_among_others_bear_its_name() -> None:
    heard: list[Event] = []
    Budget(watch=heard.append).of("cegar").report("refines")
    assert heard == [Event("refines", "cegar")]
    assert str(heard[0]) == "cegar: refines"
    assert str(Event("no way on", "cegar", Turn.GAVE_UP)) == "cegar: gave up: no way on"


def test_an_exhausted_budget_says_which_limit_it_was() -> None:
    with pytest.raises(BudgetExhausted) as time_is_over:
        Budget(seconds=0.0).check()
    assert time_is_over.value.ending is Ending.TIME
    with pytest.raises(BudgetExhausted) as memory_is_full:
        Budget(memory=1).check()
    assert memory_is_full.value.ending is Ending.MEMORY


@pytest.mark.parametrize(
    ("seconds", "counted"),
    [(1e-9, 1), (0.25, 250), (2.5, 2500), (1e300, 2**31 - 1), (math.inf, 2**31 - 1)],
)
def test_milliseconds_are_at_least_one_and_fit_into_32_bits(seconds: float, counted: int) -> None:
    assert milliseconds(seconds) == counted


def test_messages_name_the_limit_that_was_set_and_no_share_of_it() -> None:
    whole = Budget(20.0)
    assert str(whole.within(30.0).overrun) == "the time limit of 20 s is reached"
    share = whole.within(5.0).within(0.13)
    assert str(share.overrun) == "its share of the time limit of 20 s is used up"
    assert str(Budget(0.0, limit=20.0).overrun) == "its share of the time limit of 20 s is used up"
    assert str(Budget(20.0, limit=20.0).overrun) == "the time limit of 20 s is reached"
