"""Many formulas as one circuit, in which a change of a place touches what depends on it only.

Atoms are linear terms with a test. Gates are true where at least as many operands are as they
need: all of a conjunction, one of a disjunction. Equal parts stand once, whatever the number of
formulas that they occur in, so the circuit is at most as large as the formulas. Gates are monotone,
hence a flip of an atom flips gates above it in the same direction, each at most once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from petricheck.kernel.arrays import Integers, Words, integers, transposed, vectors
from petricheck.kernel.loops.constants import (
    AT_MOST,
    CONGRUENT,
    DIFFERENT,
    EQUAL,
    INCONGRUENT,
    NOTHING,
)
from petricheck.presburger.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    distinct_atoms,
)
from petricheck.presburger.terms import Term
from petricheck.problem import Net

LARGEST_COEFFICIENTS = 1 << 20
"""What the absolute coefficients of an atom may sum up to."""

LARGEST_CONSTANT = 1 << 60
"""Largest absolute constant, and largest modulus."""

TOO_LARGE = "coefficients beyond 2^20 are not searched for"
"""What is said of a target that does not fit."""


class Circuit(NamedTuple):
    """Nodes are numbered: atoms first, then gates, operands before what they occur in.

    Attributes:
        place_starts: by place, the atoms over it with their coefficients; a place after the last
            one, which always has one token, has all atoms with their constants.
        place_atoms: see `place_starts`.
        place_coefficients: see `place_starts`.
        tests: by atom, see `loops.constants.AT_MOST` and what follows it.
        moduli: by atom.
        parent_starts: by node, the gates that it is an operand of.
        parents: see `parent_starts`.
        child_starts: by node, the operands of a gate, or the places of an atom.
        children: see `child_starts`.
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
    """A target that distances are measured to, with room for measuring; all is empty without one.

    Attributes:
        order: nodes of its circuit, operands before what they occur in, the target last.
        distances: by node.
        factors: of ties in the heap, and its inverse mod 2^32.
        heap: distance · 2^32 + tie of each marking that waits.
        levels: by node, how many gates are below at most, −1 where the target does not depend on
            it; empty with sight, as is what follows up to `costs`.
        level_starts: by level, where its gates begin in `changed`.
        level_sizes: by level, how many of its gates are there.
        changed: gates with an operand whose distance has changed.
        queued: by node, 1 for those.
        news: by gate, what conjunctions have to add to their distance; the least that an operand of
            a disjunction has come down to, or see `loops.constants.NOTHING`.
        costs: by place, see `loops.distances.estimate`; from here on empty for distances of terms.
        supports: by place that can be got, the transition that adds to it at this cost.
        movers: by atom, the transition that brings it nearest to being true; −1 for none.
        needs: by transition, how many lacking inputs cannot be got yet.
        sums: by transition, one more than what the others cost.
        waiting: by transition, 1 where it is in the queue.
        queue: transitions whose costs have to be passed on; a ring.
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
    news: Integers
    costs: Integers
    supports: Integers
    movers: Integers
    needs: Integers
    sums: Integers
    waiting: Integers
    queue: Integers


def no_aim() -> Aim:
    """No target is aimed at."""
    none = np.zeros(0, dtype=np.int64)
    return Aim(none, none, none.astype(np.uint64), *[none] * 14)


def aim_at(net: Net, circuit: Circuit, node: int, far_sighted: bool, factor: int) -> Aim:
    """The target of this node.

    Args:
        net: the net.
        circuit: the targets.
        node: of the target.
        far_sighted: whether distances are firings, or what terms lack.
        factor: of a marking's number, mod 2^32: the order of equally near ones.
    """
    cone = cone_of(circuit, [node])
    if far_sighted:
        places, transitions = len(net.places), len(net.transitions)
        rooms = (*[0] * 6, places, places, len(cone), *[transitions] * 3, transitions + 1)
        room = [np.zeros(size, dtype=np.int64) for size in rooms]
    else:
        room = [*_levels(circuit, cone), *[np.zeros(0, dtype=np.int64)] * 7]
    return Aim(
        np.flatnonzero(cone),
        np.zeros(len(cone), dtype=np.int64),
        np.array([factor, pow(factor, -1, 1 << 32)], dtype=np.uint64),
        np.zeros(1, dtype=np.int64),
        *room,
    )


def _levels(circuit: Circuit, cone: NDArray[np.bool_]) -> tuple[Integers, ...]:
    """The levels of a target's nodes and room for what changes, see `Aim`."""
    operands = np.repeat(np.arange(len(cone)), np.diff(circuit.parent_starts))
    inside = cone[operands] & cone[circuit.parents]
    operands, gates = operands[inside], circuit.parents[inside]
    levels, before = np.where(cone, 0, -1), None
    while before is None or (levels != before).any():
        before = levels.copy()
        np.maximum.at(levels, gates, before[operands] + 1)
    starts = np.searchsorted(np.sort(levels), np.arange(max(levels, default=0) + 1))
    zeros = np.zeros_like(levels)
    news = np.where(circuit.needs == 1, NOTHING, 0)
    return levels, starts, np.zeros_like(starts), zeros.copy(), zeros, news


def cone_of(circuit: Circuit, nodes: Sequence[int] | Integers) -> NDArray[np.bool_]:
    """By node, whether one of these depends on it."""
    cone = np.zeros(len(circuit.needs), dtype=bool)
    cone[nodes] = True
    operands = np.repeat(np.arange(len(cone)), np.diff(circuit.parent_starts))
    while not cone[needed := operands[cone[circuit.parents]]].all():
        cone[needed] = True
    return cone


def fits(formula: Formula) -> bool:
    """Whether all values of the formula's terms fit, on markings of at most 2^41 tokens a place."""
    return all(
        sum(abs(value) for _, value in atom.term.coefficients) <= LARGEST_COEFFICIENTS
        and abs(atom.term.constant) < LARGEST_CONSTANT
        and (not isinstance(atom, Congruence) or atom.modulus < LARGEST_CONSTANT)
        for atom in distinct_atoms(formula)
    )


def circuit_of(net: Net, formulas: Sequence[Formula]) -> tuple[Circuit, Integers]:
    """The circuit, and the node of each formula; the formulas must fit."""
    builder = _Builder(net.place_numbers)
    tops = [builder.node(formula, True) for formula in formulas]
    return builder.circuit(tops)


def watching(circuit: Circuit, nodes: Integers) -> Circuit:
    """The circuit without what none of these nodes, the open targets, depends on."""
    roots = np.zeros_like(circuit.roots)
    roots[nodes] = 1
    needed = cone_of(circuit, nodes)
    edges, entries = needed[circuit.parents], needed[circuit.place_atoms]
    return circuit._replace(
        place_starts=_filtered(circuit.place_starts, entries),
        place_atoms=circuit.place_atoms[entries],
        place_coefficients=circuit.place_coefficients[entries],
        parent_starts=_filtered(circuit.parent_starts, edges),
        parents=circuit.parents[edges],
        roots=roots,
    )


def _filtered(starts: Integers, kept: NDArray[np.bool_]) -> Integers:
    """Where the vectors start once only the kept entries are left."""
    before = np.concatenate(([0], np.cumsum(kept, dtype=np.int64)))
    return before[starts].astype(np.int64)


class _Builder:
    """Nodes as they are met; an atom is numbered by −1 − its number until all are known."""

    def __init__(self, columns: Mapping[str, int]) -> None:
        self._columns = columns
        self._atoms: dict[tuple[Term, int, int], int] = {}
        self._gates: dict[tuple[int, tuple[int, ...]], int] = {}
        self._nodes: dict[tuple[Formula, bool], int] = {}

    def node(self, formula: Formula, positive: bool) -> int:
        """The node of the formula, or of its negation."""
        known = self._nodes.get((formula, positive))
        if known is None:
            known = self._nodes[formula, positive] = self._new_node(formula, positive)
        return known

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
        """The arrays of all nodes, and the numbers of `tops`."""
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
