"""The tokens of a place by colour, in tables from which some that fit are drawn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter

from petricheck.model.coloured.solutions import Reading, Row
from petricheck.model.coloured.terms import Term

_KEPT = 200_000
"""Rows that are kept for the colours of a term."""


class DrawSet:
    """A set whose members have positions, so that any of them is drawn in constant time."""

    __slots__ = ("_positions", "members")

    def __init__(self, members: Iterable[int] = ()) -> None:
        self.members = [*members]
        self._positions = {member: n for n, member in enumerate(self.members)}

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


class ColourRows(dict[int, Row | None]):
    """The variables' colours by that of a term, as `Reading.row` returns them; many are kept."""

    def __init__(self, reading: Reading) -> None:
        self._row = reading.row

    def __missing__(self, colour: int) -> Row | None:
        row = self._row(colour)
        if len(self) < _KEPT:
            self[colour] = row
        return row


def picked(positions: Sequence[int]) -> Callable[[Row], Row]:
    """Return the function from a row to the colours at these positions."""
    if len(positions) > 1:
        return itemgetter(*positions)
    if positions:
        (position,) = positions
        return lambda row: (row[position],)
    return lambda row: ()


class Index:
    """The colours of a place that a term may have, by those of some variables of the term.

    They are listed when they are first asked for, since many plans need only one of them.

    Attributes:
        rows: the variables' colours by that of the term.
    """

    def __init__(
        self, rows: ColourRows, positions: Sequence[int], counts: Mapping[int, int]
    ) -> None:
        self.rows = rows
        self._key, self._counts = picked(positions), counts
        self._colours: dict[Row, DrawSet] | None = None

    def add(self, colour: int) -> None:
        """Add a colour of which there was no token."""
        if self._colours is not None and (row := self.rows[colour]) is not None:
            key = self._key(row)
            if key not in self._colours:
                self._colours[key] = DrawSet()
            self._colours[key].add(colour)

    def remove(self, colour: int) -> None:
        """Remove a colour of which there is no token any more."""
        if self._colours is not None and (row := self.rows[colour]) is not None:
            self._colours[self._key(row)].remove(colour)

    def colours(self, key: Row) -> Sequence[int]:
        """Return the colours for which the variables have these colours."""
        if self._colours is None:
            lists = defaultdict[Row, list[int]](list)
            for colour in self._counts:
                if (row := self.rows[colour]) is not None:
                    lists[self._key(row)].append(colour)
            self._colours = {own: DrawSet(members) for own, members in lists.items()}
        drawn = self._colours.get(key)
        return () if drawn is None else drawn.members


class ColourTokens:
    """The tokens of a place.

    Attributes:
        counts: how many there are of each colour, without zeros.
    """

    def __init__(self, counts: Mapping[int, int]) -> None:
        self.counts = dict(counts)
        self._rows: dict[Term, ColourRows] = {}
        self._indexes: dict[tuple[Term, tuple[int, ...]], Index] = {}

    def index(self, term: Term, reading: Reading, positions: tuple[int, ...]) -> Index:
        """Return the index by variables at these positions, one for all terms that read alike.

        The term says how they do: it has numbers for the names of the variables.
        """
        kind = term, positions
        if kind not in self._indexes:
            rows = self._rows.setdefault(term, ColourRows(reading))
            self._indexes[kind] = Index(rows, positions, self.counts)
        return self._indexes[kind]

    def change(self, colour: int, change: int) -> None:
        """Add tokens of a colour, or remove so many as there are."""
        before = self.counts.get(colour, 0)
        if after := before + change:
            self.counts[colour] = after
            if not before:
                for index in self._indexes.values():
                    index.add(colour)
        elif before:
            del self.counts[colour]
            for index in self._indexes.values():
                index.remove(colour)
