"""The loops, as functions over arrays in the part of Python that numba compiles.

All stand in this file with the constants that they use, since numba's cache looks for changes in
the file of a function only. None raises: what may overflow is compared first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from petricheck.kernel.arrays import Arcs, Integers, State, Words
    from petricheck.kernel.circuit import Aim, Circuit
    from petricheck.kernel.packing import Layout, Table
    from petricheck.kernel.stubborn import Stubborn

MOST = 1 << 40
"""Tokens that a place may hold, and largest weight: sums of such numbers stay far below 2^63."""

ENABLED, TRUE, FIRED, RESTARTS, CLOSED, SIZE, CURRENT, FOUND, TOUCHED, WAITING = range(10)
"""Numbers of a search: transitions that may be enabled, open targets true; of a walk firings since
the start and restarts; of an exploration markings expanded, markings known, the one that the state
is at, the one in a target (or the place that needs more bits), one that nobody reads, and markings
in a heap.
"""

FARTHEST = 1 << 30
"""What distances are cut down to."""

NOTHING, NO_NEARER, NEARER = 1 << 62, -1, -2
"""Of the operands of a disjunction: none changed its distance, or the least may have become larger,
or no matter what.
"""

PATIENCE = 16
"""So many plans in a row may lead no nearer to the target."""

AT_MOST, EQUAL, DIFFERENT, CONGRUENT, INCONGRUENT = range(5)
"""Tests of atoms: value ≤ 0, = 0, ≠ 0, ≡ 0 and ≢ 0 (mod modulus)."""

STAMP, QUEUED, CHOSEN, PASSED = range(4)
"""Numbers of a stubborn set: its own, how many members it has, how many of these are chosen, and in
how many markings no set is made."""

VAIN = 512
"""For so many members of a set that left out nothing, a marking is expanded without a set."""

DONE, MET, TOO_NARROW, FULL = range(4)
"""Why an exploration ended."""

# Python's own integers beside unsigned ones make floats, in numba and in older numpy.
_0, _1, _12, _25 = np.uint64(0), np.uint64(1), np.uint64(12), np.uint64(25)
_27, _29, _32, _LOW = np.uint64(27), np.uint64(29), np.uint64(32), np.uint64(0xFFFFFFFF)
_STAR = np.uint64(0x2545F4914F6CDD1D)


def draw(random: Words, bound: int) -> np.int64:
    """A number from 0 up to `bound` < 2^31, exclusive (xorshift64*; Vigna 2016)."""
    x = random[0]
    x ^= x >> _12
    x ^= x << _25
    x ^= x >> _27
    random[0] = x
    return np.int64(((x * _STAR) >> _32) * np.uint64(bound) >> _32)


def rise(circuit: Circuit, state: State, atom: int, step: int) -> None:
    """Let a flip of an atom rise through the gates; `step` is 1 where it became true, else −1."""
    edge = 0 if step > 0 else 1
    state.stack[0] = atom
    height = 1
    while height > 0:
        height -= 1
        node = state.stack[height]
        state.numbers[TRUE] += step * circuit.roots[node]
        for entry in range(circuit.parent_starts[node], circuit.parent_starts[node + 1]):
            gate = circuit.parents[entry]
            state.counts[gate] += step
            if state.counts[gate] == circuit.needs[gate] - edge:
                state.stack[height] = gate
                height += 1


def lack(circuit: Circuit, state: State, atom: int) -> np.int64:
    """The distance of an atom without sight: what its term exceeds its bound by."""
    if state.truths[atom] == 1:
        return np.int64(0)
    if circuit.tests[atom] not in (AT_MOST, EQUAL):
        return np.int64(1)
    return min(abs(state.values[atom]), np.int64(FARTHEST))


def approach(circuit: Circuit, aim: Aim, node: int, before: np.int64, after: np.int64) -> None:
    """Tell the gates above that the distance of a node has changed; see `far`."""
    aim.distances[node] = after
    for entry in range(circuit.parent_starts[node], circuit.parent_starts[node + 1]):
        gate = circuit.parents[entry]
        level = aim.levels[gate]
        if level < 0:
            continue
        known, news = aim.distances[gate], aim.news[gate]
        if circuit.needs[gate] > 1:
            aim.news[gate] = news + after - before
        elif news < 0:
            aim.news[gate] = NEARER if after < known else news
        elif before <= min(known, news):
            aim.news[gate] = NO_NEARER if news == NOTHING and after >= known else NEARER
        elif after < known:
            aim.news[gate] = min(news, after)
        if aim.queued[gate] == 0:
            aim.queued[gate] = 1
            aim.changed[aim.level_starts[level] + aim.level_sizes[level]] = gate
            aim.level_sizes[level] += 1


def watch(circuit: Circuit, state: State, aim: Aim, place: int, change: int) -> None:
    """Bring the atoms over the place up to date, and without sight the distance to the target."""
    for entry in range(circuit.place_starts[place], circuit.place_starts[place + 1]):
        atom = circuit.place_atoms[entry]
        value = state.values[atom] + circuit.place_coefficients[entry] * change
        state.values[atom] = value
        test = circuit.tests[atom]
        if test == AT_MOST:
            holds = value <= 0
        elif test == EQUAL:
            holds = value == 0
        elif test == DIFFERENT:
            holds = value != 0
        else:
            holds = (value % circuit.moduli[atom] == 0) == (test == CONGRUENT)
        if holds != (state.truths[atom] == 1):
            state.truths[atom] = 1 if holds else 0
            rise(circuit, state, atom, 1 if holds else -1)
        if len(aim.levels) > 0 and aim.levels[atom] == 0:
            near = lack(circuit, state, atom)
            if near != aim.distances[atom]:
                approach(circuit, aim, atom, aim.distances[atom], near)


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


def move(arcs: Arcs, state: State, place: int, change: int) -> None:
    """Change the tokens of a place; what waits for them is enabled, or waits elsewhere."""
    state.marking[place] += change
    if change < 0:
        return
    transition = state.waiting[place]
    state.waiting[place] = -1
    while transition >= 0:
        following = state.following[transition]
        lacks = lacked(arcs, state, transition)
        if lacks >= 0:
            wait(state, transition, lacks)
        else:
            state.enabled[state.numbers[ENABLED]] = transition
            state.numbers[ENABLED] += 1
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
        lacks = lacked(arcs, state, transition)
        if lacks >= 0:
            wait(state, transition, lacks)
        else:
            state.enabled[state.numbers[ENABLED]] = transition
            state.numbers[ENABLED] += 1


def load(
    arcs: Arcs,
    circuit: Circuit,
    state: State,
    aim: Aim,
    layout: Layout,
    words: Words,
    to: int,
) -> None:
    """Go from the marking of number CURRENT to another one."""
    current = state.numbers[CURRENT]
    for word in range(words.shape[1]):
        packed = words[to, word]
        if packed == words[current, word]:
            continue
        for place in range(layout.firsts[word], layout.firsts[word + 1]):
            tokens = np.int64((packed >> layout.shifts[place]) & layout.masks[place])
            change = tokens - state.marking[place]
            if change != 0:
                move(arcs, state, place, change)
                watch(circuit, state, aim, place, change)
    state.numbers[CURRENT] = to


def mixed(key: np.uint64) -> np.uint64:
    """A linear key with its bits spread."""
    key ^= key >> _32
    key *= _STAR
    return key ^ (key >> _29)


def key_of(layout: Layout, words: Words, number: int) -> np.uint64:
    """A sum over the packed words, so that a firing adds a constant."""
    key = _0
    for word in range(words.shape[1]):
        key += words[number, word] * layout.factors[word]
    return key


def fill(layout: Layout, table: Table, size: int) -> None:
    """Enter all markings into slots that are empty."""
    last = np.uint64(len(table.slots) - 1)
    for number in range(size):
        key = mixed(key_of(layout, table.words, number))
        slot = key & last
        while table.slots[np.int64(slot)] != _0:
            slot = (slot + _1) & last
        table.slots[np.int64(slot)] = ((key >> _32) << _32) | np.uint64(number + 1)


def repack(before: Layout, after: Layout, old: Words, new: Words, size: int) -> None:
    """Copy so many packed markings into words that are empty, whose fields have room for them."""
    for number in range(size):
        home = 0
        for word in range(old.shape[1]):
            packed = old[number, word]
            if packed == _0:
                continue
            for place in range(before.firsts[word], before.firsts[word + 1]):
                while place >= after.firsts[home + 1]:
                    home += 1
                tokens = (packed >> before.shifts[place]) & before.masks[place]
                new[number, home] |= tokens << after.shifts[place]


def add(table: Table, key: np.uint64, size: int) -> bool:
    """Enter the marking in the row after the last one, unless it is known; whether it was not."""
    last = np.uint64(len(table.slots) - 1)
    slot = key & last
    while True:
        entry = table.slots[np.int64(slot)]
        if entry == _0:
            break
        if entry >> _32 == key >> _32:
            known = np.int64(entry & _LOW) - 1
            equal = True
            for word in range(table.words.shape[1]):
                equal &= table.words[known, word] == table.words[size, word]
            if equal:
                return False
        slot = (slot + _1) & last
    table.slots[np.int64(slot)] = ((key >> _32) << _32) | np.uint64(size + 1)
    return True


def enter(
    layout: Layout, table: Table, numbers: Integers, key: np.uint64, number: int, transition: int
) -> bool:
    """Enter the successor of a marking after the last one, unless it is known; whether it was not.

    Args:
        layout: of packed markings.
        table: the known markings; changes.
        numbers: of the search; SIZE changes.
        key: of the successor, mixed.
        number: of the marking.
        transition: which fires there; all fields are wide enough.
    """
    size = numbers[SIZE]
    for word in range(table.words.shape[1]):
        table.words[size, word] = table.words[number, word]
    for entry in range(layout.starts[transition], layout.starts[transition + 1]):
        table.words[size, layout.words[entry]] += layout.changes[entry]
    if not add(table, key, size):
        return False
    table.parents[size] = number
    table.actions[size] = transition
    numbers[SIZE] = size + 1
    return True


def narrow(arcs: Arcs, layout: Layout, state: State, transition: int) -> int:
    """A place whose field is too narrow for what the firing puts there, or −1."""
    for entry in range(arcs.effect_starts[transition], arcs.effect_starts[transition + 1]):
        place: int = arcs.effect_places[entry]
        if state.marking[place] + arcs.effect_changes[entry] > layout.most[place]:
            return place
    return -1


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


def cut(distant: np.int64) -> np.int64:
    """A distance that fits an entry of the heap."""
    return min(max(distant, np.int64(0)), np.int64(FARTHEST))


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


def push(heap: Integers, numbers: Integers, entry: np.int64) -> None:
    """Add an entry to the heap of WAITING entries."""
    hole = numbers[WAITING]
    numbers[WAITING] = hole + 1
    while hole > 0:
        above = (hole - 1) // 2
        if heap[above] <= entry:
            break
        heap[hole] = heap[above]
        hole = above
    heap[hole] = entry


def pop(heap: Integers, numbers: Integers) -> np.int64:
    """Take the least entry from the heap of WAITING entries."""
    size = numbers[WAITING] - 1
    numbers[WAITING] = size
    least: np.int64 = heap[0]
    entry = heap[size]
    hole, below = 0, 1
    while below < size:
        if below + 1 < size and heap[below + 1] < heap[below]:
            below += 1
        if entry <= heap[below]:
            break
        heap[hole] = heap[below]
        hole, below = below, 2 * below + 1
    heap[hole] = entry
    return least


def tie(factor: np.uint64, number: np.int64 | int) -> np.int64:
    """A number below 2^32 times an odd factor, mod 2^32: in what order equal entries come."""
    return np.int64(np.uint64(number) * factor & _LOW)


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
    large = False
    for entry in range(arcs.effect_starts[transition], arcs.effect_starts[transition + 1]):
        place, change = arcs.effect_places[entry], arcs.effect_changes[entry]
        move(arcs, state, place, change)
        watch(circuit, state, aim, place, change)
        large |= state.marking[place] > MOST
    if large and state.numbers[TRUE] == 0:
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


def intend(aim: Aim, transition: int, count: int) -> int:
    """Let a transition be in the plan; how many are in it then."""
    if transition < 0 or aim.waiting[transition] == 1:
        return count
    aim.waiting[transition] = 1
    aim.queue[count] = transition
    return count + 1


def plan(arcs: Arcs, circuit: Circuit, state: State, aim: Aim) -> int:
    """Make a plan that would lead into the target if no firing took any tokens; how long it is.

    It consists of the movers of the cheapest atoms that make the target true, and of the supports
    of all that they lack (a relaxed plan: Hoffmann, Nebel 2001), in no order. The distance has to
    be known; it is used up.
    """
    count, height = 0, 1
    state.stack[0] = aim.order[-1]
    while height > 0:
        height -= 1
        node = state.stack[height]
        if circuit.needs[node] == 0:
            count = intend(aim, aim.movers[node], count)
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
                count = intend(aim, aim.supports[place], count)
    for position in range(count):
        aim.waiting[aim.queue[position]] = 0
    return count


def planned(arcs: Arcs, state: State, aim: Aim, count: int) -> int:
    """The position in the plan of an enabled transition, by chance; −1 where there is none."""
    if count == 0:
        return -1
    first = int(draw(state.random, count))
    for step in range(count):
        position = first + step if first + step < count else first + step - count
        if lacked(arcs, state, aim.queue[position]) < 0:
            return position
    return -1


def pursue(
    arcs: Arcs,
    circuit: Circuit,
    state: State,
    aim: Aim,
    initial: Integers,
    trace: Integers,
    steps: int,
    price: int,
) -> int:
    """Follow plans to a target, until an open one is true; returns how often it fired.

    Of each plan what is enabled fires, each transition once, in an order drawn at random; now and
    then something else fires. A walk starts over where `walk` would, where there is no plan, and
    where PATIENCE plans in a row have led no nearer to the target.

    Args:
        arcs: the net.
        circuit: the targets.
        state: where the walk is; changes.
        aim: the target, with sight.
        initial: where walks start; something is enabled there.
        trace: receives the transitions fired since the start.
        steps: how often to fire at most.
        price: how many steps a plan counts for.
    """
    numbers = state.numbers
    fired, spent, patience, least = 0, 0, PATIENCE, np.int64(FARTHEST)
    while spent < steps:
        spent += price
        settle_all(arcs, state)
        near = distance(arcs, circuit, state, aim)
        patience = PATIENCE if near < least else patience - 1
        least = min(near, least)
        if numbers[FIRED] == len(trace) or near == FARTHEST or patience == 0:
            if numbers[FIRED] == 0:
                return fired
            go(arcs, circuit, state, aim, initial)
            numbers[FIRED] = 0
            numbers[RESTARTS] += 1
            patience, least = PATIENCE, np.int64(FARTHEST)
            continue
        before, count = fired, plan(arcs, circuit, state, aim)
        position = planned(arcs, state, aim, count)
        if position < 0 or draw(state.random, 8) == 0:
            transition = drawn(arcs, state)
            if transition < 0:
                numbers[FIRED] = len(trace)
                continue
            fire(arcs, circuit, state, aim, trace, transition)
            fired += 1
            position = planned(arcs, state, aim, count)
        while position >= 0 and numbers[TRUE] == 0 and numbers[FIRED] < len(trace):
            fire(arcs, circuit, state, aim, trace, aim.queue[position])
            fired += 1
            count -= 1
            aim.queue[position] = aim.queue[count]
            position = planned(arcs, state, aim, count)
        if numbers[TRUE] > 0:
            return fired
        spent += fired - before
    return fired


def nearest(
    arcs: Arcs, circuit: Circuit, state: State, layout: Layout, table: Table, aim: Aim
) -> np.int64:
    """Load the waiting marking that is nearest to the target; its entry in the heap, −1 for none.

    With sight distances are measured here; until then markings wait with the distance of the one
    that they come from.
    """
    numbers = state.numbers
    while numbers[WAITING] > 0:
        best = pop(aim.heap, numbers)
        number = int(tie(aim.factors[1], best & np.int64(_LOW)))
        load(arcs, circuit, state, aim, layout, table.words, number)
        if len(aim.costs) == 0:
            return best
        settle_all(arcs, state)
        near = distance(arcs, circuit, state, aim)
        again = (near << np.int64(32)) + (best & np.int64(_LOW))
        if again <= best or numbers[WAITING] == 0 or aim.heap[0] >= again:
            return again
        push(aim.heap, numbers, again)
    return np.int64(-1)


def is_true(circuit: Circuit, state: State, node: int) -> bool:
    """Whether an atom or a gate is true."""
    if circuit.needs[node] == 0:
        return bool(state.truths[node] == 1)
    return bool(state.counts[node] >= circuit.needs[node])


def join(stubborn: Stubborn, transition: int) -> None:
    """Let a transition be in the stubborn set."""
    numbers = stubborn.numbers
    if stubborn.members[transition] != numbers[STAMP]:
        stubborn.members[transition] = numbers[STAMP]
        stubborn.queue[numbers[QUEUED]] = transition
        numbers[QUEUED] += 1


def join_movers(circuit: Circuit, state: State, stubborn: Stubborn, atom: int) -> None:
    """Let all be in the set that bring the term of a false atom nearer to where it is true."""
    first, end = 2 * atom, 2 * atom + 2
    if circuit.tests[atom] in (AT_MOST, EQUAL):
        if state.values[atom] > 0:
            end -= 1
        else:
            first += 1
    for entry in range(stubborn.mover_starts[first], stubborn.mover_starts[end]):
        join(stubborn, stubborn.movers[entry])


def look_at(stubborn: Stubborn, node: int | np.int64, height: int) -> int:
    """Put a node on the stack unless this set has looked at it; the height of the stack then."""
    if stubborn.visited[node] == stubborn.numbers[STAMP]:
        return height
    stubborn.visited[node] = stubborn.numbers[STAMP]
    stubborn.stack[height] = node
    return height + 1


def join_interesting(circuit: Circuit, state: State, stubborn: Stubborn) -> None:
    """Let in the set be what has to fire, some of it, before one of the targets is true.

    Of a disjunction that is what makes one of its operands true, of a conjunction what makes a
    certain one true that is false here: the one that the fewest may make true.
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


def scapegoat(arcs: Arcs, state: State, stubborn: Stubborn, transition: int) -> int:
    """A place that lacks tokens for the transition; −1 where it is enabled.

    It is one whose fillers are in the set already, or else one with the fewest.
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


def choose(arcs: Arcs, circuit: Circuit, state: State, stubborn: Stubborn) -> int:
    """Choose enabled transitions such that the targets stay reachable if only these fire; how many.

    Where these are as many as are enabled, all are to fire, chosen or not.

    They are those of a stubborn set (Valmari 1991; for targets Schmidt 1999, and Bønneland, Dyhr,
    Jensen, Johannsen, Srba 2019): with a disabled transition it has all that fill some place which
    lacks tokens for it, with an enabled one all that need what it takes. So of each firing sequence
    that leads into a target the first member can fire before all else.

    Args:
        arcs: the net.
        circuit: the targets.
        state: a marking, settled; the targets do not hold there.
        stubborn: what is to be preserved; `chosen` changes.
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
    count: int = numbers[CHOSEN]
    if count == state.numbers[ENABLED]:
        numbers[PASSED] = numbers[QUEUED] // VAIN
    return count


def explore(
    arcs: Arcs,
    circuit: Circuit,
    state: State,
    layout: Layout,
    table: Table,
    aim: Aim,
    stubborn: Stubborn,
    limit: int,
) -> int:
    """Expand markings, breadth first or the nearest to a target first; returns why it ended.

    It ends with MET where the marking that FOUND numbers is in an open target, with TOO_NARROW
    where the field of place FOUND is, with FULL where there is no more room in the table, and with
    DONE where all are expanded or more than `limit` known. The marking that was being expanded is
    expanded again by the next call.
    """
    numbers = state.numbers
    guided = len(aim.order) > 0
    last = np.uint64(len(table.slots) - 1)
    best = near = np.int64(0)
    while numbers[SIZE] <= limit:
        if numbers[SIZE] + len(state.following) >= len(table.words):
            return FULL
        if guided:
            best = nearest(arcs, circuit, state, layout, table, aim)
            if best < 0:
                return DONE
            near = best >> np.int64(32)
        elif numbers[CLOSED] == numbers[SIZE]:
            return DONE
        else:
            load(arcs, circuit, state, aim, layout, table.words, numbers[CLOSED])
        settle_all(arcs, state)
        number = numbers[CURRENT]
        key = key_of(layout, table.words, number)
        touched = _0
        firing, count = state.enabled, numbers[ENABLED]
        if len(stubborn.targets) > 0:
            some = choose(arcs, circuit, state, stubborn)
            if some < count:
                firing, count = stubborn.chosen, some
        for position in range(count):
            # What is looked at here, all at a time, is in the processor's cache below.
            after = mixed(key + layout.sums[firing[position]])
            table.keys[position] = after
            touched ^= table.slots[np.int64(after & last)]
        numbers[TOUCHED] = np.int64(touched & _1)
        ended = DONE
        for position in range(count):
            transition = firing[position]
            place = narrow(arcs, layout, state, transition)
            if place >= 0:
                numbers[FOUND] = place
                ended = TOO_NARROW
                break
            if not enter(layout, table, numbers, table.keys[position], number, transition):
                continue
            after_it = ahead(arcs, circuit, state, aim, transition)
            latest = numbers[SIZE] - 1
            if guided:
                distant = near if len(aim.costs) > 0 else max(after_it, np.int64(0))
                push(aim.heap, numbers, (distant << np.int64(32)) + tie(aim.factors[0], latest))
            if after_it < 0:
                numbers[FOUND] = latest
                ended = MET
                break
        if ended != DONE:
            if guided:
                push(aim.heap, numbers, best)
            return ended
        numbers[CLOSED] += 1
    return DONE


def apply(arcs: Arcs, circuit: Circuit, state: State, aim: Aim, transition: int) -> bool:
    """Change the marking as an enabled transition does; whether all numbers stay within MOST."""
    small = True
    for entry in range(arcs.effect_starts[transition], arcs.effect_starts[transition + 1]):
        place, change = arcs.effect_places[entry], arcs.effect_changes[entry]
        move(arcs, state, place, change)
        watch(circuit, state, aim, place, change)
        small &= state.marking[place] <= MOST
    return small


def sight(circuit: Circuit, state: State, log: Integers) -> None:
    """Log the open targets that are true, each with the firings by now; they are open no longer.

    The first row of the log says how many more are used.
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
    state: State,
    aim: Aim,
    fired: Integers,
    initial: Integers,
    trace: Integers,
    log: Integers,
    steps: int,
) -> int:
    """Fire so many times, rather what was fired less; returns how often.

    A walk compares some transitions that it draws, between one and 64: the same number in each of
    its firings. It starts over where nothing is enabled, after some random number of firings or
    where the trace is full, and after a marking of more than MOST tokens; but it ends there if it
    has passed open targets.

    Args:
        arcs: the net.
        circuit: the targets.
        state: where the walk is; changes.
        aim: none.
        fired: by transition, how often it was fired in all walks; changes.
        initial: where walks start; something is enabled there.
        trace: receives the transitions fired since the start.
        log: see `sight`.
        steps: how often to fire at most.
    """
    small = True
    length = 1 + ((len(trace) - 1) >> (2 * draw(state.random, 6)))
    compared = 1 << (2 * draw(state.random, 4))
    for step in range(steps):
        transition = -1
        if small and state.numbers[FIRED] < length:
            transition = drawn(arcs, state)
        if transition < 0:
            if log[0, 0] > 0:
                return step
            go(arcs, circuit, state, aim, initial)
            state.numbers[FIRED] = 0
            length = 1 + ((len(trace) - 1) >> (2 * draw(state.random, 6)))
            compared = 1 << (2 * draw(state.random, 4))
            transition = drawn(arcs, state)
        for _ in range(compared - 1):
            other = drawn(arcs, state)
            if fired[other] < fired[transition]:
                transition = other
        fired[transition] += 1
        trace[state.numbers[FIRED]] = transition
        state.numbers[FIRED] += 1
        small = apply(arcs, circuit, state, aim, transition)
        if state.numbers[TRUE] > 0:
            sight(circuit, state, log)
    return steps


def follow(
    arcs: Arcs,
    circuit: Circuit,
    state: State,
    aim: Aim,
    left: Integers,
    trace: Integers,
    log: Integers,
) -> None:
    """Fire, in any order, what is left to be fired, until none of it is enabled.

    Args:
        arcs: the net.
        circuit: the targets.
        state: where the walk is; changes.
        aim: none.
        left: by transition, how often it is still to be fired; changes.
        trace: receives the transitions fired since the start; ends the walk when it is full.
        log: see `sight`.
    """
    small = True
    while small and state.numbers[FIRED] < len(trace):
        transition, drawn_from = -1, 0
        for position in range(state.numbers[ENABLED] - 1, -1, -1):
            other = state.enabled[position]
            if left[other] > 0 and settle(arcs, state, position):
                drawn_from += 1
                if draw(state.random, drawn_from) == 0:
                    transition = other
        if transition < 0:
            return
        left[transition] -= 1
        trace[state.numbers[FIRED]] = transition
        state.numbers[FIRED] += 1
        small = apply(arcs, circuit, state, aim, transition)
        if state.numbers[TRUE] > 0:
            sight(circuit, state, log)


LOOPS = (
    *("draw", "rise", "lack", "approach", "watch", "lacked", "wait", "move"),
    *("settle", "settle_all", "drawn", "go", "begin"),
    *("load", "mixed", "key_of", "fill", "repack", "add", "enter", "narrow", "push", "pop", "tie"),
    *("estimate", "turning", "gathered", "cut", "far", "distance", "ahead", "chosen"),
    *("fire", "walk", "intend", "plan", "planned", "pursue", "nearest"),
    *("is_true", "join", "join_movers", "look_at", "join_interesting", "scapegoat", "choose"),
    *("explore", "apply", "sight", "wander", "follow"),
)
"""The loops, each after those that it calls."""
