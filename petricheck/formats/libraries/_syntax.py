"""Python's expressions as terms and guards, by their syntax; `_expressions` writes such."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from petricheck.formats.libraries._sorts import Sorts
from petricheck.model.coloured.sorts import Dot, Enumeration, Product, Range, Sort
from petricheck.model.coloured.terms import (
    TRUE,
    All,
    Comparison,
    Constant,
    ElementOf,
    Guard,
    Not,
    Shifted,
    Some,
    Term,
    Tuple,
    Variable,
)
from petricheck.model.coloured.text import sort_text
from petricheck.support.errors import InputError

_RELATIONS: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "=",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


class Syntax:
    """The meaning of the expressions of one transition."""

    def __init__(self, variables: Mapping[str, Variable], sorts: Sorts) -> None:
        """Store the variables that arcs from places bind; they hide what the net declares."""
        self._variables, self._sorts = variables, sorts
        self._sorts_by_name = {name: s for name, s in sorts.named.items() if name not in variables}
        self._partitions = {n: p for n, p in sorts.partitions.items() if n not in variables}

    def term(self, node: ast.expr, sort: Sort) -> Term:
        """Return a term of a sort.

        Raises:
            InputError: it is none that is read.
        """
        term: Term | None = None
        match node:
            case ast.Name(id=name) if name in self._variables:
                term = self._variables[name]
            case ast.Name(id=name) if name in self._sorts.dots:
                term = Constant(Dot(), 0)
            case ast.Tuple(elts=parts) if isinstance(sort, Product):
                if len(parts) == len(sort.factors):
                    term = Tuple(tuple(map(self.term, parts, sort.factors)))
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                if name in self._partitions:
                    partition = self._partitions[name]
                    term = ElementOf(partition, self.term(index, partition.whole))
                elif isinstance(enumeration := self._sorts_by_name.get(name), Enumeration):
                    term = self._shifted(index, enumeration)
            case _ if _is_literal(node):
                term = Constant(sort, self._sorts.colour(sort, ast.literal_eval(node)))
        if term is None:
            raise _refusal(node, "is no term that is read")
        if term.sort != sort:
            raise _refusal(node, f"is of {sort_text(term.sort)}, but {sort_text(sort)} is needed")
        return term

    def guard(self, node: ast.expr) -> Guard:
        """Return a condition.

        Raises:
            InputError: it is none that is read.
        """
        match node:
            case ast.Constant(value=bool(value)):
                return TRUE if value else Some(())
            case ast.BoolOp(op=op, values=operands):
                joined = All if isinstance(op, ast.And) else Some
                return joined(tuple(map(self.guard, operands)))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Not(self.guard(operand))
            case ast.Compare(left=left, ops=relations, comparators=others):
                sides = zip(relations, (left, *others), others)  # noqa: B905 (one side more)
                parts = tuple(self._comparison(*comparison) for comparison in sides)
                return parts[0] if len(parts) == 1 else All(parts)
        raise _refusal(node, "is no condition that is read")

    def _comparison(self, relation: ast.cmpop, left: ast.expr, right: ast.expr) -> Guard:
        sign, comparison = (
            _RELATIONS.get(type(relation), ""),
            ast.Compare(left, [relation], [right]),
        )
        match left, right:
            case ast.Tuple(elts=lefts), ast.Tuple(elts=rights) if len(lefts) == len(rights):
                pairs = zip(lefts, rights, strict=True)
                equal = All(tuple(self._comparison(ast.Eq(), *pair) for pair in pairs))
                if sign in ("=", "!="):
                    return equal if sign == "=" else Not(equal)
        (left, place), (right, other) = self._position(left), self._position(right)
        sort = place or self._sort(left) or self._sort(right)
        ordered = place is not None or isinstance(sort, Range)
        if sort is None or place != other or not (ordered or sign in ("=", "!=")) or not sign:
            raise _refusal(comparison, "is no comparison that is read")
        return Comparison(sign, self.term(left, sort), self.term(right, sort))

    def _position(self, node: ast.expr) -> tuple[ast.expr, Sort | None]:
        """Return for `S.index(x)` x, and the sort in whose order its position is meant."""
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="index"), args=[inner]):
                if name in self._sorts_by_name:
                    return inner, self._sorts_by_name[name]
        return node, None

    def _shifted(self, index: ast.expr, enumeration: Enumeration) -> Term | None:
        """Return for `(S.index(x) + k) % n` the colour k steps after x."""
        match index:
            case ast.BinOp(
                left=ast.BinOp(left=place, op=ast.Add() | ast.Sub() as sign, right=right),
                op=ast.Mod(),
                right=ast.Constant(value=size),
            ) if size == enumeration.size and _is_literal(right):
                inner, sort = self._position(place)
                steps = ast.literal_eval(right)
                if sort == enumeration and type(steps) is int:
                    steps = steps if isinstance(sign, ast.Add) else -steps
                    return Shifted(self.term(inner, enumeration), steps)
        return None

    def _sort(self, node: ast.expr) -> Sort | None:
        """Return the sort of a term; None where it is open."""
        match node:
            case ast.Name(id=name) if name in self._variables:
                return self._variables[name].sort
            case ast.Name(id=name) if name in self._sorts.dots:
                return Dot()
            case ast.Subscript(value=ast.Name(id=name)):
                return self._partitions.get(name) or self._sorts_by_name.get(name)
            case ast.Tuple(elts=parts):
                factors = tuple(sort for part in parts if (sort := self._sort(part)) is not None)
                return Product("", factors) if len(factors) == len(parts) > 0 else None
        return None


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _refusal(node: ast.expr, reason: str) -> InputError:
    return InputError(f"the expression {ast.unparse(node)!r} {reason}")
