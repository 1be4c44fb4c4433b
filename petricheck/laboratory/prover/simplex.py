"""Bounds on linear forms, decided exactly by the simplex method (Dutertre, de Moura 2006).

Columns are variables and forms; a row says what a form is in other columns. Numbers are integers
while they can be, fractions where they must, and `Near` under strict bounds. A contradiction is
told as multipliers of the bounds that it needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from petricheck.laboratory.prover.proofs import Literal

Number: TypeAlias = Any
"""int, Fraction or Near."""

Explanation: TypeAlias = tuple[tuple[Literal, "int | Fraction"], ...]
"""Literals with multipliers > 0, the sum of whose bounds is a contradiction."""

_STEPS_BEFORE_BLAND = 50
"""Exchanges of a check after which it takes the least column, which cannot go round in circles."""


@dataclass(frozen=True, slots=True, order=True)
class Near:
    """A number plus a multiple of an infinitesimal."""

    standard: int | Fraction
    beside: int | Fraction

    def __add__(self, other: Near) -> Near:
        return Near(self.standard + other.standard, self.beside + other.beside)

    def __sub__(self, other: Near) -> Near:
        return Near(self.standard - other.standard, self.beside - other.beside)

    def __mul__(self, factor: int | Fraction) -> Near:
        return Near(self.standard * factor, self.beside * factor)

    __rmul__ = __mul__


class SimplexBound(NamedTuple):
    """A limit with the literal that states it."""

    value: Number
    literal: Literal


class Simplex:
    """Columns with bounds, which can be taken back in the opposite order.

    Args:
        zero: the number from which values start.
    """

    def __init__(self, zero: Number) -> None:
        self._zero = zero
        self._rows: dict[int, dict[int, Any]] = {}
        self._users: list[set[int]] = []
        self._suspects: set[int] = set()
        self._trail: list[tuple[list[SimplexBound | None], int, SimplexBound | None]] = []
        self.values: list[Number] = []
        self.lower: list[SimplexBound | None] = []
        self.upper: list[SimplexBound | None] = []

    def column(self, form: Mapping[int, int] | None = None) -> int:
        """Return a new variable, or a new name for a form over columns."""
        number = len(self.values)
        self._users.append(set())
        self.values.append(self._zero)
        self.lower.append(None)
        self.upper.append(None)
        if form is not None:
            row: dict[int, Any] = {}
            for column, factor in form.items():
                for part, value in self._rows.get(column, {column: 1}).items():
                    _accumulate(row, part, factor * value)
            self._rows[number] = row
            for part, value in row.items():
                self._users[part].add(number)
                self.values[number] = self.values[number] + self.values[part] * value
        return number

    @property
    def depth(self) -> int:
        """The number of bounds that were changed."""
        return len(self._trail)

    def restore(self, depth: int) -> None:
        """Take back the bounds that were changed since."""
        while len(self._trail) > depth:
            bounds, column, bound = self._trail.pop()
            bounds[column] = bound

    def limit_above(self, column: int, bound: SimplexBound) -> Explanation | None:
        """Assert column ≤ bound; return why that contradicts its other bound, where it does."""
        old, opposite = self.upper[column], self.lower[column]
        if old is not None and old.value <= bound.value:
            return None
        if opposite is not None and bound.value < opposite.value:
            return (bound.literal, 1), (opposite.literal, 1)
        self._trail.append((self.upper, column, old))
        self.upper[column] = bound
        self._respect(column, bound.value, self.values[column] > bound.value)
        return None

    def limit_below(self, column: int, bound: SimplexBound) -> Explanation | None:
        """Assert column ≥ bound; return why that contradicts its other bound, where it does."""
        old, opposite = self.lower[column], self.upper[column]
        if old is not None and old.value >= bound.value:
            return None
        if opposite is not None and opposite.value < bound.value:
            return (bound.literal, 1), (opposite.literal, 1)
        self._trail.append((self.lower, column, old))
        self.lower[column] = bound
        self._respect(column, bound.value, self.values[column] < bound.value)
        return None

    def check(self) -> Explanation | None:
        """Set the columns to values within their bounds; return an explanation if none exist."""
        steps = 0
        while self._suspects:
            column = min(self._suspects)
            below, above = self._violated(column)
            if not (below or above):
                self._suspects.discard(column)
                continue
            entering = self._entering(column, below, steps >= _STEPS_BEFORE_BLAND)
            if entering is None:
                return self._explanation(column, below)
            bound = self.lower[column] if below else self.upper[column]
            assert bound is not None
            self._exchange(column, entering, bound.value)
            steps += 1
        return None

    def _respect(self, column: int, value: Number, outside: bool) -> None:
        if column in self._rows:
            self._suspects.add(column)
        elif outside:
            self._move(column, value - self.values[column])

    def _move(self, column: int, change: Number) -> None:
        """Change the value of a column without a row, and of the rows that use it."""
        self.values[column] = self.values[column] + change
        for user in self._users[column]:
            self.values[user] = self.values[user] + change * self._rows[user][column]
            self._suspects.add(user)

    def _violated(self, column: int) -> tuple[bool, bool]:
        if column not in self._rows:
            return False, False
        value, lower, upper = self.values[column], self.lower[column], self.upper[column]
        return (
            lower is not None and value < lower.value,
            upper is not None and value > upper.value,
        )

    def _entering(self, column: int, up: bool, least: bool) -> int | None:
        """Return a column of the row whose change can raise, or lower, the row's value."""
        free = [c for c, factor in self._rows[column].items() if self._can(c, (factor > 0) == up)]
        if not free:
            return None
        return min(free) if least else min(free, key=lambda c: (len(self._users[c]), c))

    def _can(self, column: int, up: bool) -> bool:
        bound = self.upper[column] if up else self.lower[column]
        if bound is None:
            return True
        value = self.values[column]
        return bool(value < bound.value if up else value > bound.value)

    def _explanation(self, column: int, below: bool) -> Explanation:
        """Return the bounds that prevent the row's value from satisfying its own bound."""
        first = self.lower[column] if below else self.upper[column]
        assert first is not None
        summands: list[tuple[Literal, int | Fraction]] = [(first.literal, 1)]
        for part, factor in self._rows[column].items():
            bound = self.upper[part] if (factor > 0) == below else self.lower[part]
            assert bound is not None
            summands.append((bound.literal, abs(factor)))
        return tuple(summands)

    def _exchange(self, leaving: int, entering: int, value: Number) -> None:
        """Set `leaving` to the value, by moving `entering`, which takes over the row."""
        row = self._rows.pop(leaving)
        pivot = row.pop(entering)
        for part in row:
            self._users[part].discard(leaving)
        self._users[entering].discard(leaving)
        change = (value - self.values[leaving]) * _quotient(1, pivot)
        self._move(entering, change)
        self.values[leaving] = value
        solved = {part: _quotient(-factor, pivot) for part, factor in row.items()}
        solved[leaving] = _quotient(1, pivot)
        for user in self._users[entering]:
            self._replace(user, entering, solved)
        self._users[entering] = set()
        self._rows[entering] = solved
        for part in solved:
            self._users[part].add(entering)
        self._suspects.discard(leaving)
        self._suspects.add(entering)

    def _replace(self, user: int, column: int, by: Mapping[int, Any]) -> None:
        row = self._rows[user]
        times = row.pop(column)
        for part, factor in by.items():
            if _accumulate(row, part, times * factor):
                self._users[part].add(user)
            else:
                self._users[part].discard(user)


def _accumulate(row: dict[int, Any], part: int, amount: Any) -> bool:
    """Add to an entry; whether it is there afterwards."""
    total = row.get(part, 0) + amount
    if total:
        row[part] = total
        return True
    row.pop(part, None)
    return False


def _quotient(dividend: Any, divisor: Any) -> Any:
    """Return the exact quotient, an integer where it is one."""
    if divisor in (1, -1):
        return dividend * divisor
    exact = Fraction(dividend) / divisor
    return exact.numerator if exact.denominator == 1 else exact
