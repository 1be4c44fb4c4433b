"""One definition out of an SMT-LIB 2 text, as a formula.

Reads linear integer arithmetic with integer remainders, in time linear in the text, and refuses
what is too long, too deep, or too large once `let` is expanded. Names are those of
`petricheck.presburger.smtlib`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from petricheck.errors import EvidenceError
from petricheck.presburger.formulas import FALSE, TRUE, Formula
from petricheck.presburger.s_expressions import (
    DEPTH,
    Leaf,
    List,
    Node,
    Refused,
    commands,
    integer,
    refusal,
    shown,
)
from petricheck.presburger.smtlib import bare, name_of
from petricheck.presburger.smtlib_functions import (
    Meaning,
    Quotient,
    Remainder,
    apply,
    as_formula,
)
from petricheck.presburger.symbols import declared_name
from petricheck.presburger.terms import Term, constant, variable

SIZE = 1 << 25
"""Characters that a text to read may have."""
NODES = 5_000_000
"""Parts that a definition may have once `let` is expanded, and steps spent on reading it."""

Definition: TypeAlias = tuple[tuple[str, ...], Formula]
"""The parameters, as variables, and the body."""


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
        for command in commands(text):
            name = _defined(command)
            if name in found:
                raise refusal(f"a second definition of {name!r}", command)
            if name is not None and name in names:
                found[name] = _definition(command)
    except Refused as error:
        line = text.count("\n", 0, error.position) + 1
        raise EvidenceError(f"line {line}: {error}") from None
    return found


def _definition(command: List) -> Definition:
    match command.items:
        case [_, _, List(declared), Leaf("Bool"), body]:
            parameters = tuple(_parameter(node) for node in declared)
        case _:
            raise refusal("a definition that is not of sort Bool", command)
    names = tuple(name_of(parameter) for parameter in parameters)
    if len(set(names)) != len(names):
        raise refusal("a parameter twice", command)
    return names, read_formula(body, dict(zip(parameters, names, strict=True)), INTEGERS)


def _defined(command: List) -> str | None:
    """The name of the function that the command defines."""
    match command.items:
        case [Leaf("define-fun"), Leaf(name), *_]:
            return bare(name)
        case _:
            return None


def _parameter(node: Node) -> str:
    match node:
        case List([Leaf(text), Leaf("Int")]) if text[0] not in '"#0123456789':
            try:
                name_of(text)
            except UnicodeDecodeError:
                raise refusal(f"the symbol {shown(node.items[0])}", node) from None
            return bare(text)
        case _:
            raise refusal("a parameter that is not of sort Int", node)


class Language(NamedTuple):
    """The numbers of a theory.

    Attributes:
        number: what a numeral stands for.
        named: what a variable stands for.
        apply: what a function makes of its arguments, as `smtlib_functions.apply` does.
    """

    number: Callable[[Leaf], Meaning]
    named: Callable[[str], Meaning]
    apply: Callable[[Node, list[Meaning], Node], Meaning]


INTEGERS = Language(lambda leaf: constant(integer(leaf)), variable, apply)


def read_formula(body: Node, names: Mapping[str, str], language: Language) -> Formula:
    """The formula over variables, whose names are given for their symbols without bars.

    Raises:
        Refused: something is not understood, too deep or too large.
    """
    return _Reader(language).formula(body, names)


class _Value(NamedTuple):
    """What an expression means, with its size and depth as a formula; numbers have neither."""

    meaning: Meaning
    size: int = 0
    depth: int = 0


_Scope: TypeAlias = Mapping[str, _Value]


class _Reader:
    """Turns one body into a formula, and counts the steps it takes."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._steps = 0

    def formula(self, body: Node, names: Mapping[str, str]) -> Formula:
        scope = {symbol: _Value(self._language.named(name)) for symbol, name in names.items()}
        return as_formula(self._value(body, scope).meaning, body)

    def _value(self, node: Node, scope: _Scope) -> _Value:
        if isinstance(node, Leaf):
            return self._leaf(node, scope)
        match node.items:
            case [Leaf("let"), List(bindings), body]:
                bound = dict(self._binding(binding, scope) for binding in bindings)
                if len(bound) < len(bindings):
                    raise refusal("a let that binds a symbol twice", node)
                self._count(len(scope), node)
                return self._value(body, {**scope, **bound})
            case [head, *operands] if operands:
                values = [self._value(operand, scope) for operand in operands]
                meaning = self._language.apply(head, [value.meaning for value in values], node)
                return self._bounded(meaning, values, node)
            case _:
                raise refusal("an empty list or a function without arguments", node)

    def _binding(self, node: Node, scope: _Scope) -> tuple[str, _Value]:
        match node:
            case List([Leaf() as symbol, value]):
                return declared_name(symbol), self._value(value, scope)
            case _:
                raise refusal("a let without pairs", node)

    def _bounded(self, meaning: Meaning, operands: list[_Value], node: Node) -> _Value:
        """The result with its measures, refused beyond the limits."""
        size = sum(value.size or _width(value.meaning) for value in operands)
        depth = 1 + max(value.depth for value in operands)
        self._count(sum(1 + _width(value.meaning) for value in operands), node)
        if isinstance(meaning, (Term, Remainder, Quotient)):
            return _Value(meaning)
        if size > NODES:
            raise refusal(f"a definition of more than {NODES} parts", node)
        if depth > DEPTH:
            raise refusal(f"nesting deeper than {DEPTH}", node)
        return _Value(meaning, size, depth)

    def _leaf(self, node: Leaf, scope: _Scope) -> _Value:
        text = node.text
        if text in ("true", "false"):
            return _Value(TRUE if text == "true" else FALSE, 1, 1)
        if "0" <= text[0] <= "9":  # before variables, since |1| is one
            return _Value(self._language.number(node))
        if (known := scope.get(bare(text))) is not None:
            return known
        raise refusal(shown(node), node)

    def _count(self, steps: int, node: Node) -> None:
        self._steps += steps
        if self._steps > NODES:
            raise refusal(f"a definition that takes more than {NODES} steps", node)


def _width(meaning: Meaning) -> int:
    """How many parts it costs to take the value once; what is below a formula counts apart."""
    match meaning:
        case Term(coefficients) | Remainder(Term(coefficients)) | Quotient(Term(coefficients)):
            return 1 + len(coefficients)
        case _:
            return 1
