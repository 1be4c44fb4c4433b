"""The abstract interpolation problem of Leroux et al. 2016, written in logic and given to a solver.

The path becomes its sequence problem (Def. 10; φ of section 9.2, φ^acc of 9.3 where an action is
accelerated: `paths.path_parts`). The heuristics' templates (`_templates`) become inequality
abstractions (Def. 5) at every cut. The lattice has one set of templates for all cuts, or a set for
each (section 8.1). Of its elements with which the problem is still solvable, a cheapest is searched
(Algorithm 3). The prover finds interpolants that it allows, or quantifier elimination the strongest
or the weakest. Nothing is restricted to half-spaces or to the rationals:
feasibility is that of Def. 2.

Guide `lattice` solves linear programs; this one uses an SMT solver and the prover, which may take
long. It shows the definitions at work. The atoms of the interpolants become predicates. An abstract
state is a conjunction of them, and the graph their disjunction: of a disjunctive interpolant, each
state has the part that holds in it. A state has single bounds, so that an interpolant that refutes
the path need not exclude it from the graph; then `abstraction.refine` continues with other
refinements. Congruences of the target are left to its modular separators.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petricheck.arithmetic.formulas.formulas import (
    Equality,
    Formula,
    atoms,
    conjunction,
    normal,
    tighten,
)
from petricheck.engines.abstraction.predicates import stated
from petricheck.engines.guides import Choice, PathPart, part
from petricheck.engines.heuristics import Displacement
from petricheck.laboratory.abstractions.relations import InequalityTemplate
from petricheck.laboratory.guides._templates import Pricing
from petricheck.laboratory.lattices.problems import PathProblem, Way
from petricheck.laboratory.paths import path_parts
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted
from petricheck.support.plugins import option
from petricheck.symbolic.interpolation.path import PathQuestion
from petricheck.symbolic.linear import Constraint, HalfSpace, direction_of, term_of


@dataclass(frozen=True)
class Abstract(Pricing):
    """Give the paper's abstract interpolation problem to a solver; exact and slow."""

    part: str = part(PathPart.WHOLE)  # the whole path, as in section 9.2

    interpolants: str = option(Way.PROVED.value, "proved, strongest or weakest ones", Way)

    def interpolate(
        self, question: PathQuestion, displacements: Sequence[Displacement], budget: Budget
    ) -> Choice | None:
        """Return the atoms of interpolants in a cheapest set of templates, or None."""
        net, path = question.net, _path_problem(question)
        costs: dict[InequalityTemplate, int] = {}
        for direction, cost in self.templates(question, displacements):
            template = InequalityTemplate(term_of(net, direction))
            costs[template] = min(cost, costs.get(template, cost))
        try:
            element = next(path.cheapest(costs, budget, *self.exploration), None)
            if element is None:
                return None
            interpolants = path.interpolants(element.cuts, Way(self.interpolants), budget)
        except BudgetExhausted:
            budget.check()  # z3 may also give up early
            return None
        literals = (atom for formula in interpolants for atom in atoms(tighten(normal(formula))))
        predicates = dict.fromkeys(p for atom in literals for p in stated(net, atom))
        templates = dict.fromkeys(template for cut in element.cuts for template in cut)
        directions = tuple(direction_of(net, template.term) for template in templates)
        return Choice(tuple(predicates), None, directions, element.cost, element.queries)


def _path_problem(question: PathQuestion) -> PathProblem:
    """Return the question in logic."""
    net = question.net
    numbers = net.transition_numbers
    path = [numbers[b.transition.name] for b in question.blocks for _ in range(b.worst)]
    accelerated = {numbers[b.transition.name] for b in question.blocks if b.count is None}
    target = conjunction(_formula(net, row) for row in question.goal)
    return PathProblem(net.places, path_parts(Problem(net, target), path, accelerated))


def _formula(net: Net, row: Constraint) -> Formula:
    match row:
        case HalfSpace():
            return row.inequality(net)
        case _:
            return Equality(term_of(net, row.direction) - row.bound)
