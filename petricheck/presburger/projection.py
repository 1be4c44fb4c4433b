"""Exact steps towards ∃ variables. formula, ahead of any solver.

An equation c·y + k = 0 gives y a value, which is put into everything beside it. Any other equation
c·y + t = 0 removes y: t must be divisible by c, and every other atom is multiplied by |c| so that
c·y can be replaced by −t. Congruences on y are removed by cases: y = M·k + r for each residue r of
their common modulus M, which leaves k under inequalities only. ∃ distributes over the cases and
over a disjunction. What is left is a list of problems that each have fewer variables, and
congruences, if any, that the variables do not occur in; except where more than `CASES` cases would
be needed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from petricheck.presburger.formulas import (
    FALSE,
    TRUE,
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    atoms,
    conjunction,
    conjuncts,
    disjunction,
    map_terms,
    normal,
    substitute,
    variables,
)
from petricheck.presburger.terms import Term

CASES = 256

Projection = tuple[tuple[str, ...], Formula]


def reduce_projection(names: Iterable[str], formula: Formula) -> list[Projection]:
    """Problems (bound, part) such that ∃ names. formula is the disjunction of ∃ bound. part.

    Only variables that occur in a part are bound in it; where none is, the part needs no solver.
    Parts that are false are left out.
    """
    found: list[Projection] = []
    pending = [(frozenset(names), simplified(normal(formula)), 1)]
    while pending:
        bound, part, cases = pending.pop()
        bound &= frozenset(variables(part))
        if part == FALSE:
            continue
        if isinstance(part, Disjunction) and bound:
            pending.extend((bound, operand, cases) for operand in reversed(part.operands))
            continue
        settled = _put_values(part)
        if settled is not None:
            pending.append((bound, settled, cases))
            continue
        solved = _solve_equation(bound, part)
        if solved is not None:
            pending.append((bound, solved, cases))
            continue
        split = _split_residues(bound, part, CASES // cases)
        if split:
            pending.extend((bound, case, cases * len(split)) for case in reversed(split))
        else:
            found.append((tuple(sorted(bound)), part))
    return found


def simplified(formula: Formula) -> Formula:
    """The formula with constant atoms decided and the numbers of atoms reduced."""
    match formula:
        case Conjunction(operands):
            return conjunction(map(simplified, operands))
        case Disjunction(operands):
            return disjunction(map(simplified, operands))
        case Negation(operand):
            inner = simplified(operand)
            if inner in (TRUE, FALSE):
                return FALSE if inner == TRUE else TRUE
            return Negation(inner)
        case Inequality(term):
            return _simplified_inequality(term)
        case Equality(term):
            if term.constant % (term.content or 1):
                return FALSE
            reduced = _divided(term, term.content)
            return Equality(reduced) if reduced.coefficients else _truth(reduced.constant == 0)
        case Congruence(term, modulus):
            return _simplified_congruence(term, modulus)


def _simplified_inequality(term: Term) -> Formula:
    content = term.content
    if not content:
        return _truth(term.constant <= 0)
    return Inequality(Term(_divided(term, content).coefficients, -(-term.constant // content)))


def _simplified_congruence(term: Term, modulus: int) -> Formula:
    reduced = [(name, value % modulus) for name, value in term.coefficients if value % modulus]
    content = math.gcd(modulus, *(value for _, value in reduced))
    rest = term.constant % modulus
    if rest % content:
        return FALSE
    small = Term(tuple((name, value // content) for name, value in reduced), rest // content)
    return Congruence(small, modulus // content) if small.coefficients else TRUE


def _truth(holds: bool) -> Formula:
    return TRUE if holds else FALSE


def _divided(term: Term, divisor: int) -> Term:
    if not divisor:
        return term
    coefficients = tuple((name, value // divisor) for name, value in term.coefficients)
    return Term(coefficients, term.constant // divisor)


def _put_values(formula: Formula) -> Formula | None:
    """The conjunction with each value that an operand y = k fixes put into the other operands.

    None where there is nothing to put. What the values decide disappears, and readers see
    y = 1 in place of y = 1 and y <= 50.
    """
    if not isinstance(formula, Conjunction):
        return None
    values: dict[str, Term] = {}
    parts: list[tuple[Formula, bool]] = []
    for operand in formula.operands:
        match operand:
            case Equality(Term(((name, (1 | -1) as sign),), constant)) if name not in values:
                values[name] = Term((), -constant * sign)
                parts.append((operand, True))
            case _:
                parts.append((operand, False))
    if not any(values.keys() & variables(part) for part, defines in parts if not defines):
        return None
    return conjunction(
        part if defines else simplified(substitute(part, values)) for part, defines in parts
    )


def _solve_equation(bound: frozenset[str], formula: Formula) -> Formula | None:
    """The formula without the bound variable of the least coefficient in a conjoined equation."""
    operands = conjuncts(formula)
    choices = [
        (abs(value), name, value, index)
        for index, operand in enumerate(operands)
        if isinstance(operand, Equality)
        for name, value in operand.term.coefficients
        if name in bound
    ]
    if not choices:
        return None
    scale, name, value, index = min(choices)
    rest = _without(operands[index], name)
    image = rest * -1 if value > 0 else rest
    others = [operand for place, operand in enumerate(operands) if place != index]
    replaced = [_replace_multiple(operand, name, scale, image) for operand in others]
    divisible = Congruence(rest, scale)
    return conjunction(simplified(part) for part in (*replaced, divisible))


def _without(equation: Formula, name: str) -> Term:
    assert isinstance(equation, Equality)
    term = equation.term
    return Term(tuple(pair for pair in term.coefficients if pair[0] != name), term.constant)


def _replace_multiple(formula: Formula, name: str, scale: int, image: Term) -> Formula:
    """The formula where scale·name = image, without the name; scale ≥ 1."""

    def replace(term: Term) -> Term:
        factor = dict(term.coefficients)[name]
        rest = Term(tuple(pair for pair in term.coefficients if pair[0] != name), term.constant)
        return rest * scale + image * factor

    match formula:
        case Conjunction(operands):
            return conjunction(_replace_multiple(part, name, scale, image) for part in operands)
        case Disjunction(operands):
            return disjunction(_replace_multiple(part, name, scale, image) for part in operands)
        case Negation(operand):
            return Negation(_replace_multiple(operand, name, scale, image))
        case _ if name not in formula.term.variables:
            return formula
        case Congruence(term, modulus):
            return Congruence(replace(term), modulus * scale)
        case _:
            return map_terms(formula, replace)


def _split_residues(bound: frozenset[str], formula: Formula, limit: int) -> list[Formula]:
    """The cases by residue of one bound variable; empty where none is needed or too many are."""
    moduli: dict[str, int] = {}
    for atom in atoms(formula):
        if isinstance(atom, Congruence):
            for name, value in atom.term.coefficients:
                if name in bound:
                    needed = atom.modulus // math.gcd(atom.modulus, value)
                    moduli[name] = math.lcm(moduli.get(name, 1), needed)
    if not moduli:
        return []
    modulus, name = min((modulus, name) for name, modulus in moduli.items())
    if modulus > limit:
        return []
    replacements = (Term(((name, modulus),), residue) for residue in range(modulus))
    return [simplified(substitute(formula, {name: term})) for term in replacements]
