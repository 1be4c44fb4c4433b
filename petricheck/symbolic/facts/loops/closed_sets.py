"""Closed sets of places: whatever takes from one puts on it, and so it is a trap.

Places are removed from a set until it is closed: a transition that puts on no place of it any more
removes those that it takes from. Each arc is read once. What is removed is logged, and put back by
going through the log backwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from petricheck.symbolic.facts.marked_traps import ClosedSet, Numbers, SetArcs

LOGGED, SPREAD, MARKED = 0, 1, 2
"""Numbers of a `ClosedSet`: removed places, those of them whose removal has been spread to others
by now, and the marked places that are left."""


def remove(state: ClosedSet, place: int) -> None:
    """Remove a place that is inside; what that entails is left to `close`."""
    state.inside[place] = 0
    state.log[state.sizes[LOGGED]] = place
    state.sizes[LOGGED] += 1
    state.sizes[MARKED] -= state.marked[place]


def close(arcs: SetArcs, state: ClosedSet) -> bool:
    """Remove what the removed places entail; return False as soon as no marked place is left."""
    while state.sizes[SPREAD] < state.sizes[LOGGED] and state.sizes[MARKED] > 0:
        place = state.log[state.sizes[SPREAD]]
        state.sizes[SPREAD] += 1
        for entry in range(arcs.giver_starts[place], arcs.giver_starts[place + 1]):
            transition = arcs.givers[entry]
            state.support[transition] -= 1
            if state.support[transition] == 0:
                remove_inputs(arcs, state, transition)
    return bool(state.sizes[MARKED] > 0)


def remove_inputs(arcs: SetArcs, state: ClosedSet, transition: int) -> None:
    """Remove the places that a transition takes from."""
    for entry in range(arcs.input_starts[transition], arcs.input_starts[transition + 1]):
        place = arcs.inputs[entry]
        if state.inside[place] == 1:
            remove(state, place)


def restore(arcs: SetArcs, state: ClosedSet, size: int) -> None:
    """Put back all removed places but the first `size`."""
    while state.sizes[LOGGED] > size:
        state.sizes[LOGGED] -= 1
        place = state.log[state.sizes[LOGGED]]
        state.inside[place] = 1
        state.sizes[MARKED] += state.marked[place]
        if state.sizes[SPREAD] > state.sizes[LOGGED]:
            state.sizes[SPREAD] -= 1
            for entry in range(arcs.giver_starts[place], arcs.giver_starts[place + 1]):
                state.support[arcs.givers[entry]] += 1


def enclose(arcs: SetArcs, state: ClosedSet) -> bool:
    """Reduce the places inside to the greatest closed set; return whether it is a marked one."""
    for place in range(len(state.inside)):
        if state.inside[place] == 1:
            state.sizes[MARKED] += state.marked[place]
            for entry in range(arcs.giver_starts[place], arcs.giver_starts[place + 1]):
                state.support[arcs.givers[entry]] += 1
    for transition in range(len(state.support)):
        if state.support[transition] == 0:
            remove_inputs(arcs, state, transition)
    return close(arcs, state)


def shrink(arcs: SetArcs, state: ClosedSet) -> None:
    """Leave out of a marked closed set one place after the other, where a marked one is left."""
    for place in range(len(state.inside)):
        if state.inside[place] == 1:
            size = state.sizes[LOGGED]
            remove(state, place)
            if not close(arcs, state):
                restore(arcs, state, size)


def leave_out(arcs: SetArcs, state: ClosedSet, size: int, places: Numbers) -> bool:
    """Put back all removed places but the first `size`, and remove these; return as `enclose`."""
    restore(arcs, state, size)
    for place in places:
        if state.inside[place] == 1:
            remove(state, place)
    return close(arcs, state)
