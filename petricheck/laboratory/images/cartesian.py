"""Cartesian predicate abstraction: an abstract state is the strongest cube over some predicates.

The image of a state under a transition holds every predicate, or its negation, that holds after a
firing anywhere in the state. A solver is asked for one literal after the other; each marking that
it finds instead answers for others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import gcd
from typing import Self, TypeAlias

from petricheck.abstraction.domain import Predicate
from petricheck.abstraction.graph import AbstractPath
from petricheck.abstraction.targets import Met
from petricheck.budget import Budget
from petricheck.evidence.invariant import Separator
from petricheck.linear import HalfSpace, Residue, products, term_of, value_at
from petricheck.presburger.cubes import cube_of
from petricheck.presburger.formulas import (
    Formula,
    at_least,
    congruent,
    conjunction,
    disjunction,
    evaluate,
    negate,
    substitute,
    tighten,
)
from petricheck.presburger.solver import Model, Solver
from petricheck.presburger.terms import Term, variable
from petricheck.problem import Net, Problem

State: TypeAlias = tuple[Formula, ...]
"""Literals over place ids, all of which hold, in the order of their predicates."""


class CartesianGraph:
    """Predicates, and the states that exploration found with them; use it in a `with`.

    Args:
        problem: the question.
        budget: limits on everything that is asked.

    Attributes:
        states: those of the last exploration that no other covers.
    """

    def __init__(self, problem: Problem, budget: Budget) -> None:
        self.problem, self._budget = problem, budget
        self.states: list[State] = []
        self._predicates: dict[Formula, Formula] = {}
        self._solver = Solver(budget, problem.net.places)

    def __enter__(self) -> Self:
        self._solver.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._solver.__exit__(*error)

    @property
    def invariant(self) -> Formula:
        """What the states say together."""
        return disjunction(conjunction(state) for state in self.states)

    def refine(self, predicates: Iterable[Predicate], separators: Iterable[Separator] = ()) -> None:
        """Track more predicates; separators are of no use to a solver."""
        for predicate in predicates:
            for atom in atoms_of(self.problem.net, predicate):
                opposite = negate(atom)
                if opposite not in self._predicates:
                    self._predicates.setdefault(atom, opposite)

    def explore(self) -> AbstractPath | None:
        """Explore afresh, breadth first; a path into the target, or None where there is none.

        Raises:
            BudgetExhausted: a limit is reached, or the solver gave up.
        """
        self.states = []
        waiting: deque[tuple[State, tuple[int, ...]]] = deque([(self.initial(), ())])
        while waiting:
            state, path = waiting.popleft()
            if self._covered(state):
                continue
            met = self._met(state)
            if met is not None:
                return AbstractPath(path, met)
            self.states = [each for each in self.states if not set(state) <= set(each)]
            self.states.append(state)
            for number in range(len(self.problem.net.transitions)):
                after = self.image(state, number)
                if after is not None and not self._covered(after):
                    waiting.append((after, (*path, number)))
        return None

    def excludes(self, path: AbstractPath) -> bool:
        """Whether the abstraction, replaying that path, is stopped or misses its cube.

        Raises:
            BudgetExhausted: as by `explore`.
        """
        state = self.initial()
        for number in path.transitions:
            after = self.image(state, number)
            if after is None:
                return True
            state = after
        return self._model(state, path.met.cube) is None

    def initial(self) -> State:
        """The cube of the initial marking."""
        net = self.problem.net
        return tuple(self._literals(net.values(net.initial)))

    def image(self, state: State, number: int) -> State | None:
        """The image under a transition; None where no marking of the state enables it.

        Raises:
            BudgetExhausted: as by `explore`.
        """
        net = self.problem.net
        transition = net.transitions[number]
        guard = [at_least(variable(net.places[p]), weight) for p, weight in transition.pre]
        model = self._model(state, guard)
        if model is None:
            return None
        shift = {net.places[p]: variable(net.places[p]) + v for p, v in transition.effect}
        kept = self._literals(_shifted(model, shift))
        for literal in kept.copy():
            if literal in kept:
                later = substitute(negate(literal), shift)
                other = self._model(state, (*guard, later))
                if other is not None:
                    values = _shifted(other, shift)
                    kept = [each for each in kept if evaluate(each, values)]
        return tuple(kept)

    def _covered(self, state: State) -> bool:
        literals = set(state)
        return any(literals.issuperset(each) for each in self.states)

    def _met(self, state: State) -> Met | None:
        """The cube of the target that the state may meet."""
        model = self._model(state, (self.problem.target,))
        return None if model is None else Met(cube_of(self.problem.target, model), None)

    def _literals(self, values: Mapping[str, int]) -> list[Formula]:
        """Of each predicate the literal that these values satisfy."""
        return [p if evaluate(p, values) else no for p, no in self._predicates.items()]

    def _model(self, state: State, formulas: Sequence[Formula]) -> Model | None:
        """A marking of the state that satisfies the formulas."""
        return self._solver.check([*state, *formulas])


def _shifted(model: Model, shift: Mapping[str, Term]) -> Model:
    """The marking after the firing."""
    return model | {name: term.evaluate(model) for name, term in shift.items()}


def atoms_of(net: Net, predicate: Predicate) -> Iterator[Formula]:
    """The predicate; of a residue each value that firings may give it, up to `_RESIDUES`."""
    match predicate:
        case HalfSpace(direction):
            if direction:  # a guide may pad a sequence with 0 ≤ b
                yield predicate.inequality(net)
        case Residue(direction, modulus):
            changes = products(direction, (t.effect for t in net.transitions))
            between = gcd(modulus, *changes)
            first = value_at(direction, net.initial)
            for residue in range(first, first + modulus, between)[:_RESIDUES]:
                yield tighten(congruent(term_of(net, direction), residue, modulus))


_RESIDUES = 64
"""Of more values of one residue the others are not told apart."""
