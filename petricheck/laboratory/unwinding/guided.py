"""Interpolants made of predicates that a guide proposes.

A guide answers with predicates that exclude a path, as in the CEGAR loop (`abstraction.refine`).
Interpolants are made of them in two passes. Forwards, each vertex of the path gets the state that
follows from the state before it, its label and the predicates (`abstraction.domain`). Backwards,
only those atoms are retained that the end needs. Each interpolant follows from the one before by
the pair rule alone, so that the audit needs no solver.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from petricheck.engines.abstraction.domain import Domain, States
from petricheck.engines.abstraction.graph import AbstractPath
from petricheck.engines.abstraction.refine import Genuine, refine
from petricheck.engines.abstraction.targets import Goal, TargetTest
from petricheck.engines.guides import Guide
from petricheck.engines.heuristics import Heuristic
from petricheck.laboratory.unwinding.labels import FALSE, Interpolants, Label
from petricheck.laboratory.unwinding.tree import Unwinding
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget

_Atoms: TypeAlias = dict[int, int]
"""By number, as in `Domain.source`: the bound of a direction, or a residue."""


@dataclass(frozen=True, slots=True)
class ByGuide:
    """Interpolants made of a guide's predicates.

    Attributes:
        problem: the question.
        test: decides whether labels may meet its target.
        guide: chooses interpolants.
        heuristics: advise the guide.
        reuse: whether predicates of the precision are tried before the guide is called.
    """

    problem: Problem
    test: TargetTest
    guide: Guide
    heuristics: Sequence[Heuristic]
    reuse: bool

    def meets(self, tree: Unwinding, vertex: int, _budget: Budget) -> Goal | None:
        """Return a cube that the vertex may meet, or None; see `unwind.Interpolation`."""
        self.test.prepare(tree.domain)
        return self.test.meets(tree.state(vertex))

    def refine(
        self, tree: Unwinding, vertex: int, goal: Goal, budget: Budget
    ) -> Genuine | Interpolants | None:
        """Return a trace, interpolants, or None; see `unwind.Interpolation`."""
        interpolants = exclude(tree, vertex, self.test, goal) if self.reuse else None
        if interpolants is not None:
            return interpolants
        path = AbstractPath(tree.actions(tree.path(vertex)), goal)
        for proposal in refine(self.problem, path, self.heuristics, self.guide, budget):
            if isinstance(proposal, Genuine):
                return proposal
            self.test.learn(proposal.separators)
            tree.learn(proposal.predicates)
            self.test.prepare(tree.domain)
            interpolants = exclude(tree, vertex, self.test, goal)
            if interpolants is not None:
                return interpolants
        return None

    def carry(
        self, tree: Unwinding, vertex: int, other: int, _budget: Budget
    ) -> Interpolants | None:
        """Return interpolants that are made of predicates of the precision."""
        return entail(tree, vertex, other)


def exclude(tree: Unwinding, vertex: int, test: TargetTest, goal: Goal) -> Interpolants | None:
    """Return interpolants that exclude a cube of the target at the end of the vertex's path.

    They are made of the precision of the unwinding; None where it does not suffice. The test has to
    be prepared for the domain of the unwinding.
    """
    states = _path_states(tree, tree.path(vertex), tree.domain.initial())
    if states.disabled is not None:
        return _disabling_interpolants(states)
    reasons = test.reasons_for(states.rows[-1], goal)
    if reasons is None:
        return None
    return _interpolants(states, {atom: int(states.rows[-1][atom]) for atom in reasons})


def entail(tree: Unwinding, vertex: int, other: int) -> Interpolants | None:
    """Return interpolants of `unwind.Interpolation`; None where the precision does not suffice."""
    path = tree.between(vertex, other)
    states = _path_states(tree, path, tree.state(path[0]))
    if states.disabled is not None:
        return _disabling_interpolants(states)
    row = tree.row(other)
    if not (states.rows[-1] <= row).all():
        return None
    atoms = range(len(tree.domain.directions) + len(tree.domain.residues))
    bounded = [atom for atom in atoms if row[atom] != tree.domain.infinity]
    return _interpolants(states, {atom: int(states.rows[-1][atom]) for atom in bounded})


@dataclass(frozen=True, slots=True)
class _PathStates:
    """The states along a path.

    Attributes:
        tree: the unwinding.
        path: the vertices.
        rows: a state for each of them, up to the last whose firing is not disabled.
        disabled: the next vertex, whose firing the last state disables; None if there is none.
    """

    tree: Unwinding
    path: Sequence[int]
    rows: Sequence[States]
    disabled: int | None


def _path_states(tree: Unwinding, path: Sequence[int], start: States) -> _PathStates:
    """Return the states along the path, in the precision of the unwinding."""
    domain = tree.domain
    rows = [np.minimum(start, tree.state(path[0]))]
    for vertex in path[1:]:
        after = domain.fire(rows[-1], tree.vertices[vertex].transition)
        if after is None:
            return _PathStates(tree, path, rows, vertex)
        rows.append(domain.saturated(np.minimum(domain.rounded(after), tree.state(vertex))))
    return _PathStates(tree, path, rows, None)


def _disabling_interpolants(states: _PathStates) -> Interpolants:
    """Return interpolants after which the last state disables the next firing."""
    assert states.disabled is not None
    domain, last = states.tree.domain, states.rows[-1]
    transition = states.tree.vertices[states.disabled].transition
    atom = domain.disabling(last, transition, set())
    needed = {} if atom is None else {atom: int(last[atom])}
    return (*_interpolants(states, needed), (states.disabled, FALSE))


def _interpolants(states: _PathStates, atoms: _Atoms) -> Interpolants:
    """Return atoms that the labels lack and that imply these atoms of the last state."""
    domain, path = states.tree.domain, states.path
    needed = [_missing(states, len(states.rows) - 1, atoms)]
    for position in range(len(states.rows) - 1, 0, -1):
        transition = states.tree.vertices[path[position]].transition
        before: _Atoms = {}
        for atom, value in needed[-1].items():
            source = domain.source(states.rows[position - 1], transition, atom, value, set(before))
            if source is not None:
                before[source] = int(states.rows[position - 1][source])
        needed.append(_missing(states, position - 1, before))
    pairs = zip(path, reversed(needed), strict=False)
    return tuple((vertex, _label(domain, missing)) for vertex, missing in pairs if missing)


def _label(domain: Domain, atoms: _Atoms) -> Label:
    count = len(domain.directions)
    return Label(
        {domain.directions[atom]: value for atom, value in atoms.items() if atom < count},
        {domain.residues[a - count]: value for a, value in atoms.items() if a >= count},
    )


def _missing(states: _PathStates, position: int, atoms: Mapping[int, int]) -> _Atoms:
    """Return the atoms that the label does not entail bound by bound."""
    state = states.tree.state(states.path[position])
    return {atom: value for atom, value in atoms.items() if state[atom] > value}
