"""The markings that a search knows, each with the firing that led to it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeAlias, TypeVar

Key = TypeVar("Key", bound=Hashable)

Steps: TypeAlias = "list[tuple[int, int]]"
"""(transition number, how often), in the order of firing."""


class Visited(Generic[Key]):
    """Markings, or keys for them, numbered in the order of discovery; 0 is the initial one.

    Attributes:
        markings: by number.
    """

    def __init__(self, initial: Key) -> None:
        self.markings = [initial]
        self._known = {initial}
        self._firings = [(-1, -1, 0)]

    def __len__(self) -> int:
        return len(self.markings)

    def add(self, marking: Key, source: int, transition: int, times: int = 1) -> int | None:
        """Add what a transition, fired so many times from the marking `source`, leads to.

        Returns:
            Its number; None where it is known already.
        """
        if marking in self._known:
            return None
        self._known.add(marking)
        self.markings.append(marking)
        self._firings.append((source, transition, times))
        return len(self.markings) - 1

    def steps(self, number: int) -> Steps:
        """The firings that lead to a marking."""
        backwards: Steps = []
        while number:
            number, transition, times = self._firings[number]
            backwards.append((transition, times))
        return backwards[::-1]
