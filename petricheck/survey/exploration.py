"""The most tokens of each place, from a limited exploration with acceleration.

Karp, Miller: Parallel program schemata (1969). A marking with ω stands for reachable markings with
any number of tokens there, and the others exactly. So every number met is reached, every ω is an
unbounded place, and once nothing is left to explore no place ever has more. It starts from the
marking in which the pumped places have ω already. Other than in the tree of 1969, what is below an
earlier marking with ω is not entered: the successors of all markings are still below one of them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from petricheck.audit.limits import watched
from petricheck.budget import Budget
from petricheck.covering.tokens import OMEGA, Tokens, below, fired, gains
from petricheck.problem import Net, Transition

WORK = 1_000_000
"""Entries of markings that may be looked at."""

_SHARE = 16
"""Two markings are compared as fast as so many of their entries are looked at one by one."""


@dataclass(frozen=True, slots=True)
class _Node:
    tokens: Tokens
    parent: _Node | None


def explored(
    net: Net, full: Collection[int], work: int = WORK, budget: Budget | None = None
) -> tuple[Mapping[int, Any], bool]:
    """The most tokens by place, `OMEGA` for unbounded places; and whether none ever has more.

    Args:
        net: the net.
        full: places that can be filled with any number of tokens at once, no other losing any.
        work: how many entries of markings are looked at, about.
        budget: limits.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    search = _Search(net, work, budget or Budget())
    start = {place: tokens for place, tokens in enumerate(net.initial) if tokens}
    search.enter(_Node(start | dict.fromkeys(full, OMEGA), None))
    complete = search.run()
    return {place: search.most.get(place, 0) for place in range(len(net.places))}, complete


class _Search:
    """Markings met, those still to be expanded in a queue.

    Attributes:
        most: the most tokens met, by place.
    """

    def __init__(self, net: Net, work: int, budget: Budget) -> None:
        self.most: Tokens = {}
        self._budget = budget
        self._work = work
        self._unbounded: list[Tokens] = []
        self._known: set[frozenset[tuple[int, Any]]] = set()
        self._waiting: deque[_Node] = deque()
        self._free = [t for t in net.transitions if not t.pre]
        self._takers: list[list[Transition]] = [[] for _ in net.places]
        for transition in net.transitions:
            for place, _ in transition.pre[:1]:
                self._takers[place].append(transition)

    def run(self) -> bool:
        """Expand one marking after the other; False if that is too much work."""
        for node, transition in watched(self._steps(), self._budget):
            self._work -= 1
            if self._work < 0:
                break
            if all(node.tokens.get(p, 0) >= weight for p, weight in transition.pre):
                self._reach(fired(node.tokens, transition), node)
        return self._work >= 0

    def _steps(self) -> Iterator[tuple[_Node, Transition]]:
        """The markings, each with what takes nothing, or takes first from a place with tokens."""
        while self._waiting:
            node = self._waiting.popleft()
            for transition in self._free:
                yield node, transition
            for place in node.tokens:
                for transition in self._takers[place]:
                    yield node, transition

    def enter(self, node: _Node) -> None:
        """Note a marking, and that it is to be expanded."""
        self._waiting.append(node)
        if OMEGA in node.tokens.values():
            self._unbounded.append(node.tokens)
        for place, tokens in node.tokens.items():
            self.most[place] = max(tokens, self.most.get(place, 0))

    def _reach(self, tokens: Tokens, parent: _Node) -> None:
        key = frozenset(tokens.items())
        self._work -= len(tokens)
        if key in self._known:
            return
        self._known.add(key)
        self._work -= len(self._unbounded)
        if not any(below(tokens, other) for other in self._unbounded):
            self.enter(_Node(self._accelerated(tokens, parent), parent))

    def _accelerated(self, tokens: Tokens, parent: _Node) -> Tokens:
        node: _Node | None = parent
        while node is not None:
            self._work -= 1 + len(node.tokens) // _SHARE
            if grown := gains(node.tokens, tokens):
                tokens = tokens | {place: OMEGA for place, _, _ in grown}
            node = node.parent
        return tokens
