"""Propagation of bounds between a form and its variables.

Of an equation 0 = Σ aᵢ·cᵢ over columns, the bounds of all columns but one bound that one. The
bound is rounded, since columns are integers, and is said by a literal of its own. So a conflict
teaches what is wrong with the values of variables, whatever led to them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from petricheck.laboratory.prover.proofs import Literal
from petricheck.laboratory.prover.simplex import Simplex, SimplexBound

_Entry = tuple[int, int]
"""A column and its factor."""


class Implied(NamedTuple):
    """Column ≤ value, or column ≥ value where not above, and why.

    Attributes:
        column: which.
        above: whether the value bounds it from above.
        value: the bound.
        because: literals with multipliers; `times` the opposite of the bound contradicts them.
        times: the multiplier of the opposite.
    """

    column: int
    above: bool
    value: int
    because: tuple[tuple[Literal, int], ...]
    times: int


class Propagation:
    """Equations between columns, and those of them that may imply something new.

    Args:
        simplex: the bounds of the columns, all of them integers.
    """

    def __init__(self, simplex: Simplex) -> None:
        self._simplex = simplex
        self._equations: list[tuple[_Entry, ...]] = []
        self._users: dict[int, list[int]] = {}
        self._waiting: dict[int, None] = {}

    def equate(self, column: int, form: Mapping[int, int]) -> None:
        """Define the column as the form over other columns."""
        entries = (*form.items(), (column, -1))
        for entry, _ in entries:
            self._users.setdefault(entry, []).append(len(self._equations))
        self._equations.append(entries)

    def touch(self, column: int) -> None:
        """Queue the equations of the column, since a bound of it has changed."""
        for number in self._users.get(column, ()):
            self._waiting[number] = None

    def forget(self) -> None:
        """Discard the equations whose bounds have changed."""
        self._waiting.clear()

    def implied(self) -> tuple[Implied, ...]:
        """Return new bounds of the next equation that implies some; empty where none does."""
        while self._waiting:
            number = next(iter(self._waiting))
            del self._waiting[number]
            entries = self._equations[number]
            implied = (*self._side(entries, 1), *self._side(entries, -1))
            if implied:
                return implied
        return ()

    def _side(self, entries: tuple[_Entry, ...], sign: int) -> Iterator[Implied]:
        """Yield consequences of Σ sign·aᵢ·cᵢ ≤ 0."""
        bounds: list[tuple[int, int, SimplexBound]] = []
        missing: list[_Entry] = []
        total = 0
        for column, factor in entries:
            bound = self._least(column, sign * factor)
            if bound is not None:
                bounds.append((column, sign * factor, bound))
                total += sign * factor * bound.value
            elif missing:
                return
            else:
                missing.append((column, sign * factor))
        for column, factor in missing:
            yield from self._implied(column, factor, -total, bounds)
        if not missing:
            for column, factor, bound in bounds:
                yield from self._implied(column, factor, factor * bound.value - total, bounds)

    def _least(self, column: int, factor: int) -> SimplexBound | None:
        """Return the bound of the column where factor·column is least."""
        return (self._simplex.lower if factor > 0 else self._simplex.upper)[column]

    def _implied(
        self, column: int, factor: int, most: int, bounds: Sequence[tuple[int, int, SimplexBound]]
    ) -> Iterator[Implied]:
        """Yield factor·column ≤ most where that is new; `bounds` are its reasons."""
        above = factor > 0
        value = most // factor if above else -(most // -factor)
        bound = (self._simplex.upper if above else self._simplex.lower)[column]
        if bound is None or (bound.value > value if above else bound.value < value):
            others = [entry for entry in bounds if entry[0] != column]
            because = tuple((bound.literal, abs(times)) for _, times, bound in others)
            yield Implied(column, above, value, because, abs(factor))
