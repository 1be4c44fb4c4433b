"""Formulas with functions as SMT-LIB 2 text, of real numbers, free sorts and truth values.

A proposition is a number as well: it is true where it is 0. So the equation of a proposition with 0
is written as the proposition, and that of two propositions says that they are equivalent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from petricheck.laboratory.functions.formulas import (
    Atom,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    vocabulary,
)
from petricheck.laboratory.functions.models import Interpretation
from petricheck.laboratory.functions.terms import ZERO, Application, Symbol, Term, Unit
from petricheck.presburger.smtlib import numeral
from petricheck.presburger.symbols import quoted

REAL, BOOL = "Real", "Bool"


@dataclass(frozen=True, slots=True)
class Signature:
    """What symbols are declared as.

    Attributes:
        arguments: the sorts of the arguments of each.
        results: the sort of its values.
        spell: makes symbols of names, as scripts have them.
    """

    arguments: Mapping[Symbol, tuple[str, ...]]
    results: Mapping[Symbol, str]
    spell: Callable[[str], str] = quoted

    def declarations(self) -> list[str]:
        """Commands that declare the free sorts and all symbols."""
        used = [*self.results.values(), *(s for sorts in self.arguments.values() for s in sorts)]
        free = dict.fromkeys(sort for sort in used if sort not in (REAL, BOOL))
        sorts = [f"(declare-sort {self.spell(sort)} 0)" for sort in free]
        return sorts + [
            f"(declare-fun {self.spell(each[0])} ({' '.join(map(self._sort, arguments))})"
            f" {self._sort(self.results[each])})"
            for each, arguments in self.arguments.items()
        ]

    def definition(self, name: str, formula: Formula) -> str:
        """The command that defines a function of this name, of the constants in the formula.

        Where a symbol has the name, it is followed by underscores.
        """
        declared = {other for other, _ in self.results}
        while name in declared:
            name += "_"
        constants = sorted(each for each in vocabulary(formula) if not each[1])
        parameters = (
            f"({self.spell(each[0])} {self._sort(self.results[each])})" for each in constants
        )
        head = f"define-fun {self.spell(name)} ({' '.join(parameters)}) Bool"
        return f"({head} {self.to_smtlib(formula)})"

    def values(self, model: Interpretation) -> dict[str, str]:
        """By name, commands that define the symbols that no declared sort is about."""
        found = {}
        for each, arguments in self.arguments.items():
            sorts = {*arguments, self.results[each]}
            if sorts <= {REAL, BOOL}:
                parameters = " ".join(f"(x{n} {sort})" for n, sort in enumerate(arguments))
                body = self._cases(each, model)
                result = self.results[each]
                name = each[0]
                found[name] = f"(define-fun {self.spell(name)} ({parameters}) {result} {body})"
        return found

    def _cases(self, of: Symbol, model: Interpretation) -> str:
        """The values of a symbol as nested conditionals."""
        show = _truth if self.results[of] == BOOL else real
        if not of[1]:
            return show(model.variables.get(of[0], Fraction(0)))
        text = show(Fraction(0))
        for arguments, value in model.functions.get(of, {}).items():
            equations = [f"(= x{n} {real(each)})" for n, each in enumerate(arguments)]
            case = equations[0] if len(equations) == 1 else f"(and {' '.join(equations)})"
            text = f"(ite {case} {show(value)} {text})"
        return text

    def is_proposition(self, term: Term) -> bool:
        """Whether the term is a unit of truth values."""
        match term.coefficients:
            case ((unit, 1),) if not term.constant:
                return self.results[_symbol(unit)] == BOOL
            case _:
                return False

    def to_smtlib(self, formula: Formula) -> str:
        """The formula as a term of sort Bool."""
        match formula:
            case Negation(operand):
                return f"(not {self.to_smtlib(operand)})"
            case Conjunction(()):
                return "true"
            case Disjunction(()):
                return "false"
            case Conjunction(operands):
                return f"(and {' '.join(map(self.to_smtlib, operands))})"
            case Disjunction(operands):
                return f"(or {' '.join(map(self.to_smtlib, operands))})"
            case atom:
                return self._atom(atom)

    def _atom(self, atom: Atom) -> str:
        match atom:
            case Inequality(term):
                left = term - Term((), term.constant)
                return f"(<= {self._term(left)} {real(-term.constant)})"
            case Equality(left, right) if right == ZERO and self.is_proposition(left):
                return self._term(left)
            case Equality(left, right) if left == ZERO and self.is_proposition(right):
                return self._term(right)
            case Equality(left, right):
                return f"(= {self._term(left)} {self._term(right)})"

    def _term(self, term: Term) -> str:
        parts = [
            self._unit(unit) if factor == 1 else f"(* {real(factor)} {self._unit(unit)})"
            for unit, factor in term.coefficients
        ]
        if term.constant or not parts:
            parts.append(real(term.constant))
        return parts[0] if len(parts) == 1 else f"(+ {' '.join(parts)})"

    def _unit(self, unit: Unit) -> str:
        match unit:
            case Application(function, arguments):
                return f"({self.spell(function)} {' '.join(map(self._term, arguments))})"
            case name:
                return self.spell(name)

    def _sort(self, sort: str) -> str:
        return sort if sort in (REAL, BOOL) else self.spell(sort)


def real(value: Fraction) -> str:
    """The number as a term of sort Real."""
    size = f"{numeral(abs(value.numerator))}.0"
    if value.denominator != 1:
        size = f"(/ {size} {numeral(value.denominator)}.0)"
    return size if value >= 0 else f"(- {size})"


def _truth(value: Fraction) -> str:
    return "false" if value else "true"


def _symbol(unit: Unit) -> Symbol:
    match unit:
        case Application(function, arguments):
            return function, len(arguments)
        case name:
            return name, 0
