"""Feasibility of sets of templates by one incremental solver.

Leroux, Rümmer, Subotić 2016, the remark on incremental SMT in section 7.2. The conjuncts that all
abstractions of a family have in common are asserted once; what a template contributes is assumed
where the template is present. An unsatisfiable core of the assumptions is a smaller set of
templates that is feasible too, and a model shows which templates could be added in vain: `explain`
gives both to `feasibility_cache.FeasibilityCache`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

from petricheck.budget import Budget
from petricheck.laboratory.abstractions.relations import top_abstraction
from petricheck.laboratory.abstractions.sequence import SequenceAbstraction, SequenceProblem
from petricheck.laboratory.abstractions.templates import Template, template_abstraction
from petricheck.laboratory.lattices.feasibility_cache import FeasibilityCache
from petricheck.laboratory.lattices.lattice import AbstractionLattice, BooleanView, Element
from petricheck.presburger.formulas import Conjunction, Formula, evaluate
from petricheck.presburger.solver import Solver


@dataclass(frozen=True, slots=True)
class GuardedProblem:
    """A family of abstract problems, one for each set of templates.

    Attributes:
        common: the conjuncts of all of them.
        guarded: what each template adds, in the order of the lattice's atoms.
    """

    common: Formula
    guarded: tuple[Formula, ...]


def guarded_sequence(
    problem: SequenceProblem, templates: Sequence[tuple[int, Sequence[Template]]]
) -> GuardedProblem:
    """The abstract problems that templates make of a sequence.

    Args:
        problem: the sequence.
        templates: the cuts to abstract, and the templates at each; together, in this order, they
            are the atoms of a product of powersets.

    Raises:
        ValueError: a template uses a symbol that is not common at its cut.
    """
    points = tuple((cut, top_abstraction(problem.common(cut))) for cut, _ in templates)
    abstract = SequenceAbstraction(points).apply(problem)
    guarded = (_guarded(problem.common(cut), t) for cut, here in templates for t in here)
    return GuardedProblem(Conjunction(abstract.parts), tuple(guarded))


class FeasibilityChecker(Generic[Element]):
    """Decides feasibility in a powerset, or a product of powersets; use it in a `with`.

    Args:
        lattice: its atoms are the templates of the problem, in order.
        problem: what templates mean.
        budget: limits the checks, or None.

    Raises:
        ValueError: the lattice is not Boolean, or has other atoms than the problem.
    """

    def __init__(
        self,
        lattice: AbstractionLattice[Element],
        problem: GuardedProblem,
        *,
        budget: Budget | None = None,
    ) -> None:
        self._lattice = lattice
        self._view = _matching_view(lattice, problem)
        self._guarded = problem.guarded
        self._solver = Solver(budget)
        self._solver.add(problem.common)
        self._handles = [self._solver.assume(formula) for formula in problem.guarded]

    def __enter__(self) -> FeasibilityChecker[Element]:
        return self

    def __exit__(self, *error: object) -> None:
        self._solver.__exit__(*error)

    def __call__(self, element: Element) -> bool:
        """Whether the abstract problem has an interpolant.

        Raises:
            BudgetExhausted: a limit of the budget was reached, or the solver gave up.
        """
        return self.explain(element)[0]

    def explain(self, element: Element) -> tuple[bool, Element]:
        """Whether the element is feasible, and how far up, or how far down, that is plain.

        Raises:
            BudgetExhausted: a limit of the budget was reached, or the solver gave up.
        """
        chosen = self._view.encode(element)
        handles = [handle for i, handle in enumerate(self._handles) if chosen >> i & 1]
        model = self._solver.check(handles)
        if model is None:
            core = {handle.formula for handle in self._solver.core}
            kept = (i for i, formula in enumerate(self._guarded) if formula in core)
            return True, self._view.decode(sum(1 << i for i in kept if chosen >> i & 1))
        true = (i for i, formula in enumerate(self._guarded) if evaluate(formula, model))
        return False, self._view.decode(chosen | sum(1 << i for i in true))

    def cache(self) -> FeasibilityCache[Element]:
        """A cache for the algorithms of `exploration` that uses cores and models."""
        return FeasibilityCache(self._lattice, self.explain)


def _guarded(common: tuple[str, ...], template: Template) -> Formula:
    relation = template_abstraction(common, [template])
    return Conjunction((relation.relation_a, relation.relation_b))


def _matching_view(
    lattice: AbstractionLattice[Element], problem: GuardedProblem
) -> BooleanView[Element]:
    view = lattice.boolean
    if view is None or len(view.weights) != len(problem.guarded):
        raise ValueError("the lattice's atoms are not the templates of the problem")
    return view
