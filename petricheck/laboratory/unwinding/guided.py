"""Interpolants that a guide proposes, put together from its predicates.

Guides answer with predicates that exclude a path, as in the CEGAR loop (`abstraction.refine`). Here
they are put in place: forwards, each vertex of the path is given what its parent's label and the
predicates say (`abstraction.domain`); backwards, only what the end needs is kept. What is kept is a
sequence of interpolants. Each follows from the one before by the pair rule alone, so that the audit
needs no solver.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from petricheck.abstraction.domain import Domain, States
from petricheck.abstraction.graph import AbstractPath
from petricheck.abstraction.refine import Genuine, refine
from petricheck.abstraction.targets import Goal, TargetTest
from petricheck.budget import Budget
from petricheck.guides import Guide
from petricheck.heuristics import Heuristic
from petricheck.laboratory.unwinding.labels import FALSE, Interpolants, Label
from petricheck.laboratory.unwinding.tree import Unwinding
from petricheck.problem import Problem

_Atoms: TypeAlias = dict[int, int]
"""By number, as in `Domain.source`: the bound of a direction, or a residue."""


@dataclass(frozen=True, slots=True)
class ByGuide:
    """Predicates of a guide, put in place.

    Attributes:
        problem: the question.
        test: whether labels may meet its target.
        guide: chooses interpolants.
        heuristics: advise the guide.
        reuse: whether known predicates are tried before the guide is asked.
    """

    problem: Problem
    test: TargetTest
    guide: Guide
    heuristics: Sequence[Heuristic]
    reuse: bool

    def meets(self, tree: Unwinding, vertex: int, _budget: Budget) -> Goal | None:
        """See `unwind.Interpolation`."""
        self.test.prepare(tree.domain)
        return self.test.meets(tree.known(vertex))

    def refine(
        self, tree: Unwinding, vertex: int, goal: Goal, budget: Budget
    ) -> Genuine | Interpolants | None:
        """See `unwind.Interpolation`."""
        interpolants = excluding(tree, vertex, self.test, goal) if self.reuse else None
        if interpolants is not None:
            return interpolants
        path = AbstractPath(tree.actions(tree.path(vertex)), goal)
        for proposal in refine(self.problem, path, self.heuristics, self.guide, budget):
            if isinstance(proposal, Genuine):
                return proposal
            self.test.learn(proposal.separators)
            tree.learn(proposal.predicates)
            self.test.prepare(tree.domain)
            interpolants = excluding(tree, vertex, self.test, goal)
            if interpolants is not None:
                return interpolants
        return None

    def carry(
        self, tree: Unwinding, vertex: int, other: int, _budget: Budget
    ) -> Interpolants | None:
        """Those that are made of known predicates."""
        return entailing(tree, vertex, other)


def excluding(tree: Unwinding, vertex: int, test: TargetTest, goal: Goal) -> Interpolants | None:
    """Interpolants of the path from the root that exclude a cube of the target at the vertex.

    Made from the precision of the unwinding; None where it does not suffice. The test is prepared
    for the domain of the unwinding.
    """
    states = _forwards(tree, tree.path(vertex), tree.domain.initial())
    if states.stopped is not None:
        return _stopping(states)
    reasons = test.reasons_for(states.rows[-1], goal)
    if reasons is None:
        return None
    return _backwards(states, {atom: int(states.rows[-1][atom]) for atom in reasons})


def entailing(tree: Unwinding, vertex: int, other: int) -> Interpolants | None:
    """Interpolants of `unwind.Interpolation`; None where the precision does not suffice."""
    path = tree.between(vertex, other)
    states = _forwards(tree, path, tree.known(path[0]))
    if states.stopped is not None:
        return _stopping(states)
    row = tree.row(other)
    if not (states.rows[-1] <= row).all():
        return None
    atoms = range(len(tree.domain.directions) + len(tree.domain.residues))
    finite = [atom for atom in atoms if row[atom] != tree.domain.infinity]
    return _backwards(states, {atom: int(states.rows[-1][atom]) for atom in finite})


@dataclass(frozen=True, slots=True)
class _Forwards:
    """The states along a path.

    Attributes:
        tree: the unwinding.
        path: the vertices.
        rows: a state for each of them, up to the last whose firing is not disabled.
        stopped: the vertex after that, where there is one.
    """

    tree: Unwinding
    path: Sequence[int]
    rows: Sequence[States]
    stopped: int | None


def _forwards(tree: Unwinding, path: Sequence[int], start: States) -> _Forwards:
    """The states along the path, in the precision of the unwinding."""
    domain = tree.domain
    rows = [np.minimum(start, tree.known(path[0]))]
    for vertex in path[1:]:
        after = domain.fire(rows[-1], tree.vertices[vertex].transition)
        if after is None:
            return _Forwards(tree, path, rows, vertex)
        rows.append(domain.saturated(np.minimum(domain.rounded(after), tree.known(vertex))))
    return _Forwards(tree, path, rows, None)


def _stopping(states: _Forwards) -> Interpolants:
    """Interpolants after which the last state disables the firing that it is known to disable."""
    assert states.stopped is not None
    domain, last = states.tree.domain, states.rows[-1]
    transition = states.tree.vertices[states.stopped].transition
    atom = domain.disabling(last, transition, set())
    needed = {} if atom is None else {atom: int(last[atom])}
    return (*_backwards(states, needed), (states.stopped, FALSE))


def _backwards(states: _Forwards, atoms: _Atoms) -> Interpolants:
    """Return atoms that the labels lack and that imply these atoms of the last state."""
    domain, path = states.tree.domain, states.path
    needed = [_missing(states, len(states.rows) - 1, atoms)]
    for place in range(len(states.rows) - 1, 0, -1):
        transition = states.tree.vertices[path[place]].transition
        before: _Atoms = {}
        for atom, value in needed[-1].items():
            source = domain.source(states.rows[place - 1], transition, atom, value, set(before))
            if source is not None:
                before[source] = int(states.rows[place - 1][source])
        needed.append(_missing(states, place - 1, before))
    pairs = zip(path, reversed(needed), strict=False)
    return tuple((vertex, _label(domain, missing)) for vertex, missing in pairs if missing)


def _label(domain: Domain, atoms: _Atoms) -> Label:
    count = len(domain.directions)
    return Label(
        {domain.directions[atom]: value for atom, value in atoms.items() if atom < count},
        {domain.residues[a - count]: value for a, value in atoms.items() if a >= count},
    )


def _missing(states: _Forwards, place: int, atoms: Mapping[int, int]) -> _Atoms:
    """The atoms that the label does not entail bound by bound."""
    state = states.tree.known(states.path[place])
    return {atom: value for atom, value in atoms.items() if state[atom] > value}
