"""The interpolation problem of a path, and the templates that its interpolants may use.

Leroux, Rümmer, Subotić 2016, sections 7 and 8.1. A path that does not lead into the target is a
sequence problem (Def. 10) with a cut at every state of the path. A set of templates, each used at
every cut, is an element of the lattice; `search` finds the cheapest that are feasible. Interpolants
that a set allows come from quantifier elimination, or from a proof.

Feasibility is decided by one incremental solver (section 7.2). The common part of all abstractions
is asserted once; the formula of a template is assumed where the template is present. An
unsatisfiable core is a smaller feasible set. A model shows further templates whose formulas it
satisfies: the set stays infeasible with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from petricheck.arithmetic.formulas.formulas import Conjunction, Formula, evaluate, substitute
from petricheck.arithmetic.formulas.terms import Term, variable
from petricheck.arithmetic.solvers.solver import Solver
from petricheck.laboratory.abstractions.relations import (
    InequalityTemplate,
    PredicateTemplate,
    Template,
    TermTemplate,
    template_abstraction,
)
from petricheck.laboratory.abstractions.sequence import (
    SequenceAbstraction,
    SequenceProblem,
    strongest,
    weakest,
)
from petricheck.laboratory.lattices.hitting import bits
from petricheck.laboratory.lattices.search import Feasibility, cheapest
from petricheck.laboratory.prover import Interpolated, Undecided
from petricheck.laboratory.prover.templates import interpolate_over
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted
from petricheck.symbolic.encoding.stamps import at, stamp

Item = TypeVar("Item", bound=Template)


class Way(StrEnum):
    """The choice among the interpolants that templates allow."""

    PROVED = "proved"
    STRONGEST = "strongest"
    WEAKEST = "weakest"


@dataclass(frozen=True, slots=True)
class PathProblem:
    """A path as a sequence interpolation problem, cut at its states.

    Attributes:
        variables: of a state, those at time k named as `encoding.stamps.at` does.
        parts: the initial states, the steps, the target; only neighbours share symbols.
    """

    variables: tuple[str, ...]
    parts: tuple[Formula, ...]

    @property
    def sequence(self) -> SequenceProblem:
        """The problem; interpolants may use all variables of a state."""
        declared = ((k + 1, self._state(k)) for k in self._times)
        return SequenceProblem(self.parts, tuple(declared))

    def abstract(self, templates: Iterable[Template]) -> SequenceProblem:
        """Return the problem, abstracted by the templates at every cut."""
        selection = tuple(templates)
        points = tuple(
            (k + 1, template_abstraction(self._state(k), [_stamped(t, k) for t in selection]))
            for k in self._times
        )
        return SequenceAbstraction(points).apply(self.sequence)

    def cheapest(self, costs: Mapping[Item, int], budget: Budget) -> Iterator[tuple[Item, ...]]:
        """Yield the cheapest sets of templates that have interpolants.

        Args:
            costs: the templates, over the variables of a state, with the cost of each.
            budget: limits the search.

        Raises:
            BudgetExhausted: a limit of the budget was reached, or the solver gave up.
            ValueError: a template uses a symbol that is no variable of a state.
        """
        templates = tuple(costs)
        with Solver(budget) as solver:
            solver.add(Conjunction(self.abstract(()).parts))
            feasible = _feasibility(solver, [self._at_all_times(t) for t in templates])
            for element in cheapest(tuple(costs.values()), feasible, budget):
                yield tuple(templates[index] for index in bits(element))

    def interpolants(
        self, templates: Iterable[Template], way: Way, budget: Budget
    ) -> tuple[Formula, ...]:
        """Return interpolants that the templates allow, one for each state of the path.

        Raises:
            BudgetExhausted: solver or prover gave up.
            ValueError: the templates have no interpolants, or use other symbols.
        """
        match way:
            case Way.PROVED:
                formulas = self._proved(tuple(templates), budget)
            case Way.STRONGEST:
                formulas = strongest(self.abstract(templates), budget)
            case Way.WEAKEST:
                formulas = weakest(self.abstract(templates), budget)
        return tuple(self._unstamped(formula, k) for k, formula in enumerate(formulas))

    def _proved(self, templates: Sequence[Template], budget: Budget) -> tuple[Formula, ...]:
        stamped = [_stamped(template, k) for k in self._times for template in templates]
        match interpolate_over(self.parts, stamped, budget=budget):
            case Interpolated(formulas):
                return formulas
            case Undecided(reason):
                raise BudgetExhausted(reason)
            case _:
                raise ValueError("the templates have no interpolants")

    @property
    def _times(self) -> range:
        return range(len(self.parts) - 1)

    def _state(self, k: int) -> tuple[str, ...]:
        return tuple(at(name, k) for name in self.variables)

    def _at_all_times(self, template: Template) -> Formula:
        """Return the relations of the template at all times."""
        abstractions = (
            template_abstraction(self._state(k), [_stamped(template, k)]) for k in self._times
        )
        return Conjunction(tuple(r for a in abstractions for r in (a.relation_a, a.relation_b)))

    def _unstamped(self, formula: Formula, k: int) -> Formula:
        return substitute(formula, {at(name, k): variable(name) for name in self.variables})


def _feasibility(solver: Solver, contributions: Sequence[Formula]) -> Feasibility:
    def explain(selection: int) -> tuple[bool, int]:
        model = solver.check([contributions[index] for index in bits(selection)])
        if model is None:
            core = set(solver.core)
            return True, sum(1 << i for i in bits(selection) if contributions[i] in core)
        useless = (i for i, formula in enumerate(contributions) if evaluate(formula, model))
        return False, selection | sum(1 << i for i in useless)

    return Feasibility(explain)


def _stamped(template: Template, k: int) -> Template:
    """Return the template about the state at time k."""
    match template:
        case TermTemplate(term):
            return TermTemplate(_term_at(term, k))
        case InequalityTemplate(term):
            return InequalityTemplate(_term_at(term, k))
        case PredicateTemplate(formula):
            return PredicateTemplate(stamp(formula, k))


def _term_at(term: Term, k: int) -> Term:
    return term.substitute({name: variable(at(name, k)) for name in term.variables})
