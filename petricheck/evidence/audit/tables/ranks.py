"""The check of ranks: the transition of a row leads to a row of a lower rank.

Forwards, it fires in the row and leads to the lower row. Backwards, it fires in the lower row and
leads to the row. That is a firing of the reversed transition, which takes what the transition puts.
What is checked and does not hold raises `EvidenceError`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from petricheck.arithmetic.formulas.formulas import TRUE, Formula
from petricheck.evidence.audit.tables.evaluation import Evaluation
from petricheck.evidence.audit.tables.packed import Flags, RowFiring, Strings, Words, strings
from petricheck.evidence.audit.tables.rows import block_size, firings_of, row_text
from petricheck.evidence.certificates.ranked_set import NUMBER, RankedTable
from petricheck.model.net import Net, Transition
from petricheck.support.budget import Budget, watched
from petricheck.support.errors import EvidenceError

Numbers: TypeAlias = NDArray[np.uint32]

BLOCK = 1 << 17
"""Rows of a block."""


def check_forwards(net: Net, ranked: RankedTable, budget: Budget) -> None:
    """Check that from each row of a rank above 0 its transition leads to a row of a lower rank.

    The layout of the table must have been checked (`shapes.finite_set.check_layout`).
    """
    _check(net, ranked, {t.name: t for t in net.transitions}, budget)


def check_backwards(net: Net, ranked: RankedTable, budget: Budget) -> None:
    """Check that to each row of a rank above 0 its transition leads from a row of a lower rank.

    Requires the same as `check_forwards`.
    """
    reverse = {t.name: Transition(t.name, t.post, t.pre) for t in net.transitions}
    _check(net, ranked, reverse, budget)


def check_lowering(
    net: Net, ranked: RankedTable, transitions: Iterable[Transition], budget: Budget
) -> None:
    """Check that every firing of these transitions in a row leads to a row of a lower rank.

    The layout of the table must have been checked, which may lack some places of the net.
    """
    if len(ranked.ranks) != ranked.table.count * NUMBER:
        raise EvidenceError("the table has not a rank for each row")
    rows, ranks = strings(ranked.table), numbers(ranked.ranks)
    firings = firings_of(net, ranked.table, transitions)
    size = block_size(TRUE, ranked.table)
    for start in watched(range(0, ranked.table.count, size), budget, 1):
        words, before = rows.block(start, start + size), ranks[start : start + size]
        for firing in watched(firings, budget):
            enabled = firing.enabled(words)
            lowered = _lowers_rank(firing, words[:, enabled], before[enabled], rows, ranks)
            if not lowered.all():
                marking = row_text(ranked.table, words[:, enabled[~lowered]])
                raise EvidenceError(f"{firing.name!r} leads to no lower rank: from {marking}")


def check_lowest(ranked: RankedTable, formula: Formula, budget: Budget) -> None:
    """Check that the rows of rank 0 satisfy the formula, which is about places of the table."""
    rows, lowest = strings(ranked.table), numbers(ranked.ranks) == 0
    fields = {field.place: field for field in ranked.table.fields}
    size = block_size(formula, ranked.table)
    for first in watched(range(0, ranked.table.count, size), budget, 1):
        words = rows.block(first, first + size)[:, lowest[first : first + size]]
        outside = ~Evaluation(fields, words, budget).holds(formula)
        if outside.any():
            marking = row_text(ranked.table, words[:, outside])
            raise EvidenceError(f"a row of rank 0 is not in the home space: {marking}")


def numbers(data: bytes) -> Numbers:
    """Return the ranks, or the numbers of transitions, by row."""
    return np.frombuffer(data, dtype=f">u{NUMBER}").astype(np.uint32)


def _check(
    net: Net, ranked: RankedTable, transitions: Mapping[str, Transition], budget: Budget
) -> None:
    """Require that the transition of each row, of these by name, leads to a lower row."""
    _check_form(net, ranked)
    rows, ranks = strings(ranked.table), numbers(ranked.ranks)
    firings = firings_of(net, ranked.table, [transitions[name] for name in ranked.names])
    for words, before, number in watched(_groups(rows, ranks, ranked), budget, 1):
        stuck = ~_lowers_rank(firings[number], words, before, rows, ranks)
        if stuck.any():
            marking, name = row_text(ranked.table, words[:, stuck]), ranked.names[number]
            raise EvidenceError(f"transition {name!r} leads to no lower rank: from {marking}")


def _check_form(net: Net, ranked: RankedTable) -> None:
    """Require that rows have a field for every place, a rank, and a transition of the net."""
    table = ranked.table
    if table.counted or {place for place, _ in table.layout} != set(net.places):
        raise EvidenceError("a table with ranks has a field for every place, and counts no others")
    if {len(ranked.ranks), len(ranked.transitions)} != {table.count * NUMBER}:
        raise EvidenceError("the table has not a rank and a transition for each row")
    if unknown := set(ranked.names) - {transition.name for transition in net.transitions}:
        raise EvidenceError(f"the table names {min(unknown)!r}, which is no transition of the net")
    ranks, transitions = numbers(ranked.ranks), numbers(ranked.transitions)
    if (transitions[ranks > 0] >= len(ranked.names)).any():
        raise EvidenceError("the transition of some row has no name")


def _groups(
    rows: Strings, ranks: Numbers, ranked: RankedTable
) -> Iterator[tuple[Words, Numbers, int]]:
    """Yield rows of a block with the same transition: their words, their ranks, its number."""
    transitions = numbers(ranked.transitions)
    for start in range(0, len(ranks), BLOCK):
        block = slice(start, start + BLOCK)
        words, before, numbered = rows.block(start, start + BLOCK), ranks[block], transitions[block]
        above = np.flatnonzero(before)
        order = above[np.argsort(numbered[above], kind="stable")]
        bounds = np.flatnonzero(np.diff(numbered[order])) + 1
        for group in np.split(order, bounds) if len(order) else ():
            yield words[:, group], before[group], int(numbered[group[0]])


def _lowers_rank(
    firing: RowFiring, words: Words, before: Numbers, rows: Strings, ranks: Numbers
) -> Flags:
    """Return for each row whether the firing leads from it to a row of a rank below `before`."""
    lowered: Flags = np.zeros(words.shape[1], dtype=bool)
    lowered[firing.enabled(words)] = True
    # Where it is not enabled, or a number does not fit, the sum is no marking; the flags drop it.
    places, present = rows.find(firing.fire(words))
    lowered &= firing.fits(words) & present & (ranks[places] < before)
    return lowered
