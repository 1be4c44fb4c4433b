"""The independent check of evidence, from the net alone.

m0 is the initial marking. A transition t takes u_t, puts v_t, and has the effect δ_t = v_t − u_t.

- `Reached`: the trace is replayed with exact integers, and each formula is evaluated in the
  marking at its position (`traces`). `Pumped`: the loops are replayed (`traces`).
  `InfiniteRun`: a stem and a loop are replayed (`traces`).
- `Excluded`: a certificate I is an inductive invariant. With m ≥ 0 understood, (1) m0 ⊨ I,
  (2) I ∧ m ≥ u_t ⊨ I[m + δ_t] for every t, (3) I ∧ target is unsatisfiable. By (1), (2) and
  induction over firing sequences every reachable marking satisfies I. So by (3) none satisfies
  the target. For each type of certificate a member of `audit.shapes` shows (1) to (3); for tables
  with stubborn sets, which are no invariants, that no shortest way into the target begins in a row.
- `ExcludedAfter`: the trace is replayed, and the certificate is about the net whose initial
  marking is the last one of the trace.
- `ExcludedWith`: the certificate is about a net that records in a place whether one of the
  transitions has fired (`participation`).
- `Home`: for each type of proof a member of `audit.homes` shows that the markings are a home space.
- `Terminating`: all other transitions lower a ranking (`termination`).
- `ReachabilitySet`: the rows of a table are the reachable markings (`reachability_set`).

A parametric net has several initial markings m0. A trace begins in one of them, and in (1) all are
meant (`initial`); transitions that were added for engines count for nothing else.

An unfolded net is first compared with its coloured net (`unfolding`), and its traces are replayed
with the firing rule of the coloured net. A skeleton counts tokens of all colours; `skeleton` first
shows that it does. It can fire more than the coloured net. So it proves exclusions only, and its
traces name bindings of the coloured net (`bindings`). Whether a transition of the coloured net is
enabled follows from the colours, not from the totals (`observed`); more of it follows from the
tokens of classes of colours (`class_counts`, `counted_formulas`).

The audit trusts the net as read; `evaluate`, `substitute` and `cubes` of formulas; the solvers;
and for coloured nets `solutions` and the names of unfolded places and transitions.
"""

from __future__ import annotations

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.evidence.answer import Reachable, Unreachable
from petricheck.evidence.audit.homes import check_home
from petricheck.evidence.audit.limits import checked, integral
from petricheck.evidence.audit.participation import participation
from petricheck.evidence.audit.shapes import check_excluded
from petricheck.evidence.audit.traces import (
    check_infinite_run,
    check_pumped,
    check_reached,
    marking_after,
)
from petricheck.evidence.claims import (
    Claim,
    Excluded,
    ExcludedAfter,
    ExcludedWith,
    Home,
    InfiniteRun,
    Pumped,
    ReachabilitySet,
    Reached,
    Terminating,
    claim_of,
)
from petricheck.model.net import Net
from petricheck.model.parametric import given
from petricheck.model.problem import Problem
from petricheck.support.arguments import require_type
from petricheck.support.budget import Budget, require_budget
from petricheck.support.errors import BudgetExhausted, EvidenceError

REPLAYED = "replayed exactly"
"""How traces and repetitions are checked."""


def audit(
    problem: Problem,
    answer: Reachable | Unreachable,
    *,
    budget: Budget | None = None,
    second_solver: bool = False,
) -> str:
    """Check that the evidence proves the verdict on this problem; see `prove`."""
    require_type(problem, Problem, "a problem is made by make_problem")
    require_budget(budget)
    claim = claim_of(problem.target, answer)
    return prove(problem.net, claim, budget=budget, second_solver=second_solver)


def prove(
    net: Net, claim: Claim, *, budget: Budget | None = None, second_solver: bool = False
) -> str:
    """Check that the evidence proves the claim, and return how it was checked.

    No part of the evidence is trusted. With `second_solver`, cvc5 must also discharge every
    obligation of a certificate.

    Raises:
        EvidenceError: the evidence does not prove the claim; or the check reached a limit: then the
            text says so, and the cause is a `BudgetExhausted`.
    """
    limits = budget or Budget()
    try:
        check_origin(net, limits)
        several = Reached | Excluded | Pumped | InfiniteRun | Terminating
        if not isinstance(claim, Reached | Excluded | Terminating):
            _require_exact(net, claim)
        if net.initials is not None and not isinstance(claim, several):
            raise EvidenceError("such a claim is not proved of a net with several initial markings")
        match claim:
            case Reached():
                check_reached(net, claim, limits)
                return REPLAYED
            case Pumped():
                check_pumped(net, claim, limits)
                return REPLAYED
            case InfiniteRun():
                check_infinite_run(net, claim, limits)
                return REPLAYED
            case Terminating():
                from petricheck.evidence.audit import termination  # Few claims are of this type.

                return termination.check(net, claim, limits)
            case ReachabilitySet():
                from petricheck.evidence.audit import reachability_set  # numpy is slow to import.

                return reachability_set.check(net, claim, limits)
            case Excluded() | ExcludedAfter() | ExcludedWith():
                problem, certificate = excluded_problem(net, claim, limits)
                return check_excluded(problem, certificate, limits, second_solver)
            case Home(formulas, proof):
                if not formulas:
                    raise EvidenceError("no home space is named")
                return check_home(net, formulas, proof, limits, second_solver)
    except BudgetExhausted as limit:
        raise EvidenceError(f"the audit was inconclusive: {limit}") from limit
    raise EvidenceError(f"there is no rule for a claim of type {type(claim).__name__}")


def excluded_problem(
    net: Net, claim: Excluded | ExcludedAfter | ExcludedWith, budget: Budget
) -> tuple[Problem, object]:
    """Return a problem, and the certificate that has to exclude its target.

    EvidenceError where a trace cannot fire, or a formula or transition is none of the net.
    """
    match claim:
        case Excluded(formula, certificate):
            return _of_tokens(net, formula, certificate, budget)
        case ExcludedAfter(trace, formula):
            problem = Problem(net.beginning(marking_after(net, trace, budget)), formula)
        case ExcludedWith(transitions, formula):
            formula = checked("what is excluded", net, formula, budget)
            problem = participation(net, transitions, formula)
    return problem, claim.certificate


def _of_tokens(
    net: Net, formula: Formula, certificate: object, budget: Budget
) -> tuple[Problem, object]:
    """Return the problem; for a skeleton, one about totals or classes that follows.

    EvidenceError where the formula names something else.
    """
    if net.origin is None:
        return Problem(given(net), formula), certificate
    from petricheck.evidence.audit.colours.class_counts import Apart
    from petricheck.evidence.audit.colours.counted_formulas import counted_problem
    from petricheck.evidence.audit.colours.observed import of_totals  # Few nets are coloured.
    from petricheck.evidence.certificates.classes import ColourClasses
    from petricheck.model.coloured.skeleton import Skeleton

    if not isinstance(net.origin, Skeleton):
        return Problem(net, formula), certificate
    formula = checked("what is excluded", net, formula, budget, observing=True)
    if isinstance(certificate, ColourClasses):
        sizes = certificate.tracked, certificate.apart
        if not integral(*sizes) or min(sizes) < 0:
            raise EvidenceError("there is no such number of colours")
        problem = counted_problem(net, formula, Apart(*sizes), budget)
        return problem, certificate.certificate
    return Problem(net, of_totals(net, formula)), certificate


def _require_exact(net: Net, claim: Claim) -> None:
    """Refuse claims that a net cannot prove which can fire more than the one that it stands for."""
    if net.origin is None:
        return
    if net.origin.boundless and not isinstance(claim, Pumped | InfiniteRun):
        raise EvidenceError("without bounds it is not proved what can follow")
    from petricheck.model.coloured.skeleton import Skeleton  # Few nets are coloured.

    if isinstance(net.origin, Skeleton):
        raise EvidenceError("without colours it is not proved what can follow")


def check_origin(net: Net, budget: Budget) -> None:
    """Check that an unfolding or a skeleton describes its coloured net, or a net its guarded one.

    The check is made once per net. Callers that fork processes make it before they fork.
    EvidenceError where it does not describe it.
    """
    if net.origin is None:
        return
    from petricheck.model.guarded.translation import Complementation  # Few nets have an origin.

    if isinstance(net.origin, Complementation):
        from petricheck.evidence.audit.guards import check_complements

        check_complements(net, budget)
        return
    # numpy is slow to import.
    from petricheck.evidence.audit.colours.skeleton import check_skeleton
    from petricheck.evidence.audit.colours.unfolding import check_unfolding
    from petricheck.model.coloured.skeleton import Skeleton

    if isinstance(net.origin, Skeleton):
        check_skeleton(net)
    else:
        check_unfolding(net, budget)
