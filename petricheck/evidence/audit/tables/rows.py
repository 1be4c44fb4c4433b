"""The check of the rows of a table of markings against a net and a target, block by block.

For each block all transitions are fired in all rows that enable them. Their successors are looked
up in the whole table; a row counts as found only if all its bytes are the same. What is checked and
does not hold raises `EvidenceError`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import islice, repeat

import numpy as np

from petricheck.arithmetic.formulas.formulas import (
    TRUE,
    Formula,
    atoms,
    conjunction,
    equal,
    negate,
)
from petricheck.arithmetic.formulas.terms import linear
from petricheck.arithmetic.solvers.solver import find_model
from petricheck.evidence.audit.tables.evaluation import Evaluation
from petricheck.evidence.audit.tables.packed import (
    RowFiring,
    Strings,
    Words,
    capacity,
    firing,
    pack,
    strings,
    tokens,
    unused_bits,
)
from petricheck.evidence.certificates.finite_set import MarkingTable
from petricheck.model.net import Net, Transition, Weights
from petricheck.model.parametric import initially
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget, watched
from petricheck.support.errors import BudgetExhausted, EvidenceError

BLOCK = 1 << 16
"""The most rows of a block."""

FEWEST = 1 << 8
"""The fewest rows of a block."""

BYTES = 1 << 27
"""The most memory for a block of more than `FEWEST` rows, in bytes."""

INITIAL_ROWS = 10_000
"""The most rows of several initial markings; a solver finds one after the other."""

SHOWN = 12
"""The most places of a marking in a message."""


def check_rows(problem: Problem, table: MarkingTable, budget: Budget) -> None:
    """Check that the rows are an inductive invariant that excludes the target.

    The layout of the table must have been checked (`shapes.finite_set.check_layout`). The target
    names only places whose tokens the rows determine.
    """
    rows = strings(table)
    fields = {field.place: field for field in table.fields}
    size = block_size(problem.target, table)
    for first in watched(range(0, table.count, size), budget, 1):
        words = rows.block(first, first + size)
        inside = Evaluation(fields, words, budget).holds(problem.target)
        if inside.any():
            marking = row_text(table, words[:, inside])
            raise EvidenceError(f"the table does not exclude the target: {marking}")
    # One table often proves several targets; closure is checked once for all of them.
    key = (replace(table, rows=b""), sha256(table.rows).digest())
    if budget.lemmas.get(key) != problem.net:
        check_closed(problem.net, table, budget)
        budget.lemmas[key] = problem.net


def constant_places(table: MarkingTable, budget: Budget) -> dict[str, int]:
    """Return the numbers that are the same in all rows, by place of the layout."""
    rows, size = strings(table), block_size(TRUE, table)
    first = rows.block(0, 1)
    differ = np.zeros(table.words, dtype=np.uint64)
    for start in watched(range(0, table.count, size), budget, 1):
        differ |= np.bitwise_or.reduce(rows.block(start, start + size) ^ first, axis=1)
    return {
        field.place: int(tokens(first, field)[0])
        for field in table.fields
        if not int(differ[field.word]) >> field.shift & capacity(field)
    }


def check_closed(net: Net, table: MarkingTable, budget: Budget) -> int:
    """Check that the initial marking is a row, and that every firing leads from rows to rows.

    Returns:
        The number of pairs of a row and a transition that it enables and that changes it.

    Raises:
        EvidenceError: the initial marking is no row, a firing leads to no row, or the rows do not
            ascend.
    """
    rows = strings(table)
    require_initial_rows(net, table, budget)
    firings = firings_of(net, table, watched(net.transitions, budget))
    changing = [transition for transition in firings if transition.changes_rows]
    count = 0
    for words in checked_blocks(table, TRUE, budget):
        for transition in watched(changing, budget):
            count += _check_firing(transition, words, rows, table)
    return count


def checked_blocks(table: MarkingTable, target: Formula, budget: Budget) -> Iterator[Words]:
    """Yield the words of all rows, in blocks that are good for evaluating the target.

    EvidenceError where rows do not ascend, or have bits outside of fields.
    """
    rows, size = strings(table), block_size(target, table)
    outside = unused_bits(table.fields, table.words)
    for first in watched(range(0, table.count, size), budget, 1):
        if not rows.ascend(first, first + size):
            raise EvidenceError("the rows of the table do not ascend, or one is repeated")
        words = rows.block(first, first + size)
        if (words & outside[:, None]).any():
            raise EvidenceError("the table has bits outside of its fields")
        yield words


def require_initial_rows(net: Net, table: MarkingTable, budget: Budget) -> None:
    """Require that the rows of all initial markings are in the table."""
    if net.initials is None:
        initial_row(net, table)
        return
    sums = {column: linear(counts.items()) for column, counts in table.sums.items()}
    others = initially(net)
    for _ in watched(repeat(None, INITIAL_ROWS), budget, 1):
        model = find_model(others, budget=budget, natural=True)
        if model is None:
            return
        start = tuple(model.get(place, 0) for place in net.places)
        initial_row(net.beginning(start), table)
        values = net.values(start)
        same = conjunction(equal(term, term.evaluate(values)) for term in sums.values())
        others = conjunction((others, negate(same)))
    raise BudgetExhausted(f"the initial markings have more than {INITIAL_ROWS} rows")


def initial_row(net: Net, table: MarkingTable) -> int:
    """Return the number of the row of the initial marking."""
    fields = {field.place: field for field in table.fields}
    counts = _counts(_columns(table), net, enumerate(net.initial))
    start = pack(fields, counts, table.words)
    places, present = (None, False) if start is None else strings(table).find(start)
    if places is None or not present:
        raise EvidenceError("the initial marking is not in the table")
    return int(places[0])


def firings_of(net: Net, table: MarkingTable, transitions: Iterable[Transition]) -> list[RowFiring]:
    """Return these transitions, over places of the net, as they act on rows."""
    columns, fields = _columns(table), {field.place: field for field in table.fields}
    words = table.words
    return [
        firing(
            transition.name,
            fields,
            _counts(columns, net, transition.pre),
            _counts(columns, net, transition.post),
            words,
        )
        for transition in transitions
    ]


def counting(net: Net, table: MarkingTable) -> Net:
    """Return the net of a table's columns, whose tokens are the numbers of rows.

    A transition needs of them, and changes, as much as its own tokens count there. So it can fire
    whatever the net fires.
    """
    columns = _columns(table)
    numbers = {place: number for number, (place, _) in enumerate(table.layout)}

    def weights(tokens: Iterable[tuple[int, int]]) -> Weights:
        counts = _counts(columns, net, tokens)
        return tuple(sorted((numbers[place], n) for place, n in counts.items()))

    transitions = [Transition(t.name, weights(t.pre), weights(t.post)) for t in net.transitions]
    initial = _counts(columns, net, enumerate(net.initial))
    tokens = tuple(initial.get(place, 0) for place in numbers)
    return Net(net.name, tuple(numbers), tuple(transitions), tokens)


def _columns(table: MarkingTable) -> Mapping[str, list[tuple[str, int]]]:
    """Return by place the places of the table that count its tokens, with its weight there."""
    columns: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for column, sums in table.sums.items():
        for place, weight in sums.items():
            columns[place].append((column, weight))
    return columns


def _counts(
    columns: Mapping[str, Sequence[tuple[str, int]]], net: Net, tokens: Iterable[tuple[int, int]]
) -> dict[str, int]:
    """Return by place of the table the number for these (place number, tokens)."""
    totals: dict[str, int] = {}
    for place, number in tokens:
        for column, weight in columns.get(net.places[place], ()):
            totals[column] = totals.get(column, 0) + weight * number
    return totals


def satisfying(
    table: MarkingTable, formula: Formula, most: int, budget: Budget
) -> tuple[int, list[dict[str, int]]]:
    """Return how many rows satisfy the formula, and the first of them, as tokens by place.

    The formula names places of the table alone, each of which is counted alone.
    """
    rows, fields = strings(table), {field.place: field for field in table.fields}
    size, count, first = block_size(formula, table), 0, list[dict[str, int]]()
    for start in watched(range(0, table.count, size), budget, 1):
        words = rows.block(start, start + size)
        words = words[:, Evaluation(fields, words, budget).holds(formula)]
        count += words.shape[1]
        words = words[:, : most - len(first)]
        columns = [tokens(words, field).tolist() for field in table.fields]
        first += [dict(zip(fields, row, strict=True)) for row in zip(*columns, strict=True)]
    return count, first


def block_size(target: Formula, table: MarkingTable) -> int:
    """Return the number of rows of a block."""
    width = len(set(atoms(target))) + 64 * table.words
    return min(BLOCK, max(FEWEST, BYTES // width))


def _check_firing(firing: RowFiring, words: Words, rows: Strings, table: MarkingTable) -> int:
    """Require that it leads from these rows to rows; return how many of them enable it."""
    before = words[:, firing.enabled(words)]
    if not before.shape[1]:
        return 0
    fits = firing.fits(before)
    leaving = before[:, ~fits] if not fits.all() else before[:, ~rows.find(firing.fire(before))[1]]
    if leaving.shape[1]:
        marking = row_text(table, leaving)
        raise EvidenceError(f"transition {firing.name!r} leaves the table: from {marking}")
    return int(before.shape[1])


def row_text(table: MarkingTable, words: Words) -> str:
    """Return the first of these rows as text."""
    values = ((field.place, int(tokens(words[:, :1], field)[0])) for field in table.fields)
    marked = [f"{place} = {value}" for place, value in values if value]
    more = ["…"] if len(marked) > SHOWN else []
    return ", ".join([*islice(marked, SHOWN), *more]) or "the empty marking"
