"""From a closed antichain to a certificate that is no stronger than necessary.

An exploration leaves states that bound every direction it ever used. Only some of these atoms
carry the proof: those that exclude the target, those that disable a transition, and, transitively,
the sources of the pair rule that give them again after each firing. The rest is dropped, and
states that have become equal or weaker than others are merged.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Inequality,
)
from petricheck.engines.abstraction.domain import Domain, States
from petricheck.engines.abstraction.graph import AbstractGraph, covering, edges
from petricheck.engines.abstraction.targets import TargetTest, state_atoms
from petricheck.evidence.certificates.invariant import Certificate, Hints
from petricheck.model.net import Net
from petricheck.symbolic.linear import direction_of, products

_LARGEST = 2_000_000
"""States times transitions times directions above which atoms are not dropped one by one."""


def certificate(graph: AbstractGraph) -> Certificate:
    """Return the certificate of an exploration that found no path into the target."""
    successors = edges(graph.domain, graph.states)
    states, table = trimmed(graph.domain, graph.test, graph.states, successors)
    return stated(graph.problem.net, graph.domain, graph.test, states, table)


def trimmed(
    domain: Domain, test: TargetTest, states: States, successors: Successors
) -> tuple[States, Successors]:
    """Return the closed states that the proof needs, and their edges; all where that takes long.

    None of the states may meet the target, for which `test` is prepared. For each state and
    transition `successors` has the number of a state that covers what a firing leads to, bound by
    bound; None where the state disables the transition.
    """
    reasons = [test.reasons(state) for state in states]
    size = len(states) * max(1, len(successors[0])) * max(1, domain.width)
    if size > _LARGEST or any(reason is None for reason in reasons):
        return states, successors
    needed = _needed_conjuncts(domain, states, successors, [reason or () for reason in reasons])
    return _merge(_weaken(domain, states, needed), successors)


def stated(
    net: Net, domain: Domain, test: TargetTest, states: States, successors: Successors
) -> Certificate:
    """Return the certificate of closed states that miss the target, with their edges as hints."""
    disjuncts = _with_invariants(net, [state_atoms(domain, state) for state in states])
    table = tuple(tuple(-1 if x is None else x for x in row) for row in successors)
    separators = test.separators()
    used = {atom.term.coefficients for disjunct in disjuncts for atom in disjunct}
    used_separators = tuple(s for s in separators or () if s.direction in used or not s.direction)
    invariant = Disjunction(tuple(Conjunction(disjunct) for disjunct in disjuncts))
    return Certificate(invariant, Hints(table, used_separators))


Successors: TypeAlias = Sequence[Sequence[int | None]]
"""For each state and transition the number of the state after; None where it is disabled."""

_Atoms: TypeAlias = tuple[Inequality | Congruence, ...]


def _with_invariants(net: Net, disjuncts: Sequence[_Atoms]) -> list[_Atoms]:
    """Return the disjuncts; where c is a place invariant, c·m ≤ c·m0 becomes c·m = c·m0.

    The proof needs one side only; both are true and say more to a reader. Only what every disjunct
    says is completed: what one of them asked more of its markings, another might not provide.
    """
    shared = set(disjuncts[0]).intersection(*disjuncts[1:]) if disjuncts else set()
    invariants = {atom for atom in shared if _is_place_invariant(net, atom)}
    completed = []
    for atoms in disjuncts:
        pairs = ((a, Inequality(-a.term)) if a in invariants else (a,) for a in atoms)
        completed.append(tuple(dict.fromkeys(atom for pair in pairs for atom in pair)))
    return completed


def _is_place_invariant(net: Net, atom: Inequality | Congruence) -> bool:
    """Return whether the atom is c·m ≤ c·m0 with c orthogonal to every effect."""
    if isinstance(atom, Congruence) or atom.term.evaluate(net.values(net.initial)) != 0:
        return False
    return not any(products(direction_of(net, atom.term), (t.effect for t in net.transitions)))


def _needed_conjuncts(
    domain: Domain,
    states: States,
    successors: Successors,
    reasons: Sequence[Sequence[int]],
) -> list[set[int]]:
    """Return for each state the directions (and K + r for residue r) that the proof needs."""
    needed: list[set[int]] = [set() for _ in states]
    pending: deque[tuple[int, int]] = deque()

    def need(state: int, atom: int | None) -> None:
        if atom is not None and atom not in needed[state]:
            needed[state].add(atom)
            pending.append((state, atom))

    incoming: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, row in enumerate(successors):
        for transition, successor in enumerate(row):
            if successor is not None:
                incoming[successor].append((number, transition))
    for number, row in enumerate(successors):
        for reason in reasons[number]:
            need(number, reason)
        for transition, successor in enumerate(row):
            if successor is None:
                need(number, domain.disabling(states[number], transition, needed[number]))
    while pending:
        number, atom = pending.popleft()
        limit = states[number][atom]
        for before, transition in incoming[number]:
            source = domain.source(states[before], transition, atom, limit, needed[before])
            need(before, source)
    return needed


def _weaken(domain: Domain, states: States, needed: Sequence[set[int]]) -> States:
    """Return the states without the bounds and residues that are not needed."""
    weaker = states.copy()
    for number, atoms in enumerate(needed):
        for atom in range(len(domain.directions) + len(domain.residues)):
            if atom not in atoms:
                weaker[number, domain.columns(atom)] = domain.infinity
    return weaker


def _merge(states: States, successors: Successors) -> tuple[States, Successors]:
    """Return the maximal states only, with the edges redirected to them."""
    selection: list[int] = []
    for number in sorted(range(len(states)), key=lambda n: (-_weakness(states[n]), n)):
        if not selection or covering(states[selection], states[number]) is None:
            selection.append(number)
    selection.sort()
    maximal = states[selection]
    home = [covering(maximal, state) for state in states]
    table = [[None if x is None else home[x] for x in successors[number]] for number in selection]
    return maximal, table


def _weakness(state: States) -> int:
    return int(np.sum(state.astype(object)))
