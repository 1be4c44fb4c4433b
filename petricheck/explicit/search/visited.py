"""The discovered markings of a search, each with the firing that led to it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeAlias, TypeVar

Key = TypeVar("Key", bound=Hashable)

Steps: TypeAlias = "list[tuple[int, int]]"
"""(transition number, how often), in the order of firing."""


class Visited(Generic[Key]):
    """Markings, or keys for them, numbered in the order of discovery; 0 is the initial one."""

    def __init__(self, initial: Key) -> None:
        self.markings = [initial]
        self._members = {initial}
        self._firings = [(-1, -1, 0)]

    def __len__(self) -> int:
        return len(self.markings)

    def add(self, marking: Key, source: int, transition: int, times: int = 1) -> int | None:
        """Return the number of a successor of `source` by firings; None if it was added before."""
        if marking in self._members:
            return None
        self._members.add(marking)
        self.markings.append(marking)
        self._firings.append((source, transition, times))
        return len(self.markings) - 1

    def steps(self, number: int) -> Steps:
        """Return the firings that lead to a marking."""
        backwards: Steps = []
        while number:
            number, transition, times = self._firings[number]
            backwards.append((transition, times))
        return backwards[::-1]
