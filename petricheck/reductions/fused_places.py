"""Places among which tokens move freely (simple cycles: Bønneland et al. 2019, rule H).

A transition with pre = {p: 1} and post = {q: 1} moves a token from p to q. Where the target names
none of the places of a set, and moves lead from each of them to each other one, the set becomes one
place, which holds the sum. φ does that to markings and, in each transition, to pre and post: what
fires in m fires in φ(m) and leads to the φ of what it led to. Moves in the set, and whatever else
is then without effect, go. Back, before t fires, tokens are moved to where it needs them, which
changes no place that the target names.

Place invariants have one weight for all places of the set, and a trap or a siphon with one of them
has them all, so none is lost: a certificate with traps has the set in place of the one place.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

from petricheck.answer import (
    Answer,
    Certificate,
    MarkingTable,
    Reachable,
    StateEquationCertificate,
    Trace,
    Unreachable,
    joined,
)
from petricheck.budget import Budget
from petricheck.presburger.formulas import Formula, variables
from petricheck.problem import Net, Problem, Transition, Weights
from petricheck.reductions._substitution import Substitution

STEPS = 1_000_000
"""Traces that would have more steps are not lifted."""


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
        homes = {place: places[0] for places in sets for place in places}
        transitions = tuple(_fused(transition, homes) for transition in net.transitions)
        gone = frozenset(
            number
            for number, (old, new) in enumerate(zip(net.transitions, transitions, strict=True))
            if new is not old and not new.effect
        )
        initial = list(net.initial)
        for place, home in homes.items():
            if place != home:
                initial[home] += initial[place]
        whole = replace(net, transitions=transitions, initial=tuple(initial))
        kept = [number for number in range(len(transitions)) if number not in gone]
        after = whole.without({place for place, home in homes.items() if place != home}, kept)
        return Fused(problem, replace(problem, net=after), sets, gone, moves)


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


def _fused(transition: Transition, homes: Mapping[int, int]) -> Transition:
    """The transition after φ."""
    if not any(place in homes for place, _ in (*transition.pre, *transition.post)):
        return transition
    pre, post = (_sums(weights, homes) for weights in (transition.pre, transition.post))
    return Transition(transition.name, pre, post)


def _sums(weights: Weights, homes: Mapping[int, int]) -> Weights:
    total: Counter[int] = Counter()
    for place, weight in weights:
        total[homes.get(place, place)] += weight
    return tuple(sorted(total.items()))


@dataclass(frozen=True)
class Fused:
    """The step of this rewrite.

    Attributes:
        before: the larger problem.
        after: the smaller problem.
        sets: places of the larger net in ascending order; the first of each set stays.
        gone: the transitions that were removed.
        moves: from place to place, a transition of the larger net that moves a token; from none
            that the target names.
    """

    before: Problem
    after: Problem
    sets: tuple[tuple[int, ...], ...]
    gone: frozenset[int]
    moves: Mapping[int, Mapping[int, int]]

    @property
    def count(self) -> int:
        """How many places and transitions were removed."""
        return sum(len(places) - 1 for places in self.sets) + len(self.gone)

    def about(self, target: Formula) -> Fused:
        """The same places fused, of another question that names none of them."""
        before, after = (replace(p, target=target) for p in (self.before, self.after))
        return replace(self, before=before, after=after)

    def lift(self, answer: Answer) -> Answer | None:
        """The trace with moves in it; the certificate after the substitution."""
        match answer:
            case Reachable(trace):
                lifted = _Replay(self).run(trace)
                return None if lifted is None else replace(answer, trace=lifted)
            case Unreachable(Certificate() as certificate):
                return replace(answer, certificate=self._substitution.certificate(certificate))
            case Unreachable(StateEquationCertificate(traps, siphon)):
                wide = tuple(map(self._whole, traps))
                return replace(
                    answer, certificate=StateEquationCertificate(wide, self._whole(siphon))
                )
            case Unreachable(MarkingTable() as table):
                lifted_table = self._substitution.table(table)
                return None if lifted_table is None else replace(answer, certificate=lifted_table)
            case Unreachable():
                return None
            case _:
                return answer

    @cached_property
    def _substitution(self) -> Substitution:
        merges = tuple((place, ((first, 1),)) for first, *others in self.sets for place in others)
        return Substitution(self.before.net, merges, self.gone)

    def _whole(self, places: Sequence[str]) -> tuple[str, ...]:
        """The places, with the others of each set of which the first is among them."""
        names, chosen = self.before.net.places, set(places)
        others = (names[p] for first, *rest in self.sets if names[first] in chosen for p in rest)
        return (*places, *others)


@dataclass
class _Replay:
    """A trace of the smaller net, replayed in the larger one."""

    step: Fused
    steps: list[tuple[int, int]] = field(default_factory=list)
    marking: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.marking = list(self.step.before.net.initial)

    def run(self, trace: Trace) -> Trace | None:
        """The trace with moves in it; None where it would be too long."""
        net = self.step.before.net
        for name, times in trace.steps:
            number = net.transition_numbers[name]
            while times:
                block = self._prepared(net.transitions[number], times)
                self._fire(number, block)
                times -= block
                if len(self.steps) > STEPS:
                    return None
        return joined(self.steps, net.actions)

    def _prepared(self, transition: Transition, times: int) -> int:
        """Move tokens for so many firings in a row, or as many as there are tokens for."""
        pre, post = dict(transition.pre), dict(transition.post)
        touched = [s for s in self.step.sets if not pre.keys().isdisjoint(s)]
        while times > 1 and not all(
            sum(self.marking[p] for p in places)
            >= sum(_needed(pre.get(p, 0), post.get(p, 0), times) for p in places)
            for places in touched
        ):
            times //= 2
        for places in touched:
            self._gather({p: _needed(pre.get(p, 0), post.get(p, 0), times) for p in places})
        return times

    def _gather(self, needed: Mapping[int, int]) -> None:
        """Move tokens within a set until each of its places holds what is needed."""
        spare = deque(p for p, least in needed.items() if self.marking[p] > least)
        for place, least in needed.items():
            while spare and self.marking[place] < least:
                source = spare[0]
                surplus = self.marking[source] - needed[source]
                count = min(surplus, least - self.marking[place])
                for transition in self._way(source, place):
                    self._fire(transition, count)
                if count == surplus:
                    spare.popleft()

    def _way(self, source: int, place: int) -> list[int]:
        """The moves on a shortest way."""
        via: dict[int, tuple[int, int]] = {}
        pending = deque([source])
        while place not in via:
            here = pending.popleft()
            for there, transition in self.step.moves.get(here, {}).items():
                if there not in via:
                    via[there] = here, transition
                    pending.append(there)
        way = []
        while place != source:
            place, transition = via[place]
            way.append(transition)
        return way[::-1]

    def _fire(self, number: int, times: int) -> None:
        for place, change in self.step.before.net.transitions[number].effect:
            self.marking[place] += times * change
        self.steps.append((number, times))


def _needed(pre: int, post: int, times: int) -> int:
    """What must be on a place for so many firings in a row."""
    return pre + (times - 1) * max(0, pre - post)
