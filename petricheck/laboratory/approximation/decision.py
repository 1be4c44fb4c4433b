"""The decision procedure: which literals an operation allows together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from petricheck.budget import Budget
from petricheck.laboratory.approximation.literals import (
    Literal,
    after,
    before,
    is_after,
    predicate_of,
)
from petricheck.laboratory.approximation.operations import Relation
from petricheck.presburger.formulas import (
    Formula,
    evaluate,
    negate,
    substitute,
    variables,
)
from petricheck.presburger.solver import Model, Solver


class NaturalSolver:
    """A solver for formulas over natural numbers, which all are only assumed; use it in a `with`.

    Args:
        budget: limits on everything that is asked.
    """

    def __init__(self, budget: Budget) -> None:
        self._solver = Solver(budget)
        self._seen: set[Formula] = set()
        self._names: set[str] = set()

    def __enter__(self) -> Self:
        self._solver.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._solver.__exit__(*error)

    def declare(self, formula: Formula) -> Formula:
        """The same formula, whose symbols have values in models from now on."""
        if formula not in self._seen:
            self._seen.add(formula)
            names = [name for name in variables(formula) if name not in self._names]
            self._names.update(names)
            self._solver.add_natural(names)
        return formula

    def check(self, formulas: Sequence[Formula]) -> Model | None:
        """A model of all of them, or None.

        Raises:
            BudgetExhausted: a limit is reached, or the solver gave up.
        """
        return self._solver.check([self.declare(formula) for formula in formulas])

    @property
    def core(self) -> tuple[Formula, ...]:
        """Formulas of the last check without a model that have none together."""
        return tuple(assumption.formula for assumption in self._solver.core)


class DecisionProcedure:
    """What is asked about the relation of one operation.

    Args:
        relation: the meaning of the operation.
        predicates: what literals are about; may grow.
        solver: answers.
    """

    def __init__(
        self, relation: Relation, predicates: Sequence[Formula], solver: NaturalSolver
    ) -> None:
        self._relation, self._predicates, self._solver = relation, predicates, solver
        self._formulas: dict[Literal, Formula] = {}

    def model(self, literals: Sequence[Literal]) -> Model | None:
        """A step that satisfies the literals.

        Raises:
            BudgetExhausted: a limit is reached, or the solver gave up.
        """
        return self._check([self._formula(literal) for literal in literals])

    def conflict(self, literals: Sequence[Literal]) -> tuple[Literal, ...] | None:
        """Some of the literals that no step satisfies, none of them to spare; None where one does.

        Raises:
            BudgetExhausted: as by `model`.
        """
        core = self._core(literals)
        for literal in core or ():
            if core is not None and literal in core:
                fewer = self._core([other for other in core if other != literal])
                core = core if fewer is None else fewer
        return core

    def cartesian(self, states: Formula) -> tuple[Literal, ...] | None:
        """What holds after every step from these states; None where there is no step.

        The literals are about the state after the step, as a state before the next. It is the
        strongest Cartesian postcondition (Jhala, McMillan 2007, section 6.3).

        Raises:
            BudgetExhausted: as by `model`.
        """
        start = substitute(states, self._relation.before)
        literals = [after(number, True) for number in range(len(self._predicates))]
        formulas = [self._solver.declare(self._formula(literal)) for literal in literals]
        model = self._check([start])
        if model is None:
            return None
        pairs = zip(literals, formulas, strict=True)
        kept = [literal if evaluate(formula, model) else -literal for literal, formula in pairs]
        for literal in kept.copy():
            if literal in kept:
                other = self._check([start, self._formula(-literal)])
                if other is not None:
                    kept = [each for each in kept if evaluate(self._formula(each), other)]
        return tuple(before(predicate_of(each), each > 0) for each in kept)

    def _core(self, literals: Sequence[Literal]) -> tuple[Literal, ...] | None:
        """Some of the literals that no step satisfies, None where one does."""
        named = {self._formula(literal): literal for literal in literals}
        if self._check(list(named)) is not None:
            return None
        return tuple(named[formula] for formula in self._solver.core if formula in named)

    def _formula(self, literal: Literal) -> Formula:
        if literal not in self._formulas:
            predicate = self._predicates[predicate_of(literal)]
            places = self._relation.after if is_after(literal) else self._relation.before
            stated = predicate if literal > 0 else negate(predicate)
            self._formulas[literal] = substitute(stated, places)
        return self._formulas[literal]

    def _check(self, formulas: Sequence[Formula]) -> Model | None:
        """A step that satisfies the formulas."""
        return self._solver.check((self._relation.formula, *formulas))
