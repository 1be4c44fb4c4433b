"""What the page's data are made of: numbered names, exact integers, formulas as nested lists.

Integers that a double does not hold are text, in decimal or, where even Python prints no decimals,
in hexadecimal; the page computes with them exactly. Formulas become

    ["and", part, ...]   ["or", part, ...]   ["not", part]
    ["<=" | ">=" | "=" | "!=", left, right]
    ["mod" | "not mod", left, modulus, residue]

and terms [coefficient, name, coefficient, name, ..., constant], where names are numbers of names.
"""

from __future__ import annotations

from dataclasses import dataclass, field
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
from petricheck.presburger.text import Comparison, Leaf, Remainder, leaves, natural, negated

SAFE = 2**53 - 1
"""The largest integer up to which doubles hold all."""

DECIMAL = 10_000
"""Bits of the longest integers in decimal."""


def integer(value: int) -> int | str:
    """The integer as JSON."""
    if abs(value) <= SAFE:
        return value
    return str(value) if value.bit_length() <= DECIMAL else hex(value)


@dataclass(slots=True)
class Names:
    """Texts that are said once and numbered."""

    _numbers: dict[str, int] = field(default_factory=dict)

    def number(self, text: str) -> int:
        """The text's number, a new one for a new text."""
        return self._numbers.setdefault(text, len(self._numbers))

    @property
    def texts(self) -> list[str]:
        """All of them, by number."""
        return list(self._numbers)

    def term(self, term: Term) -> list[Any]:
        """The term as data."""
        flat: list[Any] = []
        for name, coefficient in term.coefficients:
            flat += [integer(coefficient), self.number(name)]
        return [*flat, integer(term.constant)]

    def formula(self, formula: Formula | Leaf) -> list[Any]:
        """The formula as data, atoms turned as a person would write them.

        Raises:
            RecursionError: it is nested very deeply.
        """
        match formula:
            case Comparison(left, relation, right):
                return [relation, self.term(left), self.term(right)]
            case Remainder(left, modulus, relation, residue):
                word = "mod" if relation == "=" else "not mod"
                return [word, self.term(left), integer(modulus), integer(residue)]
            case Inequality() | Equality() | Congruence():
                return self.formula(natural(formula))
            case Negation(Congruence() as operand):
                remainder = natural(operand)
                assert isinstance(remainder, Remainder)
                return self.formula(negated(remainder))
            case Negation(operand):
                return ["not", self.formula(operand)]
            case Conjunction():
                return ["and", *map(self.formula, leaves(formula))]
            case Disjunction():
                return ["or", *map(self.formula, leaves(formula))]
