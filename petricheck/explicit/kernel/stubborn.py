"""Data of stubborn sets: the transitions that fill each place and that move each atom."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from petricheck.explicit.kernel.arrays import Arcs, Integers, integers
from petricheck.explicit.kernel.circuit import Circuit, cone_of, filtered
from petricheck.explicit.kernel.constants import PASSED
from petricheck.model.weights import Vectors, transposed


class Stubborn(NamedTuple):
    """Targets whose reachability is preserved, and work space for their stubborn sets.

    Attributes:
        targets: their nodes in the circuit; all arrays are empty if whole markings are expanded.
        filler_starts, fillers: by place, the transitions that put more there than they take.
        mover_starts, movers: by atom twice, the transitions that lower its term, and those that
            raise it.
        sizes: by node, about how many transitions may make it true.
        members: by transition, the last set with it; sets are numbered in order of construction.
        emptied: by place, the last set with all transitions that need its tokens.
        filled: by place, the last set with all transitions that fill it.
        visited: by node, the last set that visited it.
        stack: nodes to be visited.
        queue: members, in the order in which they were added.
        chosen: members that are enabled.
        numbers: see `constants.STAMP` and what follows it.
    """

    targets: Integers
    filler_starts: Integers
    fillers: Integers
    mover_starts: Integers
    movers: Integers
    sizes: Integers
    members: Integers
    emptied: Integers
    filled: Integers
    visited: Integers
    stack: Integers
    queue: Integers
    chosen: Integers
    numbers: Integers


def no_stubborn() -> Stubborn:
    """Return empty data, with which all enabled transitions fire."""
    return Stubborn(*[np.zeros(0, dtype=np.int64)] * 14)


def stubborn_for(arcs: Arcs, circuit: Circuit, nodes: Integers) -> Stubborn:
    """Return data of the sets that preserve the reachability of the targets of these nodes."""
    places, transitions = len(arcs.consumer_starts) - 1, len(arcs.effect_starts) - 1
    effects = Vectors(arcs.effect_starts, arcs.effect_places, arcs.effect_changes)
    touching = transposed(effects, places)
    filling = touching.values > 0
    movers = _movers(circuit, touching, nodes, transitions)
    size = len(circuit.needs)
    lengths = (transitions, places, places, size, size + 1, transitions, transitions, PASSED + 1)
    return Stubborn(
        nodes,
        filtered(touching.starts, filling),
        touching.indices[filling],
        *movers,
        _sizes(circuit, np.diff(movers[0])),
        *(np.zeros(length, dtype=np.int64) for length in lengths),
    )


def _movers(
    circuit: Circuit, touching: Vectors, nodes: Integers, transitions: int
) -> tuple[Integers, Integers]:
    """Return the transitions that lower an atom's term and those that raise it, by atom twice.

    Only atoms on which the nodes depend have movers.
    """
    atoms = len(circuit.tests)
    needed = np.flatnonzero(cone_of(circuit, nodes)[:atoms])
    terms = Vectors(circuit.child_starts, circuit.children, circuit.coefficients)
    rows, entries = terms.entries(needed)
    positions, arcs = touching.entries(terms.indices[entries])
    keys = needed[rows[positions]] * transitions + touching.indices[arcs]
    pairs, inverse = np.unique(keys, return_inverse=True)
    moved = np.zeros(len(pairs), dtype=np.int64)
    np.add.at(moved, inverse, terms.values[entries][positions] * touching.values[arcs])
    atom, transition = np.divmod(pairs[moved != 0], max(1, transitions))
    sides = 2 * atom + (moved[moved != 0] > 0)
    order = np.argsort(sides, kind="stable")
    starts = np.searchsorted(sides[order], np.arange(2 * atoms + 1)).astype(np.int64)
    return starts, transition[order].astype(np.int64)


def _sizes(circuit: Circuit, lengths: Integers) -> Integers:
    """Return by node about how many transitions may make it true.

    Of a conjunction the least operand counts, of a disjunction all.
    """
    atoms = len(circuit.tests)
    sizes = [*np.maximum(lengths[::2], lengths[1::2]).tolist()]
    for node in range(atoms, len(circuit.needs)):
        children = circuit.children[circuit.child_starts[node] : circuit.child_starts[node + 1]]
        sizes_of_operands = [sizes[child] for child in children]
        sizes.append(sum(sizes_of_operands) if circuit.needs[node] == 1 else min(sizes_of_operands))
    return integers(sizes)
