"""A net while places go from it, each with the one transition that fed or drained it.

`agglomeration` says when that is right, and why.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, replace

from petricheck.budget import Budget
from petricheck.presburger.emptied import emptied, without
from petricheck.presburger.formulas import Formula, variables
from petricheck.problem import Net, Problem, Transition, Weights

WEIGHT = 1_000_000
"""No arc becomes heavier than this."""

ROUND = 10_000
"""Arcs that are looked at between two looks at the budget."""


@dataclass(frozen=True, slots=True)
class Merge:
    """A place p that is gone, and the one transition that fed or drained it.

    Attributes:
        place: p.
        transition: h or f.
        forward: whether it is h, which fires after the others; f fires before them.
        vector: post(h) or pre(f) when p went.
        shares: by transition, post_t(p) or pre_t(p).
        alternating: transitions that cannot fire several times before h does, or after f did.
        tokens: m0(p).
    """

    place: int
    transition: int
    forward: bool
    vector: Weights
    shares: Mapping[int, int]
    alternating: Set[int]
    tokens: int


class Arcs:
    """The net while places go from it: arcs by transition and by place.

    Attributes:
        merges: what was done so far.
        gone: the transitions removed by that.
    """

    def __init__(self, problem: Problem) -> None:
        net = problem.net
        self.merges: list[Merge] = []
        self.gone: set[int] = set()
        self._problem = problem
        self._named = {net.place_numbers[name] for name in variables(problem.target)}
        self._empty = {net.place_numbers[name] for name in emptied(problem.target)}
        self._initial = list(net.initial)
        self._pre = [dict(t.pre) for t in net.transitions]
        self._post = [dict(t.post) for t in net.transitions]
        self._consumers: list[set[int]] = [set() for _ in net.places]
        self._feeders: list[set[int]] = [set() for _ in net.places]
        for number, transition in enumerate(net.transitions):
            for place, _ in transition.pre:
                self._consumers[place].add(number)
            for place, _ in transition.post:
                self._feeders[place].add(number)

    def run(self, budget: Budget) -> None:
        """Remove places until neither case applies to any.

        A transition may take part in many merges, so the effort can be quadratic.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        pending = deque(range(len(self._initial)))
        effort = 0
        while pending:
            place = pending.popleft()
            effort += 1 + len(self._consumers[place]) + len(self._feeders[place])
            if effort > ROUND:
                budget.check()
                effort = 0
            merge = self._merge(place)
            if merge is not None:
                self.merges.append(merge)
                self.gone.add(merge.transition)
                pending.extend(self._drop_idle(merge.shares))
                pending.extend(place for place, _ in merge.vector)

    def _drop_idle(self, transitions: Iterable[int]) -> list[int]:
        """Remove those of these transitions that have no effect; the places that they touched."""
        touched: list[int] = []
        for number in transitions:
            if self._pre[number] == self._post[number]:
                touched.extend(self._pre[number])
                self._remove(number)
                self.gone.add(number)
        return touched

    def _remove(self, transition: int) -> None:
        for place in self._pre[transition]:
            self._consumers[place].discard(transition)
        for place in self._post[transition]:
            self._feeders[place].discard(transition)
        self._pre[transition], self._post[transition] = {}, {}

    def _merge(self, place: int) -> Merge | None:
        """Remove the place if one of the two cases applies."""
        if place in self._named - self._empty:
            return None
        if len(self._consumers[place]) == 1:
            (drain,) = self._consumers[place]
            if self._fits(place, self._pre[drain], self._post[drain], self._feeders[place]):
                return self._drain(place, drain)
        if len(self._feeders[place]) == 1 and not self._initial[place]:
            (feed,) = self._feeders[place]
            if self._fits(place, self._post[feed], self._pre[feed], self._consumers[place]):
                return self._feed(place, feed)
        return None

    def _fits(
        self, place: int, near: dict[int, int], far: dict[int, int], others: Set[int]
    ) -> bool:
        """Whether a transition with these arcs is an h or an f, and the net does not grow."""
        if near != {place: 1} or place in far:
            return False
        if place not in self._empty and not self._named.isdisjoint(far):
            return False
        arcs = [self._post[t] if place in self._post[t] else self._pre[t] for t in others]
        heaviest = max((a[place] for a in arcs), default=0) * max(far.values(), default=0)
        return heaviest <= WEIGHT and (len(others) - 1) * (len(far) - 1) <= 2

    def _drain(self, place: int, drain: int) -> Merge:
        vector = tuple(sorted(self._post[drain].items()))
        others = sorted(self._feeders[place])
        shares = {t: self._post[t].pop(place) for t in others}
        far = self._post[drain]
        alternating = {t for t in others if not far.keys().isdisjoint(self._pre[t])}
        tokens = self._initial[place]
        for q, weight in vector:
            self._initial[q] += tokens * weight
            self._feeders[q].update(others)
            for t, share in shares.items():
                self._post[t][q] = self._post[t].get(q, 0) + share * weight
        self._forget(place, drain)
        return Merge(place, drain, True, vector, shares, alternating, tokens)

    def _feed(self, place: int, feed: int) -> Merge:
        vector = tuple(sorted(self._pre[feed].items()))
        others = sorted(self._consumers[place])
        shares = {t: self._pre[t].pop(place) for t in others}
        far = self._pre[feed]
        alternating = {t for t in others if not far.keys().isdisjoint(self._post[t])}
        for q, weight in vector:
            self._consumers[q].update(others)
            for t, share in shares.items():
                self._pre[t][q] = self._pre[t].get(q, 0) + share * weight
        self._forget(place, feed)
        return Merge(place, feed, False, vector, shares, alternating, 0)

    def _forget(self, place: int, transition: int) -> None:
        self._initial[place] = 0
        self._remove(transition)
        self._consumers[place], self._feeders[place] = set(), set()

    def problem(self) -> Problem:
        """What is left."""
        net = self._problem.net
        kept = [n for n in range(len(net.transitions)) if n not in self.gone]
        changed = {t for merge in self.merges for t in merge.shares}
        transitions = tuple(
            self._transition(n) if n in changed else t for n, t in enumerate(net.transitions)
        )
        whole: Net = replace(net, transitions=transitions, initial=tuple(self._initial))
        left = whole.without({merge.place for merge in self.merges}, kept)
        return Problem(left, left_to_say(self._problem, self.merges))

    def _transition(self, number: int) -> Transition:
        name = self._problem.net.transitions[number].name
        pre, post = (tuple(sorted(a[number].items())) for a in (self._pre, self._post))
        return Transition(name, pre, post)


def left_to_say(problem: Problem, merges: Iterable[Merge]) -> Formula:
    """The target without the places that are gone; those that it names, it wants empty."""
    gone = {problem.net.places[merge.place] for merge in merges} & set(variables(problem.target))
    return without(problem.target, gone) if gone else problem.target
