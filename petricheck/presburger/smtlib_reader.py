"""One definition out of an SMT-LIB 2 text, as a formula.

Reads linear integer arithmetic with integer remainders, in time linear in the text, and refuses
what is too long, too deep, or too large once `let` is expanded. Names are those of
`petricheck.presburger.smtlib`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, pairwise
from typing import NamedTuple, TypeAlias

from petricheck.errors import EvidenceError
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
)
from petricheck.presburger.smtlib import CHUNK, bare, name_of
from petricheck.presburger.terms import Term, constant, linear, variable

SIZE = 1 << 25
"""Characters that a text to read may have."""
DEPTH = 256
"""Levels of nesting that are read, before and after `let` is expanded; questions nest less."""
DISTINCT = 100
"""Arguments that `distinct` may have, whose pairs are compared."""
NODES = 5_000_000
"""Parts that a definition may have once `let` is expanded, and steps spent on reading it."""
BITS = 1 << 20
"""Bits that an integer may have."""


class _Leaf(NamedTuple):
    """A token and its place in the text."""

    text: str
    position: int


class _List(NamedTuple):
    """What stands between two parentheses, and where they open."""

    items: list[_Leaf | _List]
    position: int


class _Refused(Exception):
    """What is wrong, and where in the text."""

    def __init__(self, what: str, position: int) -> None:
        super().__init__(what)
        self.position = position


_Node: TypeAlias = _Leaf | _List


@dataclass(frozen=True, slots=True)
class _Remainder:
    """term mod modulus."""

    term: Term
    modulus: int


_Meaning: TypeAlias = Term | _Remainder | Formula


class _Value(NamedTuple):
    """What an expression means, with its size and depth as a formula; numbers have neither."""

    meaning: _Meaning
    size: int = 0
    depth: int = 0


_Scope: TypeAlias = Mapping[str, _Value]

_TOKEN = re.compile(
    r"(?:[ \t\r\n]+|;[^\r\n]*)*+(?:(\|[^|\\]*\||\"[^\"]*\"|[()]|[^\s()|\";]+)|(.)|\Z)", re.DOTALL
)


Definition: TypeAlias = tuple[tuple[str, ...], Formula]
"""The parameters, as variables, and the body."""


def read_definition(text: str, name: str) -> Definition:
    """The one definition of this name, as `find_definitions` reads it.

    Raises:
        EvidenceError: as there, or there is none.
    """
    found = find_definitions(text, (name,))
    if name not in found:
        raise EvidenceError(f"there is no definition of {name!r}")
    return found[name]


def find_definitions(text: str, names: tuple[str, ...]) -> dict[str, Definition]:
    """Those of `(define-fun name ((x Int) …) Bool body)` for the names that the text has.

    Everything else in the text is disregarded, other commands included. Understood are and, or,
    not, =>, true, false, let, =, distinct, <, <=, >, >=, +, -, products with a number,
    ((_ divisible n) e), and e mod n where it is compared (=, distinct) with a number.

    Raises:
        EvidenceError: a name has several, or something is not understood; the text says what and
            on which line.
    """
    if len(text) > SIZE:
        raise EvidenceError(f"the text has more than {SIZE} characters")
    found: dict[str, Definition] = {}
    try:
        for command in _commands(text):
            name = _defined(command)
            if name in found:
                raise _refusal(f"a second definition of {name!r}", command)
            if name is not None and name in names:
                found[name] = _definition(command)
    except _Refused as error:
        line = text.count("\n", 0, error.position) + 1
        raise EvidenceError(f"line {line}: {error}") from None
    return found


def _definition(command: _List) -> Definition:
    match command.items:
        case [_, _, _List(declared), _Leaf("Bool"), body]:
            parameters = tuple(_parameter(node) for node in declared)
        case _:
            raise _refusal("a definition that is not of sort Bool", command)
    names = tuple(name_of(parameter) for parameter in parameters)
    if len(set(names)) != len(names):
        raise _refusal("a parameter twice", command)
    return names, _Reader().formula(body, parameters)


def _commands(text: str) -> Iterator[_List]:
    """The top-level commands of a script."""
    open_lists: list[_List] = []
    for leaf in _tokens(text):
        if leaf.text == "(":
            if len(open_lists) == DEPTH:
                raise _refusal(f"nesting deeper than {DEPTH}", leaf)
            open_lists.append(_List([], leaf.position))
        elif not open_lists:
            raise _refusal(f"{_shown(leaf)} outside a command", leaf)
        elif leaf.text == ")":
            closed = open_lists.pop()
            if open_lists:
                open_lists[-1].items.append(closed)
            else:
                yield closed
        else:
            open_lists[-1].items.append(leaf)
    if open_lists:
        raise _refusal("a parenthesis that is never closed", open_lists[-1])


def _tokens(text: str) -> Iterator[_Leaf]:
    for match in _TOKEN.finditer(text):
        if match[2] is not None:
            raise _Refused("a quotation that is never closed, or a stray sign", match.start(2))
        if match[1] is not None:  # at the end nothing is
            yield _Leaf(match[1], match.start(1))


def _defined(command: _List) -> str | None:
    """The name of the function that the command defines."""
    match command.items:
        case [_Leaf("define-fun"), _Leaf(name), *_]:
            return bare(name)
        case _:
            return None


def _parameter(node: _Node) -> str:
    match node:
        case _List([_Leaf(text), _Leaf("Int")]) if text[0] not in '"#0123456789':
            try:
                name_of(text)
            except UnicodeDecodeError:
                raise _refusal(f"the symbol {_shown(node.items[0])}", node) from None
            return bare(text)
        case _:
            raise _refusal("a parameter that is not of sort Int", node)


def _refusal(what: str, node: _Node) -> _Refused:
    return _Refused(f"{what} is not understood", node.position)


def _shown(node: _Node) -> str:
    return ascii(node.text[:40]) if isinstance(node, _Leaf) else "a list"


class _Reader:
    """Turns one body into a formula, and counts the steps it takes."""

    def __init__(self) -> None:
        self._steps = 0

    def formula(self, body: _Node, parameters: tuple[str, ...]) -> Formula:
        scope = {name: _Value(variable(name_of(name))) for name in parameters}
        return _formula(self._value(body, scope), body)

    def _value(self, node: _Node, scope: _Scope) -> _Value:
        if isinstance(node, _Leaf):
            return _leaf(node, scope)
        match node.items:
            case [_Leaf("let"), _List(bindings), body]:
                bound = dict(self._binding(binding, scope) for binding in bindings)
                self._count(len(scope), node)
                return self._value(body, {**scope, **bound})
            case [head, *operands] if operands:
                values = [self._value(operand, scope) for operand in operands]
                return self._bounded(_apply(head, values, node), values, node)
            case _:
                raise _refusal("an empty list or a function without arguments", node)

    def _binding(self, node: _Node, scope: _Scope) -> tuple[str, _Value]:
        match node:
            case _List([_Leaf(name), value]):
                return bare(name), self._value(value, scope)
            case _:
                raise _refusal("a let without pairs", node)

    def _bounded(self, meaning: _Meaning, operands: list[_Value], node: _Node) -> _Value:
        """The result with its measures, refused beyond the limits."""
        size = sum(value.size or _width(value.meaning) for value in operands)
        depth = 1 + max(value.depth for value in operands)
        self._count(sum(1 + _width(value.meaning) for value in operands), node)
        if isinstance(meaning, (Term, _Remainder)):
            return _Value(meaning)
        if size > NODES:
            raise _refusal(f"a definition of more than {NODES} parts", node)
        if depth > DEPTH:
            raise _refusal(f"nesting deeper than {DEPTH}", node)
        return _Value(meaning, size, depth)

    def _count(self, steps: int, node: _Node) -> None:
        self._steps += steps
        if self._steps > NODES:
            raise _refusal(f"a definition that takes more than {NODES} steps", node)


def _leaf(node: _Leaf, scope: _Scope) -> _Value:
    text = node.text
    if text in ("true", "false"):
        return _Value(TRUE if text == "true" else FALSE, 1, 1)
    if "0" <= text[0] <= "9":  # before variables, since |1| is one
        return _Value(constant(_integer(node)))
    if (known := scope.get(bare(text))) is not None:
        return known
    raise _refusal(_shown(node), node)


def _integer(node: _Leaf) -> int:
    value = 0
    if not re.fullmatch(r"0|[1-9][0-9]*", node.text):
        raise _refusal(_shown(node), node)
    if len(node.text) > BITS // 4:
        raise _refusal(f"a number of more than {BITS // 4} digits", node)
    for start in range(0, len(node.text), CHUNK):
        chunk = node.text[start : start + CHUNK]
        value = value * 10 ** len(chunk) + int(chunk)
    return value


def _apply(head: _Node, operands: list[_Value], node: _Node) -> _Meaning:
    """The function's result."""
    match head:
        case _Leaf(("and" | "or" | "=>" | "not") as name):
            return _connect(name, [_formula(value, node) for value in operands], node)
        case _Leaf(("=" | "distinct" | "<" | "<=" | ">" | ">=") as name) if len(operands) > 1:
            return _compare(name, [_number(value, node) for value in operands], node)
        case _Leaf(("+" | "-" | "*") as name):
            return _calculate(name, [_term(value, node) for value in operands], node)
        case _Leaf("mod") if len(operands) == 2:
            term, modulus = (_term(value, node) for value in operands)
            return _Remainder(term, _modulus(modulus, node))
        case _List([_Leaf("_"), _Leaf("divisible"), _Leaf() as number]) if len(operands) == 1:
            divisor = constant(_integer(number))
            return Congruence(_term(operands[0], node), _modulus(divisor, node))
        case _:
            raise _refusal(f"{_shown(head)} with {len(operands)} arguments", node)


def _connect(name: str, operands: list[Formula], node: _Node) -> Formula:
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
            raise _refusal(f"{name!r} with {len(operands)} arguments", node)


def _compare(name: str, numbers: list[Term | _Remainder], node: _Node) -> Formula:
    """Chained, save for distinct, which is pairwise."""
    pairs = list(pairwise(numbers))
    if name == "distinct":
        if len(numbers) > DISTINCT:
            raise _refusal(f"distinct with more than {DISTINCT} arguments", node)
        pairs = list(combinations(numbers, 2))
    compared = tuple(_relate(name, left, right, node) for left, right in pairs)
    return compared[0] if len(compared) == 1 else Conjunction(compared)


def _relate(name: str, left: Term | _Remainder, right: Term | _Remainder, node: _Node) -> Formula:
    match left, right:
        case Term(), _Remainder() if name in ("=", "distinct"):
            return _relate(name, right, left, node)
        case _Remainder(term, modulus), Term((), residue) if name in ("=", "distinct"):
            equal = Congruence(term - residue, modulus) if 0 <= residue < modulus else FALSE
            return equal if name == "=" else Negation(equal)
        case Term(), Term():
            return _relation(name, left - right)
        case _:
            raise _refusal("a remainder that is not compared (=, distinct) with a number", node)


def _relation(name: str, gap: Term) -> Formula:
    match name:
        case "=":
            return Equality(gap)
        case "distinct":
            return Negation(Equality(gap))
        case "<=":
            return Inequality(gap)
        case "<":
            return Inequality(gap + 1)
        case ">=":
            return Inequality(-gap)
        case _:
            return Inequality(1 - gap)


def _calculate(name: str, terms: list[Term], node: _Node) -> Term:
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
    return _small(result, node)


def _sum(terms: list[Term]) -> Term:
    """One pass over all of them, where adding one by one would be quadratic."""
    pairs = (pair for term in terms for pair in term.coefficients)
    return linear(pairs, sum(term.constant for term in terms))


def _product(left: Term, right: Term, node: _Node) -> Term:
    if left.coefficients and right.coefficients:
        raise _refusal("a product of two variables", node)
    term, factor = (left, right.constant) if left.coefficients else (right, left.constant)
    return _small(term * factor, node)


def _small(term: Term, node: _Node) -> Term:
    """The term, refused where a number in it is too large to go on with."""
    numbers = (term.constant, *(value for _, value in term.coefficients))
    if any(value.bit_length() > BITS for value in numbers):
        raise _refusal(f"a number of more than {BITS} bits", node)
    return term


def _modulus(term: Term, node: _Node) -> int:
    if term.coefficients or term.constant < 1:
        raise _refusal("mod by anything but a positive number", node)
    return term.constant


def _number(value: _Value, node: _Node) -> Term | _Remainder:
    if isinstance(value.meaning, (Term, _Remainder)):
        return value.meaning
    raise _refusal("a formula in place of a number", node)


def _term(value: _Value, node: _Node) -> Term:
    if isinstance(value.meaning, Term):
        return value.meaning
    raise _refusal("a formula or remainder in place of a sum", node)


def _formula(value: _Value, node: _Node) -> Formula:
    if isinstance(value.meaning, (Term, _Remainder)):
        raise _refusal("a number in place of a formula", node)
    return value.meaning


def _width(meaning: _Meaning) -> int:
    """How many parts it costs to take the value once; what is below a formula counts apart."""
    match meaning:
        case Term(coefficients) | _Remainder(Term(coefficients)):
            return 1 + len(coefficients)
        case _:
            return 1
