"""The proof of a complete, safe unwinding: the disjunction of the uncovered labels (Theorem 1)."""

from __future__ import annotations

import numpy as np

from petricheck.abstraction.certify import Successors, stated, trimmed
from petricheck.abstraction.domain import Domain, Precision
from petricheck.abstraction.targets import TargetTest
from petricheck.evidence.invariant import Certificate
from petricheck.laboratory.unwinding.tree import Unwinding


def certificate(tree: Unwinding, test: TargetTest) -> Certificate:
    """The certificate; less than the disjunction where all coverings hold bound by bound."""
    numbers = list(tree.uncovered())
    labels = [tree.vertices[number].label for number in numbers]
    precision = Precision().refine(p for label in labels for p in label.predicates())
    domain = Domain(tree.net, precision)
    test.prepare(domain)
    states = np.array([label.row(domain) for label in labels])
    successors = _successors(tree, numbers)
    if _bound_by_bound(tree, numbers):
        states, successors = trimmed(domain, test, states, successors)
    return stated(tree.net, domain, test, states, successors)


def _successors(tree: Unwinding, numbers: list[int]) -> Successors:
    """For each uncovered vertex and transition the position of the vertex that stands for after."""
    positions = {number: position for position, number in enumerate(numbers)}
    table = []
    for number in numbers:
        row: list[int | None] = [None] * len(tree.net.transitions)
        for child in tree.vertices[number].children or ():
            here = tree.vertices[child]
            after = child if here.covered_by is None else here.covered_by
            row[here.transition] = None if here.label.contradictory else positions[after]
        table.append(row)
    return table


def _bound_by_bound(tree: Unwinding, numbers: list[int]) -> bool:
    """Whether each covering is shown by single bounds, and not by a solver alone."""
    children = (child for number in numbers for child in tree.vertices[number].children or ())
    pairs = ((child, tree.vertices[child].covered_by) for child in children)
    return all(by is None or bool((tree.known(v) <= tree.row(by)).all()) for v, by in pairs)
