"""The abstract program: predicates, and what operations do to them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Self

from petricheck.abstraction.domain import Predicate
from petricheck.budget import Budget
from petricheck.laboratory.approximation.decision import DecisionProcedure, NaturalSolver
from petricheck.laboratory.approximation.literals import Clause, Cube, Literal, before, predicate_of
from petricheck.laboratory.approximation.operations import Operation, Relation, relation
from petricheck.laboratory.images.cartesian import atoms_of
from petricheck.presburger.formulas import (
    Formula,
    conjunction,
    disjunction,
    evaluate,
    negate,
)
from petricheck.problem import Problem


class AbstractProgram:
    """Predicates and decision procedures (2007, sections 5 and 6.1); use it in a `with`.

    Args:
        problem: the question.
        precondition: as in `operations.relation`.
        budget: limits on everything that is asked.

    Attributes:
        predicates: atoms over place ids.
        lemmas: by operation, clauses that it implies, as far as they are known.
    """

    def __init__(self, problem: Problem, precondition: bool, budget: Budget) -> None:
        self.problem, self._precondition = problem, precondition
        self.predicates: list[Formula] = []
        self.lemmas: dict[Operation, list[Clause]] = defaultdict(list)
        self._procedures: dict[Operation, DecisionProcedure] = {}
        self._solver = NaturalSolver(budget)

    def __enter__(self) -> Self:
        self._solver.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._solver.__exit__(*error)

    @property
    def initial(self) -> tuple[Literal, ...]:
        """The state of the initial marking."""
        values = self.problem.net.values(self.problem.net.initial)
        return tuple(before(j, evaluate(p, values)) for j, p in enumerate(self.predicates))

    def relation(self, operation: Operation) -> Relation:
        """What the operation means."""
        return relation(self.problem.net, operation, self._precondition)

    def procedure(self, operation: Operation) -> DecisionProcedure:
        """What decides about this operation."""
        if operation not in self._procedures:
            meaning = self.relation(operation)
            procedure = DecisionProcedure(meaning, self.predicates, self._solver)
            self._procedures[operation] = procedure
        return self._procedures[operation]

    def formula(self, literal: Literal) -> Formula:
        """What a literal about the state before a step says of the marking."""
        predicate = self.predicates[predicate_of(literal)]
        return predicate if literal > 0 else negate(predicate)

    def track(self, predicates: Iterable[Predicate]) -> None:
        """Tell more predicates apart."""
        for predicate in predicates:
            for atom in atoms_of(self.problem.net, predicate):
                if atom not in self.predicates and negate(atom) not in self.predicates:
                    self.predicates.append(atom)

    def cartesian(self, operation: Operation, states: Sequence[Cube]) -> tuple[Literal, ...] | None:
        """What holds after the operation everywhere in the states; None where there is no step."""
        union = disjunction(conjunction(map(self.formula, cube)) for cube in states)
        return self.procedure(operation).cartesian(union)
