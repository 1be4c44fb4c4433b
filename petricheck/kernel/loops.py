"""The loops, as functions over arrays in the part of Python that numba compiles.

All stand in this file, since numba's cache looks at the file of a function only, and those it calls
change with it. None raises: what may overflow is compared first.
"""

from __future__ import annotations

import numpy as np

from petricheck.kernel.arrays import (
    ENABLED,
    FIRED,
    MOST,
    RESTARTS,
    TRUE,
    Arcs,
    Integers,
    State,
    Words,
)
from petricheck.kernel.circuit import AT_MOST, CONGRUENT, DIFFERENT, EQUAL, Circuit

_12, _25, _27, _32 = np.uint64(12), np.uint64(25), np.uint64(27), np.uint64(32)
_STAR = np.uint64(0x2545F4914F6CDD1D)


def draw(random: Words, bound: int) -> np.int64:
    """A number from 0 up to `bound` < 2^31, exclusive (xorshift64*; Vigna 2016)."""
    x = random[0]
    x ^= x >> _12
    x ^= x << _25
    x ^= x >> _27
    random[0] = x
    return np.int64(((x * _STAR) >> _32) * np.uint64(bound) >> _32)


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


def watch(circuit: Circuit, state: State, place: int, change: int) -> None:
    """Bring the atoms over the place up to date."""
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


def move(arcs: Arcs, state: State, place: int, change: int) -> None:
    """Change the tokens of a place, and what its consumers lack."""
    before = state.marking[place]
    after = before + change
    state.marking[place] = after
    for entry in range(arcs.consumer_starts[place], arcs.consumer_starts[place + 1]):
        weight = arcs.consumer_weights[entry]
        if before < weight <= after:
            transition = arcs.consumers[entry]
            state.lacking[transition] -= 1
            if state.lacking[transition] == 0:
                last = state.numbers[ENABLED]
                state.enabled[last] = transition
                state.positions[transition] = last
                state.numbers[ENABLED] = last + 1
        elif after < weight <= before:
            transition = arcs.consumers[entry]
            state.lacking[transition] += 1
            if state.lacking[transition] == 1:
                last = state.numbers[ENABLED] - 1
                moved = state.enabled[last]
                position = state.positions[transition]
                state.enabled[position] = moved
                state.positions[moved] = position
                state.numbers[ENABLED] = last


def go(arcs: Arcs, circuit: Circuit, state: State, marking: Integers) -> None:
    """Go to a marking, wherever it is."""
    for place in range(len(marking)):
        change = marking[place] - state.marking[place]
        if change != 0:
            move(arcs, state, place, change)
            watch(circuit, state, place, change)


def begin(arcs: Arcs, circuit: Circuit, state: State, marking: Integers) -> None:
    """From the state of no tokens, nothing enabled and no atom true, to a marking."""
    for transition in range(len(state.lacking)):
        if state.lacking[transition] == 0:
            state.enabled[state.numbers[ENABLED]] = transition
            state.positions[transition] = state.numbers[ENABLED]
            state.numbers[ENABLED] += 1
    watch(circuit, state, len(marking), 1)
    go(arcs, circuit, state, marking)


def walk(
    arcs: Arcs,
    circuit: Circuit,
    state: State,
    initial: Integers,
    parikh: Integers,
    remaining: Integers,
    trace: Integers,
    steps: int,
) -> int:
    """Fire at random until an open target is true; returns how often it fired.

    A walk starts over where nothing is enabled, where the trace is full, and after a marking of
    more than MOST tokens. Something must be enabled initially, and no open target true.

    Args:
        arcs: the net.
        circuit: the targets.
        state: where the walk is; changes.
        initial: where walks start.
        parikh: how often transitions should be fired, as long as they can; empty for no preference.
        remaining: what is left of `parikh`; changes.
        trace: receives the transitions fired since the start.
        steps: how often to fire at most.
    """
    for step in range(steps):
        if state.numbers[ENABLED] == 0 or state.numbers[FIRED] == len(trace):
            go(arcs, circuit, state, initial)
            for other in range(len(parikh)):
                remaining[other] = parikh[other]
            state.numbers[FIRED] = 0
            state.numbers[RESTARTS] += 1
        amount = state.numbers[ENABLED]
        position = draw(state.random, amount)
        transition = state.enabled[position]
        if len(parikh) > 0:
            for other in range(amount):
                preferred = state.enabled[(position + other) % amount]
                if remaining[preferred] > 0:
                    transition = preferred
                    break
            remaining[transition] -= 1
        trace[state.numbers[FIRED]] = transition
        state.numbers[FIRED] += 1
        large = False
        for entry in range(arcs.effect_starts[transition], arcs.effect_starts[transition + 1]):
            place, change = arcs.effect_places[entry], arcs.effect_changes[entry]
            move(arcs, state, place, change)
            watch(circuit, state, place, change)
            large |= state.marking[place] > MOST
        if state.numbers[TRUE] > 0:
            return step + 1
        if large:
            state.numbers[FIRED] = len(trace)
    return steps


LOOPS = ("draw", "rise", "watch", "move", "go", "begin", "walk")
"""The loops, each after those that it calls."""
