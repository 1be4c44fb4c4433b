"""Minimal siphons and traps: those that contain no other but the empty one.

A siphon is grown from one place: a transition that puts on it has to take from it, so one of the
places that the transition takes from is added, each in turn, and those tried before are left out.
So every minimal siphon is met. What is met is made smaller until it is minimal, and what contains a
siphon found before is not grown further. There may be exponentially many; the work is limited, by
steps and never by time. A trap is a siphon of the net with its arcs turned round.

Classes of nets, told from their arcs alone.

As Murata (1989, section VI) defines them; in particular the classes of choice are those of ordinary
nets, so a net with a weight above 1 is in none of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from petricheck.model.net import Net, Transition
from petricheck.support.budget import Budget
from petricheck.symbolic.facts.siphons import greatest_siphon

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


WORK = 3_000_000
"""Arcs that may be looked at."""

Places = frozenset[int]


def minimal_siphons(
    net: Net, work: int = WORK, budget: Budget | None = None
) -> tuple[tuple[Places, ...], bool]:
    """Return minimal siphons as place numbers, the smallest first; and whether none is missing."""
    search = _SiphonSearch(net, work, budget or Budget())
    complete = search.run()
    smallest_first = sorted(search.minimal, key=lambda places: (len(places), sorted(places)))
    return tuple(smallest_first), complete


def turned(net: Net) -> Net:
    """Return the net with all arcs reversed; its siphons are the traps of the net."""
    turned = tuple(Transition(t.name, t.post, t.pre) for t in net.transitions)
    return replace(net, transitions=turned)


class _SiphonSearch:
    """Siphons of a net; the `minimal` ones are those found so far that contain no other."""

    def __init__(self, net: Net, work: int, budget: Budget) -> None:
        self.minimal: set[Places] = set()
        self._budget = budget
        self._work = work
        self._transitions = net.transitions
        self._inputs = [frozenset(place for place, _ in t.pre) for t in net.transitions]
        self._fillers: list[list[int]] = [[] for _ in net.places]
        for number, t in enumerate(net.transitions):
            for place, _ in t.post:
                self._fillers[place].append(number)
        self._arcs = 1 + sum(len(t.pre) + len(t.post) for t in net.transitions)

    def run(self) -> bool:
        """Find all minimal siphons; False if that is too much work."""
        allowed = frozenset(range(len(self._fillers)))
        for seed in range(len(self._fillers)):
            if self._work < 0:
                break
            self._grow(frozenset((seed,)), allowed)
            allowed -= {seed}
        return self._work >= 0

    def _grow(self, start: Places, allowed: Places) -> None:
        pending = [(start, allowed)]
        while pending and self._work >= 0:
            self._budget.check()
            inside, allowed = pending.pop()
            self._work -= self._arcs + len(self.minimal)
            allowed = greatest_siphon(self._transitions, allowed)
            if not inside <= allowed or any(siphon <= inside for siphon in self.minimal):
                continue
            choices = self._choices(inside, allowed)
            if choices is None:
                self._note(inside)
                continue
            for place in choices:
                pending.append((inside | {place}, allowed))
                allowed -= {place}

    def _choices(self, inside: Places, allowed: Places) -> list[int] | None:
        """Return places of which any larger siphon has one; None where `inside` is a siphon."""
        bare = {t for p in inside for t in self._fillers[p] if inside.isdisjoint(self._inputs[t])}
        self._work -= len(bare)
        choices = (sorted(self._inputs[t] & allowed) for t in sorted(bare))
        return min(choices, key=len, default=None)

    def _note(self, siphon: Places) -> None:
        """Remove places as long as a siphon remains, and store it."""
        around = [self._transitions[t] for t in {t for p in siphon for t in self._fillers[p]}]
        arcs = 1 + sum(len(t.pre) + len(t.post) for t in around)
        for place in sorted(siphon):
            self._budget.check()
            if place in siphon and self._work >= 0:
                self._work -= arcs
                siphon = greatest_siphon(around, siphon - {place}) or siphon
        if self._work >= 0:
            self.minimal.add(siphon)
