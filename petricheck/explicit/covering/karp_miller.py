"""Forward exploration with acceleration, towards goals that grow, and firing sequences from it.

Karp, Miller: Parallel program schemata (1969). Where a marking is at least an ancestor's, the word
between them can be fired again and again, and the places that it adds to become unbounded, ω. Other
than in their tree, the marking that lacks least to a goal is expanded next, and markings that are
below others are dropped. Goals are the minimal markings of a backward search, so that both searches
may meet halfway.

A marking with ω promises any number of tokens there. To have as many as a goal wants, the loops on
the path to it are repeated, their numbers found from the last to the first, since a later loop may
use up what an earlier one adds. A word a b … that is to be fired n times is fired as aᶜ bᶜ … over
and over, each time with the largest c that the tokens at hand allow; where the word gains tokens, c
soon grows. A word that passes one token around stays at c = 1, and is unrolled.

Limits: the tree may be huge, so it holds so many markings and no more; a sequence may need so many
steps that it is not written down.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any, TypeAlias

import numpy as np

from petricheck.explicit.covering.antichain import covers, minimal
from petricheck.explicit.covering.tokens import OMEGA, Loop, Tokens, TreeNode, below, fired, gains
from petricheck.explicit.kernel.arrays import Integers, Rows
from petricheck.model.net import Net
from petricheck.support.budget import Budget
from petricheck.symbolic.linear import combination

STEPS = 1 << 22
"""Sequences with more steps are not written down."""

Block: TypeAlias = tuple[tuple[int, int], ...]
"""(transition number, how often in a row)."""


def hurdle(net: Net, word: Sequence[int], times: int, need: Mapping[int, int]) -> dict[int, int]:
    """Return the least marking that fires the word this often and then covers `need`."""
    least: dict[int, int] = {}
    effect: dict[int, int] = {}
    for action in reversed(word):
        transition = net.transitions[action]
        for place, change in transition.effect:
            least[place] = max(0, least.get(place, 0) - change)
            effect[place] = effect.get(place, 0) + change
        for place, weight in transition.pre:
            least[place] = max(weight, least.get(place, 0))
    for place in {**least, **need}:
        start, change = least.get(place, 0), effect.get(place, 0)
        last = max(start, need.get(place, 0) - change)
        least[place] = max(start, last - (times - 1) * change)
    return {place: tokens for place, tokens in least.items() if tokens > 0}


def words(
    net: Net, line: Sequence[TreeNode], goal: Mapping[int, int]
) -> list[tuple[tuple[int, ...], int]]:
    """Return (word, how often) from the root to a node, so that its ω hold what the goal needs.

    The line is the node and its ancestors, the root last; the node's marking is at least the goal.
    """
    words_fired = []
    need = {p: n for p, n in goal.items() if line[0].tokens.get(p) == OMEGA}
    for node in line:
        unbounded = {place for place, tokens in node.tokens.items() if tokens == OMEGA}
        for loop in reversed(node.loops):
            times = max(-((base - need.get(p, 0)) // gain) for p, base, gain in loop.pumped)
            unbounded.difference_update(place for place, _, _ in loop.pumped)
            if times > 0:
                words_fired.append((loop.word, times))
                need = hurdle(net, loop.word, times, need)
            need = {place: tokens for place, tokens in need.items() if place in unbounded}
        if node.transition >= 0:
            words_fired.append(((node.transition,), 1))
            need = hurdle(net, (node.transition,), 1, need)
            need = {place: tokens for place, tokens in need.items() if place in unbounded}
    return words_fired[::-1]


def unrolled(
    net: Net, words: Iterable[tuple[tuple[int, ...], int]]
) -> list[tuple[int, int]] | None:
    """Return the repeated words as (transition, times in a row); None if too many steps.

    The words must fire one after the other from the initial marking.
    """
    marking = list(net.initial)
    steps: list[tuple[int, int]] = []
    for word, times in words:
        patience = 1
        while times:
            share = _share(net, marking, word, times)
            block = tuple((action, share) for action in word)
            # Few rounds at first: the tokens that they add may allow for a greater share.
            rounds = min(times // share, patience, _rounds(net, marking, block))
            patience *= 2
            if len(steps) + rounds * len(block) > STEPS:
                return None
            steps.extend(block * rounds)
            times -= share * rounds
            for action, count in block:
                for place, change in net.transitions[action].effect:
                    marking[place] += count * rounds * change
    return steps


def _share(net: Net, marking: Sequence[int], word: tuple[int, ...], times: int) -> int:
    """Return the greatest c ≤ times such that aᶜ bᶜ … fires for the word a b …, which fires."""
    low, high = 1, 2
    while high <= times and _fires(net, marking, word, high):
        low, high = high, 2 * high
    high = min(high, times + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _fires(net, marking, word, middle) else (low, middle)
    return low


def _fires(net: Net, marking: Sequence[int], word: tuple[int, ...], count: int) -> bool:
    need = _before_block(net, tuple((action, count) for action in word))
    return all(marking[place] >= tokens for place, tokens in need.items())


def _before_block(net: Net, block: Block) -> dict[int, int]:
    need: dict[int, int] = {}
    for action, count in reversed(block):
        need = hurdle(net, (action,), count, need)
    return need


def _rounds(net: Net, marking: Sequence[int], block: Block) -> int:
    """Return the number of times the block, which fires, can fire; unlimited is a large number."""
    effect = combination((count, net.transitions[action].effect) for action, count in block)
    need = _before_block(net, block)
    margins = (
        1 + (marking[place] - need.get(place, 0)) // -change
        for place, change in effect
        if change < 0
    )
    return min(margins, default=STEPS)


CELLS = 1 << 23
"""Entries of the matrix of markings."""

NODES = 50_000
"""Markings in the tree at most."""

NEAREST = 128
"""How many goals, the newest, a marking's distance is measured to."""

RECENT = 64
"""With how many unbounded markings a new one is compared, where nothing else is said."""

OUTSIDE = 10_000
"""Rows that are looked at for the minimal markings outside the tree, at most."""

_SHARE = 16
"""Two markings are compared as fast as so many of their entries are looked at one by one."""

_HUGE = 1 << 61
"""In a matrix of 64 bits, as good as ω: goals are smaller."""


_LARGEST = 1 << 40
"""A tree of larger numbers has Python's integers."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """The marking of a node is at least a goal."""

    node: int
    goal: int


class KarpMiller:
    """The tree so far, its nodes in the order of their discovery.

    Attributes:
        expanded: how many of them were expanded.
        work: how many transitions, markings and ancestors were looked at.
    """

    def __init__(
        self,
        net: Net,
        unblocked: Sequence[int],
        kind: type,
        full: Collection[int] = (),
        recent: int = RECENT,
    ) -> None:
        """Start with the root alone; only the unblocked transitions will fire.

        Args:
            net: the net.
            unblocked: numbers of transitions.
            kind: of the numbers in matrices: `numpy.int64`, or `object` where they are too large.
            full: places that hold ω in the root, known to be filled; of these there are no traces.
            recent: with how many unbounded markings, the newest, a new one is compared; what is
                below one is dropped.
        """
        self._net, self._kind, self._recent = net, kind, recent
        self._consumers: list[list[int]] = [[] for _ in net.places]
        self._sources = [number for number in unblocked if not net.transitions[number].pre]
        for number in unblocked:
            for place, _ in net.transitions[number].pre[:1]:
                self._consumers[place].append(number)
        self.nodes: list[TreeNode] = []
        self.expanded = self.work = 0
        self._known: set[frozenset[tuple[int, Any]]] = set()
        self._unbounded: list[Tokens] = []
        self._waiting: list[tuple[float, int]] = []
        self._most = min(NODES, CELLS // (1 + len(net.places)))
        self._table: Rows = np.zeros((16, len(net.places)), dtype=kind)
        self._goals: Rows = np.zeros((0, len(net.places)), dtype=kind)
        self._newest = -1
        root: Tokens = {place: tokens for place, tokens in enumerate(net.initial) if tokens}
        root |= dict.fromkeys(full, OMEGA)
        self._known.add(frozenset(root.items()))
        self._enter(TreeNode(root))

    @property
    def ended(self) -> bool:
        """Return whether nothing is left to expand, or the tree is full."""
        return not self._waiting or len(self.nodes) >= self._most

    @property
    def complete(self) -> bool:
        """Return whether every reachable marking is below a marking of the tree."""
        return not self._waiting

    def explore(self, goals: Rows, numbers: Integers, turns: int, budget: Budget) -> Meeting | None:
        """Expand so many markings; a meeting with one of the goals ends it.

        The goals are rows, whose numbers increase; greater ones than all before are new.
        """
        self._goals = goals
        is_new = numbers > self._newest
        self._newest = int(numbers.max(initial=self._newest))
        if (meeting := self._meeting(0, goals[is_new], numbers[is_new])) is not None:
            return meeting
        for _ in range(turns):
            budget.check()
            if self.ended:
                return None
            self.expanded += 1
            first = len(self.nodes)
            self._expand(heappop(self._waiting)[1])
            if (meeting := self._meeting(first, goals, numbers)) is not None:
                return meeting
        return None

    def firing_sequence(self, node: int, goal: Mapping[int, int]) -> list[tuple[int, int]] | None:
        """Return pairs (transition, how often in a row) to a marking that is at least this goal.

        None where that would be too long; the node's marking must be at least the goal.
        """
        return unrolled(self._net, words(self._net, tuple(self._line(node)), goal))

    def stages(self, number: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Return (stem, loop) for each acceleration on the way to a node, as transition numbers.

        Each stem leads from the end of the loop before, or from the root, to where its loop can be
        repeated. The places that are ω in the node are those to which some loop adds.
        """
        stages: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        stem: list[int] = []
        for node in reversed(list(self._line(number))):
            if node.transition >= 0:
                stem.append(node.transition)
            for loop in node.loops:
                stages.append((tuple(stem), loop.word))
                stem = []
        return stages

    def outside(self) -> Rows | None:
        """Return the minimal markings that are below none of the complete tree's.

        No reachable marking is at least one of them, and neither is any from which one fires. None
        where the tree was cut off, or they are too many.
        """
        if not self.complete:
            return None
        rows: Rows = np.zeros((1, len(self._net.places)), dtype=self._kind)
        effort = 0
        for number in sorted(range(len(self.nodes)), key=self._bounded_places):
            tokens = self.nodes[number].tokens
            inside = np.asarray((rows <= self._table[number]).all(axis=1), dtype=bool)
            if not inside.any():
                continue
            limits = [(place, tokens.get(place, 0) + 1) for place in range(rows.shape[1])]
            limits = [(place, limit) for place, limit in limits if limit < OMEGA]
            highest = max((limit for _, limit in limits), default=0)
            effort += len(rows) + int(inside.sum()) * len(limits)
            if effort > OUTSIDE or highest > _HUGE:
                return None
            parts = [rows[~inside]]
            for place, limit in limits:
                raised = rows[inside].copy()
                raised[:, place] = limit
                parts.append(raised)
            rows = np.concatenate(parts)
            rows = rows[minimal(rows)]
        return rows

    def _bounded_places(self, number: int) -> int:
        tokens = self.nodes[number].tokens.values()
        return len(self._net.places) - len([count for count in tokens if count == OMEGA])

    def _meeting(self, first: int, goals: Rows, numbers: Integers) -> Meeting | None:
        """Return whether a node from this one on has a marking that is at least a goal."""
        goal_of = covers(goals, self._table[first : len(self.nodes)])
        if not (goal_of >= 0).any():
            return None
        node = int(np.flatnonzero(goal_of >= 0)[0])
        return Meeting(first + node, int(numbers[goal_of[node]]))

    def _expand(self, number: int) -> None:
        tokens = self.nodes[number].tokens
        candidates = [t for place in sorted(tokens) for t in self._consumers[place]]
        self.work += len(self._sources) + len(candidates)
        for action in (*self._sources, *candidates):
            transition = self._net.transitions[action]
            if all(tokens.get(place, 0) >= weight for place, weight in transition.pre):
                after = fired(tokens, transition)
                if self._is_new(after):
                    node = self._accelerated(number, action, after)
                    if not node.loops or self._is_new(node.tokens):
                        self._enter(node)

    def _accelerated(self, parent: int, action: int, after: Tokens) -> TreeNode:
        loops = []
        word = [action]
        for ancestor in self._line(parent):
            self.work += 1 + len(ancestor.tokens) // _SHARE
            gained = gains(ancestor.tokens, after)
            if gained:
                loops.append(Loop(tuple(reversed(word)), gained))
                after = after | {place: OMEGA for place, _, _ in gained}
            word.append(ancestor.transition)
        return TreeNode(after, parent, action, tuple(loops))

    def _line(self, number: int) -> Iterator[TreeNode]:
        """Yield the node and its ancestors, the root last."""
        while number >= 0:
            yield self.nodes[number]
            number = self.nodes[number].parent

    def _is_new(self, tokens: Tokens) -> bool:
        """Return whether the marking is new, and is not below an unbounded one."""
        key = frozenset(tokens.items())
        if key in self._known:
            return False
        self._known.add(key)
        compared = self._unbounded[-self._recent :] if self._recent else []
        self.work += len(tokens) + len(compared)
        return not any(below(tokens, other) for other in compared)

    def _enter(self, node: TreeNode) -> None:
        if OMEGA in node.tokens.values():
            self._unbounded.append(node.tokens)
        number = len(self.nodes)
        self.nodes.append(node)
        if number == len(self._table):
            self._table = np.concatenate((self._table, np.zeros_like(self._table)))
        for place, count in node.tokens.items():
            small = self._kind is np.int64 and count > _HUGE
            self._table[number, place] = _HUGE if small else count
        heappush(self._waiting, (self._lack(number), number))

    def _lack(self, number: int) -> float:
        """Return the number of tokens missing to the nearest goal; a float, used to order nodes."""
        if not len(self._goals):
            return 0.0
        goals = self._goals[-NEAREST:]
        # The lesser of both first: ω cannot be taken from an integer beyond floats.
        missing = goals - np.minimum(self._table[number], goals)
        return float(np.minimum(missing, _HUGE).astype(np.float64).sum(axis=1).min())


def whole_tree(net: Net, recent: int = RECENT) -> KarpMiller:
    """Return the root of a tree in which all transitions may fire, see `KarpMiller`."""
    numbers = [w for t in net.transitions for _, w in (*t.pre, *t.post)]
    kind = np.int64 if max((*numbers, *net.initial), default=0) < _LARGEST else object
    return KarpMiller(net, range(len(net.transitions)), kind, recent=recent)
