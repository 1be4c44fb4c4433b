"""The rows of a table of markings against a net and a target, block by block.

For each block all transitions are fired in all rows that enable them, and what they lead to is
looked up in the whole table, where all bytes must be the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from itertools import islice

import numpy as np

from petricheck.audit.evaluation import Evaluation
from petricheck.audit.packed import (
    Counts,
    Firing,
    Strings,
    Words,
    counts,
    firing,
    most,
    packed,
    strings,
    tokens,
    unused,
)
from petricheck.budget import Budget, watched
from petricheck.errors import EvidenceError
from petricheck.evidence.finite_set import Field, MarkingTable
from petricheck.presburger.formulas import TRUE, Formula, atoms
from petricheck.problem import Net, Problem, Weights

BLOCK = 1 << 16
"""Rows of a block, at most."""

FEWEST = 1 << 8
"""Rows of a block, at least."""

BYTES = 1 << 27
"""What is computed about more rows than these takes no more."""

SHOWN = 12
"""Places of a marking that a refusal names."""


def check_rows(problem: Problem, table: MarkingTable, budget: Budget) -> None:
    """Show that the rows are an inductive invariant that excludes the target.

    Args:
        problem: the question; the target names only places whose tokens the rows tell.
        table: it has rows, and a field of at most 63 bits for each of some places of the net.
        budget: limits.

    Raises:
        EvidenceError: they are none.
        BudgetExhausted: time or memory ran out.
    """
    rows = strings(table)
    fields = {field.place: field for field in table.fields}
    size = _block(problem.target, table)
    for first in watched(range(0, table.count, size), budget, 1):
        words = rows.block(first, first + size)
        met = Evaluation(fields, words, budget).holds(problem.target)
        if met.any():
            where = _shown(table, words[:, met])
            raise EvidenceError(f"the table does not exclude the target: {where}")
    _CLOSED.check(problem.net, table, budget)


def steady(table: MarkingTable, budget: Budget) -> dict[str, int]:
    """The numbers that are the same in all rows, by place of the layout."""
    rows, size = strings(table), _block(TRUE, table)
    first = rows.block(0, 1)
    differ = np.zeros(table.words, dtype=np.uint64)
    for start in watched(range(0, table.count, size), budget, 1):
        differ |= np.bitwise_or.reduce(rows.block(start, start + size) ^ first, axis=1)
    return {
        field.place: int(tokens(first, field)[0])
        for field in table.fields
        if not int(differ[field.word]) >> field.shift & most(field)
    }


class _Closed:
    """The table that was last seen to be closed, since often it proves several targets in turn."""

    def __init__(self) -> None:
        self._last: tuple[Net, MarkingTable, bytes] | None = None

    def check(self, net: Net, table: MarkingTable, budget: Budget) -> None:
        """That the table holds the initial marking and is closed under firing.

        Raises:
            EvidenceError: it is not.
            BudgetExhausted: time or memory ran out.
        """
        this = (net, replace(table, rows=b""), sha256(table.rows).digest())
        if this != self._last:
            _check_closed(net, table, budget)
            self._last = this


_CLOSED = _Closed()


def _check_closed(net: Net, table: MarkingTable, budget: Budget) -> None:
    rows = strings(table)
    fields = {field.place: field for field in table.fields}
    counted = counts(table)
    start = packed(fields, counted.of(net.values(net.initial).items()), table.words)
    if start is None or not rows.have(start).all():
        raise EvidenceError("the initial marking is not in the table")
    firings = _firings(net, fields, counted, table.words, budget)
    size, spare = _block(TRUE, table), unused(table.fields, table.words)
    for first in watched(range(0, table.count, size), budget, 1):
        if not rows.ascend(first, first + size):
            raise EvidenceError("the rows of the table do not ascend, or one is repeated")
        words = rows.block(first, first + size)
        if (words & spare[:, None]).any():
            raise EvidenceError("the table has bits outside of its fields")
        for each in watched(firings, budget):
            _check_firing(each, words, rows, table)


def _firings(
    net: Net, fields: Mapping[str, Field], counted: Counts, words: int, budget: Budget
) -> tuple[Firing, ...]:
    """The transitions that change what rows hold."""

    def named(weights: Weights) -> dict[str, int]:
        return counted.of((net.places[place], weight) for place, weight in weights)

    found = (
        firing(transition.name, fields, named(transition.pre), named(transition.post), words)
        for transition in watched(net.transitions, budget)
    )
    return tuple(each for each in found if each is not None)


def _block(target: Formula, table: MarkingTable) -> int:
    """How many rows a block has."""
    width = len(set(atoms(target))) + 64 * table.words
    return min(BLOCK, max(FEWEST, BYTES // width))


def _check_firing(firing: Firing, words: Words, rows: Strings, table: MarkingTable) -> None:
    before = words[:, firing.enabled(words)]
    if not before.shape[1]:
        return
    fits = firing.fits(before)
    left = before[:, ~fits] if not fits.all() else before[:, ~rows.have(firing.fire(before))]
    if left.shape[1]:
        where = _shown(table, left)
        raise EvidenceError(f"transition {firing.name!r} leaves the table: from {where}")


def _shown(table: MarkingTable, words: Words) -> str:
    """The first of these rows."""
    values = ((field.place, int(tokens(words[:, :1], field)[0])) for field in table.fields)
    marked = [f"{place} = {value}" for place, value in values if value]
    more = ["…"] if len(marked) > SHOWN else []
    return ", ".join([*islice(marked, SHOWN), *more]) or "the empty marking"
