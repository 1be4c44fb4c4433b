"""Traps that are marked initially, and empty where they should not be.

The greatest trap within a set of places is what is left of it when, as long as there is one, a
transition that takes from it and puts nothing on it has lost it the places that it takes from. All
that such transitions take is removed at once, in arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from petricheck.model.net import Marking, Transition

Array: TypeAlias = Any


class MarkedTraps:
    """The traps of these transitions that an initial marking marks."""

    def __init__(self, transitions: Sequence[Transition], initial: Marking) -> None:
        self._transitions = transitions
        self._marked = np.array([tokens > 0 for tokens in initial], dtype=bool)
        self._size = len(transitions)

    @cached_property
    def _takes(self) -> _Lists:
        """The places that each transition takes from."""
        entries = ((n, place) for n, t in enumerate(self._transitions) for place, _ in t.pre)
        return _Lists(entries, self._size)

    @cached_property
    def _takers(self) -> _Lists:
        """The transitions that take from each place."""
        entries = ((place, n) for n, t in enumerate(self._transitions) for place, _ in t.pre)
        return _Lists(entries, len(self._marked))

    @cached_property
    def _givers(self) -> _Lists:
        """The transitions that put on each place."""
        entries = ((place, n) for n, t in enumerate(self._transitions) for place, _ in t.post)
        return _Lists(entries, len(self._marked))

    def within(self, places: Iterable[int]) -> Iterator[frozenset[int]]:
        """Return disjoint traps among these places, of none of which a place could be left out."""
        candidates = np.zeros(len(self._marked), dtype=bool)
        candidates[list(places)] = True
        while (trap := self._minimal_part(self._greatest(candidates))) is not None:
            candidates &= ~trap
            yield frozenset(np.flatnonzero(trap).tolist())

    def _minimal_part(self, trap: Array) -> Array | None:
        """Return a part of the trap that is a marked one, and of which no place can be left out."""
        if not (trap & self._marked).any():
            return None
        size = int(trap.sum())
        while size > 1:  # Halves at first, single places at last.
            size = (size + 1) // 2
            members = np.flatnonzero(trap)
            for block in np.split(members, range(size, len(members), size)):
                if trap[block].any():
                    smaller = trap.copy()
                    smaller[block] = False
                    smaller = self._greatest(smaller)
                    if (smaller & self._marked).any():
                        trap = smaller
        return trap

    def _greatest(self, within: Array) -> Array:
        """Return the greatest trap within the set."""
        inside = within.copy()
        members = np.flatnonzero(inside)
        support = np.bincount(self._givers.of(members), minlength=self._size)
        unsupported = self._takers.of(members)
        while len(unsupported := unsupported[support[unsupported] == 0]):
            removed = self._takes.of(np.unique(unsupported))
            removed = np.unique(removed[inside[removed]])
            inside[removed] = False
            unsupported = self._givers.of(removed)
            support -= np.bincount(unsupported, minlength=self._size)
        return inside


class _Lists:
    """Lists of numbers by number, one behind the other."""

    def __init__(self, pairs: Iterable[tuple[int, int]], count: int) -> None:
        table = np.array(sorted(pairs), dtype=np.intp).reshape(-1, 2)
        self._items = table[:, 1]
        self._starts = np.searchsorted(table[:, 0], np.arange(count + 1))

    def of(self, numbers: Array) -> Array:
        """Return the lists of these numbers, joined."""
        starts = self._starts[numbers]
        lengths = self._starts[numbers + 1] - starts
        ends = np.cumsum(lengths)
        shifts = np.repeat(starts - ends + lengths, lengths)
        return self._items[shifts + np.arange(len(shifts))]
