"""Quantifier-free formulas of linear arithmetic over the rationals with functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from petricheck.laboratory.functions.terms import ZERO, Symbol, Term, symbols


@dataclass(frozen=True, slots=True)
class Inequality:
    """term ≤ 0."""

    term: Term


@dataclass(frozen=True, slots=True)
class Equality:
    """left = right: kept as two sides, since functions care for terms, not for differences."""

    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Negation:
    """Not operand."""

    operand: Formula


@dataclass(frozen=True, slots=True)
class Conjunction:
    """All operands; the empty conjunction is true."""

    operands: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Disjunction:
    """Some operand; the empty disjunction is false."""

    operands: tuple[Formula, ...]


Atom: TypeAlias = Inequality | Equality
Formula: TypeAlias = Inequality | Equality | Negation | Conjunction | Disjunction

TRUE = Conjunction(())
FALSE = Disjunction(())


def at_most(left: Term, right: Term) -> Formula:
    """Left ≤ right, a truth value where that is plain."""
    term = left - right
    if term.coefficients:
        return Inequality(term)
    return TRUE if term.constant <= 0 else FALSE


def below(left: Term, right: Term) -> Formula:
    """Left < right, likewise."""
    return negate(at_most(right, left))


def equal(left: Term, right: Term) -> Formula:
    """Left = right, likewise."""
    difference = left - right
    if difference.coefficients:
        return Equality(left, right)
    return FALSE if difference.constant else TRUE


def different(left: Term, right: Term) -> Formula:
    """Left ≠ right, likewise."""
    return negate(equal(left, right))


def negate(formula: Formula) -> Formula:
    """The negation, without another one around it."""
    match formula:
        case Negation(operand):
            return operand
        case Conjunction(()):
            return FALSE
        case Disjunction(()):
            return TRUE
        case _:
            return Negation(formula)


def conjunction(operands: Iterable[Formula]) -> Formula:
    """All of them, flattened one level; false as soon as an operand is."""
    flat: dict[Formula, None] = {}
    for operand in operands:
        if operand == FALSE:
            return FALSE
        parts = operand.operands if isinstance(operand, Conjunction) else (operand,)
        flat.update(dict.fromkeys(parts))
    return next(iter(flat)) if len(flat) == 1 else Conjunction(tuple(flat))


def disjunction(operands: Iterable[Formula]) -> Formula:
    """Some of them, flattened one level; true as soon as an operand is."""
    flat: dict[Formula, None] = {}
    for operand in operands:
        if operand == TRUE:
            return TRUE
        parts = operand.operands if isinstance(operand, Disjunction) else (operand,)
        flat.update(dict.fromkeys(parts))
    return next(iter(flat)) if len(flat) == 1 else Disjunction(tuple(flat))


def implication(premise: Formula, conclusion: Formula) -> Formula:
    """Conclusion where the premise holds."""
    return disjunction((negate(premise), conclusion))


def atoms(formula: Formula) -> Iterator[Atom]:
    """Every atom, each at its first occurrence."""
    waiting, seen = [formula], set()
    while waiting:
        current = waiting.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        match current:
            case Negation(operand):
                waiting.append(operand)
            case Conjunction(operands) | Disjunction(operands):
                waiting.extend(reversed(operands))
            case atom:
                yield atom


def map_terms(formula: Formula, function: Callable[[Term], Term]) -> Formula:
    """The formula with the function applied to the terms of every atom."""
    match formula:
        case Inequality(term):
            return at_most(function(term), ZERO)
        case Equality(left, right):
            return equal(function(left), function(right))
        case Negation(operand):
            return negate(map_terms(operand, function))
        case Conjunction(operands):
            return conjunction(map_terms(operand, function) for operand in operands)
        case Disjunction(operands):
            return disjunction(map_terms(operand, function) for operand in operands)


def terms(atom: Atom) -> tuple[Term, ...]:
    """The terms that the atom is about."""
    match atom:
        case Inequality(term):
            return (term,)
        case Equality(left, right):
            return left, right


def vocabulary(formula: Formula) -> frozenset[Symbol]:
    """The symbols that occur."""
    return frozenset(
        symbol for atom in atoms(formula) for term in terms(atom) for symbol in symbols(term)
    )


def to_text(formula: Formula) -> str:
    """The formula on one line, as a person may read it."""
    match formula:
        case Inequality(term):
            return f"{term} <= 0"
        case Equality(left, right):
            return f"{left} = {right}"
        case Negation(Equality(left, right)):
            return f"{left} != {right}"
        case Negation(Inequality(term)):
            return f"{term} > 0"
        case Negation(operand):
            return f"not ({to_text(operand)})"
        case Conjunction(()):
            return "true"
        case Disjunction(()):
            return "false"
        case Conjunction(operands) | Disjunction(operands):
            word = " and " if isinstance(formula, Conjunction) else " or "
            return word.join(_inner(operand) for operand in operands)


def _inner(formula: Formula) -> str:
    text = to_text(formula)
    return f"({text})" if isinstance(formula, (Conjunction, Disjunction)) else text
