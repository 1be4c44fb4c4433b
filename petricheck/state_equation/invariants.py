"""Inductive facts about one net, collected into one certificate.

The facts are half-spaces, congruences, marked traps and one empty siphon. Each is kept by every
transition that takes nothing from the siphon, and the others are dead, so their conjunction is
inductive. The hints say so to the audit, and for each listed target cube that a half-space or
congruence contradicts alone, why.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from petricheck.evidence.invariant import Certificate, Hints, Separator
from petricheck.evidence.state_equation import StateEquationCertificate
from petricheck.flows.basis import invariant_basis
from petricheck.flows.place_invariant import PlaceInvariant, invariant
from petricheck.linear import Residue, direction_of, products, term_of, value_at
from petricheck.presburger.formulas import (
    Atom,
    Congruence,
    Conjunction,
    Disjunction,
    Formula,
    Inequality,
    at_most,
)
from petricheck.presburger.terms import Term, linear
from petricheck.problem import Marking, Net, Transition
from petricheck.state_equation.congruences import KeptResidue
from petricheck.state_equation.half_spaces import KeptHalfSpace
from petricheck.state_equation.siphons import empty_siphon, marked, unblocked_transitions


class Facts:
    """What is known to hold in every reachable marking; grows by `add` and `add_trap`.

    Attributes:
        siphon: the greatest siphon that is empty initially.
        unblocked: the transitions that take nothing from it.
        traps: sets of places that are marked.
    """

    def __init__(self, net: Net) -> None:
        self._net = net
        self.siphon = empty_siphon(net)
        self.unblocked = unblocked_transitions(net, self.siphon)
        self.traps: list[frozenset[int]] = []
        self._needed: set[int] = set()
        self._atoms: dict[Atom, None] = {}
        self._separators: list[Separator] = []

    def __len__(self) -> int:
        """How many facts there are."""
        return len(self._atoms) + len(self.traps)

    def add_trap(self, trap: frozenset[int]) -> None:
        """A trap that is marked initially."""
        self.traps.append(trap)

    def add(self, cube: int | None, fact: KeptHalfSpace | KeptResidue) -> tuple[Atom, ...]:
        """A fact that contradicts the cube of this number, None where cubes are not listed.

        Returns:
            The atoms that contradict it together.
        """
        match fact:
            case KeptHalfSpace(half_space, multipliers, traps):
                atom: Atom = half_space.inequality(self._net)
                modulus = 0
                self._needed.update(traps)
            case KeptResidue(Residue(c, modulus), multipliers):
                traps = ()
                start = value_at(c, self._net.initial)
                atom = Congruence(term_of(self._net, c) - start % modulus, modulus)
        direction = atom.term.coefficients
        if direction:
            self._atoms[atom] = None
        if cube is not None and not traps:
            self._separators.append(Separator(cube, direction, modulus, multipliers, 1))
        return (atom, *(self._marked(trap) for trap in traps))

    def broken_invariants(self, marking: Marking) -> tuple[PlaceInvariant, ...]:
        """Those of a basis of the place invariants that do not hold in this marking."""
        return tuple(i for i in self._basis if not i.holds(marking))

    def add_invariant(self, kept: PlaceInvariant) -> tuple[Atom, ...]:
        """A place invariant.

        Returns:
            The atoms that say so.
        """
        equation = kept.formula(self._net).term
        atoms = (Inequality(equation), Inequality(-equation))
        self._atoms.update(dict.fromkeys(atoms))
        return atoms

    @cached_property
    def _basis(self) -> tuple[PlaceInvariant, ...]:
        """Of the place invariants; empty where it takes too much work."""
        return tuple(invariant(self._net, sums) for sums in invariant_basis(self._net) or ())

    def certificate(self) -> Certificate:
        """The conjunction of the facts that were needed.

        Beside c·m ≤ c·m0 it says c·m ≥ c·m0 where c is a place invariant. The proof needs one side
        only; both are true and say more to a reader.
        """
        atoms: dict[Atom, None] = {}
        for atom in self._atoms:
            atoms[atom] = None
            other = Inequality(-atom.term)
            if isinstance(atom, Inequality) and _keep(self._net, self.unblocked, other):
                atoms[other] = None
        atoms.update((self._marked(trap), None) for trap in sorted(self._needed))
        dead = self._dead(atoms)
        if dead:
            atoms[at_most(self._sum(self.siphon), 0)] = None
        row = tuple(-1 if t.name in dead else 0 for t in self._net.transitions)
        invariant = Disjunction((Conjunction(tuple(atoms)),))
        return Certificate(invariant, Hints((row,), tuple(self._separators)))

    def formulas(self) -> tuple[Formula, ...]:
        """All facts one by one, the empty siphon first; each is inductive, given that one."""
        empty = (at_most(self._sum(self.siphon), 0),) if self.siphon else ()
        traps = (self._marked(number) for number in range(len(self.traps)))
        return (*empty, *self._atoms, *traps)

    def state_equation(self) -> StateEquationCertificate:
        """The state equation with all traps and the siphon."""
        traps = tuple(self._names(trap) for trap in self.traps)
        return StateEquationCertificate(traps, self._names(self.siphon))

    def _dead(self, atoms: Iterable[Atom]) -> set[str]:
        """The dead transitions, or none where no fact depends on their being dead."""
        dead = [t for t in self._net.transitions if any(p in self.siphon for p, _ in t.pre)]
        kept = all(_keep(self._net, dead, atom) for atom in atoms)
        return set() if kept else {t.name for t in dead}

    def _marked(self, trap: int) -> Inequality:
        return marked(self._net, self.traps[trap])

    def _sum(self, places: Iterable[int]) -> Term:
        return linear((self._net.places[place], 1) for place in places)

    def _names(self, places: Iterable[int]) -> tuple[str, ...]:
        return tuple(self._net.places[place] for place in sorted(places))


def _keep(net: Net, transitions: Iterable[Transition], atom: Atom) -> bool:
    """Whether no firing raises c·m, or changes its residue."""
    changes = products(direction_of(net, atom.term), (t.effect for t in transitions))
    if isinstance(atom, Congruence):
        return all(change % atom.modulus == 0 for change in changes)
    return all(change <= 0 for change in changes)
