"""Random walks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from petricheck.explicit.kernel.constants import FIRED, RESTARTS, TRUE
from petricheck.explicit.kernel.loops.distances import distance_after
from petricheck.explicit.kernel.loops.firing import apply, draw, draw_enabled, go_to

if TYPE_CHECKING:
    from petricheck.explicit.kernel.arrays import Arcs, Integers, SearchState
    from petricheck.explicit.kernel.circuit import Aim, Circuit


def draw_nearest(
    arcs: Arcs, circuit: Circuit, state: SearchState, aim: Aim, candidates: int
) -> int:
    """Draw enabled transitions and return the one that leads nearest to the target.

    In one of 16 cases the first one drawn is returned; −1 if nothing is enabled.
    """
    best = draw_enabled(arcs, state)
    if best < 0 or candidates == 1 or draw(state.random, 16) == 0:
        return best
    least = distance_after(arcs, circuit, state, aim, best)
    for _ in range(candidates - 1):
        other = draw_enabled(arcs, state)
        if other != best:
            distance = distance_after(arcs, circuit, state, aim, other)
            if distance < least:
                best, least = other, distance
    return best


def fire(
    arcs: Arcs, circuit: Circuit, state: SearchState, aim: Aim, trace: Integers, transition: int
) -> None:
    """Fire a transition of a walk; end the trace after a marking with more than MOST tokens."""
    trace[state.numbers[FIRED]] = transition
    state.numbers[FIRED] += 1
    if not apply(arcs, circuit, state, aim, transition) and state.numbers[TRUE] == 0:
        state.numbers[FIRED] = len(trace)


def walk(
    arcs: Arcs,
    circuit: Circuit,
    state: SearchState,
    aim: Aim,
    initial: Integers,
    trace: Integers,
    steps: int,
    candidates: int,
) -> int:
    """Fire at random until an open target is true; return the number of firings, at most `steps`.

    A walk starts over at `initial` where nothing is enabled, where the trace of firings since the
    start is full, and after a marking with more than MOST tokens. Initially some transition must be
    enabled, and no open target true. For each firing so many candidates are drawn, see
    `draw_nearest`; the walk leans towards the aim.
    """
    for step in range(steps):
        transition = -1
        if state.numbers[FIRED] < len(trace):
            transition = draw_nearest(arcs, circuit, state, aim, candidates)
        if transition < 0:
            go_to(arcs, circuit, state, aim, initial)
            state.numbers[FIRED] = 0
            state.numbers[RESTARTS] += 1
            transition = draw_nearest(arcs, circuit, state, aim, candidates)
        fire(arcs, circuit, state, aim, trace, transition)
        if state.numbers[TRUE] > 0:
            return step + 1
    return steps
