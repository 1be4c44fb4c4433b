"""Terms with functions of which nothing is known, over the rationals.

The value of a function is a name, `Application`: terms and formulas of `presburger` take it for a
variable. Its arguments are linear terms with rational coefficients, `Ratio`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import gcd
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Equality,
    Formula,
    Inequality,
    atoms,
)
from petricheck.arithmetic.formulas.terms import Term, constant, linear, variable
from petricheck.arithmetic.solvers.smtlib import term_to_smtlib
from petricheck.arithmetic.solvers.symbols import quoted

Symbol: TypeAlias = str | tuple[str, int]
"""A variable, or a function and how many arguments it has."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """term / divisor, in lowest terms; divisor ≥ 1. Made by `ratio`."""

    term: Term
    divisor: int = 1

    def __add__(self, other: Ratio) -> Ratio:
        scaled = self.term * other.divisor + other.term * self.divisor
        return ratio(scaled, self.divisor * other.divisor)

    def __neg__(self) -> Ratio:
        return Ratio(-self.term, self.divisor)

    def __sub__(self, other: Ratio) -> Ratio:
        return self + -other

    def __mul__(self, factor: Fraction | int) -> Ratio:
        return ratio(self.term * factor.numerator, self.divisor * factor.denominator)

    @property
    def units(self) -> tuple[str, ...]:
        """The variables and applications that it is made of."""
        return self.term.variables


class Application(str):
    """A function of some arguments, named as SMT-LIB writes it.

    Functions of one name with different numbers of arguments are different.

    Attributes:
        function: its name, without bars or backslashes.
        arguments: at least one.
        symbols: those that occur, at any depth.
        depth: how deep functions are nested.
    """

    function: str
    arguments: tuple[Ratio, ...]
    symbols: frozenset[Symbol]
    depth: int

    def __new__(cls, function: str, arguments: tuple[Ratio, ...]) -> Application:
        """Return the application; ValueError without arguments, or for a bar or backslash."""
        units = [unit for argument in arguments for unit in argument.units]
        plain = [unit for unit in units if not isinstance(unit, Application)]
        if not arguments:
            raise ValueError(f"{function!r} has no arguments; use a variable")
        if any("|" in name or "\\" in name for name in (function, *plain)):
            raise ValueError(f"{function!r} or an argument has a bar or backslash in its name")
        name = super().__new__(cls, spelt(function, arguments, quoted))
        name.function, name.arguments = function, arguments
        name.symbols = symbols(units) | {(function, len(arguments))}
        depths = (unit.depth for unit in units if isinstance(unit, Application))
        name.depth = 1 + max(depths, default=0)
        return name

    def __eq__(self, other: object) -> bool:
        """Return False: no variable is equal to it, whatever its name."""
        return isinstance(other, Application) and str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


ZERO = Ratio(constant(0))


def ratio(term: Term, divisor: int = 1) -> Ratio:
    """Return the term divided by the number, which is positive."""
    shared = gcd(term.content, term.constant, divisor)
    return Ratio(_divided(term, shared), divisor // shared)


def number(value: Fraction | int) -> Ratio:
    """Return the number as a term."""
    return Ratio(constant(value.numerator), value.denominator)


def apply(function: str, *arguments: Term | Ratio) -> Term:
    """Return the application of the function as a term.

    Raises:
        ValueError: there are none, or a name has a bar or backslash.
    """
    ratios = (
        argument if isinstance(argument, Ratio) else Ratio(argument) for argument in arguments
    )
    return variable(Application(function, tuple(ratios)))


def single(unit: str) -> Ratio:
    """Return the variable or application as a term."""
    return Ratio(variable(unit))


def symbols(units: Iterable[str]) -> frozenset[Symbol]:
    """Return the symbols that occur in variables and applications, at any depth."""
    plain: set[Symbol] = set()
    for unit in units:
        if isinstance(unit, Application):
            plain |= unit.symbols
        else:
            plain.add(unit)
    return frozenset(plain)


def vocabulary(formula: Formula) -> frozenset[Symbol]:
    """Return the symbols that occur in the formula."""
    return symbols({unit for atom in atoms(formula) for unit in atom.term.variables})


def is_known(term: Term, symbols: frozenset[Symbol]) -> bool:
    """Return whether all symbols of the term are known."""
    return all(
        unit.symbols <= symbols if isinstance(unit, Application) else unit in symbols
        for unit, _ in term.coefficients
    )


def subterms(ratio: Ratio) -> Iterator[Ratio]:
    """Yield the term, its units, and the subterms of their arguments."""
    yield ratio
    for unit in ratio.units:
        yield single(unit)
        if isinstance(unit, Application):
            for argument in unit.arguments:
                yield from subterms(argument)


def rebuilt(term: Term, meaning: Callable[[str], Ratio]) -> Ratio:
    """Return the term with its units replaced, innermost first."""
    parts = [(_rebuilt(unit, meaning) * factor) for unit, factor in term.coefficients]
    return sum(parts, Ratio(constant(term.constant)))


def _rebuilt(unit: str, meaning: Callable[[str], Ratio]) -> Ratio:
    if isinstance(unit, Application):
        arguments = (rebuilt(argument.term, meaning) * Fraction(1, argument.divisor)
                     for argument in unit.arguments)  # fmt: skip
        return meaning(Application(unit.function, tuple(arguments)))
    return meaning(unit)


def sides(equation: Equality) -> tuple[Ratio, Ratio]:
    """Return the two terms of the equation: what is added in it, and what is subtracted."""
    term = equation.term
    left = [(unit, factor) for unit, factor in term.coefficients if factor > 0]
    right = [(unit, -factor) for unit, factor in term.coefficients if factor < 0]
    return (
        Ratio(linear(left, max(term.constant, 0))),
        Ratio(linear(right, max(-term.constant, 0))),
    )


def at_most(left: Ratio, right: Ratio) -> Formula:
    """Return left ≤ right, a truth value where that is plain."""
    term = primitive((left - right).term)
    if term.coefficients:
        return Inequality(term)
    return TRUE if term.constant <= 0 else FALSE


def equal(left: Ratio, right: Ratio) -> Formula:
    """Return left = right, a truth value where that is plain."""
    term = (left - right).term
    if term.coefficients:
        return Equality(equated(term))
    return FALSE if term.constant else TRUE


def equated(term: Term) -> Term:
    """Return the key of an equation of rationals: the primitive term, its first factor positive."""
    return primitive(term if term.coefficients[0][1] > 0 else -term)


def primitive(term: Term) -> Term:
    """Return the term divided by the greatest common divisor of its numbers."""
    return _divided(term, gcd(term.content, term.constant) or 1)


def spelt(function: str, arguments: Iterable[Ratio], spell: Callable[[str], str]) -> str:
    """Return the application as SMT-LIB text; `spell` makes symbols of names."""
    texts = (ratio_to_smtlib(argument, spell) for argument in arguments)
    return f"({spell(function)} {' '.join(texts)})"


def ratio_to_smtlib(value: Ratio, spell: Callable[[str], str]) -> str:
    """Return the term as SMT-LIB text."""
    text = term_to_smtlib(value.term, partial(unit_to_smtlib, spell=spell))
    return text if value.divisor == 1 else f"(/ {text} {value.divisor})"


def unit_to_smtlib(unit: str, spell: Callable[[str], str]) -> str:
    """Return the variable or application as SMT-LIB text."""
    if isinstance(unit, Application):
        return str(unit) if spell is quoted else spelt(unit.function, unit.arguments, spell)
    return spell(unit)


def _divided(term: Term, divisor: int) -> Term:
    scaled = tuple((name, value // divisor) for name, value in term.coefficients)
    return Term(scaled, term.constant // divisor)
