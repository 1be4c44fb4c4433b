"""Markings, and what is enabled there: firing, and going to a marking at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from petricheck.kernel.loops.circuits import watch
from petricheck.kernel.loops.constants import ENABLED, HALF, MOST, STAR

if TYPE_CHECKING:
    from petricheck.kernel.arrays import Arcs, Integers, State, Words
    from petricheck.kernel.circuit import Aim, Circuit

_12, _25, _27 = np.uint64(12), np.uint64(25), np.uint64(27)


def draw(random: Words, bound: int) -> np.int64:
    """A number from 0 up to `bound` < 2^31, exclusive (xorshift64*; Vigna 2016)."""
    x = random[0]
    x ^= x >> _12
    x ^= x << _25
    x ^= x >> _27
    random[0] = x
    return np.int64(((x * STAR) >> HALF) * np.uint64(bound) >> HALF)


def lacked(arcs: Arcs, state: State, transition: int) -> int:
    """An input of the transition that holds too little, or −1 where it is enabled."""
    for entry in range(arcs.input_starts[transition], arcs.input_starts[transition + 1]):
        place: int = arcs.inputs[entry]
        if state.marking[place] < arcs.input_weights[entry]:
            return place
    return -1


def wait(state: State, transition: int, place: int) -> None:
    """Let the transition wait for tokens of a place that holds too little."""
    state.following[transition] = state.waiting[place]
    state.waiting[place] = transition


def sort_in(arcs: Arcs, state: State, transition: int) -> None:
    """Put a transition among the enabled ones, or let it wait for a place that lacks tokens."""
    lacks = lacked(arcs, state, transition)
    if lacks >= 0:
        wait(state, transition, lacks)
    else:
        state.enabled[state.numbers[ENABLED]] = transition
        state.numbers[ENABLED] += 1


def move(arcs: Arcs, state: State, place: int, change: int) -> None:
    """Change the tokens of a place; what waits for them is enabled, or waits elsewhere."""
    state.marking[place] += change
    if change < 0:
        return
    transition = state.waiting[place]
    state.waiting[place] = -1
    while transition >= 0:
        following = state.following[transition]
        sort_in(arcs, state, transition)
        transition = following


def settle(arcs: Arcs, state: State, position: int | np.int64) -> bool:
    """Whether what stands there among the enabled still is; otherwise the last one comes there."""
    transition = state.enabled[position]
    lacks = lacked(arcs, state, transition)
    if lacks < 0:
        return True
    last = state.numbers[ENABLED] - 1
    state.enabled[position] = state.enabled[last]
    state.numbers[ENABLED] = last
    wait(state, transition, lacks)
    return False


def settle_all(arcs: Arcs, state: State) -> None:
    """Leave among the enabled only what still is."""
    for position in range(state.numbers[ENABLED] - 1, -1, -1):
        settle(arcs, state, position)


def drawn(arcs: Arcs, state: State) -> int:
    """An enabled transition at random, each as likely as another; −1 where there is none."""
    while state.numbers[ENABLED] > 0:
        position = draw(state.random, state.numbers[ENABLED])
        transition: int = state.enabled[position]
        if settle(arcs, state, position):
            return transition
    return -1


def go(arcs: Arcs, circuit: Circuit, state: State, aim: Aim, marking: Integers) -> None:
    """Go to a marking, wherever it is."""
    for place in range(len(marking)):
        change = marking[place] - state.marking[place]
        if change != 0:
            move(arcs, state, place, change)
            watch(circuit, state, aim, place, change)


def begin(arcs: Arcs, circuit: Circuit, state: State, aim: Aim, marking: Integers) -> None:
    """From the state of no tokens, where nothing waits and no atom is true, to a marking."""
    watch(circuit, state, aim, len(marking), 1)
    go(arcs, circuit, state, aim, marking)
    for transition in range(len(state.following)):
        sort_in(arcs, state, transition)


def apply(arcs: Arcs, circuit: Circuit, state: State, aim: Aim, transition: int) -> bool:
    """Change the marking as an enabled transition does; whether all numbers stay within MOST."""
    small = True
    for entry in range(arcs.effect_starts[transition], arcs.effect_starts[transition + 1]):
        place, change = arcs.effect_places[entry], arcs.effect_changes[entry]
        move(arcs, state, place, change)
        watch(circuit, state, aim, place, change)
        small &= state.marking[place] <= MOST
    return small
