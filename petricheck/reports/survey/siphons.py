"""Minimal siphons and traps: those that contain no other but the empty one.

A siphon is grown from one place: a transition that puts on it has to take from it, so one of the
places that the transition takes from is added, each in turn, and those tried before are left out.
So every minimal siphon is met. What is met is made smaller until it is minimal, and what contains a
siphon found before is not grown further. There may be exponentially many; the work is limited, by
steps and never by time. A trap is a siphon of the net with its arcs turned round.
"""

from __future__ import annotations

from dataclasses import replace

from petricheck.model.net import Net, Transition
from petricheck.support.budget import Budget
from petricheck.symbolic.facts.siphons import greatest_siphon

WORK = 3_000_000
"""Arcs that may be looked at."""

Places = frozenset[int]


def minimal_siphons(
    net: Net, work: int = WORK, budget: Budget | None = None
) -> tuple[tuple[Places, ...], bool]:
    """Return minimal siphons as place numbers, the smallest first; and whether none is missing.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    search = _Search(net, work, budget or Budget())
    complete = search.run()
    smallest_first = sorted(search.minimal, key=lambda places: (len(places), sorted(places)))
    return tuple(smallest_first), complete


def turned(net: Net) -> Net:
    """Return the net with all arcs reversed; its siphons are the traps of the net."""
    turned = tuple(Transition(t.name, t.post, t.pre) for t in net.transitions)
    return replace(net, transitions=turned)


class _Search:
    """Siphons of a net.

    Attributes:
        minimal: those found so far that contain no other.
    """

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
        """Find the minimal siphons from `start` up and within `allowed`."""
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
