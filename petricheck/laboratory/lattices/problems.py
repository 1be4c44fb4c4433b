"""The interpolation problem of a path, and the templates that its interpolants may use.

Leroux, Rümmer, Subotić 2016, sections 7 and 8.1. A path that does not lead into the target is a
sequence problem (Def. 10) with a cut at every state of the path. The lattice is the powerset of the
templates, where one set is used at all cuts, or the product of one powerset for each cut; `search`
finds the cheapest elements that are feasible. Interpolants that an element allows come from
quantifier elimination, or from a proof.

Feasibility is decided by one incremental solver (section 7.2). The common part of all abstractions
is asserted once; the formula of a template at its cuts is assumed where the template is present.
An unsatisfiable core is a smaller feasible set. A model shows further templates whose formulas it
satisfies: the set stays infeasible with them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from petricheck.arithmetic.formulas.formulas import Conjunction, Formula, evaluate, substitute
from petricheck.arithmetic.formulas.terms import Term, constant, variable
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
from petricheck.laboratory.lattices.search import Feasibility, Search, cheapest
from petricheck.laboratory.prover import Interpolated, Undecided
from petricheck.laboratory.prover.templates import interpolate_over
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted
from petricheck.symbolic.encoding.stamps import at, stamp

Item = TypeVar("Item", bound=Template)

NO_TERM = TermTemplate(constant(0))
"""Says nothing. With it a cut is abstracted even if it has no other template."""


class Cuts(StrEnum):
    """The lattice of a path: one set of templates for all its cuts, or one for each."""

    SAME = "same"
    EACH = "each"


class Way(StrEnum):
    """The choice among the interpolants that templates allow."""

    PROVED = "proved"
    STRONGEST = "strongest"
    WEAKEST = "weakest"


@dataclass(frozen=True, slots=True)
class LatticeElement(Generic[Item]):
    """Templates with which a path has interpolants.

    Attributes:
        cuts: the templates at each cut.
        cost: of the element.
        queries: how often feasibility was decided until then.
    """

    cuts: tuple[tuple[Item, ...], ...]
    cost: int
    queries: int


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

    def abstract(self, cuts: Sequence[Collection[Template]]) -> SequenceProblem:
        """Return the problem, abstracted by the templates of each cut."""
        points = tuple(
            (k + 1, template_abstraction(self._state(k), [_stamped(t, k) for t in templates]))
            for k, templates in zip(self._times, cuts, strict=True)
        )
        return SequenceAbstraction(points).apply(self.sequence)

    def cheapest(
        self,
        costs: Mapping[Item, int],
        budget: Budget,
        cuts: Cuts = Cuts.SAME,
        search: Search = Search.HITTING_SETS,
    ) -> Iterator[LatticeElement[Item]]:
        """Yield the cheapest elements of the lattice that have interpolants.

        Args:
            costs: the templates, over the variables of a state, with the cost of each.
            budget: limits the search.
            cuts: the lattice; an element of a product costs the sum over its cuts.
            search: how they are searched for.

        Raises:
            BudgetExhausted: a limit of the budget was reached, or the solver gave up.
            ValueError: a template uses a symbol that is no variable of a state.
        """
        times = [tuple(self._times)] if cuts is Cuts.SAME else [(k,) for k in self._times]
        bases = [(template, where) for where in times for template in costs]
        prices = [costs[template] for template, _ in bases]
        with Solver(budget) as solver:
            solver.add(Conjunction(self.abstract([()] * len(self._times)).parts))
            feasible = _feasibility(solver, [self._relations(*base) for base in bases])
            for element in cheapest(prices, feasible, budget, search):
                selection = [bases[index] for index in bits(element)]
                yield LatticeElement(
                    tuple(tuple(t for t, where in selection if k in where) for k in self._times),
                    sum(prices[index] for index in bits(element)),
                    feasible.queries,
                )

    def interpolants(
        self, cuts: Sequence[Collection[Template]], way: Way, budget: Budget
    ) -> tuple[Formula, ...]:
        """Return interpolants that the templates of each cut allow, one for each state of the path.

        Raises:
            BudgetExhausted: solver or prover gave up.
            ValueError: the templates have no interpolants, or use other symbols.
        """
        match way:
            case Way.PROVED:
                formulas = self._proved(cuts, budget)
            case Way.STRONGEST:
                formulas = strongest(self.abstract(cuts), budget)
            case Way.WEAKEST:
                formulas = weakest(self.abstract(cuts), budget)
        return tuple(self._unstamped(formula, k) for k, formula in enumerate(formulas))

    def _proved(self, cuts: Sequence[Collection[Template]], budget: Budget) -> tuple[Formula, ...]:
        stamped = [_stamped(t, k) for k, templates in enumerate(cuts) for t in templates]
        match interpolate_over(self.parts, [*stamped, NO_TERM], budget=budget):
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

    def _relations(self, template: Template, times: Sequence[int]) -> Formula:
        """Return the relations of the template at these times."""
        abstractions = (
            template_abstraction(self._state(k), [_stamped(template, k)]) for k in times
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
