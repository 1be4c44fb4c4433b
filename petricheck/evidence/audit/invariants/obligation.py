"""The obligations (1) to (3) of `audit` as formulas that must have no solution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Formula,
    Negation,
    at_least,
    at_most,
    substitute,
)
from petricheck.arithmetic.formulas.terms import Term, variable
from petricheck.arithmetic.solvers import second_solver, solver
from petricheck.model.guarded.net import Guard
from petricheck.model.net import Net, Transition
from petricheck.model.parametric import initially
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, EvidenceError


@dataclass(frozen=True, slots=True)
class AuditObligation:
    """A formula that must have no solution in natural numbers; `name` says what one would mean."""

    name: str
    formula: Formula


def obligations(problem: Problem, invariant: Formula) -> Iterator[AuditObligation]:
    """Yield the obligations (1), (2), (3) of an invariant that excludes the target."""
    failure = Conjunction((initially(problem.net), Negation(invariant)))
    yield AuditObligation("the invariant does not hold initially", failure)
    for transition in problem.net.transitions:
        yield preservation(problem.net, transition, invariant, invariant)
    yield exclusion(problem, invariant)


def preservation(
    net: Net, transition: Transition, part: Formula, whole: Formula
) -> AuditObligation:
    """Return (2): no firing of the transition leads from `part` of an invariant out of `whole`.

    The transition has the upper guards and resets that it has in the guarded net, if any, of which
    this is the ordinary net. Invariants of that are kept by its drains (`audit.guards`) as well.
    """
    left = _left_out(net, transition)
    guard = [at_least(variable(net.places[place]), weight) for place, weight in transition.pre]
    guard += [at_most(variable(net.places[place]), weight - 1) for place, weight in left.upper]
    name = f"transition {transition.name!r} leaves the invariant"
    after = substitute(whole, successor(net, transition))
    return AuditObligation(name, Conjunction((part, *guard, Negation(after))))


def successor(net: Net, transition: Transition) -> Mapping[str, Term]:
    """Return the tokens after a firing, by the places that it changes, in those before."""
    names, put = net.places, dict(transition.post)
    changed = {names[p]: variable(names[p]) + change for p, change in transition.effect}
    resets = _left_out(net, transition).resets
    return changed | {names[place]: Term((), put.get(place, 0)) for place in resets}


def _left_out(net: Net, transition: Transition) -> Guard:
    return net.left_out.get(net.transition_numbers[transition.name], Guard())


def exclusion(problem: Problem, part: Formula) -> AuditObligation:
    """Return (3): no marking of `part` of an invariant satisfies the target."""
    return AuditObligation("the invariant meets the target", Conjunction((part, problem.target)))


def refute_z3(obligation: AuditObligation, budget: Budget) -> None:
    """Check with a fresh z3 that the obligation has no model; EvidenceError if it has one."""
    refuse(obligation, countermodel(obligation, budget))


def countermodel(
    obligation: AuditObligation, budget: Budget, *, equations: bool = False
) -> Mapping[str, int] | None:
    """Return a model of the obligation by a fresh z3, as `find_model` does; None if it has none."""
    try:
        return solver.find_model(
            obligation.formula, budget=budget, natural=True, equations=equations
        )
    except ValueError as error:
        raise BudgetExhausted("a number is too long for z3's interface") from error


def refuse(obligation: AuditObligation, model: Mapping[str, int] | None) -> None:
    """Raise an EvidenceError if there is a model."""
    if model is not None:
        values = [f"{name} = {value}" for name, value in islice(model.items(), 12)]
        more = ["…"] if len(model) > len(values) else []
        raise EvidenceError(f"{obligation.name}: {', '.join(values + more) or 'in any marking'}")


def refute_cvc5(obligation: AuditObligation, budget: Budget) -> None:
    """Check with cvc5 that the obligation has no model; raises as `refute_z3` does."""
    seconds = None if budget.seconds is None else budget.remaining
    if second_solver.satisfiable(obligation.formula, seconds=seconds):
        raise EvidenceError(f"cvc5: {obligation.name}")
