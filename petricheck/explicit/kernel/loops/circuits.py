"""Circuits of targets: updates of their atoms and gates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from petricheck.explicit.kernel.constants import (
    AT_MOST,
    CONGRUENT,
    DIFFERENT,
    EQUAL,
    FARTHEST,
    NO_UPDATE,
    RESCAN,
    RESCAN_ABOVE,
    TRUE,
    WORK,
)

if TYPE_CHECKING:
    from petricheck.explicit.kernel.arrays import SearchState
    from petricheck.explicit.kernel.circuit import Aim, Circuit


def is_true(circuit: Circuit, state: SearchState, node: int) -> bool:
    """Return whether an atom or a gate is true."""
    if circuit.needs[node] == 0:
        return bool(state.truths[node] == 1)
    return bool(state.counts[node] >= circuit.needs[node])


def atom_distance(circuit: Circuit, state: SearchState, atom: int) -> np.int64:
    """Return the distance of an atom without sight: how far its term exceeds its bound."""
    if state.truths[atom] == 1:
        return np.int64(0)
    if circuit.tests[atom] not in (AT_MOST, EQUAL):
        return np.int64(1)
    return min(abs(state.values[atom]), np.int64(FARTHEST))


def propagate_flip(circuit: Circuit, state: SearchState, atom: int, step: int) -> None:
    """Propagate a flip of an atom through the gates; `step` is 1 if it became true, else −1."""
    edge = 0 if step > 0 else 1
    state.stack[0] = atom
    height = 1
    while height > 0:
        height -= 1
        node = state.stack[height]
        state.numbers[TRUE] += step * circuit.roots[node]
        for entry in range(circuit.parent_starts[node], circuit.parent_starts[node + 1]):
            gate = circuit.parents[entry]
            state.counts[gate] += step
            if state.counts[gate] == circuit.needs[gate] - edge:
                state.stack[height] = gate
                height += 1


def propagate_distance(
    circuit: Circuit, aim: Aim, node: int, before: np.int64, after: np.int64
) -> None:
    """Store a node's new distance and queue the gates above it for `update_distance`."""
    aim.distances[node] = after
    for entry in range(circuit.parent_starts[node], circuit.parent_starts[node + 1]):
        gate = circuit.parents[entry]
        level = aim.levels[gate]
        if level < 0:
            continue
        current, updates = aim.distances[gate], aim.updates[gate]
        if circuit.needs[gate] > 1:
            aim.updates[gate] = updates + after - before
        elif updates < 0:
            aim.updates[gate] = RESCAN if after < current else updates
        elif before <= min(current, updates):
            aim.updates[gate] = (
                RESCAN_ABOVE if updates == NO_UPDATE and after >= current else RESCAN
            )
        elif after < current:
            aim.updates[gate] = min(updates, after)
        if aim.queued[gate] == 0:
            aim.queued[gate] = 1
            aim.changed[aim.level_starts[level] + aim.level_sizes[level]] = gate
            aim.level_sizes[level] += 1


def update_atoms(circuit: Circuit, state: SearchState, aim: Aim, place: int, change: int) -> None:
    """Update the atoms over the place, and without sight the distances of their gates."""
    first, end = circuit.place_starts[place], circuit.place_starts[place + 1]
    state.numbers[WORK] += end - first
    for entry in range(first, end):
        atom = circuit.place_atoms[entry]
        value = state.values[atom] + circuit.place_coefficients[entry] * change
        state.values[atom] = value
        test = circuit.tests[atom]
        if test == AT_MOST:
            holds = value <= 0
        elif test == EQUAL:
            holds = value == 0
        elif test == DIFFERENT:
            holds = value != 0
        else:
            holds = (value % circuit.moduli[atom] == 0) == (test == CONGRUENT)
        if holds != (state.truths[atom] == 1):
            state.truths[atom] = 1 if holds else 0
            propagate_flip(circuit, state, atom, 1 if holds else -1)
        if len(aim.levels) > 0 and aim.levels[atom] == 0:
            distance = atom_distance(circuit, state, atom)
            if distance != aim.distances[atom]:
                propagate_distance(circuit, aim, atom, aim.distances[atom], distance)
