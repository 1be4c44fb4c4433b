"""The independent check of evidence, from the net alone.

A trace is replayed with exact integers. A certificate I is an inductive invariant: with m ≥ 0
understood, (1) m0 ⊨ I, (2) I ∧ m ≥ u_t ⊨ I[m + δ_t] for every t, (3) I ∧ target is unsatisfiable.
By (1), (2) and induction every reachable marking satisfies I, so by (3) none is in the target.

How that is shown for certificates of some type, a member of `audit.shapes` says.

Trusted are: the net as read, `evaluate`, `substitute` and `cubes` of formulas, and the solvers.
"""

from __future__ import annotations

from collections import deque

from petricheck.answer import Reachable, Trace, Unreachable
from petricheck.audit.firing import replayed
from petricheck.audit.obligation import (
    Obligation,
    firings,
    obligations,
    state_equation_obligation,
)
from petricheck.audit.shapes import shape_of
from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted, EvidenceError
from petricheck.presburger.formulas import evaluate
from petricheck.problem import Problem

__all__ = ["Obligation", "audit", "firings", "obligations", "state_equation_obligation"]


def audit(
    problem: Problem,
    answer: Reachable | Unreachable,
    *,
    budget: Budget | None = None,
    second_solver: bool = False,
) -> str:
    """Check that the evidence proves the verdict; the text says which tier checked it.

    Args:
        problem: the question; the verdict is about it and nothing else.
        answer: the verdict with its evidence, none of it trusted.
        budget: limits for the check.
        second_solver: whether cvc5 must also discharge every obligation of a certificate.

    Raises:
        EvidenceError: the evidence does not prove the verdict, or that could not be decided; in
            the second case the text says so and the cause is a `BudgetExhausted`.
    """
    limits = budget or Budget()
    try:
        match answer:
            case Reachable(trace):
                return _replay(problem, trace, limits)
            case Unreachable(certificate):
                shape = shape_of(certificate)
                return shape.discharge(problem, certificate, limits, second_solver)
    except BudgetExhausted as limit:
        raise EvidenceError(f"the audit was inconclusive: {limit}") from limit


def _replay(problem: Problem, trace: Trace, budget: Budget) -> str:
    net = problem.net
    tokens = list(net.initial)
    deque(replayed(net, trace.steps, tokens, budget), maxlen=0)
    if not evaluate(problem.target, net.values(tuple(tokens))):
        raise EvidenceError("the trace ends in a marking outside the target")
    return "replayed exactly"
