"""Distances from markings to targets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from petricheck.explicit.kernel.constants import (
    AT_MOST,
    ENABLED,
    EQUAL,
    FARTHEST,
    NO_UPDATE,
    RESCAN_ABOVE,
    TRUE,
    WORK,
)
from petricheck.explicit.kernel.loops.circuits import (
    atom_distance,
    propagate_distance,
    update_atoms,
)

if TYPE_CHECKING:
    from petricheck.explicit.kernel.arrays import Arcs, SearchState
    from petricheck.explicit.kernel.circuit import Aim, Circuit


def clip(distant: np.int64) -> np.int64:
    """Return a distance that fits an entry of the heap."""
    return min(max(distant, np.int64(0)), np.int64(FARTHEST))


def gate_distance(circuit: Circuit, aim: Aim, gate: int, floor: np.int64) -> np.int64:
    """Return the distance of a gate: the least of its operands', or their sum.

    No operand of a disjunction may have a distance below `floor`.
    """
    first = circuit.child_starts[gate]
    least, total = aim.distances[circuit.children[first]], np.int64(0)
    for entry in range(first, circuit.child_starts[gate + 1]):
        one = aim.distances[circuit.children[entry]]
        least = min(least, one)
        total += one
        if least == floor and circuit.needs[gate] == 1:
            break
    return least if circuit.needs[gate] == 1 else total


def update_distance(circuit: Circuit, aim: Aim) -> np.int64:
    """Return the distance without sight, after updating each gate at most once."""
    for level in range(len(aim.level_sizes)):
        first = aim.level_starts[level]
        for position in range(first, first + aim.level_sizes[level]):
            gate = aim.changed[position]
            aim.queued[gate] = 0
            before, updates = aim.distances[gate], aim.updates[gate]
            if circuit.needs[gate] > 1:
                after, aim.updates[gate] = before + updates, 0
            else:
                after = min(before, updates)
                if updates < 0:
                    after = gate_distance(
                        circuit, aim, gate, before if updates == RESCAN_ABOVE else np.int64(-1)
                    )
                aim.updates[gate] = NO_UPDATE
            if after != before:
                propagate_distance(circuit, aim, gate, before, after)
        aim.level_sizes[level] = 0
    return clip(aim.distances[aim.order[-1]])


def estimate_costs(arcs: Arcs, state: SearchState, aim: Aim) -> None:
    """Estimate the cost of another token on each place, as if no firing took any.

    The cost of a transition is one more than the sum of the costs of its lacking inputs (the
    additive
    heuristic of planning: Bonet, Geffner 2001). The cost of a place is that of the cheapest
    transition that adds to it, its support. A token that no transition can add costs FARTHEST.
    """
    for place in range(len(aim.costs)):
        aim.costs[place] = FARTHEST
    for transition in range(len(aim.needs)):
        needs = 0
        for entry in range(arcs.input_starts[transition], arcs.input_starts[transition + 1]):
            if state.marking[arcs.inputs[entry]] < arcs.input_weights[entry]:
                needs += 1
        aim.needs[transition] = needs
        aim.sums[transition] = 1
        aim.waiting[transition] = 0
    state.numbers[WORK] += len(aim.needs)
    size = len(aim.queue)
    first, count = 0, state.numbers[ENABLED]
    for position in range(count):
        transition = state.enabled[position]
        aim.queue[position] = transition
        aim.waiting[transition] = 1
    while count > 0:
        transition = aim.queue[first]
        first = first + 1 if first + 1 < size else 0
        count -= 1
        aim.waiting[transition] = 0
        cost = aim.sums[transition]
        for entry in range(arcs.effect_starts[transition], arcs.effect_starts[transition + 1]):
            place = arcs.effect_places[entry]
            if arcs.effect_changes[entry] <= 0 or aim.costs[place] <= cost:
                continue
            before = aim.costs[place]
            aim.costs[place], aim.supports[place] = cost, transition
            start, end = arcs.consumer_starts[place], arcs.consumer_starts[place + 1]
            state.numbers[WORK] += end - start
            for other in range(start, end):
                if state.marking[place] >= arcs.consumer_weights[other]:
                    continue
                consumer = arcs.consumers[other]
                if before == FARTHEST:
                    aim.needs[consumer] -= 1
                    aim.sums[consumer] += cost
                else:
                    aim.sums[consumer] -= before - cost
                if aim.needs[consumer] == 0 and aim.waiting[consumer] == 0:
                    last = first + count
                    aim.queue[last if last < size else last - size] = consumer
                    aim.waiting[consumer] = 1
                    count += 1


def turning_cost(
    arcs: Arcs, circuit: Circuit, state: SearchState, aim: Aim, atom: int, excess: int
) -> int:
    """Return the cost of lowering an atom's value by the excess, or raising it if negative.

    The transition that does so becomes the atom's mover; −1 if there is none.
    """
    best = FARTHEST
    aim.movers[atom] = -1
    for entry in range(circuit.child_starts[atom], circuit.child_starts[atom + 1]):
        place, coefficient = circuit.children[entry], circuit.coefficients[entry]
        mover = -1
        if (coefficient > 0) != (excess > 0):
            one, mover = aim.costs[place], aim.supports[place]
        elif state.marking[place] == 0:
            continue
        else:
            one = FARTHEST
            for other in range(arcs.consumer_starts[place], arcs.consumer_starts[place + 1]):
                consumer = arcs.consumers[other]
                if aim.needs[consumer] == 0 and aim.sums[consumer] < one:
                    one, mover = aim.sums[consumer], consumer
        times = (abs(excess) + abs(coefficient) - 1) // abs(coefficient)
        if one < FARTHEST:
            total = min(times, 1 << 15) * min(one, 1 << 14)
            if total < best:
                best, aim.movers[atom] = total, mover
    return best


def distance(arcs: Arcs, circuit: Circuit, state: SearchState, aim: Aim) -> np.int64:
    """Return the distance from the state to the target, 0 if the target is true.

    The distance of an atom is how far its term exceeds its bound or, with sight, the firings that
    would mend that. Of a conjunction it is the sum of its operands' distances, of a disjunction the
    least. With sight the marking must be complete and settled. Without it only the atoms' values
    and truths are read, and this function is called only once; `update_distance` follows the
    changes.
    """
    sighted = len(aim.costs) > 0
    if sighted:
        estimate_costs(arcs, state, aim)
    total = np.int64(0)
    for node in aim.order:
        if circuit.needs[node] > 0:
            total = gate_distance(circuit, aim, node, np.int64(-1))
        elif sighted and circuit.tests[node] in (AT_MOST, EQUAL) and state.truths[node] == 0:
            total = np.int64(turning_cost(arcs, circuit, state, aim, node, state.values[node]))
        else:
            total = atom_distance(circuit, state, node)
        aim.distances[node] = total
    return clip(total)


def distance_after(
    arcs: Arcs, circuit: Circuit, state: SearchState, aim: Aim, transition: int
) -> np.int64:
    """Return the distance without sight after the firing; −1 if an open target then holds.

    It is 0 if no distance is measured. The state is restored.
    """
    first, end = arcs.effect_starts[transition], arcs.effect_starts[transition + 1]
    for entry in range(first, end):
        update_atoms(circuit, state, aim, arcs.effect_places[entry], arcs.effect_changes[entry])
    result = np.int64(0)
    if state.numbers[TRUE] > 0:
        result = np.int64(-1)
    elif len(aim.levels) > 0:
        result = update_distance(circuit, aim)
    for entry in range(first, end):
        update_atoms(circuit, state, aim, arcs.effect_places[entry], -arcs.effect_changes[entry])
    return result
