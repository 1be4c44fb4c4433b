"""Tables of bindings: one column of colours for each variable, joined and filtered by numpy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from petricheck.model.coloured.terms import Constant, Guard, Shifted, Term, Tuple, Variable
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, Ending

Column: TypeAlias = NDArray[np.int64]
"""Colours, one for each row."""

_WIDEST = 2**62
"""Numbers below this fit into a column."""

_SPARSE = 8
"""A table of all colours pays where they are at most so many times as many as are looked up."""

_BYTES, _BESIDE = 8, 2
"""What a number in a column takes; columns that are made beside those of a result."""


@dataclass(frozen=True)
class Limit:
    """The most rows that a table may have, what these are, in the plural, and time and memory."""

    most: int
    rows: str
    budget: Budget = field(default_factory=Budget)

    def check(self, rows: int, columns: int = 1) -> None:
        """Raise BudgetExhausted where there are more, or so many columns exceed the budget."""
        if rows > self.most:
            reason = f"its unfolding would list {rows:,} {self.rows}; more than {self.most:,} are"
            raise BudgetExhausted(f"{reason} too many", Ending.GAVE_UP)
        self.budget.check(_BYTES * rows * (columns + _BESIDE))


@dataclass(frozen=True)
class BindingTable:
    """Bindings of some variables: a column of colours for each, by its name.

    What makes a larger table raises `support.errors.BudgetExhausted` beyond its limit.
    """

    rows: int
    columns: Mapping[str, Column]

    def select(self, rows: NDArray[np.int64] | NDArray[np.bool_]) -> BindingTable:
        """Return some rows, by their numbers or by whether they are taken."""
        columns = {name: column[rows] for name, column in self.columns.items()}
        count = int(rows.sum()) if rows.dtype == np.bool_ else len(rows)
        return BindingTable(count, columns)

    def with_columns(self, columns: Mapping[str, Column]) -> BindingTable:
        """Return the table with more variables."""
        return BindingTable(self.rows, {**self.columns, **columns})

    def distinct(self) -> BindingTable:
        """Return the same rows, each once."""
        if not self.columns:
            return BindingTable(min(1, self.rows), {})
        return self.select(np.unique(_numbers([*self.columns.values()]), return_index=True)[1])

    def times(self, other: BindingTable, limit: Limit) -> BindingTable:
        """Return each row with each of the other, which has no variable of this one."""
        limit.check(self.rows * other.rows, len(self.columns) + len(other.columns))
        left = np.repeat(np.arange(self.rows), other.rows)
        right = np.tile(np.arange(other.rows), self.rows)
        columns = {**self.select(left).columns, **other.select(right).columns}
        return BindingTable(self.rows * other.rows, columns)

    def joined(self, other: BindingTable, limit: Limit) -> BindingTable:
        """Return the rows of both that agree about the variables that both have."""
        shared = [name for name in self.columns if name in other.columns]
        if not shared:
            return self.times(other, limit)
        own_keys, other_keys = _keys(self, other, shared)
        order = np.argsort(other_keys, kind="stable")
        first = np.searchsorted(other_keys[order], own_keys, side="left")
        counts = np.searchsorted(other_keys[order], own_keys, side="right") - first
        limit.check(int(counts.sum()), len({**self.columns, **other.columns}))
        left = np.repeat(np.arange(self.rows), counts)
        ends = np.cumsum(counts)
        right = order[np.arange(len(left)) - np.repeat(ends - counts - first, counts)]
        columns = {**other.select(right).columns, **self.select(left).columns}
        return BindingTable(len(left), columns)

    def where(self, guard: Guard, limit: Limit) -> BindingTable:
        """Return the rows that satisfy the guard, whose variables all are columns."""
        values = _Watched(self.columns, limit.budget)
        holds = np.broadcast_to(np.asarray(guard.holds(values), dtype=bool), self.rows)
        return self if holds.all() else self.select(holds)


class _Watched(dict[str, Column]):
    """Columns that check a budget whenever one is read, as for each comparison of a guard."""

    def __init__(self, columns: Mapping[str, Column], budget: Budget) -> None:
        super().__init__(columns)
        self._budget = budget

    def __getitem__(self, name: str) -> Column:
        self._budget.check()
        return super().__getitem__(name)


NOTHING_SAID = BindingTable(1, {})
"""The one binding of no variable."""


def domain(variable: Variable, limit: Limit) -> BindingTable:
    """Return a variable that has each colour of its sort."""
    limit.check(variable.sort.size)
    return BindingTable(variable.sort.size, {variable.name: np.arange(variable.sort.size)})


def matches(term: Term, colours: Column) -> BindingTable:
    """Return, by variable, the colours for which the term may have one of these colours.

    A row of the table may stand for several bindings of the variables that it does not name.
    """
    flags, columns = match(term, colours)
    table = BindingTable(len(colours), columns)
    return table if flags is None else table.select(flags)


def match(term: Term, colours: Column) -> tuple[NDArray[np.bool_] | None, dict[str, Column]]:
    """Return the possible colours of the term (None for all), and the columns that follow."""
    match term:
        case Variable(name=name):
            return None, {name: colours}
        case Constant(colour=colour):
            return colours == colour, {}
        case Shifted(term=inner, steps=steps):
            return match(inner, (colours - steps) % term.sort.size)
        case Tuple(parts=parts):
            flags: NDArray[np.bool_] | None = None
            columns: dict[str, Column] = {}
            product = term.sort
            for part, factor, stride in zip(parts, product.factors, product.strides, strict=True):
                fits, more = match(part, colours // stride % factor.size)
                agreeing = [columns[name] == more[name] for name in more if name in columns]
                for condition in (*agreeing, *(() if fits is None else (fits,))):
                    flags = condition if flags is None else flags & condition
                columns |= more
            return flags, columns
    return None, {}


def distinct(colours: Column) -> Column:
    """Return the colours in ascending order, each once; sorting is many times faster than hashing.

    The same as `np.unique`, which hashes.
    """
    ordered = np.sort(colours)
    changes = np.ones(len(ordered), dtype=bool)
    changes[1:] = ordered[1:] != ordered[:-1]
    return ordered[changes]


def is_among(values: Column, colours: Column) -> NDArray[np.bool_]:
    """Return a flag for each value: whether it is among these sorted colours."""
    if not len(colours):
        return np.zeros(len(values), dtype=bool)
    size = int(colours[-1]) + 1
    if size <= _SPARSE * (len(values) + len(colours)):
        flags = np.zeros(size, dtype=bool)
        flags[colours] = True
        return np.asarray((values < size) & flags[np.minimum(values, size - 1)])
    places = np.minimum(np.searchsorted(colours, values), len(colours) - 1)
    return np.asarray(colours[places] == values)


def _keys(one: BindingTable, two: BindingTable, shared: Sequence[str]) -> tuple[Column, Column]:
    """Return a number for each row of both; equal where the shared variables are."""
    columns = [np.concatenate((one.columns[name], two.columns[name])) for name in shared]
    numbers = _numbers(columns)
    return numbers[: one.rows], numbers[one.rows :]


def _numbers(columns: Sequence[Column]) -> Column:
    """Return a number for each row, equal where the rows are."""
    numbers, *others = columns
    for column in others:
        if _size(numbers) * _size(column) > _WIDEST:
            # Numbered anew, so that no product of sizes is too large.
            numbers, column = (np.unique(c, return_inverse=True)[1] for c in (numbers, column))
        numbers = numbers * _size(column) + column
    return numbers


def _size(column: Column) -> int:
    return int(column.max(initial=0)) + 1
