"""Classes of nets, told from their arcs alone.

As Murata (1989, section VI) defines them; in particular the classes of choice are those of ordinary
nets, so a net with a weight above 1 is in none of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from petricheck.model.net import Net

Users = Sequence[frozenset[int]]
"""By place: the numbers of transitions that take from it, p•."""


def classes(net: Net) -> tuple[str, ...]:
    """Return the names of all classes that the net belongs to, `ordinary` or `weighted` first.

    What is said of all places, or all transitions, holds where there are none.
    """
    transitions, users = net.transitions, _users(net)
    ordinary = all(weight == 1 for t in transitions for _, weight in (*t.pre, *t.post))
    makers = Counter(place for t in transitions for place, _ in t.post)
    pairs = _sharing(net, users)
    of_ordinary = {
        "state machine": all(len(t.pre) == len(t.post) == 1 for t in transitions),
        "marked graph": all(makers[p] == 1 == len(taken) for p, taken in enumerate(users)),
        "free choice": all(
            len(t.pre) == 1 or len(users[p]) == 1 for t in transitions for p, _ in t.pre
        ),
        "extended free choice": all(users[a] == users[b] for a, b in pairs),
        "asymmetric choice": all(users[a] <= users[b] for a, b in pairs),
    }
    of_all = {
        "pure": all(dict(t.pre).keys().isdisjoint(dict(t.post)) for t in transitions),
        "conservative": all(not sum(weight for _, weight in t.effect) for t in transitions),
    }
    tests = of_ordinary | of_all if ordinary else of_all
    names = (name for name, holds in tests.items() if holds)
    return ("ordinary" if ordinary else "weighted", *names)


def _users(net: Net) -> Users:
    users: list[set[int]] = [set() for _ in net.places]
    for number, t in enumerate(net.transitions):
        for place, _ in t.pre:
            users[place].add(number)
    return [frozenset(numbers) for numbers in users]


def _sharing(net: Net, users: Users) -> set[tuple[int, int]]:
    """Yield places that a transition takes from, each with the one of next more users."""
    ranked = (
        sorted((p for p, _ in t.pre), key=lambda p: (len(users[p]), p)) for t in net.transitions
    )
    return {pair for places in ranked for pair in pairwise(places)}
