"""Walks by relaxed plans."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from petricheck.explicit.kernel.constants import FARTHEST, FIRED, RESTARTS, TRUE
from petricheck.explicit.kernel.loops.distances import distance
from petricheck.explicit.kernel.loops.firing import (
    draw,
    draw_enabled,
    go_to,
    lacking_input,
    settle_all,
)
from petricheck.explicit.kernel.loops.walks import fire

if TYPE_CHECKING:
    from petricheck.explicit.kernel.arrays import Arcs, Integers, SearchState
    from petricheck.explicit.kernel.circuit import Aim, Circuit

PATIENCE = 16
"""Number of plans in a row that may lead no nearer to the target."""


def add_to_plan(aim: Aim, transition: int, count: int) -> int:
    """Add a transition to the plan; return the number of transitions in it."""
    if transition < 0 or aim.waiting[transition] == 1:
        return count
    aim.waiting[transition] = 1
    aim.queue[count] = transition
    return count + 1


def plan(arcs: Arcs, circuit: Circuit, state: SearchState, aim: Aim) -> int:
    """Make a plan that leads into the target if no firing takes tokens; return its length.

    It consists of the movers of the cheapest atoms that make the target true, and of the supports
    of all that they lack (a relaxed plan: Hoffmann, Nebel 2001), in no order. The distances must
    have been computed; the function overwrites them.
    """
    count, height = 0, 1
    state.stack[0] = aim.order[-1]
    while height > 0:
        height -= 1
        node = state.stack[height]
        if circuit.needs[node] == 0:
            count = add_to_plan(aim, aim.movers[node], count)
            continue
        first, end = circuit.child_starts[node], circuit.child_starts[node + 1]
        if circuit.needs[node] == 1:
            for entry in range(first + 1, end):
                if aim.distances[circuit.children[entry]] < aim.distances[circuit.children[first]]:
                    first = entry
            end = first + 1
        for entry in range(first, end):
            child = circuit.children[entry]
            if aim.distances[child] > 0:
                aim.distances[child] = 0
                state.stack[height] = child
                height += 1
    first = 0
    while first < count:
        transition = aim.queue[first]
        first += 1
        for entry in range(arcs.input_starts[transition], arcs.input_starts[transition + 1]):
            place = arcs.inputs[entry]
            if state.marking[place] < arcs.input_weights[entry]:
                count = add_to_plan(aim, aim.supports[place], count)
    for position in range(count):
        aim.waiting[aim.queue[position]] = 0
    return count


def draw_planned(arcs: Arcs, state: SearchState, aim: Aim, count: int) -> int:
    """Return the position in the plan of a random enabled transition; −1 if there is none."""
    if count == 0:
        return -1
    first = int(draw(state.random, count))
    for step in range(count):
        position = first + step if first + step < count else first + step - count
        if lacking_input(arcs, state, aim.queue[position]) < 0:
            return position
    return -1


def pursue(
    arcs: Arcs,
    circuit: Circuit,
    state: SearchState,
    aim: Aim,
    initial: Integers,
    trace: Integers,
    steps: int,
    price: int,
) -> int:
    """Follow plans to a target until an open one is true; return the number of firings.

    The enabled transitions of each plan fire, each once, in random order. In one of 8 plans another
    transition fires as well. A walk starts over where `walk` would, where there is no plan, and
    where PATIENCE plans in a row have led no nearer to the target. The aim has sight, and a plan
    counts for `price` steps. The other arguments are those of `walk`.
    """
    numbers = state.numbers
    fired, cost, patience, least = 0, 0, PATIENCE, np.int64(FARTHEST)
    while cost < steps:
        cost += price
        settle_all(arcs, state)
        remaining = distance(arcs, circuit, state, aim)
        patience = PATIENCE if remaining < least else patience - 1
        least = min(remaining, least)
        if numbers[FIRED] == len(trace) or remaining == FARTHEST or patience == 0:
            if numbers[FIRED] == 0:
                return fired
            go_to(arcs, circuit, state, aim, initial)
            numbers[FIRED] = 0
            numbers[RESTARTS] += 1
            patience, least = PATIENCE, np.int64(FARTHEST)
            continue
        before, count = fired, plan(arcs, circuit, state, aim)
        position = draw_planned(arcs, state, aim, count)
        if position < 0 or draw(state.random, 8) == 0:
            transition = draw_enabled(arcs, state)
            if transition < 0:
                numbers[FIRED] = len(trace)
                continue
            fire(arcs, circuit, state, aim, trace, transition)
            fired += 1
            position = draw_planned(arcs, state, aim, count)
        while position >= 0 and numbers[TRUE] == 0 and numbers[FIRED] < len(trace):
            fire(arcs, circuit, state, aim, trace, aim.queue[position])
            fired += 1
            count -= 1
            aim.queue[position] = aim.queue[count]
            position = draw_planned(arcs, state, aim, count)
        if numbers[TRUE] > 0:
            return fired
        cost += fired - before
    return fired
