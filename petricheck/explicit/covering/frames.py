"""Frames of clauses F_0 ⊆ F_1 ⊆ …: F_i contains every marking that at most i firings reach.

A clause excludes all markings above its element, a row. Its level is that of the last frame which
has it; so the frame of a level has the clauses of this level and of higher ones. F_0 has besides
"p ≤ m0(p)" for each place. All frames have the *ceilings*, inductive half-spaces y·m ≤ y·m0, y ≥ 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from petricheck.evidence.audit.invariants.upward import Row
from petricheck.explicit.covering.loops.entries import REASONS, ROW
from petricheck.model.net import Net, Weights, cached_by_net
from petricheck.model.weights import Integers, transposed, vectors, weights_of
from petricheck.support.compiled import loop, prepare
from petricheck.symbolic.linear import value_at

_CLAUSES = 1 << 10
"""Clauses for which there is room at first."""


class CoverArcs(NamedTuple):
    """What transitions take and change, and which of them put more on a place than they take."""

    input_starts: Integers
    inputs: Integers
    guards: Integers
    effect_starts: Integers
    effects: Integers
    changes: Integers
    giver_starts: Integers
    givers: Integers


@cached_by_net
def _arcs(net: Net) -> CoverArcs:
    weights = weights_of(net)
    gains = vectors([[(p, w) for p, w in t.effect if w > 0] for t in net.transitions])
    givers = transposed(gains, len(net.places))
    return CoverArcs(*weights.inputs, *weights.effects, givers.starts, givers.indices)


class Ceilings(NamedTuple):
    """Half-spaces Σ weight·tokens ≤ most; `uses` are those that count a place."""

    starts: Integers
    places: Integers
    weights: Integers
    most: Integers
    use_starts: Integers
    uses: Integers


class ClauseTable(NamedTuple):
    """The clauses.

    Attributes:
        heads: by place, a clause that is looked up there, or −1.
        links: the next clause that is looked up at the same place, or −1.
        starts: where the element of a clause begins in `places` and `tokens`.
        places: of the elements.
        tokens: of the elements.
        levels: of the last frame with the clause; −1 if others imply it.
    """

    heads: Integers
    links: Integers
    starts: Integers
    places: Integers
    tokens: Integers
    levels: Integers


class RowState(NamedTuple):
    """A row, and the least marking before a firing that leads above it.

    Attributes:
        row: tokens by place.
        places: those of the row.
        needed: the part of the row that suffices.
        guard: tokens that the transition needs, by place.
        change: its effect, by place.
        before: tokens before the firing, by place.
        support: the places of `before`.
        ticks: the last call that looked at a transition.
        reasons: what excludes the markings before.
        sizes: see `loops.entries.ROW`.
    """

    row: Integers
    places: Integers
    needed: Integers
    guard: Integers
    change: Integers
    before: Integers
    support: Integers
    ticks: Integers
    reasons: Integers
    sizes: Integers


class ClauseFrames:
    """The frames, and the row that was asked about last."""

    def __init__(self, net: Net, ceilings: Sequence[Weights]) -> None:
        """Prepare F_0; the ceilings are weights y ≥ 0 with y·δ ≤ 0 for every transition."""
        width, sums = len(net.places), vectors(ceilings)
        uses = transposed(sums, width)
        most = np.array([value_at(y, net.initial) for y in ceilings], dtype=np.int64)
        self._arcs = _arcs(net)
        self._ceilings = Ceilings(*sums, most, uses.starts, uses.indices)
        dense, actions = (width,) * 7, (len(net.transitions),) * 2
        self._state = RowState(*(np.zeros(n, dtype=np.int64) for n in (*dense, *actions, 4)))
        self._rows: list[Row] = []
        self._table = _table(width, _CLAUSES, 2 * _CLAUSES)
        self._lengths = [0] * width  # of the lists of clauses at places
        for place, tokens in enumerate(net.initial):
            self._append({place: tokens + 1}, 0)
        prepare()

    def levels(self) -> Integers:
        """Return the level of each clause by its number: −1 if others imply it; a copy."""
        return self._table.levels[: len(self._rows)].copy()

    def element(self, clause: int) -> Row:
        """Return the element of a clause."""
        return self._rows[clause]

    def forbid(self, row: Row, level: int) -> None:
        """Add the clause that excludes all markings above the row, up to this level."""
        self._ask(row)
        loop("retire")(self._table, self._state, len(self._rows), level)
        self._append(row, level)

    def lift(self, clause: int, level: int) -> None:
        """Let the clause hold up to this level."""
        self._table.levels[clause] = level

    def entry(self, row: Row, level: int) -> int | Row:
        """Return a transition that leads from the frame, from outside, above the row.

        If there is none, return a part of the row for which there is none either.
        """
        self._ask(row)
        searched = self._arcs, self._ceilings, self._table, self._state
        transition = int(loop("entering")(*searched, level))
        if transition >= 0:
            return transition
        needed = self._state.needed
        return {place: int(needed[place]) for place in row if needed[place]}

    def reason(self, row: Row, level: int) -> int:
        """Return what excludes all markings above the row from a frame, see `loops.entries`."""
        return int(loop("excluding_row")(self._ceilings, self._table, self._ask(row), level))

    def reasons(self) -> list[int]:
        """Return what excluded the markings before the row of the last `entry` without any."""
        return list(self._state.reasons[: self._state.sizes[REASONS]].tolist())

    def _ask(self, row: Row) -> RowState:
        state = self._state
        state.row[state.places[: state.sizes[ROW]]] = 0
        state.sizes[ROW] = len(row)
        state.places[: len(row)] = list(row)
        state.row[list(row)] = list(row.values())
        return state

    def _append(self, row: Row, level: int) -> None:
        """Add the clause; it is looked up at the place where the fewest others are."""
        table, number = self._table, len(self._rows)
        end = int(table.starts[number]) + len(row)
        if number + 1 == len(table.levels) or end > len(table.places):
            self._table = table = _wider(table, end)
        part = slice(end - len(row), end)
        table.places[part], table.tokens[part] = list(row), list(row.values())
        table.starts[number + 1], table.levels[number] = end, level
        place = min(row, key=self._lengths.__getitem__)
        self._lengths[place] += 1
        table.links[number], table.heads[place] = table.heads[place], number
        self._rows.append(row)


def _table(width: int, clauses: int, entries: int) -> ClauseTable:
    sizes = (width, clauses, clauses + 1, entries, entries, clauses)
    table = ClauseTable(*(np.zeros(size, dtype=np.int64) for size in sizes))
    table.heads[:] = -1
    return table


def _wider(table: ClauseTable, entries: int) -> ClauseTable:
    """Return the table with room for twice as many clauses, and entries."""
    wider = _table(len(table.heads), 2 * len(table.levels), 2 * entries)
    for old, new in zip(table, wider, strict=True):
        new[: len(old)] = old
    return wider
