"""The most tokens of each place, from a limited exploration with acceleration.

The tree of Karp and Miller (1969) has markings with ω, which stand for reachable markings with any
number of tokens there, and the others exactly. So every number in it is reached, every ω is an
unbounded place, and once nothing is left to explore no place ever has more. It starts from the
marking in which the places that are full for a simple reason have ω already.

A transition *pumps* where it takes only from places that are full already, or finds enough tokens
in the initial marking and puts back no fewer than it takes. For every n there is then a firing
sequence after which every full place has n tokens and no other place fewer than initially: fill
the places that are full already so far that n firings of the transition leave n there, and fire
it. So every place that it adds to is full as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Set
from typing import Any

import numpy as np

from petricheck.explicit.covering.karp_miller import KarpMiller
from petricheck.model.net import Marking, Net, Transition
from petricheck.support.budget import Budget

WORK = 1_000_000
"""What the tree may look at."""


def explored(
    net: Net, work: int = WORK, budget: Budget | None = None
) -> tuple[Mapping[int, Any], bool]:
    """Return the most tokens by place, `OMEGA` for unbounded ones; and whether it is exact."""
    limits, none = budget or Budget(), np.zeros((0, len(net.places)), dtype=np.int64)
    tree = KarpMiller(net, range(len(net.transitions)), np.int64, _pumped(net))
    while not tree.ended and tree.work < work:
        tree.explore(none, np.zeros(0, dtype=np.int64), 1, limits)
    most: dict[int, Any] = dict.fromkeys(range(len(net.places)), 0)
    for node in tree.nodes:
        for place, tokens in node.tokens.items():
            most[place] = max(tokens, most[place])
    return most, tree.complete


def _pumped(net: Net) -> Set[int]:
    """Return the places that transitions can fill without bound."""
    users: dict[int, list[Transition]] = defaultdict(list)
    for transition in net.transitions:
        for place, _ in transition.pre:
            users[place].append(transition)
    full: set[int] = set()
    pending = list(net.transitions)
    while pending:
        transition = pending.pop()
        if _pumps(transition, net.initial, full):
            filled = {place for place, change in transition.effect if change > 0} - full
            full |= filled
            pending += [user for place in sorted(filled) for user in users[place]]
    return full


def _pumps(transition: Transition, initial: Marking, full: Set[int]) -> bool:
    change = dict(transition.effect)
    return all(
        place in full or (initial[place] >= weight and change.get(place, 0) >= 0)
        for place, weight in transition.pre
    )
