"""Formulas from z3 expressions.

Reads what quantifier elimination returns. Integer division, remainders and conditionals are
expanded into cases by residue, which is exact, and refused above `CASES` cases. The z3 module is an
argument: only `solver` imports it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from petricheck.errors import InternalError
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
    conjunction,
    disjunction,
)
from petricheck.presburger.terms import Term, constant, variable
from petricheck.presburger.z3_writer import integer

CASES = 4096


@dataclass(frozen=True, slots=True)
class _Case:
    """Where `guard` holds, the expression is term / scale, and the division is exact."""

    guard: Formula
    term: Term
    scale: int


class Reader:
    """Reads expressions of one z3 context.

    Args:
        z3: the module.
        integers: the variables that integer constants stand for, by the constants' names.
        propositions: the formulas that Boolean constants stand for, by the constants' names.
    """

    def __init__(
        self, z3: Any, integers: Mapping[str, str], propositions: Mapping[str, Formula]
    ) -> None:
        self._z3 = z3
        self._integers = integers
        self._propositions = propositions
        self._formulas: dict[int, Formula] = {}

    def formula(self, expression: Any) -> Formula:
        """The formula; shared parts are translated once and shared again.

        Raises:
            BudgetExhausted: a number in it is too long.
            InternalError: the expression is outside quantifier-free Presburger arithmetic, or one
                atom needs more than `CASES` cases.
        """
        pending = [expression]
        while pending:
            node = pending[-1]
            parts = [] if self._is_atom(node) else node.children()
            missing = [part for part in parts if part.get_id() not in self._formulas]
            if missing:
                pending.extend(missing)
                continue
            pending.pop()
            if node.get_id() not in self._formulas:
                known = [self._formulas[part.get_id()] for part in parts]
                self._formulas[node.get_id()] = self._node(node, known)
        return self._formulas[expression.get_id()]

    def _is_atom(self, node: Any) -> bool:
        children = node.children() if self._z3.is_app(node) else []
        return not all(self._z3.is_bool(child) for child in children)

    def _node(self, node: Any, parts: list[Formula]) -> Formula:
        z3 = self._z3
        if not z3.is_app(node):
            raise _foreign(node)
        kind = node.decl().kind()
        if kind == z3.Z3_OP_TRUE:
            return TRUE
        if kind == z3.Z3_OP_FALSE:
            return FALSE
        if kind in (z3.Z3_OP_AND, z3.Z3_OP_OR):
            return conjunction(parts) if kind == z3.Z3_OP_AND else disjunction(parts)
        if kind == z3.Z3_OP_NOT:
            return _opposite(parts[0])
        if kind == z3.Z3_OP_IMPLIES:
            return disjunction([_opposite(parts[0]), parts[1]])
        if kind in (z3.Z3_OP_EQ, z3.Z3_OP_IFF) and z3.is_bool(node.arg(0)):
            return _same(parts[0], parts[1])
        if kind == z3.Z3_OP_XOR or (kind == z3.Z3_OP_DISTINCT and z3.is_bool(node.arg(0))):
            if len(parts) != 2:
                raise _foreign(node)
            return _same(parts[0], _opposite(parts[1]))
        if kind == z3.Z3_OP_ITE:
            return _choose(parts[0], parts[1], parts[2])
        if kind == z3.Z3_OP_UNINTERPRETED and str(node) in self._propositions:
            return self._propositions[str(node)]
        return self._atom(node, kind)

    def _atom(self, node: Any, kind: int) -> Formula:
        z3 = self._z3
        if kind == z3.Z3_OP_DISTINCT:
            terms = node.children()
            pairs = [(a, b) for i, a in enumerate(terms) for b in terms[i + 1 :]]
            return conjunction(_opposite(self._equality(a, b)) for a, b in pairs)
        if kind == z3.Z3_OP_EQ:
            return self._equality(node.arg(0), node.arg(1))
        shift = 1 if kind in (z3.Z3_OP_LT, z3.Z3_OP_GT) else 0
        if kind in (z3.Z3_OP_LE, z3.Z3_OP_LT):
            difference = self._sum([(1, node.arg(0)), (-1, node.arg(1))])
        elif kind in (z3.Z3_OP_GE, z3.Z3_OP_GT):
            difference = self._sum([(-1, node.arg(0)), (1, node.arg(1))])
        else:
            raise _foreign(node)
        return _over(difference, lambda term, scale: Inequality(term + shift * scale))

    def _equality(self, left: Any, right: Any) -> Formula:
        """Left = right; a remainder against a number is one congruence, not many cases."""
        z3 = self._z3
        for remainder, value in ((left, right), (right, left)):
            modulus = self._modulus(remainder)
            if modulus is not None and z3.is_int_value(value):
                residue = integer(value)
                if not 0 <= residue < modulus:
                    return FALSE
                dividend = self._cases(remainder.arg(0))
                return _over(dividend, _congruence(residue, modulus))
        difference = self._sum([(1, left), (-1, right)])
        return _over(difference, lambda term, _: Equality(term))

    def _modulus(self, node: Any) -> int | None:
        """The modulus where the expression is a remainder by a positive number."""
        z3 = self._z3
        if z3.is_app_of(node, z3.Z3_OP_MOD) and z3.is_int_value(node.arg(1)):
            modulus = integer(node.arg(1))
            return modulus if modulus > 0 else None
        return None

    def _cases(self, node: Any) -> list[_Case]:
        z3 = self._z3
        if z3.is_int_value(node):
            return [_Case(TRUE, constant(integer(node)), 1)]
        kind = node.decl().kind() if z3.is_app(node) else None
        if kind == z3.Z3_OP_UNINTERPRETED and str(node) in self._integers:
            return [_Case(TRUE, variable(self._integers[str(node)]), 1)]
        if kind == z3.Z3_OP_ADD:
            return self._sum([(1, child) for child in node.children()])
        if kind == z3.Z3_OP_SUB:
            first, *others = node.children()
            return self._sum([(1, first), *((-1, child) for child in others)])
        if kind == z3.Z3_OP_UMINUS:
            return self._sum([(-1, node.arg(0))])
        if kind == z3.Z3_OP_MUL:
            return self._product(node)
        if kind == z3.Z3_OP_ITE:
            return self._conditional(node)
        if kind in (z3.Z3_OP_MOD, z3.Z3_OP_IDIV):
            return self._division(node, kind)
        raise _foreign(node)

    def _sum(self, summands: list[tuple[int, Any]]) -> list[_Case]:
        total = [_Case(TRUE, constant(0), 1)]
        for factor, node in summands:
            cases = self._cases(node)
            if len(total) * len(cases) > CASES:
                raise InternalError(f"quantifier elimination needs more than {CASES} cases")
            total = [_add(left, right, factor) for left in total for right in cases]
        return total

    def _product(self, node: Any) -> list[_Case]:
        factor = 1
        unknown = []
        for child in node.children():
            if self._z3.is_int_value(child):
                factor *= integer(child)
            else:
                unknown.append(child)
        if len(unknown) > 1:
            raise _foreign(node)
        if not unknown:
            return [_Case(TRUE, constant(factor), 1)]
        return self._sum([(factor, unknown[0])])

    def _conditional(self, node: Any) -> list[_Case]:
        condition = self.formula(node.arg(0))
        chosen = [(condition, case) for case in self._cases(node.arg(1))]
        chosen += [(_opposite(condition), case) for case in self._cases(node.arg(2))]
        return [_Case(conjunction([g, c.guard]), c.term, c.scale) for g, c in chosen]

    def _division(self, node: Any, kind: int) -> list[_Case]:
        """Quotient or remainder of floor division, by residue of the dividend."""
        divisor = integer(node.arg(1)) if self._z3.is_int_value(node.arg(1)) else 0
        dividends = self._cases(node.arg(0))
        if divisor <= 0:
            raise _foreign(node)
        if divisor * len(dividends) > CASES:
            raise InternalError(f"quantifier elimination needs more than {CASES} cases")
        found = []
        for case in dividends:
            for residue in range(divisor):
                congruence = _congruence(residue, divisor)(case.term, case.scale)
                guard = conjunction([case.guard, congruence])
                if kind == self._z3.Z3_OP_MOD:
                    found.append(_Case(guard, constant(residue), 1))
                else:
                    rest = case.term - residue * case.scale
                    found.append(_Case(guard, rest, case.scale * divisor))
        return found


def _congruence(residue: int, modulus: int) -> Callable[[Term, int], Formula]:
    """The atom that term / scale ≡ residue (mod modulus)."""
    return lambda term, scale: Congruence(term - residue * scale, modulus * scale)


def _add(left: _Case, right: _Case, factor: int) -> _Case:
    scale = math.lcm(left.scale, right.scale)
    term = left.term * (scale // left.scale) + right.term * (factor * (scale // right.scale))
    return _Case(conjunction([left.guard, right.guard]), term, scale)


def _over(cases: list[_Case], atom: Callable[[Term, int], Formula]) -> Formula:
    """The atom of term and scale, in whichever case holds."""
    return disjunction(_under(case.guard, atom(case.term, case.scale)) for case in cases)


def _under(guard: Formula, atom: Formula) -> Formula:
    """Both, decided at once where the atom is constant."""
    match atom:
        case Inequality(term) if not term.coefficients:
            return guard if term.constant <= 0 else FALSE
        case Equality(term) if not term.coefficients:
            return guard if term.constant == 0 else FALSE
        case Congruence(term, modulus) if not term.coefficients:
            return guard if term.constant % modulus == 0 else FALSE
        case _:
            return conjunction([guard, atom])


def _opposite(formula: Formula) -> Formula:
    """The negation, without descending: what is shared stays shared."""
    match formula:
        case Inequality(term):
            return Inequality(1 - term)
        case Negation(operand):
            return operand
        case Conjunction(()):
            return FALSE
        case Disjunction(()):
            return TRUE
        case _:
            return Negation(formula)


def _same(left: Formula, right: Formula) -> Formula:
    return _choose(left, right, _opposite(right))


def _choose(condition: Formula, positive: Formula, negative: Formula) -> Formula:
    chosen = conjunction([condition, positive])
    return disjunction([chosen, conjunction([_opposite(condition), negative])])


def _foreign(node: Any) -> InternalError:
    shown = str(node)[:80]
    return InternalError(f"quantifier elimination left an expression outside the logic: {shown}")
