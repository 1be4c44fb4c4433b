"""Inductive facts about one net, collected into one certificate.

The facts are half-spaces, congruences, marked traps and one empty siphon. Each is kept by every
transition that takes nothing from the siphon, and the others are dead, so their conjunction is
inductive. The hints say so to the audit, and for each listed target cube that a half-space or
congruence contradicts, why. A half-space c·m ≤ b does it together with marked traps as a *sum*
c·m − Σ μ·m(trap) ≤ b − Σ μ. A firing that puts on some of the traps keeps the sum, since before it
the sum over the others held; on the others it has no effect. So all these are in the certificate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from itertools import compress

import numpy as np

from petricheck.arithmetic.formulas.formulas import (
    Atom,
    Congruence,
    Conjunction,
    Cube,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    at_most,
    evaluate,
)
from petricheck.arithmetic.formulas.terms import linear
from petricheck.evidence.certificates.invariant import Certificate, Hints, Separator
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.model.net import Net, Transition
from petricheck.support.budget import Budget
from petricheck.symbolic.facts.basis import place_invariants
from petricheck.symbolic.facts.changes import changes, takers
from petricheck.symbolic.facts.marked_traps import marked_traps
from petricheck.symbolic.facts.separation import (
    Separation,
    separating_congruence,
    separating_half_space,
)
from petricheck.symbolic.facts.siphons import (
    empty_siphon,
    sufficient_siphon,
    trap_fact,
)
from petricheck.symbolic.linear import direction_of

_SUMS = 64
"""The most sums for a fact; with more the audit asks its solver."""

_SECONDS = 5.0
"""For the linear program of a lemma."""


class Facts:
    """Facts that hold in every reachable marking; grows by `add` and `add_trap`.

    Attributes:
        siphon: the greatest siphon that is empty initially.
        unblocked: the transitions that take nothing from it.
        traps: sets of places that are marked.
        unmarked: sets of places, empty initially, from which only what fills them lets take.
    """

    def __init__(self, net: Net) -> None:
        self._net = net
        self.siphon = empty_siphon(net)
        self._blocked = takers(net, self.siphon)
        self.unblocked = tuple(compress(net.transitions, ~self._blocked))
        self.traps: list[frozenset[int]] = []
        self.unmarked: tuple[frozenset[int], ...] = ()
        self._marked_traps = marked_traps(net)
        self._needed_traps: set[int] = set()
        self._atoms: dict[Atom, None] = {}
        self._sums: dict[Inequality, None] = {}
        self._separators: list[Separator] = []

    def for_another_target(self) -> Facts:
        """Return the same siphon and traps, for another target; they share further traps."""
        other = copy(self)
        other._needed_traps, other._atoms, other._sums, other._separators = set(), {}, {}, []
        other.unmarked = ()
        return other

    def __len__(self) -> int:
        """Return the number of facts."""
        return len(self._atoms) + len(self.traps)

    def half_space(self, cube: Cube, seconds: float) -> Separation | None:
        """Return a half-space that, with the traps so far, contradicts the cube, or None.

        None proves nothing: the limit of seconds may be too small.
        """
        return separating_half_space(self._net, self.unblocked, cube, self.traps, seconds)

    def residue(self, cube: Cube) -> Separation | None:
        """Return a residue that contradicts the cube; None without one."""
        return separating_congruence(self._net, (t.effect for t in self.unblocked), cube)

    def violated_traps(self, empty: Iterable[int]) -> Iterator[frozenset[int]]:
        """Return new traps that are marked initially and have only empty places."""
        return (trap for trap in self._marked_traps.within(empty) if trap not in self.traps)

    def violated_trap(self, empty: Iterable[int]) -> frozenset[int] | None:
        """Return one of these, or None."""
        return next(self.violated_traps(empty), None)

    def add_trap(self, trap: frozenset[int]) -> None:
        """Add a trap that is marked initially."""
        self.traps.append(trap)

    def add(self, cube: int | None, fact: Separation) -> tuple[Atom, ...]:
        """Add a fact that contradicts the cube of this number, None where cubes are not listed.

        Return the atoms that contradict it together.
        """
        atom = fact.atom
        premise = () if fact.premise is None else self.add(None, fact.premise)
        if atom.term.coefficients:
            self._atoms[atom] = None
        self._needed_traps.update(fact.traps)
        if cube is not None:
            modulus = atom.modulus if isinstance(atom, Congruence) else 0
            direction = self._added_up(fact).term.coefficients
            self._separators.append(Separator(cube, direction, modulus, fact.multipliers, 1))
        return (atom, *(self._trap_fact(trap) for trap in fact.traps), *premise)

    def refute(self, cube: Cube, budget: Budget, number: int | None = None) -> tuple[Atom, ...]:
        """Find and add a fact that contradicts the cube, which `add` is told the number of.

        Return the atoms that contradict it together; empty where no fact is found.
        """
        seconds = min(_SECONDS, budget.remaining)
        fact = self.residue(cube) or self.half_space(cube, seconds)
        return () if fact is None else self.add(number, fact)

    def false_invariants(self, tokens: Mapping[str, int]) -> tuple[Equality, ...]:
        """Return the place invariants of a basis that this marking does not satisfy."""
        return tuple(
            equation for equation in place_invariants(self._net) if not evaluate(equation, tokens)
        )

    def add_invariant(self, equation: Equality) -> tuple[Atom, ...]:
        """Add a place invariant; return the atoms that say so."""
        atoms = Inequality(equation.term), Inequality(-equation.term)
        self._atoms.update(dict.fromkeys(atoms))
        return atoms

    def _added_up(self, fact: Separation) -> Atom:
        """Return the sum of a half-space and its marked traps; add what it follows from."""
        if not fact.shares:
            return fact.atom
        shares = dict(zip(fact.traps, fact.shares, strict=True))
        sums: dict[frozenset[int], Inequality] = {}
        pending = [frozenset(shares)]
        for some in pending:  # which grows
            if some and some not in sums and len(sums) < _SUMS:
                terms = (self._trap_fact(trap).term * shares[trap] for trap in some)
                sums[some] = Inequality(sum(terms, fact.atom.term))
                filled = {self._filled(transition, some) for transition in self.unblocked}
                pending += (some - traps for traps in filled if traps)
        self._sums.update(dict.fromkeys(sums.values()))
        return sums[frozenset(shares)]

    def _filled(self, transition: Transition, traps: Iterable[int]) -> frozenset[int]:
        """Return those of the traps that the transition puts on."""
        places = {place for place, _ in transition.post}
        return frozenset(trap for trap in traps if not places.isdisjoint(self.traps[trap]))

    def certificate(self) -> Certificate:
        """Return the conjunction of the facts that were needed, with what siphon they rest on.

        Beside c·m ≤ c·m0 it says c·m ≥ c·m0 where c is a place invariant. The proof needs one side
        only; both are true and say more to a reader.
        """
        net, atoms = self._net, dict[Atom, None]()
        breaking = np.zeros(len(net.transitions), dtype=bool)  # firings that break an atom
        for atom in self._atoms:
            atoms[atom] = None
            change = changes(net, direction_of(net, atom.term))
            if isinstance(atom, Congruence):
                breaking |= change % atom.modulus != 0
            elif change[~self._blocked].any():
                breaking |= change > 0
            else:
                atoms[Inequality(-atom.term)] = None
                breaking |= change != 0
        for atom in self._sums:
            atoms[atom] = None
            breaking |= changes(net, direction_of(net, atom.term)) > 0
        for trap in sorted(self._needed_traps):
            atoms[self._trap_fact(trap)] = None
            breaking |= changes(net, [(place, 1) for place in self.traps[trap]]) < 0
        breaking &= self._blocked
        siphon = sufficient_siphon(net, self.siphon, np.flatnonzero(breaking).tolist())
        if siphon:
            atoms[_empty(net, siphon)] = None
        row = -takers(net, siphon).astype(np.int64)
        invariant = Disjunction((Conjunction(tuple(atoms)),))
        return Certificate(invariant, Hints((tuple(row.tolist()),), tuple(self._separators)))

    def formulas(self) -> tuple[Formula, ...]:
        """Return all facts, the empty siphon first; each is inductive, given the siphon."""
        empty = (_empty(self._net, self.siphon),) if self.siphon else ()
        traps = (self._trap_fact(number) for number in range(len(self.traps)))
        return (*empty, *self._atoms, *traps)

    def state_equation(self) -> StateEquationCertificate:
        """Return the state equation with all traps, the siphon and unmarked sets."""
        traps, unmarked = (tuple(map(self._names, sets)) for sets in (self.traps, self.unmarked))
        return StateEquationCertificate(traps, self._names(self.siphon), unmarked)

    def _trap_fact(self, trap: int) -> Inequality:
        return trap_fact(self._net, self.traps[trap])

    def _names(self, places: Iterable[int]) -> tuple[str, ...]:
        return tuple(self._net.places[place] for place in sorted(places))


def _empty(net: Net, siphon: Iterable[int]) -> Inequality:
    return at_most(linear((net.places[place], 1) for place in siphon), 0)
