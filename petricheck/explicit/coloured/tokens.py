"""The tokens of a place by colour, in tables from which some that fit are drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from petricheck.model.coloured.solutions import Reading, Row

Key: TypeAlias = Callable[[Row], Row]


class DrawSet:
    """A set whose members have positions, so that any of them is drawn in constant time."""

    __slots__ = ("_positions", "members")

    def __init__(self) -> None:
        self.members: list[int] = []
        self._positions: dict[int, int] = {}

    def add(self, member: int) -> None:
        """Add what is not in it."""
        self._positions[member] = len(self.members)
        self.members.append(member)

    def remove(self, member: int) -> None:
        """Remove what is in it."""
        position, last = self._positions.pop(member), self.members.pop()
        if last != member:
            self.members[position] = last
            self._positions[last] = position


class Index:
    """The colours of a place that a term may have, by those of some variables of the term."""

    def __init__(self, reading: Reading, known: Sequence[str]) -> None:
        self._reading = reading
        self._positions = [reading.names.index(name) for name in known]
        self._colours: dict[Row, DrawSet] = {}

    def add(self, colour: int) -> None:
        """Add a colour of which there was no token."""
        if (row := self._reading.row(colour)) is not None:
            key = tuple([row[n] for n in self._positions])
            if key not in self._colours:
                self._colours[key] = DrawSet()
            self._colours[key].add(colour)

    def remove(self, colour: int) -> None:
        """Remove a colour of which there is no token any more."""
        if (row := self._reading.row(colour)) is not None:
            self._colours[tuple([row[n] for n in self._positions])].remove(colour)

    def colours(self, key: Row) -> Sequence[int]:
        """Return the colours for which the variables have these colours."""
        drawn = self._colours.get(key)
        return () if drawn is None else drawn.members


class ColourTokens:
    """The tokens of a place.

    Attributes:
        counts: how many there are of each colour, without zeros.
        total: how many there are.
    """

    def __init__(self, counts: Mapping[int, int]) -> None:
        self.counts = dict(counts)
        self.total = sum(counts.values())
        self._indexes: dict[object, Index] = {}

    def index(self, kind: object, reading: Reading, known: Sequence[str]) -> Index:
        """Return the index of this kind, which is one for all terms that read colours alike."""
        if kind not in self._indexes:
            index = self._indexes[kind] = Index(reading, known)
            for colour in self.counts:
                index.add(colour)
        return self._indexes[kind]

    def change(self, colour: int, change: int) -> None:
        """Add tokens of a colour, or remove so many as there are."""
        before = self.counts.get(colour, 0)
        self.total += change
        if after := before + change:
            self.counts[colour] = after
            if not before:
                for index in self._indexes.values():
                    index.add(colour)
        elif before:
            del self.counts[colour]
            for index in self._indexes.values():
                index.remove(colour)
