"""Places among which tokens move freely (simple cycles: Bønneland et al. 2019, rule H).

A transition with pre = {p: 1} and post = {q: 1} moves a token from p to q. Where the target names
none of the places of a set, and moves lead from each of them to each other one, the set becomes one
place, which holds the sum. Moves in the set go, as they are then without effect. Back, before t
fires, tokens are moved to where it needs them, which changes no place that the target names.

Place invariants have one weight for all places of the set, and a trap or a siphon with one of them
has them all, so none is lost: a certificate with traps has the set in place of the one place.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from petricheck.budget import Budget
from petricheck.presburger.formulas import variables
from petricheck.problem import Net, Problem
from petricheck.reductions._fusion import Fused, Steps, fuse


@dataclass(frozen=True)
class FusedPlaces:
    """Make one place of those among which tokens move freely."""

    rank: ClassVar[int] = 55
    for_all: ClassVar[bool] = True

    def apply(self, problem: Problem, budget: Budget) -> Fused | None:
        """The problem with one place for each set; certificates are lifted by substitution."""
        net = problem.net
        named = {net.place_numbers[name] for name in variables(problem.target)}
        moves = {place: to for place, to in _moves(net).items() if place not in named}
        sets = _mutual(moves)
        if not sets:
            return None
        return fuse(problem, sets, _Moving(net, sets, moves))


def _moves(net: Net) -> dict[int, dict[int, int]]:
    """From place to place, a transition that moves a token."""
    found: dict[int, dict[int, int]] = defaultdict(dict)
    for number, transition in enumerate(net.transitions):
        match transition.pre, transition.post:
            case ((p, 1),), ((q, 1),) if p != q:
                found[p].setdefault(q, number)
    return found


def _mutual(moves: Mapping[int, Mapping[int, int]]) -> tuple[tuple[int, ...], ...]:
    """The strongly connected sets of two places and more, in ascending order (Kosaraju)."""
    backward: dict[int, list[int]] = defaultdict(list)
    for place, others in moves.items():
        for other in others:
            backward[other].append(place)
    finished: list[int] = []
    seen: set[int] = set()
    for place in moves:
        finished.extend(_finished(place, moves, seen))
    found, done = [], set[int]()
    for place in reversed(finished):
        members = list(_finished(place, backward, done))
        if len(members) > 1:
            found.append(tuple(sorted(members)))
    return tuple(sorted(found))


def _finished(
    start: int, following: Mapping[int, Sequence[int] | Mapping[int, int]], seen: set[int]
) -> Iterator[int]:
    """The places that a depth-first search from here meets newly, each when it is left."""
    if start in seen:
        return
    seen.add(start)
    path = [(start, iter(following.get(start, ())))]
    while path:
        place, others = path[-1]
        other = next((p for p in others if p not in seen), None)
        if other is None:
            path.pop()
            yield place
        else:
            seen.add(other)
            path.append((other, iter(following.get(other, ()))))


@dataclass(frozen=True)
class _Moving:
    """Tokens are moved to where a transition needs them, before it fires.

    Attributes:
        net: the larger net.
        sets: its places among which tokens move freely.
        moves: from place to place, a transition that moves a token; from none that the target
            names.
    """

    net: Net
    sets: tuple[tuple[int, ...], ...]
    moves: Mapping[int, Mapping[int, int]]

    def instead(self, marking: Sequence[int], number: int, times: int) -> tuple[Steps, int]:
        """Moves, then as many firings in a row as there are tokens for, of so many."""
        transition = self.net.transitions[number]
        pre, post = dict(transition.pre), dict(transition.post)
        touched = [s for s in self.sets if not pre.keys().isdisjoint(s)]
        while times > 1 and not all(
            sum(marking[p] for p in places)
            >= sum(_needed(pre.get(p, 0), post.get(p, 0), times) for p in places)
            for places in touched
        ):
            times //= 2
        steps: Steps = []
        for places in touched:
            needed = {p: _needed(pre.get(p, 0), post.get(p, 0), times) for p in places}
            steps.extend(self._gathered({p: marking[p] for p in places}, needed))
        return [*steps, (number, times)], times

    def _gathered(
        self, held: dict[int, int], needed: Mapping[int, int]
    ) -> Iterator[tuple[int, int]]:
        """Moves within a set until each of its places holds what is needed."""
        spare = deque(place for place, least in needed.items() if held[place] > least)
        for place, least in needed.items():
            while spare and held[place] < least:
                source = spare[0]
                surplus = held[source] - needed[source]
                count = min(surplus, least - held[place])
                held[source] -= count
                held[place] += count
                yield from ((transition, count) for transition in self._way(source, place))
                if count == surplus:
                    spare.popleft()

    def _way(self, source: int, place: int) -> list[int]:
        """The moves on a shortest way."""
        via: dict[int, tuple[int, int]] = {}
        pending = deque([source])
        while place not in via:
            here = pending.popleft()
            for there, transition in self.moves.get(here, {}).items():
                if there not in via:
                    via[there] = here, transition
                    pending.append(there)
        way = []
        while place != source:
            place, transition = via[place]
            way.append(transition)
        return way[::-1]


def _needed(pre: int, post: int, times: int) -> int:
    """What must be on a place for so many firings in a row."""
    return pre + (times - 1) * max(0, pre - post)
