"""Symmetric interpolants of the bounded model checking formula of an abstract path.

The formula conjoins the initial state, the path's operations and the target. Its parts share the
truth values of predicates at the times between them, and nothing else. It is refuted lazily. A SAT
solver proposes states. The abstract program names literals of two neighbouring states that their
operation does not allow together, and the clause that excludes them is a lemma, which is added.

When there are no more proposals, there is a refutation by resolution. Its hypotheses are the
initial state and lemmas. Each lemma follows from one part, and its atoms are shared with other
parts. So no pivot is local to a part, and by the rules of McMillan (2004) the part's interpolant is
the conjunction of its lemmas among the hypotheses. All parts have interpolants from the same
refutation, in the clausal form that the transformation of proofs (2007, section 7) aims at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from petricheck.arithmetic.solvers.solver import Model
from petricheck.laboratory.approximation.predicates import (
    Clause,
    after,
    before,
    is_after,
    predicate_of,
)
from petricheck.laboratory.approximation.program import AbstractProgram, Operation
from petricheck.support.budget import Budget
from petricheck.support.extras import optional


@dataclass(frozen=True, slots=True)
class Feasible:
    """The abstract program has the path.

    Attributes:
        models: a step of each operation; neighbours agree about the predicates between them.
    """

    models: tuple[Model, ...]


@dataclass(frozen=True, slots=True)
class Refuted:
    """The abstract program does not have the path.

    Attributes:
        interpolants: for each operation, clauses that it implies.
    """

    interpolants: tuple[tuple[Clause, ...], ...]


PathResult: TypeAlias = Feasible | Refuted

State: TypeAlias = tuple[bool, ...]
"""The truth values of the predicates."""


def refute(program: AbstractProgram, operations: Sequence[Operation], budget: Budget) -> PathResult:
    """Decide whether the abstract program has the path of these operations.

    Raises:
        BudgetExhausted: a limit is reached, or a solver gave up.
    """
    with _Instance(program, operations) as instance:
        while (states := instance.states()) is not None:
            budget.check()
            result = refute_states(program, operations, states)
            if isinstance(result, Feasible):
                return result
            instance.learn(result)
        return Refuted(instance.interpolants())


def refute_states(
    program: AbstractProgram, operations: Sequence[Operation], states: Sequence[State]
) -> PathResult:
    """Decide whether the abstract program has the path with these states.

    This is the refinement of Das and Dill (2001; 2007, section 8): each step that its operation
    does not allow gives one clause. Other states may still have the same path.

    Raises:
        BudgetExhausted: a limit is reached, or a solver gave up.
    """
    interpolants: dict[Operation, dict[Clause, None]] = {o: {} for o in operations}
    for k, operation in enumerate(operations):
        core = program.conflict(operation, _step_literals(states, k))
        if core is not None:
            interpolants[operation][tuple(sorted(-literal for literal in core))] = None
    if any(interpolants.values()):
        return Refuted(tuple(tuple(interpolants[operation]) for operation in operations))
    steps = (program.model(o, _step_literals(states, k)) for k, o in enumerate(operations))
    return Feasible(tuple(model for model in steps if model is not None))


def _step_literals(states: Sequence[State], k: int) -> list[int]:
    """Return the states' literals before and after operation k; only before for the last."""
    literals = [before(j, holds) for j, holds in enumerate(states[k])]
    if k + 1 < len(states):
        literals += [after(j, holds) for j, holds in enumerate(states[k + 1])]
    return literals


class _Instance:
    """The formula of a path, with all lemmas so far, in a SAT solver; use it in a `with`.

    The truth value of predicate j at time k is the variable k·n + j + 1. Each lemma at each time
    has a variable more, which the solver assumes. So the solver's core is the hypotheses of the
    refutation.
    """

    def __init__(self, program: AbstractProgram, operations: Sequence[Operation]) -> None:
        self._operations, self._lemmas = operations, program.lemmas
        self._size = len(program.predicates)
        solvers = optional("pysat.solvers", "python-sat", "laboratory")
        self._solver = solvers.Solver("minisat22")
        self._assumptions: dict[int, tuple[int, Clause]] = {}
        self._last = self._size * len(operations)
        for literal in program.initial:
            self._solver.add_clause([self._at(literal, 0)])
        for operation in dict.fromkeys(operations):
            for clause in program.lemmas[operation]:
                self._add(operation, clause)

    def __enter__(self) -> _Instance:
        return self

    def __exit__(self, *error: object) -> None:
        self._solver.delete()

    def states(self) -> tuple[State, ...] | None:
        """Return states that no lemma excludes, one before each operation; None without any."""
        if not self._solver.solve(assumptions=list(self._assumptions)):
            return None
        model = self._solver.get_model() or []
        true = {value for value in model if value > 0}
        return tuple(
            tuple(k * self._size + j + 1 in true for j in range(self._size))
            for k in range(len(self._operations))
        )

    def learn(self, refutation: Refuted) -> None:
        """Add lemmas that operations imply, to the program's lemmas, too."""
        by_operation = dict(zip(self._operations, refutation.interpolants, strict=True))
        for operation, clauses in by_operation.items():
            self._lemmas[operation] += clauses
            for clause in clauses:
                self._add(operation, clause)

    def interpolants(self) -> tuple[tuple[Clause, ...], ...]:
        """Return, for each operation, its lemmas among the hypotheses."""
        core = sorted(self._solver.get_core() or [])
        hypotheses = [self._assumptions[variable] for variable in core]
        return tuple(
            tuple(clause for time, clause in hypotheses if time == k)
            for k in range(len(self._operations))
        )

    def _add(self, operation: Operation, clause: Clause) -> None:
        for k, other in enumerate(self._operations):
            if other == operation:
                self._last += 1
                self._assumptions[self._last] = (k, clause)
                self._solver.add_clause([-self._last, *(self._at(x, k) for x in clause)])

    def _at(self, literal: int, k: int) -> int:
        """Return the solver's literal, for an operation at time k."""
        number = (k + is_after(literal)) * self._size + predicate_of(literal) + 1
        return number if literal > 0 else -number
