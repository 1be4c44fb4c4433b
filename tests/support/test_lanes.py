"""How many computations run side by side, by what the processors do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from petricheck.support.processes import lanes
from petricheck.support.processes.lanes import Lanes


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Callable[[float, float | None, int], None]:
    """A machine with two processors, whose clock, idle seconds and running tasks are set."""
    monkeypatch.setattr(lanes.os, "cpu_count", lambda: 2)

    def set_to(now: float, idle: float | None, running: int) -> None:
        monkeypatch.setattr(lanes.time, "monotonic", lambda: now)
        state = None if idle is None else (idle, running)
        monkeypatch.setattr(lanes, "_processors", lambda: state)

    return set_to


def test_a_lane_is_taken_where_a_processor_was_idle(machine) -> None:
    count = Lanes(3)
    seen = []
    for now, idle in ((1.0, 50.0), (2.0, 50.1), (3.0, 51.0), (4.0, 52.0), (5.0, 53.0)):
        machine(now, idle, 2)
        seen.append(count())
    assert seen == [1, 1, 2, 3, 3]


def test_a_lane_is_given_back_where_more_wants_to_run_than_can_for_a_while(machine) -> None:
    count = Lanes(2)
    for now, idle in ((1.0, 50.0), (2.0, 51.0)):
        machine(now, idle, 2)
        count()
    seen = []
    for look in range(11):
        machine(3.0 + look, 51.0, 3 if look == 2 else 4)
        seen.append(count())
    assert seen == [2] * 7 + [1] * 4


def test_between_looks_and_without_knowledge_nothing_changes(machine) -> None:
    count = Lanes(4)
    machine(1.0, 50.0, 2)
    assert count() == 1
    machine(1.0 + lanes.PERIOD / 2, 90.0, 2)
    assert count() == 1
    machine(3.0, None, 0)
    assert count() == 4
