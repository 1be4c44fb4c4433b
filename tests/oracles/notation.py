"""Nets and formulas as text."""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import Any

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Disjunction,
    Formula,
    Negation,
    at_least,
    at_most,
    congruent,
    different,
    equal,
)
from petricheck.arithmetic.formulas.terms import Term, constant, variable
from petricheck.evidence.answer import Trace
from petricheck.model.net import Net, make_net
from petricheck.model.problem import Problem, make_problem

Arcs = dict[str, int]
EXACT = "checked in exact integer arithmetic"
"""What is said of evidence that no solver was asked about."""

COMPARISONS = {ast.LtE: at_most, ast.GtE: at_least, ast.Eq: equal, ast.NotEq: different}


def net_of(text: str) -> Net:
    """`p=1 q=0, 2 p -> q, u: q -> p`: tokens by place, and moves; one without a name is `t`."""
    tokens, *moves = text.split(",")
    pairs = (place.split("=") for place in tokens.split())
    named = (move if ":" in move else f"t: {move}" for move in moves)
    arcs = (move.split(":") for move in named)
    return make_net(
        "n",
        {place: value(number) for place, number in pairs},
        {name.strip(): arcs_of(sides) for name, sides in arcs},
    )


def problem(system: str, goal: str) -> Problem:
    """Whether the net reaches the formula."""
    return make_problem(net_of(system), formula(goal))


def trace_of(text: str) -> Trace:
    """`t u^2`."""
    pairs = (step.partition("^")[::2] for step in text.split())
    return Trace(tuple((transition, value(times or "1")) for transition, times in pairs))


def arcs_of(move: str) -> tuple[Arcs, Arcs]:
    """`p + 2 q -> r`."""
    before, after = move.split("->")
    return _weights(before), _weights(after)


def _weights(side: str) -> Arcs:
    items = (item.split() for item in side.split("+") if item.strip())
    return {place: int(*weight or "1") for *weight, place in items}


class _Places(defaultdict[str, Any]):
    def __missing__(self, name: str) -> Any:
        return sum if name == "sum" else variable(name)


def value(text: str) -> Any:
    """A number, or a term with place names."""
    return eval(text, {"__builtins__": {}}, _Places())


def formula(text: str) -> Formula:
    """A formula as Python writes it: `p + 2*q <= 3 and not p % 3 == 1`, `any(p >= 1)`."""
    return _formula(ast.parse(text.strip(), mode="eval").body)


def formulas(text: str) -> list[Formula]:
    """Several, with commas between them."""
    return [_formula(node) for node in ast.parse(f"[{text}]", mode="eval").body.elts]


def _formula(node: ast.expr) -> Formula:
    match node:
        case ast.BoolOp(ast.And(), parts) | ast.Call(ast.Name("all"), parts):
            return Conjunction(tuple(map(_formula, parts)))
        case ast.BoolOp(ast.Or(), parts) | ast.Call(ast.Name("any"), parts):
            return Disjunction(tuple(map(_formula, parts)))
        case ast.UnaryOp(ast.Not(), part):
            return Negation(_formula(part))
        case ast.Compare(ast.BinOp(left, ast.Mod(), modulus), [ast.Eq()], [right]):
            return congruent(_value(left), _value(right), _value(modulus))
        case ast.Compare(left, [relation], [right]):
            compare = COMPARISONS[type(relation)]
            term = _value(left)
            return compare(term if isinstance(term, Term) else constant(term), _value(right))
    raise ValueError(ast.unparse(node))


def _value(node: ast.expr) -> Any:
    return value(ast.unparse(node))
