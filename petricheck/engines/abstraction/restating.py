"""Invariants of any form, restated as disjunctions of bounds and residues with hints for the audit.

Without a solver the audit derives each bound after a firing from a single one before it. So an
abstract graph is explored, whose predicates are the atoms of the invariant. It has a path into the
target where several atoms were needed together; then an interpolant of the path, such as a sum of
atoms, is one more predicate.
"""

from __future__ import annotations

from petricheck.arithmetic.formulas.formulas import Formula, atoms
from petricheck.engines.abstraction.certify import certificate
from petricheck.engines.abstraction.domain import Precision
from petricheck.engines.abstraction.graph import AbstractGraph
from petricheck.engines.abstraction.guided import Guided
from petricheck.engines.abstraction.predicates import decisive
from petricheck.engines.abstraction.refine import Spurious, refine, refined
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget

REFINEMENTS = 50
"""The most times that interpolants are added."""

_PART, _SECONDS = 8, 2.0
"""Restating takes at most one part in so many of the time, and at most so many seconds."""


def with_hints(problem: Problem, invariant: Formula, budget: Budget) -> Certificate:
    """Return the invariant restated with hints; as it is where `restated` returns None.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    return restated(problem, invariant, budget) or Certificate(invariant)


def restated(problem: Problem, invariant: Formula, budget: Budget) -> Certificate | None:
    """Return a proof with hints, of the atoms of an invariant and others; None if it takes long.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    with budget.tolerate_overruns():
        return _explored(problem, invariant, budget.part(_PART, _SECONDS))
    return None


def _explored(problem: Problem, invariant: Formula, budget: Budget) -> Certificate | None:
    predicates = (p for atom in atoms(invariant) for p in decisive(problem.net, atom))
    graph = AbstractGraph(problem, Precision().refine(predicates), budget)
    heuristics, guide = Guided().advice()
    for _ in range(1 + REFINEMENTS):
        path = graph.explore(budget)
        if path is None:
            return certificate(graph)
        proposals = refine(problem, path, heuristics, guide, budget)
        if not isinstance(refined(graph, path, proposals), Spurious):
            return None
    return None
