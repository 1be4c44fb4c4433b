"""Inductive invariants: formulas over the places.

(1) is evaluated, or asked of a solver where there are several initial markings. (2) and (3) have
two tiers. The second decides what the first does not settle.

*Exact*: integer arithmetic only, guided by hints. `evidence.audit.invariants.exact` is for
disjunctions of conjunctions, `evidence.audit.invariants.basis` for the clauses and half-spaces of
coverability.

*Solver*: a fresh z3, and cvc5 if it is required, must prove that the negated obligation has no
model. An obligation that a solver cannot decide is not discharged.
"""

from __future__ import annotations

from petricheck.evidence.audit.initial import require_initially
from petricheck.evidence.audit.invariants import exact
from petricheck.evidence.audit.invariants.obligation import (
    obligations,
    refute_cvc5,
    refute_z3,
)
from petricheck.evidence.audit.limits import checked
from petricheck.evidence.certificates.invariant import Certificate, CoverHints, Hints
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget


class Invariant:
    """A formula that holds initially, that every firing preserves, and that excludes the target."""

    of = Certificate

    def discharge(
        self, problem: Problem, certificate: Certificate, budget: Budget, second_solver: bool
    ) -> str:
        """Discharge the three obligations, without a solver where possible."""
        invariant = checked("the invariant", problem.net, certificate.invariant, budget)
        problem = Problem(problem.net, checked("the target", problem.net, problem.target, budget))
        failure, tier = (
            "the invariant does not hold initially",
            "checked in exact integer arithmetic",
        )
        if require_initially(problem.net, invariant, failure, budget):
            tier = "discharged by z3"
        hints = certificate.hints
        if isinstance(hints, CoverHints):
            from petricheck.evidence.audit.invariants import basis  # numpy is slow to import.

            still_open = basis.open_obligations(problem, invariant, hints, budget)
        else:
            still_open = exact.open_obligations(problem, invariant, hints or Hints((), ()), budget)
        for obligation in still_open:
            refute_z3(obligation, budget)
            tier = "discharged by z3"
        if not second_solver:
            return tier
        for obligation in obligations(problem, invariant):
            refute_cvc5(obligation, budget)
        return f"{tier} and cvc5" if "z3" in tier else f"{tier} and discharged by cvc5"
