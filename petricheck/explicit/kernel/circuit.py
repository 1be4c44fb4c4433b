"""A circuit of many formulas, in which a change of a place updates only what depends on it.

Atoms are linear terms with a test. A gate is true if at least as many of its operands are true as
it needs: all of a conjunction, one of a disjunction. Equal parts of the formulas share one node, so
the circuit is at most as large as the formulas. Gates are monotone. Hence a flip of an atom flips
gates above it in the same direction, each at most once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    distinct_atoms,
)
from petricheck.arithmetic.formulas.terms import Term
from petricheck.explicit.kernel.arrays import Integers, Words, integers
from petricheck.explicit.kernel.constants import (
    AT_MOST,
    CONGRUENT,
    DIFFERENT,
    EQUAL,
    INCONGRUENT,
    NO_UPDATE,
)
from petricheck.model.net import Net
from petricheck.model.weights import transposed, vectors

LARGEST_COEFFICIENTS = 1 << 20
"""Largest sum of the absolute coefficients of an atom."""

LARGEST_CONSTANT = 1 << 60
"""Largest absolute constant, and largest modulus."""

TOO_LARGE = "coefficients beyond 2^20 are not searched for"
"""Error message for a target that does not fit."""


class Circuit(NamedTuple):
    """Numbered nodes: atoms first, then gates, operands before the gates that they occur in.

    Attributes:
        place_starts, place_atoms, place_coefficients: by place, the atoms over it with their
            coefficients; a place after the last one, which always has one token, has all atoms
            with their constants.
        tests: by atom, see `constants.AT_MOST` and what follows it.
        moduli: by atom.
        parent_starts, parents: by node, the gates that it is an operand of.
        child_starts, children: by node, the operands of a gate, or the places of an atom.
        coefficients: of these places in the atom's term; 0 for operands.
        needs: by node, how many true operands make it true; 0 for atoms.
        roots: by node, 1 where it stands for an open target.
    """

    place_starts: Integers
    place_atoms: Integers
    place_coefficients: Integers
    tests: Integers
    moduli: Integers
    parent_starts: Integers
    parents: Integers
    child_starts: Integers
    children: Integers
    coefficients: Integers
    needs: Integers
    roots: Integers


class Aim(NamedTuple):
    """A target to which distances are measured, and work space; all arrays are empty without one.

    Attributes:
        order: nodes of its circuit, operands before the gates that they occur in, the target last.
        distances: by node.
        factors: the factor of ties in the heap, and its inverse mod 2^32.
        heap: distance · 2^32 + tie of each marking that waits.
        levels: by node, the most gates on a path below it, −1 if the target does not depend on it;
            empty with sight, as are the following arrays up to `costs`.
        level_starts: by level, where its gates begin in `changed`.
        level_sizes: by level, the number of its gates there.
        changed: gates with an operand whose distance has changed.
        queued: by node, 1 for those.
        updates: by gate; of a conjunction, a number to be added to its distance; of a disjunction,
            the least new distance of an operand, or see `constants.NO_UPDATE`.
        costs: by place, see `loops.distances.estimate_costs`; without sight this and the following
            arrays are empty.
        supports: by place with finite costs, the transition that adds to it at this cost.
        movers: by atom, the transition that brings it nearest to being true; −1 for none.
        needs: by transition, the number of lacking inputs without finite costs yet.
        sums: by transition, one more than the costs of its other lacking inputs.
        waiting: by transition, 1 if it is in the queue.
        queue: transitions whose costs are to be propagated; a ring.
    """

    order: Integers
    distances: Integers
    factors: Words
    heap: Integers
    levels: Integers
    level_starts: Integers
    level_sizes: Integers
    changed: Integers
    queued: Integers
    updates: Integers
    costs: Integers
    supports: Integers
    movers: Integers
    needs: Integers
    sums: Integers
    waiting: Integers
    queue: Integers


def no_aim() -> Aim:
    """Return an aim at no target."""
    none = np.zeros(0, dtype=np.int64)
    return Aim(none, none, none.astype(np.uint64), *[none] * 14)


def aim_at(net: Net, circuit: Circuit, node: int, far_sighted: bool, factor: int) -> Aim:
    """Return an aim at the target of this node.

    Distances are firings if far-sighted, otherwise differences of terms. The factor of a marking's
    number, mod 2^32, is the order of equally near ones.
    """
    cone = cone_of(circuit, [node])
    if far_sighted:
        places, transitions = len(net.places), len(net.transitions)
        lengths = (*[0] * 6, places, places, len(cone), *[transitions] * 3, transitions + 1)
        work_space = [np.zeros(size, dtype=np.int64) for size in lengths]
    else:
        work_space = [*_levels(circuit, cone), *[np.zeros(0, dtype=np.int64)] * 7]
    return Aim(
        np.flatnonzero(cone),
        np.zeros(len(cone), dtype=np.int64),
        np.array([factor, pow(factor, -1, 1 << 32)], dtype=np.uint64),
        np.zeros(1, dtype=np.int64),
        *work_space,
    )


def _levels(circuit: Circuit, cone: NDArray[np.bool_]) -> tuple[Integers, ...]:
    """Return the levels of a target's nodes, and the work space for changes, see `Aim`."""
    operands = np.repeat(np.arange(len(cone)), np.diff(circuit.parent_starts))
    inside = cone[operands] & cone[circuit.parents]
    operands, gates = operands[inside], circuit.parents[inside]
    levels, before = np.where(cone, 0, -1), None
    while before is None or (levels != before).any():
        before = levels.copy()
        np.maximum.at(levels, gates, before[operands] + 1)
    starts = np.searchsorted(np.sort(levels), np.arange(max(levels, default=0) + 1))
    zeros = np.zeros_like(levels)
    updates = np.where(circuit.needs == 1, NO_UPDATE, 0)
    return levels, starts, np.zeros_like(starts), zeros.copy(), zeros, updates


def cone_of(circuit: Circuit, nodes: Sequence[int] | Integers) -> NDArray[np.bool_]:
    """Return by node whether one of the given nodes depends on it."""
    cone = np.zeros(len(circuit.needs), dtype=bool)
    cone[nodes] = True
    operands = np.repeat(np.arange(len(cone)), np.diff(circuit.parent_starts))
    while not cone[needed := operands[cone[circuit.parents]]].all():
        cone[needed] = True
    return cone


def fits(formula: Formula) -> bool:
    """Return whether the formula's terms fit 64 bits, with up to 2^41 tokens on each place."""
    return all(
        sum(abs(value) for _, value in atom.term.coefficients) <= LARGEST_COEFFICIENTS
        and abs(atom.term.constant) < LARGEST_CONSTANT
        and (not isinstance(atom, Congruence) or atom.modulus < LARGEST_CONSTANT)
        for atom in distinct_atoms(formula)
    )


def circuit_of(net: Net, formulas: Sequence[Formula]) -> tuple[Circuit, Integers]:
    """Return the circuit, and the node of each formula; the formulas must fit."""
    builder = _Builder(net.place_numbers)
    tops = [builder.node(formula, True) for formula in formulas]
    return builder.circuit(tops)


def watching(circuit: Circuit, nodes: Integers) -> Circuit:
    """Return the circuit of these nodes, the open targets, and all that they depend on."""
    roots = np.zeros_like(circuit.roots)
    roots[nodes] = 1
    needed = cone_of(circuit, nodes)
    edges, entries = needed[circuit.parents], needed[circuit.place_atoms]
    return circuit._replace(
        place_starts=filtered(circuit.place_starts, entries),
        place_atoms=circuit.place_atoms[entries],
        place_coefficients=circuit.place_coefficients[entries],
        parent_starts=filtered(circuit.parent_starts, edges),
        parents=circuit.parents[edges],
        roots=roots,
    )


def filtered(starts: Integers, retained: NDArray[np.bool_]) -> Integers:
    """Return the starts of the vectors when only the retained entries remain."""
    before = np.concatenate(([0], np.cumsum(retained, dtype=np.int64)))
    return before[starts].astype(np.int64)


class _Builder:
    """The nodes so far; until all atoms are known, an atom has the number −1 − its position."""

    def __init__(self, columns: Mapping[str, int]) -> None:
        self._columns = columns
        self._atoms: dict[tuple[Term, int, int], int] = {}
        self._gates: dict[tuple[int, tuple[int, ...]], int] = {}
        self._nodes: dict[tuple[Formula, bool], int] = {}

    def node(self, formula: Formula, positive: bool) -> int:
        """Return the node of the formula, or of its negation."""
        number = self._nodes.get((formula, positive))
        if number is None:
            number = self._nodes[formula, positive] = self._new_node(formula, positive)
        return number

    def _new_node(self, formula: Formula, positive: bool) -> int:
        match formula:
            case Negation(operand):
                return self.node(operand, not positive)
            case Conjunction(operands) | Disjunction(operands):
                every = isinstance(formula, Conjunction) == positive
                return self._gate([self.node(operand, positive) for operand in operands], every)
            case Inequality(term):
                return self._atom(term if positive else 1 - term, AT_MOST)
            case Equality(term):
                return self._atom(term, EQUAL if positive else DIFFERENT)
            case Congruence(term, modulus):
                return self._atom(term, CONGRUENT if positive else INCONGRUENT, modulus)

    def circuit(self, tops: Sequence[int]) -> tuple[Circuit, Integers]:
        """Return the arrays of all nodes, and the numbers of `tops`."""
        count = len(self._atoms)

        def number(node: int) -> int:
            return count + node if node >= 0 else -1 - node

        width = len(self._columns)
        terms = [term for term, _, _ in self._atoms]
        atoms = [tuple((self._columns[p], v) for p, v in t.coefficients) for t in terms]
        entries = [(*row, (width, term.constant)) for row, term in zip(atoms, terms, strict=True)]
        gates = [tuple((number(child), 0) for child in children) for _, children in self._gates]
        parents = transposed(vectors([*[()] * count, *gates]), count + len(gates))
        nodes = integers(map(number, tops))
        circuit = Circuit(
            *transposed(vectors(entries), width + 1),
            integers(test for _, test, _ in self._atoms),
            integers(modulus for _, _, modulus in self._atoms),
            parents.starts,
            parents.indices,
            *vectors([*atoms, *gates]),
            integers((*[0] * count, *(need for need, _ in self._gates))),
            np.zeros(count + len(gates), dtype=np.int64),
        )
        return watching(circuit, nodes), nodes

    def _atom(self, term: Term, test: int, modulus: int = 1) -> int:
        return -1 - self._atoms.setdefault((term, test, modulus), len(self._atoms))

    def _gate(self, operands: list[int], every: bool) -> int:
        distinct = tuple(dict.fromkeys(operands))
        if len(distinct) == 1:
            return distinct[0]
        if not distinct:
            return self._atom(Term((), 0 if every else 1), AT_MOST)
        key = len(distinct) if every else 1, distinct
        return self._gates.setdefault(key, len(self._gates))
