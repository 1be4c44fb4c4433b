"""Transition systems in Presburger arithmetic, and interpolants for their paths.

Leroux, Rümmer, Subotić 2016, sections 7.3 and 8.1, for any system whose steps are formulas; it need
not be a net, nor need its variables be natural numbers. A path that does not lead into the target
is a sequence interpolation problem with a cut at every state it passes. Sets of templates, each
used at every cut, form the abstraction lattice; Algorithm 3 finds the cheapest that still separate,
and quantifier elimination the interpolants that they allow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from petricheck.budget import Budget
from petricheck.encoding.stamps import at, stamp
from petricheck.errors import BudgetExhausted
from petricheck.laboratory.abstractions.sequence import (
    SequenceAbstraction,
    SequenceProblem,
    is_sequence_solvable,
    strongest_sequence,
    weakest_sequence,
)
from petricheck.laboratory.abstractions.templates import (
    InequalityTemplate,
    PredicateTemplate,
    Template,
    TermTemplate,
    template_abstraction,
)
from petricheck.laboratory.lattices.exploration import explore_cheapest
from petricheck.laboratory.lattices.feasibility import (
    FeasibilityChecker,
    GuardedProblem,
    guarded_sequence,
)
from petricheck.laboratory.lattices.lattice import PowersetLattice
from petricheck.laboratory.prover import (
    Interpolated,
    Satisfiable,
    Undecided,
    interpolate_sequence,
)
from petricheck.presburger.formulas import Conjunction, Formula, substitute, variables
from petricheck.presburger.terms import Term, variable

_AFTER = "'"

Chosen = TypeVar("Chosen", bound=Template)


def after(name: str) -> Term:
    """The value of a variable after a step."""
    return variable(name + _AFTER)


@dataclass(frozen=True, slots=True)
class TransitionSystem:
    """States are integer values of variables.

    Attributes:
        variables: of a state; their names do not end in an apostrophe.
        initial: the states to begin in.
        transitions: by name, what a step relates: variables, their values `after` it, and any
            other symbols, which are local to the step.
        target: the states that should not be reached.
    """

    variables: tuple[str, ...]
    initial: Formula
    transitions: Mapping[str, Formula]
    target: Formula

    def path(self, names: Sequence[str]) -> PathProblem:
        """Does this sequence of transitions lead from an initial state into the target?

        Raises:
            KeyError: there is no such transition.
            ValueError: the initial states or the target are about other symbols than variables.
        """
        self._refuse_foreign()
        steps = [self._step(self.transitions[name], k) for k, name in enumerate(names)]
        last = len(names)
        return PathProblem(
            self.variables, (stamp(self.initial, 0), *steps, stamp(self.target, last))
        )

    def _refuse_foreign(self) -> None:
        for part, formula in (("initial states", self.initial), ("targets", self.target)):
            foreign = set(variables(formula)).difference(self.variables)
            if foreign:
                raise ValueError(f"the {part} use {min(foreign)!r}, which is no variable")

    def _step(self, transition: Formula, k: int) -> Formula:
        """The formula about the states at times k and k + 1."""
        stamped = {name: at(name, k) for name in self.variables}
        stamped |= {name + _AFTER: at(name, k + 1) for name in self.variables}
        local = set(variables(transition)).difference(stamped)
        stamped |= {name: at(name, k) + "#" for name in local}
        return substitute(transition, {name: variable(new) for name, new in stamped.items()})


@dataclass(frozen=True, slots=True)
class PathProblem:
    """A path as a sequence interpolation problem (Def. 10), cut at its states.

    Attributes:
        variables: of a state, those at time k named as `encoding.stamps.at` does.
        parts: the initial states, the steps, the target; only neighbours share symbols.
    """

    variables: tuple[str, ...]
    parts: tuple[Formula, ...]

    @property
    def sequence(self) -> SequenceProblem:
        """The problem; interpolants may use all variables of a state."""
        cuts = range(1, len(self.parts))
        return SequenceProblem(self.parts, tuple((cut, self._state(cut - 1)) for cut in cuts))

    def solvable(self, *, seconds: float | None = None) -> bool:
        """Whether the path does not lead into the target, so that there are interpolants.

        Raises:
            BudgetExhausted: the solver gave up.
        """
        return is_sequence_solvable(self.sequence, seconds=seconds)

    def cheapest(
        self,
        costs: Mapping[Chosen, int],
        *,
        budget: Budget | None = None,
        limit: int | None = None,
    ) -> list[tuple[Chosen, ...]]:
        """The cheapest sets of templates that have interpolants (Algorithm 3).

        Args:
            costs: the templates, over the variables of a state, with the cost of each.
            budget: limits the search.
            limit: how many sets are wanted, all that are cheapest without it.

        Raises:
            BudgetExhausted: a limit of the budget was reached, or the solver gave up.
            ValueError: a template uses a symbol that is no variable of a state.
        """
        budget = budget or Budget()
        templates = tuple(costs)
        lattice = PowersetLattice(templates, tuple(costs.values()))
        guarded = self._guarded(templates)
        with FeasibilityChecker(lattice, guarded, budget=budget) as checker:
            cache = checker.cache()
            if not cache.feasible(lattice.bottom):
                return []
            found = explore_cheapest(lattice, cache, budget=budget, limit=limit)
        return [tuple(templates[index] for index in sorted(chosen)) for chosen in found]

    def strongest(
        self, templates: Iterable[Template], *, seconds: float | None = None
    ) -> tuple[Formula, ...]:
        """The strongest interpolants that the templates allow, one for each state of the path.

        Raises:
            BudgetExhausted: the solver gave up.
            ValueError: the templates have no interpolants, or use other symbols.
        """
        return self._interpolants(strongest_sequence, templates, seconds)

    def weakest(
        self, templates: Iterable[Template], *, seconds: float | None = None
    ) -> tuple[Formula, ...]:
        """The weakest interpolants that the templates allow, one for each state of the path.

        Raises:
            BudgetExhausted: the solver gave up.
            ValueError: the templates have no interpolants, or use other symbols.
        """
        return self._interpolants(weakest_sequence, templates, seconds)

    def proved(
        self, templates: Iterable[Template], *, budget: Budget | None = None
    ) -> tuple[Formula, ...]:
        """Interpolants that the templates allow, from a proof, one for each state of the path.

        Raises:
            BudgetExhausted: the prover gave up.
            ValueError: the templates have no interpolants, or use other symbols.
        """
        match interpolate_sequence(self._abstract(templates).parts, budget=budget):
            case Interpolated(found):
                return tuple(self._plain(formula, k) for k, formula in enumerate(found))
            case Satisfiable():
                raise ValueError("the templates have no interpolants")
            case Undecided(reason):
                raise BudgetExhausted(reason)

    def _interpolants(
        self,
        extreme: Callable[..., tuple[Formula, ...]],
        templates: Iterable[Template],
        seconds: float | None,
    ) -> tuple[Formula, ...]:
        found = extreme(self._abstract(templates), seconds=seconds)[1:-1]
        return tuple(self._plain(formula, k) for k, formula in enumerate(found))

    def _abstract(self, templates: Iterable[Template]) -> SequenceProblem:
        """The problem, abstracted by the templates at every cut."""
        chosen = tuple(templates)
        points = tuple(
            (cut, template_abstraction(self._state(cut - 1), self._at(chosen, cut - 1)))
            for cut in range(1, len(self.parts))
        )
        return SequenceAbstraction(points).apply(self.sequence)

    def _guarded(self, templates: Sequence[Template]) -> GuardedProblem:
        """One conjunct for each template: what it says at all cuts."""
        cuts = range(1, len(self.parts))
        each = guarded_sequence(
            self.sequence, [(cut, self._at(templates, cut - 1)) for cut in cuts]
        )
        size = len(templates)
        together = (Conjunction(each.guarded[index::size]) for index in range(size))
        return GuardedProblem(each.common, tuple(together))

    def _state(self, k: int) -> tuple[str, ...]:
        return tuple(at(name, k) for name in self.variables)

    def _at(self, templates: Iterable[Template], k: int) -> tuple[Template, ...]:
        """The templates about the state at time k."""
        return tuple(_stamped(template, k) for template in templates)

    def _plain(self, formula: Formula, k: int) -> Formula:
        return substitute(formula, {at(name, k): variable(name) for name in self.variables})


def _stamped(template: Template, k: int) -> Template:
    match template:
        case TermTemplate(term):
            return TermTemplate(_term_at(term, k))
        case InequalityTemplate(term):
            return InequalityTemplate(_term_at(term, k))
        case PredicateTemplate(formula):
            return PredicateTemplate(stamp(formula, k))


def _term_at(term: Term, k: int) -> Term:
    return term.substitute({name: variable(at(name, k)) for name in term.variables})
