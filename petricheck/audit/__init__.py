"""The independent check of evidence, from the net alone.

A trace is replayed with exact integers. A certificate I is an inductive invariant: with m ≥ 0
understood, (1) m0 ⊨ I, (2) I ∧ m ≥ u_t ⊨ I[m + δ_t] for every t, (3) I ∧ target is unsatisfiable.
By (1), (2) and induction every reachable marking satisfies I, so by (3) none is in the target.

(1) is evaluated. (2) and (3) have two tiers; what the first leaves open, the second decides.

*Exact*, where there are hints: integers only. `audit.exact` is for disjunctions of conjunctions,
`audit.basis` for clauses and half-spaces, as coverability finds them. Hints say where to look.

*Solver*: what would refute the obligation goes to a fresh z3, and on request to cvc5, which must
find that it has no model. What a solver cannot decide is refused.

Trusted are: the net as read, `evaluate`, `substitute` and `cubes` of formulas, and the solvers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from petricheck.answer import (
    Certificate,
    CoverHints,
    Hints,
    Reachable,
    StateEquationCertificate,
    Trace,
    Unreachable,
)
from petricheck.audit import exact
from petricheck.audit.limits import BITS, integral, watched
from petricheck.audit.obligation import (
    Obligation,
    exclusion,
    firings,
    obligations,
    preservation,
    state_equation_obligation,
)
from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted, EvidenceError
from petricheck.presburger.formulas import (
    Congruence,
    Formula,
    atoms,
    evaluate,
    substitute,
)
from petricheck.problem import Net, Problem

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
                return _discharge(problem, certificate, limits, second_solver)
    except BudgetExhausted as limit:
        raise EvidenceError(f"the audit was inconclusive: {limit}") from limit


def _replay(problem: Problem, trace: Trace, budget: Budget) -> str:
    net = problem.net
    tokens = list(net.initial)
    for number, (name, times) in enumerate(watched(trace.steps, budget), 1):
        if name not in net.transition_numbers:
            raise EvidenceError(f"step {number} of the trace: the net has no transition {name!r}")
        if not integral(times) or times < 1:
            raise EvidenceError(f"step {number} of the trace: {name!r} has no positive count")
        transition = net.transitions[net.transition_numbers[name]]
        enabled = all(tokens[place] >= weight for place, weight in transition.pre)
        for place, change in transition.effect:
            tokens[place] += times * change
        needed = dict.fromkeys((place for place, _ in transition.pre), 0) | dict(transition.post)
        if not enabled or any(tokens[place] < least for place, least in needed.items()):
            raise EvidenceError(f"step {number} of the trace: {name!r} cannot fire that often")
    if not evaluate(problem.target, net.values(tuple(tokens))):
        raise EvidenceError("the trace ends in a marking outside the target")
    return "replayed exactly"


def _discharge(
    problem: Problem,
    certificate: Certificate | StateEquationCertificate,
    budget: Budget,
    second: bool,
) -> str:
    match certificate:
        case Certificate():
            return _discharge_invariant(problem, certificate, budget, second)
        case StateEquationCertificate():
            return _discharge_state_equation(problem, certificate, budget, second)


def _discharge_invariant(
    problem: Problem, certificate: Certificate, budget: Budget, second: bool
) -> str:
    invariant = _checked("the invariant", problem.net, certificate.invariant, budget)
    problem = Problem(problem.net, _checked("the target", problem.net, problem.target, budget))
    if not evaluate(invariant, problem.net.values(problem.net.initial)):
        raise EvidenceError("the invariant does not hold initially")
    tier = "checked in exact integer arithmetic"
    for obligation in _left_open(problem, invariant, certificate.hints, budget):
        _refute_z3(obligation, budget)
        tier = "discharged by z3"
    if not second:
        return tier
    for obligation in obligations(problem, invariant):
        _refute_cvc5(obligation, budget)
    return f"{tier} and cvc5" if "z3" in tier else f"{tier} and discharged by cvc5"


def _discharge_state_equation(
    problem: Problem, certificate: StateEquationCertificate, budget: Budget, second: bool
) -> str:
    problem = Problem(problem.net, _checked("the target", problem.net, problem.target, budget))
    obligation = state_equation_obligation(problem, certificate)
    _refute_z3(obligation, budget)
    if second:
        _refute_cvc5(obligation, budget)
    return f"discharged by {'z3 and cvc5' if second else 'z3'}"


def _checked(what: str, net: Net, formula: Formula, budget: Budget) -> Formula:
    """The formula with its terms in normal form; refused unless integral and about the net."""
    in_order = True
    for atom in watched(atoms(formula), budget):
        names = [name for name, _ in atom.term.coefficients]
        numbers = [value for _, value in atom.term.coefficients]
        in_order = in_order and names == sorted(set(names)) and all(numbers)
        modulus = atom.modulus if isinstance(atom, Congruence) else 1
        if not integral(atom.term.constant, modulus, *numbers) or modulus < 1:
            raise EvidenceError(
                f"{what} has a number that is no integer, or a modulus below 1, "
                f"or more than {BITS} bits"
            )
        for name in names:
            if name not in net.place_numbers:
                raise EvidenceError(f"{what} names {name!r}, which is no place of the net")
    return formula if in_order else substitute(formula, {})


def _left_open(
    problem: Problem, invariant: Formula, hints: Hints | CoverHints | None, budget: Budget
) -> Iterator[Obligation]:
    """What the exact tier does not settle of (2) and (3)."""
    match hints:
        case Hints():
            yield from exact.left_open(problem, invariant, hints, budget)
        case CoverHints():
            from petricheck.audit import basis  # numpy takes its time to be imported.

            yield from basis.left_open(problem, invariant, hints, budget)
        case None:
            for transition in problem.net.transitions:
                budget.check()
                yield preservation(problem.net, transition, invariant, invariant)
            yield exclusion(problem, invariant)


def _refute_z3(obligation: Obligation, budget: Budget) -> None:
    from petricheck.presburger.solver import find_model

    seconds = None if budget.seconds is None else budget.remaining
    try:
        model = find_model(obligation.formula, seconds=seconds, natural=True)
        if model is None:
            return
        shown = [f"{name} = {value}" for name, value in islice(model.items(), 12)]
    except ValueError as error:
        raise BudgetExhausted("a number is too long for z3's interface") from error
    more = ["…"] if len(model) > len(shown) else []
    raise EvidenceError(f"{obligation.name}: {', '.join(shown + more) or 'in any marking'}")


def _refute_cvc5(obligation: Obligation, budget: Budget) -> None:
    from petricheck.presburger import second_solver

    seconds = None if budget.seconds is None else budget.remaining
    if second_solver.satisfiable(obligation.formula, seconds=seconds):
        raise EvidenceError(f"cvc5: {obligation.name}")
