"""Meanings of the functions of SMT-LIB 2.

Those of linear integer arithmetic: connectives, comparisons, sums, products with a number, and
remainders. Other functions, or arguments, raise `ScriptRefused`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, pairwise
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
)
from petricheck.arithmetic.formulas.terms import Term, constant, linear
from petricheck.arithmetic.solvers.s_expressions import (
    BITS,
    Leaf,
    List,
    Node,
    integer,
    refusal,
    shown,
)

DISTINCT = 100
"""Arguments that `distinct` may have, whose pairs are compared."""


@dataclass(frozen=True, slots=True)
class SmtlibRemainder:
    """term mod modulus."""

    term: Term
    modulus: int


Meaning: TypeAlias = Term | SmtlibRemainder | Formula
"""The value of an expression."""


def apply(head: Node, operands: list[Meaning], node: Node) -> Meaning:
    """Return the meaning of the application `node` of the function `head`."""
    match head:
        case Leaf(("and" | "or" | "=>" | "not") as name):
            return connect(name, [as_formula(value, node) for value in operands], node)
        case Leaf(("=" | "distinct" | "<" | "<=" | ">" | ">=") as name) if len(operands) > 1:
            return _compare(name, [_number(value, node) for value in operands], node)
        case Leaf(("+" | "-" | "*") as name):
            return _calculate(name, [_term(value, node) for value in operands], node)
        case Leaf("mod") if len(operands) == 2:
            term, modulus = (_term(value, node) for value in operands)
            return SmtlibRemainder(term, _modulus(modulus, node))
        case List([Leaf("_"), Leaf("divisible"), Leaf() as number]) if len(operands) == 1:
            divisor = constant(integer(number))
            return Congruence(_term(operands[0], node), _modulus(divisor, node))
        case _:
            raise refusal(f"{shown(head)} with {len(operands)} arguments", node)


def as_formula(value: Meaning, node: Node) -> Formula:
    """Return the meaning if it is a formula."""
    if isinstance(value, (Term, SmtlibRemainder)):
        raise refusal("a number in place of a formula", node)
    return value


def connect(name: str, operands: list[Formula], node: Node) -> Formula:
    """Return the formula that joins the operands by the connective."""
    match name:
        case "and":
            return Conjunction(tuple(operands))
        case "or":
            return Disjunction(tuple(operands))
        case "not" if len(operands) == 1:
            return Negation(operands[0])
        case "=>" if len(operands) > 1:
            *premises, conclusion = operands
            return Disjunction((*map(Negation, premises), conclusion))
        case _:
            raise refusal(f"{name!r} with {len(operands)} arguments", node)


def _compare(name: str, numbers: list[Term | SmtlibRemainder], node: Node) -> Formula:
    """Return the comparison of neighbours; for distinct, of all pairs."""
    pairs = list(pairwise(numbers))
    if name == "distinct":
        if len(numbers) > DISTINCT:
            raise refusal(f"distinct with more than {DISTINCT} arguments", node)
        pairs = list(combinations(numbers, 2))
    compared = tuple(_relate(name, left, right, node) for left, right in pairs)
    return compared[0] if len(compared) == 1 else Conjunction(compared)


def _relate(
    name: str, left: Term | SmtlibRemainder, right: Term | SmtlibRemainder, node: Node
) -> Formula:
    match left, right:
        case Term(), SmtlibRemainder() if name in ("=", "distinct"):
            return _relate(name, right, left, node)
        case SmtlibRemainder(term, modulus), Term((), residue) if name in ("=", "distinct"):
            equal = Congruence(term - residue, modulus) if 0 <= residue < modulus else FALSE
            return equal if name == "=" else Negation(equal)
        case Term(), Term():
            return _RELATIONS[name](left - right)
        case _:
            raise refusal("a remainder that is not compared (=, distinct) with a number", node)


_RELATIONS: Mapping[str, Callable[[Term], Formula]] = {
    "=": Equality,
    "distinct": lambda gap: Negation(Equality(gap)),
    "<=": Inequality,
    "<": lambda gap: Inequality(gap + 1),
    ">=": lambda gap: Inequality(-gap),
    ">": lambda gap: Inequality(1 - gap),
}
"""The relations of two terms, by their difference."""


def _calculate(name: str, terms: list[Term], node: Node) -> Term:
    first, *others = terms
    match name:
        case "-" if not others:
            result = -first
        case "-":
            result = first - _sum(others)
        case "+":
            result = _sum(terms)
        case _:
            result = reduce(lambda left, right: _product(left, right, node), others, first)
    return _require_small(result, node)


def _sum(terms: list[Term]) -> Term:
    """Return the sum, in one pass: adding terms one by one would take quadratic time."""
    pairs = (pair for term in terms for pair in term.coefficients)
    return linear(pairs, sum(term.constant for term in terms))


def _product(left: Term, right: Term, node: Node) -> Term:
    if left.coefficients and right.coefficients:
        raise refusal("a product of two variables", node)
    term, factor = (left, right.constant) if left.coefficients else (right, left.constant)
    return _require_small(term * factor, node)


def _require_small(term: Term, node: Node) -> Term:
    """Return the term; refuse it if a number in it is too large."""
    numbers = (term.constant, *(value for _, value in term.coefficients))
    if any(value.bit_length() > BITS for value in numbers):
        raise refusal(f"a number of more than {BITS} bits", node)
    return term


def _modulus(term: Term, node: Node) -> int:
    if term.coefficients or term.constant < 1:
        raise refusal("mod by anything but a positive number", node)
    return term.constant


def _number(value: Meaning, node: Node) -> Term | SmtlibRemainder:
    if isinstance(value, (Term, SmtlibRemainder)):
        return value
    raise refusal("a formula in place of a number", node)


def _term(value: Meaning, node: Node) -> Term:
    if isinstance(value, Term):
        return value
    raise refusal("a formula or remainder in place of a sum", node)
