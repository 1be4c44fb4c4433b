"""Limits: reached or not, and what is said when they are."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import partial

import pytest

from petricheck.arithmetic.formulas.formulas import FALSE, equal
from petricheck.arithmetic.formulas.terms import variable
from petricheck.arithmetic.solvers.solver import find_model, implies
from petricheck.evidence.audit.invariants.obligation import AuditObligation, refute_z3
from petricheck.model.net import make_net
from petricheck.questions import check_all
from petricheck.support import budget as module
from petricheck.support.budget import (
    MEBIBYTE,
    Budget,
    Event,
    Turn,
    milliseconds,
    resident_memory,
)
from petricheck.support.errors import BudgetExhausted, Ending


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


def test_what_remains_shrinks_to_zero_and_no_further_and_its_end_names_the_limit(clock):
    endless, budget = Budget(started=clock.now), Budget(seconds=2.5, started=clock.now)
    assert (budget.elapsed, budget.remaining) == (0.0, 2.5)
    clock.now += 1
    assert (budget.elapsed, budget.remaining) == (1.0, 1.5)
    budget.check()
    clock.now += 1.5
    with pytest.raises(BudgetExhausted, match=r"time limit of 2\.5 s") as caught:
        budget.check()
    assert caught.value.ending is Ending.TIME
    clock.now += 10**9
    assert budget.remaining == 0.0
    assert endless.remaining == math.inf
    endless.check()


def test_the_memory_limit_is_named_when_it_is_exceeded(monkeypatch):
    budget = Budget(memory=100)
    monkeypatch.setattr(module, "resident_memory", lambda: 100 * MEBIBYTE)
    budget.check()
    monkeypatch.setattr(module, "resident_memory", lambda: 100 * MEBIBYTE + 1)
    with pytest.raises(BudgetExhausted, match="memory limit of 100 MiB") as caught:
        budget.check()
    assert caught.value.ending is Ending.MEMORY


def test_a_search_may_keep_half_of_the_limit_or_a_quarter_of_what_is_free(monkeypatch, tmp_path):
    assert MEBIBYTE < module.free_memory() < 2**50
    monkeypatch.setattr(module, "_CGROUP", tmp_path)
    (tmp_path / "memory.current").write_text("3000")
    for most, free in (("5000", 2000), ("2000", 0)):
        (tmp_path / "memory.max").write_text(most)
        assert module.free_memory() == free
    (tmp_path / "memory.max").write_text("max")
    assert module.free_memory() > 2000
    monkeypatch.setattr(module, "free_memory", lambda: 400 * MEBIBYTE)
    for memory, room in ((None, 100), (100, 50), (1000, 200)):
        budget = Budget(memory=memory)
        assert budget.memory_left == room * MEBIBYTE
        assert (
            budget.shared().memory_left == room * MEBIBYTE // 2 and budget.shared().memory is None
        )


def test_the_resident_memory_is_that_of_a_running_interpreter():
    assert MEBIBYTE < resident_memory() < 2**40


def test_news_are_heard_by_whoever_watches_and_bear_the_name_of_an_engine():
    Budget().report("nobody hears this")
    heard: list[Event] = []
    Budget(watch=heard.append).report("somebody does")
    Budget(watch=heard.append).of("cegar").report("refines")
    assert heard == [Event("somebody does"), Event("refines", "cegar")]
    assert str(heard[1]) == "cegar: refines"
    assert str(Event("no way on", "cegar", Turn.GAVE_UP)) == "cegar: gave up: no way on"


@pytest.mark.parametrize(
    ("seconds", "counted"),
    [(1e-9, 1), (0.25, 250), (2.5, 2500), (1e300, 2**31 - 1), (math.inf, 2**31 - 1)],
)
def test_milliseconds_are_at_least_one_and_fit_into_32_bits(seconds, counted):
    assert milliseconds(seconds) == counted


def test_messages_name_the_limit_that_was_set_and_no_share_of_it():
    whole = Budget(20.0)
    assert str(whole.within(30.0).overrun) == "the time limit of 20 s is reached"
    share = whole.within(5.0).within(0.13)
    assert str(share.overrun) == "its share of the time limit of 20 s is used up"
    assert str(Budget(0.0, limit=20.0).overrun) == "its share of the time limit of 20 s is used up"
    assert str(Budget(20.0, limit=20.0).overrun) == "the time limit of 20 s is reached"
    for limits in (Budget().within(0.13), Budget(0.13, limit=math.inf)):  # The user set no limit.
        assert str(limits.overrun) == str(limits.within(0.01).overrun)
        assert str(limits.overrun) == "its share of the time is used up"


def test_solvers_name_the_limit_that_was_set():
    whole = Budget(2.0)
    for limits in (whole.within(1e-9), replace(whole, seconds=0.0, limit=2.0)):
        for ask in (find_model, partial(implies, FALSE)):
            with pytest.raises(BudgetExhausted, match="share of the time limit of 2 s is used up"):
                ask(equal(variable("p"), 1), budget=limits)
        with pytest.raises(BudgetExhausted, match="share of the time limit of 2 s is used up"):
            refute_z3(AuditObligation("odd", equal(variable("p"), 1)), limits)


def test_a_question_among_several_names_the_limit_of_all():
    net = make_net("n", {"p": 0}, {"t": ({}, {"p": 1})})
    targets = [equal(variable("p"), n) for n in (1, 2)]
    for finding in check_all(net, targets, engine="cegar", budget=Budget(1e-9)):
        assert finding.unknown is not None
        assert re.search(r"(share of the )?time limit of 1e-09 s is", finding.unknown.reason)
