"""Quantifier elimination: ∃ variables. formula, without the variables and exactly.

Some steps need no model. An equation c·y + t = 0 removes y: t has to be divisible by c, and every
other atom is multiplied by |c|, so that −t can replace c·y. Bounds of y are paired where that is
exact. All else is projected model by model (Bjørner and Janota, *Playing with quantified
satisfaction*, 2015): in the cube of a model, y is as near to its nearest bound as in the model, up
to the common period of its congruences. That is one more equation. There are finitely many of
these; models are computed until the projections cover all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from fractions import Fraction

from petricheck.arithmetic.formulas.cubes import cube_of
from petricheck.arithmetic.formulas.formulas import (
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
from petricheck.arithmetic.formulas.terms import Term, variable
from petricheck.arithmetic.solvers.solver import Model, Solver
from petricheck.support.budget import Budget

PAIRS = 16
"""Limit of pairs of a lower and an upper bound that replace a variable's bounds."""


def eliminate(names: Iterable[str], formula: Formula, budget: Budget | None = None) -> Formula:
    """Return a formula without `names`, true where some integers for them make `formula` true.

    Args:
        names: variables to eliminate; those that do not occur are ignored.
        formula: any formula.
        budget: limits, or None.

    Raises:
        BudgetExhausted: a limit is reached, or z3 gave up.
    """
    return _project(frozenset(names), tighten(normal(formula)), budget or Budget())


def _project(bound: AbstractSet[str], formula: Formula, budget: Budget) -> Formula:
    budget.check()
    while (simplified := _simplified(bound, formula)) is not None:
        formula = simplified
    bound &= {*variables(formula)}
    if not bound:
        return formula
    if isinstance(formula, Disjunction):
        return disjunction([_project(bound, part, budget) for part in formula.operands])
    free = [part for part in conjuncts(formula) if bound.isdisjoint(variables(part))]
    match [part for part in conjuncts(formula) if part not in free]:
        case [Disjunction() as single]:
            return conjunction([*free, _project(bound, single, budget)])
        case others:
            by_model = disjunction(_projections(bound, conjunction(others), budget))
            return conjunction([*free, by_model])


def _simplified(bound: AbstractSet[str], formula: Formula) -> Formula | None:
    """Return an equivalent formula after a step that needs no model; None where none applies."""
    return _with_values(formula) or _solved(bound, formula) or _paired(bound, formula)


def _with_values(formula: Formula) -> Formula | None:
    """Return the conjunction with each value that an operand y = k fixes, put into the others.

    None where no operand changes. Operands that the values decide disappear, and readers see y = 1
    in place of y = 1 and y <= 50.
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
    operands = (part if part in definitions else substitute(part, values) for part in parts)
    return tighten(conjunction(operands))


def _solved(bound: AbstractSet[str], formula: Formula) -> Formula | None:
    """Return the formula without the bound variable of the least coefficient in an equation.

    The equation is an operand of the conjunction; None where there is none.
    """
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
    """Return the atom where scale·name = image, without the name; scale ≥ 1."""
    factor = dict(atom.term.coefficients).get(name)
    if factor is None:
        return atom
    term = (atom.term - variable(name) * factor) * scale + image * factor
    if isinstance(atom, Congruence):
        return Congruence(term, atom.modulus * scale)
    return replace(atom, term=term)


def _paired(bound: AbstractSet[str], formula: Formula) -> Formula | None:
    """Return the formula with a bound variable's lower and upper bounds paired, or None."""
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
    """Yield the coefficient and the term of each inequality, term ≤ 0, with the variable."""
    for part in parts:
        if isinstance(part, Inequality) and (factor := dict(part.term.coefficients).get(name)):
            yield factor, part.term


def _projections(bound: AbstractSet[str], formula: Formula, budget: Budget) -> Iterator[Formula]:
    """Yield formulas without the bound variables until one holds wherever the formula can."""
    with Solver(budget) as solver:
        solver.add(formula)
        while (model := solver.check()) is not None:
            projection = _project_cube(bound, tighten(conjunction(cube_of(formula, model))), model)
            yield projection
            solver.add(Negation(projection))


def _project_cube(bound: AbstractSet[str], cube: Formula, model: Model) -> Formula:
    """Return a formula that holds in the model; its models extend to solutions of the cube."""
    while names := bound & {*variables(cube)}:
        cube = _simplified(names, cube) or conjunction([_near_bound(min(names), cube, model), cube])
    return cube


def _near_bound(name: str, cube: Formula, model: Model) -> Equality:
    """Return a formula: the variable is as near to a bound as in the model, up to its period."""
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
