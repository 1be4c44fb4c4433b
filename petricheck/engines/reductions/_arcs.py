"""A net while places go from it, each with the one transition that fed or drained it.

`agglomeration` says when that is right, and why.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, replace

from petricheck.arithmetic.formulas.emptied import emptied, without
from petricheck.arithmetic.formulas.formulas import Formula, variables
from petricheck.model.net import Net, Transition, Weights
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget

WEIGHT = 1_000_000
"""No arc becomes heavier than this."""

ROUND = 10_000
"""Arcs that are looked at between two looks at the budget."""

_PRE, _POST = 0, 1


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


class MergedNet:
    """The net while places go from it: arcs by side and transition, transitions by side and place.

    Attributes:
        merges: what was done so far.
        gone: the transitions removed by that.
    """

    def __init__(self, problem: Problem) -> None:
        net = problem.net
        self.merges: list[Merge] = []
        self.gone: set[int] = set()
        self._problem = problem
        self._named_places = {net.place_numbers[name] for name in variables(problem.target)}
        self._empty = {net.place_numbers[name] for name in emptied(problem.target)}
        self._needed_places = self._named_places - self._empty
        self._initial = list(net.initial)
        self._arcs = [dict(t.pre) for t in net.transitions], [dict(t.post) for t in net.transitions]
        self._users: tuple[list[set[int]], ...] = tuple([set() for _ in net.places] for _ in "ab")
        for users, arcs in zip(self._users, self._arcs, strict=True):
            for number, weights in enumerate(arcs):
                for place in weights:
                    users[place].add(number)

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
            effort += 1 + sum(len(users[place]) for users in self._users)
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
        pre, post = self._arcs
        for number in transitions:
            if pre[number] == post[number]:
                touched.extend(pre[number])
                self._remove(number)
        return touched

    def _remove(self, transition: int) -> None:
        for users, arcs in zip(self._users, self._arcs, strict=True):
            for place in arcs[transition]:
                users[place].discard(transition)
            arcs[transition] = {}
        self.gone.add(transition)

    def _merge(self, place: int) -> Merge | None:
        """Remove the place if one of the two cases applies."""
        if place in self._needed_places:
            return None
        # Which side of the transitions that stay touches the place.
        for side in (_POST, _PRE) if not self._initial[place] else (_POST,):
            if len(self._users[1 - side][place]) == 1:
                (single,) = self._users[1 - side][place]
                if self._fits(place, side, single):
                    return self._replaced(place, side, single)
        return None

    def _fits(self, place: int, side: int, single: int) -> bool:
        """Return whether the transition is an h or an f, and the net does not grow."""
        far, arcs = self._arcs[side][single], self._arcs[side]
        if self._arcs[1 - side][single] != {place: 1} or place in far:
            return False
        if place not in self._empty and not self._named_places.isdisjoint(far):
            return False
        others = self._users[side][place]
        heaviest = max((arcs[t][place] for t in others), default=0) * max(far.values(), default=0)
        return heaviest <= WEIGHT and (len(others) - 1) * (len(far) - 1) <= 2

    def _replaced(self, place: int, side: int, single: int) -> Merge:
        """Remove the place with h or f; the other transitions put or take the vector instead."""
        arcs, users = self._arcs[side], self._users[side]
        far, others, tokens = arcs[single], sorted(users[place]), self._initial[place]
        vector = tuple(sorted(far.items()))
        shares = {t: arcs[t].pop(place) for t in others}
        alternating = {t for t in others if not far.keys().isdisjoint(self._arcs[1 - side][t])}
        for q, weight in vector:
            self._initial[q] += tokens * weight
            users[q].update(others)
            for t, share in shares.items():
                arcs[t][q] = arcs[t].get(q, 0) + share * weight
        self._initial[place] = 0
        self._remove(single)
        for users in self._users:
            users[place] = set()
        return Merge(place, single, side == _POST, vector, shares, alternating, tokens)

    def problem(self) -> Problem:
        """Return the remaining problem."""
        net = self._problem.net
        remaining = [n for n in range(len(net.transitions)) if n not in self.gone]
        changed = {t for merge in self.merges for t in merge.shares}
        transitions = tuple(
            self._transition(n) if n in changed else t for n, t in enumerate(net.transitions)
        )
        whole: Net = replace(net, transitions=transitions, initial=tuple(self._initial))
        left = whole.without({merge.place for merge in self.merges}, remaining)
        return Problem(left, remaining_target(self._problem, self.merges))

    def _transition(self, number: int) -> Transition:
        name = self._problem.net.transitions[number].name
        pre, post = (tuple(sorted(arcs[number].items())) for arcs in self._arcs)
        return Transition(name, pre, post)


def remaining_target(problem: Problem, merges: Iterable[Merge]) -> Formula:
    """Return the target without the removed places, which it requires to be empty."""
    names = {problem.net.places[merge.place] for merge in merges} & set(variables(problem.target))
    return without(problem.target, names) if names else problem.target
