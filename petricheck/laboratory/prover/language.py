"""Meanings of expressions of scripts: numbers, values of declared sorts, and propositions.

Values of a declared sort are read as rational numbers of which nothing is said, since whatever
holds for some set of values holds for some numbers. A value that depends on a condition (`ite`), or
a remainder, is read as its cases, and what is said of it as what is said in each.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import combinations, pairwise, product
from math import prod
from typing import Any, TypeAlias

from petricheck.arithmetic.formulas.formulas import (
    TRUE,
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    conjunction,
)
from petricheck.arithmetic.formulas.terms import Term, constant, variable
from petricheck.arithmetic.solvers import smtlib_functions
from petricheck.arithmetic.solvers.s_expressions import (
    BITS,
    Leaf,
    Node,
    integer,
    refusal,
    shown,
)
from petricheck.arithmetic.solvers.smtlib import bare
from petricheck.arithmetic.solvers.smtlib_functions import DISTINCT, SmtlibRemainder, connect
from petricheck.arithmetic.solvers.smtlib_reader import (
    INTEGERS,
    TRUTHS,
    SmtlibTheory,
    read_expression,
)
from petricheck.laboratory.prover.results import Theory
from petricheck.laboratory.prover.signature import BOOL, INT, REAL, Signature
from petricheck.laboratory.prover.terms import Application, Ratio, apply, number

LONGEST = 100_000
"""Characters that an application of a function may have once `let` is expanded."""
DEEPEST = 100
"""How deep functions may be nested then."""
WIDEST = 10_000
"""Parts that propositions may have that are written several times: in =, xor and ite."""
CASES = 1_000
"""The most cases that are distinguished at a time."""


@dataclass(frozen=True, slots=True)
class Value:
    """A term, and of which sort."""

    ratio: Ratio
    sort: str


@dataclass(frozen=True, slots=True)
class Conditional:
    """A value by cases: of their conditions exactly one holds.

    Attributes:
        cases: each with its condition; a value is a `Value`, or over integers a term or remainder.
    """

    cases: tuple[tuple[Formula, Any], ...]


Meaning: TypeAlias = Value | Formula


def read_formula(body: Node, signature: Signature) -> Formula:
    """Return the formula of an assertion.

    Raises:
        ScriptRefused: something is not understood, too deep or too large.
    """
    language = _language(signature)
    return _formula_of(read_expression(body, _names(signature), language), language, body)


def read_term(body: Node, signature: Signature) -> Value:
    """Return the number, or value of a declared sort, that a template is.

    Raises:
        ScriptRefused: something is not understood, too deep or too large.
    """
    match read_expression(body, _names(signature), _language(signature)):
        case Term() as term:
            return Value(Ratio(term), INT)
        case Value() as value:
            return value
        case _:
            raise refusal("something else in place of a term", body)


def _names(signature: Signature) -> dict[str, Any]:
    """Return the meanings of declared constants."""
    names: dict[str, Any] = {}
    for name, (*arguments, sort) in signature.sorts.items():
        term = variable(name)
        if sort == BOOL and not arguments:
            names[name] = signature.proposition(term)
        elif not arguments:
            integral = signature.theory is Theory.INTEGERS
            names[name] = term if integral else Value(Ratio(term), sort)
    return names


def _language(signature: Signature) -> SmtlibTheory[Any]:
    integral = signature.theory is Theory.INTEGERS
    return _with_conditions(_INTEGERS if integral else _rationals(signature))


def _with_conditions(theory: SmtlibTheory[Any]) -> SmtlibTheory[Any]:
    """Return the theory with conditional values, and the connectives of any theory."""

    def width(meaning: Any) -> int | None:
        if isinstance(meaning, Conditional):
            return sum(1 + (theory.width(value) or 0) for _, value in meaning.cases)
        return theory.width(meaning)

    def applied(head: Node, operands: list[Any], node: Node) -> Any:
        match head, operands:
            case Leaf("xor"), [_, _, *_]:
                formulas = (_formula_of(operand, language, node) for operand in operands)
                return reduce(lambda one, other: Negation(_equivalence(one, other, node)), formulas)
            case Leaf("ite"), [condition, positive, negative]:
                premise = _formula_of(condition, language, node)
                choices = _under(premise, positive) + _under(Negation(premise), negative)
            case _ if any(isinstance(operand, Conditional) for operand in operands):
                choices = _applied_by_cases(language, head, operands, node)
            case _ if _remainder_matters(head, operands):
                return applied(head, [_by_residue(operand, node) for operand in operands], node)
            case _:
                return theory.apply(head, operands, node)
        return _by_cases(choices, language, node)

    language = SmtlibTheory(theory.literal, applied, width)
    return language


def _formula_of(meaning: Any, language: SmtlibTheory[Any], node: Node) -> Formula:
    """Return the meaning if it is a formula."""
    if language.width(meaning) is not None:
        raise refusal("a value in place of a formula", node)
    formula: Formula = meaning
    return formula


def _under(condition: Formula, meaning: Any) -> list[tuple[Formula, Any]]:
    """Return the cases of a meaning, each of them where the condition holds as well."""
    cases = meaning.cases if isinstance(meaning, Conditional) else ((TRUE, meaning),)
    return [(conjunction((condition, premise)), value) for premise, value in cases]


def _remainder_matters(head: Node, operands: list[Any]) -> bool:
    """Return whether an operand is a remainder, and not just compared with a number."""
    others = [operand for operand in operands if not isinstance(operand, SmtlibRemainder)]
    compared = isinstance(head, Leaf) and head.text in ("=", "distinct")
    numbers = all(isinstance(other, Term) and not other.coefficients for other in others)
    return len(others) < len(operands) - (compared and numbers)


def _by_residue(meaning: Any, node: Node) -> Any:
    """Return a remainder as one of its values, by cases; any other meaning as it is."""
    if not isinstance(meaning, SmtlibRemainder):
        return meaning
    if meaning.modulus > CASES:
        raise refusal(f"more than {CASES} cases at a time", node)
    residues = range(meaning.modulus)
    cases = ((Congruence(meaning.term - r, meaning.modulus), constant(r)) for r in residues)
    return Conditional(tuple(cases))


def _applied_by_cases(
    language: SmtlibTheory[Any], head: Node, operands: list[Any], node: Node
) -> list[tuple[Formula, Any]]:
    """Return the cases of an application: those of each choice of the operands' cases."""
    cases = [_under(TRUE, operand) for operand in operands]
    if prod(map(len, cases)) > CASES:
        raise refusal(f"more than {CASES} cases at a time", node)
    return [
        case
        for choice in product(*cases)
        for case in _under(
            conjunction(condition for condition, _ in choice),
            language.apply(head, [value for _, value in choice], node),
        )
    ]


def _by_cases(cases: Sequence[tuple[Formula, Any]], language: SmtlibTheory[Any], node: Node) -> Any:
    """Return a conditional value; a formula where the values are formulas."""
    if len(cases) > CASES:
        raise refusal(f"more than {CASES} cases at a time", node)
    _refuse_wide([condition for condition, _ in cases], node)
    values = [value for _, value in cases]
    sorts = {value.sort if isinstance(value, Value) else "" for value in values}
    are_formulas = {language.width(value) is None for value in values}
    if len(sorts) > 1 or len(are_formulas) > 1:
        raise refusal("cases of different sorts", node)
    if are_formulas != {True}:
        return Conditional(tuple(cases))
    _refuse_wide(values, node)
    return Disjunction(tuple(Conjunction(case) for case in cases))


def _integers(head: Node, operands: list[Any], node: Node) -> Any:
    """Return a formula of the functions of `smtlib_functions`, or an equation of propositions."""
    match head:
        case Leaf("=" | "distinct" as name) if len(operands) > 1:
            if all(INTEGERS.width(operand) is None for operand in operands):
                return _equated(name, operands, node)
    return smtlib_functions.apply(head, operands, node)


_INTEGERS: SmtlibTheory[Any] = SmtlibTheory(INTEGERS.literal, _integers, INTEGERS.width)


def _rationals(signature: Signature) -> SmtlibTheory[Meaning]:
    def applied(head: Node, operands: list[Meaning], node: Node) -> Meaning:
        match head:
            case Leaf("and" | "or" | "=>" | "not" as name):
                return connect(name, [_formula(operand, node) for operand in operands], node)
            case Leaf("=" | "distinct" as name) if len(operands) > 1:
                return _equated(name, operands, node)
            case Leaf("<" | "<=" | ">" | ">=" as name) if len(operands) > 1:
                numbers = [_number(operand, node) for operand in operands]
                return _joined([_compared(name, *pair) for pair in pairwise(numbers)])
            case Leaf("+" | "-" | "*" | "/" as name):
                return _calculated(name, [_number(operand, node) for operand in operands], node)
            case Leaf(text):
                return _declared(bare(text), operands, signature, node)
            case _:
                raise refusal("a list that applies no function", node)

    return SmtlibTheory(_literal, applied, _width)


def _literal(leaf: Leaf) -> Meaning | None:
    if leaf.text in TRUTHS:
        return TRUTHS[leaf.text]
    if not "0" <= leaf.text[0] <= "9":
        return None
    match = re.fullmatch(r"(0|[1-9][0-9]*)\.([0-9]+)", leaf.text)
    if match is None:
        return Value(number(integer(leaf)), REAL)
    if len(leaf.text) > BITS // 4:
        raise refusal(f"a number of more than {BITS // 4} digits", leaf)
    digits = (match[1] + match[2]).lstrip("0") or "0"
    whole = integer(Leaf(digits, leaf.position))
    return Value(number(Fraction(whole, 10 ** len(match[2]))), REAL)


def _width(meaning: Meaning) -> int | None:
    return 1 + len(meaning.ratio.units) if isinstance(meaning, Value) else None


def _formula(meaning: Meaning, node: Node) -> Formula:
    if isinstance(meaning, Value):
        raise refusal("a value in place of a formula", node)
    return meaning


def _number(meaning: Meaning, node: Node) -> Ratio:
    if not isinstance(meaning, Value) or meaning.sort != REAL:
        raise refusal("something else in place of a number", node)
    return meaning.ratio


def _equated(name: str, operands: Sequence[Meaning], node: Node) -> Formula:
    """Apply the relation to neighbours; `distinct` to all pairs."""
    if name == "distinct" and len(operands) > DISTINCT:
        raise refusal(f"distinct with more than {DISTINCT} arguments", node)
    pairs = pairwise(operands) if name == "=" else combinations(operands, 2)
    equations = [_equation(left, right, node) for left, right in pairs]
    return _joined(equations if name == "=" else list(map(Negation, equations)))


def _equation(left: Meaning, right: Meaning, node: Node) -> Formula:
    match left, right:
        case Value(one, sort), Value(other, same) if sort == same:
            return Equality((one - other).term)
        case (Value(), _) | (_, Value()):
            raise refusal("an equation of different sorts", node)
        case one, other:
            return _equivalence(one, other, node)


def _equivalence(one: Formula, other: Formula, node: Node) -> Formula:
    _refuse_wide((one, other), node)
    both, neither = Conjunction((one, other)), Conjunction((Negation(one), Negation(other)))
    return Disjunction((both, neither))


def _refuse_wide(formulas: Sequence[Formula], node: Node) -> None:
    """Refuse what is too large to be written several times."""
    pending, count = [*formulas], 0
    while pending:
        count += 1
        if count > WIDEST:
            raise refusal(f"=, xor or ite of propositions of more than {WIDEST} parts", node)
        match pending.pop():
            case Negation(operand):
                pending.append(operand)
            case Conjunction(operands) | Disjunction(operands):
                pending += operands


def _joined(formulas: list[Formula]) -> Formula:
    return formulas[0] if len(formulas) == 1 else Conjunction(tuple(formulas))


def _compared(name: str, left: Ratio, right: Ratio) -> Formula:
    gap = (left - right if name[0] == "<" else right - left).term
    return Inequality(gap) if name[1:] else Negation(Inequality(-gap))


def _calculated(name: str, operands: Sequence[Ratio], node: Node) -> Value:
    first, *others = operands
    if name == "-" and not others:
        first = -first
    for other in others:
        match name:
            case "+":
                first = first + other
            case "-":
                first = first - other
            case "*" if not other.units:
                first = first * Fraction(other.term.constant, other.divisor)
            case "*" if not first.units:
                first = other * Fraction(first.term.constant, first.divisor)
            case "*":
                raise refusal("a product of two variables", node)
            case _ if other.units or not other.term.constant:
                raise refusal("division by anything but a number other than 0", node)
            case _:
                first = first * Fraction(other.divisor, other.term.constant)
        _refuse_large(first, node)
    return Value(first, REAL)


def _refuse_large(ratio: Ratio, node: Node) -> None:
    numbers = (ratio.divisor, ratio.term.constant, *(v for _, v in ratio.term.coefficients))
    if any(value.bit_length() > BITS for value in numbers):
        raise refusal(f"a number of more than {BITS} bits", node)


def _declared(name: str, operands: Sequence[Meaning], signature: Signature, node: Node) -> Meaning:
    """Return the application of a declared function."""
    *sorts, result = signature.sorts.get(name, ("",))
    values = [value for value in operands if isinstance(value, Value)]
    if len(values) < len(operands) or not values or [value.sort for value in values] != sorts:
        raise refusal(f"{shown(Leaf(name, node.position))} of such arguments", node)
    term = apply(name, *(value.ratio for value in values))
    unit = term.variables[0]
    assert isinstance(unit, Application)
    if len(unit) > LONGEST:
        raise refusal(f"a term of more than {LONGEST} characters", node)
    if unit.depth > DEEPEST:
        raise refusal(f"nesting deeper than {DEEPEST}", node)
    return signature.proposition(term) if result == BOOL else Value(Ratio(term), result)
