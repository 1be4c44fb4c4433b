"""The check of evidence before it is shown: as far as no solver is needed.

It spares readers what is evidently wrong, and the explanation what makes no sense. It proves
nothing, except for claims that `prove` checks quickly.
"""

from __future__ import annotations

from petricheck.evidence.audit import excluded_problem, prove
from petricheck.evidence.audit.initial import require_initially
from petricheck.evidence.audit.limits import checked
from petricheck.evidence.audit.shapes.state_equation import state_equation_obligation
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.evidence.claims import (
    Claim,
    Excluded,
    ExcludedAfter,
    ExcludedWith,
    Home,
    ReachabilitySet,
)
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget


def check_quickly(net: Net, claim: Claim) -> None:
    """Check the evidence as far as no solver is needed.

    EvidenceError where a trace does not fire; the evidence is wrong about the initial marking, a
    trap or a siphon; or the audit has no rule for this type of claims.
    """
    match claim:
        case Excluded() | ExcludedAfter() | ExcludedWith():
            problem, certificate = excluded_problem(net, claim, Budget())
            target = checked("the target", problem.net, problem.target, Budget())
            _check_certificate(Problem(problem.net, target), certificate)
        case Home(formulas):
            for formula in formulas:
                checked("a home space", net, formula, Budget())
        case ReachabilitySet():
            pass  # Not even the initial marking is shown.
        case _:
            prove(net, claim)


def _check_certificate(problem: Problem, certificate: object) -> None:
    match certificate:
        case Certificate(invariant):
            if problem.net.initials is None:
                invariant = checked("the invariant", problem.net, invariant, Budget())
                failure = "the invariant does not hold initially"
                require_initially(problem.net, invariant, failure, Budget())
        case StateEquationCertificate():
            state_equation_obligation(problem, certificate)
