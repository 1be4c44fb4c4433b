"""The bindings under which a transition may fire, by joins of its arcs and its guard.

What an arc takes without subtraction has to be there: so the colours that its place may hold say
what its variables are. Conditions are put where their variables are known, equations name further
variables, and only what nothing speaks of ranges over its sort.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from petricheck.model.coloured.net import Transition
from petricheck.model.coloured.tables import (
    NOTHING_SAID,
    BindingTable,
    Column,
    Limit,
    domain,
    is_among,
    match,
    matches,
)
from petricheck.model.coloured.terms import (
    Comparison,
    Multiset,
    Term,
    conjuncts,
    listed,
    variables,
)
from petricheck.support.budget import watched

_OF_TOKENS = 3
"""Columns of a table of tokens: row, colour and count."""

Possible = Sequence[Column]
"""Return for each place the colours that it may hold, sorted."""


def bindings(
    transition: Transition,
    possible: Possible,
    limit: Limit,
    extra: tuple[int, Column] | None = None,
) -> BindingTable:
    """Return the bindings under which the guard and the possible colours of places allow a firing.

    `extra` confines one of the `takings`, given by its number, to some colours.

    Raises:
        BudgetExhausted: a table would have more rows than the limit, or time or memory ran out.
    """
    tables, members = [], []
    for number, (place, term) in enumerate(takings(transition)):
        limit.budget.check()
        colours = extra[1] if extra is not None and extra[0] == number else possible[place]
        tables.append(matches(term, colours).distinct())
        members.append((term, colours))
    return _Join(transition, tables, members, limit).run()


def takings(transition: Transition) -> list[tuple[int, Term]]:
    """Return places with terms of which a token is needed whenever the transition fires."""
    return [
        (place, summand.term)
        for place, multiset in transition.pre
        if all(summand.count > 0 for summand in multiset)
        for summand in multiset
        if not summand.ranging
    ]


def is_joined(multiset: Multiset) -> bool:
    """Return whether all that an arc takes is among `takings`."""
    return all(summand.count > 0 and not summand.ranging for summand in multiset)


class _Join:
    """A table that grows by what is left."""

    def __init__(
        self,
        transition: Transition,
        tables: list[BindingTable],
        members: list[tuple[Term, Column]],
        limit: Limit,
    ) -> None:
        self._variables = transition.variables
        self._tables, self._limit = tables, limit
        self._members = [(variables(term).keys(), term, colours) for term, colours in members]
        self._conditions = [(variables(part).keys(), part) for part in conjuncts(transition.guard)]
        self._table = NOTHING_SAID

    def run(self) -> BindingTable:
        """Return all of it joined; no row is left where something cannot be."""
        if any(not table.rows for table in self._tables):
            return self._empty()
        while True:
            while self._conclude():
                self._limit.budget.check()
            if not self._table.rows:
                return self._empty()
            if not self._widen():
                break
        return self._table

    def _empty(self) -> BindingTable:
        return BindingTable(0, {v.name: np.zeros(0, dtype=np.int64) for v in self._variables})

    def _conclude(self) -> bool:
        """Filter by what is known, and name variables by equations; whether there were any."""
        conditions, self._conditions = self._conditions, []
        for names, condition in watched(conditions, self._limit.budget):
            if names <= self._table.columns.keys():
                self._table = self._table.where(condition, self._limit)
            else:
                self._conditions.append((names, condition))
        members, self._members = self._members, []
        for names, term, colours in watched(members, self._limit.budget):
            if names <= self._table.columns.keys():
                values = np.broadcast_to(term.value(self._table.columns), self._table.rows)
                self._table = self._table.select(is_among(values, colours))
            else:
                self._members.append((names, term, colours))
        named = False
        for _, condition in watched(self._conditions, self._limit.budget):
            if isinstance(condition, Comparison) and condition.relation == "=":
                sides = (condition.left, condition.right), (condition.right, condition.left)
                for unknown, determined in sides:
                    if variables(determined).keys() <= self._table.columns.keys():
                        named |= self._name(unknown, determined)
        return named

    def _name(self, unknown: Term, value: Term) -> bool:
        """Name the variables that follow from an equation, if any; it is a condition still."""
        values = np.broadcast_to(value.value(self._table.columns), self._table.rows)
        _, columns = match(unknown, values)
        new_columns = {name: columns[name] for name in columns if name not in self._table.columns}
        self._limit.check(self._table.rows, len(new_columns))
        self._table = self._table.with_columns(new_columns)
        return bool(new_columns)

    def _widen(self) -> bool:
        """Join the most restrictive table, or let a variable range; return whether any was left."""
        columns = self._table.columns
        if self._tables:

            def cost(table: BindingTable) -> tuple[bool, int]:
                return not any(name in columns for name in table.columns), table.rows

            best = min(self._tables, key=cost)
            self._tables.remove(best)
            self._table = self._table.joined(best, self._limit)
            return True
        free = [variable for variable in self._variables if variable.name not in columns]
        if not free:
            return False
        least = min(free, key=lambda variable: variable.sort.size)
        self._table = self._table.times(domain(least, self._limit), self._limit)
        return True


def evaluated(multiset: Multiset, table: BindingTable, limit: Limit) -> tuple[Column, ...]:
    """Return the tokens of an arc under each binding: rows of the table, colours, positive counts.

    Raises:
        BudgetExhausted: there would be more than the limit, or time or memory ran out.
    """
    limit.check(table.rows * listed(multiset), _OF_TOKENS)
    parts = []
    dtype = object if any(abs(summand.count) >> 31 for summand in multiset) else np.int64
    for summand in watched(multiset, limit.budget):
        wide = table.with_columns({"": np.arange(table.rows)})
        for variable in summand.ranging:
            wide = wide.times(domain(variable, limit), limit)
        colours = np.broadcast_to(summand.term.value(wide.columns), wide.rows)
        parts.append((wide.columns[""], colours, np.full(wide.rows, summand.count, dtype)))
    if not parts:
        return (np.zeros(0, dtype=np.int64),) * 3
    rows, colours, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
    if len(parts) == 1 and multiset[0].count and not multiset[0].ranging:
        return rows, colours, counts
    limit.budget.check()
    order = np.lexsort((colours, rows))
    rows, colours, counts = rows[order], colours[order], counts[order]
    first = np.flatnonzero(
        np.concatenate(([True], (rows[1:] != rows[:-1]) | (colours[1:] != colours[:-1])))
    )[: len(rows)]
    sums = np.add.reduceat(counts, first) if len(rows) else counts
    nonzero = sums != 0
    return rows[first][nonzero], colours[first][nonzero], sums[nonzero]
