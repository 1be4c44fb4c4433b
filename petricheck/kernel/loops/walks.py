"""Random walks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from petricheck.kernel.loops.constants import FIRED, RESTARTS, TRUE
from petricheck.kernel.loops.distances import ahead
from petricheck.kernel.loops.firing import apply, draw, drawn, go

if TYPE_CHECKING:
    from petricheck.kernel.arrays import Arcs, Integers, State
    from petricheck.kernel.circuit import Aim, Circuit


def chosen(arcs: Arcs, circuit: Circuit, state: State, aim: Aim, candidates: int) -> int:
    """Of so many enabled transitions, drawn at random, the one that leads nearest to the target.

    Now and then it is the first one drawn. It is −1 where nothing is enabled.
    """
    best = drawn(arcs, state)
    if best < 0 or candidates == 1 or draw(state.random, 16) == 0:
        return best
    least = ahead(arcs, circuit, state, aim, best)
    for _ in range(candidates - 1):
        other = drawn(arcs, state)
        if other != best:
            near = ahead(arcs, circuit, state, aim, other)
            if near < least:
                best, least = other, near
    return best


def fire(
    arcs: Arcs, circuit: Circuit, state: State, aim: Aim, trace: Integers, transition: int
) -> None:
    """Fire a transition of a walk; a marking of more than MOST tokens fills its trace."""
    trace[state.numbers[FIRED]] = transition
    state.numbers[FIRED] += 1
    if not apply(arcs, circuit, state, aim, transition) and state.numbers[TRUE] == 0:
        state.numbers[FIRED] = len(trace)


def walk(
    arcs: Arcs,
    circuit: Circuit,
    state: State,
    aim: Aim,
    initial: Integers,
    trace: Integers,
    steps: int,
    candidates: int,
) -> int:
    """Fire at random until an open target is true; returns how often it fired.

    A walk starts over where nothing is enabled, where the trace is full, and after a marking of
    more than MOST tokens. Something must be enabled initially, and no open target true.

    Args:
        arcs: the net.
        circuit: the targets.
        state: where the walk is; changes.
        aim: the target that it leans towards.
        initial: where walks start.
        trace: receives the transitions fired since the start.
        steps: how often to fire at most.
        candidates: how many transitions to draw for each firing, see `chosen`.
    """
    for step in range(steps):
        transition = -1
        if state.numbers[FIRED] < len(trace):
            transition = chosen(arcs, circuit, state, aim, candidates)
        if transition < 0:
            go(arcs, circuit, state, aim, initial)
            state.numbers[FIRED] = 0
            state.numbers[RESTARTS] += 1
            transition = chosen(arcs, circuit, state, aim, candidates)
        fire(arcs, circuit, state, aim, trace, transition)
        if state.numbers[TRUE] > 0:
            return step + 1
    return steps
