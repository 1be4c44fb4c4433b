"""Classes of nets, told from their arcs alone.

As Murata (1989, section VI) defines them; in particular the classes of choice are those of ordinary
nets, so a net with a weight above 1 is in none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from petricheck.problem import Net, Transition, Weights

Users = Sequence[frozenset[int]]
"""By place: the numbers of transitions that take from it, p•."""


def classes(net: Net) -> tuple[str, ...]:
    """The names of all classes that the net belongs to, `ordinary` or `weighted` first.

    What is said of all places, or all transitions, holds where there are none.
    """
    users = _users(net)
    of_arcs = tuple(name for name, holds in _OF_ALL.items() if holds(net, users))
    if not _ordinary(net):
        return ("weighted", *of_arcs)
    return ("ordinary", *(n for n, holds in _OF_ORDINARY.items() if holds(net, users)), *of_arcs)


def _ordinary(net: Net) -> bool:
    return all(weight == 1 for t in net.transitions for _, weight in (*t.pre, *t.post))


def _state_machine(net: Net, users: Users) -> bool:
    return all(len(t.pre) == len(t.post) == 1 for t in net.transitions)


def _marked_graph(net: Net, users: Users) -> bool:
    inputs = [0] * len(net.places)
    for t in net.transitions:
        for place, _ in t.post:
            inputs[place] += 1
    return all(count == 1 == len(taken) for count, taken in zip(inputs, users, strict=True))


def _free_choice(net: Net, users: Users) -> bool:
    return all(len(t.pre) == 1 or len(users[p]) == 1 for t in net.transitions for p, _ in t.pre)


def _extended_free_choice(net: Net, users: Users) -> bool:
    return all(users[a] == users[b] for a, b in _sharing(net.transitions, users))


def _asymmetric_choice(net: Net, users: Users) -> bool:
    return all(users[a] <= users[b] for a, b in _sharing(net.transitions, users))


def _pure(net: Net, users: Users) -> bool:
    return all(_places(t.pre).isdisjoint(_places(t.post)) for t in net.transitions)


def _conservative(net: Net, users: Users) -> bool:
    return all(not sum(weight for _, weight in t.effect) for t in net.transitions)


_Holds = Callable[[Net, Users], bool]

_OF_ORDINARY: Mapping[str, _Holds] = {
    "state machine": _state_machine,
    "marked graph": _marked_graph,
    "free choice": _free_choice,
    "extended free choice": _extended_free_choice,
    "asymmetric choice": _asymmetric_choice,
}

_OF_ALL: Mapping[str, _Holds] = {"pure": _pure, "conservative": _conservative}


def _users(net: Net) -> Users:
    users: list[set[int]] = [set() for _ in net.places]
    for number, t in enumerate(net.transitions):
        for place, _ in t.pre:
            users[place].add(number)
    return [frozenset(numbers) for numbers in users]


def _sharing(transitions: Sequence[Transition], users: Users) -> set[tuple[int, int]]:
    """Places that a transition takes from, each with the one of next more users."""
    ranked = (sorted((p for p, _ in t.pre), key=lambda p: (len(users[p]), p)) for t in transitions)
    return {pair for places in ranked for pair in pairwise(places)}


def _places(weights: Weights) -> set[int]:
    return {place for place, _ in weights}
