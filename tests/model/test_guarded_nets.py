"""Guarded nets: what an inhibitor arc, a read arc, a reset and a capacity mean."""

from __future__ import annotations

from itertools import product

import pytest

from petricheck.model.guarded.net import Guard, GuardedNet, guarded
from petricheck.model.net import make_net
from petricheck.support.errors import InputError

SIDES = {"t": ({"p": 1}, {"q": 2}), "s": ({"q": 1}, {"p": 1, "q": 1})}
NET = make_net("net", {"p": 2, "q": 1}, SIDES)
MARKINGS = [*product(range(5), repeat=2)]


def test_an_inhibitor_arc_of_weight_w_allows_fewer_than_w_tokens() -> None:
    net = guarded(NET, inhibitors=[(0, 1, 3)])
    assert isinstance(net, GuardedNet)
    for p, q in MARKINGS:
        assert net.enabled(0, (p, q)) is (p >= 1 and q < 3)
        assert net.enabled(1, (p, q)) is (q >= 1)
    assert net.fire(0, (2, 1)) == (1, 3)


def test_of_parallel_inhibitor_arcs_the_least_weight_counts() -> None:
    net = guarded(NET, inhibitors=[(0, 1, 3), (0, 1, 2), (0, 1, 4)])
    assert isinstance(net, GuardedNet)
    assert net.guards == (Guard(((1, 2),)), Guard())
    assert net.watched == (1,)


def test_a_reset_takes_what_remains_before_tokens_are_put() -> None:
    net = guarded(NET, resets=[(1, 1), (0, 0)])
    assert isinstance(net, GuardedNet)
    assert [net.enabled(1, (0, q)) for q in range(3)] == [False, True, True]
    assert net.fire(1, (0, 4)) == (1, 1)
    assert net.fire(0, (4, 0)) == (0, 2)


def test_a_read_arc_needs_tokens_and_takes_none() -> None:
    net = guarded(NET, reads=[(0, 1, 2), (1, 1, 3), (0, 0, 1)])
    assert not isinstance(net, GuardedNet)
    for p, q in MARKINGS:
        assert net.transitions[0].enabled((p, q)) is (p >= 1 and q >= 2)
        assert net.transitions[1].enabled((p, q)) is (q >= 3)
    assert [t.effect for t in net.transitions] == [t.effect for t in NET.transitions]


def test_a_reset_also_takes_what_a_read_arc_needs() -> None:
    net = guarded(NET, reads=[(0, 0, 3), (1, 1, 2)], resets=[(0, 0), (1, 1)])
    assert isinstance(net, GuardedNet)
    assert [net.enabled(0, (p, 0)) for p in (2, 3)] == [False, True]
    assert net.fire(0, (4, 0)) == (0, 2)
    assert net.fire(1, (0, 4)) == (1, 1)


@pytest.mark.parametrize("resets", [[], [(0, 1)], [(1, 0)]])
def test_under_a_capacity_fires_what_does_not_exceed_it_afterwards(
    resets: list[tuple[int, int]],
) -> None:
    free = guarded(NET, resets=resets, inhibitors=[(0, 0, 99)])
    for most in (1, 2, 3):
        net = guarded(NET, resets=resets, capacities={1: most})
        assert isinstance(net, GuardedNet) and isinstance(free, GuardedNet)
        for marking, number in product(((p, q) for p, q in MARKINGS if q <= most), range(2)):
            keeps = free.enabled(number, marking) and free.fire(number, marking)[1] <= most
            assert net.enabled(number, marking) is keeps


def test_a_net_without_guards_stays_as_it_is() -> None:
    assert guarded(NET, capacities={}) == NET


def test_what_is_no_guard_is_refused() -> None:
    with pytest.raises(InputError, match="place 'p' has 2 tokens initially and the capacity 1"):
        guarded(NET, capacities={0: 1})
    with pytest.raises(InputError, match="inhibitor arc from 'q' to 't' has the weight 0"):
        guarded(NET, inhibitors=[(0, 1, 0)])
    with pytest.raises(InputError, match="read arc from 'q' to 's' has the weight 0"):
        guarded(NET, reads=[(1, 1, 0)])
