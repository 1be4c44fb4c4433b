"""Quantifier elimination: ∃ variables. formula, without the variables and exactly.

Where it can, a step keeps the whole formula: an equation c·y + t = 0 removes y (t must be divisible
by c, and every other atom is multiplied by |c| so that c·y can be replaced by −t), and so does
pairing the bounds of y where that is exact. What is left is projected model by model (Bjørner and
Janota, *Playing with quantified satisfaction*, 2015): in the cube of a model, y is as near to its
nearest bound as in the model, up to the common period of its congruences. That is one more
equation; there are finitely many, and models are asked for until no other is left.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from fractions import Fraction

from petricheck.budget import Budget
from petricheck.presburger.cubes import cube_of
from petricheck.presburger.formulas import (
    Atom,
    Congruence,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    atoms,
    conjunction,
    conjuncts,
    disjunction,
    map_atoms,
    normal,
    substitute,
    tighten,
    variables,
)
from petricheck.presburger.solver import Model, Solver
from petricheck.presburger.terms import Term, variable

PAIRS = 16
"""Of a lower and an upper bound that take the place of a variable's bounds."""


def eliminate(names: Iterable[str], formula: Formula, budget: Budget | None = None) -> Formula:
    """A formula without `names`, true where some integers for them make `formula` true.

    Args:
        names: variables to eliminate; those that do not occur are ignored.
        formula: any formula.
        budget: limits, or None.

    Raises:
        BudgetExhausted: a limit is reached, or z3 gave up.
    """
    return _projected(frozenset(names), tighten(normal(formula)), budget or Budget())


def _projected(bound: AbstractSet[str], formula: Formula, budget: Budget) -> Formula:
    budget.check()
    while (smaller := _smaller(bound, formula)) is not None:
        formula = smaller
    bound &= {*variables(formula)}
    if not bound:
        return formula
    if isinstance(formula, Disjunction):
        return disjunction([_projected(bound, part, budget) for part in formula.operands])
    free = [part for part in conjuncts(formula) if bound.isdisjoint(variables(part))]
    match [part for part in conjuncts(formula) if part not in free]:
        case [Disjunction() as single]:
            return conjunction([*free, _projected(bound, single, budget)])
        case others:
            by_model = disjunction(_projections(bound, conjunction(others), budget))
            return conjunction([*free, by_model])


def _smaller(bound: AbstractSet[str], formula: Formula) -> Formula | None:
    """An equivalent formula after a step that needs no model; None where there is no such step."""
    return _with_values(formula) or _solved(bound, formula) or _paired(bound, formula)


def _with_values(formula: Formula) -> Formula | None:
    """The conjunction with each value that an operand y = k fixes put into the other operands.

    None where there is nothing to put. What the values decide disappears, and readers see
    y = 1 in place of y = 1 and y <= 50.
    """
    values: dict[str, Term] = {}
    definitions: set[Formula] = set()
    for operand in conjuncts(formula):
        match operand:
            case Equality(Term(((name, 1),), constant)) if name not in values:
                values[name] = Term((), -constant)
                definitions.add(operand)
    parts = conjuncts(formula)
    if not any(values.keys() & variables(part) for part in parts if part not in definitions):
        return None
    put = (part if part in definitions else substitute(part, values) for part in parts)
    return tighten(conjunction(put))


def _solved(bound: AbstractSet[str], formula: Formula) -> Formula | None:
    """The formula without the bound variable of the least coefficient in a conjoined equation."""
    choices = [
        (abs(value), name, value, operand.term)
        for operand in conjuncts(formula)
        if isinstance(operand, Equality)
        for name, value in operand.term.coefficients
        if name in bound
    ]
    if not choices:
        return None
    scale, name, value, term = min(choices, key=lambda choice: choice[:2])
    remainder = term - variable(name) * value
    image = -remainder if value > 0 else remainder
    others = [operand for operand in conjuncts(formula) if operand != Equality(term)]
    replaced = [
        map_atoms(operand, lambda atom: _without_multiple(atom, name, scale, image))
        for operand in others
    ]
    return tighten(conjunction([*replaced, Congruence(remainder, scale)]))


def _without_multiple(atom: Atom, name: str, scale: int, image: Term) -> Atom:
    """The atom where scale·name = image, without the name; scale ≥ 1."""
    factor = dict(atom.term.coefficients).get(name)
    if factor is None:
        return atom
    term = (atom.term - variable(name) * factor) * scale + image * factor
    if isinstance(atom, Congruence):
        return Congruence(term, atom.modulus * scale)
    return replace(atom, term=term)


def _paired(bound: AbstractSet[str], formula: Formula) -> Formula | None:
    """The formula without a bound variable whose bounds can be paired, lower with upper."""
    for name in sorted(bound):
        parts = [part for part in conjuncts(formula) if name in variables(part)]
        if not parts or not all(isinstance(part, Inequality) for part in parts):
            continue
        bounds = [*_bounds(name, parts)]
        uppers = [(factor, term) for factor, term in bounds if factor > 0]
        lowers = [(-factor, term) for factor, term in bounds if factor < 0]
        # Between bounds of which one has the coefficient 1 there is an integer or none.
        exact = any(all(factor == 1 for factor, _ in side) for side in (lowers, uppers))
        if exact and len(lowers) * len(uppers) <= PAIRS:
            others = [part for part in conjuncts(formula) if part not in parts]
            pairs = (
                Inequality(upper * below + lower * above)
                for above, upper in uppers
                for below, lower in lowers
            )
            return tighten(conjunction([*others, *pairs]))
    return None


def _bounds(name: str, parts: Iterable[Formula]) -> Iterator[tuple[int, Term]]:
    """The inequalities with this variable: its coefficient, and the term that is at most 0."""
    for part in parts:
        if isinstance(part, Inequality) and (factor := dict(part.term.coefficients).get(name)):
            yield factor, part.term


def _projections(bound: AbstractSet[str], formula: Formula, budget: Budget) -> Iterator[Formula]:
    """Formulas without the bound variables, of which one holds where the formula can."""
    with Solver(budget) as solver:
        solver.add(formula)
        while (model := solver.check()) is not None:
            projection = _projected_cube(
                bound, tighten(conjunction(cube_of(formula, model))), model
            )
            yield projection
            solver.add(Negation(projection))


def _projected_cube(bound: AbstractSet[str], cube: Formula, model: Model) -> Formula:
    """Return a formula that holds in the model; its models extend to solutions of the cube."""
    while left := bound & {*variables(cube)}:
        cube = _smaller(left, cube) or conjunction([_near_bound(min(left), cube, model), cube])
    return cube


def _near_bound(name: str, cube: Formula, model: Model) -> Equality:
    """That the variable is as near to its nearest bound as in the model, up to its period."""
    period = 1
    for atom in atoms(cube):
        if isinstance(atom, Congruence):
            factor = dict(atom.term.coefficients).get(name, 0)
            period = math.lcm(period, atom.modulus // math.gcd(atom.modulus, factor))
    bounds = [*_bounds(name, conjuncts(cube))]
    if not bounds:
        return Equality(variable(name) - model[name] % period)
    side = [pair for pair in bounds if pair[0] < 0] or bounds
    slacks = [(-term.evaluate(model), abs(factor), term) for factor, term in side]
    slack, factor, term = min(slacks, key=lambda entry: Fraction(*entry[:2]))
    return Equality(term + slack % (factor * period))
