"""The proof of a complete, safe unwinding: the disjunction of the uncovered labels (Theorem 1)."""

from __future__ import annotations

import numpy as np

from petricheck.arithmetic.formulas.formulas import conjunction, disjunction
from petricheck.engines.abstraction.certify import Successors, stated, trimmed
from petricheck.engines.abstraction.domain import Domain, Precision, States
from petricheck.engines.abstraction.targets import TargetTest
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.laboratory.unwinding.tree import Unwinding


def certificate(tree: Unwinding, test: TargetTest) -> Certificate:
    """Return the disjunction; where the pair rule shows all edges, less of it."""
    numbers = list(tree.uncovered())
    labels = [tree.vertices[number].label for number in numbers]
    if any(label.others for label in labels):
        return Certificate(disjunction(map(conjunction, map(tree.conjuncts, numbers))))
    precision = Precision().refine(p for label in labels for p in label.predicates())
    domain = Domain(tree.net, precision)
    test.prepare(domain)
    states = np.array([label.row(domain) for label in labels])
    successors = _successors(tree, numbers)
    if _follows_by_pairs(domain, states, successors):
        states, successors = trimmed(domain, test, states, successors)
    return stated(tree.net, domain, test, states, successors)


def _successors(tree: Unwinding, numbers: list[int]) -> Successors:
    """Return, for each uncovered vertex and transition, the position of the uncovered successor."""
    positions = {number: position for position, number in enumerate(numbers)}
    table = []
    for number in numbers:
        row: list[int | None] = [None] * len(tree.net.transitions)
        for child in tree.vertices[number].children or ():
            vertex = tree.vertices[child]
            covering = child if vertex.covered_by is None else vertex.covered_by
            row[vertex.transition] = None if vertex.label.contradictory else positions[covering]
        table.append(row)
    return table


def _follows_by_pairs(domain: Domain, states: States, successors: Successors) -> bool:
    """Return whether the pair rule shows each edge; others need several bounds together."""
    for state, row in zip(states, successors, strict=True):
        for transition, successor in enumerate(row):
            after = domain.fire(state, transition)
            if after is not None and (successor is None or (after > states[successor]).any()):
                return False
    return True
