"""Symmetric interpolants of an abstract path by the interpolating prover.

`refutation` has lemmas over predicates alone. Here the prover gets the whole bounded model checking
formula, with its hidden symbols (Jhala, McMillan 2007, section 5). The places at each time have
names of their own; the proposition of a predicate is a number that is positive where the predicate
holds. Where the prover resolves on an atom of one part only, that part's interpolant gets a
disjunction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Disjunction,
    Formula,
    Negation,
    at_least,
    at_most,
    evaluate,
    negate,
    substitute,
    variables,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.arithmetic.solvers.solver import Model
from petricheck.laboratory.approximation.diagrams import Diagram, Diagrams
from petricheck.laboratory.approximation.predicates import Clause, Literal, after, before
from petricheck.laboratory.approximation.program import AbstractProgram, Operation
from petricheck.laboratory.approximation.refutation import Feasible, PathResult, Refuted
from petricheck.laboratory.prover import Satisfiable, Undecided, interpolate_symmetric
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted
from petricheck.symbolic.encoding.stamps import at, stamp


def prove(
    program: AbstractProgram, operations: Sequence[Operation], strengthen: bool, budget: Budget
) -> PathResult:
    """Decide whether the abstract program has the path of these operations.

    Args:
        program: the abstract program.
        operations: the last enters the target.
        strengthen: whether the proof is transformed before it is interpolated (section 7).
        budget: limits.

    Raises:
        BudgetExhausted: a limit is reached, or the prover gave up.
    """
    steps = [_step(program, operation, k) for k, operation in enumerate(operations)]
    parts = (_initial(program), *steps)
    match interpolate_symmetric(parts, strengthen=strengthen, budget=budget):
        case Satisfiable(model):
            return Feasible(tuple(_values_at(model, k) for k in range(len(operations))))
        case Undecided(reason):
            budget.check()
            raise BudgetExhausted(f"the prover gave up: {reason}")
        case result:
            size, numbered = len(program.predicates), enumerate(result.interpolants[1:])
            return Refuted(tuple(_clauses(formula, size, k, budget) for k, formula in numbered))


def _proposition(predicate: int, k: int) -> str:
    """Return the variable that is positive where the predicate holds at time k."""
    return at(str(predicate), k) + "#"


def _values_at(model: Mapping[str, int | Fraction], k: int) -> Model:
    """Return the model's values for the variables of the operation at time k."""
    end = at("", k)
    return {name.removesuffix(end): int(x) for name, x in model.items() if name.endswith(end)}


def _initial(program: AbstractProgram) -> Formula:
    return Conjunction(tuple(_literal(j, 0, x > 0) for j, x in enumerate(program.initial)))


def _literal(predicate: int, k: int, holds: bool) -> Formula:
    term = variable(_proposition(predicate, k))
    return at_least(term, 1) if holds else at_most(term, 0)


def _step(program: AbstractProgram, operation: Operation, k: int) -> Formula:
    """Return the abstract relation of the operation from time k to the next: Θ and T and Θ'."""
    relation = program.relation(operation)
    parts = [stamp(relation.formula, k)]
    sides = [(relation.before, k)] + ([(relation.after, k + 1)] if operation.target is None else [])
    for places, time in sides:
        for j, predicate in enumerate(program.predicates):
            formula = stamp(substitute(predicate, places), k)
            positive = Conjunction((_literal(j, time, True), formula))
            parts.append(
                Disjunction((positive, Conjunction((_literal(j, time, False), negate(formula)))))
            )
    names = (n for n in variables(Conjunction(tuple(parts))) if n.endswith(at("", k)))
    return Conjunction((*parts, *(at_least(variable(name), 0) for name in names)))


def _clauses(interpolant: Formula, size: int, k: int, budget: Budget) -> tuple[Clause, ...]:
    """Return the interpolant of operation k as clauses."""
    diagrams = Diagrams(budget)
    diagrams.declare(size)
    literals = {_proposition(j, k): before(j, True) for j in range(size)}
    literals |= {_proposition(j, k + 1): after(j, True) for j in range(size)}
    return diagrams.clauses(_diagram(diagrams, interpolant, literals))


def _diagram(diagrams: Diagrams, formula: Formula, literals: Mapping[str, Literal]) -> Diagram:
    """Return the diagram of the formula, whose variables are 1 for *true* and 0 for *false*."""
    match formula:
        case Negation(operand):
            return ~_diagram(diagrams, operand, literals)
        case Conjunction(operands):
            parts = (~_diagram(diagrams, operand, literals) for operand in operands)
            return ~diagrams.union(parts)
        case Disjunction(operands):
            return diagrams.union(_diagram(diagrams, operand, literals) for operand in operands)
        case atom:
            names = variables(atom)
            values = (
                dict(zip(names, numbers, strict=True))
                for numbers in product((0, 1), repeat=len(names))
            )
            return diagrams.union(
                diagrams.cube(literals[name] * (1 if value[name] else -1) for name in names)
                for value in values
                if evaluate(atom, value)
            )
