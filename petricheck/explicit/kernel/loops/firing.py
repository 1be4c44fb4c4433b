"""Markings and their enabled transitions: firing, and going to a given marking."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from petricheck.explicit.kernel.constants import ENABLED, HALF, MOST, STAR, WORK
from petricheck.explicit.kernel.loops.circuits import update_atoms

if TYPE_CHECKING:
    from petricheck.explicit.kernel.arrays import Arcs, Integers, SearchState, Words
    from petricheck.explicit.kernel.circuit import Aim, Circuit

_12, _25, _27 = np.uint64(12), np.uint64(25), np.uint64(27)


def draw(random: Words, bound: int) -> np.int64:
    """Return a random number from 0 up to `bound` < 2^31, exclusive (xorshift64*; Vigna 2016)."""
    x = random[0]
    x ^= x >> _12
    x ^= x << _25
    x ^= x >> _27
    random[0] = x
    return np.int64(((x * STAR) >> HALF) * np.uint64(bound) >> HALF)


def lacking_input(arcs: Arcs, state: SearchState, transition: int) -> int:
    """Return an input place that has too few tokens for the transition; −1 if it is enabled."""
    for entry in range(arcs.input_starts[transition], arcs.input_starts[transition + 1]):
        place: int = arcs.inputs[entry]
        if state.marking[place] < arcs.input_weights[entry]:
            return place
    return -1


def wait(state: SearchState, transition: int, place: int) -> None:
    """Add the transition to those that wait for tokens of a place that has too few."""
    state.following[transition] = state.waiting[place]
    state.waiting[place] = transition


def sort_in(arcs: Arcs, state: SearchState, transition: int) -> None:
    """Add a transition to the enabled ones, or let it wait for a place that lacks tokens."""
    state.numbers[WORK] += 1
    place = lacking_input(arcs, state, transition)
    if place >= 0:
        wait(state, transition, place)
    else:
        state.enabled[state.numbers[ENABLED]] = transition
        state.numbers[ENABLED] += 1


def move(arcs: Arcs, state: SearchState, place: int, change: int) -> None:
    """Change the tokens of a place, and sort in the transitions that wait for it."""
    state.marking[place] += change
    if change < 0:
        return
    transition = state.waiting[place]
    state.waiting[place] = -1
    while transition >= 0:
        following = state.following[transition]
        sort_in(arcs, state, transition)
        transition = following


def settle(arcs: Arcs, state: SearchState, position: int | np.int64) -> bool:
    """Return whether the transition at this position is still enabled; if not, remove it.

    The last of the enabled transitions takes its position.
    """
    transition = state.enabled[position]
    state.numbers[WORK] += 1
    place = lacking_input(arcs, state, transition)
    if place < 0:
        return True
    last = state.numbers[ENABLED] - 1
    state.enabled[position] = state.enabled[last]
    state.numbers[ENABLED] = last
    wait(state, transition, place)
    return False


def settle_all(arcs: Arcs, state: SearchState) -> None:
    """Remove the transitions that are no longer enabled from the enabled ones."""
    for position in range(state.numbers[ENABLED] - 1, -1, -1):
        settle(arcs, state, position)


def draw_enabled(arcs: Arcs, state: SearchState) -> int:
    """Return an enabled transition, all equally likely; −1 if there is none."""
    while state.numbers[ENABLED] > 0:
        position = draw(state.random, state.numbers[ENABLED])
        transition: int = state.enabled[position]
        if settle(arcs, state, position):
            return transition
    return -1


def go_to(arcs: Arcs, circuit: Circuit, state: SearchState, aim: Aim, marking: Integers) -> None:
    """Change the state to that of another marking."""
    for place in range(len(marking)):
        change = marking[place] - state.marking[place]
        if change != 0:
            move(arcs, state, place, change)
            update_atoms(circuit, state, aim, place, change)


def begin(arcs: Arcs, circuit: Circuit, state: SearchState, aim: Aim, marking: Integers) -> None:
    """Change the state of no tokens, where nothing waits and no atom is true, to a marking."""
    update_atoms(circuit, state, aim, len(marking), 1)
    go_to(arcs, circuit, state, aim, marking)
    for transition in range(len(state.following)):
        sort_in(arcs, state, transition)


def apply(arcs: Arcs, circuit: Circuit, state: SearchState, aim: Aim, transition: int) -> bool:
    """Add the effect of an enabled transition; return whether all changed numbers are ≤ MOST."""
    small = True
    for entry in range(arcs.effect_starts[transition], arcs.effect_starts[transition + 1]):
        place, change = arcs.effect_places[entry], arcs.effect_changes[entry]
        move(arcs, state, place, change)
        update_atoms(circuit, state, aim, place, change)
        small &= state.marking[place] <= MOST
    return small
