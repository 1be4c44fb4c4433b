"""Quantifier-free Presburger formulas as immutable values.

Atoms compare one linear term with zero. Build them with `at_most`, `at_least`, `equal`,
`different` and `congruent`, and combine them with `conjunction`, `disjunction` and `negate`, which
simplify the trivial cases. A *cube* is a conjunction of atoms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import gcd

from petricheck.arithmetic.formulas.terms import Hashed, Term, constant, hashed_once
from petricheck.support.arguments import require_type, whole


@hashed_once
@dataclass(frozen=True, slots=True)
class Inequality(Hashed):
    """The atom term ≤ 0."""

    term: Term


@hashed_once
@dataclass(frozen=True, slots=True)
class Equality(Hashed):
    """The atom term = 0."""

    term: Term


@hashed_once
@dataclass(frozen=True, slots=True)
class Congruence(Hashed):
    """The atom term ≡ 0 (mod modulus), modulus ≥ 1."""

    term: Term
    modulus: int


@hashed_once
@dataclass(frozen=True, slots=True)
class Negation(Hashed):
    """The negation of the operand."""

    operand: Formula


@hashed_once
@dataclass(frozen=True, slots=True)
class Conjunction(Hashed):
    """The conjunction of all operands; the empty one is true."""

    operands: tuple[Formula, ...]


@hashed_once
@dataclass(frozen=True, slots=True)
class Disjunction(Hashed):
    """The disjunction of all operands; the empty one is false."""

    operands: tuple[Formula, ...]


Atom = Inequality | Equality | Congruence
Formula = Inequality | Equality | Congruence | Negation | Conjunction | Disjunction
Cube = tuple[Atom, ...]

_CACHED = 1 << 16
"""Normal and tight forms in the cache: parts of formulas occur in many places."""

TRUE = Conjunction(())
FALSE = Disjunction(())


def at_most(left: Term, right: Term | int) -> Inequality:
    """Return left ≤ right."""
    return Inequality(_difference(left, right))


def at_least(left: Term, right: Term | int) -> Inequality:
    """Return left ≥ right."""
    return Inequality(-_difference(left, right))


def equal(left: Term, right: Term | int) -> Equality:
    """Return left = right."""
    return Equality(_difference(left, right))


def different(left: Term, right: Term | int) -> Formula:
    """Return left ≠ right, as left < right or left > right."""
    difference = _difference(left, right)
    return Disjunction((Inequality(difference + 1), Inequality(1 - difference)))


def congruent(left: Term, residue: int, modulus: int) -> Congruence:
    """Return left ≡ residue (mod modulus), modulus ≥ 1."""
    return Congruence(_difference(left, residue), whole(modulus, 1, "a modulus"))


def _difference(left: Term, right: Term | int) -> Term:
    if isinstance(left, Term) and isinstance(right, Term | int):
        return left - right
    first, second = (side if isinstance(side, Term) else constant(side) for side in (left, right))
    return first - second


def require_formula(formula: object) -> None:
    """Refuse what is no formula, by an InputError."""
    require_type(formula, Formula, "a formula is made as at_least(variable('p1'), 2) is")


def conjunction(operands: Iterable[Formula]) -> Formula:
    """Return the conjunction, flattened one level; false if an operand is."""
    return _joined(Conjunction, FALSE, operands)


def disjunction(operands: Iterable[Formula]) -> Formula:
    """Return the disjunction, flattened one level; true if an operand is."""
    return _joined(Disjunction, TRUE, operands)


def _joined(
    kind: type[Conjunction | Disjunction], deciding: Formula, operands: Iterable[Formula]
) -> Formula:
    require_type(operands, Iterable, "what is joined is a list of formulas")
    flat: dict[Formula, None] = {}
    for operand in operands:
        require_formula(operand)
        if operand == deciding:
            return deciding
        if isinstance(operand, kind):
            flat.update(dict.fromkeys(operand.operands))
        else:
            flat[operand] = None
    return next(iter(flat)) if len(flat) == 1 else kind(tuple(flat))


def conjuncts(formula: Formula) -> tuple[Formula, ...]:
    """Return the operands of a conjunction; any other formula alone."""
    return formula.operands if isinstance(formula, Conjunction) else (formula,)


def disjuncts(formula: Formula) -> tuple[Formula, ...]:
    """Return the operands of a disjunction; any other formula alone."""
    return formula.operands if isinstance(formula, Disjunction) else (formula,)


def negate(formula: Formula) -> Formula:
    """Return a formula equivalent to `not formula`, negation pushed down to the congruences."""
    require_formula(formula)
    return _normal(formula, False)


def normal(formula: Formula) -> Formula:
    """Return the negation normal form: `Negation` is around congruences only, no constant is false.

    So, unless the form is `FALSE`, every choice of one operand for each disjunction makes a cube.
    """
    return _normal(formula, True)


@lru_cache(maxsize=_CACHED)
def _normal(formula: Formula, holds: bool) -> Formula:
    """Return the normal form of the formula, or of its negation."""
    literal: Formula
    match formula:
        case Negation(operand):
            return _normal(operand, not holds)
        case Conjunction(operands) | Disjunction(operands):
            join = conjunction if isinstance(formula, Conjunction) is holds else disjunction
            return join(_normal(operand, holds) for operand in operands)
        case _ if holds:
            literal = formula
        case Inequality(term):
            literal = Inequality(1 - term)
        case Equality(term):
            return _normal(different(term, 0), True)
        case Congruence(_, modulus):
            literal = FALSE if modulus == 1 else Negation(formula)
    return literal if formula.term.coefficients or evaluate(literal, {}) else FALSE


def evaluate(formula: Formula, values: Mapping[str, int]) -> bool:
    """Return whether `values` satisfy the formula; KeyError where a variable has no value."""
    match formula:
        case Inequality(term):
            return term.evaluate(values) <= 0
        case Equality(term):
            return term.evaluate(values) == 0
        case Congruence(term, modulus):
            return term.evaluate(values) % modulus == 0
        case Negation(operand):
            return not evaluate(operand, values)
        case Conjunction(operands):
            return all(evaluate(operand, values) for operand in operands)
        case Disjunction(operands):
            return any(evaluate(operand, values) for operand in operands)


def map_atoms(formula: Formula, function: Callable[[Atom], Formula]) -> Formula:
    """Return the formula with every atom replaced by the result of `function`."""
    match formula:
        case Negation(operand):
            return Negation(map_atoms(operand, function))
        case Conjunction(operands) | Disjunction(operands):
            return type(formula)(tuple(map_atoms(operand, function) for operand in operands))
        case _:
            return function(formula)


def map_terms(formula: Formula, function: Callable[[Term], Term]) -> Formula:
    """Return the formula with `function` applied to the term of every atom."""

    def mapped(atom: Atom) -> Atom:
        if isinstance(atom, Congruence):
            return Congruence(function(atom.term), atom.modulus)
        return type(atom)(function(atom.term))

    return map_atoms(formula, mapped)


def substitute(formula: Formula, terms: Mapping[str, Term]) -> Formula:
    """Return the formula with every variable in `terms` replaced by its term."""
    return map_terms(formula, lambda term: term.substitute(terms))


def atoms(formula: Formula) -> Iterator[Atom]:
    """Yield every occurrence of an atom, from left to right."""
    pending = [formula]
    while pending:
        match pending.pop():
            case Negation(operand):
                pending.append(operand)
            case Conjunction(operands) | Disjunction(operands):
                pending.extend(reversed(operands))
            case atom:
                yield atom


def distinct_atoms(formula: Formula) -> Iterator[Atom]:
    """Yield every atom once."""
    pending, visited = [formula], {formula}
    while pending:
        part = pending.pop()
        if isinstance(part, Negation | Conjunction | Disjunction):
            operands = (part.operand,) if isinstance(part, Negation) else part.operands
            pending += [operand for operand in dict.fromkeys(operands) if operand not in visited]
            visited.update(operands)
        else:
            yield part


def variables(formula: Formula) -> tuple[str, ...]:
    """Return the variables that occur, sorted."""
    names: set[str] = set()
    for atom in distinct_atoms(formula):
        names.update(dict(atom.term.coefficients))
    return tuple(sorted(names))


@lru_cache(maxsize=_CACHED)
def tighten(formula: Formula) -> Formula:
    """Return an equivalent formula with primitive atoms; t ≤ 0 ∧ t ≥ 0 becomes t = 0."""
    match formula:
        case Inequality(term):
            divisor = term.content
            if divisor == 1:
                return formula
            if divisor == 0:
                return TRUE if term.constant <= 0 else FALSE
            return Inequality(_divided(term.coefficients, divisor, -(-term.constant // divisor)))
        case Equality(term):
            divisor = term.content
            if divisor == 0 or term.constant % divisor:
                return TRUE if term == Term((), 0) else FALSE
            primitive = _divided(term.coefficients, divisor, term.constant // divisor)
            return Equality(-primitive if term.coefficients[0][1] < 0 else primitive)
        case Congruence(term, modulus):
            residues = [(n, v % modulus) for n, v in term.coefficients if v % modulus]
            divisor, remainder = gcd(modulus, *[v for _, v in residues]), term.constant % modulus
            if remainder % divisor or divisor == modulus:
                return FALSE if remainder % divisor else TRUE
            return Congruence(_divided(residues, divisor, remainder // divisor), modulus // divisor)
        case Negation(Congruence() as operand):
            tight = tighten(operand)
            return negate(tight) if tight in (TRUE, FALSE) else Negation(tight)
        case Negation():
            return tighten(normal(formula))
        case Conjunction(operands):
            return conjunction(_join_pairs([tighten(operand) for operand in operands]))
        case Disjunction(operands):
            return disjunction(tighten(operand) for operand in operands)


def _divided(coefficients: Iterable[tuple[str, int]], divisor: int, constant: int) -> Term:
    return Term(tuple([(name, value // divisor) for name, value in coefficients]), constant)


def _join_pairs(operands: list[Formula]) -> list[Formula]:
    inequalities = [operand for operand in operands if isinstance(operand, Inequality)]
    if len({inequality.term.coefficients[0][1] > 0 for inequality in inequalities}) < 2:
        return operands  # t and −t begin with opposite signs
    present = set(inequalities)
    return [
        tighten(Equality(operand.term))
        if isinstance(operand, Inequality) and Inequality(-operand.term) in present
        else operand
        for operand in operands
    ]
