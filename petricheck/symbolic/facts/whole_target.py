"""The whole target against the state equation over the integers, decided by z3 like the audit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import TRUE, Formula, variables
from petricheck.arithmetic.solvers.solver import Solver
from petricheck.evidence.audit.shapes.state_equation import (
    firings,
    solution,
    state_equation_obligation,
)
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.model.net import Net, Transition
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.symbolic.facts.proved import Facts

Firings: TypeAlias = Sequence[tuple[Transition, int]]
"""How often each transition fires, of those that do."""


def refute_over_integers(
    problem: Problem,
    facts: Facts,
    limits: Callable[[], Budget],
    contradict: Callable[[Firings], bool],
) -> StateEquationCertificate | None:
    """Return the certificate; None where a solution is left.

    Where z3 needs no further facts, the audit knows its answer.

    Args:
        problem: the question.
        facts: those so far.
        limits: of a query of z3 that begins now.
        contradict: adds facts that firings contradict; False where there are none.
    """
    certificate = facts.state_equation()
    obligation = state_equation_obligation(problem, certificate)
    model = solution(obligation, limits())
    if model is None:
        return certificate
    with Solver(limits(), equations=True) as solver:
        _add(solver, obligation.formula)
        while model is not None:
            if not contradict(_firings(problem.net, model)):
                return None
            before, certificate = certificate, facts.state_equation()
            if certificate.unmarked and not before.unmarked:  # over other variables
                return refute_over_integers(problem, facts, limits, contradict)
            _add(solver, _new_part(problem.net, before, certificate))
            solver.budget = limits()
            model = solver.check()
    return certificate


def _add(solver: Solver, formula: Formula) -> None:
    solver.add(formula)
    solver.add_natural(variables(formula))


def _new_part(
    net: Net, before: StateEquationCertificate, after: StateEquationCertificate
) -> Formula:
    """Return the part of the state equation of `after` that is not in that of `before`."""
    more = StateEquationCertificate(after.traps[len(before.traps) :], after.siphon, after.unmarked)
    return state_equation_obligation(Problem(net, TRUE), more).formula


def _firings(net: Net, model: Mapping[str, int]) -> Firings:
    counts = (model.get(firings(net, number), 0) for number in range(len(net.transitions)))
    return [pair for pair in zip(net.transitions, counts, strict=True) if pair[1]]
