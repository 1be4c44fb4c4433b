"""The invariant of a proof: the reachable states of the approximation, as formulas over places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from petricheck.abstraction.certify import Successors, stated, trimmed
from petricheck.abstraction.domain import Domain, Precision, States
from petricheck.abstraction.graph import covering
from petricheck.abstraction.targets import TargetTest
from petricheck.evidence.invariant import Certificate
from petricheck.laboratory.approximation.predicates import Cube
from petricheck.laboratory.approximation.program import AbstractProgram, Location
from petricheck.laboratory.unwinding.labels import label_of
from petricheck.presburger.formulas import conjunction, disjunction

_OPEN = -2
"""In place of a successor where no single cube contains it."""


def certificate(
    program: AbstractProgram, cubes: Mapping[Location, Sequence[Cube]], test: TargetTest
) -> Certificate:
    """The union of the cubes; with hints where each is bounds and residues.

    The hints say which cube contains what a firing from another leads to. Where no single one does,
    the audit asks its solver.
    """
    net = program.problem.net
    parts = [
        conjunction((*program.located(location), *map(program.formula, cube)))
        for location, inside in cubes.items()
        for cube in inside
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
    closed = not any(_OPEN in row for row in successors)
    if closed and all(test.meets(state) is None for state in states):
        states, successors = trimmed(domain, test, states, successors)
    return stated(net, domain, test, states, successors)


def _successor(domain: Domain, states: States, state: States, transition: int) -> int | None:
    """The cube that contains what a firing leads to; None where the state disables it."""
    after = domain.fire(state, transition)
    if after is None:
        return None
    number = covering(states, domain.rounded(after))
    return _OPEN if number is None else number
