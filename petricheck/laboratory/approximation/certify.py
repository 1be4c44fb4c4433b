"""The invariant of a proof: the reachable states of the approximation, as formulas over places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from petricheck.arithmetic.formulas.formulas import conjunction, disjunction
from petricheck.engines.abstraction.certify import Successors, stated, trimmed
from petricheck.engines.abstraction.domain import Domain, Precision, States
from petricheck.engines.abstraction.graph import covering
from petricheck.engines.abstraction.targets import TargetTest
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.laboratory.approximation.predicates import Cube
from petricheck.laboratory.approximation.program import AbstractProgram
from petricheck.laboratory.locations import Location
from petricheck.laboratory.unwinding.labels import label_of

_NO_SINGLE_CUBE = -2
"""Stands for a successor that no single cube contains."""


def certificate(
    program: AbstractProgram, cubes: Mapping[Location, Sequence[Cube]], test: TargetTest
) -> Certificate:
    """Return the union of the cubes, with hints where each cube is bounds and residues.

    The hints name the cube that contains all markings after a firing from another. Where no single
    cube does, the audit uses a solver.
    """
    net = program.problem.net
    parts = [
        conjunction((*program.location_formulas(location), *map(program.formula, cube)))
        for location, members in cubes.items()
        for cube in members
    ]
    labels = [label for part in parts if not (label := label_of(net, part)).contradictory]
    if any(label.others for label in labels):
        return Certificate(disjunction(parts))
    domain = Domain(net, Precision().refine(p for label in labels for p in label.predicates()))
    test.prepare(domain)
    states = np.array([label.row(domain) for label in labels])
    actions = range(len(net.transitions))
    successors: Successors = [
        [_successor(domain, states, state, t) for t in actions] for state in states
    ]
    closed = not any(_NO_SINGLE_CUBE in row for row in successors)
    if closed and all(test.meets(state) is None for state in states):
        states, successors = trimmed(domain, test, states, successors)
    return stated(net, domain, test, states, successors)


def _successor(domain: Domain, states: States, state: States, transition: int) -> int | None:
    """Return the cube that contains the markings after a firing; None where it is disabled."""
    after = domain.fire(state, transition)
    if after is None:
        return None
    number = covering(states, domain.rounded(after))
    return _NO_SINGLE_CUBE if number is None else number
