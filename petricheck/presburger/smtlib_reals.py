"""What the functions of SMT-LIB 2 make of rational numbers: linear arithmetic with fractions."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from math import lcm

from petricheck.presburger.formulas import (
    Conjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
)
from petricheck.presburger.s_expressions import BITS, Leaf, Node, integer, refusal, shown
from petricheck.presburger.smtlib_functions import (
    DISTINCT,
    Meaning,
    Quotient,
    as_formula,
    connect,
)
from petricheck.presburger.smtlib_reader import Language
from petricheck.presburger.terms import constant, linear, variable


def number(leaf: Leaf) -> Quotient:
    """The number that a numeral or decimal spells.

    Raises:
        Refused: it spells none, or one that is too large.
    """
    match = re.fullmatch(r"(0|[1-9][0-9]*)\.([0-9]+)", leaf.text)
    if match is None:
        return Quotient(constant(integer(leaf)), 1)
    if len(leaf.text) > BITS // 4:
        raise refusal(f"a number of more than {BITS // 4} digits", leaf)
    digits = (match[1] + match[2]).lstrip("0") or "0"
    return Quotient(constant(integer(Leaf(digits, leaf.position))), 10 ** len(match[2]))


def named(name: str) -> Quotient:
    """The variable."""
    return Quotient(variable(name), 1)


def apply(head: Node, operands: list[Meaning], node: Node) -> Meaning:
    """What the application `node` of the function `head` stands for.

    Raises:
        Refused: it is no function of linear rational arithmetic, or takes other arguments.
    """
    match head:
        case Leaf(("and" | "or" | "=>" | "not") as name):
            return connect(name, [as_formula(value, node) for value in operands], node)
        case Leaf(("=" | "distinct" | "<" | "<=" | ">" | ">=") as name) if len(operands) > 1:
            return _compare(name, [_number(value, node) for value in operands], node)
        case Leaf(("+" | "-" | "*" | "/") as name):
            return _calculate(name, [_number(value, node) for value in operands], node)
        case _:
            raise refusal(f"{shown(head)} with {len(operands)} arguments", node)


REALS = Language(number, named, apply)


def _compare(name: str, numbers: list[Quotient], node: Node) -> Formula:
    """Chained, save for distinct, which is pairwise."""
    pairs = list(pairwise(numbers))
    if name == "distinct":
        if len(numbers) > DISTINCT:
            raise refusal(f"distinct with more than {DISTINCT} arguments", node)
        pairs = list(combinations(numbers, 2))
    compared = tuple(_relation(name, _sum([left, _scaled(right, -1)])) for left, right in pairs)
    return compared[0] if len(compared) == 1 else Conjunction(compared)


def _relation(name: str, gap: Quotient) -> Formula:
    match name:
        case "=":
            return Equality(gap.term)
        case "distinct":
            return Negation(Equality(gap.term))
        case "<=":
            return Inequality(gap.term)
        case "<":
            return Negation(Inequality(-gap.term))
        case ">=":
            return Inequality(-gap.term)
        case _:
            return Negation(Inequality(gap.term))


def _calculate(name: str, numbers: list[Quotient], node: Node) -> Quotient:
    first, *others = numbers
    match name:
        case "-" if not others:
            result = _scaled(first, -1)
        case "-":
            result = _sum([first, *(_scaled(other, -1) for other in others)])
        case "+":
            result = _sum(numbers)
        case _:
            result = first
            for other in others:
                result = _product(result, other if name == "*" else _inverse(other, node), node)
    return _small(result, node)


def _scaled(value: Quotient, factor: int) -> Quotient:
    return Quotient(value.term * factor, value.divisor)


def _sum(numbers: list[Quotient]) -> Quotient:
    """One pass over all of them, where adding one by one would be quadratic."""
    divisor = lcm(*(number.divisor for number in numbers))
    terms = [number.term * (divisor // number.divisor) for number in numbers]
    pairs = (pair for term in terms for pair in term.coefficients)
    return Quotient(linear(pairs, sum(term.constant for term in terms)), divisor)


def _product(left: Quotient, right: Quotient, node: Node) -> Quotient:
    if left.term.coefficients and right.term.coefficients:
        raise refusal("a product of two variables", node)
    some, factor = (left, right) if left.term.coefficients else (right, left)
    scaled = Quotient(some.term * factor.term.constant, some.divisor * factor.divisor)
    return _small(scaled, node)


def _inverse(value: Quotient, node: Node) -> Quotient:
    if value.term.coefficients or not value.term.constant:
        raise refusal("division by anything but a number other than 0", node)
    sign = 1 if value.term.constant > 0 else -1
    return Quotient(constant(sign * value.divisor), abs(value.term.constant))


def _small(value: Quotient, node: Node) -> Quotient:
    """The number, refused where one in it is too large to go on with."""
    numbers = (value.divisor, value.term.constant, *(v for _, v in value.term.coefficients))
    if any(each.bit_length() > BITS for each in numbers):
        raise refusal(f"a number of more than {BITS} bits", node)
    return value


def _number(value: Meaning, node: Node) -> Quotient:
    if isinstance(value, Quotient):
        return value
    raise refusal("a formula in place of a number", node)
