"""Random guarded nets, and their reachable markings by brute force."""

from __future__ import annotations

import hypothesis.strategies as st

from petricheck.model.guarded.net import GuardedNet, guarded
from petricheck.model.net import Marking, make_net

MOST = 60
"""Nets with more markings are not gone through."""


@st.composite
def guarded_nets(draw: st.DrawFn) -> GuardedNet:
    """Small nets, most of whose watched places have a bound."""
    places = [f"p{n}" for n in range(draw(st.integers(1, 3)))]
    names = [f"t{n}" for n in range(draw(st.integers(1, 3)))]
    side = st.dictionaries(st.sampled_from(places), st.integers(1, 2), max_size=2)
    net = make_net(
        "random",
        {place: draw(st.integers(0, 2)) for place in places},
        {name: (draw(side), draw(side)) for name in names},
    )
    pairs = st.tuples(st.integers(0, len(names) - 1), st.integers(0, len(places) - 1))
    arcs = st.lists(st.tuples(pairs, st.integers(1, 3)), max_size=3)
    inhibitors, reads = (((*pair, weight) for pair, weight in draw(arcs)) for _ in range(2))
    capacities = st.dictionaries(st.integers(0, len(places) - 1), st.integers(2, 4), min_size=1)
    result = guarded(
        net,
        inhibitors=[*inhibitors],
        reads=[*reads],
        resets=draw(st.lists(pairs, max_size=2)),
        capacities=draw(capacities),
    )
    return result if isinstance(result, GuardedNet) else guarded_always(net)


def guarded_always(net) -> GuardedNet:
    """The net, with a guard that says nothing."""
    result = guarded(net, inhibitors=[(0, 0, 99)])
    assert isinstance(result, GuardedNet)
    return result


def successors(net: GuardedNet, marking: Marking) -> list[tuple[str, Marking]]:
    """The firings in a marking, by the rule itself and no line of the program's."""
    found = []
    for transition, guard in zip(net.plain.transitions, net.guards, strict=True):
        tokens = list(marking)
        if any(tokens[place] >= weight for place, weight in guard.upper):
            continue
        for place, weight in transition.pre:
            tokens[place] -= weight
        if min(tokens) < 0:
            continue
        for place in guard.resets:
            tokens[place] = 0
        for place, weight in transition.post:
            tokens[place] += weight
        found.append((transition.name, tuple(tokens)))
    return found


def explored(net: GuardedNet, limit: int = MOST) -> set[Marking] | None:
    """All reachable markings; None where there are more than `limit`."""
    seen, waiting = {net.plain.initial}, [net.plain.initial]
    while waiting:
        for _, marking in successors(net, waiting.pop()):
            if marking not in seen:
                seen.add(marking)
                waiting.append(marking)
        if len(seen) > limit:
            return None
    return seen
