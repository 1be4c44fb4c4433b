"""Linear terms over the rationals, with applications of functions about which nothing is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Application:
    """A function of some arguments; functions of the same name and other arity are others."""

    function: str
    arguments: tuple[Term, ...]

    def __str__(self) -> str:
        return f"{self.function}({', '.join(map(str, self.arguments))})"


Unit: TypeAlias = str | Application
"""What linear terms are made of: variables and applications."""

Symbol: TypeAlias = tuple[str, int]
"""The name of a function and how many arguments it has; of a variable, none."""


@dataclass(frozen=True, slots=True)
class Term:
    """c_1·u_1 + … + c_n·u_n + constant.

    Attributes:
        coefficients: (unit, factor other than 0), sorted by what the units read like.
        constant: the number beside them.
    """

    coefficients: tuple[tuple[Unit, Fraction], ...]
    constant: Fraction

    def __add__(self, other: Term) -> Term:
        return linear((*self.coefficients, *other.coefficients), self.constant + other.constant)

    def __neg__(self) -> Term:
        return self * -1

    def __sub__(self, other: Term) -> Term:
        return self + -other

    def __mul__(self, factor: Fraction | int) -> Term:
        if factor == 0:
            return ZERO
        scaled = tuple((unit, value * factor) for unit, value in self.coefficients)
        return Term(scaled, self.constant * factor)

    def __str__(self) -> str:
        parts = [_product(value, str(unit)) for unit, value in self.coefficients]
        if self.constant or not parts:
            parts.append(str(self.constant))
        return " + ".join(parts).replace("+ -", "- ")


ZERO = Term((), Fraction(0))


def single(unit: Unit) -> Term:
    """The term that is just the unit."""
    return Term(((unit, Fraction(1)),), Fraction(0))


def variable(name: str) -> Term:
    """The term that is just the variable."""
    return single(name)


def number(value: Fraction | int) -> Term:
    """The term that is just the number."""
    return Term((), Fraction(value))


def apply(function: str, *arguments: Term) -> Term:
    """The term that is just the function of these arguments; ValueError without any."""
    if not arguments:
        raise ValueError(f"{function!r} has no arguments; use a variable")
    return single(Application(function, arguments))


def linear(pairs: Iterable[tuple[Unit, Fraction]], constant: Fraction) -> Term:
    """The term with these coefficients; those of one unit are summed, zeros dropped."""
    sums: dict[Unit, Fraction] = {}
    for unit, value in pairs:
        sums[unit] = sums.get(unit, Fraction(0)) + value
    kept = [(unit, value) for unit, value in sums.items() if value]
    return Term(tuple(sorted(kept, key=lambda pair: _order(pair[0]))), constant)


def subterms(term: Term) -> Iterator[Term]:
    """The term, its units, and the subterms of their arguments."""
    yield term
    for unit, _ in term.coefficients:
        yield single(unit)
        if isinstance(unit, Application):
            for argument in unit.arguments:
                yield from subterms(argument)


def symbols(term: Term) -> Iterator[Symbol]:
    """The symbols that occur, at any depth."""
    for unit, _ in term.coefficients:
        match unit:
            case Application(function, arguments):
                yield function, len(arguments)
                for argument in arguments:
                    yield from symbols(argument)
            case name:
                yield name, 0


def rebuilt(term: Term, meaning: Callable[[Unit], Term]) -> Term:
    """The term with its units replaced, those inside arguments first."""
    parts = [_rebuilt(unit, meaning) * factor for unit, factor in term.coefficients]
    pairs = (pair for part in parts for pair in part.coefficients)
    return linear(pairs, sum((part.constant for part in parts), term.constant))


def _rebuilt(unit: Unit, meaning: Callable[[Unit], Term]) -> Term:
    match unit:
        case Application(function, arguments):
            inner = tuple(rebuilt(argument, meaning) for argument in arguments)
            return meaning(Application(function, inner))
        case name:
            return meaning(name)


def _order(unit: Unit) -> tuple[str, str]:
    """What it reads like; names may have commas and parentheses, which only `repr` tells apart."""
    return str(unit), repr(unit) if isinstance(unit, Application) else ""


def _product(factor: Fraction, text: str) -> str:
    if factor in (1, -1):
        return text if factor == 1 else f"-{text}"
    return f"{factor}*{text}"
