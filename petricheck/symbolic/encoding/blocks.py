"""Blocks of any transitions between two times: a step relation of size linear in the arcs.

A block is a multiset of transitions, x_t firings of each, which fires in a fixed order of all
transitions: t_1^x_1 t_2^x_2 …, each as often as it fires at all, in a row (`firing_order`). The
order follows the tokens from the initial marking, so that one block goes a long way.

Formulas have m@k and m@(k+1), the counts x_t, and *levels* of places: what a place holds somewhere
within the block. A level is linear in the one before and in the counts between them.

Every model is a firing sequence. t^n with n ≥ 1 fires from μ iff in each place that t takes from,
with weights u and v to and fro, μ ≥ u where v ≥ u, and μ + n(v − u) ≥ v where v < u, since then the
last firing starts with μ + n(v − u) + (u − v) ≥ u. In both cases the lesser of the level before t
and that after it has to be at least min(u, v). Where min(u, v) > 0, this level is made and the
formula says x_t = 0 or level ≥ min(u, v). Where it is 0 < u, t only takes, and the level after it
must not be negative; levels are made wherever a place that was taken from is put on again, and at
the end, they are not negative, and between two of them a place first gains, then loses, so it is
nowhere lower than there. Conversely the levels of a multiset that fires in this order are a model.

With one transition in the block each place is treated as if those that take came first: whoever
else comes before or after does nothing.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Disjunction,
    Formula,
    at_least,
    at_most,
    equal,
)
from petricheck.arithmetic.formulas.terms import linear, variable
from petricheck.model.net import Net
from petricheck.symbolic.encoding.stamps import at, natural, token


class BlockKind(Enum):
    """The firings between two times."""

    SINGLE = "single"
    """One transition once."""

    ACCELERATED = "accelerated"
    """One transition any number of times in a row."""

    MULTISET = "multiset"
    """Any number of transitions, each any number of times in a row, in the firing order."""


BLOCKS = tuple(block.value for block in BlockKind)
"""What options call them."""


@dataclass(frozen=True, slots=True)
class _Touch:
    """A transition's effect on a place: before and after it are at least `floor` tokens there."""

    transition: int
    change: int
    floor: int


@dataclass(frozen=True)
class StepRelation:
    """The markings before and after a block, as a formula.

    A block has at least `fewest` firings: 0 where it may be empty, otherwise 1.
    """

    net: Net
    block: BlockKind
    fewest: int = 1

    def formula(self, k: int) -> Formula:
        """Return the formula that a block leads from marking k, which is not negative, to k + 1."""
        counts = [variable(count(number, k)) for number in range(len(self.net.transitions))]
        return Conjunction((
            *natural(self.net, k),
            *(at_least(amount, 0) for amount in counts),
            *self._limits(k),
            *(part for place in range(len(self.net.places)) for part in self._course(place, k)),
            *natural(self.net, k + 1),
        ))  # fmt: skip

    def firings(self, model: Mapping[str, int], k: int) -> tuple[tuple[int, int], ...]:
        """Return the firings of a model's block in their order: (transition number, times)."""
        counted = ((number, model.get(count(number, k), 0)) for number in self._order)
        return tuple((number, times) for number, times in counted if times)

    @cached_property
    def _order(self) -> tuple[int, ...]:
        return firing_order(self.net)

    @cached_property
    def _touches(self) -> tuple[tuple[_Touch, ...], ...]:
        """The transitions that take from a place or change it, in the order of firing, by place."""
        rows: list[list[_Touch]] = [[] for _ in self.net.places]
        for number in self._order:
            transition = self.net.transitions[number]
            pre, post = dict(transition.pre), dict(transition.post)
            for place in pre | post:
                u, v = pre.get(place, 0), post.get(place, 0)
                rows[place].append(_Touch(number, v - u, min(u, v)))
        if self.block is not BlockKind.MULTISET:
            for row in rows:
                row.sort(key=lambda touch: touch.change >= 0)
        return tuple(map(tuple, rows))

    def _limits(self, k: int) -> Iterator[Formula]:
        """Yield limits on the number of transitions in the block."""
        numbers = range(len(self.net.transitions))
        size = linear((count(number, k), 1) for number in numbers)
        if self.fewest:
            yield at_least(size, self.fewest)
        match self.block:
            case BlockKind.SINGLE:
                yield at_most(size, 1)
            case BlockKind.ACCELERATED:
                choice = variable(f"{at('', k)}#")
                for number in numbers:
                    yield Disjunction((_rests(number, k), equal(choice, number)))

    def _course(self, number: int, k: int) -> Iterator[Formula]:
        """Yield the conditions on one place in the block."""
        place = self.net.places[number]
        level, levels, pending = token(place, k), 0, list[tuple[str, int]]()
        lost = False
        for touch in self._touches[number]:
            change = (count(touch.transition, k), touch.change)
            if touch.change < 0:
                pending.append(change)
            if pending and (touch.floor or (lost and touch.change > 0)):
                after = level + linear(pending)
                level, levels, pending = variable(f"{at(place, k)}.{levels}#"), levels + 1, []
                yield equal(level, after)
                yield at_least(level, 0)
            if touch.floor:
                yield Disjunction((_rests(touch.transition, k), at_least(level, touch.floor)))
            if touch.change > 0:
                pending.append(change)
            lost = bool(pending) and touch.change < 0
        yield equal(token(place, k + 1), level + linear(pending))


def count(number: int, k: int) -> str:
    """Return the variable for how often a transition fires between the times k and k + 1."""
    return f"{at(str(number), k)}#"


def _rests(number: int, k: int) -> Formula:
    return equal(variable(count(number, k)), 0)


def firing_order(net: Net) -> tuple[int, ...]:
    """Return all transitions, as tokens reach them from the initial marking, breadth first.

    Weights and what firings take away are not looked at; what no tokens reach comes last.
    """
    users = defaultdict(list)
    missing = [len(transition.pre) for transition in net.transitions]
    for number, transition in enumerate(net.transitions):
        for place, _ in transition.pre:
            users[place].append(number)
    marked = dict.fromkeys(place for place, tokens in enumerate(net.initial) if tokens)
    ready = [number for number, places in enumerate(missing) if not places]
    order: dict[int, None] = {}
    waiting = deque(marked)
    while ready or waiting:
        for number in ready:
            order[number] = None
            new_places = [place for place, _ in net.transitions[number].post if place not in marked]
            marked.update(dict.fromkeys(new_places))
            waiting.extend(new_places)
        ready = []
        for number in users[waiting.popleft()] if waiting else ():
            missing[number] -= 1
            if not missing[number]:
                ready.append(number)
    return (*order, *(number for number in range(len(missing)) if number not in order))
