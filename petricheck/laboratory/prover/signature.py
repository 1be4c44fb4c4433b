"""Declarations of a script, and formulas and models in its syntax.

A proposition is a number: over integers and rationals it is true where the number is at most 0, and
where functions occur, where it is 0. So its opposite is any other number; 0 and 1 will do for both,
and formulas about propositions are written as what they say of these two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product

from petricheck.arithmetic.formulas.formulas import (
    Atom,
    Congruence,
    Equality,
    Formula,
    Inequality,
    Negation,
    evaluate,
)
from petricheck.arithmetic.formulas.terms import Term
from petricheck.arithmetic.solvers.smtlib import literal_to_smtlib, numeral, written
from petricheck.arithmetic.solvers.symbols import quoted
from petricheck.laboratory.prover.results import Theory
from petricheck.laboratory.prover.terms import (
    Application,
    Ratio,
    ratio_to_smtlib,
    sides,
    unit_to_smtlib,
    vocabulary,
)

INT, REAL, BOOL = "Int", "Real", "Bool"


@dataclass(frozen=True, slots=True)
class Signature:
    """Declared symbols.

    Attributes:
        theory: what their values are.
        sorts: by name, the sorts of the arguments, and last that of the value.
        spell: makes symbols of names, as scripts have them.
    """

    theory: Theory
    sorts: Mapping[str, tuple[str, ...]]
    spell: Callable[[str], str] = quoted

    def proposition(self, term: Term) -> Formula:
        """Return a formula that the unit is true."""
        return Equality(term) if self.theory is Theory.FUNCTIONS else Inequality(term)

    def sort(self, term: Ratio) -> str:
        """Return the sort of the term."""
        match term.term.coefficients:
            case ((unit, 1),) if not term.term.constant and term.divisor == 1:
                return self.sorts[_name(unit)][-1]
            case _:
                return INT if self.theory is Theory.INTEGERS else REAL

    def declarations(self) -> list[str]:
        """Return commands that declare the free sorts and all symbols."""
        used = dict.fromkeys(sort for sorts in self.sorts.values() for sort in sorts)
        free = [sort for sort in used if sort not in (INT, REAL, BOOL)]
        return [f"(declare-sort {self.spell(sort)} 0)" for sort in free] + [
            f"(declare-fun {self.spell(name)} ({' '.join(map(self._sort, arguments))})"
            f" {self._sort(result)})"
            for name, (*arguments, result) in self.sorts.items()
        ]

    def definitions(self, formulas: Iterable[Formula], ending: str = "") -> list[str]:
        """Return commands that define I1, I2, …, functions of the constants in the formulas.

        The ending is added to these names. Where a symbol has such a name, underscores follow.
        """
        return [
            self._definition(f"I{number}{ending}", formula)
            for number, formula in enumerate(formulas, 1)
        ]

    def _definition(self, name: str, formula: Formula) -> str:
        while name in self.sorts:
            name += "_"
        constants = sorted(symbol for symbol in vocabulary(formula) if isinstance(symbol, str))
        parameters = (f"({self.spell(name)} {self._sort(self.sorts[name][-1])})"
                      for name in constants)  # fmt: skip
        return f"(define-fun {name} ({' '.join(parameters)}) Bool {self.to_smtlib(formula)})"

    def values(self, model: Mapping[str, int | Fraction]) -> dict[str, int | Fraction | bool]:
        """Return the values of constants that are numbers or propositions."""
        return {
            name: self._truth(model.get(name, 0)) if result == BOOL else model.get(name, 0)
            for name, (*arguments, result) in self.sorts.items()
            if not arguments and result in (INT, REAL, BOOL)
        }

    def model(self, model: Mapping[str, int | Fraction]) -> dict[str, str]:
        """Return by name the commands that define the symbols that no declared sort is about."""
        lines = {}
        for name, (*arguments, result) in self.sorts.items():
            if {*arguments, result} <= {INT, REAL, BOOL}:
                parameters = " ".join(f"(x{n} {sort})" for n, sort in enumerate(arguments))
                head = f"define-fun {self.spell(name)} ({parameters}) {result}"
                lines[name] = f"({head} {self._cases(name, model)})"
        return lines

    def _cases(self, name: str, model: Mapping[str, int | Fraction]) -> str:
        """Return the value of a constant, or those of a function as nested conditionals."""
        result = self.sorts[name][-1]
        text = self._value(model.get(name, 0), result)
        for unit, value in model.items():
            if isinstance(unit, Application) and unit.function == name:
                arguments = [
                    self._value(_evaluated(argument, model), REAL) for argument in unit.arguments
                ]
                equations = [f"(= x{n} {argument})" for n, argument in enumerate(arguments)]
                case = equations[0] if len(equations) == 1 else f"(and {' '.join(equations)})"
                text = f"(ite {case} {self._value(value, result)} {text})"
        return text

    def _value(self, value: int | Fraction, sort: str) -> str:
        if sort == BOOL:
            return "true" if self._truth(value) else "false"
        point = ".0" if sort == REAL else ""
        size = f"{numeral(abs(value.numerator))}{point}"
        if value.denominator != 1:
            size = f"(/ {size} {numeral(value.denominator)}.0)"
        return size if value >= 0 else f"(- {size})"

    def _truth(self, value: int | Fraction) -> bool:
        return value == 0 if self.theory is Theory.FUNCTIONS else value <= 0

    def to_smtlib(self, formula: Formula) -> str:
        """Return the formula as a term of sort Bool."""
        return written(formula, self._literal)

    def _literal(self, literal: Formula) -> str:
        match literal:
            case Negation(operand):
                return f"(not {self._literal(operand)})"
            case Inequality() | Equality() | Congruence():
                return self._atom(literal)
            case _:
                raise AssertionError("not a literal")

    def _atom(self, atom: Atom) -> str:
        units = atom.term.variables
        if units and all(self.sorts[_name(unit)][-1] == BOOL for unit in units):
            return self._about_propositions(atom, units)
        if isinstance(atom, Equality) and self.theory is Theory.FUNCTIONS:
            left, right = (ratio_to_smtlib(side, self.spell) for side in sides(atom))
            return f"(= {left} {right})"
        return literal_to_smtlib(atom, partial(unit_to_smtlib, spell=self.spell))

    def _about_propositions(self, atom: Atom, units: Sequence[str]) -> str:
        texts = [unit_to_smtlib(unit, self.spell) for unit in units]
        cases = [
            [f"(not {text})" if x else text for text, x in zip(texts, values, strict=True)]
            for values in product((0, 1), repeat=len(units))
            if evaluate(atom, dict(zip(units, values, strict=True)))
        ]
        if len(cases) in (0, 2 ** len(units)):
            return "true" if cases else "false"
        joined = [case[0] if len(case) == 1 else f"(and {' '.join(case)})" for case in cases]
        return joined[0] if len(joined) == 1 else f"(or {' '.join(joined)})"

    def _sort(self, sort: str) -> str:
        return sort if sort in (INT, REAL, BOOL) else self.spell(sort)


def _name(unit: str) -> str:
    return unit.function if isinstance(unit, Application) else unit


def _evaluated(argument: Ratio, model: Mapping[str, int | Fraction]) -> Fraction:
    products = (model[unit] * factor for unit, factor in argument.term.coefficients)
    return Fraction(sum(products, argument.term.constant), argument.divisor)
