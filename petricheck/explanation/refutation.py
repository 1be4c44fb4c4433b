"""Evidence that is not what it is called: what the audit refutes without any solver."""

from __future__ import annotations

from petricheck.answer import Certificate, StateEquationCertificate
from petricheck.audit.claims import checked
from petricheck.audit.obligation import state_equation_obligation
from petricheck.audit.proofs import prove
from petricheck.budget import Budget
from petricheck.claims import Claim, Excluded
from petricheck.errors import EvidenceError
from petricheck.presburger.formulas import evaluate
from petricheck.problem import Net, Problem


def refuted(net: Net, claim: Claim) -> str | None:
    """What is wrong with the claim; None where nothing is found."""
    try:
        match claim:
            case Excluded(formula, certificate):
                _check(Problem(net, checked("the target", net, formula, Budget())), certificate)
            case _:
                prove(net, claim)
    except EvidenceError as error:
        return str(error)
    return None


def _check(problem: Problem, certificate: object) -> None:
    """What a certificate says of the initial marking, of traps and of siphons.

    Raises:
        EvidenceError: it is not so.
    """
    match certificate:
        case Certificate(invariant):
            initially = problem.net.values(problem.net.initial)
            if not evaluate(checked("the invariant", problem.net, invariant, Budget()), initially):
                raise EvidenceError("the invariant does not hold initially")
        case StateEquationCertificate():
            state_equation_obligation(problem, certificate)
