"""Circuits of targets: their atoms and gates, kept up to date."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from petricheck.kernel.loops.constants import (
    AT_MOST,
    CONGRUENT,
    DIFFERENT,
    EQUAL,
    FARTHEST,
    NEARER,
    NO_NEARER,
    NOTHING,
    TRUE,
)

if TYPE_CHECKING:
    from petricheck.kernel.arrays import State
    from petricheck.kernel.circuit import Aim, Circuit


def is_true(circuit: Circuit, state: State, node: int) -> bool:
    """Whether an atom or a gate is true."""
    if circuit.needs[node] == 0:
        return bool(state.truths[node] == 1)
    return bool(state.counts[node] >= circuit.needs[node])


def lack(circuit: Circuit, state: State, atom: int) -> np.int64:
    """The distance of an atom without sight: what its term exceeds its bound by."""
    if state.truths[atom] == 1:
        return np.int64(0)
    if circuit.tests[atom] not in (AT_MOST, EQUAL):
        return np.int64(1)
    return min(abs(state.values[atom]), np.int64(FARTHEST))


def rise(circuit: Circuit, state: State, atom: int, step: int) -> None:
    """Let a flip of an atom rise through the gates; `step` is 1 where it became true, else −1."""
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


def approach(circuit: Circuit, aim: Aim, node: int, before: np.int64, after: np.int64) -> None:
    """Tell the gates above that the distance of a node has changed; see `far`."""
    aim.distances[node] = after
    for entry in range(circuit.parent_starts[node], circuit.parent_starts[node + 1]):
        gate = circuit.parents[entry]
        level = aim.levels[gate]
        if level < 0:
            continue
        known, news = aim.distances[gate], aim.news[gate]
        if circuit.needs[gate] > 1:
            aim.news[gate] = news + after - before
        elif news < 0:
            aim.news[gate] = NEARER if after < known else news
        elif before <= min(known, news):
            aim.news[gate] = NO_NEARER if news == NOTHING and after >= known else NEARER
        elif after < known:
            aim.news[gate] = min(news, after)
        if aim.queued[gate] == 0:
            aim.queued[gate] = 1
            aim.changed[aim.level_starts[level] + aim.level_sizes[level]] = gate
            aim.level_sizes[level] += 1


def watch(circuit: Circuit, state: State, aim: Aim, place: int, change: int) -> None:
    """Bring the atoms over the place up to date, and without sight the distance to the target."""
    for entry in range(circuit.place_starts[place], circuit.place_starts[place + 1]):
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
            rise(circuit, state, atom, 1 if holds else -1)
        if len(aim.levels) > 0 and aim.levels[atom] == 0:
            near = lack(circuit, state, atom)
            if near != aim.distances[atom]:
                approach(circuit, aim, atom, aim.distances[atom], near)
