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

from petricheck.kernel.arrays import Integers, integers, transposed, vectors
from petricheck.kernel.loops import AT_MOST, CONGRUENT, DIFFERENT, EQUAL, INCONGRUENT
from petricheck.presburger.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    atoms,
)
from petricheck.presburger.terms import Term
from petricheck.problem import Net

LARGEST_COEFFICIENTS = 1 << 20
"""What the absolute coefficients of an atom may sum up to."""

LARGEST_CONSTANT = 1 << 60
"""Largest absolute constant, and largest modulus."""


class Circuit(NamedTuple):
    """Nodes are numbered: atoms first, then gates, operands before what they occur in.

    Attributes:
        place_starts: by place, the atoms over it with their coefficients; a place after the last
            one, which always has one token, has all atoms with their constants.
        place_atoms: see `place_starts`.
        place_coefficients: see `place_starts`.
        tests: by atom, see `loops.AT_MOST` and what follows it.
        moduli: by atom.
        parent_starts: by node, the gates that it is an operand of.
        parents: see `parent_starts`.
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
    needs: Integers
    roots: Integers


class Cone(NamedTuple):
    """A node and what it depends on.

    Attributes:
        order: nodes, operands before what they occur in; the node itself last.
        child_starts: by position in `order`, the operands.
        children: see `child_starts`.
    """

    order: Integers
    child_starts: Integers
    children: Integers


class Sight(NamedTuple):
    """Room for `loops.estimate`, and what atoms are made of.

    Attributes:
        costs: by place.
        needs: by transition, how many lacking inputs cannot be got yet.
        sums: by transition, one more than what the others cost.
        waiting: by transition, 1 where it is in the queue.
        queue: transitions whose costs have to be passed on; a ring.
        atom_starts: by atom, the places of its term with their coefficients.
        atom_places: see `atom_starts`.
        atom_coefficients: see `atom_starts`.
    """

    costs: Integers
    needs: Integers
    sums: Integers
    waiting: Integers
    queue: Integers
    atom_starts: Integers
    atom_places: Integers
    atom_coefficients: Integers


def no_sight() -> Sight:
    """No room."""
    return Sight(*(np.zeros(0, dtype=np.int64) for _ in Sight._fields))


def sight_of(net: Net, circuit: Circuit) -> Sight:
    """Room for a net and its targets."""
    transitions, count = len(net.transitions), len(circuit.tests)
    places = np.repeat(np.arange(len(net.places)), np.diff(circuit.place_starts[:-1]))
    rows: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    entries = zip(places.tolist(), circuit.place_atoms, circuit.place_coefficients, strict=False)
    for place, atom, coefficient in entries:
        rows[atom].append((place, int(coefficient)))

    def room(size: int) -> Integers:
        return np.zeros(size, dtype=np.int64)

    needs, sums, waiting = (room(transitions) for _ in range(3))
    terms = vectors(rows)
    costs, queue = room(len(net.places)), room(transitions + 1)
    return Sight(costs, needs, sums, waiting, queue, terms.starts, terms.indices, terms.values)


def cone_of(circuit: Circuit, top: int) -> Cone:
    """The cone of a node."""
    children: dict[int, list[int]] = {}
    owners = np.repeat(np.arange(len(circuit.needs)), np.diff(circuit.parent_starts))
    for child, gate in zip(owners.tolist(), circuit.parents.tolist(), strict=True):
        children.setdefault(gate, []).append(child)
    found, pending = {top}, [top]
    while pending:
        new = set(children.get(pending.pop(), ())) - found
        found |= new
        pending += new
    order = sorted(found)
    rows = [children.get(node, []) for node in order]
    starts = np.concatenate(([0], np.cumsum([len(row) for row in rows], dtype=np.int64)))
    return Cone(integers(order), starts.astype(np.int64), integers(c for row in rows for c in row))


def fits(formula: Formula) -> bool:
    """Whether all values of the formula's terms fit, on markings of at most 2^41 tokens a place."""
    return all(
        sum(abs(value) for _, value in atom.term.coefficients) <= LARGEST_COEFFICIENTS
        and abs(atom.term.constant) < LARGEST_CONSTANT
        and (not isinstance(atom, Congruence) or atom.modulus < LARGEST_CONSTANT)
        for atom in atoms(formula)
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
    children = np.repeat(np.arange(len(circuit.needs)), np.diff(circuit.parent_starts))
    needed = roots.astype(bool)
    while not needed[children[needed[circuit.parents]]].all():
        needed[children[needed[circuit.parents]]] = True
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

    def node(self, formula: Formula, positive: bool) -> int:
        """The node of the formula, or of its negation."""
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

        terms = [term for term, _, _ in self._atoms]
        width = len(self._columns)
        rows = [
            (*((self._columns[p], v) for p, v in term.coefficients), (width, term.constant))
            for term in terms
        ]
        edges = [tuple((number(child), 0) for child in c) for _, c in self._gates]
        parents = vectors(
            [
                [(count + gate, value) for gate, value in column]
                for column in transposed(edges, count + len(edges))
            ]
        )
        nodes = integers(map(number, tops))
        circuit = Circuit(
            *vectors(transposed(rows, width + 1)),
            integers(test for _, test, _ in self._atoms),
            integers(modulus for _, _, modulus in self._atoms),
            parents.starts,
            parents.indices,
            integers((*[0] * count, *(need for need, _ in self._gates))),
            np.zeros(count + len(edges), dtype=np.int64),
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
