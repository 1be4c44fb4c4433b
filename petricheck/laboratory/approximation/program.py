"""The abstract program: locations, operations between them, and predicates that these relate.

A program of Jhala and McMillan (2007, section 6.1) has locations. A location of a net is the tokens
on the places of its control groups (`facts.semiflows`); the target has a location of its own.
Without control groups there is one location besides that of the target, and all firings stay in it.
States are the truth values of predicates; a solver decides which of them an operation relates.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Self

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Disjunction,
    Formula,
    at_least,
    disjunction,
    equal,
    evaluate,
    negate,
    substitute,
)
from petricheck.arithmetic.formulas.terms import Term, variable
from petricheck.arithmetic.solvers.solver import Model, Solver
from petricheck.engines.abstraction.domain import Predicate
from petricheck.laboratory.approximation.predicates import (
    Clause,
    Cube,
    Literal,
    after,
    atoms_of,
    before,
    is_after,
    predicate_of,
)
from petricheck.laboratory.locations import Location, initial_location, location_after
from petricheck.laboratory.paths import step
from petricheck.model.net import Net, Transition
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.symbolic.encoding.stamps import at, token


@dataclass(frozen=True, slots=True)
class Operation:
    """A firing, or the entry into the target.

    Attributes:
        source: the location before it.
        transitions: one of them fires.
        target: formula of the marking that enters the target; None for a firing.
    """

    source: Location
    transitions: tuple[int, ...] = ()
    target: Formula | None = None


@dataclass(frozen=True, slots=True)
class Relation:
    """A formula, with the places before and after the step in terms of its symbols.

    Symbols are natural numbers; the formula need not imply that. A place that a mapping does not
    name is its own symbol. The entry into the target has no marking after it.
    """

    formula: Formula
    before: Mapping[str, Term]
    after: Mapping[str, Term]


class AbstractProgram:
    """Predicates, operations, and clauses that these imply; use it in a `with`.

    Args:
        problem: the question.
        kind: `whole`, one relation between two locations (section 4); `paths`, one for each
            transition (6.1); `preconditions`, the same, where the marking after a firing is written
            in terms of that before it, so that predicates become weakest preconditions (6.2).
        groups: control groups; the tokens of their places are the location.
        budget: limits.

    Attributes:
        predicates: atoms over place ids.
        lemmas: by operation, clauses that it implies, as far as they are proved.
        start: the initial location.
    """

    def __init__(
        self, problem: Problem, kind: str, groups: Iterable[Sequence[int]], budget: Budget
    ) -> None:
        self.problem, self._kind, net = problem, kind, problem.net
        self.predicates: list[Formula] = []
        self.lemmas: dict[Operation, list[Clause]] = defaultdict(list)
        self.start = initial_location(net, groups)
        self.relation, self._formula = cache(self._relation), cache(self._literal_formula)
        self.operations = cache(self._operations)
        stamped = (at(place, k) for k in (0, 1) for place in net.places)
        symbols = net.places if kind == "preconditions" else (*net.places, *stamped)
        self._solver = Solver(budget, symbols)

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

    def _operations(self, location: Location) -> Mapping[Operation, Location]:
        """Return the operations of a location, with the locations that they lead to."""
        ends: dict[Location, list[int]] = defaultdict(list)
        for number, transition in enumerate(self.problem.net.transitions):
            if (end := location_after(location, transition)) is not None:
                ends[end].append(number)
        if self._kind == "whole":
            return {Operation(location, tuple(numbers)): end for end, numbers in ends.items()}
        return {Operation(location, (n,)): end for end, numbers in ends.items() for n in numbers}

    def path(self, firings: Iterable[int], target: Formula) -> tuple[Operation, ...] | None:
        """Return single firings, then the target; None where a location disables one."""
        operations, location = [], self.start
        for number in firings:
            operations.append(Operation(location, (number,)))
            end = location_after(location, self.problem.net.transitions[number])
            if end is None:
                return None
            location = end
        return (*operations, Operation(location, target=target))

    def transition_of(self, operation: Operation, model: Mapping[str, int]) -> int:
        """Return the transition that fires in a model of the operation's relation."""
        net = self.problem.net
        if len(operation.transitions) == 1:
            return operation.transitions[0]
        start, end = (tuple(model.get(at(p, k), 0) for p in net.places) for k in (0, 1))
        transitions = ((number, net.transitions[number]) for number in operation.transitions)
        return next(n for n, t in transitions if t.enabled(start) and t.fire(start) == end)

    def formula(self, literal: Literal) -> Formula:
        """Return the literal's formula over the marking before a step."""
        predicate = self.predicates[predicate_of(literal)]
        return predicate if literal > 0 else negate(predicate)

    def location_formulas(self, location: Location) -> Iterator[Formula]:
        """Yield formulas that all markings in a location satisfy."""
        places = self.problem.net.places
        return (equal(variable(places[place]), tokens) for place, tokens in location)

    def track(self, predicates: Iterable[Predicate]) -> None:
        """Add predicates."""
        for predicate in predicates:
            for atom in atoms_of(self.problem.net, predicate):
                if atom not in self.predicates and negate(atom) not in self.predicates:
                    self.predicates.append(atom)

    def model(self, operation: Operation, literals: Iterable[Literal]) -> Model | None:
        """Return a step that satisfies the literals, or None.

        Raises:
            BudgetExhausted: a limit is reached, or the solver gave up.
        """
        return self._check(operation, [self._formula(operation, x) for x in literals])

    def conflict(
        self, operation: Operation, literals: Sequence[Literal]
    ) -> tuple[Literal, ...] | None:
        """Return a minimal set of literals that no step satisfies; None where one does.

        Raises:
            BudgetExhausted: as by `model`.
        """
        core = self._core(operation, literals)
        for literal in core or ():
            if core is not None and literal in core:
                smaller = self._core(operation, [other for other in core if other != literal])
                core = core if smaller is None else smaller
        return core

    def postcondition(
        self, operation: Operation, states: Iterable[Formula]
    ) -> tuple[Literal, ...] | None:
        """Return literals that hold after every step from states of all formulas.

        They are literals before the next step: the strongest Cartesian postcondition (section 6.3).
        None where there is no step.

        Raises:
            BudgetExhausted: as by `model`.
        """
        places = self.relation(operation).before
        start = [substitute(formula, places) for formula in states]
        model = self._check(operation, start)
        if model is None:
            return None
        literals = (after(number, True) for number in range(len(self.predicates)))
        implied = [x if evaluate(self._formula(operation, x), model) else -x for x in literals]
        for literal in implied.copy():
            if literal in implied:
                model = self._check(operation, [*start, self._formula(operation, -literal)])
                if model is not None:
                    implied = [x for x in implied if evaluate(self._formula(operation, x), model)]
        return tuple(before(predicate_of(x), x > 0) for x in implied)

    def minterms(self, operation: Operation, states: Iterable[Formula]) -> Iterator[Cube]:
        """Yield each valuation of the predicates after a step from states of all formulas.

        They are literals before the next step: together the strongest Boolean postcondition.

        Raises:
            BudgetExhausted: as by `model`.
        """
        known = [substitute(formula, self.relation(operation).before) for formula in states]
        while (model := self._check(operation, known)) is not None:
            truths = [
                evaluate(self._formula(operation, after(number, True)), model)
                for number in range(len(self.predicates))
            ]
            literals = (after(number, not truth) for number, truth in enumerate(truths))
            known.append(disjunction(self._formula(operation, x) for x in literals))
            yield tuple(before(number, truth) for number, truth in enumerate(truths))

    def _core(
        self, operation: Operation, literals: Sequence[Literal]
    ) -> tuple[Literal, ...] | None:
        """Return some of the literals that no step satisfies, None where one does."""
        by_formula = {self._formula(operation, literal): literal for literal in literals}
        if self._check(operation, by_formula) is not None:
            return None
        return tuple(by_formula[formula] for formula in self._solver.core if formula in by_formula)

    def _literal_formula(self, operation: Operation, literal: Literal) -> Formula:
        relation = self.relation(operation)
        places = relation.after if is_after(literal) else relation.before
        return substitute(self.formula(literal), places)

    def _check(self, operation: Operation, formulas: Iterable[Formula]) -> Model | None:
        """Return a step that satisfies the formulas, or None."""
        return self._solver.check((self.relation(operation).formula, *formulas))

    def _relation(self, operation: Operation) -> Relation:
        """Return the relation of the operation."""
        net = self.problem.net
        conditions = tuple(self.location_formulas(operation.source))
        if operation.target is not None:
            return Relation(Conjunction((*conditions, operation.target)), {}, {})
        transitions = [net.transitions[number] for number in operation.transitions]
        if self._kind == "preconditions":
            (transition,) = transitions
            return _precondition(net, conditions, transition)
        start, end = ({place: token(place, k) for place in net.places} for k in (0, 1))
        steps = Disjunction(tuple(step(net, transition, 0) for transition in transitions))
        source = (substitute(formula, start) for formula in conditions)
        return Relation(Conjunction((*source, steps)), start, end)


def _precondition(net: Net, conditions: Iterable[Formula], transition: Transition) -> Relation:
    guard = (at_least(variable(net.places[p]), weight) for p, weight in transition.pre)
    after = {net.places[p]: variable(net.places[p]) + v for p, v in transition.effect}
    return Relation(Conjunction((*conditions, *guard)), {}, after)
