"""Tours through a net, which log all targets that they pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from petricheck.explicit.kernel.constants import ENABLED, FIRED, TRUE
from petricheck.explicit.kernel.loops.circuits import is_true
from petricheck.explicit.kernel.loops.firing import apply, draw, draw_enabled, go_to, settle

if TYPE_CHECKING:
    from petricheck.explicit.kernel.arrays import Arcs, Integers, SearchState
    from petricheck.explicit.kernel.circuit import Aim, Circuit


def log_targets(circuit: Circuit, state: SearchState, log: Integers) -> None:
    """Log the open targets that are true, with the number of firings so far, and close them.

    Entry `log[0, 0]` is the number of rows used after it.
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
    state: SearchState,
    aim: Aim,
    fired: Integers,
    initial: Integers,
    trace: Integers,
    log: Integers,
    steps: int,
) -> int:
    """Fire up to `steps` transitions, preferring those fired rarely; return the number of firings.

    For each firing, a walk draws a sample of 1, 4, 16 or 64 transitions and fires the one least in
    `fired`, the number of firings in all walks. The size of the sample is drawn once per walk. A
    walk starts over where nothing is enabled, after a random number of firings or where the trace
    is full, and after a marking with more than MOST tokens. If it has passed open targets, the loop
    ends there instead, see `log_targets`. Initially some transition must be enabled.
    """
    small, firings = True, state.numbers[FIRED]
    length = firings + 1 + ((len(trace) - firings - 1) >> (2 * draw(state.random, 6)))
    sample = 1 << (2 * draw(state.random, 4))
    for step in range(steps):
        transition = -1
        if small and state.numbers[FIRED] < length:
            transition = draw_enabled(arcs, state)
        if transition < 0:
            if log[0, 0] > 0:
                return step
            go_to(arcs, circuit, state, aim, initial)
            state.numbers[FIRED] = 0
            length = 1 + ((len(trace) - 1) >> (2 * draw(state.random, 6)))
            sample = 1 << (2 * draw(state.random, 4))
            transition = draw_enabled(arcs, state)
        for _ in range(sample - 1):
            other = draw_enabled(arcs, state)
            if fired[other] < fired[transition]:
                transition = other
        fired[transition] += 1
        trace[state.numbers[FIRED]] = transition
        state.numbers[FIRED] += 1
        small = apply(arcs, circuit, state, aim, transition)
        if state.numbers[TRUE] > 0:
            log_targets(circuit, state, log)
    return steps


def follow(
    arcs: Arcs,
    circuit: Circuit,
    state: SearchState,
    aim: Aim,
    counts: Integers,
    numbers: Integers,
    spaces: Integers,
    reads: int,
    trace: Integers,
    log: Integers,
) -> None:
    """Fire the transitions of `counts` in random order, until none of them is enabled.

    One that leads into a dead end (`strands`) comes last, until so many `reads` of places and
    transitions were made to see that. The firings are taken off the counts, which say how many
    remain; the `numbers` are those of its transitions at first. The walk also ends when the trace
    is full. For the log see `log_targets`.
    """
    small = True
    price = 1 + len(numbers) + len(state.marking)
    while small and state.numbers[FIRED] < len(trace):
        transition, candidates = -1, 0
        for position in range(state.numbers[ENABLED] - 1, -1, -1):
            other = state.enabled[position]
            if counts[other] > 0 and settle(arcs, state, position):
                candidates += 1
                if draw(state.random, candidates) == 0:
                    transition = other
        if transition < 0:
            return
        position, choice = state.numbers[ENABLED], transition
        while (
            candidates > 1 and reads > 0 and strands(arcs, state, counts, numbers, spaces, choice)
        ):
            reads -= price
            position -= 1
            while position >= 0 and counts[state.enabled[position]] <= 0:
                position -= 1
            if position < 0:
                choice, reads = transition, 0  # All do, so this walk is in a dead end already.
            else:
                choice = state.enabled[position]
        reads -= price
        transition = choice
        counts[transition] -= 1
        trace[state.numbers[FIRED]] = transition
        state.numbers[FIRED] += 1
        small = apply(arcs, circuit, state, aim, transition)
        if state.numbers[TRUE] > 0:
            log_targets(circuit, state, log)


def strands(
    arcs: Arcs,
    state: SearchState,
    counts: Integers,
    numbers: Integers,
    spaces: Integers,
    transition: int,
) -> bool:
    """Return whether others of `counts` could never fire after this enabled transition.

    As if no firing took a token: each may fire where its input places hold enough, or get tokens
    from one that may fire. The four `spaces` have an entry for each place and each transition.
    """
    first, end = arcs.effect_starts[transition], arcs.effect_starts[transition + 1]
    for entry in range(first, end):
        state.marking[arcs.effect_places[entry]] += arcs.effect_changes[entry]
    counts[transition] -= 1
    fed, waiting, following, stack = spaces[0], spaces[1], spaces[2], spaces[3]
    for place in range(len(state.marking)):
        fed[place], waiting[place] = 0, -1
    for position in range(len(numbers)):
        stack[position] = numbers[position]
    size, blocked = len(numbers), 0
    while size > 0:
        size -= 1
        other = stack[size]
        if counts[other] <= 0:
            continue
        lacking = -1
        for entry in range(arcs.input_starts[other], arcs.input_starts[other + 1]):
            place = arcs.inputs[entry]
            if not fed[place] and state.marking[place] < arcs.input_weights[entry]:
                lacking = place
                break
        if lacking >= 0:
            following[other], waiting[lacking] = waiting[lacking], other
            blocked += 1
            continue
        for entry in range(arcs.effect_starts[other], arcs.effect_starts[other + 1]):
            place = arcs.effect_places[entry]
            if arcs.effect_changes[entry] > 0 and not fed[place]:
                fed[place] = 1
                other_waiting = waiting[place]
                while other_waiting >= 0:
                    stack[size] = other_waiting
                    size += 1
                    blocked -= 1
                    other_waiting = following[other_waiting]
    for entry in range(first, end):
        state.marking[arcs.effect_places[entry]] -= arcs.effect_changes[entry]
    counts[transition] += 1
    return blocked > 0
