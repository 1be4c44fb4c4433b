"""Definitions in an SMT-LIB 2 text, as formulas.

Reads linear integer arithmetic with integer remainders, in time linear in the text. Refuses
a text that is too long or too deep, or too large once `let` is expanded. Names are those of
`petricheck.arithmetic.solvers.smtlib`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from petricheck.arithmetic.formulas.formulas import FALSE, TRUE, Formula
from petricheck.arithmetic.formulas.terms import Term, constant, variable
from petricheck.arithmetic.solvers.s_expressions import (
    DEPTH,
    Leaf,
    List,
    Node,
    ScriptRefused,
    commands,
    integer,
    refusal,
    shown,
)
from petricheck.arithmetic.solvers.smtlib import bare, name_of
from petricheck.arithmetic.solvers.smtlib_functions import (
    Meaning,
    SmtlibRemainder,
    apply,
    as_formula,
)
from petricheck.arithmetic.solvers.symbols import declared_name
from petricheck.support.errors import EvidenceError

SIZE = 1 << 25
"""Characters that a text to read may have."""
NODES = 5_000_000
"""Parts that a definition may have once `let` is expanded, and steps spent on reading it."""

TRUTHS: Mapping[str, Formula] = {"true": TRUE, "false": FALSE}

Definition: TypeAlias = tuple[tuple[str, ...], Formula]
"""The parameters, as variables, and the body."""


def find_definitions(text: str, names: tuple[str, ...]) -> dict[str, Definition]:
    """Return the `(define-fun name ((x Int) …) Bool body)` of these names in the text.

    Everything else in the text is ignored, other commands included. Understood are and, or, not,
    =>, true, false, let, =, distinct, <, <=, >, >=, +, -, products with a number, ((_ divisible n)
    e), and e mod n where it is compared (=, distinct) with a number. EvidenceError, with the line,
    where a name has several definitions, or something is not understood.
    """
    if len(text) > SIZE:
        raise EvidenceError(f"the text has more than {SIZE} characters")
    definitions: dict[str, Definition] = {}
    try:
        for command in commands(text):
            name = _defined(command)
            if name in definitions:
                raise refusal(f"a second definition of {name!r}", command)
            if name is not None and name in names:
                definitions[name] = _definition(command)
    except ScriptRefused as error:
        line = text.count("\n", 0, error.position) + 1
        raise EvidenceError(f"line {line}: {error}") from None
    return definitions


def _definition(command: List) -> Definition:
    match command.items:
        case [_, _, List(declared), Leaf("Bool"), body]:
            parameters = tuple(_parameter(node) for node in declared)
        case _:
            raise refusal("a definition that is not of sort Bool", command)
    names = tuple(name_of(parameter) for parameter in parameters)
    if len(set(names)) != len(names):
        raise refusal("a parameter twice", command)
    scope = dict(zip(parameters, map(variable, names), strict=True))
    return names, as_formula(read_expression(body, scope, INTEGERS), body)


def _defined(command: List) -> str | None:
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


Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class SmtlibTheory(Generic[Value]):
    """Meanings of the expressions of a theory.

    Attributes:
        literal: returns the meaning of a numeral, true or false; None for other leaves.
        apply: returns the meaning of an application, as `smtlib_functions.apply` does.
        width: returns the number of parts that one use of a meaning costs; None for a formula,
            whose parts are counted separately.
    """

    literal: Callable[[Leaf], Value | None]
    apply: Callable[[Node, list[Value], Node], Value]
    width: Callable[[Value], int | None]


def _literal(leaf: Leaf) -> Meaning | None:
    if leaf.text in TRUTHS:
        return TRUTHS[leaf.text]
    return constant(integer(leaf)) if "0" <= leaf.text[0] <= "9" else None


def _width(meaning: Meaning) -> int | None:
    match meaning:
        case Term(coefficients) | SmtlibRemainder(Term(coefficients)):
            return 1 + len(coefficients)
        case _:
            return None


INTEGERS: SmtlibTheory[Meaning] = SmtlibTheory(_literal, apply, _width)


def read_expression(body: Node, names: Mapping[str, Value], language: SmtlibTheory[Value]) -> Value:
    """Return the meaning of the expression; `names` has those of symbols without bars."""
    return _ExpressionReader(language).read(body, names)


@dataclass(frozen=True, slots=True)
class _Measured(Generic[Value]):
    """The meaning of an expression, with size and depth if it is a formula."""

    meaning: Value
    size: int
    depth: int


class _ExpressionReader(Generic[Value]):
    """A reader of one body, which counts the steps it takes."""

    def __init__(self, language: SmtlibTheory[Value]) -> None:
        self._language = language
        self._steps = 0

    def read(self, body: Node, names: Mapping[str, Value]) -> Value:
        scope = {symbol: self._measure(meaning, 1, 1) for symbol, meaning in names.items()}
        return self._value(body, scope).meaning

    def _measure(self, meaning: Value, size: int, depth: int) -> _Measured[Value]:
        is_formula = self._language.width(meaning) is None
        return _Measured(meaning, size, depth) if is_formula else _Measured(meaning, 0, 0)

    def _value(self, node: Node, scope: Mapping[str, _Measured[Value]]) -> _Measured[Value]:
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
                return self._bound(meaning, values, node)
            case _:
                raise refusal("an empty list or a function without arguments", node)

    def _binding(
        self, node: Node, scope: Mapping[str, _Measured[Value]]
    ) -> tuple[str, _Measured[Value]]:
        match node:
            case List([Leaf() as symbol, value]):
                return declared_name(symbol), self._value(value, scope)
            case _:
                raise refusal("a let without pairs", node)

    def _bound(
        self, meaning: Value, operands: list[_Measured[Value]], node: Node
    ) -> _Measured[Value]:
        """Return the result with its measures; refuse it beyond the limits."""
        widths = [self._language.width(value.meaning) or 1 for value in operands]
        pairs = zip(operands, widths, strict=True)
        size = sum(value.size or width for value, width in pairs)
        depth = 1 + max(value.depth for value in operands)
        self._count(sum(widths) + len(widths), node)
        value = self._measure(meaning, size, depth)
        if value.size > NODES:
            raise refusal(f"a definition of more than {NODES} parts", node)
        if value.depth > DEPTH:
            raise refusal(f"nesting deeper than {DEPTH}", node)
        return value

    def _leaf(self, node: Leaf, scope: Mapping[str, _Measured[Value]]) -> _Measured[Value]:
        literal = self._language.literal(node)  # before variables, since |1| is one
        if literal is not None:
            return self._measure(literal, 1, 1)
        if (meaning := scope.get(bare(node.text))) is not None:
            return meaning
        raise refusal(shown(node), node)

    def _count(self, steps: int, node: Node) -> None:
        self._steps += steps
        if self._steps > NODES:
            raise refusal(f"a definition that takes more than {NODES} steps", node)
