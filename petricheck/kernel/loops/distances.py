"""How far a marking is from a target."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from petricheck.kernel.loops.circuits import approach, lack, watch
from petricheck.kernel.loops.constants import (
    AT_MOST,
    ENABLED,
    EQUAL,
    FARTHEST,
    NO_NEARER,
    NOTHING,
    TRUE,
)

if TYPE_CHECKING:
    from petricheck.kernel.arrays import Arcs, State
    from petricheck.kernel.circuit import Aim, Circuit


def cut(distant: np.int64) -> np.int64:
    """A distance that fits an entry of the heap."""
    return min(max(distant, np.int64(0)), np.int64(FARTHEST))


def gathered(circuit: Circuit, aim: Aim, gate: int, floor: np.int64) -> np.int64:
    """The distance of a gate from those of its operands: the least, or all together.

    Of a disjunction none is known to be below the floor.
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


def far(circuit: Circuit, aim: Aim) -> np.int64:
    """The distance without sight, once all changes have risen: each gate changes once."""
    for level in range(len(aim.level_sizes)):
        first = aim.level_starts[level]
        for position in range(first, first + aim.level_sizes[level]):
            gate = aim.changed[position]
            aim.queued[gate] = 0
            before, news = aim.distances[gate], aim.news[gate]
            if circuit.needs[gate] > 1:
                after, aim.news[gate] = before + news, 0
            else:
                after = min(before, news)
                if news < 0:
                    after = gathered(
                        circuit, aim, gate, before if news == NO_NEARER else np.int64(-1)
                    )
                aim.news[gate] = NOTHING
            if after != before:
                approach(circuit, aim, gate, before, after)
        aim.level_sizes[level] = 0
    return cut(aim.distances[aim.order[-1]])


def estimate(arcs: Arcs, state: State, aim: Aim) -> None:
    """What it costs to get another token to each place, as if no firing took any.

    A transition costs one more than what its lacking inputs cost together (the additive heuristic
    of planning: Bonet, Geffner 2001); a place costs what the cheapest transition does that adds to
    it, its support. What cannot be got costs FARTHEST.
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
            for other in range(arcs.consumer_starts[place], arcs.consumer_starts[place + 1]):
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


def turning(arcs: Arcs, circuit: Circuit, state: State, aim: Aim, atom: int, excess: int) -> int:
    """What it costs to bring an atom's value down by the excess, or up where that is negative.

    The transition that does so is the atom's mover, −1 where nothing does.
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


def distance(arcs: Arcs, circuit: Circuit, state: State, aim: Aim) -> np.int64:
    """How far the state is from the target that is aimed at, 0 where that is true.

    Of an atom, what its term exceeds its bound by, or with sight the firings that would mend that;
    of a conjunction the sum of its operands', of a disjunction the least. Without sight this is
    needed once, see `far`.

    Args:
        arcs: the net.
        circuit: the targets.
        state: a marking; with sight it has to be all there and settled, else what it says of
            atoms.
        aim: the target; its work space changes.
    """
    sighted = len(aim.costs) > 0
    if sighted:
        estimate(arcs, state, aim)
    total = np.int64(0)
    for node in aim.order:
        if circuit.needs[node] > 0:
            total = gathered(circuit, aim, node, np.int64(-1))
        elif sighted and circuit.tests[node] in (AT_MOST, EQUAL) and state.truths[node] == 0:
            total = np.int64(turning(arcs, circuit, state, aim, node, state.values[node]))
        else:
            total = lack(circuit, state, node)
        aim.distances[node] = total
    return cut(total)


def ahead(arcs: Arcs, circuit: Circuit, state: State, aim: Aim, transition: int) -> np.int64:
    """The distance without sight after the firing, or −1 where an open target holds then.

    It is 0 where no distance is measured. The state stays as it was.
    """
    first, end = arcs.effect_starts[transition], arcs.effect_starts[transition + 1]
    for entry in range(first, end):
        watch(circuit, state, aim, arcs.effect_places[entry], arcs.effect_changes[entry])
    result = np.int64(0)
    if state.numbers[TRUE] > 0:
        result = np.int64(-1)
    elif len(aim.levels) > 0:
        result = far(circuit, aim)
    for entry in range(first, end):
        watch(circuit, state, aim, arcs.effect_places[entry], -arcs.effect_changes[entry])
    return result
