"""Random interpolation problems, and the definitions of interpolants, asked of z3 alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random

import z3

from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    evaluate,
    variables,
)
from petricheck.arithmetic.formulas.terms import Term, constant, linear, variable
from petricheck.laboratory.prover.terms import Application, Ratio, Symbol, apply, vocabulary
from petricheck.laboratory.prover.theory import completed

FACTORS = (-3, -2, -1, 1, 1, 1, 2, 3)
KINDS = ("integers", "rationals", "equality", "combination", "order")
"""Of random problems: numbers alone; equations of terms with functions; also inequalities, sums and
fractions of them; or an order of variables, so that more of them are equal than it seems."""


def theory_of(kind: str) -> str:
    return kind if kind in ("integers", "rationals") else "functions"


def random_parts(random: Random, count: int, kind: str) -> list[Formula]:
    """Formulas over a variable of their own and one that each shares with the next, or all."""
    if theory_of(kind) == "functions":
        return [_part(random, number, kind) for number in range(count)]
    names = [[f"own{part}", f"link{part}", f"link{part + 1}", "all"] for part in range(count)]
    depth = 3 if count == 2 else 2
    return [random_formula(random, names[part], depth, kind == "integers") for part in range(count)]


def sharpened(
    random: Random, parts: Sequence[Formula], model: Mapping[str, int | Fraction], kind: str
) -> list[Formula]:
    """The parts, one of them with an atom more, which is false in their model."""
    number = random.randrange(len(parts))
    if theory_of(kind) == "functions":
        atom = _equation(random, number, kind)
    else:
        atom = _atom(random, list(variables(parts[number])), kind == "integers")
    added = Negation(atom) if evaluate(atom, completed(variables(atom), model)) else atom
    return [*parts[:number], Conjunction((parts[number], added)), *parts[number + 1 :]]


def _part(random: Random, number: int, kind: str) -> Formula:
    count = random.randint(4, 9)
    parts = [_functional(random, number, kind, 1) for _ in range(count)]
    if kind == "order":
        pairs = (random.sample(_names(number), 2) for _ in range(count))
        parts += [Inequality(variable(one) - variable(other)) for one, other in pairs]
    return Conjunction(tuple(parts))


def _functional(random: Random, number: int, kind: str, depth: int) -> Formula:
    if depth and random.random() < 0.25:
        operands = (_functional(random, number, kind, 0) for _ in range(random.randint(2, 3)))
        joined = random.choice((Conjunction, Disjunction))(tuple(operands))
        return Negation(joined) if random.random() < 0.3 else joined
    atom = _equation(random, number, kind)
    return Negation(atom) if random.random() < 0.3 else atom


def _equation(random: Random, number: int, kind: str) -> Formula:
    left, right = (_functional_term(random, number, kind, 2) for _ in range(2))
    unequal = kind == "combination" and random.random() < 0.6
    return (Inequality if unequal else Equality)((left - right).term)


def _functional_term(random: Random, number: int, kind: str, depth: int) -> Ratio:
    chance = random.random()
    if kind == "combination" and chance < 0.2:
        factor = Fraction(random.choice((-2, -1, 1, 2, 3)), random.choice((1, 1, 2)))
        named = Ratio(variable(random.choice(_names(number)))) * factor
        return named + Ratio(constant(random.randint(-2, 2)))
    if depth and chance < 0.55:
        function, arity = random.choice([("f", 1), ("g", 2), (f"h{number}", 1)])
        inner = [_functional_term(random, number, kind, depth - 1) for _ in range(arity)]
        return Ratio(apply(function, *inner))
    return Ratio(variable(random.choice(_names(number))))


def _names(number: int) -> list[str]:
    return ["x", "y", f"a{number}", f"b{number}"]


def random_formula(random: Random, names: list[str], depth: int, congruences: bool) -> Formula:
    """Any Boolean structure over random atoms, with more conjunctions than disjunctions."""
    if depth == 0 or random.random() < 0.25:
        atom = _atom(random, names, congruences)
        return Negation(atom) if random.random() < 0.2 else atom
    operands = tuple(
        random_formula(random, names, depth - 1, congruences) for _ in range(random.randint(1, 3))
    )
    joined = Conjunction(operands) if random.random() < 0.65 else Disjunction(operands)
    return Negation(joined) if random.random() < 0.1 else joined


def _atom(random: Random, names: list[str], congruences: bool) -> Formula:
    chosen = random.sample(names, random.randint(1, min(3, len(names))))
    term = linear([(name, random.choice(FACTORS)) for name in chosen], random.randint(-6, 6))
    kind = random.random()
    if kind < 0.5:
        return Inequality(term)
    if kind < 0.8 or not congruences:
        return Equality(term)
    return Congruence(term, random.randint(1, 4))


class Judge:
    """What z3 says of formulas over numbers of one sort, which it reads by itself."""

    def __init__(self, integral: bool) -> None:
        self._sort = z3.IntSort() if integral else z3.RealSort()

    def unsatisfiable(self, *formulas: Formula) -> bool:
        """Whether they contradict each other; AssertionError where z3 does not know."""
        solver = z3.Solver()
        solver.set("timeout", 20_000)
        solver.add([self._expression(formula) for formula in formulas])
        answer = solver.check()
        assert answer != z3.unknown
        return bool(answer == z3.unsat)

    def implies(self, premises: Sequence[Formula], conclusion: Formula) -> bool:
        return self.unsatisfiable(*premises, Negation(conclusion))

    def _expression(self, formula: Formula) -> z3.BoolRef:
        match formula:
            case Inequality(term):
                return self._term(term) <= 0
            case Equality(term):
                return self._term(term) == 0
            case Congruence(term, modulus):
                return self._term(term) % modulus == 0
            case Negation(operand):
                return z3.Not(self._expression(operand))
            case Conjunction(operands):
                return z3.And([self._expression(operand) for operand in operands])
            case Disjunction(operands):
                return z3.Or([self._expression(operand) for operand in operands])

    def _term(self, term: Term) -> z3.ArithRef:
        symbols = [value * self._unit(unit) for unit, value in term.coefficients]
        return z3.Sum([*symbols, self._number(term.constant)])

    def _unit(self, unit: str) -> z3.ArithRef:
        if not isinstance(unit, Application):
            return z3.Const(unit, self._sort)
        sorts = [self._sort] * (len(unit.arguments) + 1)
        arguments = [self._term(each.term) / each.divisor for each in unit.arguments]
        return z3.Function(unit.function, *sorts)(*arguments)

    def _number(self, value: int) -> z3.ArithRef:
        return z3.IntVal(value) if self._sort == z3.IntSort() else z3.RealVal(value)


INTEGERS, RATIONALS = Judge(True), Judge(False)


def judge_of(kind: str) -> Judge:
    return INTEGERS if kind == "integers" else RATIONALS


def shared(left: Sequence[Formula], right: Sequence[Formula]) -> frozenset[Symbol]:
    """The symbols that both have."""
    return vocabulary(Conjunction(tuple(left))) & vocabulary(Conjunction(tuple(right)))


def assert_sequence(judge: Judge, parts: Sequence[Formula], found: Sequence[Formula]) -> None:
    """Each follows from the one before it and the part between; the last part contradicts."""
    assert len(found) == len(parts) - 1
    before: list[Formula] = []
    for cut, (part, formula) in enumerate(zip(parts, found, strict=False), start=1):
        assert judge.implies([*before, part], formula)
        assert vocabulary(formula) <= shared(parts[:cut], parts[cut:])
        before = [formula]
    assert judge.unsatisfiable(*before, parts[-1])


def assert_symmetric(judge: Judge, parts: Sequence[Formula], found: Sequence[Formula]) -> None:
    """Each follows from its part, in symbols of others; together they contradict each other."""
    assert len(found) == len(parts)
    for number, (part, formula) in enumerate(zip(parts, found, strict=True)):
        assert judge.implies([part], formula)
        others = [*parts[:number], *parts[number + 1 :]]
        assert vocabulary(formula) <= shared([part], others)
    assert judge.unsatisfiable(*found)
