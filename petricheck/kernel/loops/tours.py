"""Tours through a net, which log all targets that they pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from petricheck.kernel.loops.circuits import is_true
from petricheck.kernel.loops.constants import ENABLED, FIRED, TRUE
from petricheck.kernel.loops.firing import apply, draw, drawn, go, settle

if TYPE_CHECKING:
    from petricheck.kernel.arrays import Arcs, Integers, State
    from petricheck.kernel.circuit import Aim, Circuit


def sight(circuit: Circuit, state: State, log: Integers) -> None:
    """Log the open targets that are true, each with the firings by now; they are open no longer.

    The first row of the log says how many more are used.
    """
    for node in range(len(circuit.roots)):
        if circuit.roots[node] > 0 and is_true(circuit, state, node):
            log[0, 0] += 1
            log[log[0, 0], 0] = node
            log[log[0, 0], 1] = state.numbers[FIRED]
            circuit.roots[node] = 0
    state.numbers[TRUE] = 0


def wander(
    arcs: Arcs,
    circuit: Circuit,
    state: State,
    aim: Aim,
    fired: Integers,
    initial: Integers,
    trace: Integers,
    log: Integers,
    steps: int,
) -> int:
    """Fire so many times, rather what was fired less; returns how often.

    A walk compares some transitions that it draws, between one and 64: the same number in each of
    its firings. It starts over where nothing is enabled, after some random number of firings or
    where the trace is full, and after a marking of more than MOST tokens; but it ends there if it
    has passed open targets.

    Args:
        arcs: the net.
        circuit: the targets.
        state: where the walk is; changes.
        aim: none.
        fired: by transition, how often it was fired in all walks; changes.
        initial: where walks start; something is enabled there.
        trace: receives the transitions fired since the start.
        log: see `sight`.
        steps: how often to fire at most.
    """
    small, here = True, state.numbers[FIRED]
    length = here + 1 + ((len(trace) - here - 1) >> (2 * draw(state.random, 6)))
    compared = 1 << (2 * draw(state.random, 4))
    for step in range(steps):
        transition = -1
        if small and state.numbers[FIRED] < length:
            transition = drawn(arcs, state)
        if transition < 0:
            if log[0, 0] > 0:
                return step
            go(arcs, circuit, state, aim, initial)
            state.numbers[FIRED] = 0
            length = 1 + ((len(trace) - 1) >> (2 * draw(state.random, 6)))
            compared = 1 << (2 * draw(state.random, 4))
            transition = drawn(arcs, state)
        for _ in range(compared - 1):
            other = drawn(arcs, state)
            if fired[other] < fired[transition]:
                transition = other
        fired[transition] += 1
        trace[state.numbers[FIRED]] = transition
        state.numbers[FIRED] += 1
        small = apply(arcs, circuit, state, aim, transition)
        if state.numbers[TRUE] > 0:
            sight(circuit, state, log)
    return steps


def follow(
    arcs: Arcs,
    circuit: Circuit,
    state: State,
    aim: Aim,
    left: Integers,
    trace: Integers,
    log: Integers,
) -> None:
    """Fire, in any order, what is left to be fired, until none of it is enabled.

    Args:
        arcs: the net.
        circuit: the targets.
        state: where the walk is; changes.
        aim: none.
        left: by transition, how often it is still to be fired; changes.
        trace: receives the transitions fired since the start; ends the walk when it is full.
        log: see `sight`.
    """
    small = True
    while small and state.numbers[FIRED] < len(trace):
        transition, drawn_from = -1, 0
        for position in range(state.numbers[ENABLED] - 1, -1, -1):
            other = state.enabled[position]
            if left[other] > 0 and settle(arcs, state, position):
                drawn_from += 1
                if draw(state.random, drawn_from) == 0:
                    transition = other
        if transition < 0:
            return
        left[transition] -= 1
        trace[state.numbers[FIRED]] = transition
        state.numbers[FIRED] += 1
        small = apply(arcs, circuit, state, aim, transition)
        if state.numbers[TRUE] > 0:
            sight(circuit, state, log)
