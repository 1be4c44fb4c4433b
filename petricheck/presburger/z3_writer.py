"""z3 expressions from formulas: the opposite of `z3_reader`.

Each formula is written in one pass without recursion. Variables reach z3 under numbered names, so
that any string may name one. The z3 module is an argument: only `solver` imports it.
"""

from __future__ import annotations

from typing import Any

from petricheck.presburger.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
)
from petricheck.presburger.terms import Term


class Writer:
    """Writes expressions of one z3 context.

    Args:
        z3: the module.
        context: its context.

    Attributes:
        symbols: the integer constants by the variables that they stand for.
        propositions: Boolean constants, by the formulas that they stand for; set before writing.
    """

    def __init__(self, z3: Any, context: Any) -> None:
        self._z3 = z3
        self.context = context
        self.symbols: dict[str, Any] = {}
        self.propositions: dict[Formula, Any] = {}

    def model(self, found: Any) -> dict[str, int]:
        """The values that a z3 model gives to the variables written so far."""
        values = {}
        for name, symbol in self.symbols.items():
            values[name] = found.eval(symbol, model_completion=True).as_long()
        return values

    def formula(self, formula: Formula) -> Any:
        """The z3 expression that means `formula`."""
        done: list[Any] = []
        pending: list[tuple[Formula, bool]] = [(formula, False)]
        while pending:
            node, ready = pending.pop()
            parts = _operands(node)
            if parts is None:
                done.append(self._atom(node))
            elif not ready:
                pending.append((node, True))
                pending.extend((part, False) for part in reversed(parts))
            else:
                first = len(done) - len(parts)
                combined = self._combine(node, done[first:])
                del done[first:]
                done.append(combined)
        return done[0]

    def _combine(self, node: Formula, parts: list[Any]) -> Any:
        if isinstance(node, Negation):
            return self._z3.Not(parts[0])
        conjoin = isinstance(node, Conjunction)
        if not parts:
            return self._z3.BoolVal(conjoin, self.context)
        return self._z3.And(parts) if conjoin else self._z3.Or(parts)

    def _atom(self, atom: Formula) -> Any:
        if atom in self.propositions:
            return self.propositions[atom]
        match atom:
            case Inequality(term):
                return self._linear(term) <= -term.constant
            case Equality(term):
                return self._linear(term) == -term.constant
            case Congruence(term, modulus):
                return (self._linear(term) + term.constant) % modulus == 0
            case _:
                raise AssertionError("not an atom")

    def _linear(self, term: Term) -> Any:
        """The variable part of the term."""
        products = [
            self._symbol(name) if value == 1 else value * self._symbol(name)
            for name, value in term.coefficients
        ]
        match products:
            case []:
                return self._z3.IntVal(0, self.context)
            case [single]:
                return single
            case _:
                return self._z3.Sum(products)

    def _symbol(self, name: str) -> Any:
        if name not in self.symbols:
            self.symbols[name] = self._z3.Int(f"x{len(self.symbols)}", self.context)
        return self.symbols[name]


def _operands(formula: Formula) -> tuple[Formula, ...] | None:
    """The parts of a compound formula, or None for an atom."""
    match formula:
        case Negation(operand):
            return (operand,)
        case Conjunction(operands) | Disjunction(operands):
            return operands
        case _:
            return None
