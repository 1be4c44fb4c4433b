"""Values of variables and functions, under which formulas are true or false."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from petricheck.laboratory.functions.formulas import (
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
)
from petricheck.laboratory.functions.terms import Application, Symbol, Term, Unit


@dataclass(frozen=True, slots=True)
class Interpretation:
    """What symbols mean.

    Attributes:
        variables: their values; others are 0.
        functions: of each the values of some arguments; it is 0 elsewhere.
    """

    variables: Mapping[str, Fraction]
    functions: Mapping[Symbol, Mapping[tuple[Fraction, ...], Fraction]]

    def value(self, term: Term) -> Fraction:
        """The value of a term."""
        products = (factor * self._unit(unit) for unit, factor in term.coefficients)
        return sum(products, term.constant)

    def satisfies(self, formula: Formula) -> bool:
        """Whether the formula is true."""
        match formula:
            case Inequality(term):
                return self.value(term) <= 0
            case Equality(left, right):
                return self.value(left) == self.value(right)
            case Negation(operand):
                return not self.satisfies(operand)
            case Conjunction(operands):
                return all(map(self.satisfies, operands))
            case Disjunction(operands):
                return any(map(self.satisfies, operands))

    def _unit(self, unit: Unit) -> Fraction:
        match unit:
            case Application(function, arguments):
                table = self.functions.get((function, len(arguments)), {})
                return table.get(tuple(map(self.value, arguments)), Fraction(0))
            case name:
                return self.variables.get(name, Fraction(0))


def interpretation(values: Mapping[Unit, Fraction]) -> Interpretation:
    """The meaning of symbols under which units have these values.

    Applications of a function to arguments of the same values must have the same value.
    """
    variables = {unit: value for unit, value in values.items() if isinstance(unit, str)}
    functions: dict[Symbol, dict[tuple[Fraction, ...], Fraction]] = {}
    for unit, value in values.items():
        if isinstance(unit, Application):
            arguments = tuple(linear_value(argument, values) for argument in unit.arguments)
            functions.setdefault((unit.function, len(arguments)), {})[arguments] = value
    return Interpretation(variables, functions)


def linear_value(term: Term, values: Mapping[Unit, Fraction]) -> Fraction:
    """The value of a term of units with these values; others are 0."""
    products = (factor * values.get(unit, Fraction(0)) for unit, factor in term.coefficients)
    return sum(products, term.constant)
