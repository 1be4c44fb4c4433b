"""z3 expressions from formulas, and numbers from z3 models.

Each formula is written in one pass without recursion. Variables reach z3 under numbered names, so
that any string may name one. The z3 module is an argument: only `solver` imports it.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from petricheck.arithmetic.formulas.formulas import (
    Atom,
    Congruence,
    Conjunction,
    Disjunction,
    Formula,
    Inequality,
    Negation,
)
from petricheck.arithmetic.formulas.terms import Term
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted

BITS = 4096
"""Longest number passed to z3: on longer ones a single step may exceed every time limit."""

_STEPS = 256
"""Parts of a formula that are written between two checks of the budget."""


class Writer:
    """A writer of expressions of one context of the module z3.

    Attributes:
        symbols: the integer constants by the variables that they stand for.
    """

    def __init__(self, z3: Any, context: Any) -> None:
        self._z3 = z3
        self.context = context
        self.symbols: dict[str, Any] = {}
        self._products: dict[tuple[str, int], Any] = {}
        self._numbers: dict[int, Any] = {}

    def model(self, z3_model: Any) -> dict[str, int]:
        """Return the values that a z3 model gives to the variables written so far."""
        evaluate = partial(z3_model.eval, model_completion=True)
        return {name: integer(evaluate(symbol)) for name, symbol in self.symbols.items()}

    def formula(self, formula: Formula, budget: Budget) -> Any:
        """Return the z3 expression that means `formula`.

        BudgetExhausted also where a number in it is too long.
        """
        nodes: list[Any] = []
        pending: list[tuple[Formula, bool]] = [(formula, False)]
        steps = 0
        while pending:
            steps += 1
            if steps % _STEPS == 0:
                budget.check()
            node, ready = pending.pop()
            match node:
                case Negation(operand):
                    parts: tuple[Formula, ...] = (operand,)
                case Conjunction(parts) | Disjunction(parts):
                    pass
                case _:
                    nodes.append(self._atom(node))
                    continue
            if ready:
                first = len(nodes) - len(parts)
                nodes[first:] = [self._joined_by(node, nodes[first:])]
            else:
                pending.append((node, True))
                pending.extend((part, False) for part in reversed(parts))
        return nodes[0]

    def _joined_by(self, node: Formula, parts: list[Any]) -> Any:
        if isinstance(node, Negation):
            return self._z3.Not(parts[0])
        conjoin = isinstance(node, Conjunction)
        if not parts:
            return self._z3.BoolVal(conjoin, self.context)
        return self._z3.And(parts) if conjoin else self._z3.Or(parts)

    def _atom(self, atom: Atom) -> Any:
        if isinstance(atom, Congruence):
            total = self._linear(atom.term) + self._number(atom.term.constant)
            return total % _require_size(atom.modulus) == 0
        make = self._z3.Z3_mk_le if isinstance(atom, Inequality) else self._z3.Z3_mk_eq
        left, right = self._linear(atom.term), self._number(-atom.term.constant)
        node = make(self.context.ref(), left.as_ast(), right.as_ast())
        return self._z3.BoolRef(node, self.context)

    def _linear(self, term: Term) -> Any:
        """Return the variable part of the term.

        Uses z3's own functions: its operators check the sort of every operand.
        """
        products = [self._product(name, value) for name, value in term.coefficients]
        match products:
            case []:
                return self._number(0)
            case [single]:
                return single
            case _:
                return self._joined(self._z3.Z3_mk_add, products)

    def _product(self, name: str, value: int) -> Any:
        key = (name, value)
        if key not in self._products:
            symbol = self._symbol(name)
            operands = [self._number(value), symbol]
            node = symbol if value == 1 else self._joined(self._z3.Z3_mk_mul, operands)
            self._products[key] = node
        return self._products[key]

    def _joined(self, function: Any, operands: list[Any]) -> Any:
        nodes = (self._z3.Ast * len(operands))(*(operand.as_ast() for operand in operands))
        node = function(self.context.ref(), len(operands), nodes)
        return self._z3.ArithRef(node, self.context)

    def _number(self, value: int) -> Any:
        if value not in self._numbers:
            self._numbers[value] = self._z3.IntVal(_require_size(value), self.context)
        return self._numbers[value]

    def _symbol(self, name: str) -> Any:
        if name not in self.symbols:
            self.symbols[name] = self._z3.Int(f"x{len(self.symbols)}", self.context)
        return self.symbols[name]


def integer(node: Any) -> int:
    """Return the number that a z3 expression is.

    BudgetExhausted where that is too long to be read.
    """
    try:
        return int(node.as_long())
    except ValueError:
        raise BudgetExhausted("z3 found a number that is too long to be read") from None


def _require_size(value: int) -> int:
    if value.bit_length() > BITS:
        raise BudgetExhausted(f"a number has {value.bit_length()} bits, and z3 is given {BITS}")
    return value
