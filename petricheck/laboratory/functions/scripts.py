"""Interpolation problems with functions in SMT-LIB 2: QF_UF and QF_UFLRA.

Parts are named as in `prover.scripts`. Constants and functions are of sort Real, of declared sorts,
which are read as numbers of which nothing is said, or Bool; arguments are no propositions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from typing import NamedTuple

from petricheck.errors import InputError
from petricheck.laboratory.functions.formulas import (
    FALSE,
    TRUE,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    conjunction,
)
from petricheck.laboratory.functions.smtlib import BOOL, REAL, Signature
from petricheck.laboratory.functions.terms import ZERO, Symbol, Term, apply, number, variable
from petricheck.laboratory.prover.groups import Groups, Selection, read_script, refuse_single
from petricheck.presburger.s_expressions import Leaf, List, Node, Refused, commands, refusal, shown
from petricheck.presburger.smtlib import bare
from petricheck.presburger.smtlib_reals import number as spelt
from petricheck.presburger.symbols import declared_name

PARTS = 200_000
"""Parts that a formula may have once `let` is expanded."""
LEVELS = 100
"""How deep it may nest then."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a script asks.

    Attributes:
        parts: the formulas, in order: two.
        selection: the names of the assertions that they are made of.
        signature: what the script declares.
    """

    parts: tuple[Formula, Formula]
    selection: Selection
    signature: Signature


def has_functions(text: str) -> bool:
    """Whether the script declares a sort, or a function with arguments."""
    try:
        return any(map(_declares_function, commands(text)))
    except Refused:
        return False  # whoever reads it says what is wrong


def _declares_function(command: List) -> bool:
    match command.items:
        case [Leaf("declare-sort"), *_]:
            return True
        case [Leaf("declare-fun"), _, List(arguments), *_]:
            return bool(arguments)
        case _:
            return False


def read_question(text: str, path: str) -> Question:
    """What the script asks.

    Raises:
        InputError: something in it is not understood, or it has not two parts.
    """
    reader = _Reader()
    read_script(text, path, reader.take)
    parts = [conjunction(formulas) for formulas in reader.groups.parts()]
    refuse_single(parts, path)
    if len(parts) > 2:
        remedy = "join some by (get-interpolant (A …))"
        raise InputError(f"more than two parts, with functions; {remedy}", path=path)
    signature = Signature(reader.arguments, reader.results)
    return Question((parts[0], parts[1]), reader.groups.selection(), signature)


class _Value(NamedTuple):
    """What an expression means, of which sort, of how many parts, and how deep."""

    meaning: Term | Formula
    sort: str
    size: int = 1
    depth: int = 1


_Scope = Mapping[str, _Value]


class _Reader:
    """Takes commands, one after the other."""

    def __init__(self) -> None:
        self.groups: Groups[Formula] = Groups()
        self.arguments: dict[Symbol, tuple[str, ...]] = {}
        self.results: dict[Symbol, str] = {}
        self._sorts = {REAL, BOOL}

    def take(self, command: List) -> None:
        """Understand a command.

        Raises:
            Refused: it is not understood.
        """
        match command.items:
            case [Leaf("declare-sort"), Leaf() as symbol, Leaf("0")]:
                self._declare_sort(declared_name(symbol), command)
            case [Leaf("declare-const"), Leaf() as symbol, sort]:
                self._declare(declared_name(symbol), [], sort, command)
            case [Leaf("declare-fun"), Leaf() as symbol, List(sorts), sort]:
                self._declare(declared_name(symbol), sorts, sort, command)
            case _:
                self.groups.take(command, lambda body: self._formula(body, {}))

    def _declare_sort(self, name: str, command: List) -> None:
        if name in self._sorts or name == "Int":
            raise refusal(f"a second declaration of the sort {name!r}", command)
        self._sorts.add(name)

    def _declare(self, name: str, sorts: Sequence[Node], sort: Node, command: List) -> None:
        declared = name, len(sorts)
        if any(name == other for other, _ in self.results):
            raise refusal(f"a second declaration of {name!r}", command)
        arguments = tuple(map(self._sort, sorts))
        if BOOL in arguments:
            raise refusal("a function of truth values", command)
        self.arguments[declared], self.results[declared] = arguments, self._sort(sort)

    def _sort(self, node: Node) -> str:
        if isinstance(node, Leaf) and bare(node.text) in self._sorts:
            return bare(node.text)
        if isinstance(node, Leaf) and bare(node.text) == "Int":
            raise Refused(
                "integers with functions have no quantifier-free interpolants in general;"
                " declare them as Real",
                node.position,
            )
        raise refusal(f"the sort {shown(node)} (Real, Bool and declared ones are)", node)

    def _formula(self, node: Node, scope: _Scope) -> Formula:
        return _proposition(self._value(node, scope), node)

    def _value(self, node: Node, scope: _Scope) -> _Value:
        if isinstance(node, Leaf):
            return self._leaf(node, scope)
        match node.items:
            case [Leaf("let"), List(bindings), body]:
                bound = dict(self._bound(binding, scope) for binding in bindings)
                if len(bound) < len(bindings):
                    raise refusal("a let that binds a symbol twice", node)
                return self._value(body, {**scope, **bound})
            case [Leaf(head), *operands] if operands:
                values = [self._value(operand, scope) for operand in operands]
                made = self._applied(head, values, node)
                return _bounded(made, values, node)
            case _:
                raise refusal("a list that applies no function", node)

    def _bound(self, node: Node, scope: _Scope) -> tuple[str, _Value]:
        match node:
            case List([Leaf() as symbol, value]):
                return declared_name(symbol), self._value(value, scope)
            case _:
                raise refusal("a let without pairs", node)

    def _leaf(self, node: Leaf, scope: _Scope) -> _Value:
        if node.text in ("true", "false"):
            return _Value(TRUE if node.text == "true" else FALSE, BOOL)
        if "0" <= node.text[0] <= "9":
            value = spelt(node)
            return _Value(number(Fraction(value.term.constant, value.divisor)), REAL)
        if bare(node.text) in scope:
            return scope[bare(node.text)]
        return self._declared(node.text, [], node)

    def _declared(self, name: str, values: Sequence[_Value], node: Node) -> _Value:
        """The application of a declared symbol."""
        known = bare(name), len(values)
        if self.arguments.get(known) != tuple(value.sort for value in values):
            raise refusal(f"{shown(Leaf(name, node.position))} of such arguments", node)
        terms = [_term(value, value.sort, node) for value in values]
        unit = apply(known[0], *terms) if terms else variable(known[0])
        sort = self.results[known]
        return _Value(Equality(unit, ZERO) if sort == BOOL else unit, sort)

    def _applied(self, head: str, values: Sequence[_Value], node: Node) -> _Value:
        match bare(head):
            case "and" | "or" | "not" | "=>":
                formulas = [_proposition(value, node) for value in values]
                return _Value(_connected(head, formulas, node), BOOL)
            case "=" | "distinct" if len(values) > 1:
                pairs = pairwise(values) if head == "=" else combinations(values, 2)
                equations = [_equation(left, right, node) for left, right in pairs]
                said = equations if head == "=" else map(Negation, equations)
                return _Value(conjunction(said), BOOL)
            case "<" | "<=" | ">" | ">=" if len(values) > 1:
                terms = [_term(value, REAL, node) for value in values]
                compared = (_compared(head, *pair) for pair in pairwise(terms))
                return _Value(conjunction(compared), BOOL)
            case "+" | "-" | "*" | "/":
                terms = [_term(value, REAL, node) for value in values]
                return _Value(_calculated(head, terms, node), REAL)
            case name:
                return self._declared(name, values, node)


def _bounded(made: _Value, operands: Sequence[_Value], node: Node) -> _Value:
    """What was made of the operands, refused beyond the limits."""
    size = 1 + sum(value.size for value in operands)
    depth = 1 + max(value.depth for value in operands)
    if size > PARTS:
        raise refusal(f"a formula of more than {PARTS} parts", node)
    if depth > LEVELS:
        raise refusal(f"nesting deeper than {LEVELS}", node)
    return made._replace(size=size, depth=depth)


def _proposition(value: _Value, node: Node) -> Formula:
    if isinstance(value.meaning, Term):
        raise refusal("a value in place of a formula", node)
    return value.meaning


def _term(value: _Value, sort: str, node: Node) -> Term:
    if not isinstance(value.meaning, Term) or value.sort != sort:
        raise refusal(f"something of sort {value.sort} in place of {sort}", node)
    return value.meaning


def _connected(head: str, formulas: Sequence[Formula], node: Node) -> Formula:
    match head, formulas:
        case "not", [operand]:
            return Negation(operand)
        case "and", _:
            return Conjunction(tuple(formulas))
        case "or", _:
            return Disjunction(tuple(formulas))
        case "=>", [*premises, conclusion] if premises:
            return Disjunction((*map(Negation, premises), conclusion))
        case _:
            raise refusal(f"{head!r} of {len(formulas)} arguments", node)


def _equation(left: _Value, right: _Value, node: Node) -> Formula:
    if left.sort != right.sort:
        raise refusal(f"an equation of sorts {left.sort} and {right.sort}", node)
    if left.sort == BOOL:
        one, other = _proposition(left, node), _proposition(right, node)
        both, neither = Conjunction((one, other)), Conjunction((Negation(one), Negation(other)))
        return Disjunction((both, neither))
    return Equality(_term(left, left.sort, node), _term(right, left.sort, node))


def _compared(head: str, left: Term, right: Term) -> Formula:
    match head:
        case "<=":
            return Inequality(left - right)
        case ">=":
            return Inequality(right - left)
        case "<":
            return Negation(Inequality(right - left))
        case _:
            return Negation(Inequality(left - right))


def _calculated(head: str, terms: Sequence[Term], node: Node) -> Term:
    first, *others = terms
    if head == "-" and not others:
        return -first
    for other in others:
        match head:
            case "+":
                first = first + other
            case "-":
                first = first - other
            case "*" if not other.coefficients:
                first = first * other.constant
            case "*" if not first.coefficients:
                first = other * first.constant
            case "/" if not other.coefficients and other.constant:
                first = first * (1 / other.constant)
            case _:
                raise refusal("a product or quotient that is not linear", node)
    return first
