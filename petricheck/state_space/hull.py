"""One conjunction around a finite set of markings, made inductive by leaving atoms out.

The candidates are the place invariants, the bounds of every place, and the bounds of every term
that the target compares. Whatever a transition may break is left out until nothing is (Flanagan
and Leino: Houdini, 2001). The greatest inductive conjunction of the candidates is left, and it is
a proof where it excludes the target.
"""

from __future__ import annotations

from collections.abc import Sequence

from petricheck.budget import Budget
from petricheck.evidence.invariant import Certificate
from petricheck.linear import dense
from petricheck.presburger.algebra import orthogonal_complement
from petricheck.presburger.formulas import (
    Equality,
    Formula,
    Inequality,
    at_least,
    at_most,
    atoms,
    conjunction,
    evaluate,
    negate,
    substitute,
    tighten,
)
from petricheck.presburger.solver import Solver
from petricheck.presburger.terms import Term, linear, variable
from petricheck.problem import Net, Problem, Transition
from petricheck.state_space.arcs import Rows
from petricheck.state_space.evaluation import values

PLACES = 400
"""Nets with more places are not asked for their place invariants."""

ROUNDS = 50
"""How often candidates may be left out."""


def hull(problem: Problem, rows: Rows, budget: Budget) -> Certificate | None:
    """A certificate from the hull of all reachable markings, or None where it is none.

    Raises:
        BudgetExhausted: time or memory ran out, or the solver gave up.
    """
    net = problem.net
    fixed = _invariants(net)
    bounds = _bounds(problem, rows)
    for _ in range(ROUNDS):
        budget.check()
        invariant = conjunction([*fixed, *bounds])
        if _meets(invariant, problem.target, net, budget):
            return None
        kept = _preserved(net, fixed, bounds, budget)
        if len(kept) == len(bounds):
            return Certificate(invariant)
        bounds = kept
    return None


def _invariants(net: Net) -> list[Formula]:
    if len(net.places) > PLACES:
        return []
    effects = {transition.effect for transition in net.transitions if transition.effect}
    rows = [dense(effect, range(len(net.places))) for effect in sorted(effects)]
    start = net.values(net.initial)
    found: list[Formula] = []
    for vector in orthogonal_complement(rows, len(net.places)):
        term = linear(zip(net.places, vector, strict=True))
        found.append(Equality(term - term.evaluate(start)))
    return found


def _bounds(problem: Problem, rows: Rows) -> list[Inequality]:
    """The least and the greatest value of each place and of each term of the target."""
    terms = [variable(place) for place in problem.net.places]
    terms += [Term(atom.term.coefficients, 0) for atom in atoms(problem.target)]
    found: dict[Inequality, None] = {}
    for term in dict.fromkeys(terms):
        reached = values(term, problem.net.place_numbers, rows)
        found[at_most(term, int(reached.max()))] = None
        found[at_least(term, int(reached.min()))] = None
    return [bound for bound in found if tighten(bound) != conjunction(())]


def _meets(invariant: Formula, target: Formula, net: Net, budget: Budget) -> bool:
    with Solver(budget, net.places) as solver:
        solver.add(invariant)
        solver.add(target)
        return solver.check() is not None


def _preserved(
    net: Net, fixed: Sequence[Formula], bounds: Sequence[Inequality], budget: Budget
) -> list[Inequality]:
    """The bounds that no transition breaks from where all bounds hold."""
    kept = list(bounds)
    with Solver(budget, net.places) as solver:
        solver.add(conjunction([*fixed, *bounds]))
        for transition in net.transitions:
            budget.check()
            kept = _after(net, transition, kept, solver)
    return kept


def _after(
    net: Net, transition: Transition, bounds: list[Inequality], solver: Solver
) -> list[Inequality]:
    shift = {net.places[p]: variable(net.places[p]) + change for p, change in transition.effect}
    moved = {bound: substitute(bound, shift) for bound in bounds}
    kept = bounds
    solver.push()
    for place, weight in transition.pre:
        solver.add(at_least(variable(net.places[place]), weight))
    while broken := [moved[bound] for bound in kept if moved[bound] != bound]:
        solver.push()
        solver.add(negate(conjunction(broken)))
        model = solver.check()
        solver.pop()
        if model is None:
            break
        marking = dict.fromkeys(net.places, 0) | model
        kept = [bound for bound in kept if evaluate(moved[bound], marking)]
    solver.pop()
    return kept
