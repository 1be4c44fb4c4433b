"""The state equation m = m0 + D·x with marked traps and an empty siphon.

The traps and the siphon are checked place by place (`obligation`); that no x solves the equation in
the target is for a solver.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from petricheck.audit.claims import checked
from petricheck.audit.obligation import state_equation_obligation
from petricheck.audit.solvers import refute_cvc5, refute_z3
from petricheck.budget import Budget
from petricheck.evidence.state_equation import StateEquationCertificate
from petricheck.problem import Problem


@dataclass(frozen=True)
class StateEquation:
    """No solution of the state equation is in the target."""

    of: ClassVar[type] = StateEquationCertificate

    def discharge(
        self,
        problem: Problem,
        certificate: StateEquationCertificate,
        budget: Budget,
        second_solver: bool,
    ) -> str:
        """Check traps and siphon, and let a solver refute the equation."""
        problem = Problem(problem.net, checked("the target", problem.net, problem.target, budget))
        obligation = state_equation_obligation(problem, certificate)
        refute_z3(obligation, budget)
        if second_solver:
            refute_cvc5(obligation, budget)
        return f"discharged by {'z3 and cvc5' if second_solver else 'z3'}"
