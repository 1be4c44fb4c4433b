"""An inductive invariant: a formula over the places.

(1) is evaluated. (2) and (3) have two tiers; what the first leaves open, the second decides.

*Exact*, where there are hints: integers only. `audit.exact` is for disjunctions of conjunctions,
`audit.basis` for clauses and half-spaces, as coverability finds them. Hints say where to look.

*Solver*: what would refute the obligation goes to a fresh z3, and on request to cvc5, which must
find that it has no model. What a solver cannot decide is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from petricheck.audit import exact
from petricheck.audit.limits import checked
from petricheck.audit.obligation import Obligation, obligations, refute_cvc5, refute_z3
from petricheck.budget import Budget
from petricheck.errors import EvidenceError
from petricheck.evidence.invariant import Certificate, CoverHints, Hints
from petricheck.presburger.formulas import Formula, evaluate
from petricheck.problem import Problem


@dataclass(frozen=True)
class Invariant:
    """A formula that holds initially, that every firing keeps, and that excludes the target."""

    of: ClassVar[type] = Certificate

    def discharge(
        self, problem: Problem, certificate: Certificate, budget: Budget, second_solver: bool
    ) -> str:
        """Discharge the three obligations, as far as can be without a solver."""
        invariant = checked("the invariant", problem.net, certificate.invariant, budget)
        problem = Problem(problem.net, checked("the target", problem.net, problem.target, budget))
        if not evaluate(invariant, problem.net.values(problem.net.initial)):
            raise EvidenceError("the invariant does not hold initially")
        tier = "checked in exact integer arithmetic"
        for obligation in _left_open(problem, invariant, certificate.hints, budget):
            refute_z3(obligation, budget)
            tier = "discharged by z3"
        if not second_solver:
            return tier
        for obligation in obligations(problem, invariant):
            refute_cvc5(obligation, budget)
        return f"{tier} and cvc5" if "z3" in tier else f"{tier} and discharged by cvc5"


def _left_open(
    problem: Problem, invariant: Formula, hints: Hints | CoverHints | None, budget: Budget
) -> Iterator[Obligation]:
    """What the exact tier does not settle of (2) and (3)."""
    if isinstance(hints, CoverHints):
        from petricheck.audit import basis  # numpy takes its time to be imported.

        return basis.left_open(problem, invariant, hints, budget)
    return exact.left_open(problem, invariant, hints or Hints((), ()), budget)
