"""Sets of features of which none includes another.

Most of an exploration is the question whether one of thousands of states covers a new one. A state
is therefore given as the set of features that it has (`Domain.features`), a bit each, such that it
covers another exactly where its set includes the other's: a few operations on whole words for all
states together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Words: TypeAlias = npt.NDArray[np.uint64]
"""A set of features, 64 to a word; or one such set a row."""

_ALL = np.uint64(2**64 - 1)
_FIRST = 64
"""The number of sets for which there is space at first."""


def words(features: npt.NDArray[np.bool_]) -> Words:
    """Return sets (n × 64·k truth values) as words (n × k)."""
    return np.packbits(features, axis=1).view(np.uint64)


_NEVER = words(np.arange(64)[np.newaxis] == 1)[0, 0]
"""Feature 1, which no set has."""


class StateAntichain:
    """The maximal ones of added sets of `width` words, all with feature 0, none with feature 1."""

    def __init__(self, width: int) -> None:
        # What a set lacks, by words. Where it has left it lacks feature 0, so that it covers none,
        # and does not lack feature 1, so that none covers it.
        self._missing: Words = np.full((width, _FIRST), _ALL)
        self._numbers = np.zeros(_FIRST, dtype=np.intp)
        self._used = 0
        self._alive: list[bool] = []

    @property
    def alive(self) -> Sequence[bool]:
        """A list with one entry for each state that was added, in order: whether it is still in."""
        return self._alive

    def covers(self, features: Words) -> bool:
        """Return whether a set in the antichain includes these features."""
        wanting = self._missing[0, : self._used] & features[0]
        for own, others in zip(features[1:], self._missing[1:, : self._used], strict=True):
            wanting |= others & own
        return int(np.count_nonzero(wanting)) < self._used

    def add(self, features: Words) -> int:
        """Add a set that none includes, and remove those that it includes; its number."""
        self._remove(features)
        if self._used == len(self._numbers):
            self._compact()
        self._missing[:, self._used] = ~features
        self._numbers[self._used] = len(self._alive)
        self._used += 1
        self._alive.append(True)
        return len(self._alive) - 1

    def _remove(self, features: Words) -> None:
        within = self._missing[0, : self._used] | features[0]
        for own, others in zip(features[1:], self._missing[1:, : self._used], strict=True):
            within &= others | own
        (columns,) = (within == _ALL).nonzero()
        if len(columns):
            self._missing[:, columns] = _ALL
            self._missing[0, columns] = ~_NEVER
            for number in self._numbers[columns]:
                self._alive[number] = False

    def _compact(self) -> None:
        """Drop the columns of removed sets; make the capacity twice the number of the others."""
        columns = [column for column, number in enumerate(self._numbers) if self._alive[number]]
        size = max(_FIRST, 2 * len(columns))
        missing = np.full((len(self._missing), size), _ALL)
        numbers = np.zeros(size, dtype=np.intp)
        self._used = len(columns)
        missing[:, : self._used] = self._missing[:, columns]
        numbers[: self._used] = self._numbers[columns]
        self._missing, self._numbers = missing, numbers
