"""Places that are unbounded for a simple reason: single transitions fill them, again and again.

A transition *pumps* where it takes only from places that are full already, or finds enough tokens
in the initial marking and puts back no fewer than it takes. For every n there is then a firing
sequence after which every full place has n tokens and no other place fewer than initially: fill
the places that are full already so far that n firings of the transition leave n there, and fire
it. So every place that it adds to is full as well. Unboundedness of other kinds is not seen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Set

from petricheck.problem import Marking, Net, Transition


def pumped_places(net: Net) -> frozenset[int]:
    """The places that pumping transitions fill."""
    users: dict[int, list[Transition]] = defaultdict(list)
    for transition in net.transitions:
        for place, _ in transition.pre:
            users[place].append(transition)
    full: set[int] = set()
    pending = list(net.transitions)
    while pending:
        transition = pending.pop()
        if _pumps(transition, net.initial, full):
            new = {place for place, change in transition.effect if change > 0} - full
            full |= new
            pending += [user for place in sorted(new) for user in users[place]]
    return frozenset(full)


def _pumps(transition: Transition, initial: Marking, full: Set[int]) -> bool:
    change = dict(transition.effect)
    return all(
        place in full or (initial[place] >= weight and change.get(place, 0) >= 0)
        for place, weight in transition.pre
    )
