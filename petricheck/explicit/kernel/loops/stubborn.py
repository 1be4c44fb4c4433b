"""Stubborn sets: the enabled transitions that suffice to preserve the targets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from petricheck.explicit.kernel.constants import (
    AT_MOST,
    CHOSEN,
    ENABLED,
    EQUAL,
    PASSED,
    QUEUED,
    STAMP,
    WORK,
)
from petricheck.explicit.kernel.loops.circuits import is_true

if TYPE_CHECKING:
    from petricheck.explicit.kernel.arrays import Arcs, SearchState
    from petricheck.explicit.kernel.circuit import Circuit
    from petricheck.explicit.kernel.stubborn import Stubborn

VAIN = 512
"""After a set that left out nothing, one marking per so many members is expanded without a set."""


def join(stubborn: Stubborn, transition: int) -> None:
    """Add a transition to the stubborn set."""
    numbers = stubborn.numbers
    if stubborn.members[transition] != numbers[STAMP]:
        stubborn.members[transition] = numbers[STAMP]
        stubborn.queue[numbers[QUEUED]] = transition
        numbers[QUEUED] += 1


def join_movers(circuit: Circuit, state: SearchState, stubborn: Stubborn, atom: int) -> None:
    """Add the transitions that bring the term of a false atom nearer to where it is true."""
    first, end = 2 * atom, 2 * atom + 2
    if circuit.tests[atom] in (AT_MOST, EQUAL):
        if state.values[atom] > 0:
            end -= 1
        else:
            first += 1
    for entry in range(stubborn.mover_starts[first], stubborn.mover_starts[end]):
        join(stubborn, stubborn.movers[entry])


def look_at(stubborn: Stubborn, node: int | np.int64, height: int) -> int:
    """Push a node on the stack unless this set has visited it; return the height of the stack."""
    if stubborn.visited[node] == stubborn.numbers[STAMP]:
        return height
    stubborn.visited[node] = stubborn.numbers[STAMP]
    stubborn.stack[height] = node
    return height + 1


def join_interesting(circuit: Circuit, state: SearchState, stubborn: Stubborn) -> None:
    """Add transitions of which one must fire before one of the targets is true.

    For a false disjunction these are the transitions of all its operands. For a false conjunction
    they are those of one false operand: the one that the fewest transitions may make true.
    """
    height = 0
    for target in stubborn.targets:
        height = look_at(stubborn, target, height)
    while height > 0:
        height -= 1
        node = stubborn.stack[height]
        if circuit.needs[node] == 0:
            join_movers(circuit, state, stubborn, node)
            continue
        least = np.int64(-1)
        for entry in range(circuit.child_starts[node], circuit.child_starts[node + 1]):
            child = circuit.children[entry]
            if circuit.needs[node] == 1:
                height = look_at(stubborn, child, height)
            elif is_true(circuit, state, child):
                continue
            elif least < 0 or stubborn.sizes[child] < stubborn.sizes[least]:
                least = child
        if least >= 0:
            height = look_at(stubborn, least, height)


def scapegoat(arcs: Arcs, state: SearchState, stubborn: Stubborn, transition: int) -> int:
    """Return a place that lacks tokens for the transition; −1 if it is enabled.

    A place whose fillers are already in the set is preferred, then one with the fewest fillers.
    """
    best, least = -1, 0
    for entry in range(arcs.input_starts[transition], arcs.input_starts[transition + 1]):
        place: int = arcs.inputs[entry]
        if state.marking[place] >= arcs.input_weights[entry]:
            continue
        if stubborn.filled[place] == stubborn.numbers[STAMP]:
            return place
        count = stubborn.filler_starts[place + 1] - stubborn.filler_starts[place]
        if best < 0 or count < least:
            best, least = place, count
    return best


def choose(arcs: Arcs, circuit: Circuit, state: SearchState, stubborn: Stubborn) -> int:
    """Choose enabled transitions that preserve reachability of the targets; return their number.

    If this is the number of enabled transitions, all of these are to fire, whatever `chosen` lists.
    The marking is settled, and the targets do not hold in it.

    The transitions are the enabled ones of a stubborn set (Valmari 1991; for targets Schmidt 1999,
    and Bønneland, Dyhr, Jensen, Johannsen, Srba 2019). With a disabled transition, the set contains
    all that fill some place which lacks tokens for it. With an enabled one, it contains all that
    need what it takes. So in each firing sequence that leads into a target, the first member can
    fire before all others.
    """
    numbers = stubborn.numbers
    if numbers[PASSED] > 0:
        numbers[PASSED] -= 1
        everything: int = state.numbers[ENABLED]
        return everything
    numbers[STAMP] += 1
    numbers[QUEUED] = numbers[CHOSEN] = 0
    join_interesting(circuit, state, stubborn)
    first = 0
    while first < numbers[QUEUED] and numbers[CHOSEN] < state.numbers[ENABLED]:
        transition = stubborn.queue[first]
        first += 1
        place = scapegoat(arcs, state, stubborn, transition)
        if place >= 0:
            if stubborn.filled[place] != numbers[STAMP]:
                stubborn.filled[place] = numbers[STAMP]
                for entry in range(
                    stubborn.filler_starts[place], stubborn.filler_starts[place + 1]
                ):
                    join(stubborn, stubborn.fillers[entry])
            continue
        stubborn.chosen[numbers[CHOSEN]] = transition
        numbers[CHOSEN] += 1
        for effect in range(arcs.effect_starts[transition], arcs.effect_starts[transition + 1]):
            place = arcs.effect_places[effect]
            if arcs.effect_changes[effect] < 0 and stubborn.emptied[place] != numbers[STAMP]:
                stubborn.emptied[place] = numbers[STAMP]
                for entry in range(arcs.consumer_starts[place], arcs.consumer_starts[place + 1]):
                    join(stubborn, arcs.consumers[entry])
    state.numbers[WORK] += numbers[QUEUED]
    count: int = numbers[CHOSEN]
    if count == state.numbers[ENABLED]:
        numbers[PASSED] = numbers[QUEUED] // VAIN
    return count
