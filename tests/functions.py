"""Random problems with functions, and the definition of an interpolant, asked of z3 alone."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import z3
from interpolants import contradict

from petricheck.laboratory.functions.formulas import (
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    vocabulary,
)
from petricheck.laboratory.functions.models import Interpretation
from petricheck.laboratory.functions.terms import (
    Application,
    Term,
    Unit,
    apply,
    number,
    variable,
)


class Problems:
    """Random formulas over symbols of their own and symbols that they share.

    Args:
        random: where chance comes from.
        kind: what they do: "equality", equate terms; "combination", compare, add and scale as
            well; "order", compare variables, so that more of them are equal than it seems.
    """

    def __init__(self, random: Random, kind: str) -> None:
        self._random = random
        self._kind = kind

    def pair(self) -> tuple[Formula, Formula]:
        """A and B."""
        return self._part("a"), self._part("b")

    def sharpened(
        self, pair: tuple[Formula, Formula], model: Interpretation
    ) -> tuple[Formula, Formula]:
        """A and B, one of them with an atom more, which is false in their model."""
        first, second = pair
        if self._random.random() < 0.5:
            return Conjunction((first, self._excluding("a", model))), second
        return first, Conjunction((second, self._excluding("b", model)))

    def _excluding(self, owner: str, model: Interpretation) -> Formula:
        atom = self._atom(*_symbols(owner))
        return Negation(atom) if model.satisfies(atom) else atom

    def _part(self, owner: str) -> Formula:
        symbols = _symbols(owner)
        count = self._random.randint(4, 9)
        parts = [self._formula(*symbols, 1) for _ in range(count)]
        if self._kind == "order":
            pairs = (self._random.sample(symbols[0], 2) for _ in range(count))
            parts += [Inequality(variable(one) - variable(other)) for one, other in pairs]
        return Conjunction(tuple(parts))

    def _formula(self, names: list[str], functions: list[tuple[str, int]], depth: int) -> Formula:
        random = self._random
        if depth and random.random() < 0.25:
            operands = tuple(
                self._formula(names, functions, depth - 1) for _ in range(random.randint(2, 3))
            )
            joined = random.choice((Conjunction, Disjunction))(operands)
            return Negation(joined) if random.random() < 0.3 else joined
        atom = self._atom(names, functions)
        return Negation(atom) if random.random() < 0.3 else atom

    def _atom(self, names: list[str], functions: list[tuple[str, int]]) -> Formula:
        left, right = (self._term(names, functions, 2) for _ in range(2))
        if self._kind == "combination" and self._random.random() < 0.6:
            return Inequality(left - right)
        return Equality(left, right)

    def _term(self, names: list[str], functions: list[tuple[str, int]], depth: int) -> Term:
        random = self._random
        chance = random.random()
        if self._kind == "combination" and chance < 0.2:
            factor = Fraction(random.choice((-2, -1, 1, 2, 3)), random.choice((1, 1, 2)))
            return variable(random.choice(names)) * factor + number(random.randint(-2, 2))
        if depth and chance < 0.55:
            function, arity = random.choice(functions)
            return apply(function, *(self._term(names, functions, depth - 1) for _ in range(arity)))
        return variable(random.choice(names))


def _symbols(owner: str) -> tuple[list[str], list[tuple[str, int]]]:
    """The names and the functions, with their arities, of A or B."""
    return ["x", "y", f"{owner}1", f"{owner}2"], [("f", 1), ("g", 2), (f"h{owner}", 1)]


def assert_interpolant(first: Formula, second: Formula, found: Formula) -> None:
    """The definition, in three parts."""
    assert vocabulary(found) <= vocabulary(first) & vocabulary(second)
    assert unsatisfiable(first, Negation(found))
    assert unsatisfiable(found, second)


def unsatisfiable(*formulas: Formula) -> bool:
    """Whether they contradict each other; AssertionError where z3 does not know."""
    return contradict(map(_expression, formulas))


def _expression(formula: Formula) -> z3.BoolRef:
    match formula:
        case Inequality(term):
            return _term(term) <= 0
        case Equality(left, right):
            return _term(left) == _term(right)
        case Negation(operand):
            return z3.Not(_expression(operand))
        case Conjunction(operands):
            return z3.And([_expression(operand) for operand in operands])
        case Disjunction(operands):
            return z3.Or([_expression(operand) for operand in operands])


def _term(term: Term) -> z3.ArithRef:
    products = [_number(value) * _unit(unit) for unit, value in term.coefficients]
    return z3.Sum([*products, _number(term.constant)])


def _unit(unit: Unit) -> z3.ArithRef:
    match unit:
        case Application(function, arguments):
            sorts = [z3.RealSort()] * (len(arguments) + 1)
            return z3.Function(function, *sorts)(*map(_term, arguments))
        case name:
            return z3.Real(name)


def _number(value: Fraction) -> z3.RatNumRef:
    return z3.Q(value.numerator, value.denominator)
