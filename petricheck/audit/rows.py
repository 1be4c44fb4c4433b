"""The rows of a table of markings against a net and a target, block by block.

For each block all transitions are fired in all rows that enable them, and what they lead to is
looked up in the whole table, where all bytes must be the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import islice

import numpy as np

from petricheck.audit.evaluation import Evaluation
from petricheck.audit.packed import (
    Firing,
    Strings,
    Words,
    firing,
    most,
    packed,
    strings,
    tokens,
    unused,
)
from petricheck.budget import Budget, watched
from petricheck.errors import EvidenceError
from petricheck.evidence.finite_set import MarkingTable
from petricheck.presburger.formulas import TRUE, Formula, atoms
from petricheck.problem import Net, Problem, Transition

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

    The table has rows, and a field of at most 63 bits for each of some places of the net. The
    target names only places whose tokens the rows tell.

    Raises:
        EvidenceError: they are none.
        BudgetExhausted: time or memory ran out.
    """
    rows = strings(table)
    fields = {field.place: field for field in table.fields}
    size = block_size(problem.target, table)
    for first in watched(range(0, table.count, size), budget, 1):
        words = rows.block(first, first + size)
        inside = Evaluation(fields, words, budget).holds(problem.target)
        if inside.any():
            where = shown(table, words[:, inside])
            raise EvidenceError(f"the table does not exclude the target: {where}")
    # Often a table proves several targets in turn.
    key = (replace(table, rows=b""), sha256(table.rows).digest())
    if budget.known.get(key) != problem.net:
        check_closed(problem.net, table, budget)
        budget.known[key] = problem.net


def steady(table: MarkingTable, budget: Budget) -> dict[str, int]:
    """The numbers that are the same in all rows, by place of the layout."""
    rows, size = strings(table), block_size(TRUE, table)
    first = rows.block(0, 1)
    differ = np.zeros(table.words, dtype=np.uint64)
    for start in watched(range(0, table.count, size), budget, 1):
        differ |= np.bitwise_or.reduce(rows.block(start, start + size) ^ first, axis=1)
    return {
        field.place: int(tokens(first, field)[0])
        for field in table.fields
        if not int(differ[field.word]) >> field.shift & most(field)
    }


def check_closed(net: Net, table: MarkingTable, budget: Budget) -> int:
    """Show that the table holds the initial marking, and that no firing leaves it.

    Returns:
        How many pairs there are of a row and a transition that it enables and that changes it.

    Raises:
        EvidenceError: it does not hold it, a firing does, or the rows do not ascend.
        BudgetExhausted: time or memory ran out.
    """
    rows = strings(table)
    initial_row(net, table)
    firings = firings_of(net, table, watched(net.transitions, budget))
    changing = [transition for transition in firings if transition.moves]
    count = 0
    size, spare = block_size(TRUE, table), unused(table.fields, table.words)
    for first in watched(range(0, table.count, size), budget, 1):
        if not rows.ascend(first, first + size):
            raise EvidenceError("the rows of the table do not ascend, or one is repeated")
        words = rows.block(first, first + size)
        if (words & spare[:, None]).any():
            raise EvidenceError("the table has bits outside of its fields")
        for transition in watched(changing, budget):
            count += _check_firing(transition, words, rows, table)
    return count


def initial_row(net: Net, table: MarkingTable) -> int:
    """The number of the row of the initial marking.

    Raises:
        EvidenceError: the table has none.
    """
    fields = {field.place: field for field in table.fields}
    counts = _counts(_columns(table), net, enumerate(net.initial))
    start = packed(fields, counts, table.words)
    places, present = (None, False) if start is None else strings(table).find(start)
    if places is None or not present:
        raise EvidenceError("the initial marking is not in the table")
    return int(places[0])


def firings_of(net: Net, table: MarkingTable, transitions: Iterable[Transition]) -> list[Firing]:
    """How these transitions between places of the net change rows."""
    columns, fields = _columns(table), {field.place: field for field in table.fields}
    return [
        firing(
            transition.name,
            fields,
            _counts(columns, net, transition.pre),
            _counts(columns, net, transition.post),
            table.words,
        )
        for transition in transitions
    ]


def _columns(table: MarkingTable) -> Mapping[str, list[tuple[str, int]]]:
    """By place, the places of the table in whose number its tokens count, and how much."""
    columns: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for column, sums in table.sums.items():
        for place, weight in sums.items():
            columns[place].append((column, weight))
    return columns


def _counts(
    columns: Mapping[str, Sequence[tuple[str, int]]], net: Net, tokens: Iterable[tuple[int, int]]
) -> dict[str, int]:
    """What (place number, tokens) come to, by place of the table."""
    totals: dict[str, int] = {}
    for place, number in tokens:
        for column, weight in columns.get(net.places[place], ()):
            totals[column] = totals.get(column, 0) + weight * number
    return totals


def block_size(target: Formula, table: MarkingTable) -> int:
    """How many rows a block has."""
    width = len(set(atoms(target))) + 64 * table.words
    return min(BLOCK, max(FEWEST, BYTES // width))


def _check_firing(firing: Firing, words: Words, rows: Strings, table: MarkingTable) -> int:
    """That it leads from these rows to rows of the table; how many of them enable it."""
    before = words[:, firing.enabled(words)]
    if not before.shape[1]:
        return 0
    fits = firing.fits(before)
    left = before[:, ~fits] if not fits.all() else before[:, ~rows.have(firing.fire(before))]
    if left.shape[1]:
        where = shown(table, left)
        raise EvidenceError(f"transition {firing.name!r} leaves the table: from {where}")
    return int(before.shape[1])


def shown(table: MarkingTable, words: Words) -> str:
    """The first of these rows."""
    values = ((field.place, int(tokens(words[:, :1], field)[0])) for field in table.fields)
    marked = [f"{place} = {value}" for place, value in values if value]
    more = ["…"] if len(marked) > SHOWN else []
    return ", ".join([*islice(marked, SHOWN), *more]) or "the empty marking"
