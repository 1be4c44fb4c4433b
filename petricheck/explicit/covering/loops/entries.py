"""Firings that lead from a frame above a row.

The least marking from which a transition leads above the row r is max(u, r − δ). A clause excludes
it that has an element at most it, a ceiling excludes it that it exceeds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from petricheck.explicit.covering.frames import Ceilings, ClauseTable, CoverArcs, RowState

OPEN, RETURNS, CEILING = -1, -2, -3
"""In place of the number of a clause that excludes a marking: nothing does; it is above the row, so
that the transition does not enter; the first ceiling excludes it, and lesser numbers stand for
the further ones."""

ROW, SUPPORT, TICK, REASONS = 0, 1, 2, 3
"""Numbers of a `RowState`: places of the row; places that the marking before needs; calls so far;
reasons of the last call."""


def entering(
    arcs: CoverArcs, ceilings: Ceilings, clauses: ClauseTable, state: RowState, level: int
) -> int:
    """Return a transition that leads from the frame, from outside, above the row; −1 without one.

    Then `needed` is a part of the row that suffices for that, and `reasons` excludes the rest.
    """
    state.sizes[TICK] += 1
    state.sizes[REASONS] = 0
    for number in range(state.sizes[ROW]):
        state.needed[state.places[number]] = 0
    for number in range(state.sizes[ROW]):
        place = state.places[number]
        for entry in range(arcs.giver_starts[place], arcs.giver_starts[place + 1]):
            transition = arcs.givers[entry]
            if state.ticks[transition] == state.sizes[TICK]:
                continue
            state.ticks[transition] = state.sizes[TICK]
            reason = RETURNS
            if step_back(arcs, state, transition):
                reason = excluding(ceilings, clauses, state, level)
            if reason >= 0:
                need_of_clause(clauses, state, reason)
            elif reason <= CEILING:
                need_of_ceiling(ceilings, state, CEILING - reason)
            if reason >= 0 or reason <= CEILING:
                state.reasons[state.sizes[REASONS]] = reason
                state.sizes[REASONS] += 1
            clear(arcs, state, transition)
            if reason == OPEN:
                return int(transition)
    return -1


def step_back(arcs: CoverArcs, state: RowState, transition: int) -> bool:
    """Let `before` be the least marking from which it leads above the row; is it not above it?"""
    state.sizes[SUPPORT] = 0
    for entry in range(arcs.input_starts[transition], arcs.input_starts[transition + 1]):
        place = arcs.inputs[entry]
        state.guard[place] = arcs.guards[entry]
        state.before[place] = arcs.guards[entry]
        state.support[state.sizes[SUPPORT]] = place
        state.sizes[SUPPORT] += 1
    for entry in range(arcs.effect_starts[transition], arcs.effect_starts[transition + 1]):
        state.change[arcs.effects[entry]] = arcs.changes[entry]
    enters = False
    for number in range(state.sizes[ROW]):
        place = state.places[number]
        tokens = state.row[place] - state.change[place]
        if tokens > state.before[place]:
            if state.before[place] == 0:
                state.support[state.sizes[SUPPORT]] = place
                state.sizes[SUPPORT] += 1
            state.before[place] = tokens
        if state.before[place] < state.row[place]:
            enters = True
    return enters


def clear(arcs: CoverArcs, state: RowState, transition: int) -> None:
    """Undo `step_back`."""
    for number in range(state.sizes[SUPPORT]):
        state.before[state.support[number]] = 0
    for entry in range(arcs.input_starts[transition], arcs.input_starts[transition + 1]):
        state.guard[arcs.inputs[entry]] = 0
    for entry in range(arcs.effect_starts[transition], arcs.effect_starts[transition + 1]):
        state.change[arcs.effects[entry]] = 0


def excluding_row(ceilings: Ceilings, clauses: ClauseTable, state: RowState, level: int) -> int:
    """Return what excludes all markings above the row from a frame: a clause if possible."""
    for number in range(state.sizes[ROW]):
        state.support[number] = state.places[number]
        state.before[state.places[number]] = state.row[state.places[number]]
    state.sizes[SUPPORT] = state.sizes[ROW]
    reason = excluding(ceilings, clauses, state, level)
    for number in range(state.sizes[ROW]):
        state.before[state.places[number]] = 0
    return reason


def excluding(ceilings: Ceilings, clauses: ClauseTable, state: RowState, level: int) -> int:
    """Return what excludes all markings above `before` from a frame: a clause if possible."""
    for number in range(state.sizes[SUPPORT]):
        clause = clauses.heads[state.support[number]]
        while clause >= 0:
            if clauses.levels[clause] >= level and is_above(clauses, state, clause):
                return int(clause)
            clause = clauses.links[clause]
    for number in range(state.sizes[SUPPORT]):
        place = state.support[number]
        for entry in range(ceilings.use_starts[place], ceilings.use_starts[place + 1]):
            if exceeds(ceilings, state, ceilings.uses[entry]):
                return int(CEILING - ceilings.uses[entry])
    return OPEN


def is_above(clauses: ClauseTable, state: RowState, clause: int) -> bool:
    """Return whether `before` is at least the clause's element."""
    for entry in range(clauses.starts[clause], clauses.starts[clause + 1]):
        if state.before[clauses.places[entry]] < clauses.tokens[entry]:
            return False
    return True


def exceeds(ceilings: Ceilings, state: RowState, ceiling: int) -> bool:
    """Return whether `before` exceeds the ceiling."""
    total = 0
    for entry in range(ceilings.starts[ceiling], ceilings.starts[ceiling + 1]):
        total += ceilings.weights[entry] * state.before[ceilings.places[entry]]
    return bool(total > ceilings.most[ceiling])


def need_of_clause(clauses: ClauseTable, state: RowState, clause: int) -> None:
    """Need of the row what keeps `before` above the clause's element."""
    for entry in range(clauses.starts[clause], clauses.starts[clause + 1]):
        place, tokens = clauses.places[entry], clauses.tokens[entry]
        if tokens > state.guard[place]:
            state.needed[place] = max(state.needed[place], tokens + state.change[place])


def need_of_ceiling(ceilings: Ceilings, state: RowState, ceiling: int) -> None:
    """Need of the row all that the ceiling counts."""
    for entry in range(ceilings.starts[ceiling], ceilings.starts[ceiling + 1]):
        place = ceilings.places[entry]
        state.needed[place] = state.row[place]


def retire(clauses: ClauseTable, state: RowState, count: int, level: int) -> None:
    """Drop the clauses up to the level with elements above the row, which a new one implies."""
    for clause in range(count):
        if 0 < clauses.levels[clause] <= level:
            common = 0
            for entry in range(clauses.starts[clause], clauses.starts[clause + 1]):
                tokens = state.row[clauses.places[entry]]
                if 0 < tokens <= clauses.tokens[entry]:
                    common += 1
            if common == state.sizes[ROW]:
                clauses.levels[clause] = -1
