"""The independent check of evidence, from the net alone.

*Reached*: the trace is replayed with exact integers, and formulas are evaluated where they are to
hold. *Pumped*: loops are fired (`traces`). *Excluded*: a certificate I is an inductive invariant:
with m ≥ 0 understood, (1) m0 ⊨ I, (2) I ∧ m ≥ u_t ⊨ I[m + δ_t] for every t, (3) I ∧ target is
unsatisfiable. By (1), (2) and induction every reachable marking satisfies I, so by (3) none is in
the target. How that is shown for certificates of some type, a member of `audit.shapes` says.
*ReachabilitySet*: a table has the reachable markings and no others (`reachability_set`).

*ExcludedAfter*: the trace is replayed, and the certificate is about the net that begins where it
ends. *ExcludedWith*: it is about a net in which the transitions are marked (`participation`).
*Home*: how it is shown for proofs of some type, a member of `audit.homes` says.

A net that was unfolded is first shown to be the unfolding of its coloured net (`unfolding`), and
its traces are replayed by the firing of that one. One that counts tokens of all colours is shown to
do so (`skeleton`); as it may do more than the coloured net, it proves what is excluded alone, and
a trace is one of bindings (`bindings`).

Trusted are: the net as read, `evaluate`, `substitute` and `cubes` of formulas, and the solvers; of
coloured nets `solutions`, and the names of what is unfolded.
"""

from __future__ import annotations

from petricheck.answer import Reachable, Unreachable
from petricheck.audit.homes import home_proof
from petricheck.audit.limits import checked
from petricheck.audit.participation import participation
from petricheck.audit.shapes import shape_of
from petricheck.audit.traces import check_pumped, check_reached, marking_after
from petricheck.budget import Budget
from petricheck.claims import (
    Claim,
    Excluded,
    ExcludedAfter,
    ExcludedWith,
    Home,
    Pumped,
    ReachabilitySet,
    Reached,
    claim_of,
)
from petricheck.errors import BudgetExhausted, EvidenceError
from petricheck.problem import Net, Problem


def audit(
    problem: Problem,
    answer: Reachable | Unreachable,
    *,
    budget: Budget | None = None,
    second_solver: bool = False,
) -> str:
    """Check that the evidence proves the verdict on this very problem, as `prove` does."""
    claim = claim_of(problem.target, answer)
    return prove(problem.net, claim, budget=budget, second_solver=second_solver)


def prove(
    net: Net, claim: Claim, *, budget: Budget | None = None, second_solver: bool = False
) -> str:
    """Check that the evidence proves the claim, none of it trusted; the text says which tier did.

    On request a second solver, cvc5, must also discharge every obligation of a certificate.

    Raises:
        EvidenceError: it does not, or that could not be decided; in the second case the text says
            so and the cause is a `BudgetExhausted`.
    """
    limits = budget or Budget()
    try:
        check_origin(net, limits)
        if not isinstance(claim, Reached | Excluded):
            _require_colours(net)
        match claim:
            case Reached():
                check_reached(net, claim, limits)
            case Pumped():
                check_pumped(net, claim, limits)
            case ReachabilitySet():
                from petricheck.audit import reachability_set  # numpy takes its time

                return reachability_set.check(net, claim, limits)
            case Excluded(formula, certificate):
                shape, problem = shape_of(certificate), Problem(net, formula)
                return shape.discharge(problem, certificate, limits, second_solver)
            case ExcludedAfter(trace, formula, certificate):
                later = net.beginning(marking_after(net, trace, limits))
                shape, problem = shape_of(certificate), Problem(later, formula)
                return shape.discharge(problem, certificate, limits, second_solver)
            case ExcludedWith(transitions, formula, certificate):
                formula = checked("what is excluded", net, formula, limits)
                problem = participation(net, transitions, formula)
                return shape_of(certificate).discharge(problem, certificate, limits, second_solver)
            case Home(formulas, proof):
                if not formulas:
                    raise EvidenceError("no home space is named")
                return home_proof(proof).discharge(net, formulas, proof, limits, second_solver)
    except BudgetExhausted as limit:
        raise EvidenceError(f"the audit was inconclusive: {limit}") from limit
    return "replayed exactly"


def _require_colours(net: Net) -> None:
    """Refuse claims about what may follow in a net that can do more than the coloured one.

    Raises:
        EvidenceError: the net counts tokens of all colours.
    """
    if net.origin is not None:
        from petricheck.coloured.skeleton import Skeleton  # Few nets are coloured.

        if isinstance(net.origin, Skeleton):
            raise EvidenceError("without colours it is not proved what can follow")


def check_origin(net: Net, budget: Budget) -> None:
    """That the net, if it came from a coloured one, tells of that one what it is said to.

    Shown once for a net. What forks processes asks before, since each had to show it else.

    Raises:
        EvidenceError: it is not.
        BudgetExhausted: time or memory ran out.
    """
    if net.origin is not None:
        # numpy takes its time
        from petricheck.audit.skeleton import check_skeleton
        from petricheck.audit.unfolding import check_unfolding
        from petricheck.coloured.skeleton import Skeleton

        if isinstance(net.origin, Skeleton):
            check_skeleton(net)
        else:
            check_unfolding(net, budget)
