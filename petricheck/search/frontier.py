"""Markings met by a search, with the firing that led to each, and a queue of what to try next."""

from __future__ import annotations

import heapq
from typing import NamedTuple, TypeAlias

Rank: TypeAlias = tuple[float, bool]
"""Smaller comes first."""

Steps: TypeAlias = "list[tuple[int, int]]"
"""(transition number, how often), in the order of firing."""


class Option(NamedTuple):
    """What might be done next: fire a transition from a marking met.

    Attributes:
        node: number of the marking.
        transition: number of the transition; −1 to expand the marking itself.
        times: how often it fires in a row.
    """

    node: int
    transition: int
    times: int


class Met:
    """The markings met, as keys, each with its predecessor; numbered from 0, the initial one."""

    def __init__(self, initial: bytes) -> None:
        self._keys = [initial]
        self._known = {initial}
        self._ways = [Option(-1, -1, 0)]
        self._depths = [0]

    def __len__(self) -> int:
        return len(self._keys)

    def key(self, node: int) -> bytes:
        """The key of a marking met."""
        return self._keys[node]

    def depth(self, node: int) -> int:
        """How many firings lead to it on the way remembered."""
        return self._depths[node]

    def add(self, key: bytes, way: Option) -> int | None:
        """Remember a marking and how it was met; its number, or None where it is known."""
        if key in self._known:
            return None
        self._known.add(key)
        self._keys.append(key)
        self._ways.append(way)
        self._depths.append(self._depths[way.node] + way.times)
        return len(self._keys) - 1

    def steps(self, node: int) -> Steps:
        """The firings that lead to it."""
        backwards: Steps = []
        while node:
            way = self._ways[node]
            backwards.append((way.transition, way.times))
            node = way.node
        return backwards[::-1]


class Queue:
    """What to try next: the least rank first, the newest among equals."""

    def __init__(self) -> None:
        self._heap: list[tuple[Rank, int, Option]] = []
        self._age = 0

    def __len__(self) -> int:
        return len(self._heap)

    def push(self, rank: Rank, option: Option) -> None:
        """Add an option."""
        self._age -= 1
        heapq.heappush(self._heap, (rank, self._age, option))

    def pop(self) -> tuple[Rank, Option]:
        """The best option with its rank; IndexError where there is none."""
        rank, _, option = heapq.heappop(self._heap)
        return rank, option


def luby(number: int) -> int:
    """The sequence 1 1 2 1 1 2 4 …, from number 1: how long restarts are best allowed to be.

    Luby, Sinclair, Zuckerman: Optimal speedup of Las Vegas algorithms (1993).
    """
    while (number + 1) & number:
        number -= (1 << (number.bit_length() - 1)) - 1
    return (number + 1) // 2
