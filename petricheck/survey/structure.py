"""Classes of nets, told from their arcs alone.

As Murata (1989, section VI) defines them; in particular the classes of choice are those of ordinary
nets, so a net with a weight above 1 is in none of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeAlias

from petricheck.problem import Net

Users = Sequence[frozenset[int]]
"""By place: the numbers of transitions that take from it, p•."""


def classes(net: Net) -> tuple[str, ...]:
    """The names of all classes that the net belongs to, `ordinary` or `weighted` first.

    What is said of all places, or all transitions, holds where there are none.
    """
    ordinary = all(weight == 1 for t in net.transitions for _, weight in (*t.pre, *t.post))
    users = _users(net)
    tests = (*(_OF_ORDINARY if ordinary else ()), *_OF_ALL)
    names = (name for name, holds in tests if holds(net, users))
    return ("ordinary" if ordinary else "weighted", *names)


def _marked_graph(net: Net, users: Users) -> bool:
    inputs = Counter(place for t in net.transitions for place, _ in t.post)
    return all(inputs[place] == 1 == len(taken) for place, taken in enumerate(users))


_Class: TypeAlias = tuple[str, Callable[[Net, Users], bool]]
"""Its name, and whether a net belongs to it."""

_OF_ORDINARY: Sequence[_Class] = (
    ("state machine", lambda net, _: all(len(t.pre) == len(t.post) == 1 for t in net.transitions)),
    ("marked graph", _marked_graph),
    (
        "free choice",
        lambda net, users: all(
            len(t.pre) == 1 or len(users[p]) == 1 for t in net.transitions for p, _ in t.pre
        ),
    ),
    (
        "extended free choice",
        lambda net, users: all(users[a] == users[b] for a, b in _sharing(net, users)),
    ),
    (
        "asymmetric choice",
        lambda net, users: all(users[a] <= users[b] for a, b in _sharing(net, users)),
    ),
)

_OF_ALL: Sequence[_Class] = (
    (
        "pure",
        lambda net, _: all(dict(t.pre).keys().isdisjoint(dict(t.post)) for t in net.transitions),
    ),
    (
        "conservative",
        lambda net, _: all(not sum(weight for _, weight in t.effect) for t in net.transitions),
    ),
)


def _users(net: Net) -> Users:
    users: list[set[int]] = [set() for _ in net.places]
    for number, t in enumerate(net.transitions):
        for place, _ in t.pre:
            users[place].add(number)
    return [frozenset(numbers) for numbers in users]


def _sharing(net: Net, users: Users) -> set[tuple[int, int]]:
    """Places that a transition takes from, each with the one of next more users."""
    ranked = (
        sorted((p for p, _ in t.pre), key=lambda p: (len(users[p]), p)) for t in net.transitions
    )
    return {pair for places in ranked for pair in pairwise(places)}
